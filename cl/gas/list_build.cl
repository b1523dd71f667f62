/* Neighbour lists of particles that stand in the order of cells: src/gas/neighbours.h.
 *
 * A work-item goes through the cells around its particle row by row. Cells of a row follow each other in memory, so a
 * row is one range of particles, or two where it crosses a periodic border.
 *
 * The distance is taken in fp32 whatever the precision: differences, exact as fixed-point or fp64 numbers, are rounded
 * twice, their squares once and the sum twice, 2^-24 each. Together that is less than 2^-20 of the square, which
 * `range2` has added, so that no pair is lost.
 */
#ifndef WG
#define WG 128
#endif
/* 1: entries are written ahead of the test and count or not, which suits processors that foresee branches; 0: where the
 * test says so. */
#ifndef WRITE_AHEAD
#define WRITE_AHEAD 0
#endif

#include "gas/list.clh"
#include "gas/mesh.clh"

#if PRECISION == DOUBLE
typedef double measure;
#define MEASURE SET_LENGTH
#define APART(axis, a, b, size) list_apart(a, b, BOUNDARY(axis) == PERIODIC ? size : 4.0 * size)
static inline float list_apart(double a, double b, double length)
{
    const double d = fabs(a - b);
    return (float)fmin(d, length - d);
}
#else
typedef float measure;
#define MEASURE SET_UNIT
#define APART(axis, a, b, size) ((float)(int)((a) - (b)) * size)
#endif

/* Unit of the coordinates, or length of the box. */
struct measures {
    measure x, y, z;
};

static inline float list_distance2(struct place a, struct place b, struct measures size)
{
    const float x = APART(0, a.x, b.x, size.x), y = APART(1, a.y, b.y, size.y);
#if DIM == 3
    const float z = APART(2, a.z, b.z, size.z);
    return mad(x, x, mad(y, y, z * z));
#else
    return mad(x, x, y * y);
#endif
}

/* Cells `first` .. `first + count - 1` along an axis, past the last one from 0 on. */
struct span {
    uint first, count;
};

static inline struct span list_span(uint at, uint reach, uint cells, int boundary)
{
    struct span s;
    if (boundary != PERIODIC) {
        s.first = (uint)max((int)at - (int)reach, 0);
        s.count = min(at + reach, cells - 1) - s.first + 1;
    } else if (cells <= 2 * reach) {
        s.first = 0;
        s.count = cells;
    } else {
        s.first = at >= reach ? at - reach : at + cells - reach;
        s.count = 2 * reach + 1;
    }
    return s;
}

static inline uint list_wrapped(uint at, uint cells)
{
    return at < cells ? at : at - cells;
}

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
#if WRITE_AHEAD
        own[min(count, s.capacity - 1) * LIST_TILE] = j;
        count += (uint)near;
#else
        if (near) {
            if (count < s.capacity)
                own[count * LIST_TILE] = j;
            count++;
        }
#endif
    }
    return count;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *position, __global const uint *starts, __global const real *settings,
                    __global uint *list, __global uint *counts, __global uint *words, struct mesh cells,
                    struct mesh reach, uint n, uint items, uint capacity, float range2)
{
    const uint index = (uint)get_global_id(0), end = min(n, (index + 1) * items);
    struct search s;
    uint i, y, z;
    s.size.x = (measure)settings[MEASURE];
    s.size.y = (measure)settings[MEASURE + 1];
    s.size.z = (measure)settings[MEASURE + 2];
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
