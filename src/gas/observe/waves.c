/* Wave vectors of a periodic box for the structure factor. */
#include "base/error.h"
#include "gas/observe/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* All vectors with at most SMALL waves along each axis are candidates; for larger vectors, TRIES directions
 * for each bin. */
enum { SMALL = 8, TRIES = 4 * GAS_WAVES };

/* The largest |k|. */
static double wave_range(const struct shoal_gas_params *params)
{
    return gas_given_or(params->structure_range, 20);
}

/* The vectors of each bin while they are chosen: bin b has counts[b] of them from index b GAS_WAVES on. */
struct wave_choice {
    const struct gas_problem *problem;
    size_t bins;
    int32_t (*waves)[GAS_MAX_DIM];
    uint32_t *counts;
};

static double length_of(const struct gas_problem *problem, const int32_t waves[GAS_MAX_DIM])
{
    double square = 0;
    for (size_t k = 0; k < problem->dim; k++)
        square += pow(2 * pi * waves[k] / problem->length[k], 2);
    return sqrt(square);
}

/* Adds a vector to its bin, unless the bin is full or has it or its negative. */
static void consider(struct wave_choice *chosen, const int32_t given[GAS_MAX_DIM])
{
    const double at =
        length_of(chosen->problem, given) / wave_range(chosen->problem->params) * (double)chosen->bins;
    int32_t waves[GAS_MAX_DIM];
    int32_t sign = 0;
    for (size_t k = 0; k < GAS_MAX_DIM && !sign; k++)
        sign = (given[k] > 0) - (given[k] < 0);
    if (!sign || !(at < (double)chosen->bins))
        return;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        waves[k] = sign * given[k];
    const size_t bin = (size_t)at;
    int32_t(*own)[GAS_MAX_DIM] = chosen->waves + bin * GAS_WAVES;
    for (uint32_t i = 0; i < chosen->counts[bin]; i++)
        if (memcmp(own[i], waves, sizeof waves) == 0)
            return;
    if (chosen->counts[bin] < GAS_WAVES)
        memcpy(own[chosen->counts[bin]++], waves, sizeof waves);
}

static void consider_small(struct wave_choice *chosen)
{
    const int32_t deep = chosen->problem->dim == 3 ? SMALL : 0;
    for (int32_t x = 0; x <= SMALL; x++)
        for (int32_t y = -SMALL; y <= SMALL; y++)
            for (int32_t z = -deep; z <= deep; z++)
                consider(chosen, (const int32_t[]){x, y, z});
}

/* Considers the vectors nearest to points at the middle of the bins, in directions that are spread over a
 * half circle or a half sphere by the golden ratio. */
static void consider_spread(struct wave_choice *chosen)
{
    const struct gas_problem *problem = chosen->problem;
    const double golden = 0.61803398874989485, width = wave_range(problem->params) / (double)chosen->bins;
    for (size_t b = 0; b < chosen->bins; b++)
        for (size_t t = 0; t < TRIES; t++) {
            const double k = ((double)b + 0.5) * width, turn = fmod((double)(b * TRIES + t) * golden, 1);
            const double rise = problem->dim == 3 ? ((double)t + 0.5) / TRIES : 0,
                         flat = sqrt(1 - rise * rise);
            const double angle = (problem->dim == 3 ? 2 : 1) * pi * turn;
            const double along[GAS_MAX_DIM] = {k * flat * cos(angle), k * flat * sin(angle), k * rise};
            int32_t waves[GAS_MAX_DIM] = {0};
            for (size_t axis = 0; axis < problem->dim; axis++)
                waves[axis] = (int32_t)lrint(along[axis] * problem->length[axis] / (2 * pi));
            consider(chosen, waves);
        }
}

enum shoal_status gas_waves_create(const struct gas_problem *problem, struct gas_waves *waves,
                                   struct shoal_error *error)
{
    const size_t bins = (size_t)problem->params->structure_bins;
    struct wave_choice chosen = {problem, bins, calloc(bins * GAS_WAVES, sizeof *chosen.waves),
                                 calloc(bins, sizeof *chosen.counts)};
    *waves = (struct gas_waves){.waves = chosen.waves, .bin = calloc(bins * GAS_WAVES, sizeof *waves->bin)};
    enum shoal_status status =
        chosen.waves && chosen.counts && waves->bin ? SHOAL_OK : fail_host_memory(error);
    double longest = 0;
    memcpy(waves->length, problem->length, sizeof waves->length);
    for (size_t k = 0; k < problem->dim; k++)
        longest = fmax(longest, problem->length[k]);
    if (!status && wave_range(problem->params) * longest / (2 * pi) > GAS_MOST_WAVES)
        status = fail(error, SHOAL_INVALID,
                      "--structure-range %g has more than %d waves in the box, which is %g long: lower it",
                      wave_range(problem->params), GAS_MOST_WAVES, longest);
    if (!status) {
        consider_small(&chosen);
        consider_spread(&chosen);
        for (size_t b = 0; b < bins; b++)
            for (uint32_t i = 0; i < chosen.counts[b]; i++, waves->count++) {
                memmove(waves->waves[waves->count], chosen.waves[b * GAS_WAVES + i], sizeof *waves->waves);
                waves->bin[waves->count] = (uint32_t)b;
            }
    }
    if (!status && waves->count == 0)
        status = fail(error, SHOAL_INVALID,
                      "--structure-range %g is below the least wave number of the box, %.4g: raise it",
                      wave_range(problem->params), 2 * pi / longest);
    free(chosen.counts);
    return status;
}

void gas_waves_destroy(struct gas_waves *waves)
{
    free(waves->waves);
    free(waves->bin);
    *waves = (struct gas_waves){0};
}
