/* Private: cuts between the shares of a gas. */
#ifndef SHOAL_GAS_DOMAINS_CUT_H
#define SHOAL_GAS_DOMAINS_CUT_H

#include "base/integer.h"
#include "gas/device/device.h"

/* Layers of cells. */
struct gas_layers {
    uint32_t count;
    const uint32_t *firsts;     /* [count + 1]: place of the first particle of each layer in the next sort */
    const uint32_t *before;     /* [count + 1]: the same in the last sort */
    const uint32_t *neighbours; /* [count]: neighbours of all particles of a layer, in the last lists */
};

/* Moves the cuts: share k of `count` shares has the blocks cuts[k] .. cuts[k + 1] - 1, whose cost is the part
 * shares[k + 1] - shares[k] of shares[count] of all, and a block at least. Both begin with 0 and end with the
 * number of blocks. false: no cut has moved, since the costs are near to these parts. */
bool gas_domains_cut(const struct gas_layers *layers, const uint64_t *shares, size_t count, uint64_t *cuts);

#endif
