/* Private: sorts the particles of a gas on a device by cells, and within a cell by their numbers, so that the
 * order depends on the positions alone: cl/gas/device/sort.clh.
 *
 * Cells are numbered pencil by pencil. A pencil is a bundle of rows of cells along x, 2^pencil rows wide
 * along y and along z; its cells are numbered along y, then z, then x. Pencils are numbered along y, then z.
 * A particle outside of the cells belongs to the nearest cell. Cells of an open axis cover all allowed
 * positions.
 */
#ifndef SHOAL_GAS_SORT_H
#define SHOAL_GAS_SORT_H

#include "gas/device/device.h"

/* cells: number of cells along each axis, 1 for axes that the gas does not have (cl/gas/model/mesh.clh). With
 * pencil 0, cells are numbered along x, then y, then z. */
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
    GAS_SORT_GROUP,  /* one launch, for at most GAS_SORT_GROUP_* particles and cells */
    GAS_SORT_SERIAL  /* each CPU core sorts chunks of particles */
};
enum { GAS_SORT_GROUP_PARTICLES = 8192, GAS_SORT_GROUP_CELLS = 4096 };

/* The particles to sort, in arrays [padded] as in struct gas_device, and the words of the device that the
 * sort changes. */
struct gas_arrays {
    struct shoal_buffer *position, *velocity, *id, *words;
};

static inline struct gas_arrays gas_arrays_of(const struct gas_device *device)
{
    return (struct gas_arrays){
        .position = device->position, .velocity = device->velocity, .id = device->id, .words = device->words};
}

/* Most ranges of particles of other shares that a sort takes. */
enum { GAS_SORT_OTHERS = 3 };

/* The part of a gas that one device sorts: the particles of some cells. For a gas that is not shared these
 * are all cells. */
struct gas_sort_part {
    /* places of the particles of the share before the sort; gas_sort_count_own has counted them */
    struct gas_range own;
    /* places of particles of other shares that may be in the cells */
    struct gas_range others[GAS_SORT_OTHERS];
    size_t other_count;
    /* The cells to sort: ranges in ascending order, separated by at least two cells, since a scan also writes
     * the places before and after its range. */
    struct gas_range cells[2];
    size_t cell_count;
    bool has_counted_others; /* the caller has counted `others`, by gas_sort_others, before gas_sort_run */
};

struct gas_sort {
    struct gas_mesh mesh;
    struct shoal_buffer
        /* [cells + 1] of uint: after a sort, the particles of cell c are at the places starts[c] .. starts[c
         * + 1] - 1 */
        *starts;
    struct shoal_buffer *reference; /* [n]: copy of the sorted positions, which steps do not change */
    /* The sorted particles, in arrays as in struct gas_device, from gas_sort_run until gas_sort_take. After
     * gas_sort_take the contents are undefined: a step may write `position` and swap it with the array of
     * gas_device. */
    struct shoal_buffer *position, *velocity, *id;
    /* Only the sort uses the following members. */
    enum gas_sort_method method; /* never AUTO */
    uint32_t items, cell_items;  /* number of particles, and of cells, that a work-item handles in a launch */
    struct shoal_kernel *count, *scatter, *order, *group;
    struct shoal_scan *scan;
    /* [cells + 1] of uint: number of particles in each cell during a sort, 0 between two sorts */
    struct shoal_buffer *counts;
    struct shoal_buffer *keys, *entries;
    bool holds;    /* of the next gas_sort_run: see struct gas_sort_launch */
    bool is_cut;   /* the last sort failed, so `counts` may not be 0 */
    bool has_part; /* gas_sort_count_own was called, so the next gas_sort_run sorts `part` */
    struct gas_sort_part part;
    struct arrays arrays;
};

/* Creates a sort. The state of the solver must be a struct gas_device whose problem, precision and buffers
 * are set. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_create(struct shoal_solver *solver, const struct gas_mesh *mesh,
                                                   enum gas_sort_method method, struct gas_sort **out,
                                                   struct shoal_error *error);
void gas_sort_destroy(struct gas_sort **sort);
/* Bytes of the sort's arrays of particles. The arrays of cells, whose bytes depend on the mesh, are not
 * included. */
double gas_sort_bytes(const struct gas_device *device);
/* Enqueues the sort of the particles `from` into the arrays of `sort`, without waiting. The arrays `from` do
 * not change, except for `words`: the sort adds 1 to REBUILDS unless OVERFLOW was set and FROZEN was not,
 * adds 1 to VIOLATIONS if FROZEN was set, sets BUILT to STEP, and then clears FROZEN, AGE, OVERFLOW and STOP.
 * With `holds`, if FROZEN was set, it sets OVERFLOW to LIST_HELD instead. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_run(struct shoal_solver *solver, struct gas_sort *sort,
                                                const struct gas_arrays *from, struct shoal_error *error);
/* Begins the sort of a part: adds the particles at the places `own` to `counts`. After this call the caller
 * sets has_part and `part`, and for each range of cells whose first cell c is not 0 sets counts[c - 1] to the
 * place of the first particle of cell c. The next gas_sort_run completes the sort. Not for GAS_SORT_GROUP. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_count_own(struct shoal_solver *solver, struct gas_sort *sort,
                                                      const struct gas_arrays *from, struct gas_range own,
                                                      struct shoal_error *error);
/* The launch of a kernel in which each work-item counts a particle of part.others by sort_count of
 * gas/device/sort.clh. */
struct gas_sort_launch gas_sort_others(const struct gas_sort *sort);
/* Swaps the buffers of positions, velocities and ids, so that gas_device has the sorted particles, and `sort`
 * has the buffers that gas_device had. */
void gas_sort_take(struct gas_device *device, struct gas_sort *sort);

#endif
