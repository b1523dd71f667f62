/* From parameters to a search: objective, box, constants. */
#include "pso/model/problem.h"
#include "base/error.h"
#include "base/input.h"
#include "objective/code.h"
#include "objective/rows/table.h"

#include <errno.h>
#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

/* Squares of coordinates stay finite in single precision. */
static const double max_coordinate = 1e15;

/* Objective -------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum shoal_status objective_of_data(struct shoal *shoal, const struct shoal_pso_params *params,
                                           const char *text, const char *name, struct shoal_objective **own,
                                           struct shoal_error *error)
{
    const struct objective_file file = {
        .path = params->data_file,
        .layout = params->data_layout,
        .text = text,
        .name = name,
        .dim = (size_t)params->dim,
        .squared = params->squared,
    };
    enum shoal_status status = objective_from_table_file(shoal, &file, own, error);
    if (status || !params->compressed)
        return status;
    struct shoal_objective *whole = *own;
    *own = NULL;
    status = objective_compress(whole, own, error);
    shoal_objective_destroy(&whole);
    return status;
}

/* Creates the objective of a text, a formula or a table; *own stays NULL if it exists already. */
static enum shoal_status make_objective(struct shoal *shoal, const struct shoal_pso_params *params,
                                        const struct shoal_objective **objective,
                                        struct shoal_objective **own, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *objective = params->objective;
    if (!params->objective && params->expression) {
        status = shoal_objective_from_expression(params->expression, own, error);
    } else if (!params->objective && (params->objective_file || params->data_file)) {
        char *text = NULL;
        const char *name = params->objective_file ? base_name(params->objective_file) : NULL;
        if (params->objective_file)
            status = read_input_text(params->objective_file, "objective", &text, error);
        if (!status && params->data_file)
            status = objective_of_data(shoal, params, text, name, own, error);
        else if (!status)
            status = fail_in_file(error, shoal_objective_from_text(shoal, text, name, own, error));
        free(text);
    } else if (!params->objective) {
        *objective = shoal_objective_at((size_t)params->function);
    }
    /* f6 to f10. The rows are part of the function, so their seed is not the swarm's. */
    if (!status && *objective && (*objective)->info.shape == SHOAL_DATA_ROWS && !(*objective)->table)
        status = objective_from_thesis_table((*objective)->info.name, 1, own, error);
    if (!status && *own)
        *objective = *own;
    return status;
}

static enum shoal_status choose_dim(struct pso_problem *problem, struct shoal_error *error)
{
    const struct shoal_objective_info *info = problem->info;
    const size_t least = info->min_dim, most = info->max_dim;
    problem->dim = (size_t)problem->params->dim;
    if (!problem->dim)
        problem->dim = most == least ? least : least > 30 ? least : most < 30 ? most : 30;
    if (problem->dim >= least && problem->dim <= most)
        return SHOAL_OK;
    if (least == most)
        return fail(error, SHOAL_INVALID, "%s has dim %zu, not --dim %zu", info->name, least, problem->dim);
    if (problem->dim < least)
        return fail(error, SHOAL_INVALID, "%s needs --dim %zu or more", info->name, least);
    return fail(error, SHOAL_INVALID, "%s takes --dim %zu at most, not %zu", info->name, most, problem->dim);
}

/* Box and shift ---------------------------------------------------------------------------------------- */

static enum shoal_status check_side(const struct pso_problem *problem, size_t d, struct shoal_error *error)
{
    const double lower = problem->lower[d], upper = problem->upper[d];
    if (isnan(lower) || isnan(upper))
        return fail(error, SHOAL_INVALID, "%s has no customary box: give %s", problem->info->name,
                    isnan(lower) && isnan(upper) ? "--lower and --upper"
                    : isnan(lower)               ? "--lower"
                                                 : "--upper");
    if (fabs(lower) > max_coordinate || fabs(upper) > max_coordinate)
        return fail(error, SHOAL_INVALID, "the box of dimension %zu, %g to %g, leaves the range of +-%g", d,
                    lower, upper, max_coordinate);
    /* As on the device: a box narrower than a step of the format would be empty. */
    const bool narrow = problem->params->precision == SHOAL_FP32;
    if (narrow ? (float)lower < (float)upper : lower < upper)
        return SHOAL_OK;
    if (lower < upper)
        return fail(error, SHOAL_INVALID,
                    "the box is empty: --lower %.9g and --upper %.9g are one number in single precision",
                    lower, upper);
    return fail(error, SHOAL_INVALID, "the box is empty: --lower %.9g is not less than --upper %.9g", lower,
                upper);
}

