/* Means over a run and their errors, from samples that are correlated in time.
 *
 * Blocking: H. Flyvbjerg, H. G. Petersen, Error estimates on averages of correlated data, J. Chem. Phys. 91,
 * 461 (1989). Level 0 holds the samples; each further level holds the means of pairs of neighbours in the
 * level before. At each level the error of the mean is computed as if the values were independent. This error
 * grows with the level until blocks are longer than the correlation time. The level is chosen by the rule of
 * R. M. Lee et al., Phys. Rev. E 83, 066706 (2011): the first level whose block length B obeys B^3 > 2 N
 * (error at B / error at 1)^4, where N is the number of samples.
 */
#include "base/error.h"
#include "gas/gas.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 48 };

struct level {
    uint64_t count;
    double mean, squares; /* squares: sum of squared deviations from the mean, by Welford's method */
    /* if count is odd: the last value, which waits for the second value of its pair */
    double waiting;
};

struct series {
    struct level levels[LEVELS];
};

enum { BOX_AVERAGED = GAS_AVERAGED - GAS_MEAN_VOLUME };

struct gas_averages {
    struct series series[GAS_MEAN_VOLUME];
    /* Sums for the least-squares line of the conserved energy over time. */
    uint64_t count;
    double mean_time, mean_energy, time_squares, products;
    struct series box[BOX_AVERAGED]; /* the averages from GAS_MEAN_VOLUME on */
};

static const struct series *series_of(const struct gas_averages *averages, size_t which)
{
    return which < GAS_MEAN_VOLUME ? &averages->series[which] : &averages->box[which - GAS_MEAN_VOLUME];
}

static void series_add(struct series *series, double value)
{
    for (size_t i = 0; i < LEVELS; i++) {
        struct level *level = &series->levels[i];
        const double before = value - level->mean;
        level->mean += before / (double)++level->count;
        level->squares += before * (value - level->mean);
        if (level->count % 2) {
            level->waiting = value;
            return;
        }
        value = 0.5 * (level->waiting + value);
    }
}

static double error_at(const struct level *level)
{
    const double count = (double)level->count;
    return level->count < 2 ? NAN : sqrt(level->squares / (count * (count - 1)));
}

/* Error of the mean at the level that the rule chooses. If there are too few samples for the rule: the
 * largest error among the levels with at least 4 values. */
static double series_error(const struct series *series)
{
    const double first = error_at(&series->levels[0]), samples = (double)series->levels[0].count;
    double largest = first, length = 1;
    if (!(first > 0))
        return first;
    for (size_t i = 0; i < LEVELS && series->levels[i].count >= 2; i++, length *= 2) {
        const double error = error_at(&series->levels[i]), ratio = error / first;
        if (length * length * length > 2 * samples * ratio * ratio * ratio * ratio)
            return error;
        if (series->levels[i].count >= 4)
            largest = fmax(largest, error);
    }
    return largest;
}

enum shoal_status gas_averages_create(struct gas_averages **out, struct shoal_error *error)
{
    *out = calloc(1, sizeof **out);
    return *out ? SHOAL_OK : fail_host_memory(error);
}

void gas_averages_destroy(struct gas_averages **averages)
{
    free(*averages);
    *averages = NULL;
}

void gas_averages_reset(struct gas_averages *averages)
{
    *averages = (struct gas_averages){0};
}

size_t gas_averages_bytes(bool has_box)
{
    return has_box ? sizeof(struct gas_averages) : offsetof(struct gas_averages, box);
}

bool gas_averages_are_sound(const struct gas_averages *averages, uint64_t samples, bool has_box)
{
    for (size_t i = 0; i < (has_box ? GAS_AVERAGED : GAS_MEAN_VOLUME); i++) {
        const struct level *levels = series_of(averages, i)->levels;
        if (levels[0].count > samples)
            return false;
        for (size_t level = 1; level < LEVELS; level++)
            if (levels[level].count != levels[level - 1].count / 2)
                return false;
    }
    return averages->count == samples;
}

void gas_averages_add(struct gas_averages *averages, const struct shoal_gas_thermo *thermo, double particles)
{
    const double values[GAS_AVERAGED] = {
        [GAS_MEAN_TEMPERATURE] = thermo->temperature,
        [GAS_MEAN_PRESSURE] = thermo->pressure,
        [GAS_MEAN_WALL_PRESSURE] = thermo->wall_pressure,
        [GAS_MEAN_KINETIC] = thermo->kinetic / particles,
        [GAS_MEAN_POTENTIAL] = thermo->potential / particles,
        [GAS_MEAN_CONSERVED] = thermo->conserved / particles,
        [GAS_MEAN_VOLUME] = thermo->volume,
        [GAS_MEAN_DENSITY] = particles / thermo->volume,
    };
    for (size_t i = 0; i < GAS_AVERAGED; i++)
        if (!isnan(values[i]))
            series_add(i < GAS_MEAN_VOLUME ? &averages->series[i] : &averages->box[i - GAS_MEAN_VOLUME],
                       values[i]);
    const double count = (double)++averages->count;
    const double time = thermo->time - averages->mean_time;
    averages->mean_time += time / count;
    averages->mean_energy += (values[GAS_MEAN_CONSERVED] - averages->mean_energy) / count;
    averages->time_squares += time * (thermo->time - averages->mean_time);
    averages->products += time * (values[GAS_MEAN_CONSERVED] - averages->mean_energy);
}

struct gas_average gas_averages_get(const struct gas_averages *averages, enum gas_averaged which)
{
    const struct series *series = series_of(averages, which);
    const struct level *samples = &series->levels[0];
    return (struct gas_average){
        .mean = samples->count ? samples->mean : NAN,
        .error = series_error(series),
        .variance = samples->count > 1 ? samples->squares / (double)(samples->count - 1) : NAN,
        .samples = samples->count,
    };
}

double gas_averages_slope(const struct gas_averages *averages)
{
    return averages->count < 3 || !(averages->time_squares > 0) ? NAN
                                                                : averages->products / averages->time_squares;
}
