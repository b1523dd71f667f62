/* Candidate lists: tsp/model/nearest.clh on a device. Launches: tsp_near_keys and a sort by the keys, once
 * for each word of the keys, the lower word first; tsp_near_leaves; tsp_near_level for each level;
 * tsp_near_lists. */
#ifndef WG
#define WG 64
#endif
/* Length of a list. */
#ifndef COUNT
#define COUNT 10
#endif
/* Quadrants or octants that have the same number of cities in each list; 0: lists have the nearest of all cities. */
#ifndef PARTS
#define PARTS 0
#endif

#include "tsp/model/distance.clh"

#if REAL == 64
typedef double near_number;
typedef double near_difference;
typedef double near_measure;
#define NO_MEASURE DBL_MAX
#else
typedef uint near_number;
typedef int near_difference;
typedef float near_measure;
#define NO_MEASURE FLT_MAX
#endif
typedef DISTANCE near_distance;
#if WIDE
#define NO_DISTANCE FAR_AWAY
#define NEAR_FIXED (-FAR_AWAY)
#else
#define NO_DISTANCE INT_MAX
#define NEAR_FIXED 0
#endif

struct near_point;
struct near_box;
typedef struct near_view {
    __global const struct near_point *points; /* points in the order of the curve */
    __global const uint *order;
    __global const struct near_box *boxes;
    __global const uint *first;
    __global const place_numbers *numbers; /* coordinates of the cities, in the order of the cities' numbers */
    uint places, levels;
} near_view;

#include "tsp/model/nearest.clh"

static inline near_point near_point_of(__global const place_numbers *numbers, uint city)
{
    near_point p;
#if REAL == 64 && DIM == 3
    p.x = numbers[(ulong)3 * city];
    p.y = numbers[(ulong)3 * city + 1];
    p.z = numbers[(ulong)3 * city + 2];
#else
    p.x = numbers[city].x;
    p.y = numbers[city].y;
#if DIM == 3
    p.z = numbers[city].z;
#else
    p.z = 0;
#endif
#endif
    return p;
}

static inline near_point near_point_at(const near_view *v, uint place)
{
    return v->points[place];
}

static inline uint near_city_at(const near_view *v, uint place)
{
    return v->order[place];
}

static inline near_point near_point_of_city(const near_view *v, uint city)
{
    return near_point_of(v->numbers, city);
}

static inline near_box near_box_at(const near_view *v, uint node)
{
    return v->boxes[node];
}

/* The measure of a distance: for straight distances the square, for the other rules in the plane the distance itself;
 * on the sphere the square of the chord. */
static inline near_measure near_measure_of(const near_view *v, near_difference x, near_difference y, near_difference z)
{
    const near_measure mx = (near_measure)x, my = (near_measure)y, mz = (near_measure)z;
    (void)v;
#if RULE == RULE_MANHATTAN
    return fabs(mx) + fabs(my) + fabs(mz);
#elif RULE == RULE_MAXIMUM
    return fmax(fabs(mx), fmax(fabs(my), fabs(mz)));
#else
    return mx * mx + my * my + mz * mz;
#endif
}

static inline near_difference near_larger(near_difference a, near_difference b)
{
#if REAL == 64
    return fmax(a, b);
#else
    return max(a, b);
#endif
}

/* The limit includes a margin for rounding. On a sphere, the limit is the square of the arc: a chord is never longer
 * than its arc. */
static inline near_measure near_limit(const near_view *v, near_distance distance)
{
    const near_measure most = ((near_measure)distance + 1) * (near_measure)R(1.00001);
    (void)v;
    if (distance < 0)
        return -1;
#if RULE == RULE_MANHATTAN || RULE == RULE_MAXIMUM
    return most;
#elif RULE == RULE_ATT
    return 10 * most * most;
#elif IS_ON_SPHERE(RULE)
    return (most / SPHERE_RADIUS(RULE)) * (most / SPHERE_RADIUS(RULE));
#else
    return most * most;
#endif
}

static inline near_distance near_bound(const near_view *v, near_difference x, near_difference y, near_difference z)
{
    (void)v;
#if IS_ON_SPHERE(RULE)
    return (DISTANCE)least_arc_length(RULE, x, y, z);
#else
    return size_of_differences(x, y, z);
#endif
}

