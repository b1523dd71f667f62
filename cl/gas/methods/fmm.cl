/* The gas's side of the method "fmm": places and charges for <shoal/fmm.h>, and accelerations by its fields. No axis is
 * periodic. */
#ifndef WG
#define WG 64
#endif

#include "gas/model/state.clh"

/* A coordinate, counted from the middle of the box. One that is not finite, of a particle that has exploded, becomes
 * finite: cells need bounds. */
#if PRECISION == DOUBLE
#define FROM_MIDDLE(x, settings, axis) \
    fmin(fmax((x) - 0.5 * (settings)[SET_LENGTH + (axis)], -2.0 * (settings)[SET_LENGTH + (axis)]), \
         2.0 * (settings)[SET_LENGTH + (axis)])
#else
/* The steps of the grid from the middle; the largest part of them that single precision has. */
#define STEPS(x)                           ((int)((x) - (BOX_BEGIN + BOX_STEPS / 2u)))
#define COARSE(x)                          ((real)(STEPS(x) & ~127))
#define FROM_MIDDLE(x, settings, axis)     (COARSE(x) * (settings)[SET_UNIT + (axis)])
/* The rest, and the rounding of the product. */
#define REST(x, place, settings, axis) \
    (fma(COARSE(x), (settings)[SET_UNIT + (axis)], -(place)) + (real)(STEPS(x) & 127) * (settings)[SET_UNIT + (axis)])
#endif

/* Writes the place of each particle, with fixed-point positions its fine part and, with several species, its charge.
 * species: charge of each species. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_fmm_points(__global const PLACE *position, __global const real *settings, __global const real *species,
                    __global real *places, __global real *fine /* or NULL */, __global real *charges /* or NULL */,
                    uint n)
{
    const uint i = (uint)get_global_id(0);
    struct place p;
    real x, y;
    if (i >= n)
        return;
    p = load_place(position, i);
    x = FROM_MIDDLE(p.x, settings, 0);
    y = FROM_MIDDLE(p.y, settings, 1);
    places[2 * (ulong)i] = x;
    places[2 * (ulong)i + 1] = y;
#if PRECISION != DOUBLE
    fine[2 * (ulong)i] = REST(p.x, x, settings, 0);
    fine[2 * (ulong)i + 1] = REST(p.y, y, settings, 1);
#endif
#if SPECIES > 1
    charges[i] = species[species_at(settings, i)];
#endif
}

/* Writes accelerations by the fields and, with potentials, half the energy of the pairs of each particle. The virial of
 * a particle is the product of its force and its place: the sum over all particles is that of r . F over all pairs. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_fmm_forces(__global const real *places, __global const real *charges /* or NULL */, __global const real *field,
                    __global const real *potential /* or NULL */, __global const real *settings,
                    __global VECTOR *acceleration, __global wide *energy, __global wide *virial, uint n)
{
    const uint i = (uint)get_global_id(0);
    struct wide_vector force;
    real charge;
    if (i >= n)
        return;
    charge = charges ? charges[i] : R(1.0);
    force.x = charge * field[2 * (ulong)i];
    force.y = charge * field[2 * (ulong)i + 1];
    if (potential) {
        energy[i] = R(0.5) * charge * potential[i];
        virial[i] = force.x * places[2 * (ulong)i] + force.y * places[2 * (ulong)i + 1];
    }
    store_vector(acceleration, i, vector_scale(force, R(1.0) / MASS_AT(settings, i)));
}
