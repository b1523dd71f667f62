/* Private: compiles the text of a user's pair force to machine code for the host. docs/gas-forces.md
 * describes the text. */
#ifndef SHOAL_GAS_PAIR_CODE_H
#define SHOAL_GAS_PAIR_CODE_H

#include "gas/gas.h"

/* Checks a text by the rules of user_text_check, and returns it without comments in *checked, which the
 * caller frees. SHOAL_INVALID: the text breaks a rule, or lacks a function. */
SHOAL_MUST_CHECK enum shoal_status pair_code_check(const struct shoal *shoal, const char *text,
                                                   const char *name, char **checked,
                                                   struct shoal_error *error);
/* Compiles a checked text by the compiler of the host, which may run for at most a minute.
 * SHOAL_BUILD_FAILED: `error` has the messages of the compiler, with file and line of the text. */
SHOAL_MUST_CHECK enum shoal_status pair_code_create(struct shoal *shoal, const char *text, const char *name,
                                                    struct gas_code **out, struct shoal_error *error);
/* Compiles a checked text only to find errors: see host_code_check. */
SHOAL_MUST_CHECK enum shoal_status pair_code_try(struct shoal *shoal, const char *text, const char *name,
                                                 struct shoal_error *error);
/* Computes the force divided by the distance, and the energy, at the squared distance d. May be called by any
 * thread. */
void pair_code_evaluate(const struct gas_code *code, double d, double *force, double *energy);
/* the value of CUTOFF in the text; NaN: the text sets no cutoff */
double pair_code_cutoff(const struct gas_code *code);
void pair_code_destroy(struct gas_code **code); /* accepts NULL */

#endif
