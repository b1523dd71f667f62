/* Private: particles of a gas on a device in the order of cells, and in each cell in the order of their
 * numbers, so that the order follows from the positions alone: cl/gas/device/sort.clh.
 *
 * Cells are numbered pencil by pencil: rows of cells along x, 2^pencil of them side by side along y and z,
 * the cells of a pencil along y, then z, then x; pencils along y, then z. A particle outside belongs to the
 * nearest cell; cells of an open axis cover all positions that are allowed.
 */
#ifndef SHOAL_GAS_SORT_H
#define SHOAL_GAS_SORT_H

#include "gas/device/device.h"

/* Cells along each axis, 1 beyond the dimensions of the gas: cl/gas/model/mesh.clh. With pencil 0 cells go
 * along x, then y, then z. */
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
    GAS_SORT_BLOCKS, /* four launches, any size */
    GAS_SORT_GROUP,  /* one work-group, one launch: GAS_SORT_GROUP_* at most */
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

struct gas_sort {
    struct gas_mesh mesh;
    struct shoal_buffer
        *starts; /* cells + 1 uint: the particles of cell c are at starts[c] .. starts[c + 1] - 1 */
    struct shoal_buffer *reference; /* n: positions as the sort left them; no step changes them */
    /* The result of the last run, in arrays like those of gas_device, until gas_sort_take. Then the contents
     * are undefined: a step may write `position` and swap this array with gas_device's. */
    struct shoal_buffer *position, *velocity, *id;
    /* The rest is the sort's own. */
    enum gas_sort_method method; /* never AUTO */
    uint32_t items, cell_items;  /* particles and cells of a work-item */
    struct shoal_kernel *count, *scatter, *order, *group;
    struct shoal_scan *scan;
    struct shoal_buffer *counts, *keys, *entries;
    bool is_cut; /* the last sort failed: `counts` may not be 0 */
    struct arrays arrays;
};

/* State of the solver: a struct gas_device with problem, precision and buffers. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_create(struct shoal_solver *solver, const struct gas_mesh *mesh,
                                                   enum gas_sort_method method, struct gas_sort **out,
                                                   struct shoal_error *error);
void gas_sort_destroy(struct gas_sort **sort);
/* Bytes of the sort's arrays of particles; the bytes of cells depend on the mesh. */
double gas_sort_bytes(const struct gas_device *device);
/* Enqueues the sort of `from` into the arrays of the sort, without waiting; of `from` only the words change:
 * clears FROZEN, AGE, OVERFLOW and STOP, sets BUILT to STEP, counts REBUILDS unless the list before had
 * overflowed, and VIOLATIONS where steps had been frozen. */
SHOAL_MUST_CHECK enum shoal_status gas_sort_run(struct shoal_solver *solver, struct gas_sort *sort,
                                                const struct gas_arrays *from, struct shoal_error *error);
/* Makes the particles that the last run has sorted those of gas_device; the sort gets the old arrays. */
void gas_sort_take(struct gas_device *device, struct gas_sort *sort);

#endif
