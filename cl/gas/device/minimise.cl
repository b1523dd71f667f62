/* Steps of the minimiser FIRE: docs/gas-forces.md, "Minimisation". The forces were computed by an earlier launch.
 *
 * The acceleration of a particle is shortened to a limit, so that all sums fit a float and overlapping particles
 * separate in a few steps.
 */
#ifndef WG
#define WG 64
#endif

#include "gas/model/advance.clh"
#include "lib/group.clh"

GROUP_REDUCE(group_joined, EXCHANGE, exchange_joined)
GROUP_REDUCE(group_largest, wide, fmax)

/* The limit of a coordinate towards side -1 (low) or 1 (high): the face of an impenetrable wall, or else the end of
 * the range of coordinates. */
static inline coordinate last_place(uint axis, int side, __global const real *settings)
{
    const int is_hard = BOUNDARY(axis) == WALLS ? !HAS_SOFT_WALL(axis, side > 0) : 0;
#if PRECISION == DOUBLE
    const wide length = settings[SET_LENGTH + axis], beyond = is_hard ? R(0.0) : R(0.5) * length;
    return side < 0 ? -beyond : (length + beyond) * (R(1.0) - R(1.1102230246251565e-16));
#else
    const uint beyond = is_hard ? 0u : BOX_STEPS / 2u;
    return side < 0 ? BOX_BEGIN - beyond : BOX_BEGIN + BOX_STEPS - 1u + beyond;
#endif
}

/* Returns -1 if the coordinate is at its low limit, 1 if it is at its high limit, otherwise 0. */
static inline int end_reached(uint axis, coordinate at, __global const real *settings)
{
    if (BOUNDARY(axis) == PERIODIC)
        return 0;
    return at <= last_place(axis, -1, settings) ? -1 : at >= last_place(axis, 1, settings);
}

/* The component of the acceleration along an axis; 0 if it points towards a limit that the particle has reached. */
static inline wide free_along(uint axis, coordinate at, wide a, __global const real *settings)
{
    return end_reached(axis, at, settings) * a > 0 ? 0 : a;
}

struct push {
    struct wide_vector limited;
    wide size; /* length of the acceleration before it is limited */
};

/* A random unit vector, for particles so close that their force is not finite. */
static inline struct wide_vector any_direction(struct stage stage)
{
    const struct shoal_words words = gas_words(stage, SHOAL_STREAM_GAS_PUSH, 0u);
    struct wide_vector v;
    gas_normals(words.x, words.y, &v.x, &v.y);
#if DIM == 3
    {
        wide unused;
        gas_normals(words.z, words.w, &v.z, &unused);
    }
#endif
    return vector_scale(v, 1 / sqrt(fmax(wide_squared(v), (wide)FLT_MIN)));
}

static inline struct push push_of(struct stage stage, struct place place, struct wide_vector a, wide limit)
{
    struct push push;
    wide longest, scale = 1, size;
    a = vector_add(a, external_acceleration(place, stage.settings, stage.settings + SET_EXTERNAL RATIO_ARGUMENT(stage.settings, stage.place)), (wide)1);
    longest = fabs(a.x) + fabs(a.y) IN_3D(+ fabs(a.z));
    if (!(longest <= (wide)FLT_MAX)) {
        a = vector_scale(any_direction(stage), limit);
        longest = INFINITY;
    } else if (longest > limit) {
        scale = limit / longest;
        a = vector_scale(a, scale);
    }
    a.x = free_along(0, place.x, a.x, stage.settings);
    a.y = free_along(1, place.y, a.y, stage.settings);
    IN_3D(a.z = free_along(2, place.z, a.z, stage.settings);)
    size = sqrt(wide_squared(a));
    push.size = longest > (wide)FLT_MAX ? longest : size / scale;
    /* The quotient is 0 for a vector of length 0, which stays 0. A branch around it makes PoCL 6 crash. */
    push.limited = vector_scale(a, fmin(push.size, limit) / (size > 0 ? size : (wide)INFINITY));
    return push;
}

