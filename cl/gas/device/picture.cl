/* Pictures of a gas: gas/device/picture.clh says how particles become pixels. */
#include "gas/model/exchange.clh"

#ifndef WG
#define WG 64
#endif
#include "lib/group.clh"

GROUP_REDUCE(group_joined, EXCHANGE, exchange_joined)

#include "gas/device/picture.clh"

/* The square of a vector. The operations are given one by one, since a compiler may fuse others or not. */
static INLINE wide exact_square(struct wide_vector v)
{
    wide square = v.y * v.y;
    square = fma(v.x, v.x, square);
    IN_3D(square = fma(v.z, v.z, square);)
    return square;
}

/* A coordinate in grid steps. */
static INLINE long grid_steps(coordinate at, uint axis, __global const real *settings)
{
#if PRECISION == DOUBLE
    return (long)floor(at * settings[SET_INVERSE + axis]) +
           (BOUNDARY(axis) == PERIODIC ? 0 : (long)BOX_BEGIN);
#else
    return (long)at;
#endif
}

/* Adds up the squared velocities of the particles: a sum for each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_picture_squares(__global const VECTOR *velocity, __global EXCHANGE *sums, uint n)
{
    __local EXCHANGE scratch[WG];
    EXCHANGE sum = exchange_of(0);
    uint i;
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0))
        sum = exchange_added(sum, wide_squared(load_vector(velocity, i)));
    sum = group_joined(sum, scratch);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* Draws the particles. The level of a particle is the root of the square of its vector times `inverse`: of
 * its velocity or, if there is a psi, of its hexatic order, by its number. In pictures of species it is the
 * species. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_picture_particles(__global const PLACE *position, __global const VECTOR *velocity,
                      __global const VECTOR *psi /* or NULL */, __global const uint *ids,
                      __global uint *planes, __global const real *settings, struct gas_picture_view view,
                      real inverse, uint by_species, uint n)
{
    const uint item = (uint)get_global_id(0), i = item / view.lanes, lane = item % view.lanes;
    if (i < n) {
        const struct place p = load_place(position, i);
        long z = 0;
        uint level = 0;
        IN_3D(z = grid_steps(p.z, 2, settings);)
        if (by_species) {
#if SPECIES > 1
            level = species_at(settings, i);
#endif
        } else if (view.kind != PICTURE_DENSITY) {
            const wide square =
                exact_square(psi ? load_vector(psi, ids[i]) : load_vector(velocity, i)) * (wide)inverse;
            level = picture_root(square < (wide)PICTURE_SQUARES ? (uint)square : (uint)PICTURE_SQUARES);
        }
        picture_particle(&view, planes, grid_steps(p.x, 0, settings), grid_steps(p.y, 1, settings), z, level,
                         lane);
    }
}

/* Computes the colours of the pixels. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gas_picture_pixels(__global const uint *planes,
                                                                                 __global const uint *palette,
                                                                                 __global uint *pixels,
                                                                                 struct gas_picture_view view)
{
    const uint at = (uint)get_global_id(0);
    if (at < view.width * view.height)
        pixels[at] = picture_pixel(&view, planes, palette, at % view.width, at / view.width);
}
