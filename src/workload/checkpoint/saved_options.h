/* Private: the options in a checkpoint.
 *
 * One section with the name and the value of each option: choices by name, so that new ones may be inserted
 * anywhere. An option that a file lacks has its default. An entry "" says that NaN is a default of today;
 * its value is the age of the file, a byte, which older ones lack. Files of commit d52932b and before have a
 * section
 * "--NAME" for each option, where a choice is its number.
 */
#ifndef SHOAL_WORKLOAD_SAVED_OPTIONS_H
#define SHOAL_WORKLOAD_SAVED_OPTIONS_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

#include <shoal/workload.h>

/* Name of an option in older files, and its choices in files that hold their numbers. */
struct old_option {
    const char *old_name, *name;
    const char *const *choices; /* ended by NULL; NULL: those of today in their order */
    bool was_real;              /* a REAL in older files, a TEXT today */
    double was_default;         /* of older files, where it is NaN today; 0: the same */
    const char *implied_by;     /* a FLAG that a TEXT of this name set in files without an age; NULL: none */
    const char *before;         /* a CHOICE of files that lack the option; NULL: the default */
};

/* Bytes of the field of an option. */
size_t option_size(const struct shoal_option *option);

SHOAL_MUST_CHECK enum shoal_status saved_options_add(const struct shoal_workload *workload,
                                                     const void *params, struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
/* What a checkpoint was made with and a run does not have. Starts as zeros. */
struct differences {
    struct text text;
    size_t omitted; /* that the text has no room for */
};
SHOAL_PRINTF(2, 3) void differences_add(struct differences *differences, const char *format, ...);
/* SHOAL_INVALID with all of them; SHOAL_OK: there are none. Frees them. */
SHOAL_MUST_CHECK enum shoal_status differences_end(struct differences *differences,
                                                   const struct checkpoint *checkpoint,
                                                   struct shoal_error *error);

/* Adds each option whose value is not that of `params`, unless it has one of `free_flags`. Files that the
 * options name are compared by their content where the checkpoint has it: saved_files.h. `old`: ended by an
 * entry of NULLs; NULL: none. SHOAL_IO: the checkpoint is damaged. */
SHOAL_MUST_CHECK enum shoal_status saved_options_compare(const struct shoal_workload *workload,
                                                         const struct old_option *old, const void *params,
                                                         const struct checkpoint *checkpoint,
                                                         unsigned free_flags, struct differences *differences,
                                                         struct shoal_error *error);
/* Sets in `params` the options that are not given (NULL: none is) to what the checkpoint has. Texts are
 * malloc'ed and kept in texts[workload->option_count] too, for the caller to free. */
SHOAL_MUST_CHECK enum shoal_status saved_options_restore(const struct shoal_workload *workload,
                                                         const struct old_option *old,
                                                         const struct checkpoint *checkpoint,
                                                         const bool *given, void *params, char **texts,
                                                         struct shoal_error *error);

#endif
