#pragma once
#include <zlib.h>

/* deflateInit2 and inflateInit2 are macros, which Swift can't call. A window of 15 bits plus 16 means gzip's header
 * and trailer (RFC 1952). */
static inline int czlib_begin_gzip(z_streamp stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_begin_gunzip(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

/* inflateInit is a macro too. */
static inline int czlib_begin_inflate(z_streamp stream) { return inflateInit(stream); }

/* So is inflateInit2. A negative window means a stream without header and trailer (RFC 1951), as in archives. */
static inline int czlib_begin_raw_inflate(z_streamp stream) { return inflateInit2(stream, -15); }
