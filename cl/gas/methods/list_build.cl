/* Neighbour lists on GPUs: see gas/methods/list_build.clh. A work-item builds the list of a particle; with GROUPED 1
 * the work-items of a group work together: gas/methods/list_build_group.clh.
 *
 * Up to UNROLL particles are loaded at a time, a power of two. After the end of a range its last particle is loaded
 * again and ignored. A work-item sets a bit for each particle that is near, and later converts its bits to list entries.
 *
 * FINE_X, FINE_YZ and PENCIL are defined here for the host, which chooses the mesh by them. FINE_X: number of cells
 * within cutoff + skin along x; FINE_YZ: along the other axes; PENCIL: struct gas_mesh.pencil. With finer cells along
 * x, fewer particles are tested and rejected, at no cost, since the cells of a pencil are one range of particles.
 * Finer cells along the other axes mean more pencils to visit. Pencils of several rows bring successive particles
 * closer together, and fewer pencils are visited, but more particles are tested and rejected.
 */
#ifndef WG
#define WG 128
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
/* 1: the search skips pencils, and cells at the ends of pencils, that are out of range of the particle. */
#ifndef TRIM
#define TRIM 0
#endif

/* Properties of the mesh, see above. */
#ifndef FINE_X
#define FINE_X 2
#endif
#ifndef FINE_YZ
#define FINE_YZ 1
#endif
#ifndef PENCIL
#define PENCIL 0
#endif

#ifndef GROUPED
#define GROUPED 0
#endif
/* 1: for few particles, a warp builds the list of each particle. A work-item for each would leave most of the GPU idle,
 * with thousands of operations one after the other. The work-items of a warp test successive particles, and those whose
 * particle is near write it to the list, in the order of the particles. GROUPED, TRIM and UNROLL then have no effect.
 * Without exchanges within warps, or with groups that are not whole warps, it changes nothing. */
#ifndef WARPED
#define WARPED 0
#endif

#include "gas/methods/list_bits.clh"
#include "gas/methods/list_build.clh"

#if WARPED && SHOAL_WARPS && WG % 32 == 0
#include "lib/group.clh"

#define WARP 32

/* Tests the particles from .. to - 1, of which `self` is none. */
static INLINE void list_test(struct list_tail *tail, __global const PLACE *position, struct place place, uint self,
                             uint from, uint to, struct measures size, float range2 SETTINGS_PARAMETER)
{
    const uint lane = (uint)get_local_id(0) % WARP;
    uint first;
    for (first = from; first < to; first += WARP) {
        const uint k = first + lane;
        const int is_near =
            k < to && k != self && list_distance2(place, load_place(position, min(k, to - 1)), size) < range2;
        const uint near = SHOAL_WARP_BALLOT(is_near);
        if (is_near)
            list_put(tail, tail->count + popcount(near & ((1u << lane) - 1u)), k SETTINGS_ARGUMENT);
        tail->count += popcount(near);
    }
}

/* Builds the lists of the particles begin .. end - 1. launch.items must be 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *restrict position, __global const uint *restrict starts,
                    __global const real *settings, __global ENTRY *list, __global uint *counts, __global uint *words,
                    struct gas_mesh cells, struct gas_mesh reach, struct gas_build_launch launch)
{
    const uint i = launch.begin + (uint)get_global_id(0) / WARP;
    uint y, z, next_y = 0, next_z = 0;
    struct measures size;
    struct list_tail tail;
    if (i >= launch.end)
        return;
    list_measures(settings, &size);
    list_begin(&tail, list, i, launch.capacity, launch.particles);
    const struct place place = load_place(position, i);
    const struct gas_mesh at = mesh_find(place, settings, cells);
    const struct span across = list_span(at.x, at.x, reach.x, cells.x, 1, BOUNDARY(0)),
                      along = list_span(at.y, at.y, reach.y, cells.y, 1u << cells.pencil, BOUNDARY(1)),
                      up = list_span(at.z, at.z, reach.z, cells.z, 1u << cells.pencil, BOUNDARY(2));
    for (z = 0; z < up.count; z = next_z) {
        for (y = 0; y < along.count; y = next_y) {
            const struct pencil pencil = mesh_pencil(list_wrapped(along.first + y, cells.y),
                                                     list_wrapped(up.first + z, cells.z), cells);
            const uint last = across.first + across.count, inside = min(last, cells.x);
            next_y = list_next(along, y, pencil.y, pencil.high, cells.y);
            next_z = list_next(up, z, pencil.z, pencil.deep, cells.z);
            list_test(&tail, position, place, i, starts[mesh_plane(pencil, across.first)],
                      starts[mesh_plane(pencil, inside)], size, launch.range2 SETTINGS_ARGUMENT);
            if (last > inside)
                list_test(&tail, position, place, i, starts[mesh_plane(pencil, 0)],
                          starts[mesh_plane(pencil, last - inside)], size, launch.range2 SETTINGS_ARGUMENT);
        }
    }
    tail.is_far = SHOAL_WARP_BALLOT(tail.is_far != 0);
    if ((uint)get_local_id(0) % WARP == 0)
        counts[i] = LIST_MARKED(list_finish(&tail, words), i, settings);
}
#elif GROUPED
#include "gas/methods/list_build_group.clh"
#else

/* Number of words that a work-item collects before it converts them to list entries: enough for most particles, since
 * the work-items of a warp convert their words together. In three dimensions an H200 in double precision builds lists
 * in 1.49 ms with 20 words, 1.56 with 16 and 2.6 with 8. */
