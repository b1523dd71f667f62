/* Kernel texts: embedded files, files of the kernel folder, and the expansion of includes. */
#ifndef SHOAL_COMPUTE_SOURCE_H
#define SHOAL_COMPUTE_SOURCE_H

#include <shoal/program.h>

/* Returns the text of an embedded file; NULL: there is no such file. A name is relative to cl/
 * ("lib/philox.clh"), or begins with "cuda/" for a file of src/compute/cuda ("cuda/prelude.cuh"). */
const char *source_embedded(const char *name);

/* Whether there is a folder with files that replace embedded files. `shoal` may be NULL. */
bool source_has_folder(const struct shoal *shoal);
/* Reads a file of the kernel folder; the caller frees *text. *text NULL: the folder has no such file. */
enum shoal_status source_of_folder(const struct shoal *shoal, const char *name, char **text,
                                   struct shoal_error *error);

/* Whether a line is `#include "name"`. If so, copies the name. */
bool source_include(const char *line, size_t length, char *name, size_t size);
/* Whether a line is `#line 7 "name"`. If so, copies number and name. */
bool source_marker(const char *line, size_t length, unsigned long *number, char name[256]);

/* Expands the includes of `file`, or of params->text under the name params->text_name; params->texts replace
 * files. Each file is included once. `params` may be NULL. *text is malloc'ed. */
enum shoal_status source_flatten(const struct shoal *shoal, const char *file,
                                 const struct shoal_program_params *params, char **text,
                                 struct shoal_error *error);

/* Finds the original file and line of line number `physical` (from 1) of a text with expanded includes, by
 * its #line markers. *name points into the text and has *name_length characters. False: the text has no such
 * line. */
bool source_locate(const char *text, unsigned long physical, const char **name, int *name_length,
                   unsigned long *line);

#endif
