/* Contracts of cl/fmm. */
#include "compute/contract.h"
#include "fmm/device.h"

static const struct shoal_define_desc tree_defines[] = {
    DEFINE(fmm_tree, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(fmm_tree, WG, 1, 1024, "work-items of a group, a power of two"),
};

static const struct shoal_entry_desc tree_entries[] = {
    ENTRY(fmm_tree, fmm_bounds, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "bounds of the points of each group"),
    ENTRY(fmm_tree, fmm_root, .local_bytes_per_item = 8, .help = "the root cell"),
    ENTRY(fmm_tree, fmm_keys, .roof = SHOAL_ROOF_COPY_BYTES, .help = "keys of the places of points"),
    ENTRY(fmm_tree, fmm_sorted, .roof = SHOAL_ROOF_COPY_BYTES, .help = "points in the order of their keys"),
    ENTRY(fmm_tree, fmm_divide, .help = "near cells of the cells of a level, and their children"),
    ENTRY(fmm_tree, fmm_leaves, .help = "lists of the cells without children and of their targets"),
};

#define NODES_DEFINES(file)                                                                                  \
    DEFINE(file, LAW, 0, 2, "law of the charges, enum shoal_fmm_law"),                                       \
        DEFINE(file, FINE, 0, 1, "1: places have a fine part"),                                              \
        DEFINE(file, NODES, 2, FMM_MOST_NODES, "nodes along an axis of a cell"),                             \
        DEFINE(file, DEGREE, 1, 2 * FMM_MOST_NODES, "most k + l of the terms T_k(x) T_l(y) of a cell"),      \
        DEFINE(file, POTENTIAL, 0, 1, "1: potentials, too"),                                                 \
        DEFINE(file, REAL, 32, 64, "bits of a real number, 32 or 64"),                                       \
        DEFINE(file, SIMD, 1, FMM_SIMD, "numbers of a vector, 8 on CPUs and 1 on GPUs"),                     \
        DEFINE(file, WG, 1, 1024, "work-items of a group, a power of two")

static const struct shoal_define_desc cells_defines[] = {
    NODES_DEFINES(fmm_cells),
    DEFINE(fmm_cells, ACROSS, 1, 2, "cells of a work-item of fmm_across on a GPU"),
    DEFINE(fmm_cells, CLIMBS, 0, 1, "1: fmm_moments also makes the moments of cells with children"),
};
static const struct shoal_define_desc targets_defines[] = {
    NODES_DEFINES(fmm_targets),
    DEFINE(fmm_targets, TARGETS, 1, 64, "targets of a group for each of its work-items"),
    DEFINE(fmm_targets, TILE, 16, 1024, "sources in local memory"),
    DEFINE(fmm_targets, SOFTENED, 0, 1, "1: the law has a finite value at a distance of 0"),
    DEFINE(fmm_targets, BOUNDED, 0, 1, "1: its force does not overflow at a distance of 0"),
};

/* two arrays of values at nodes, with the largest NODES, three channels and double precision */
enum { VALUE_BYTES = 2 * 3 * FMM_MOST_NODES * FMM_MOST_NODES * 8 };

/* the moments of four cells, with the largest NODES in double precision, and whether a group is the last */
enum { CHILDREN_BYTES = 4 * FMM_MOST_NODES * FMM_MOST_NODES * 8 + 4 };

/* on a GPU: FMM_BLOCK rows of a table in double precision; moments of the far cells of a work-item, with
 * their numbers */
enum { ROW_BYTES = FMM_BLOCK * (FMM_BLOCK + 1) * 8, COLUMN_BYTES = FMM_BLOCK * 2 * 8 + 2 * 4 };

/* which of 16 cells larger cells act on, and the ranges of the sources of nine such cells */
enum { INWARD_BYTES = (16 + 2 * 9) * 4 };

static const struct shoal_entry_desc cells_entries[] = {
    ENTRY(fmm_cells, fmm_law_rows, .local_bytes = VALUE_BYTES, .help = "action of terms of cells on nodes"),
    ENTRY(fmm_cells, fmm_laws, .local_bytes = VALUE_BYTES,
          .help = "action of terms on terms, for each level"),
    /* polynomials along two axes, with the largest NODES in double precision, and moments of four cells */
    ENTRY(fmm_cells, fmm_moments, .local_bytes = 2 * FMM_MOST_NODES * 8 + CHILDREN_BYTES,
          .local_bytes_per_item = 2 * FMM_MOST_NODES * 8, .help = "moments of the cells without children"),
    ENTRY(fmm_cells, fmm_up, .help = "moments of the other cells of a level"),
    ENTRY(fmm_cells, fmm_across, .local_bytes = ROW_BYTES, .local_bytes_per_item = COLUMN_BYTES,
          .help = "incoming values by far cells"),
    ENTRY(fmm_cells, fmm_inward, .local_bytes = VALUE_BYTES + INWARD_BYTES, .local_bytes_per_item = 5 * 8,
          .help = "incoming values by sources of larger cells"),
    ENTRY(fmm_cells, fmm_down, .help = "incoming values of a level by those of the parents"),
    /* the cells above a cell */
    ENTRY(fmm_cells, fmm_down_leaves, .local_bytes = VALUE_BYTES + (FMM_DEPTH + 1) * 4,
          .help = "incoming values of the cells without children by those of the cells above"),
};

/* places, charges and numbers of 256 sources in double precision, and where those of 18 cells are; sums of
 * targets */
enum { TILE_BYTES = 256 * (4 * 8 + 4) + 2 * 18 * 4, SUM_BYTES = 2 * 2 * 3 * 8 };

static const struct shoal_entry_desc targets_entries[] = {
    ENTRY(fmm_targets, fmm_targets, .local_bytes = TILE_BYTES, .local_bytes_per_item = SUM_BYTES,
          .help = "fields and potentials of targets"),
};

const struct shoal_program_desc fmm_tree_program =
    PROGRAM("fmm.tree", fmm_tree, 0, tree_defines, tree_entries);
const struct shoal_program_desc fmm_cells_program =
    PROGRAM("fmm.cells", fmm_cells, SHOAL_FLUSHES_SUBNORMALS, cells_defines, cells_entries);
const struct shoal_program_desc fmm_targets_program =
    PROGRAM("fmm.targets", fmm_targets, SHOAL_FLUSHES_SUBNORMALS, targets_defines, targets_entries);
