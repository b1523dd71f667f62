/* Private: the fast multipole method on a device. */
#ifndef SHOAL_FMM_DEVICE_H
#define SHOAL_FMM_DEVICE_H

#include "fmm/fmm.h"

#include <shoal/primitives.h>

extern const struct shoal_program_desc fmm_tree_program, fmm_cells_program, fmm_targets_program;

/* The last two also compute potentials. */
enum fmm_program {
    FMM_TREE,
    FMM_CELLS,
    FMM_TARGETS,
    FMM_CELLS_POTENTIAL,
    FMM_TARGETS_POTENTIAL,
    FMM_PROGRAMS
};

/* Kernels, each named in the table of device.c. */
enum fmm_kernel {
    FMM_BOUNDS,
    FMM_ROOT,
    FMM_KEYS,
    FMM_SORTED,
    FMM_DIVIDE,
    FMM_LEAVES,
    FMM_LAW_ROWS,
    FMM_LAWS,
    FMM_MOMENTS,
    FMM_UP,
    FMM_ACROSS,
    FMM_INWARD,
    FMM_DOWN,
    FMM_DOWN_LEAVES,
    FMM_SUM,
    FMM_KERNELS
};

enum {
    FMM_BLOCK = 24, /* most terms of an item of fmm_across */
    FMM_SIMD = 8    /* numbers of a vector of a CPU */
};

/* Numbers of a cell and of the tables of the law. */
struct fmm_terms {
    size_t count, channels;   /* terms of a cell; incoming values of a term */
    size_t moments, incoming; /* numbers of a cell */
    size_t law_rows, laws;    /* numbers of all tables */
    size_t constants;         /* numbers of `nodes` */
};

/* Sources or targets in the order of their cells. */
struct fmm_points_on_device {
    struct shoal_buffer *keys, *order, *places, *charges, *fine; /* fine: NULL without fine parts */
};

/* Buffers; cl/fmm/tree.clh and cl/fmm/nodes.clh describe their content. */
struct fmm_buffers {
    struct fmm_points_on_device sources, targets; /* targets: NULL where they are the sources */
    struct shoal_buffer *bounds, *square, *nodes, *counts;
    struct shoal_buffer *cells, *ranges, *near, *leaves, *units;
    struct shoal_buffer *law_rows, *laws, *moments, *incoming;
};

struct shoal_fmm {
    struct shoal_fmm_params params;
    struct fmm_plan plan;
    size_t real_bytes;
    struct fmm_terms terms;
    uint32_t room;        /* most cells */
    uint32_t most_groups; /* of a launch: items take several turns */
    size_t program_count; /* without potentials, the last two programs are missing */
    struct shoal_program *programs[FMM_PROGRAMS];
    /* [1]: those of sums with potentials */
    struct shoal_kernel *kernels[2][FMM_KERNELS];
    struct shoal_sort *sort;
    struct fmm_buffers buffers;
    /* Incoming values go down by a launch for each level, which is less work. Otherwise one launch takes them
     * down to all leaves: where cells are few, this is faster on a GPU. */
    bool goes_by_levels;
    bool climbs;    /* one launch makes the moments of all cells: CLIMBS of cl/fmm/cells.cl */
    bool has_nodes; /* the constants of the nodes are on the device */
};

/* Most targets of a group of the kernel that sums them up. */
uint32_t fmm_unit(const struct shoal_fmm *fmm, bool potential);

#endif
