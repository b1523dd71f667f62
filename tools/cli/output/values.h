/* Option values as text, for the command line, configuration files and listings. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_VALUES_H
#define SHOAL_TOOLS_CLI_OUTPUT_VALUES_H

#include "cli/output/text.h"

#include <shoal/workload.h>

/* Parses and checks one value. where: names the option in messages ("--dim", "run.ini:3: dim"). A text must
 * stay valid as long as `values`. On an error, prints one line and returns false. */
bool cli_value_set(const struct shoal_option *option, void *values, const char *text, const char *where);
/* Returns the option of options[count] that the value `text` of `option` sets: `option` itself, or, if the
 * value is a word, the option that shoal_option.word names. */
const struct shoal_option *cli_option_of_value(const struct shoal_option *options, size_t count,
                                               const struct shoal_option *option, const char *text);
/* Refuses a word: "WHERE: 'WORD' is not one of A, B; did you mean 'A'?". where NULL: the word is an operand.
 * Returns CLI_USAGE. */
int cli_not_one_of(const char *where, const char *word, const char *const *words, size_t count);
/* Returns the value as text; "": no value is set (a text is NULL, or a real is NaN). */
struct cli_text cli_value_get(const struct shoal_option *option, const void *values);
/* The range of an option as text, "MIN to MAX", for an integer or a real; the caller frees the text. */
char *cli_range(const struct shoal_option *option);
/* Whether an integer of this option may exceed 2^53. Its JSON value is then a string. */
bool cli_value_is_wide(const struct shoal_option *option);
/* Copies the value of one option from one block to another. */
void cli_value_copy(const struct shoal_option *option, void *to, const void *from);
/* Whether `name` is one of the names of the option. */
bool cli_option_is(const struct shoal_option *option, const char *name);
/* Returns the option of the workload with this name; NULL: there is none. */
const struct shoal_option *cli_option_find(const struct shoal_workload *workload, const char *name);
/* Returns the name of the workload's option that is closest to `name`; NULL: no name is close enough. */
const char *cli_option_nearest(const struct shoal_workload *workload, const char *name);
/* The option marked SHOAL_OPTION_METHOD; NULL: there is none. */
const struct shoal_option *cli_method_option(const struct shoal_workload *workload);
/* Sets the options that a line such as "dim=30 particles=1024" gives. */
void cli_sizes_set(const struct shoal_workload *workload, void *params, const char *sizes);
/* Makes a line of "name=value", separated by blanks, of every option that is set. With `defaults`, options
 * equal to their default are left out unless marked SHOAL_OPTION_SHOWN. The caller frees the line. */
char *cli_values_line(const struct shoal_option *options, size_t count, const void *values,
                      const void *defaults);

#endif
