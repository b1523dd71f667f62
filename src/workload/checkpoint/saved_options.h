/* Private: the options in a checkpoint.
 *
 * They are one section, in which each has its name and its value: choices by name, so that more of them may
 * come anywhere. An option that a file lacks had its default. Files of commit d52932b and before have a
 * section
 * "--NAME" for each option, where a choice is its number.
 */
#ifndef SHOAL_WORKLOAD_SAVED_OPTIONS_H
#define SHOAL_WORKLOAD_SAVED_OPTIONS_H

#include "workload/checkpoint/checkpoint.h"

#include <shoal/workload.h>

/* What older files call an option, and its choices in files that have their numbers. */
struct old_option {
    const char *old_name, *name;
    const char *const *choices; /* ended by NULL; NULL: those of today in their order */
};

SHOAL_MUST_CHECK enum shoal_status saved_options_add(const struct shoal_workload *workload,
                                                     const void *params, struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
/* SHOAL_INVALID where a value is not that of `params` and the option is not free on resume. `old`: ended by
 * an entry of NULLs; NULL: none. */
SHOAL_MUST_CHECK enum shoal_status saved_options_match(const struct shoal_workload *workload,
                                                       const struct old_option *old, const void *params,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);

#endif
