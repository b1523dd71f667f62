#include "bench/ga/thesis/host.h"

#include <math.h>
#include <shoal/objective.h>
#include <stdlib.h>

/* Number of evaluations in a repetition: enough to keep all threads busy, and yet short beside a sample. */
enum { EVALUATIONS = 1 << 20 };

struct run {
    struct thesis_ga_problem problem;
    const struct thesis_ga_twin *twin;
    struct thesis_ga *ga;
    size_t generations;
};

const char *thesis_ga_function_name(enum thesis_ga_function function)
{
    static const char *const names[] = {"griewank", "griewank-100", "michalewicz", "rosenbrock"};
    return names[function];
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    run->twin->destroy(run->ga);
    free(run);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct thesis_ga_case *of = bench->data;
    if (of->islands == 1)
        bench->threads = 1;
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the search");
    const size_t members = of->population * of->islands;
    run->twin = of->scalar ? &thesis_ga_scalar : thesis_ga_vector();
    run->problem = (struct thesis_ga_problem){.function = of->function,
                                              .dim = THESIS_GA_DIM,
                                              .population = of->population,
                                              .islands = of->islands,
                                              .roulette = of->roulette,
                                              .single_point = of->single_point,
                                              .elitism = of->elitism,
                                              .conditional = of->conditional,
                                              .crossover_rate = of->crossover_rate,
                                              .mutation_rate = of->mutation_rate,
                                              .sigma = 1,
                                              .seed = 1};
    run->ga = run->twin->create(&run->problem);
    if (!run->ga)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu individuals", members);
    run->generations = members < EVALUATIONS ? EVALUATIONS / members : 1;
    bench->compiler = run->twin->compiler;
    bench->parts = (double)run->generations;
    bench->work = (double)(run->generations * members);
    return SHOAL_OK;
}

static enum shoal_status run_generations(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    const struct run *run = bench->state;
    run->twin->run(run->ga, run->generations);
    return SHOAL_OK;
}

/* Checks the values of the first and the last island, and that no value is below the best one. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    (void)error;
    const struct run *run = bench->state;
    const struct thesis_ga_problem *problem = &run->problem;
    const struct shoal_objective *objective =
        shoal_objective_find(thesis_ga_function_name(problem->function));
    check->passed = true;
    for (size_t k = 0; k<problem->islands; k += problem->islands> 1 ? problem->islands - 1 : 1)
        for (size_t i = 0; i < problem->population; i++) {
            double x[THESIS_GA_DIM];
            for (size_t d = 0; d < THESIS_GA_DIM; d++)
                x[d] = (double)run->twin->gene(run->ga, k, i, d);
            const double wanted = shoal_objective_value(objective, x, THESIS_GA_DIM),
                         value = (double)run->twin->value(run->ga, k, i);
            const double off = fabs(value - wanted) / fmax(1, fabs(wanted));
            check->error = fmax(check->error, off);
            if (off <= 1e-5 && value >= (double)run->twin->best(run->ga, k))
                continue;
            check->passed = false;
            snprintf(check->detail, sizeof check->detail, "a value is %.9g, not %.9g; the best is %.9g",
                     value, wanted, (double)run->twin->best(run->ga, k));
        }
    return SHOAL_OK;
}

void thesis_ga_figures(struct bench *bench, double seconds)
{
    bench_add_figure(bench, "gene iterations", "genes/s",
                     THESIS_GA_DIM * bench->work / bench->parts / seconds);
}

const struct bench_ops thesis_ga_host_ops = {create, NULL,    run_generations,
                                             check,  destroy, thesis_ga_figures};

/* Quality ---------------------------------------------------------------------------------------------- */

/* Makes the same populations again for each repetition. */
static enum shoal_status begin_again(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    run->twin->destroy(run->ga);
    run->ga = run->twin->create(&run->problem);
    return run->ga ? SHOAL_OK : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the populations");
}

static enum shoal_status create_quality(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = create(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct run *run = bench->state;
    run->generations = THESIS_GA_GENERATIONS;
    bench->parts = 1;
    return SHOAL_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void thesis_ga_quality(struct bench *bench, double mean, double error, double median)
{
    bench_add_figure(bench, "mean best", "", mean);
    bench_add_figure(bench, "its standard error", "", error);
    bench_add_figure(bench, "median best", "", median);
}

static void quality_figures(struct bench *bench, double seconds)
{
    const struct run *run = bench->state;
    double best[THESIS_GA_RUNS], sum = 0, squares = 0;
    (void)seconds;
    for (size_t k = 0; k < THESIS_GA_RUNS; k++)
        sum += best[k] = (double)run->twin->best(run->ga, k);
    const double mean = sum / THESIS_GA_RUNS;
    for (size_t k = 0; k < THESIS_GA_RUNS; k++)
        squares += (best[k] - mean) * (best[k] - mean);
    qsort(best, THESIS_GA_RUNS, sizeof *best, ascending);
    thesis_ga_quality(bench, mean, sqrt(squares / (THESIS_GA_RUNS - 1) / THESIS_GA_RUNS),
                      (best[THESIS_GA_RUNS / 2 - 1] + best[THESIS_GA_RUNS / 2]) / 2);
}

const struct bench_ops thesis_ga_host_quality_ops = {create_quality, begin_again, run_generations,
                                                     check,          destroy,     quality_figures};
