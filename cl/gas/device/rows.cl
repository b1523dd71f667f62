/* The particles as rows in the order of their numbers, for other programs on the device. */
#include "gas/model/exchange.clh"
#include "gas/device/near.clh"

#ifndef WG
#define WG 64
#endif

/* A coordinate from the low end of the box, or of the first box along periodic axes. */
static inline wide along(uint axis, coordinate at, __global const real *settings)
{
#if PRECISION == DOUBLE
    return at;
#else
    return BOUNDARY(axis) == PERIODIC ? (wide)at * (wide)settings[SET_UNIT + axis] : FROM_LOW(axis, at, settings);
#endif
}

static inline void put_row(__global wide *rows, uint row, struct wide_vector v)
{
    rows[(ulong)row * DIM] = v.x;
    rows[(ulong)row * DIM + 1] = v.y;
    IN_3D(rows[(ulong)row * DIM + 2] = v.z;)
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_rows(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
         __global const uint *ids, __global wide *places /* or NULL */, __global wide *motions /* or NULL */,
         __global const real *settings, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n && ids[i] < n) {
        const struct place p = load_place(position, i);
        struct wide_vector at;
        at.x = along(0, p.x, settings);
        at.y = along(1, p.y, settings);
        IN_3D(at.z = along(2, p.z, settings);)
        if (places)
            put_row(places, ids[i], at);
        if (motions)
            put_row(motions, ids[i], full_velocity(position, velocity, acceleration, settings, i));
    }
}
