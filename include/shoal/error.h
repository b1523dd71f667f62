/* Status codes and the error record.
 *
 * Every call that can fail returns `enum shoal_status` and takes a `struct shoal_error *` as its last
 * argument. The record may be NULL. The record owns no memory: keep one on the stack and drop it.
 *
 * Pointers: where a header does not say that a pointer may be NULL, a NULL gives SHOAL_INVALID and a message
 * with the pointer's name. Calls without a status then return NULL, 0, false or NaN, or do nothing.
 *
 * Errors of most calls are not repeated call by call. SHOAL_OUT_OF_HOST_MEMORY: memory of the program is
 * exhausted. A call on a device, a queue or a buffer may also return SHOAL_FAILED, SHOAL_DEVICE_LOST and
 * SHOAL_OUT_OF_DEVICE_MEMORY. After an error a call has had no effect, unless its header says otherwise;
 * results written through pointers are undefined, and the pointer to an object to create is NULL.
 *
 * Structs that begin with `size` may grow at their end from release to release. A program compiled with the
 * headers of another release may use such structs:
 * - Parameters: fill them by the init function, or by the initialiser beside it (<shoal/init.h>). Members
 *   that an older program does not know have their defaults. SHOAL_INVALID: the init function was not called,
 *   or a newer program sets a member that the library does not know.
 * - Results that a call fills: set `size` to 0, as = {0} does, or to the size of the struct. The call sets
 *   `size` to the bytes of the members that the call has filled. 0 means the members of the struct's first
 *   release.
 * - Structs that the library owns and hands out: `size` is the size that the library knows.
 */
#ifndef SHOAL_ERROR_H
#define SHOAL_ERROR_H

#include <shoal/api.h>

SHOAL_BEGIN_DECLS

/* How a call ended. SHOAL_OK is 0, so `if (call(...))` is true for errors. */
enum shoal_status {
    SHOAL_OK = 0, /* The call succeeded. */
    /* A call of the driver or the system failed: see `call` and `native` of the error record. */
    SHOAL_FAILED,
    SHOAL_INVALID,              /* An argument breaks the documented contract. Nothing was done. */
    SHOAL_NO_DEVICE,            /* No device matches, or no driver is installed. */
    SHOAL_BUILD_FAILED,         /* A kernel does not compile or link: see `log` of the error record. */
    SHOAL_OUT_OF_DEVICE_MEMORY, /* The device cannot hold an allocation. */
    SHOAL_OUT_OF_HOST_MEMORY,   /* The process cannot get more memory. */
    SHOAL_DEVICE_LOST,          /* The device no longer responds in this process. */
    SHOAL_UNSUPPORTED,          /* The device, the objective or the file format lacks a capability. */
    SHOAL_IO,                   /* A file cannot be read or written, or its content is wrong. */
    SHOAL_CHECK_FAILED,         /* A result differs from the host's by more than its tolerance. */
    /* The caller's stop callback ended the work. A run's result so far is valid. */
    SHOAL_STOPPED
};

/* The record of an error, filled by the call that failed. Owned by the caller. */
struct shoal_error {
    enum shoal_status status; /* Status that the call returned. */
    int native;               /* Code of the failing driver or system call. 0: no such call failed. */
    char call[64];            /* Name of the failing driver or system call. "": no such call failed. */
    char message[1024];       /* One line without a line feed: what failed, where, and what to do. */
    char log[8192];           /* Build log of SHOAL_BUILD_FAILED, cut at its end. "": there is no log. */
};

/* Stable lower-case name of a status, such as "device lost". "unknown status": `status` is no enumerator. The
 * text is a constant. Any thread. */
SHOAL_API const char *shoal_status_name(enum shoal_status status);

/* Version of the library that is linked, "major.minor.patch". The text is a constant. Any thread. */
SHOAL_API const char *shoal_version(void);

SHOAL_END_DECLS

#endif
