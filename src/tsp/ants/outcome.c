/* Results of a run of ants, checks of a checkpoint, and the descriptions of the algorithms as, eas, ras,
 * mmas, bwas and acs. */
#include "base/error.h"
#include "tsp/ants/ants.h"
#include "workload/result.h"

#include <stdlib.h>

#include "tsp/ants/rules.h"

/* Best -------------------------------------------------------------------------------------------------- */

static struct tsp_look best_of(const void *states, uint32_t index)
{
    const struct ants_colony *colony = (const struct ants_colony *)states + index;
    return (struct tsp_look){.best = colony->best, .best_step = colony->best_step};
}

void ants_set_colonies(const struct ants *ants, struct ants_colony *states, struct tsp_colonies *common)
{
    const struct ants_settings *settings = ants->settings;
    common->count = settings->colonies;
    common->cities = settings->cities;
    common->kept = ANTS_BEST(1) - ANTS_BEST(0);
    common->ants = (uint64_t)settings->colonies * settings->ants;
    common->states = states;
    common->state_bytes = settings->colonies * sizeof *states;
    common->best_of = best_of;
}

/* Adds the number of colonies, and the mean length of their best tours in the unit of the input. */
void ants_add_fields(const struct tsp_run *run, const struct ants_colony *colonies, uint32_t count,
                     struct shoal_result *result)
{
    const double unit = run->problem.unit;
    const int64_t offset = run->length - run->look.best;
    double sum = 0, squares = 0;
    bool have_tours = true; /* false: the run ended within its first step */
    for (uint32_t c = 0; c < count; c++)
        have_tours = have_tours && colonies[c].best < ANTS_NO_LENGTH;
    if (count < 2 || !have_tours)
        return;
    for (uint32_t c = 0; c < count; c++)
        sum += (double)(colonies[c].best + offset) * unit;
    const double mean = sum / count;
    for (uint32_t c = 0; c < count; c++) {
        const double difference = (double)(colonies[c].best + offset) * unit - mean;
        squares += difference * difference;
    }
    result_add_uint(result, "colonies", "", count);
    result_add_real(result, "mean_length", run->problem.unit_name, mean);
    result_add_error(result, "mean_length_error", sqrt(squares / count / (count - 1)), count, "colonies");
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

static bool is_permutation(const uint32_t *tour, uint32_t n, uint32_t *seen, uint32_t mark)
{
    for (uint32_t i = 0; i < n; i++) {
        if (tour[i] >= n || seen[tour[i]] == mark)
            return false;
        seen[tour[i]] = mark;
    }
    return true;
}

static bool is_possible(const struct ants *ants, const struct ants_colony *colony, uint32_t step,
                        const uint32_t *tours)
{
    const uint32_t n = ants->settings->cities;
    const bool has_best = colony->best < ANTS_NO_LENGTH, has_restart = colony->restart_best < ANTS_NO_LENGTH;
    return (!has_best || colony->best == tsp_form_length(ants->problem, tours)) &&
           (!has_restart || colony->restart_best == tsp_form_length(ants->problem, tours + n)) &&
           (has_best || !step) && colony->trail_max > 0 && colony->trail_max < INFINITY &&
           colony->trail_min > 0 && colony->trail_min < INFINITY && colony->best_step <= step &&
           colony->restart_step <= step + 1 && colony->restart_found <= step && colony->every <= 25 &&
           colony->is_reset <= 1 && colony->shortest < ants->settings->ants;
}

enum shoal_status ants_check_saved(const struct ants *ants, const struct checkpoint *checkpoint,
                                   uint64_t step, struct shoal_error *error)
{
    const struct ants_settings *settings = ants->settings;
    const size_t n = settings->cities, colonies = settings->colonies,
                 count = colonies * n * settings->entries;
    uint32_t *tours = malloc(2 * colonies * n * sizeof *tours), *seen = calloc(n, sizeof *seen);
    struct ants_colony *states = malloc(colonies * sizeof *states);
    float *trails = malloc(count * sizeof *trails);
    enum shoal_status status = tours && seen && states && trails ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = checkpoint_get(checkpoint, "best tours", tours, 2 * colonies * n * sizeof *tours, error);
    if (!status)
        status = checkpoint_get(checkpoint, "colonies", states, colonies * sizeof *states, error);
    if (!status)
        status = checkpoint_get(checkpoint, "pheromone", trails, count * sizeof *trails, error);
    bool is_good = true;
    for (size_t i = 0; i < 2 * colonies && !status; i++)
        is_good &= is_permutation(&tours[i * n], (uint32_t)n, seen, (uint32_t)i + 1);
    for (size_t c = 0; c < colonies && !status && is_good; c++)
        is_good = is_possible(ants, &states[c], (uint32_t)step, &tours[2 * c * n]);
    for (size_t i = 0; i < count && !status; i++)
        is_good &= trails[i] >= 0x1p-126f && trails[i] <= 0x1p126f;
    free(tours);
    free(seen);
    free(states);
    free(trails);
    return status || is_good ? status : checkpoint_damaged(checkpoint, error);
}

/* Algorithms -------------------------------------------------------------------------------------------- */

static enum shoal_status check(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    /* The least value of rho that ACOTSP allows. The initial pheromone can be 1 / rho, in single
     * precision. */
    if (!isnan(params->rho) && !(params->rho >= 1e-6 && params->rho < 1))
        return fail(error, SHOAL_INVALID, "--rho %g: with these ants it is at least 1e-6 and below 1",
                    params->rho);
    return SHOAL_OK;
}

#define ALGORITHM(name_)                                                                                     \
    const struct tsp_algorithm tsp_##name_ = {.name = #name_,                                                \
                                              .has_colonies = true,                                          \
                                              .check = check,                                                \
                                              .host = &ants_host_method,                                     \
                                              .device = &ants_device_method}
ALGORITHM(as);
ALGORITHM(eas);
ALGORITHM(ras);
ALGORITHM(mmas);
ALGORITHM(bwas);
ALGORITHM(acs);