/* Computes sums over the particles, in the order of enum gas_fire_sum: FIRE_SUMS partial sums for each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_minimise_sums(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
                  __global const uint *ids, __global uint *words, __global EXCHANGE *sums, __global const real *settings,
                  real limit, uint n, uint step)
{
    __local EXCHANGE scratch[WG];
    __local wide largest[WG];
    EXCHANGE own[FIRE_FASTEST2];
    wide fastest2 = 0, size = 0;
    struct stage stage;
    uint i, s;
    stage.settings = settings;
    stage.words = words;
    stage.ids = ids;
    stage.image = 0;
    stage.exchange = 0;
    stage.step = step;
    for (s = 0; s < FIRE_FASTEST2; s++)
        own[s] = exchange_of(0);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        struct push push;
        const struct wide_vector v = load_vector(velocity, i);
        const wide square = wide_squared(v);
        stage.place = i;
        push = push_of(stage, load_place(position, i), load_vector(acceleration, i), (wide)limit);
        own[FIRE_POWER] = exchange_added(own[FIRE_POWER], v.x * push.limited.x);
        own[FIRE_POWER] = exchange_added(own[FIRE_POWER], v.y * push.limited.y);
        IN_3D(own[FIRE_POWER] = exchange_added(own[FIRE_POWER], v.z * push.limited.z);)
        own[FIRE_VELOCITY2] = exchange_added(own[FIRE_VELOCITY2], square);
        own[FIRE_PUSH2] = exchange_added(own[FIRE_PUSH2], wide_squared(push.limited));
        fastest2 = fmax(fastest2, square);
#if MASSES
        size = fmax(size, push.size * mass_ratio(settings, i));
#else
        size = fmax(size, push.size);
#endif
    }
    fastest2 = group_largest(fastest2, largest);
    size = group_largest(size, largest);
    /* Sums and maxima have separate loops, since PoCL 6 crashes on a barrier in a branch of a loop. */
    for (s = 0; s < FIRE_FASTEST2; s++)
        own[s] = group_joined(own[s], scratch);
    if (get_local_id(0) == 0)
        for (s = 0; s < FIRE_SUMS; s++)
            sums[get_group_id(0) * FIRE_SUMS + s] =
                s < FIRE_FASTEST2 ? own[s] : exchange_of(s == FIRE_LARGEST ? size : fastest2);
}

/* Returns the coordinate after a displacement, limited to its range. A velocity that leads out of the range becomes
 * 0. */
static inline coordinate shifted_within(uint axis, coordinate at, wide shift, wide *v, struct stage stage)
{
    const coordinate to = drift(axis, at, shift, stage);
    const int side = end_reached(axis, to, stage.settings);
    if (side == 0)
        return to;
    if (side * *v > 0)
        *v = 0;
    return last_place(axis, side, stage.settings);
}

/* Makes a step of the minimiser for the particles begin .. end - 1: see struct gas_fire_move in
 * src/gas/start/minimise.h. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_minimise_move(__global PLACE *position, __global VECTOR *velocity, __global const VECTOR *acceleration,
                  __global const uint *ids, __global int *image, __global uint *words, __global const real *settings,
                  real limit, real keep, real push, real dt, real back, real fastest, uint begin, uint end,
                  uint step)
{
    const uint i = begin + (uint)get_global_id(0);
    if (i < end) {
        struct stage stage;
        struct place place = load_place(position, i);
        struct wide_vector v, shift;
        wide speed;
        stage.settings = settings;
        stage.words = words;
        stage.ids = ids;
        stage.image = image;
        stage.exchange = 0;
        stage.place = i;
        stage.step = step;
        /* In the first step the velocities have no meaning and may not be finite, so they are not read. */
        v = keep > 0 || back > 0 ? load_vector(velocity, i) : vector_zero();
        shift = vector_scale(v, -(wide)back);
        v = vector_scale(v, (wide)keep);
        v = vector_add(v, push_of(stage, place, load_vector(acceleration, i), (wide)limit).limited, (wide)push);
        speed = sqrt(wide_squared(v));
        if (speed > (wide)fastest)
            v = vector_scale(v, (wide)fastest / speed);
        shift = vector_add(shift, v, (wide)dt);
        place.x = shifted_within(0, place.x, shift.x, &v.x, stage);
        place.y = shifted_within(1, place.y, shift.y, &v.y, stage);
        IN_3D(place.z = shifted_within(2, place.z, shift.z, &v.z, stage);)
        store_place(position, i, place);
        store_vector(velocity, i, v);
    }
}