static enum shoal_status make_box(struct pso_problem *problem, struct shoal_error *error)
{
    const struct shoal_pso_params *params = problem->params;
    const struct shoal_objective_info *info = problem->info;
    const size_t dim = problem->dim;
    problem->lower = malloc(dim * sizeof *problem->lower);
    problem->upper = malloc(dim * sizeof *problem->upper);
    problem->shift = calloc(dim, sizeof *problem->shift);
    if (!problem->lower || !problem->upper || !problem->shift)
        return fail_host_memory(error);
    const double lower = isnan(params->lower) ? info->lower : params->lower;
    const double upper = isnan(params->upper) ? info->upper : params->upper;
    const double shift = isnan(params->shift) ? 0 : params->shift;
    problem->same_box = shift == 0;
    for (size_t d = 0; d < dim; d++) {
        problem->lower[d] = params->lower_bounds ? params->lower_bounds[d] : lower;
        problem->upper[d] = params->upper_bounds ? params->upper_bounds[d] : upper;
        const enum shoal_status status = check_side(problem, d, error);
        if (status)
            return status;
        if (problem->lower[d] != problem->lower[0] || problem->upper[d] != problem->upper[0])
            problem->same_box = false;
        /* The function is the same for every seed. */
        const struct shoal_words words = shoal_random_words(0, SHOAL_STREAM_PSO_SHIFT, 0, (uint32_t)d, 0);
        problem->shift[d] = shift * (2 * shoal_uniform_double(words.x, 0) - 1);
    }
    return SHOAL_OK;
}

/* Constants -------------------------------------------------------------------------------------------- */

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* chi of Clerc and Kennedy for phi > 4. */
static double constriction(double phi)
{
    return 2 / (phi - 2 + sqrt(phi * phi - 4 * phi));
}

static void set_update(struct pso_problem *problem)
{
    const struct shoal_pso_params *params = problem->params;
    double inertia = 0.7298, pull = 1.49618;
    problem->update = PSO_LINEAR_UPDATE;
    switch ((enum shoal_pso_update)params->update) {
    case SHOAL_PSO_INERTIA:
        break;
    case SHOAL_PSO_LINEAR:
        inertia = 0.9;
        pull = 2;
        break;
    case SHOAL_PSO_CONSTRICTION:
        pull = 2.05;
        break;
    case SHOAL_PSO_SPSO2011:
        inertia = 1 / (2 * log(2));
        pull = 0.5 + log(2);
        problem->update = PSO_SPSO2011_UPDATE;
        break;
    case SHOAL_PSO_FIPS:
        pull = 2.05;
        problem->update = PSO_FIPS_UPDATE;
        break;
    }
    problem->inertia = or_default(params->inertia, inertia);
    problem->cognitive = or_default(params->cognitive, pull);
    problem->social = or_default(params->social, pull);
    if (params->update == SHOAL_PSO_LINEAR && params->iterations > 1)
        problem->inertia_step =
            (or_default(params->inertia_end, 0.4) - problem->inertia) / (double)(params->iterations - 1);
    if (params->update != SHOAL_PSO_CONSTRICTION && params->update != SHOAL_PSO_FIPS)
        return;
    const double phi = problem->cognitive + problem->social, chi = constriction(phi);
    problem->inertia = chi;
    if (params->update == SHOAL_PSO_CONSTRICTION) {
        problem->cognitive *= chi;
        problem->social *= chi;
    } else {
        problem->cognitive = 0;
        problem->social = chi * phi;
    }
}

/* Rows of the torus: the largest divisor of the number of particles not above its root. */
static size_t torus_columns(size_t particles)
{
    size_t rows = (size_t)sqrt((double)particles) + 1;
    while (rows > 1 && (rows > particles / rows || particles % rows))
        rows--;
    return particles / rows;
}

