/* Private to this folder: the state of the shares of a gas with neighbour lists. */
#ifndef GAS_DOMAINS_STATE_H
#define GAS_DOMAINS_STATE_H

#include "compute/link/gather.h"
#include "gas/domains/domains.h"
#include "gas/domains/domains_cut.h"

struct gas_domains {
    const struct gas_neighbours *neighbours;
    struct shoal_kernel *layers_of, *count_own, *join, *crossings, *merge;
    uint32_t count, width; /* number of layers, and number of cells in a layer */
    uint32_t reach; /* number of layers on either side of a particle's layer that may hold neighbours */
    /* [2 count + 1] of uint: place of the first particle of each layer, then the number of particles, then
     * the number of neighbours in each layer */
    struct shoal_buffer *layers;
    /* Copies of `layers` on the host, from two sorts. firsts: from the last sort. next: from the sort before
     * the last, until read_layers overwrites it with data of the next sort. */
    uint32_t *firsts, *next;
    struct shoal_queue *reader; /* reads `layers` while the queue of the share works */
    struct shoal_event *joined; /* end of the kernel that writes `layers`; NULL: the host has a copy */
    /* [number of shares + 1], in units: share k has the units cuts[k] .. cuts[k + 1] - 1. shares: at the
     * start of the run; before: before the cuts last moved; cuts: now. One block of memory. */
    uint64_t *shares, *before, *cuts;
    bool is_cut;    /* `shares` and `cuts` are set */
    bool is_sorted; /* since the last sort, only steps have moved particles */
    /* [shares][2 count] of uint: number of particles of each share in each layer, then number of neighbours
     * of these particles */
    struct shoal_buffer *totals;
    struct shoal_buffer *packed; /* [padded][dim] of int: border crossings by place; NULL: no periodic axis */
    /* [shares][GAS_WORDS] of uint: the words of all shares. Two buffers in turn, since other shares may still
     * read the words of a step while this share makes the next step. */
    struct shoal_buffer *notes[2];
    unsigned turn;
    struct gas_ranges halo; /* places of the halo, in units of GAS_UNIT particles */
    struct gas_range inner; /* places of particles whose neighbours are all particles of the share */
    struct gather_job job;  /* of the meeting that is put off, if is_put_off */
    bool is_put_off;
    struct arrays arrays;
};

/* Writes the blocks as guests of a visit. Returns their number. */
size_t gas_domains_guests(const struct gas_ranges *blocks, struct solver_guest guests[GAS_RANGES]);
/* Unless the host has the layers of the last sort, waits for that sort, reads its layers and takes them. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_await(struct shoal_solver *share, struct shoal_error *error);

#endif
