/* Private: particles of a gas on a device in the order of cells, and in each cell in the order of their
 * numbers, so that the order follows from the positions alone: cl/gas/device/sort.clh.
 *
 * Cells are numbered pencil by pencil. A pencil is 2^pencil rows of cells along x, side by side along y and
 * z; its cells are numbered along y, then z, then x. Pencils are numbered along y, then z. A particle outside
 * belongs to the nearest cell; cells of an open axis cover all positions that are allowed.
 */
#ifndef SHOAL_GAS_SORT_H
#define SHOAL_GAS_SORT_H

#include "gas/device/device.h"

/* Number of cells along each axis, 1 beyond the dimensions of the gas: cl/gas/model/mesh.clh. With pencil 0
 * cells are numbered along x, then y, then z. */
struct gas_mesh {
    uint32_t cells[GAS_MAX_DIM];
    uint32_t pencil;
};
enum { GAS_PENCIL_MAX = 4 };

static inline size_t gas_mesh_total(const struct gas_mesh *mesh)
{
    return (size_t)mesh->cells[0] * mesh->cells[1] * mesh->cells[2];
}

enum gas_sort_method {
    GAS_SORT_AUTO,
    GAS_SORT_BLOCKS, /* four launches, for gases of any size */
    GAS_SORT_GROUP,  /* one work-group and one launch, for at most GAS_SORT_GROUP_* particles and cells */
    GAS_SORT_SERIAL  /* chunks for the cores of a CPU */
};
enum { GAS_SORT_GROUP_PARTICLES = 8192, GAS_SORT_GROUP_CELLS = 4096 };

/* The particles to sort, in arrays like those of gas_device, and the words that the sort sets. */
struct gas_arrays {
    struct shoal_buffer *position, *velocity, *id, *words;
};

static inline struct gas_arrays gas_arrays_of(const struct gas_device *device)
{
    return (struct gas_arrays){
        .position = device->position, .velocity = device->velocity, .id = device->id, .words = device->words};
}

/* What a device sorts of a gas that several devices share: the particles of some cells. */
struct gas_sort_part {
    struct gas_range own;       /* places of the particles that gas_sort_count_own has counted */
    struct gas_range others[3]; /* places of all others that may lie in the cells */
    size_t other_count;
    struct gas_range cells[2]; /* in rising order, with a cell or more between them */
    size_t cell_count;
    struct gas_range own_cells; /* the cells in which the sorted particles of the solver lie */
};

struct gas_sort {
    struct gas_mesh mesh;
    struct shoal_buffer
        /* [cells + 1] of uint: the particles of cell c are at places starts[c] .. starts[c + 1] - 1 */
        *starts;
    struct shoal_buffer *reference; /* [n]: positions as the sort left them, which no step changes */
    /* The result of the last run, in arrays like those of gas_device, until gas_sort_take. After that call
     * the contents are undefined: a step may write `position` and swap this array with the array of
     * gas_device. */
    struct shoal_buffer *position, *velocity, *id;
    /* The members from here on are used by the sort alone. */
    enum gas_sort_method method; /* never AUTO */
    uint32_t items, cell_items;  /* number of particles, and of cells, that a work-item takes */
    struct shoal_kernel *count, *scatter, *order, *group;
    struct shoal_scan *scan;
    struct shoal_buffer *counts; /* [cells + 1] of uint, 0 between two runs */
    struct shoal_buffer *keys, *entries;
    bool is_cut;   /* the last sort failed, so `counts` may not be 0 */
    bool has_part; /* the next run ends a sort that gas_sort_count_own has begun, of `part` */
    struct gas_sort_part part;
    struct arrays arrays;
};

/* Creates a sort. The state of the solver must be a struct gas_device with problem, precision and buffers. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_create(struct shoal_solver *solver, const struct gas_mesh *mesh,
                                                   enum gas_sort_method method, struct gas_sort **out,
                                                   struct shoal_error *error);
void gas_sort_destroy(struct gas_sort **sort);
/* Bytes of the sort's arrays of particles; the bytes of cells depend on the mesh. */
double gas_sort_bytes(const struct gas_device *device);
/* Enqueues the sort of `from` into the arrays of the sort, without waiting. Of `from` only the words change:
 * the sort clears FROZEN, AGE, OVERFLOW and STOP, sets BUILT to STEP, and raises REBUILDS, unless the list
 * before had overflowed, and VIOLATIONS, if steps had been frozen. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_run(struct shoal_solver *solver, struct gas_sort *sort,
                                                const struct gas_arrays *from, struct shoal_error *error);
/* Begins the sort of a part: adds the particles at places `own` to `counts`. Then the caller sets has_part
 * and `part`, and counts[c - 1] to the place of the first particle of cell c, where c is the first of a range
 * of cells and not 0; the next gas_sort_run ends the sort. Not for GAS_SORT_GROUP. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_count_own(struct shoal_solver *solver, struct gas_sort *sort,
                                                      const struct gas_arrays *from, struct gas_range own,
                                                      struct shoal_error *error);
/* Makes the particles that the last run has sorted the particles of gas_device. The sort gets the old
 * arrays. */
void gas_sort_take(struct gas_device *device, struct gas_sort *sort);

#endif
