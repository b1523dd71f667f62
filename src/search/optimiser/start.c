/* Starts the search of an optimiser: its parameters, its algorithm, and its solver on the host. */
#include "base/error.h"
#include "base/params.h"
#include "search/choice/choice.h"
#include "search/optimiser/optimise.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double no_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)x;
    (void)dim;
    return NAN;
}

/* Objective of a search whose caller tells the values, so the library cannot evaluate it. */
static const struct shoal_objective asked_for = {.info = {.size = sizeof(struct shoal_objective_info),
                                                          .name = "the objective that is asked for",
                                                          .formula = "",
                                                          .shape = SHOAL_CALLBACK,
                                                          .lower = NAN,
                                                          .upper = NAN,
                                                          .min_dim = 1,
                                                          .max_dim = 1 << 20,
                                                          .minimum = NAN,
                                                          .minimiser = NAN},
                                                 .value = no_value,
                                                 .is_told = true};

static void no_constraint(const struct shoal_objective *objective, const double *x, size_t dim, double *g)
{
    (void)objective;
    (void)x;
    (void)dim;
    g[0] = 0;
}

/* Objective of a search whose caller tells values and violations. */
static const struct shoal_objective asked_for_constrained = {
    .info = {.size = sizeof(struct shoal_objective_info),
             .name = "the objective that is asked for",
             .formula = "",
             .shape = SHOAL_CALLBACK,
             .lower = NAN,
             .upper = NAN,
             .min_dim = 1,
             .max_dim = 1 << 20,
             .minimum = NAN,
             .minimiser = NAN,
             .constraints = 1},
    .value = no_value,
    .is_told = true,
    .constraints = no_constraint};

/* Returns how many steps, at most `steps`, an ask may cover. So many points hide the time of the calls; more
 * would only delay what a time limit or a callback sees. */
static size_t most_ahead(size_t steps, size_t members, size_t dim)
{
    enum { POINTS = 1024, NUMBERS = 1 << 20 };
    const size_t points = dim > NUMBERS / POINTS ? NUMBERS / dim : POINTS, fitting = points / members,
                 most = fitting < steps ? fitting : steps;
    return most < 1 ? 1 : most;
}

static enum shoal_status start_host(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    const struct shoal_workload *workload = optimiser_workload(optimiser);
    optimiser->host = (struct shoal_solver){.workload = workload,
                                            .ops = workload_of(workload)->host,
                                            .params = optimiser->used,
                                            .threads = (int)optimiser->threads};
    /* the caller of an optimiser tells only values, as a device does */
    if (workload_of(workload)->settle_as_device)
        workload_of(workload)->settle_as_device(optimiser->used);
    enum shoal_status status = optimiser->host.ops->create(&optimiser->host, error);
    if (status)
        return status;
    const struct search_host *host = optimiser_host(optimiser);
    if (host->needs_parts)
        return fail(error, SHOAL_UNSUPPORTED,
                    "an augmented Lagrangian needs values and constraints apart: on the host an optimiser "
                    "has none, give constraint_rule auto or deb");
    if (host->problem->params->polish_every)
        return fail(
            error, SHOAL_UNSUPPORTED,
            "a pattern search during the run evaluates points of its own: on the host an optimiser has "
            "none, give polish_every 0 or a device");
    if (host->problem->has_moves)
        return fail(error, SHOAL_UNSUPPORTED,
                    "a local search evaluates moves of its own: on the host an optimiser has none, give "
                    "local_search none or a device");
    const size_t polish = optimiser->used->polish ? search_polish_capacity(host->problem) : 0;
    const size_t members = search_host_most_points(host);
    optimiser->ahead.most = most_ahead(host->most_ahead, members, host->problem->dim);
    optimiser->step_capacity = polish > members ? polish : members;
    optimiser->capacity = optimiser->ahead.most * members;
    if (polish > optimiser->capacity)
        optimiser->capacity = polish;
    if (optimiser->ahead.most > 1)
        optimiser->ahead.x = malloc(optimiser->capacity * host->problem->dim * sizeof *optimiser->ahead.x);
    optimiser->points = malloc(optimiser->capacity * optimiser->dim * sizeof *optimiser->points);
    optimiser->values = malloc(optimiser->capacity * sizeof *optimiser->values);
    optimiser->told.values = malloc(optimiser->capacity * sizeof *optimiser->told.values);
    optimiser->told.is_told = calloc(optimiser->capacity, sizeof *optimiser->told.is_told);
    if (optimiser->ahead.most > 1 && !optimiser->ahead.x)
        return fail_host_memory(error);
    if (!optimiser->points || !optimiser->values || !optimiser->told.values || !optimiser->told.is_told)
        return fail_host_memory(error);
    return SHOAL_OK;
}

