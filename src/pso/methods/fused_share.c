/* The method "fused" for a swarm that several devices share. Each device moves its own particles. Between two
 * steps, each device passes the best of its particles to the other devices, and finds the best of the
 * swarm. */
#include "base/error.h"
#include "compute/launch.h"
#include "pso/methods/fused.h"

#include <stdlib.h>

struct fused_share {
    struct shoal_kernel *copy_best;
    /* Bests of the shares after a step: a table for even steps, and a table for odd steps. Row 0 has the best
     * of this share, the other rows have the bests of the other shares. */
    struct fused_bests rows[2];
    struct solver_guest *others; /* [count - 1] */
    size_t count;                /* number of shares; 0: not known yet */
    struct arrays arrays;
};

enum shoal_status fused_share_create(struct shoal_solver *solver, struct fused_share **out,
                                     struct shoal_error *error)
{
    struct fused_share *share = *out = calloc(1, sizeof *share);
    if (!share)
        return fail_host_memory(error);
    const struct entry_kernel kernel = {"pso_copy_best", &share->copy_best};
    struct defines defines = {.count = 0};
    define_add(&defines, "REAL", search_device_of(solver)->precision == SHOAL_FP64 ? 64 : 32);
    if (shoal_device_get_info(solver->device)->is_cpu)
        define_add(&defines, "WG", 1);
    return programs_build(&solver->programs, &pso_fused_best_program, &defines, &kernel, 1, NULL, error);
}

void fused_share_destroy(struct fused_share **pointer)
{
    struct fused_share *share = *pointer;
    if (!share)
        return;
    arrays_destroy(&share->arrays);
    free(share->others);
    free(share);
    *pointer = NULL;
}

/* Finds the other shares, and allocates the tables of bests. All shares must exist. */
static enum shoal_status find_others(struct shoal_solver *solver, struct fused_share *share,
                                     struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct solver_shares *all = solver->share.whole->shares;
    const double count = (double)all->count, numbers = count * (double)device->problem->dim;
    const struct array list[] = {
        {&share->rows[0].value, count, device->real},      {&share->rows[1].value, count, device->real},
        {&share->rows[0].index, count, sizeof(uint32_t)},  {&share->rows[1].index, count, sizeof(uint32_t)},
        {&share->rows[0].position, numbers, device->real}, {&share->rows[1].position, numbers, device->real},
    };
    share->others = malloc(all->count * sizeof *share->others);
    if (!share->others)
        return fail_host_memory(error);
    share->count = 1;
    for (size_t k = 0; k < all->count; k++)
        if (all->solvers[k] != solver) {
            share->others[share->count - 1] =
                (struct solver_guest){.unit = all->solvers[k]->share.first, .row = share->count, .count = 1};
            share->count++;
        }
    share->arrays.queue = solver->queue;
    ARRAYS_SET(&share->arrays, list);
    return arrays_create(&share->arrays, error);
}

/* Copies the best of the `count` rows of slot `slot` of `from` to row `row` of `to`. */
static enum shoal_status copy_best(struct shoal_solver *solver, const struct fused_share *share,
                                   const struct fused_bests *from, uint32_t slot, size_t count,
                                   const struct fused_bests *to, size_t row, struct shoal_error *error)
{
    return LAUNCH(pso_copy_best, solver->queue, share->copy_best, 1, error, .from_value = from->value,
                  .from_index = from->index, .from_position = from->position, .to_value = to->value,
                  .to_index = to->index, .to_position = to->position, .slot = slot, .count = (uint32_t)count,
                  .to = (uint32_t)row, .dim = (uint32_t)search_device_of(solver)->problem->dim);
}

enum shoal_status fused_share_join(struct shoal_solver *solver, struct fused_share *share,
                                   const struct fused_bests *best, size_t groups, uint32_t slot,
                                   struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    enum shoal_status status = share->count ? SHOAL_OK : find_others(solver, share, error);
    const struct fused_bests *rows = &share->rows[slot];
    const struct solver_table tables[] = {{rows->value, device->real},
                                          {rows->index, sizeof(uint32_t)},
                                          {rows->position, device->problem->dim * device->real}};
    const struct solver_visit visit = {.tables = tables,
                                       .table_count = COUNT(tables),
                                       .guests = share->others,
                                       .guest_count = share->count - 1,
                                       .stays = true};
    if (!status)
        status = copy_best(solver, share, best, slot, groups, rows, 0, error);
    if (!status)
        status = solver->meet(solver->meet_data, &visit, error);
    return status ? status : copy_best(solver, share, rows, 0, share->count, best, slot * groups, error);
}
