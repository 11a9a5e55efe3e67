#pragma once
#include <libpq-fe.h>
#include <poll.h>

/* Field codes of an error are character literals, which Swift does not import. */
static inline const char *cpostgres_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
static inline const char *cpostgres_primary(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/* Waits until the server has sent something, a byte arrives on `wake`, or the time is over. */
static inline void cpostgres_wait(const PGconn *connection, int wake, int milliseconds) {
    struct pollfd both[2] = {
        {.fd = PQsocket(connection), .events = POLLIN, .revents = 0},
        {.fd = wake, .events = POLLIN, .revents = 0},
    };
    poll(both, 2, milliseconds);
}
