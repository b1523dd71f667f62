/* Velocity autocorrelation and mean-square displacement over many time origins, at times that are spread
 * evenly on a logarithmic scale, and the diffusion constants of both.
 *
 * Origins at several levels, each twice as far apart as those of the level before: D. Frenkel, B. Smit,
 * Understanding Molecular Simulation, 2nd ed., section 4.4.2. D is the integral of <v(0) . v(t)> over dim (M.
 * S. Green 1954, R. Kubo 1957), or the slope of the displacement over 2 dim (A. Einstein 1905). Errors come
 * from the scatter of groups of particles, which are nearly independent, as for the displacement since step 0
 * (msd.c).
 */
#include "base/error.h"
#include "gas/observe/sampling.h"

#include <math.h>

enum { HALF = GAS_ORIGIN_TIMES / 2 };

/* Number of sample intervals of the time of a row: 0, 1 to GAS_ORIGIN_TIMES, then HALF times in each
 * doubling. */
static uint64_t time_of(size_t row)
{
    if (row <= GAS_ORIGIN_TIMES)
        return row;
    const size_t level = 1 + (row - GAS_ORIGIN_TIMES - 1) / HALF, place = (row - GAS_ORIGIN_TIMES - 1) % HALF;
    return (uint64_t)(HALF + 1 + place) << level;
}

/* The row of the time since the origin of `level` at sample number `sample`, from 0; SIZE_MAX: the time has
 * no row. */
static size_t row_at(size_t level, uint64_t sample)
{
    const uint64_t period = (uint64_t)GAS_ORIGIN_TIMES << level, since = sample % period;
    const uint64_t time = since ? since : period;
    const uint64_t steps = time >> level;
    if (sample == 0 || steps << level != time)
        return SIZE_MAX;
    if (level == 0)
        return (size_t)steps;
    return steps > HALF ? GAS_ORIGIN_TIMES + 1 + (level - 1) * HALF + (size_t)(steps - HALF - 1) : SIZE_MAX;
}

static enum shoal_status add(struct shoal_solver *solver, size_t level, size_t row, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    struct gas_origins *origins = &common->tables.origins;
    double products[GAS_MSD_GROUPS], squares[GAS_MSD_GROUPS];
    enum shoal_status status = common->stepper->correlate(solver, level, products, squares, error);
    if (status)
        return status;
    origins->count[row]++;
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
        origins->products[row][g] += products[g];
        origins->squares[row][g] += squares[g];
    }
    return SHOAL_OK;
}

enum shoal_status gas_origins_record(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const uint64_t sample = common->clock.samples;
    enum shoal_status status = SHOAL_OK;
    for (size_t level = 0; level < GAS_ORIGIN_LEVELS && !status; level++) {
        const size_t row = row_at(level, sample);
        if (row != SIZE_MAX)
            status = add(solver, level, row, error);
        if (!status && sample % ((uint64_t)GAS_ORIGIN_TIMES << level) == 0)
            status = common->stepper->set_origin(solver, level, error);
        if (!status && level == 0 && sample % GAS_ORIGIN_TIMES == 0)
            status = add(solver, 0, 0, error); /* time 0 */
    }
    return status;
}

/* Number of rows before the first that has fewer than `least` origins. */
static size_t rows_with(const struct gas_origins *origins, uint64_t least)
{
    size_t rows = 0;
    while (rows < GAS_ORIGIN_ROWS && origins->count[rows] >= least)
        rows++;
    return rows;
}

/* The mean of a sum per particle, for group `group` of the particles, or for all particles if `group` is
 * GAS_MSD_GROUPS. */
static double mean_of(const struct gas_problem *problem, double sums[GAS_MSD_GROUPS], uint64_t count,
                      size_t group)
{
    double sum = 0, particles = 0;
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++)
        if (group == g || group == GAS_MSD_GROUPS) {
            sum += sums[g];
            particles += (double)(gas_msd_begin(problem->n, g + 1) - gas_msd_begin(problem->n, g));
        }
    return sum / (particles * (double)count);
}

/* The curves of one group of particles, or of all, at the times of the rows. diffusion: integral of `vacf` by
 * the trapezoidal rule over dim. */
struct curves {
    double time[GAS_ORIGIN_ROWS], vacf[GAS_ORIGIN_ROWS], msd[GAS_ORIGIN_ROWS], diffusion[GAS_ORIGIN_ROWS];
};

