/* Private: runs the C compiler of the machine on one text. */
#ifndef SHOAL_COMPUTE_HOST_COMPILER_H
#define SHOAL_COMPUTE_HOST_COMPILER_H

#include "compute/backend.h"
#include "compute/program/text_folder.h"

/* One compilation and its files. */
struct compilation {
    const char *name; /* name of the text, for messages */
    struct text_folder folder;
    char *source, *object, *log; /* paths in the folder */
    bool is_check;               /* makes no object, and accepts the text if there is no compiler */
};

/* Compiles `source` to the shared object `object`. `shoal` may be NULL; defines: see struct host_code_params.
 * The compiler and its helpers end within a minute, and when this process ends, in whatever way. */
SHOAL_MUST_CHECK enum shoal_status host_compile(const struct shoal *shoal, const struct compilation *c,
                                                const char *const *defines, struct shoal_error *error);

#endif
