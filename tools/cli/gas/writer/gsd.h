/* A GSD file of a run. */
#ifndef SHOAL_TOOLS_GAS_GSD_H
#define SHOAL_TOOLS_GAS_GSD_H

#include "cli/gas/writer/writer.h"

struct gas_gsd;
struct gas_gsd *gas_gsd_create(const char *path, bool continues);
/* Writes a frame, with the columns of `form` of a sample as log data, which are NaN if the last sample is not
 * of the step of the frame; sample NULL: there was none. False: the file does not belong to the run;
 * files->error has the message. A failed write is reported once, and the file is no longer written. */
bool gas_gsd_write(struct gas_gsd *gsd, struct piece_files *files, const struct shoal_gas_frame *frame,
                   const struct sample_form *form, const void *sample);
void gas_gsd_destroy(struct gas_gsd **gsd, struct piece_files *files); /* accepts NULL */

#endif
