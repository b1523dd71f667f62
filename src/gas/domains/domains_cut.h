/* Private: the layers of the shares of a gas, and the cuts that divide the particles between the shares. */
#ifndef SHOAL_GAS_DOMAINS_CUT_H
#define SHOAL_GAS_DOMAINS_CUT_H

#include "base/integer.h"
#include "gas/device/device.h"

/* Layers of cells across the last axis. */
struct gas_layers {
    uint32_t count;
    bool is_periodic;       /* the axis is periodic: the first layer is beside the last one */
    const uint32_t *firsts; /* [count + 1]: place of the first particle of each layer in the last sort */
    /* [count + 1]: place of the first particle of each layer in the sort before the last one */
    const uint32_t *before;
    /* [count]: number of neighbours of all particles of each layer, in the lists of the sort before the last
     * one */
    const uint32_t *neighbours;
};

/* Consecutive layers, or units of particles, in one range. They are two ranges if they continue across the
 * periodic border. */
enum { GAS_RANGES = 2 };
struct gas_ranges {
    struct gas_range list[GAS_RANGES];
    size_t count;
};

/* The layers of the particles at the places `own`, which must not be empty. */
struct gas_range gas_layers_of(const struct gas_layers *layers, struct gas_range own);
/* The layers in which the particles were at the last sort that the next sort moves to the places `own`, and
 * perhaps more layers, if no particle has moved by the thickness of a layer since. */
struct gas_range gas_layers_next(const struct gas_layers *layers, struct gas_range own);
/* The layers `own`, and `more` layers on either side. There are at least two layers between two ranges: if
 * only one layer would be left out, all layers are returned. */
struct gas_ranges gas_layers_around(const struct gas_layers *layers, struct gas_range own, uint32_t more);
/* The places in the layers `own` whose particles have all their neighbours, those up to `more` layers away,
 * in layers between the first and the last one of `own`, which may also hold particles of other shares. */
struct gas_range gas_layers_inner(const struct gas_layers *layers, struct gas_range own, uint32_t more);
/* The units that hold the particles of the layers in `some`. */
struct gas_ranges gas_layers_blocks(const struct gas_layers *layers, const struct gas_ranges *some);

/* Moves the cuts. Share k of `count` shares has the units cuts[k] .. cuts[k + 1] - 1: at least one unit, and
 * the fraction (shares[k + 1] - shares[k]) / shares[count] of the cost. cuts[0] and shares[0] are 0;
 * cuts[count] and shares[count] are the number of units. Returns false if no cut has moved, as when the costs
 * are near these fractions. */
bool gas_domains_cut(const struct gas_layers *layers, const uint64_t *shares, size_t count, uint64_t *cuts);

#endif