static inline near_distance near_between(const near_view *v, near_point p, near_point q)
{
    (void)v;
#if IS_ON_SPHERE(RULE)
    return (DISTANCE)arc_length(RULE, angle_between(p.x, p.y, p.z, q.x, q.y, q.z));
#else
    return size_of_differences((near_difference)(p.x - q.x), (near_difference)(p.y - q.y),
                                   (near_difference)(p.z - q.z));
#endif
}

/* Writes 32-bit word `word` of each city's key, the city's index along the curve, in the order of `order`. For word 0,
 * first sets order[i] = i. Whole coordinates are shifted to the left by `shift` bits, to the right if `shift` is
 * negative; coordinates with fractions are measured from the least coordinate in units of 1 / scale. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_near_keys(__global const place_numbers *numbers, uint places, uint word, int shift, real least_x, real least_y,
                   real least_z, real scale, __global uint *order, __global uint *keys)
{
    const uint i = (uint)get_global_id(0);
    if (i < places) {
        const uint city = word == 0u ? i : order[i];
        const near_point p = near_point_of(numbers, city);
        ulong key;
#if REAL == 64
        (void)shift;
        key = near_key((uint)((p.x - least_x) * scale), (uint)((p.y - least_y) * scale), (uint)((p.z - least_z) * scale), DIM);
#else
        (void)least_x;
        (void)least_y;
        (void)least_z;
        (void)scale;
        if (shift < 0)
            key = near_key(p.x >> -shift, p.y >> -shift, p.z >> -shift, DIM);
        else
            key = near_key(p.x << shift, p.y << shift, p.z << shift, DIM);
#endif
        if (word == 0u)
            order[i] = i;
        keys[i] = (uint)(key >> (32u * word));
    }
}

/* Writes the points in the order of the curve, and the boxes of level 0. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_near_leaves(__global const place_numbers *numbers, __global const uint *order, uint places,
                     __global struct near_point *points, __global struct near_box *boxes)
{
    const uint leaf = (uint)get_global_id(0);
    if (leaf < (places + NEAR_LEAF - 1u) / NEAR_LEAF) {
        const uint end = min((leaf + 1u) * NEAR_LEAF, places);
        uint i = leaf * NEAR_LEAF;
        near_box box = near_box_of(near_point_of(numbers, order[i]), order[i]);
        for (; i < end; i++) {
            const near_point p = near_point_of(numbers, order[i]);
            points[i] = p;
            box = near_join(box, near_box_of(p, order[i]));
        }
        boxes[leaf] = box;
    }
}

/* Makes the boxes of a level from the boxes of the level below. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_near_level(__global struct near_box *boxes, uint below, uint nodes_below, uint nodes)
{
    const uint node = (uint)get_global_id(0);
    if (node < nodes) {
        const uint end = min((node + 1u) * NEAR_FAN, nodes_below);
        uint i = node * NEAR_FAN;
        near_box box = boxes[below + i];
        for (i++; i < end; i++)
            box = near_join(box, boxes[below + i]);
        boxes[below + nodes_below + node] = box;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_near_lists(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
                    __global const struct near_point *points, __global const uint *order,
                    __global const struct near_box *boxes, __global const uint *first, uint levels, __global uint *lists)
{
    const uint i = (uint)get_global_id(0);
    if (i < cities) {
        near_distance distances[COUNT];
        uint found[COUNT], j;
#if PARTS
        near_distance other_distances[COUNT];
        uint other_found[COUNT];
#endif
        near_view v;
        near_memory memory;
        near_special special;
        uint city;
        v.numbers = numbers;
        v.points = points;
        v.order = order;
        v.boxes = boxes;
        v.first = first;
        v.places = cities - IS_PATH;
        v.levels = levels;
        memory.distances = distances;
        memory.cities = found;
#if PARTS
        memory.other_distances = other_distances;
        memory.other_cities = other_found;
#else
        memory.other_distances = distances;
        memory.other_cities = found;
#endif
        memory.count = COUNT;
        city = i < v.places ? order[i] : i;
        special.partner = special.other_partner = NO_CITY;
#if HAS_FIXED
        special.partner = fixed[city].x;
        special.other_partner = fixed[city].y;
#else
        (void)fixed;
#endif
        special.own = IS_PATH && i < v.places ? cities - 1u : NO_CITY;
        if (i < v.places)
            near_list(&v, memory, special, i, PARTS);
        else
            near_list_of_own(&v, memory, special);
        for (j = 0u; j < COUNT; j++)
            lists[(ulong)city * COUNT + j] = found[j];
    }
}
