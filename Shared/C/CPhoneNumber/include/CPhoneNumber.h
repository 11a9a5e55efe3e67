/* Google's libphonenumber, which is written in C++, for callers that read C. */
#ifndef CPHONENUMBER_H
#define CPHONENUMBER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes for a number in E.164 with its terminator. */
#define CPHONENUMBER_SIZE 32

#define CPHONENUMBER_REGION_UNKNOWN "ZZ"

#define CPHONENUMBER_NONE 0
/* The length is one that numbers of the country have. */
#define CPHONENUMBER_POSSIBLE 1
/* The number is in a range that is assigned. */
#define CPHONENUMBER_VALID 2

/*
 * Reads a number and writes it in E.164. `region` is the country of a number without country code: ISO 3166-1 alpha-2,
 * or CPHONENUMBER_REGION_UNKNOWN. Returns one of the values above. Safe on any thread.
 */
int cphonenumber_read(const char *text, const char *region, char *e164, size_t size);

#ifdef __cplusplus
}
#endif

#endif
