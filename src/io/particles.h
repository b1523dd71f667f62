/* Files with particles: extended XYZ and LAMMPS dumps, text. */
#ifndef SHOAL_IO_PARTICLES_H
#define SHOAL_IO_PARTICLES_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One frame of a file, its particles in the order of their numbers where it has those. */
struct particles {
    size_t count;
    size_t frames; /* that the file holds */
    bool has_box, has_periodic;
    double origin[3], length[3];
    bool periodic[3];
    double *position; /* 3 * count: x, y, z; not necessarily inside the box */
    double *velocity; /* the same; NULL: the file has none */
    int32_t *image;   /* the same, of crossings of periodic borders */
};

/* Reads the last frame of the file, in the format recognised from its content. SHOAL_INVALID with file, line
 * and reason if it is malformed or a number is not finite. */
SHOAL_MUST_CHECK enum shoal_status particles_read(const char *path, struct particles *particles,
                                                  struct shoal_error *error);
/* The same for a text in memory, called `name` in messages. */
SHOAL_MUST_CHECK enum shoal_status particles_parse(const char *text, size_t bytes, const char *name,
                                                   struct particles *particles, struct shoal_error *error);
void particles_free(struct particles *particles); /* accepts zeros */

#endif