/* Sets the objective, the box and the start points of the optimiser in the parameters. */
static void set_problem(const struct shoal_optimiser *optimiser, struct shoal_search_params *used)
{
    used->objective = optimiser->objective        ? optimiser->objective
                      : optimiser->is_constrained ? &asked_for_constrained
                                                  : &asked_for;
    if (!optimiser->objective) /* the search cannot evaluate points */
        used->refine = SHOAL_REFINE_NONE;
    used->objective_file = used->expression = used->model = used->data_file = used->data_layout = NULL;
    used->squared = used->compressed = false;
    used->instance = 0;
    used->dim = optimiser->dim;
    used->lower = used->upper = used->shift = NAN;
    used->lower_bounds = optimiser->lower;
    used->upper_bounds = optimiser->upper;
    used->lower_list = used->upper_list = used->start = NULL;
    used->start_points = optimiser->start;
    used->start_count = optimiser->start_count;
}

/* Creates the parameters of the search. If the problem chooses the algorithm, and a saved search has not set
 * it already, chooses it here. */
static enum shoal_status take_params(struct shoal_optimiser *optimiser, void **taken,
                                     struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!optimiser->is_auto) {
        status = workload_params_take("shoal_optimise", optimiser_workload(optimiser), optimiser->params,
                                      taken, error);
        if (!status)
            set_problem(optimiser, *taken);
        return status;
    }
    struct shoal_optimise_params params;
    struct shoal_optimise_choice choice = {.size = sizeof choice};
    memcpy(&params, optimiser->params, sizeof params);
    set_problem(optimiser, &params.search);
    params.on_devices = optimiser->device;
    params.lacks_double = optimiser->device && !shoal_device_get_info(optimiser->device)->fp64;
    if (!optimiser->algorithm) {
        status = shoal_optimise_choose(NULL, &params, &choice, error);
        if (!status)
            optimiser->algorithm = search_algorithm_find(choice.workload->name);
    }
    return status ? status : choice_params_of(optimiser->algorithm, &params.search, taken, error);
}

enum shoal_status optimiser_start(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    if (optimiser->started)
        return SHOAL_OK;
    void *taken;
    enum shoal_status status = take_params(optimiser, &taken, error);
    if (status)
        return status;
    free(optimiser->used);
    struct shoal_search_params *used = optimiser->used = taken;
    if (used->runs != 1 || used->trace != 0)
        return fail(error, SHOAL_INVALID,
                    "an optimiser makes one run without a trace: set runs to 1 and trace to 0");
    if (used->objective->info.dynamic && !optimiser->device)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s depends on the generation: an optimiser on the host has one value of each point",
                    used->objective->info.name);
    status = shoal_workload_validate(NULL, optimiser_workload(optimiser), used, error);
    if (status)
        return status;
    optimiser->started = true; /* from here on, a reset frees the search */
    if (!optimiser->device)
        status = start_host(optimiser, error);
    if (status)
        shoal_optimiser_reset(optimiser);
    return status;
}

enum shoal_status optimiser_start_asking(struct shoal_optimiser *optimiser, const char *function,
                                         struct shoal_error *error)
{
    if (!NEED_OF(error, function, optimiser))
        return SHOAL_INVALID;
    if (optimiser->device)
        return fail(error, SHOAL_UNSUPPORTED, "%s is for searches on the host, the device is %s", function,
                    shoal_device_get_info(optimiser->device)->id);
    return optimiser_start(optimiser, error);
}
