/* Private: one frame of a file with particles. */
#ifndef SHOAL_IO_PARTICLES_FRAME_H
#define SHOAL_IO_PARTICLES_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PARTICLES_UNUSED_MOST = 96,
    PARTICLES_UNITS_MOST = 16,
    PARTICLES_KINDS_MOST = 8, /* most kinds of particles that are told apart */
    PARTICLES_KIND_MOST = 16  /* characters of the name of a kind, with the NUL at its end */
};

/* One frame of a file. Particles are sorted by their ids, if the file has ids. */
struct particles {
    size_t count;
    size_t frames;      /* number of frames in the file, including a last frame that is cut off */
    size_t frame;       /* number of the frame that was read, from 1 on */
    const char *format; /* name of the format for people, "LAMMPS dump" */
    /* the file ends within the last frame, and this frame was left out; if the file has only one frame, the
     * frame was read, and only the end of its last line is missing */
    bool is_cut;
    bool has_box, has_periodic;
    double origin[3], length[3]; /* length 0: the file gives no length along this axis */
    bool periodic[3];
    double *position; /* [count][3]: x, y, z; not necessarily inside the box */
    double *velocity; /* [count][3], in the same order; NULL: the file has no velocities */
    int32_t *image;   /* crossings of periodic borders, in the same order; NULL: the file does not count
                       * them */
    /* `velocity` holds momenta, since the file does not give the masses of the particles. */
    bool has_momenta;
    /* the file has velocities and momenta that do not agree; velocity holds momenta over masses */
    bool differs;
    double mass;     /* mass of each particle in the file; 0: the file gives none; NaN: masses differ */
    double *masses;  /* [count], in the same order; NULL: the file gives none */
    double *charges; /* [count], in the same order; NULL: the file gives none */
    /* The kind of each particle, by the first of the columns species, element and type, in the same order:
     * an index of kind_names, or PARTICLES_KINDS_MOST for kinds beyond; NULL: there is no such column. */
    uint8_t *kind;
    size_t kinds; /* number of names */
    char kind_names[PARTICLES_KINDS_MOST][PARTICLES_KIND_MOST];
    /* Names of the columns in which particles differ: in `told` those of `kind`, `masses` and `charges`, in
     * `unused` others that distinguish particles, "charge, mol"; empty: none. */
    char told[PARTICLES_UNUSED_MOST], unused[PARTICLES_UNUSED_MOST];
    bool has_more;                    /* the file has further columns than a plain XYZ file */
    char units[PARTICLES_UNITS_MOST]; /* units that a dump names, other than lj; empty: none */
};

#endif
