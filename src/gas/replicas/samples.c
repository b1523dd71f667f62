/* What replicas on a device have done, once the host has read it: the steps of each, and its samples, which
 * are added to its means. */
#include "base/error.h"
#include "base/threads.h"
#include "gas/replicas/device.h"
#include "gas/replicas/failures.h"

#include <math.h>
#include <stdlib.h>

/* A sum of a sample. */
static double sum_of(const struct gas_problem *problem, const void *sums, size_t at)
{
    return problem->params->precision == SHOAL_GAS_SINGLE
               ? (double)((const float *)sums)[2 * at] + (double)((const float *)sums)[2 * at + 1]
               : ((const double *)sums)[at];
}

/* Adds sample number `sample`, which is the one number `at` of the launch, to the means of a replica. */
static void add_sample(struct replica *replica, const void *sums, size_t at, uint64_t sample, uint64_t every)
{
    const struct gas_problem *problem = &replica->problem;
    const double mass = problem->params->mass;
    struct shoal_gas_thermo thermo = {.step = sample * every,
                                      .time = (double)(sample * every) * problem->params->dt,
                                      .kinetic = 0.5 * mass * sum_of(problem, sums, at + REPLICAS_SQUARES),
                                      .potential = sum_of(problem, sums, at + REPLICAS_PAIRS),
                                      .wall_pressure = NAN};
    gas_finish_thermo(problem, sum_of(problem, sums, at + REPLICAS_VIRIAL), 0, &thermo);
    gas_averages_add(replica->averages, &thermo, (double)problem->n);
    replica->last = thermo;
    replica->samples++;
}

/* Adds what a sample counts: the device counts each pair once. counts: of this sample. */
static enum shoal_status add_tally(struct replica *replica, const uint32_t *counts, struct shoal_error *error)
{
    const struct gas_problem *problem = &replica->problem;
    const size_t count = replicas_tally_counts(problem);
    double *pairs = malloc((count + 1) * sizeof *pairs);
    if (!pairs)
        return fail_host_memory(error);
    for (size_t at = 0; at < count; at++)
        pairs[at] = 2.0 * counts[at];
    const double largest = problem->params->cluster_distance > 0 ? counts[count - 1] / (double)problem->n : 0;
    const enum shoal_status status = replica_tally(replica, pairs, largest, error);
    free(pairs);
    return status;
}

/* Adds sample number `sample` of replica `index` to its means. */
static enum shoal_status take_sample(const struct shoal_gas_replicas *replicas, size_t index, uint64_t sample,
                                     struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    struct replica *replica = &replicas->each[index];
    const size_t at = index * device->sample_room + (size_t)(sample - device->read_from),
                 counts = replicas_tally_counts(&replica->problem);
    const enum shoal_status status =
        counts ? add_tally(replica, device->all_tallies + at * counts, error) : SHOAL_OK;
    if (!status)
        add_sample(replica, device->all_samples, at * REPLICAS_SUMS, sample, device->sample_every);
    return status;
}

/* Keeps how far a replica has come, and adds its samples that were read. */
static enum shoal_status keep_one(const struct shoal_gas_replicas *replicas, size_t index,
                                  struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    struct replica *replica = &replicas->each[index];
    const uint32_t *words = device->all_words + index * GAS_WORDS;
    enum shoal_status status = SHOAL_OK;
    replica->steps = words[WORD_STEP];
    replica->rebuilds = words[WORD_REBUILDS];
    if (words[WORD_EXPLODED] != UINT32_MAX && !*replica->failure) {
        struct shoal_error own = {0};
        if (gas_fail_exploded(&replica->problem, words[WORD_EXPLODED], words[WORD_EXPLODED_ID], &own))
            replica_fail(replica, &own);
    }
    /* a failed call may have taken samples of some replicas */
    while (replica->samples < device->sampled && !*replica->failure && !status)
        status = take_sample(replicas, index, replica->samples, error);
    return status;
}

enum shoal_status replicas_keep_samples(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const double counts = (double)replicas_tally_counts(replicas_problem(replicas)),
                 alone_s = (1e-6 + 1e-8 * counts) * (double)replicas->count *
                           (double)(device->sampled - device->read_from);
    struct first_failure first = {0, SHOAL_OK, {0}};
#pragma omp parallel for schedule(static) num_threads(threads_once(alone_s))
    for (size_t i = 0; i < replicas->count; i++) {
        struct shoal_error own = {0};
        const enum shoal_status status = keep_one(replicas, i, &own);
        if (status)
            keep_failure(&first, i, status, &own);
    }
    if (!first.status)
        device->read_from = device->sampled;
    return first_status(&first, error);
}
