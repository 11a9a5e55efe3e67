#pragma once
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

/* rd_kafka_producev is variadic, which Swift cannot call. librdkafka
 * owns the headers once this returns RD_KAFKA_RESP_ERR_NO_ERROR; otherwise
 * the caller does. */
static inline rd_kafka_resp_err_t crdkafka_produce(
    rd_kafka_t *client, const char *topic, const void *key, size_t key_size,
    const void *value, size_t value_size, rd_kafka_headers_t *headers,
    void *opaque) {
    return rd_kafka_producev(
        client, RD_KAFKA_V_TOPIC(topic),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY((void *)key, key_size),
        RD_KAFKA_V_VALUE((void *)value, value_size),
        RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END);
}
