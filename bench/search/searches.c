#include "bench/search/searches.h"

#include <math.h>
#include <shoal/workload.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status finish(struct bench *bench, struct shoal_error *error)
{
    return bench->queue ? shoal_queue_finish(bench->queue, error) : SHOAL_OK;
}

enum shoal_status bench_searches_begin(struct bench *bench, const char *workload, struct bench_searches **out,
                                       struct shoal_error *error)
{
    struct bench_searches *searches = bench->state = *out = calloc(1, sizeof *searches);
    if (!searches)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the search");
    searches->workload = workload;
    if (strcmp(workload, "ga") == 0) {
        shoal_ga_params_init(&searches->params.ga);
        searches->params.ga.population = 128;
        searches->params.ga.replacement = SHOAL_GA_GENERATIONAL;
    } else if (strcmp(workload, "de") == 0) {
        shoal_de_params_init(&searches->params.de);
        searches->params.de.population = searches->params.de.population_end = 128;
    } else if (strcmp(workload, "cmaes") == 0) {
        shoal_cmaes_params_init(&searches->params.cmaes);
    } else if (strcmp(workload, "nelder-mead") == 0) {
        shoal_nelder_mead_params_init(&searches->params.nelder_mead);
    } else if (strcmp(workload, "pattern") == 0) {
        shoal_pattern_params_init(&searches->params.pattern);
    } else {
        shoal_pso_params_init(&searches->params.pso);
        searches->params.pso.particles = 1024;
        searches->params.pso.update = SHOAL_PSO_INERTIA;
        searches->params.pso.topology = SHOAL_PSO_GLOBAL;
        searches->params.pso.bounds = SHOAL_PSO_REFLECT;
    }
    searches->params.search.seed = 1;
    searches->params.search.refine = SHOAL_REFINE_AUTO;
    if (!bench->queue)
        bench->precision = "fp64";
    return SHOAL_OK;
}

void bench_searches_destroy(struct bench *bench)
{
    struct bench_searches *searches = bench->state;
    if (!searches)
        return;
    for (size_t i = 0; i < searches->count; i++)
        shoal_solver_destroy(&searches->solvers[i]);
    shoal_objective_destroy(&searches->objective);
    free(searches);
    bench->state = NULL;
}

static enum shoal_status add(struct bench *bench, struct bench_searches *searches, struct shoal_error *error)
{
    enum shoal_status status =
        shoal_solver_create(shoal_workload_find(searches->workload), bench->device, bench->queue,
                            &searches->params, bench->variant, &searches->solvers[searches->count], error);
    searches->count += status == SHOAL_OK;
    return status;
}

/* Seconds of one step of the only search, measured over 2, 4, 8 ... steps from `first` on. */
static enum shoal_status time_step(struct bench *bench, struct bench_searches *searches, double wanted,
                                   double *seconds, struct shoal_error *error)
{
    const uint64_t most = searches->last - searches->first;
    enum shoal_status status = bench_searches_prepare(bench, error);
    for (uint64_t steps = 1; status == SHOAL_OK; steps *= 2) {
        if (status == SHOAL_OK)
            status = finish(bench, error);
        const double start = bench_seconds();
        if (status == SHOAL_OK)
            status = shoal_solver_run(searches->solvers[0], steps, error);
        if (status == SHOAL_OK)
            status = finish(bench, error);
        *seconds = (bench_seconds() - start) / (double)steps;
        searches->done += steps;
        if (*seconds * (double)steps >= wanted / 4 || searches->done + 2 * steps > searches->first + most)
            break;
    }
    return status;
}

/* Number of evaluations of a step of one search. */
static double points_of(const struct bench_searches *searches)
{
    const char *name = searches->workload;
    const uint64_t points = strcmp(name, "ga") == 0
                                ? searches->params.ga.population - searches->params.ga.elites
                            : strcmp(name, "de") == 0          ? searches->params.de.population
                            : strcmp(name, "cmaes") == 0       ? searches->params.cmaes.population
                            : strcmp(name, "nelder-mead") == 0 ? 1
                            : strcmp(name, "pattern") == 0     ? 2 * searches->params.search.dim + 1
                                                               : searches->params.pso.particles;
    return (double)(points * searches->params.search.islands * searches->params.search.runs);
}

enum shoal_status bench_searches_create(struct bench *bench, const struct bench_length *length,
                                        struct shoal_error *error)
{
    struct bench_searches *searches = bench->state;
    searches->first = length->first;
    searches->last = length->last;
    searches->steps = length->steps;
    searches->params.search.iterations = length->last;
    enum shoal_status status = add(bench, searches, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_solver_build_seconds(searches->solvers[0]);
    bench->native = shoal_solver_is_native(searches->solvers[0]);
    if (!searches->steps) {
        double seconds;
        status = time_step(bench, searches, length->seconds, &seconds, error);
        if (status != SHOAL_OK)
            return status;
        /* A tenth more steps, so that a sample that is faster than the calibration is still long enough. */
        const double wanted = 1.1 * length->seconds / seconds;
        const uint64_t most = length->last - length->first;
        searches->steps = wanted <= 1 ? 1 : wanted < (double)most ? (uint64_t)ceil(wanted) : most;
        while (status == SHOAL_OK && searches->count < BENCH_SEARCHES &&
               (double)(searches->count * searches->steps) < wanted)
            status = add(bench, searches, error);
        if (status == SHOAL_OUT_OF_DEVICE_MEMORY)
            status = SHOAL_OK;
        searches->done =
            searches->last; /* the searches are at different steps: the next repetition creates them anew */
    }
    const double steps = (double)searches->steps * (double)searches->count;
    bench->parts = steps;
    bench->work = steps * points_of(searches);
    return status;
}

enum shoal_status bench_searches_prepare(struct bench *bench, struct shoal_error *error)
{
    struct bench_searches *searches = bench->state;
    if (searches->done && searches->done + searches->steps <= searches->last)
        return SHOAL_OK;
    if (searches->done) {
        const size_t count = searches->count;
        for (size_t i = 0; i < count; i++)
            shoal_solver_destroy(&searches->solvers[i]);
        searches->count = 0;
        while (searches->count < count) {
            enum shoal_status status = add(bench, searches, error);
            if (status != SHOAL_OK)
                return status;
        }
    }
    searches->done = searches->first;
    for (size_t i = 0; i < searches->count; i++) {
        enum shoal_status status = shoal_solver_run(searches->solvers[i], searches->first, error);
        if (status != SHOAL_OK)
            return status;
    }
    return SHOAL_OK;
}

enum shoal_status bench_searches_run(struct bench *bench, struct shoal_error *error)
{
    struct bench_searches *searches = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < searches->count && status == SHOAL_OK; i++)
        status = shoal_solver_run(searches->solvers[i], searches->steps, error);
    searches->done += searches->steps;
    return status;
}

enum shoal_status bench_searches_check(struct bench *bench, struct bench_check *check,
                                       struct shoal_error *error)
{
    struct bench_searches *searches = bench->state;
    const bool counts_other_work = bench->roof_work > 0;
    check->passed = true;
    for (size_t i = 0; i < searches->count && check->passed; i++) {
        struct shoal_result result = {0};
        enum shoal_status status = shoal_solver_result(searches->solvers[i], &result, error);
        if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
            return status;
        if (!counts_other_work)
            bench_set_roof_work(bench, &result, bench->work);
        check->passed = status == SHOAL_OK && result.check_passed;
        check->error = fmax(check->error, result.error);
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "%.80s", result.check_name);
    }
    return SHOAL_OK;
}
