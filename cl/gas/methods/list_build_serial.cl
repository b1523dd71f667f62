/* Neighbour lists on CPUs, where a work-item handles many tiles: see gas/methods/list_build.clh.
 *
 * The lists of a tile are built side by side: a vector holds the distances of all its particles from another particle.
 * CPUs predict badly whether a particle is near. So each is written behind the list of each particle of the tile, and
 * the list grows only by those that are near; the next one overwrites another. Pencils have one row.
 */
#ifndef WG
#define WG 1
#endif

#include "gas/methods/list_build.clh"
#include "gas/methods/list_entry.clh"
#include "gas/methods/tile.clh"

/* Most entries of a list; behind them there is room for one that is no neighbour. */
#define ROOM(capacity) ((capacity)-1u)

/* The particles of a tile. next: index of the next entry of each list, from the first entry of the tile. range2:
 * squared range, negative for particles whose lists do not grow. */
struct lists {
    coordinate x[LIST_TILE], y[LIST_TILE];
    IN_3D(coordinate z[LIST_TILE];)
    float range2[LIST_TILE];
    int next[LIST_TILE];
};

/* Appends those of the particles from .. to - 1 that are near. first: the first particle of the tile; list: its
 * lists. */
static inline void list_append(struct lists *lists, uint first, uint from, uint to, __global const PLACE *position,
                               struct measures size, __global ENTRY *list, uint capacity SETTINGS_PARAMETER)
{
    const int room = (int)(ROOM(capacity) * LIST_TILE);
    uint j, l;
    for (j = from; j < to; j++) {
        const struct place other = load_place(position, j);
        const uint entry = LIST_MARKED(j, j, settings);
        ACROSS_TILE_APART
        for (l = 0; l < LIST_TILE; l++) {
            const int next = lists->next[l];
            struct place self;
            self.x = lists->x[l];
            self.y = lists->y[l];
            IN_3D(self.z = lists->z[l];)
            const int is_near = (list_distance2(self, other, size) < lists->range2[l]) & (j != first + l);
            list[min(next, room + (int)l)] = entry;
            lists->next[l] = next + (is_near ? LIST_TILE : 0);
        }
    }
}

/* Returns the end of the particles from number `begin` of a tile on, up to `count`, that search the same rows: those in the
 * same row whose neighbours are not the whole row, unless they share a cell. x, rows: cells of the particles. */
static inline uint list_row_end(const uint *x, const uint *rows, uint begin, uint count, uint reach, uint cells)
{
    uint l = begin + 1;
    while (l < count && rows[l] == rows[begin] && (x[l] == x[begin] || x[l] - x[begin] + 2 * reach < cells))
        l++;
    return l;
}

/* launch.items is a multiple of LIST_TILE. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *position, __global const uint *starts, __global const real *settings,
                    __global ENTRY *list, __global uint *counts, __global uint *words, struct gas_mesh cells,
                    struct gas_mesh reach, struct gas_build_launch launch)
{
    const uint share = launch.begin + (uint)get_global_id(0) * launch.items;
    const uint share_end = min(launch.end, share + launch.items), capacity = launch.capacity;
    struct measures size;
    struct lists lists;
    uint x[LIST_TILE], rows[LIST_TILE], first, begin, behind, row, part, l;
    list_measures(settings, &size);
    for (first = share; first < share_end; first += LIST_TILE) {
        const uint count = min(share_end - first, (uint)LIST_TILE);
        ACROSS_TILE
        for (l = 0; l < LIST_TILE; l++) {
            const struct place p = load_place(position, first + l);
            const struct gas_mesh at = mesh_find(p, settings, cells);
            x[l] = at.x;
            rows[l] = at.z * cells.y + at.y;
            lists.x[l] = p.x;
            lists.y[l] = p.y;
            IN_3D(lists.z[l] = p.z;)
            lists.next[l] = (int)l;
        }
        for (begin = 0; begin < count; begin = behind) {
            behind = list_row_end(x, rows, begin, count, reach.x, cells.x);
            const uint at_y = rows[begin] % cells.y, at_z = rows[begin] / cells.y;
            const struct span across = list_span(x[begin], x[behind - 1], reach.x, cells.x, 1, BOUNDARY(0)),
                              along = list_span(at_y, at_y, reach.y, cells.y, 1, BOUNDARY(1)),
                              up = list_span(at_z, at_z, reach.z, cells.z, 1, BOUNDARY(2));
            const uint last = across.first + across.count, inside = min(last, cells.x);
            for (l = 0; l < LIST_TILE; l++)
                lists.range2[l] = l >= begin && l < behind ? launch.range2 : -1.0f;
            for (row = 0; row < along.count * up.count; row++) {
                const uint plane = mesh_plane(mesh_pencil(list_wrapped(along.first + row % along.count, cells.y),
                                                          list_wrapped(up.first + row / along.count, cells.z), cells), 0);
                for (part = 0; part < (last > inside ? 2u : 1u); part++)
                    list_append(&lists, first, starts[plane + (part == 0 ? across.first : 0)],
                                starts[plane + (part == 0 ? inside : last - inside)], position, size,
                                list + LIST_FIRST(first, capacity), capacity SETTINGS_ARGUMENT);
            }
        }
        for (l = 0; l < count; l++) {
            const uint found = (uint)lists.next[l] / LIST_TILE;
            if (found > ROOM(capacity))
                atomic_max(&words[WORD_OVERFLOW], found);
            counts[first + l] = LIST_MARKED(min(found, ROOM(capacity)), first + l, settings);
        }
    }
}
