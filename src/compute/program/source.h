/* Kernel texts: embedded files, --kernel-dir, include flattening. */
#ifndef SHOAL_COMPUTE_SOURCE_H
#define SHOAL_COMPUTE_SOURCE_H

#include <shoal/program.h>

/* Text of an embedded file, or NULL. Names are relative to cl/ ("lib/philox.clh") or begin with "cuda/"
 * for a file of src/compute/cuda ("cuda/prelude.cuh"). */
const char *source_embedded(const char *name);

/* Are there files that replace embedded files? `shoal` may be NULL. */
bool source_has_folder(const struct shoal *shoal);
/* Reads a file of the kernel folder; the caller frees the text. *text NULL: the folder has no such file. */
enum shoal_status source_of_folder(const struct shoal *shoal, const char *name, char **text,
                                   struct shoal_error *error);

/* Whether a line is `#include "name"`; copies the name. */
bool source_include(const char *line, size_t length, char *name, size_t size);
/* Whether a line is `#line 7 "name"`; copies the name. */
bool source_marker(const char *line, size_t length, unsigned long *number, char name[256]);

/* Flattens `file`, or params->text under the name params->text_name, with params->texts replacing files. Each
 * file is included once. `params` may be NULL. `*text` is malloc'ed. */
enum shoal_status source_flatten(const struct shoal *shoal, const char *file,
                                 const struct shoal_program_params *params, char **text,
                                 struct shoal_error *error);

/* Finds the original file and line, by the #line markers, of line number `physical` (from 1) of a flattened
 * text. The name points into the text and has `*name_length` characters. False: there is no such line. */
bool source_locate(const char *text, unsigned long physical, const char **name, int *name_length,
                   unsigned long *line);

#endif
