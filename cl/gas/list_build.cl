/* Neighbour lists on GPUs, a particle a work-item: see gas/list_build.clh.
 *
 * Loads of UNROLL particles are under way at a time; behind the last of a row it is loaded again and counts nothing.
 *
 * FINE_X and FINE_YZ are chosen here for the host, which makes the mesh by them: cells that the range takes along x,
 * and along the other axes. Along x finer cells leave fewer particles to be tried in vain at no cost, since a row of
 * cells is one range of particles however many they are; along the other axes there are more rows.
 */
#ifndef WG
#define WG 128
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
/* 1: rows, and ends of rows, that are out of the range of a particle are left out. */
#ifndef TRIM
#define TRIM 0
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
    uint count = s.count, first, u;
    for (first = from; first < to; first += UNROLL) {
        struct place other[UNROLL];
#pragma unroll
        for (u = 0; u < UNROLL; u++)
            other[u] = load_place(position, min(first + u, to - 1));
#pragma unroll
        for (u = 0; u < UNROLL; u++) {
            const uint j = first + u;
            const int near = list_distance2(s.place, other[u], s.size) < s.range2 && j < to && j != s.self;
            if (near && count < s.capacity)
                own[count * LIST_TILE] = j;
            count += (uint)near;
        }
    }
    return count;
}

/* Where a particle stands in its cell, and how far that is from cells around it. Lengths are in widths of a cell along
 * the axis. They are taken too short by `slack`, which is more than fp32 rounds and more than the two steps by which
 * fixed-point coordinates of fp64 positions may be off. */
struct within {
    float part, width, slack; /* part: from the lower end of the cell on; width: a length */
};

static inline struct within list_within(uint part, uint cells, __global const real *settings, uint axis, int boundary)
{
    struct within s;
    s.part = (float)(part * cells) * 0x1p-32f;
    s.width = (float)settings[SET_LENGTH + axis] * (boundary == OPEN ? 2.0f : 1.0f) / (float)cells;
    s.slack = 0x1p-18f + (float)cells * 0x1p-28f;
    return s;
}

/* Square of the least distance to cell k of a span. */
static inline float list_beyond2(struct span s, uint k, struct within at)
{
    const float cell = (float)(s.offset + (int)k);
    const float apart = fmax(fmax(cell - at.part, at.part - cell - 1.0f) - at.slack, 0.0f) * at.width;
    return s.is_whole ? 0.0f : apart * apart;
}

/* The cells of a span that are not further than the root of `range2`. */
static inline struct span list_chord(struct span s, float range2, struct within at, uint cells)
{
    const float half_chord = sqrt(range2) / at.width + at.slack;
    const int low = max(s.offset, (int)floor(at.part - half_chord)),
              high = min(s.offset + (int)s.count - 1, (int)floor(at.part + half_chord));
    struct span chord = s;
    if (!s.is_whole) {
        chord.first = list_wrapped(s.first + (uint)(low - s.offset), cells);
        chord.count = (uint)(high - low + 1);
        chord.offset = low;
    }
    return chord;
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
#if TRIM
        const float reached2 = range2 * (1.0f + 0x1p-16f);
        const struct within in_x = list_within(MESH_PART(0, s.place.x), cells.x, settings, 0, BOUNDARY(0)),
                            in_y = list_within(MESH_PART(1, s.place.y), cells.y, settings, 1, BOUNDARY(1));
#if DIM == 3
        const struct within in_z = list_within(MESH_PART(2, s.place.z), cells.z, settings, 2, BOUNDARY(2));
#endif
#endif
        for (z = 0; z < up.count; z++)
            for (y = 0; y < along.count; y++) {
                struct span chord = across;
#if TRIM
                float left2 = reached2 - list_beyond2(along, y, in_y);
#if DIM == 3
                left2 -= list_beyond2(up, z, in_z);
#endif
                if (left2 < 0.0f)
                    continue;
                chord = list_chord(across, left2, in_x, cells.x);
#endif
                const uint row = mesh_row(list_wrapped(along.first + y, cells.y),
                                          list_wrapped(up.first + z, cells.z), cells);
                const uint last = chord.first + chord.count, inside = min(last, cells.x);
                s.count = list_append(s, position, starts[row + chord.first], starts[row + inside], own);
                if (last > inside)
                    s.count = list_append(s, position, starts[row], starts[row + last - inside], own);
            }
        if (s.count > capacity)
            atomic_max(&words[WORD_OVERFLOW], s.count);
        counts[i] = min(s.count, capacity);
    }
}