static void find_curves(const struct gas_origins *given, const struct gas_problem *problem, double interval,
                        size_t group, struct curves *curves)
{
    struct gas_origins origins = *given;
    for (size_t row = 0; row < rows_with(given, 1); row++) {
        curves->time[row] = (double)time_of(row) * interval;
        curves->vacf[row] = mean_of(problem, origins.products[row], origins.count[row], group);
        curves->msd[row] = mean_of(problem, origins.squares[row], origins.count[row], group);
        curves->diffusion[row] =
            row == 0 ? 0
                     : curves->diffusion[row - 1] + 0.5 * (curves->vacf[row] + curves->vacf[row - 1]) *
                                                        (curves->time[row] - curves->time[row - 1]) /
                                                        (double)problem->dim;
    }
}

/* The slope of the displacement over time by least squares over the rows whose times are at least half of the
 * last. */
static double slope_of(const struct curves *curves, size_t rows)
{
    double count = 0, time = 0, value = 0, squares = 0, products = 0;
    size_t first = rows - 1;
    while (first > 1 && curves->time[first - 1] >= 0.5 * curves->time[rows - 1])
        first--;
    for (size_t row = first; row < rows; row++) {
        count++;
        time += curves->time[row];
        value += curves->msd[row];
    }
    for (size_t row = first; row < rows; row++) {
        squares += pow(curves->time[row] - time / count, 2);
        products += (curves->time[row] - time / count) * (curves->msd[row] - value / count);
    }
    return products / squares;
}

/* Adds to *error the squared deviation of a group; *error is then the variance of the mean of all groups. */
static void add_deviation(double *error, double group, double mean)
{
    *error += pow(group - mean, 2) / (GAS_MSD_GROUPS * (GAS_MSD_GROUPS - 1));
}

struct gas_diffusion gas_origins_diffusion(const struct gas_origins *origins,
                                           const struct gas_problem *problem, double interval)
{
    struct gas_diffusion found = {NAN, NAN, NAN, NAN};
    const size_t rows = rows_with(origins, GAS_ORIGIN_LEAST);
    const double per = 2 * (double)problem->dim;
    struct curves all, own;
    if (rows < HALF)
        return found;
    find_curves(origins, problem, interval, GAS_MSD_GROUPS, &all);
    found.vacf = all.diffusion[rows - 1];
    found.msd = slope_of(&all, rows) / per;
    if (problem->n < GAS_MSD_GROUPS)
        return found;
    found.vacf_error = found.msd_error = 0;
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
        find_curves(origins, problem, interval, g, &own);
        add_deviation(&found.vacf_error, own.diffusion[rows - 1], found.vacf);
        add_deviation(&found.msd_error, slope_of(&own, rows) / per, found.msd);
    }
    found.vacf_error = sqrt(found.vacf_error);
    found.msd_error = sqrt(found.msd_error);
    return found;
}

enum shoal_status gas_origins_fill(struct gas_tables *tables, const struct gas_problem *problem,
                                   double interval, struct gas_filling *filling, struct shoal_error *error)
{
    static const char *const names[] = {
        "time", "vacf", "msd", "diffusion", "vacf_error", "msd_error", "diffusion_error", "origins"};
    const struct gas_origins *origins = &tables->origins;
    const size_t rows = rows_with(origins, 1);
    double *columns[sizeof names / sizeof *names];
    struct curves all, own;
    enum shoal_status status = gas_table_begin(tables, rows, filling, error);
    if (status)
        return status;
    for (size_t c = 0; c < sizeof names / sizeof *names; c++)
        columns[c] = gas_table_add(filling, names[c]);
    find_curves(origins, problem, interval, GAS_MSD_GROUPS, &all);
    for (size_t g = 0; g < GAS_MSD_GROUPS && problem->n >= GAS_MSD_GROUPS; g++) {
        find_curves(origins, problem, interval, g, &own);
        for (size_t row = 0; row < rows; row++) {
            add_deviation(&columns[4][row], own.vacf[row], all.vacf[row]);
            add_deviation(&columns[5][row], own.msd[row], all.msd[row]);
            add_deviation(&columns[6][row], own.diffusion[row], all.diffusion[row]);
        }
    }
    for (size_t row = 0; row < rows; row++) {
        columns[0][row] = all.time[row];
        columns[1][row] = all.vacf[row];
        columns[2][row] = all.msd[row];
        columns[3][row] = all.diffusion[row];
        for (size_t c = 4; c < 7; c++)
            columns[c][row] = problem->n >= GAS_MSD_GROUPS ? sqrt(columns[c][row]) : NAN;
        columns[7][row] = (double)origins->count[row];
    }
    return SHOAL_OK;
}
