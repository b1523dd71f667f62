/* Private: runs the C compiler of the machine on a text. */
#ifndef SHOAL_COMPUTE_HOST_COMPILER_H
#define SHOAL_COMPUTE_HOST_COMPILER_H

#include "compute/backend.h"
#include "compute/program/text_folder.h"

/* A compilation and its files. */
struct compilation {
    const char *name; /* name of the text, for messages */
    struct text_folder folder;
    char *source, *object, *log; /* paths in the folder */
    bool is_check;               /* only checks the text, and accepts it if there is no compiler */
};

/* Compiles `source` to the shared object `object`. `shoal` may be NULL. defines: see struct host_code_params.
 * The compiler and its helpers end after a minute at the latest, and when this process ends for any reason.
 */
SHOAL_MUST_CHECK enum shoal_status host_compile(const struct shoal *shoal, const struct compilation *c,
                                                const char *const *defines, struct shoal_error *error);

#endif
