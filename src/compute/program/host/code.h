/* Texts in the kernel dialect, compiled for the host.
 *
 * The text is compiled by the C compiler of the machine ($CC as it was at shoal_open, else cc, gcc, clang)
 * with lib/host.h to a shared object, which is loaded and removed at once.
 */
#ifndef SHOAL_COMPUTE_HOST_CODE_H
#define SHOAL_COMPUTE_HOST_CODE_H

#include <shoal/program.h>

struct host_code;

struct host_code_params {
    const char *text, *name;    /* the caller owns both; messages use `name` */
    const char *file;           /* the embedded file to compile: "objective/host.h" */
    const char *replaced;       /* the included file that the text replaces */
    const char *const *defines; /* options for the compiler, "-DDIM=3", ended by NULL; NULL: none */
};

/* Compiles a text and loads the object. SHOAL_BUILD_FAILED: the error has the compiler's log, with file and
 * line of the text. Takes as long as the compiler, a minute at most. `shoal` may be NULL. */
SHOAL_MUST_CHECK enum shoal_status host_code_create(struct shoal *shoal,
                                                    const struct host_code_params *params,
                                                    struct host_code **out, struct shoal_error *error);
/* Only looks for errors, in a quarter of the time. Without a compiler, or with `shoal` NULL, every text
 * counts as correct. */
SHOAL_MUST_CHECK enum shoal_status host_code_check(struct shoal *shoal, const struct host_code_params *params,
                                                   struct shoal_error *error);
/* Stores the address of a function in `pointer`, which points to a pointer to a function of its type. */
SHOAL_MUST_CHECK enum shoal_status host_code_find(const struct host_code *code, const char *function,
                                                  void *pointer, struct shoal_error *error);
void host_code_destroy(struct host_code **code); /* accepts NULL */

#endif
