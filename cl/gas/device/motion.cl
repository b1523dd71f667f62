/* Integration of the particles by forces that an earlier launch has computed, and rescaling of their velocities. */
#ifndef WG
#define WG 64
#endif

#include "gas/device/kinetic.clh"
#include "gas/model/advance.clh"

/* Makes one step of the particles begin .. end - 1. step: its number, counted from 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_advance(__global PLACE *position, __global VECTOR *velocity, __global const VECTOR *acceleration,
            __global const uint *ids, __global int *image, __global EXCHANGE *exchange, __global uint *words,
            __global const real *settings, uint begin, uint end, uint step)
{
    struct stage stage;
    struct motion m;
    const uint i = begin + (uint)get_global_id(0);
    if (i >= end)
        return;
    stage.settings = settings;
    stage.words = words;
    stage.ids = ids;
    stage.image = image;
    stage.exchange = exchange;
    stage.place = i;
    stage.step = step;
    m = gas_move(stage, load_place(position, i), load_vector(velocity, i), load_vector(acceleration, i));
    store_place(position, i, m.place);
    store_vector(velocity, i, m.velocity);
}

/* Changes velocities from those of the full step to those at half a step before, which gas_advance expects. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_kick_back(__global const PLACE *position, __global VECTOR *velocity, __global const VECTOR *acceleration,
              __global const real *settings, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct wide_vector a = whole_acceleration(position, acceleration, settings, i);
        store_vector(velocity, i, vector_add(load_vector(velocity, i), a, -(wide)settings[SET_HALF_STEP]));
    }
}

/* Computes the sum of the squared velocities of the full step, over the particles of each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_kinetic(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
            __global EXCHANGE *sums, __global const real *settings, uint n)
{
    __local EXCHANGE scratch[WG];
    EXCHANGE sum = exchange_of(0);
    uint i;
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct wide_vector a = whole_acceleration(position, acceleration, settings, i);
#if MASSES
        const wide ratio = mass_ratio(settings, i);
#endif
        sum = exchange_added(sum, wide_squared(vector_add(load_vector(velocity, i), a, (wide)settings[SET_HALF_STEP])) TIMES_RATIO);
    }
    sum = group_joined(sum, scratch);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* Whether steps by a neighbour list wait for a new list, so that velocities must stay as they are. words: NULL if steps
 * do not wait. */
static inline int is_waiting(__global const uint *words)
{
    return words && (words[WORD_FROZEN] != 0 || words[WORD_OVERFLOW] != 0);
}

/* Computes the factor of a stochastic rescaling (struct gas_rescaling in src/gas/model/thermostat.h) and stores it in
 * sums[0]. Counts the energy that the rescaling adds as heat. Launched with one work-group. sums: partial sums of
 * gas_kinetic, [count]. words: of is_waiting; if steps wait, the factor is 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_rescale(__global EXCHANGE *sums, __global EXCHANGE *exchange, __global const uint *words /* or NULL */,
            __global const real *settings, uint count, real keep, real change, real normal, real squares,
            real temperature)
{
    __local EXCHANGE scratch[WG];
    const wide kinetic = kinetic_of(sums, count, settings, scratch);
    if (get_local_id(0) == 0 && is_waiting(words)) {
        sums[0] = exchange_of(1);
    } else if (get_local_id(0) == 0) {
        const wide factor = rescale_factor(kinetic, keep, change, normal, squares, temperature);
        exchange_add(exchange, (factor - 1) * (factor + 1) * kinetic);
        sums[0] = exchange_of(factor);
    }
}

/* Accelerates a thermostat of the chain for `time` (push_link in src/gas/model/thermostat.c). */
static inline void push_link(wide *chain, int link, wide share, wide time, wide rate2, wide degrees)
{
    const wide drag = link + 1 < CHAIN_LINKS ? exp((wide)R(-0.5) * time * chain[link + 1]) : (wide)1;
    const wide before = link > 0 ? chain[link - 1] * chain[link - 1] : (wide)0;
    const wide push = link == 0 ? (share - 1) * rate2 : (link == 1 ? degrees : (wide)1) * before - rate2;
    chain[link] = (chain[link] * drag + push * time) * drag;
}

/* Kinetic energy of the thermostats of the chain, over the temperature and half the square of the relaxation time. */
static inline wide links_energy(const wide *links, wide degrees)
{
    wide sum = degrees * links[0] * links[0];
    int link;
    for (link = 1; link < CHAIN_LINKS; link++)
        sum += links[link] * links[link];
    return sum;
}

