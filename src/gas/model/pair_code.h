/* Private: machine code of the text of a user's pair force, for the host. docs/gas-forces.md describes the
 * text. */
#ifndef SHOAL_GAS_PAIR_CODE_H
#define SHOAL_GAS_PAIR_CODE_H

#include "gas/gas.h"

/* Checks a text (user_text_check) and returns it without comments in *checked, which the caller frees.
 * SHOAL_INVALID: the text is refused, or a function is missing. */
SHOAL_MUST_CHECK enum shoal_status pair_code_check(const struct shoal *shoal, const char *text,
                                                   const char *name, char **checked,
                                                   struct shoal_error *error);
/* Compiles a checked text by a compiler, which may run for at most a minute. SHOAL_BUILD_FAILED: the
 * compiler's log names file and line of the text. */
SHOAL_MUST_CHECK enum shoal_status pair_code_create(struct shoal *shoal, const char *text, const char *name,
                                                    struct gas_code **out, struct shoal_error *error);
/* Runs the compiler only to find errors: see host_code_check. */
SHOAL_MUST_CHECK enum shoal_status pair_code_try(struct shoal *shoal, const char *text, const char *name,
                                                 struct shoal_error *error);
/* Computes force over distance and energy at the squared distance d. May be called by any thread. */
void pair_code_evaluate(const struct gas_code *code, double d, double *force, double *energy);
double pair_code_cutoff(const struct gas_code *code); /* CUTOFF of the text; NaN: the text sets no cutoff */
void pair_code_destroy(struct gas_code **code);       /* accepts NULL */

#endif
