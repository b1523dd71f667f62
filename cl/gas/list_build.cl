/* Neighbour lists on GPUs, a particle a work-item: see gas/list_build.clh. */
#ifndef WG
#define WG 128
#endif

#include "gas/list_build.clh"

/* What a work-item knows while it makes the list of one particle. */
struct search {
    struct place place;
    struct measures size;
    float range2;
    uint self, capacity, count;
};

/* Appends the particles at `from` .. `to - 1` that are near. */
static inline uint list_append(struct search s, __global const PLACE *position, uint from, uint to, __global uint *own)
{
    uint count = s.count, j;
    for (j = from; j < to; j++) {
        const int near = list_distance2(s.place, load_place(position, j), s.size) < s.range2 && j != s.self;
        if (near) {
            if (count < s.capacity)
                own[count * LIST_TILE] = j;
            count++;
        }
    }
    return count;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *restrict position, __global const uint *restrict starts,
                    __global const real *settings,
                    __global uint *list, __global uint *counts, __global uint *words, struct mesh cells,
                    struct mesh reach, uint n, uint items, uint capacity, float range2)
{
    const uint index = (uint)get_global_id(0), end = min(n, (index + 1) * items);
    struct search s;
    uint i, y, z;
    list_measures(settings, &s.size);
    s.range2 = range2;
    s.capacity = capacity;
    for (i = index * items; i < end; i++) {
        __global uint *own = list + LIST_FIRST(i, capacity);
        s.place = load_place(position, i);
        s.self = i;
        s.count = 0;
        const struct mesh at = mesh_find(s.place, settings, cells);
        const struct span across = list_span(at.x, reach.x, cells.x, BOUNDARY(0)),
                   along = list_span(at.y, reach.y, cells.y, BOUNDARY(1)),
                   up = list_span(at.z, reach.z, cells.z, BOUNDARY(2));
        const uint last = across.first + across.count, inside = min(last, cells.x);
        for (z = 0; z < up.count; z++)
            for (y = 0; y < along.count; y++) {
                const uint row = mesh_row(list_wrapped(along.first + y, cells.y),
                                          list_wrapped(up.first + z, cells.z), cells);
                s.count = list_append(s, position, starts[row + across.first], starts[row + inside], own);
                if (last > inside)
                    s.count = list_append(s, position, starts[row], starts[row + last - inside], own);
            }
        if (s.count > capacity)
            atomic_max(&words[WORD_OVERFLOW], s.count);
        counts[i] = min(s.count, capacity);
    }
}
