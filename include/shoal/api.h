/* Version, visibility and compiler attributes, shared by every public header. */
#ifndef SHOAL_API_H
#define SHOAL_API_H

#include <shoal/init.h>

/* Version of these headers; shoal_version gives the version of the library that is linked. */
#define SHOAL_VERSION_MAJOR 0
#define SHOAL_VERSION_MINOR 1 /* Before 1.0 a new minor number may change the interface. */
#define SHOAL_VERSION_PATCH 0 /* A new patch number leaves the interface as it was. */

/* SHOAL_API: the function is exported. SHOAL_MUST_CHECK: compilers warn where the status of a call is not
 * used. SHOAL_PRINTF: argument number f is a printf format of the arguments from number a on. */
#if defined(__GNUC__)
#define SHOAL_API          __attribute__((visibility("default")))
#define SHOAL_MUST_CHECK   __attribute__((warn_unused_result))
#define SHOAL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define SHOAL_API
#define SHOAL_MUST_CHECK
#define SHOAL_PRINTF(f, a)
#endif

/* Declarations between SHOAL_BEGIN_DECLS and SHOAL_END_DECLS have C linkage in C++. */
#ifdef __cplusplus
#define SHOAL_BEGIN_DECLS extern "C" {
#define SHOAL_END_DECLS   }
#else
#define SHOAL_BEGIN_DECLS
#define SHOAL_END_DECLS
#endif

#endif
