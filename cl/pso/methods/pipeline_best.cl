/* Kernels of the pipeline after the evaluation: personal bests, random links, best neighbours. */
#ifndef WG
#define WG 64
#endif

#include "pso/model/links.clh"

#define KEPT KEPT_PARTICLES(WG)

/* If y[i] is below best[i], the position of particle i becomes its personal best. y: values of the objective, not yet
 * multiplied by the sign of the search. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_keep(__global const real *restrict x, __global real *restrict p, __global const real *restrict y,
              __global real *restrict best, __global uint *restrict outside, __global uint *restrict words,
              __global const real *restrict settings, struct search_shape shape, struct pipeline_batch batch)
{
    __local uint copied[KEPT];
    const uint lid = (uint)get_local_id(0), numbers = batch.count * shape.islands;
    const uint first = (uint)get_group_id(0) * KEPT;
    uint k, d;
    for (k = lid; k < KEPT; k += WG) {
        uint better = 0u;
        if (first + k < numbers) {
            const uint i = particle_of(shape, batch, first + k), island = i / shape.members;
            if (!has_run_ended(words, island)) {
                const int is_fresh = is_drawing(shape, words, island, batch.step), is_out = outside[i] != 0u;
                const real value = is_out ? (real)INFINITY : counted(y[i], settings[SET_SIGN]);
                if (is_fresh || value < best[i]) {
                    best[i] = value;
                    better = 1u;
                }
                if (is_out)
                    outside[i] = 0u;
                else if (!isfinite(value))
                    island_count_not_finite(words, island, 1u);
            }
        }
        copied[k] = better;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (shape.tile == 1u) {
        for (k = 0; k < KEPT; k++)
            if (copied[k]) {
                const ulong base = (ulong)particle_of(shape, batch, first + k) * shape.dim;
                for (d = lid; d < shape.dim; d += WG)
                    p[base + d] = x[base + d];
            }
    } else if (copied[lid % KEPT]) {
        const uint i = particle_of(shape, batch, first + lid % KEPT);
        for (d = lid / KEPT; d < shape.dim; d += WG / KEPT) {
            const ulong at = place_of(shape, i, d);
            p[at] = x[at];
        }
    }
}

/* Whether the links of the island are drawn in this step. force: 1: draws them in any case, with the random numbers of
 * the step in which they were last drawn. */
static int are_links_due(struct search_shape shape, __global const uint *words, uint island, uint step, uint force)
{
    return force || (words[(ulong)island * ISLAND_WORDS + ISLAND_RENEW_AT] == step &&
                      !has_run_ended(words, island) && !is_drawing(shape, words, island, step));
}

/* Empties the lists of links, before pso_links fills them. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_unlink(__global uint *restrict head, __global const uint *restrict words, struct search_shape shape, uint step,
                uint force)
{
    const uint i = (uint)get_global_id(0);
    if (i < shape.members * shape.islands && are_links_due(shape, words, i / shape.members, step, force))
        head[i] = NO_INDEX;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_links(__global uint *restrict head, __global uint *restrict next, __global const uint *restrict words,
               struct search_shape shape, struct pipeline_links links, uint step, uint force)
{
    const uint i = (uint)get_global_id(0);
    if (i < shape.members * shape.islands && are_links_due(shape, words, i / shape.members, step, force)) {
        const uint island = i / shape.members, own = i % shape.members;
        const uint at = words[(ulong)island * ISLAND_WORDS + ISLAND_RENEW_AT];
        uint k;
        for (k = 0; k < links.neighbours; k++) {
            const uint to = informed(seed_of(shape, island), at, first_index_of(shape, island) + own, k, shape.members);
            const uint node = own * links.neighbours + k;
            if (to != own)
                next[(ulong)(i - own) * links.neighbours + node] =
                    atomic_xchg(head + island * shape.members + to, node);
        }
    }
}

/* If the personal best of particle j is better than *least, or equal and j < *found, sets *least to this best and
 * *found to j. */
static void follow(__global const real *best, uint start, uint j, uint *found, real *least)
{
    const real value = best[start + j];
    if (value < *least || (value == *least && j < *found)) {
        *least = value;
        *found = j;
    }
}

/* Finds the leader of each particle of the batch: the particle with the best personal best among its neighbours and
 * itself. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_leaders(__global const real *restrict best, __global const uint *restrict head,
                 __global const uint *restrict next, __global uint *restrict leader, struct search_shape shape,
                 struct pipeline_links links, struct pipeline_batch batch)
{
    const uint number = (uint)get_global_id(0);
    if (number < batch.count * shape.islands) {
        const uint i = particle_of(shape, batch, number), own = i % shape.members, start = i - own;
        uint found = own;
        real least = best[i];
#if TOPOLOGY == RANDOM_LINKS
        uint node;
        for (node = head[i]; node != NO_INDEX; node = next[(ulong)start * links.neighbours + node])
            follow(best, start, node / links.neighbours, &found, &least);
#else
        uint q;
        (void)head;
        (void)next;
        for (q = 0; q < neighbour_count(own, shape.members, links.neighbours); q++)
            follow(best, start, neighbour(own, q, shape.members, links.neighbours, links.columns), &found, &least);
#endif
        leader[i] = start + found;
    }
}
