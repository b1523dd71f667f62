/* Private: the fields of a result, in the order in which they are shown. */
#ifndef SHOAL_WORKLOAD_RESULT_H
#define SHOAL_WORKLOAD_RESULT_H

#include <shoal/workload.h>

/* Adds a field to a result. Fields beyond SHOAL_RESULT_FIELDS are counted but not stored, and
 * shoal_solver_result fails then. Arrays and texts are not copied: they belong to the solver. The text output
 * shows a field that a `join` function added on the same line as the field before. */
void result_add_text(struct shoal_result *result, const char *name, const char *text);
void result_join_text(struct shoal_result *result, const char *name, const char *text);
void result_add_uint(struct shoal_result *result, const char *name, const char *unit, uint64_t value);
void result_join_uint(struct shoal_result *result, const char *name, const char *unit, uint64_t value);
void result_add_real(struct shoal_result *result, const char *name, const char *unit, double value);
void result_join_real(struct shoal_result *result, const char *name, const char *unit, double value);
/* Adds the standard error of the field before, estimated from `count` samples; of: name of the samples. */
void result_add_error(struct shoal_result *result, const char *name, double error, size_t count,
                      const char *of);
/* result_add_unshown adds a number, result_add_unshown_text a text, and result_add_reals an array, which the
 * text output does not show. */
void result_add_unshown(struct shoal_result *result, const char *name, double value);
void result_add_unshown_text(struct shoal_result *result, const char *name, const char *text);
void result_add_reals(struct shoal_result *result, const char *name, const double *values, size_t count);
/* Adds a flag, which the text output shows only if it is set. */
void result_add_flag(struct shoal_result *result, const char *name, bool is_set);

/* Sets the decimal digits of the number or numbers that were added last: see struct shoal_field. */
void result_set_digits(struct shoal_result *result, int32_t digits);

/* Returns SHOAL_FAILED if a field was added for which the result had no room. */
SHOAL_MUST_CHECK enum shoal_status result_check_fields(struct shoal_result *result,
                                                       struct shoal_error *error);

#endif
