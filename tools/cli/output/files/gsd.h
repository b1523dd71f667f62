/* GSD files that grow during a run by frames (io/particles/gsd.h has their layout). The chunks of a frame are
 * written behind all others, and then its entries in the index in one piece: a reader sees a frame only when
 * the frame is whole, also after the writer was killed. */
#ifndef SHOAL_TOOLS_GSD_H
#define SHOAL_TOOLS_GSD_H

#include "cli/output/files/pieces.h"
#include "io/particles/gsd.h"

/* Checks before a run that GSD files can be written to `path`. Returns an exit code; a failure is reported in
 * a line that names `option`. */
int gsd_check(const char *option, const char *path);
/* Whether a file may be replaced: the file does not exist, is empty, or is a GSD file. Otherwise `error` has
 * the message. */
bool gsd_may_replace(const char *path, struct shoal_error *error);

struct gsd_file;
/* Opens a file to write frames of `particles` particles with the schema hoomd. continues: frames that stay by
 * piece_stays are kept, and *last receives the step of the last one; a file that is missing or without such
 * frames begins anew. SHOAL_INVALID: the file does not belong to the run; other failures: it cannot be
 * written. */
SHOAL_MUST_CHECK enum shoal_status gsd_open(const char *path, bool continues, const struct piece_files *files,
                                            uint32_t particles, uint64_t *last, struct gsd_file **out,
                                            struct shoal_error *error);
/* Number of frames in the file. */
uint64_t gsd_frames(const struct gsd_file *file);
/* Writes a chunk of the next frame. After a failure the further calls do nothing, and gsd_end_frame returns
 * the failure. */
void gsd_add(struct gsd_file *file, const char *name, enum gsd_type type, uint64_t rows, uint32_t columns,
             const void *data);
/* Ends the frame. After a failure the file ends with the last whole frame. */
SHOAL_MUST_CHECK enum shoal_status gsd_end_frame(struct gsd_file *file, struct shoal_error *error);
/* Closes the file and sets the pointer to NULL; accepts NULL. False: the last bytes could not be written;
 * errno has the reason. */
bool gsd_close(struct gsd_file **file);

#endif
