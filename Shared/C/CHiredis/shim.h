#pragma once
#include <hiredis/hiredis.h>
#include <poll.h>
#include <signal.h>

/* Nobody owes an answer to an idle connection: if there is something to read,
 * it is the end of the stream. */
static inline int chiredis_is_spent(const redisContext *context) {
    struct pollfd idle = {.fd = context->fd, .events = POLLIN, .revents = 0};
    return context->err != 0 || poll(&idle, 1, 0) != 0;
}

/* A write to a socket that the peer has closed shall be an error, not the end
 * of the process. */
static inline void chiredis_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}
