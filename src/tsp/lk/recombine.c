/* Recombination: the tours of a run are improved by edges of each other. */
#include "base/error.h"
#include "tsp/lk/assembly.h"

#include <omp.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

/* GENERATIONS: most generations of a recombination. INDEX: the counter of the random numbers of the first
 * generation, above the numbers of cells; each generation has MOST counters. */
enum { GENERATIONS = 64, MOST = 1 << 16 };
#define INDEX UINT32_C(0x80000000)

/* Draws which other tour each tour is crossed with: the next one in a random order. */
static void draw_partners(const struct lk *lk, uint32_t step, uint32_t generation, uint32_t *order,
                          uint32_t *partner)
{
    const uint32_t count = lk->replicas;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        const struct shoal_words words = shoal_random_words(lk->seed, SHOAL_STREAM_TSP_IMPROVE, step,
                                                            INDEX + generation * MOST + MOST - 1, i);
        const uint32_t drawn = (uint32_t)((uint64_t)words.x * (i + 1) >> 32), last = order[i];
        order[i] = order[drawn];
        order[drawn] = last;
    }
    for (uint32_t i = 0; i < count; i++)
        partner[order[i]] = order[i + 1 < count ? i + 1 : 0];
}

/* Crosses each tour with its partner; returns the decrease of the sum of the lengths. */
static int64_t cross(struct lk_run *run, struct lk_assembly *assemblies, int threads, uint32_t step,
                     uint32_t generation, const uint32_t *partner)
{
    const struct lk *lk = &run->lk;
    int64_t sum = 0;
    memcpy(run->parents, run->wholes->order, (size_t)lk->replicas * lk->n * sizeof *run->parents);
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : sum)
    for (uint32_t r = 0; r < lk->replicas; r++) {
        if (long_step_look(run->cut))
            continue;
        const int64_t gain =
            lk_assemble(&assemblies[omp_get_thread_num()], run->wholes[r].order,
                        run->parents + (size_t)partner[r] * lk->n, step, INDEX + generation * MOST + r);
        run->wholes[r].length -= gain;
        sum += gain;
    }
    return sum;
}

enum shoal_status lk_recombine(struct lk_run *run, uint64_t step, struct shoal_error *error)
{
    const struct lk *lk = &run->lk;
    const int threads = (uint32_t)run->threads < lk->replicas ? run->threads : (int)lk->replicas;
    struct lk_assembly *assemblies = calloc((size_t)threads, sizeof *assemblies);
    uint32_t *drawn = malloc(2 * (size_t)lk->replicas * sizeof *drawn);
    enum shoal_status status = assemblies && drawn ? SHOAL_OK : fail_host_memory(error);
    for (int t = 0; t < threads && !status; t++) {
        status = lk_assembly_create(&assemblies[t], lk, error);
        assemblies[t].cut = run->cut;
    }
    for (uint32_t g = 0; g < GENERATIONS && !status && !long_step_is_cut(run->cut); g++) {
        draw_partners(lk, (uint32_t)step, g, drawn, drawn + lk->replicas);
        if (!cross(run, assemblies, threads, (uint32_t)step, g, drawn + lk->replicas))
            break;
    }
    for (int t = 0; assemblies && t < threads; t++)
        lk_assembly_destroy(&assemblies[t]);
    free(assemblies);
    free(drawn);
    return status;
}