#define WORDS (DIM == 3 ? 20 : 8)

/* State of a work-item while it builds the list of particle `self`. kept: number of words collected, in words and
 * firsts, whose particles are not in the list yet. */
struct search {
    struct place place;
    struct measures size;
    float range2;
    uint self, kept;
    local uint *words, *firsts;
    struct list_tail tail;
};

/* Collects those of the particles from .. to - 1 that are near. */
static INLINE void list_collect(struct search *s, __global const PLACE *position, uint from, uint to SETTINGS_PARAMETER)
{
    uint first, near;
    for (first = from; first < to; first += WORD) {
        near = list_near(s->place, position, first, min(to - first, (uint)WORD), s->size, s->range2);
        if (s->self - first < WORD)
            near &= ~(1u << (s->self - first));
        if (s->kept == WORDS) {
            list_drain(s->words, s->firsts, WG, WORDS, &s->tail SETTINGS_ARGUMENT);
            s->kept = 0;
        }
        s->words[s->kept * WG] = near;
        s->firsts[s->kept * WG] = first;
        s->kept += near != 0;
    }
}

#if TRIM
/* Sets both ends of *e to the position of a particle in its cell along an axis. part: see mesh_part. */
static inline void list_place_in_cell(struct extent *e, uint part, uint cells, __global const real *settings, uint axis,
                                      int boundary)
{
    const float at = (float)(part * cells) * 0x1p-32f;
    list_extent(e, at, at, cells, settings, axis, boundary);
}
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_list_build(__global const PLACE *restrict position, __global const uint *restrict starts,
                    __global const real *settings,
                    __global ENTRY *list, __global uint *counts, __global uint *words, struct gas_mesh cells,
                    struct gas_mesh reach, struct gas_build_launch launch)
{
    __local uint words_near[WORDS * WG], firsts[WORDS * WG];
    const uint index = (uint)get_global_id(0), end = min(launch.end, launch.begin + (index + 1) * launch.items);
    struct search s;
    uint i, y, z, next_y = 0, next_z = 0;
    list_measures(settings, &s.size);
    s.range2 = launch.range2;
    s.words = words_near + get_local_id(0);
    s.firsts = firsts + get_local_id(0);
    for (i = launch.begin + index * launch.items; i < end; i++) {
        s.place = load_place(position, i);
        s.self = i;
        s.kept = 0;
        list_begin(&s.tail, list, i, launch.capacity, launch.particles);
        const struct gas_mesh at = mesh_find(s.place, settings, cells);
        const struct span across = list_span(at.x, at.x, reach.x, cells.x, 1, BOUNDARY(0)),
                          along = list_span(at.y, at.y, reach.y, cells.y, 1u << cells.pencil, BOUNDARY(1)),
                          up = list_span(at.z, at.z, reach.z, cells.z, 1u << cells.pencil, BOUNDARY(2));
#if TRIM
        const float reached2 = launch.range2 * LIST_TRIM_ROOM;
        struct extent in_x, in_y;
        list_place_in_cell(&in_x, MESH_PART(0, s.place.x), cells.x, settings, 0, BOUNDARY(0));
        list_place_in_cell(&in_y, MESH_PART(1, s.place.y), cells.y, settings, 1, BOUNDARY(1));
        IN_3D(struct extent in_z;)
        IN_3D(list_place_in_cell(&in_z, MESH_PART(2, s.place.z), cells.z, settings, 2, BOUNDARY(2));)
#endif
        for (z = 0; z < up.count; z = next_z) {
            for (y = 0; y < along.count; y = next_y) {
                const struct pencil pencil = mesh_pencil(list_wrapped(along.first + y, cells.y),
                                                         list_wrapped(up.first + z, cells.z), cells);
                struct span chord = across;
                next_y = list_next(along, y, pencil.y, pencil.high, cells.y);
                next_z = list_next(up, z, pencil.z, pencil.deep, cells.z);
#if TRIM
                float left2 = reached2 - list_beyond2(along, y, next_y, in_y);
                IN_3D(left2 -= list_beyond2(up, z, next_z, in_z);)
                if (left2 < 0.0f)
                    continue;
                list_cut(&chord, left2, in_x, cells.x);
#endif
                const uint last = chord.first + chord.count, inside = min(last, cells.x);
                list_collect(&s, position, starts[mesh_plane(pencil, chord.first)], starts[mesh_plane(pencil, inside)]
                                 SETTINGS_ARGUMENT);
                if (last > inside)
                    list_collect(&s, position, starts[mesh_plane(pencil, 0)], starts[mesh_plane(pencil, last - inside)]
                                     SETTINGS_ARGUMENT);
            }
        }
        list_drain(s.words, s.firsts, WG, s.kept, &s.tail SETTINGS_ARGUMENT);
        counts[i] = LIST_MARKED(list_finish(&s.tail, words), i, settings);
    }
}
#endif
