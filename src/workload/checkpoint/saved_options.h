/* Private: the options in a checkpoint.
 *
 * One section has the name and the value of each option. The value of a choice is its name, so that later
 * versions may insert choices anywhere. An option that a file lacks has its default. The entry with an empty
 * name marks files whose defaults may be NaN; its value, one byte, is the age of the file, and older files
 * lack the value. Files of commit d52932b and before have a section "--NAME" for each option, and the value
 * of a choice is its number.
 */
#ifndef SHOAL_WORKLOAD_SAVED_OPTIONS_H
#define SHOAL_WORKLOAD_SAVED_OPTIONS_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

#include <shoal/workload.h>

/* An option that differs in older files: its name there, and its choices where files hold the number of a
 * choice. */
struct old_option {
    const char *old_name, *name;
    const char *const *choices; /* ended by NULL; choices NULL: the choices of today, in their order */
    bool was_real;              /* the option is a REAL in older files, a TEXT today */
    /* the default of a REAL in older files, where the default of today is NaN; or that of a UINT, which
     * becomes the default of today where the option has no effect; 0: the default has not changed */
    double was_default;
    /* name of a TEXT that, in files without an age, also set this FLAG; NULL: there is no such TEXT */
    const char *implied_by;
    const char *before; /* value of this CHOICE or REAL in files that lack the option; NULL: the default */
};

/* Whether the values of the other options meet the needs of options[index], defined in needs.c. */
bool option_has_effect(const struct shoal_option *options, size_t count, size_t index, const void *values,
                       const void *defaults);

/* Bytes of the option's member in the parameters. */
size_t option_size(const struct shoal_option *option);

SHOAL_MUST_CHECK enum shoal_status saved_options_add(const struct shoal_workload *workload,
                                                     const void *params, struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
/* The differences between the parameters of a checkpoint and those of a run, as a text. Must be all zeros at
 * first. */
struct differences {
    struct text text;
    size_t omitted; /* number of differences for which the text has no room */
};
SHOAL_PRINTF(2, 3) void differences_add(struct differences *differences, const char *format, ...);
/* Frees the differences. Returns SHOAL_INVALID with a message that has all differences, or SHOAL_OK where
 * there are none. */
SHOAL_MUST_CHECK enum shoal_status differences_end(struct differences *differences,
                                                   const struct checkpoint *checkpoint,
                                                   struct shoal_error *error);

/* Adds each option whose value in the checkpoint differs from its value in `params`, unless the option has
 * one of `free_flags`. Files that options name are compared by the hash of their content, where the
 * checkpoint has a hash: saved_files.h. old: options that differ in older files, ended by an entry of NULLs;
 * NULL: none. SHOAL_IO: the checkpoint is damaged. */
SHOAL_MUST_CHECK enum shoal_status saved_options_compare(const struct shoal_workload *workload,
                                                         const struct old_option *old, const void *params,
                                                         const struct checkpoint *checkpoint,
                                                         unsigned free_flags, struct differences *differences,
                                                         struct shoal_error *error);
/* Sets the options in `params` that the user has not given (given NULL: all options) to their values in the
 * checkpoint. texts: [workload->option_count], receives the texts among these values; the caller frees each
 * text.
 */
SHOAL_MUST_CHECK enum shoal_status saved_options_restore(const struct shoal_workload *workload,
                                                         const struct old_option *old,
                                                         const struct checkpoint *checkpoint,
                                                         const bool *given, void *params, char **texts,
                                                         struct shoal_error *error);

#endif
