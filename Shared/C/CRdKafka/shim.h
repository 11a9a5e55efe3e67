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

/* Linux lets a thread sleep for longer than it asks, by its timer slack.
 * librdkafka's main thread rounds the wait for its timer of one second down to
 * milliseconds, and asks the clock without sleep for the rest (its issue 4684,
 * mended in 2.4.0). A slack of a millisecond lets it sleep. The brokers'
 * threads, which inherit the slack, get Linux's default again. */
#ifdef __linux__
#include <sys/prctl.h>

static rd_kafka_resp_err_t crdkafka_thread_started(
    rd_kafka_t *client, rd_kafka_thread_type_t type, const char *name,
    void *opaque) {
    unsigned long nanoseconds = type == RD_KAFKA_THREAD_MAIN ? 1000000 : 50000;
    prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static rd_kafka_resp_err_t crdkafka_client_opened(
    rd_kafka_t *client, const rd_kafka_conf_t *options, void *opaque,
    char *reason, size_t reason_size) {
    return rd_kafka_interceptor_add_on_thread_start(
        client, "timer slack", crdkafka_thread_started, NULL);
}
#endif

static inline void crdkafka_let_main_thread_sleep(rd_kafka_conf_t *options) {
#ifdef __linux__
    rd_kafka_conf_interceptor_add_on_new(
        options, "timer slack", crdkafka_client_opened, NULL);
#endif
}