/* Moves the Nose-Hoover chain (struct gas_chain_move in src/gas/model/thermostat.h) and stores its factor in sums[0], as
 * gas_rescale does. Counts the energy that the chain loses as heat. chain: velocities of the thermostats,
 * [CHAIN_LINKS]; they stay as they are if steps wait. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_chain(__global EXCHANGE *sums, __global EXCHANGE *exchange, __global const uint *words /* or NULL */,
          __global wide *chain, __global const real *settings, uint count, real span, real relaxation, real temperature,
          real degrees)
{
    __local EXCHANGE scratch[WG];
    const wide kinetic = kinetic_of(sums, count, settings, scratch);
    if (get_local_id(0) == 0 && is_waiting(words)) {
        sums[0] = exchange_of(1);
    } else if (get_local_id(0) == 0) {
        const wide rate2 = 1 / ((wide)relaxation * (wide)relaxation);
        wide links[CHAIN_LINKS], share = 2 * kinetic / ((wide)degrees * (wide)temperature), factor = 1;
        wide before, moved = 0; /* moved: displacements of the thermostats, the first one times `degrees` */
        int part, link;
        for (link = 0; link < CHAIN_LINKS; link++)
            links[link] = chain[link];
        before = links_energy(links, (wide)degrees);
        for (part = 0; part < 3 && kinetic > 0; part++) {
            /* the three parts of a step of fourth order: Suzuki 1990, Yoshida 1990 */
            const wide time = (part == 1 ? (wide)R(-1.7024143839193153) : (wide)R(1.3512071919596578)) * (wide)span;
            wide scale;
            for (link = CHAIN_LINKS - 1; link >= 0; link--)
                push_link(links, link, share, (wide)R(0.5) * time, rate2, (wide)degrees);
            scale = exp(-time * links[0]);
            factor *= scale;
            share *= scale * scale;
            for (link = 0; link < CHAIN_LINKS; link++)
                moved += time * (link == 0 ? (wide)degrees : (wide)1) * links[link];
            for (link = 0; link < CHAIN_LINKS; link++)
                push_link(links, link, share, (wide)R(0.5) * time, rate2, (wide)degrees);
        }
        for (link = 0; link < CHAIN_LINKS; link++)
            chain[link] = links[link];
        exchange_add(exchange,
                     -(wide)temperature * (moved + (wide)R(0.5) / rate2 * (links_energy(links, (wide)degrees) - before)));
        sums[0] = exchange_of(factor);
    }
}

/* Multiplies the velocities of the full step by the factor that gas_rescale or gas_chain has stored in sums[0]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_scale(__global const PLACE *position, __global VECTOR *velocity, __global const VECTOR *acceleration,
          __global const EXCHANGE *sums, __global const real *settings, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n)
        store_vector(velocity, i,
                     scaled_velocity(position, velocity, acceleration, settings, i, exchange_value(sums[0])));
}

/* Puts the particles into a box whose lengths have changed by the factors x, y and z: divides the velocities of the
 * full step by the factors, and stores these velocities. Fixed-point positions are fractions of the lengths and stay as
 * they are. settings: those of the new box; accelerations are those in the old one. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_resize(__global PLACE *position, __global VECTOR *velocity, __global const VECTOR *acceleration,
           __global const real *settings, uint n, real x, real y, real z)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct wide_vector a = whole_acceleration(position, acceleration, settings, i);
        struct wide_vector v = vector_add(load_vector(velocity, i), a, (wide)settings[SET_HALF_STEP]);
        v.x /= (wide)x;
        v.y /= (wide)y;
        IN_3D(v.z /= (wide)z;)
        store_vector(velocity, i, v);
#if PRECISION == DOUBLE
        {
            struct place p = load_place(position, i);
            /* the margin keeps rounding from moving a particle out of the box */
            p.x = fmin(p.x * x, settings[SET_LENGTH] * R(0.9999999999999998));
            p.y = fmin(p.y * y, settings[SET_LENGTH + 1] * R(0.9999999999999998));
            IN_3D(p.z = fmin(p.z * z, settings[SET_LENGTH + 2] * R(0.9999999999999998));)
            store_place(position, i, p);
        }
#endif
    }
}

/* Adds up the exchange of all particles: `groups` partial sums for each of the `entries` entries of a particle,
 * stored in sums[first] and the elements after it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_exchange_sum(__global const EXCHANGE *exchange, __global EXCHANGE *sums, uint first, uint places, uint entries,
                 uint groups)
{
    __local EXCHANGE scratch[WG];
    const uint group = (uint)get_group_id(0), entry = group / groups;
    EXCHANGE sum = exchange_of(0);
    uint i;
    for (i = (group % groups) * WG + (uint)get_local_id(0); i < places; i += groups * WG)
        sum = exchange_joined(sum, exchange[(ulong)i * entries + entry]);
    sum = group_joined(sum, scratch);
    if (get_local_id(0) == 0)
        sums[first + group] = sum;
}