static void set_swarm(struct pso_problem *problem)
{
    const struct shoal_pso_params *params = problem->params;
    problem->particles = (size_t)params->particles;
    problem->swarms = (size_t)params->swarms;
    problem->runs = (size_t)params->runs;
    problem->islands = problem->swarms * problem->runs;
    problem->total = problem->particles * problem->islands;
    problem->sign = params->maximise ? -1 : 1;
    problem->target = isnan(params->target) ? -INFINITY : problem->sign * params->target;
    problem->initial_velocity = (enum shoal_pso_velocity)params->initial_velocity;
    if (problem->initial_velocity == SHOAL_PSO_VELOCITY_BY_UPDATE)
        problem->initial_velocity =
            params->update == SHOAL_PSO_SPSO2011 ? SHOAL_PSO_DIFFERENCE : SHOAL_PSO_HALF_DIFFERENCE;
    problem->neighbours = pso_neighbours(params) * (params->topology == SHOAL_PSO_RANDOM ? LINK_DRAWS : 1);
    problem->columns = torus_columns(problem->particles);
    problem->batch =
        params->batch && params->batch < params->particles ? (size_t)params->batch : problem->particles;
    problem->max_steps = pso_total_steps(params);
}

/* Counters of random numbers have 32 bits, addresses of coordinates 63. */
static enum shoal_status check_counts(const struct pso_problem *problem, struct shoal_error *error)
{
    const double coordinates = (double)problem->total * (double)problem->dim;
    if (coordinates > 1e15)
        return fail(error, SHOAL_INVALID,
                    "%zu particles of dim %zu are %.0f bytes of positions alone: lower --particles or --dim",
                    problem->total, problem->dim, coordinates * sizeof(double));
    const double informants = (double)problem->particles;
    if (problem->update == PSO_FIPS_UPDATE && informants * (double)(problem->dim / 4 + 1) > 4294967295.0)
        return fail(error, SHOAL_INVALID,
                    "fips has no random numbers for %zu particles of dim %zu: lower --particles or --dim",
                    problem->particles, problem->dim);
    return SHOAL_OK;
}

enum shoal_status pso_problem_create(struct shoal *shoal, const struct shoal_pso_params *params,
                                     struct pso_problem *problem, struct shoal_error *error)
{
    *problem = (struct pso_problem){.params = params};
    enum shoal_status status = make_objective(shoal, params, &problem->objective, &problem->own, error);
    if (status)
        goto fail;
    problem->info = shoal_objective_get_info(problem->objective);
    if (params->chunk_rows && problem->info->shape != SHOAL_DATA_ROWS)
        status = fail(error, SHOAL_INVALID,
                      "--chunk-rows needs a table: give --data or one of the functions f6 to f10");
    if (!status)
        status = choose_dim(problem, error);
    if (!status)
        status = make_box(problem, error);
    if (status)
        goto fail;
    set_update(problem);
    set_swarm(problem);
    status = check_counts(problem, error);
    if (!status)
        return SHOAL_OK;
fail:
    pso_problem_destroy(problem);
    return status;
}

static enum shoal_status check_text(const char *path, struct shoal_error *error)
{
    char *text, *checked = NULL;
    struct text_facts facts;
    enum shoal_status status = read_input_text(path, "objective", &text, error);
    if (!status)
        status = fail_in_file(error, text_read(NULL, text, base_name(path), &checked, &facts, error));
    free(checked);
    free(text);
    return status;
}

enum shoal_status pso_check_input(const void *data, struct shoal_error *error)
{
    struct shoal_pso_params params = *(const struct shoal_pso_params *)data;
    struct pso_problem problem;
    if (params.objective_file)
        return check_text(params.objective_file, error);
    /* The tables of f6 to f10 are made, which takes longer than the rest. */
    if (!params.objective && !params.expression && !params.data_file &&
        shoal_objective_at((size_t)params.function)->info.shape == SHOAL_DATA_ROWS)
        return SHOAL_OK;
    params.compressed = false;
    const enum shoal_status status = pso_problem_create(NULL, &params, &problem, error);
    pso_problem_destroy(&problem);
    return status;
}

void pso_problem_destroy(struct pso_problem *problem)
{
    shoal_objective_destroy(&problem->own);
    free(problem->lower);
    free(problem->upper);
    free(problem->shift);
    *problem = (struct pso_problem){0};
}

double pso_value(const struct pso_problem *problem, const double *x, double *scratch)
{
    if (!problem->same_box) {
        for (size_t d = 0; d < problem->dim; d++)
            scratch[d] = x[d] - problem->shift[d];
        x = scratch;
    }
    const double value = problem->sign * shoal_objective_value(problem->objective, x, problem->dim);
    return isfinite(value) ? value : INFINITY;
}
