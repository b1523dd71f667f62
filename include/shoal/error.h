/* Status codes and the error record.
 *
 * Every call of shoal that can fail returns `enum shoal_status` and takes a `struct shoal_error *` as its
 * last argument. The record may be NULL. It owns no memory, so it can live on the stack and be dropped.
 */
#ifndef SHOAL_ERROR_H
#define SHOAL_ERROR_H

#include <shoal/api.h>

/* Structs that begin with `size` may grow at their end from release to release; a program that was compiled
 * with another one than the library's may use them:
 * - Parameters: fill them by the init function, or by the initialiser beside it (<shoal/init.h>). Members
 *   that an older program does not know have their defaults. SHOAL_INVALID: the init function was not called,
 * or a newer program sets a member that the library does not know.
 * - Results that a call fills: set `size` to 0, as = {0} does, or to the size of the struct. The call sets it
 *   to that of the members it has filled. 0 means the members of the struct's first release.
 * - What the library owns and hands out has the size that the library knows.
 *
 * A pointer that is NULL where the header does not say that it may be: SHOAL_INVALID with its name. Calls
 * without a status then return NULL, 0, false or NaN, or do nothing. */

SHOAL_BEGIN_DECLS

enum shoal_status {
    SHOAL_OK = 0,
    SHOAL_FAILED,               /* a call of the driver or the system failed; see `call` and `native` */
    SHOAL_INVALID,              /* an argument breaks the documented contract; nothing was done */
    SHOAL_NO_DEVICE,            /* no device matches, or no driver is installed */
    SHOAL_BUILD_FAILED,         /* a kernel does not compile or link; see `log` */
    SHOAL_OUT_OF_DEVICE_MEMORY, /* the device cannot hold the allocation */
    SHOAL_OUT_OF_HOST_MEMORY,
    SHOAL_DEVICE_LOST,  /* the device no longer responds in this process */
    SHOAL_UNSUPPORTED,  /* the device lacks the capability */
    SHOAL_IO,           /* a file cannot be read or written, or holds something wrong */
    SHOAL_CHECK_FAILED, /* a result differs from the host's by more than its tolerance */
    SHOAL_STOPPED       /* the caller's stop callback ended the run; the result so far is valid */
};

struct shoal_error {
    enum shoal_status status;
    int native;         /* code of the failing driver or system call, 0 where there is none */
    char call[64];      /* name of that call, "" where there is none */
    char message[1024]; /* one line without a line feed: what, where, what to do */
    char log[8192];     /* build log of SHOAL_BUILD_FAILED, cut at its end; "" otherwise */
};

/* Stable lower-case name of a status, e.g. "device lost". */
SHOAL_API const char *shoal_status_name(enum shoal_status status);

/* Version of the library that is linked, "major.minor.patch". */
SHOAL_API const char *shoal_version(void);

SHOAL_END_DECLS

#endif
