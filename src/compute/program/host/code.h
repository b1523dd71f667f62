/* Texts in the kernel dialect, compiled for the host.
 *
 * The text is compiled with lib/host.h to a shared object by the C compiler of the machine: $CC at the time
 * of shoal_open, or else cc, gcc or clang. The object is loaded, and its file is removed at once.
 */
#ifndef SHOAL_COMPUTE_HOST_CODE_H
#define SHOAL_COMPUTE_HOST_CODE_H

#include <shoal/program.h>

struct host_code;

struct host_code_params {
    const char *text, *name;    /* owned by the caller; `name` is for messages */
    const char *file;           /* the embedded file that is compiled, such as "objective/host.h" */
    const char *replaced;       /* the file that `file` includes and that `text` replaces */
    const char *const *defines; /* options for the compiler, "-DDIM=3", ended by NULL; NULL: none */
};

/* Compiles a text and loads the object. SHOAL_BUILD_FAILED: the error has the log of the compiler, with file
 * and line of the text. Takes as long as the compiler does, at most a minute. `shoal` may be NULL. */
SHOAL_MUST_CHECK enum shoal_status host_code_create(struct shoal *shoal,
                                                    const struct host_code_params *params,
                                                    struct host_code **out, struct shoal_error *error);
/* Compiles a text only to find errors, in a quarter of the time. If there is no compiler, or `shoal` is NULL,
 * every text counts as correct. */
SHOAL_MUST_CHECK enum shoal_status host_code_check(struct shoal *shoal, const struct host_code_params *params,
                                                   struct shoal_error *error);
/* Stores the address of a function in *pointer, a pointer to a function of its type. */
SHOAL_MUST_CHECK enum shoal_status host_code_find(const struct host_code *code, const char *function,
                                                  void *pointer, struct shoal_error *error);
void host_code_destroy(struct host_code **code); /* accepts NULL */

#endif
