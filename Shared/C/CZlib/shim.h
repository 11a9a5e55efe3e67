#pragma once
#include <zlib.h>

/* deflateInit2 and inflateInit2 are macros, which Swift can't call. The window of 15 bits with 16 added asks for
 * gzip's head and tail (RFC 1952). */
static inline int czlib_begin_gzip(z_streamp stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_begin_gunzip(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

/* inflateInit is a macro too. */
static inline int czlib_begin_inflate(z_streamp stream) { return inflateInit(stream); }

/* So is inflateInit2; a window below zero asks for a stream without head and tail (RFC 1951), as archives have it. */
static inline int czlib_begin_raw_inflate(z_streamp stream) { return inflateInit2(stream, -15); }
