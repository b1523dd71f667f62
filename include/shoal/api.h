/* Visibility and compiler attributes shared by every public header. */
#ifndef SHOAL_API_H
#define SHOAL_API_H

#include <shoal/init.h>

#define SHOAL_VERSION_MAJOR 0
#define SHOAL_VERSION_MINOR 1
#define SHOAL_VERSION_PATCH 0

#if defined(__GNUC__)
#define SHOAL_API          __attribute__((visibility("default")))
#define SHOAL_MUST_CHECK   __attribute__((warn_unused_result))
#define SHOAL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define SHOAL_API
#define SHOAL_MUST_CHECK
#define SHOAL_PRINTF(f, a)
#endif

#ifdef __cplusplus
#define SHOAL_BEGIN_DECLS extern "C" {
#define SHOAL_END_DECLS   }
#else
#define SHOAL_BEGIN_DECLS
#define SHOAL_END_DECLS
#endif

#endif
