/* Neighbour lists on CPUs, where a work-item handles many cells: see gas/methods/list_build.clh.
 *
 * The particles around a cell are copied once for all particles of the cell, each coordinate to an array of its own,
 * so that vector instructions compute the distances. Near particles are marked by bits of a word. Pencils have one
 * row.
 */
#ifndef WG
#define WG 1
#endif

#include "gas/methods/list_build.clh"

/* BATCH: number of particles that are copied at a time; BITS: number of distances whose results are in one word. */
#define BATCH 256
#define BITS 32

struct batch {
    coordinate x[BATCH], y[BATCH];
    IN_3D(coordinate z[BATCH];)
    uint place[BATCH];
};

/* Appends those of the first `taken` particles of the batch that are near particle i to the list of particle i. */
static inline void list_take(const struct batch *batch, uint taken, uint i, __global const PLACE *position,
                             struct measures size, float range2, __global uint *list, __global uint *counts,
                             uint capacity SETTINGS_PARAMETER)
{
    __global uint *own = list + LIST_FIRST(i, capacity);
    const struct place self = load_place(position, i);
    uint count = counts[i], first, k;
    for (first = 0; first < taken; first += BITS) {
        uint near = 0;
        for (k = 0; k < BITS; k++) {
            struct place other;
            other.x = batch->x[first + k];
            other.y = batch->y[first + k];
            IN_3D(other.z = batch->z[first + k];)
            near |= (uint)(list_distance2(self, other, size) < range2 && batch->place[first + k] != i) << k;
        }
        if (taken - first < BITS)
            near &= (1u << (taken - first)) - 1u;
        while (near != 0) {
            const uint bit = 31u - clz(near & (0u - near));
            if (count < capacity)
                own[count * LIST_TILE] = LIST_MARKED(batch->place[first + bit], batch->place[first + bit], settings);
            count++;
            near &= near - 1u;
        }
    }
    counts[i] = count;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *position, __global const uint *starts, __global const real *settings,
                    __global uint *list, __global uint *counts, __global uint *words, struct gas_mesh cells,
                    struct gas_mesh reach, struct gas_build_launch launch)
{
    const uint begin = launch.first_cell + (uint)get_global_id(0) * launch.items;
    const uint end = min(launch.end_cell, begin + launch.items), capacity = launch.capacity;
    const float range2 = launch.range2;
    struct measures size;
    struct batch batch;
    uint c, i, row, part, k, taken;
    list_measures(settings, &size);
    for (k = 0; k < BATCH; k++) {
        batch.x[k] = batch.y[k] = 0;
        IN_3D(batch.z[k] = 0;)
        batch.place[k] = 0;
    }
    for (c = begin; c < end; c++) {
        const uint first = starts[c], last = starts[c + 1];
        if (first == last || last <= launch.begin || first >= launch.end)
            continue;
        const uint x = c % cells.x, y = c / cells.x % cells.y, z = c / cells.x / cells.y;
        const struct span across = list_span(x, x, reach.x, cells.x, 1, BOUNDARY(0)),
                          along = list_span(y, y, reach.y, cells.y, 1, BOUNDARY(1)),
                          up = list_span(z, z, reach.z, cells.z, 1, BOUNDARY(2));
        const uint behind = across.first + across.count, inside = min(behind, cells.x);
        for (i = first; i < last; i++)
            counts[i] = 0;
        taken = 0;
        for (row = 0; row < along.count * up.count; row++) {
            const uint plane = mesh_plane(mesh_pencil(list_wrapped(along.first + row % along.count, cells.y),
                                                      list_wrapped(up.first + row / along.count, cells.z), cells), 0);
            for (part = 0; part < (behind > inside ? 2u : 1u); part++) {
                uint from = starts[plane + (part == 0 ? across.first : 0)];
                const uint to = starts[plane + (part == 0 ? inside : behind - inside)];
                while (from < to) {
                    const uint stop = min(to, from + (uint)BATCH - taken);
                    for (; from < stop; from++, taken++) {
                        const struct place other = load_place(position, from);
                        batch.x[taken] = other.x;
                        batch.y[taken] = other.y;
                        IN_3D(batch.z[taken] = other.z;)
                        batch.place[taken] = from;
                    }
                    if (taken == BATCH) {
                        for (i = first; i < last; i++)
                            list_take(&batch, taken, i, position, size, range2, list, counts, capacity SETTINGS_ARGUMENT);
                        taken = 0;
                    }
                }
            }
        }
        for (i = first; i < last; i++) {
            list_take(&batch, taken, i, position, size, range2, list, counts, capacity SETTINGS_ARGUMENT);
            if (counts[i] > capacity) {
                atomic_max(&words[WORD_OVERFLOW], counts[i]);
                counts[i] = capacity;
            }
#if SPECIES > 1
            counts[i] = LIST_MARKED(counts[i], i, settings);
#endif
        }
    }
}
