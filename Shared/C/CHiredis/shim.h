#pragma once
#include <hiredis/hiredis.h>
#include <poll.h>
#include <signal.h>

/* No reply is pending on an idle connection: if there is something to read,
 * it is the end of the stream. */
static inline int chiredis_is_spent(const redisContext *context) {
    struct pollfd idle = {.fd = context->fd, .events = POLLIN, .revents = 0};
    return context->err != 0 || poll(&idle, 1, 0) != 0;
}

/* Makes a write to a socket that the peer has closed an error, instead of
 * ending the process. */
static inline void chiredis_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}
