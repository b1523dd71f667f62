/* Sorts the particles by cell, and within a cell by number. */
#include "gas/thesis/cells.clh"

#ifndef WG
#define WG 64
#endif

/* Lists the cell and the index of each particle in the order of the particles' numbers; a stable sort by cell keeps
 * this order within a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_key(__global const PLACE *position, __global const uint *id, __global uint *key, __global uint *place,
              __global const real *settings, struct cells_grid grid, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint number = id[i];
        key[number] = cell_of(load_place(position, i), grid, grid_side(grid, settings));
        place[number] = i;
    }
}

/* Copies the arrays to the new order. Accelerations are copied, too, since the next step uses them. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_gather(__global const uint *place, __global const PLACE *position, __global const VECTOR *velocity,
                 __global const VECTOR *acceleration, __global const uint *id, __global PLACE *position_out,
                 __global VECTOR *velocity_out, __global VECTOR *acceleration_out, __global uint *id_out, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint from = place[i];
        store_place(position_out, i, load_place(position, from));
        store_vector(velocity_out, i, load_vector(velocity, from));
        store_vector(acceleration_out, i, load_vector(acceleration, from));
        id_out[i] = id[from];
    }
}

/* Computes the offsets of the cells from the sorted cells `key`. A work-item handles a particle; one more handles the
 * cells after the last particle. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_offsets(__global const uint *key, __global uint *offsets, uint cells, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint c;
    if (i <= n) {
        const uint first = i == 0u ? 0u : key[i - 1u] + 1u;
        const uint last = i == n ? cells + 1u : key[i];
        for (c = first; c <= last; c++)
            offsets[c] = i;
    }
}

/* Computes the cell of each sorted particle, and its position relative to the centre of the cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_place(__global const PLACE *position, __global uint *cell, __global REAL2 *relative,
                __global const real *settings, struct cells_grid grid, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct place p = load_place(position, i);
        const real side = grid_side(grid, settings);
        const uint column = cell_along(p.x, grid.width, grid.columns, side);
        const uint row = cell_along(p.y, grid.height, grid.rows, side);
        REAL2 at;
        at.x = about_centre(p.x, column, grid.width, side, settings[SET_UNIT]);
        at.y = about_centre(p.y, row, grid.height, side, settings[SET_UNIT + 1]);
        cell[i] = row * grid.columns + column;
        relative[i] = at;
    }
}
