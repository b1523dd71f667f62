/* Files with particles: extended XYZ, GSD, and dumps in text form and data files of LAMMPS. */
#ifndef SHOAL_IO_PARTICLES_H
#define SHOAL_IO_PARTICLES_H

#include "io/particles/frame.h"

#include <shoal/error.h>

/* Reads the last whole frame of the file, in the format that its content shows, unpacked if gzip has packed
 * it. SHOAL_IO: the file is malformed or a number is not finite; the message has file, line and reason. */
SHOAL_MUST_CHECK enum shoal_status particles_read(const char *path, struct particles *particles,
                                                  struct shoal_error *error);
/* Reads the content of a file in memory, which messages call `name`. */
SHOAL_MUST_CHECK enum shoal_status particles_parse(const char *text, size_t bytes, const char *name,
                                                   struct particles *particles, struct shoal_error *error);
void particles_free(struct particles *particles); /* accepts zeros */

#endif
