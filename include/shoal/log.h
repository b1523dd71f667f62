/* Log messages of the library. libshoal prints nothing by itself. */
#ifndef SHOAL_LOG_H
#define SHOAL_LOG_H

#include <shoal/api.h>

SHOAL_BEGIN_DECLS

/* How urgent a message is, from the most urgent level to the most detailed one. */
enum shoal_log_level {
    SHOAL_LOG_ERROR,   /* Something failed that no call can return. */
    SHOAL_LOG_WARNING, /* The call continues, but not as the user may expect, for example without a cache. */
    SHOAL_LOG_INFO,    /* The library reports what it does. */
    SHOAL_LOG_DEBUG    /* Details for people who work on shoal. */
};

/* Receives messages. `data` is `log_data` of struct shoal_params. `message` is one line or a build log, valid
 * during the call. The function may be called from any thread of shoal or of a driver, also from two threads
 * at once, with locks of the instance held: the function must not call shoal. */
typedef void (*shoal_log_fn)(void *data, enum shoal_log_level level, const char *message);

SHOAL_END_DECLS

#endif
