/* Meetings of the shares of a gas with neighbour lists, after steps and builds: in a launch of its own, or in
 * the launch of the next step (cl/gas/methods/list_met.cl). */
#include "gas/domains/domains_state.h"

#include "compute/launch.h"
#include "gas/methods/list.h"

enum { NOTE_BYTES = GAS_WORDS * sizeof(uint32_t) };

/* Bits of the words that shares merge. LARGEST_WORDS: the largest value counts; floats that are not negative
 * compare like their bits. LEAST_WORDS: the earliest failure counts, with the lowest particle number. */
enum {
    LARGEST_WORDS = 1 << WORD_FROZEN | 1 << WORD_OVERFLOW | 3 << WORD_STOP | 1 << WORD_RATE,
    LEAST_WORDS = 1 << WORD_EXPLODED | 1 << WORD_ESCAPED
};

/* Exchanges the words of all shares and, if `takes_halo`, the positions of the halo. Words and positions do
 * not change before the next call of share->meet: a step writes the other array of positions. next: kernel
 * that may make the exchange in the launch of the next step; NULL: no step follows. */
static enum shoal_status meet(struct shoal_solver *share, bool takes_halo, struct shoal_kernel *next,
                              struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    struct gas_domains *domains = device->domains;
    struct shoal_buffer *notes = domains->notes[domains->turn ^= 1];
    const struct solver_table position = {device->position, device->position_bytes};
    struct solver_merge merge = {.largest = LARGEST_WORDS, .least = LEAST_WORDS};
    struct solver_later later = {.kernel = next, .job = &domains->job};
    struct solver_guest guests[GAS_RANGES];
    const struct solver_visit visit = {.tables = &position,
                                       .table_count = takes_halo,
                                       .guests = guests,
                                       .guest_count =
                                           takes_halo ? gas_domains_guests(&domains->halo, guests) : 0,
                                       .rows = share->share.of * GAS_UNIT,
                                       .notes = {notes, NOTE_BYTES},
                                       .own_note = device->words,
                                       .merge = &merge,
                                       .later = next ? &later : NULL,
                                       .cuts = gas_domains_cuts(device),
                                       .stays = true};
    const enum shoal_status status = share->meet(share->meet_data, &visit, error);
    domains->is_put_off = !status && later.is_put_off;
    return status || merge.is_done || later.is_put_off
               ? status
               : LAUNCH(gas_domains_merge, share->queue, domains->merge,
                        shoal_kernel_groups(domains->merge, GAS_WORDS), error, .words = device->words,
                        .notes = notes, .shares = (uint32_t)share->share.shares, .largest = merge.largest,
                        .least = merge.least);
}

enum shoal_status gas_domains_built(struct shoal_solver *share, struct shoal_kernel *next,
                                    struct shoal_error *error)
{
    if (!gas_device_of(share)->domains)
        return SHOAL_OK;
    const enum shoal_status status = meet(share, false, next, error);
    /* waits while the device sorts and builds lists */
    return status ? status : gas_domains_await(share, error);
}

enum shoal_status gas_domains_step(struct shoal_solver *share, struct shoal_kernel *next,
                                   struct shoal_error *error)
{
    return gas_device_of(share)->domains ? meet(share, true, next, error) : SHOAL_OK;
}

bool gas_domains_must_meet(const struct shoal_solver *share)
{
    const struct gas_domains *domains = gas_device_of(share)->domains;
    return domains && domains->is_put_off;
}

enum shoal_status gas_domains_met_step(struct shoal_solver *share, struct shoal_kernel *kernel, size_t groups,
                                       struct gas_list_launch launch, struct shoal_event **event,
                                       struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    struct gas_domains *domains = device->domains;
    const struct gas_neighbours *neighbours = domains->neighbours;
    domains->is_put_off = false;
    launch.inner_begin = domains->inner.begin;
    launch.inner_end = domains->inner.end;
    return LAUNCH_EVENT(gas_list_met_step, share->queue, kernel, gather_groups(&domains->job) + groups, event,
                        error, .position = device->position, .position_out = neighbours->sort->position,
                        GAS_LIST_ARGS(device, neighbours), .launch = &launch, MEET_ARGS(&domains->job),
                        .meeting = &domains->job.list);
}
