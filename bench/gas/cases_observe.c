/* Samples of a gas: the host's clock times steps with a sample after each, with energies and pressure. Before
 * each repetition a gas that takes no samples makes as many steps: the row shows their time as "plain step",
 * and the time that a sample adds as "sample".
 */
#include "bench/runner/bench.h"

#include "cli/output/stats.h"

#include <shoal/gas.h>
#include <stdlib.h>

enum { FIRST = 100, MOST_PLAIN = 256 };

struct sampled {
    uint64_t particles, dim;
    double density;
    uint64_t rdf_bins, structure_bins;
    double hexatic_range; /* 0: no hexatic order */
    uint64_t steps;       /* number of steps in a repetition */
};

struct run {
    struct shoal_gas_params params, plain_params;
    struct shoal_solver *solver, *plain;
    double plain_s[MOST_PLAIN]; /* seconds of the repetitions of the plain gas */
    size_t plain_count;
};

static void set_params(struct shoal_gas_params *params, const struct sampled *sampled)
{
    *params =
        SHOAL_GAS_PARAMS(.particles = sampled->particles, .dim = sampled->dim, .density = sampled->density,
                         .cutoff = 2.5, .equilibration = FIRST, .steps = 1 << 30, .method = SHOAL_GAS_LIST);
}

static enum shoal_status begin_gas(const struct bench *bench, const struct shoal_gas_params *params,
                                   struct shoal_solver **solver, struct shoal_error *error)
{
    const enum shoal_status status = shoal_solver_create(shoal_workload_find("gas"), bench->device,
                                                         bench->queue, params, bench->variant, solver, error);
    return status ? status : shoal_solver_run(*solver, FIRST, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct sampled *sampled = bench->data;
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gas");
    set_params(&run->plain_params, sampled);
    set_params(&run->params, sampled);
    run->params.thermo = 1;
    run->params.rdf_bins = sampled->rdf_bins;
    run->params.structure_bins = sampled->structure_bins;
    run->params.hexatic_range = sampled->hexatic_range;
    enum shoal_status status = begin_gas(bench, &run->plain_params, &run->plain, error);
    if (status == SHOAL_OK)
        status = begin_gas(bench, &run->params, &run->solver, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_solver_build_seconds(run->solver);
    bench->native = shoal_solver_is_native(run->solver);
    bench->work = bench->parts = (double)sampled->steps;
    if (!bench->queue)
        bench->precision = "fp64";
    return SHOAL_OK;
}

static enum shoal_status finish(const struct bench *bench, struct shoal_error *error)
{
    return bench->queue ? shoal_queue_finish(bench->queue, error) : SHOAL_OK;
}

static enum shoal_status run_plain(struct bench *bench, struct shoal_error *error)
{
    const struct sampled *sampled = bench->data;
    struct run *run = bench->state;
    enum shoal_status status = finish(bench, error);
    const double start = bench_seconds();
    if (!status)
        status = shoal_solver_run(run->plain, sampled->steps, error);
    if (!status)
        status = finish(bench, error);
    if (!status && run->plain_count < MOST_PLAIN)
        run->plain_s[run->plain_count++] = bench_seconds() - start;
    return status;
}

static enum shoal_status run_steps(struct bench *bench, struct shoal_error *error)
{
    const struct sampled *sampled = bench->data;
    const struct run *run = bench->state;
    return shoal_solver_run(run->solver, sampled->steps, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct run *run = bench->state;
    return bench_check_result(run->solver, check, error);
}

static void figures(struct bench *bench, double seconds)
{
    struct run *run = bench->state;
    const double plain = stats_of(run->plain_s, run->plain_count).median / bench->parts;
    bench_add_figure(bench, "plain step", "s", plain);
    bench_add_figure(bench, "sample", "s", seconds - plain);
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    shoal_solver_destroy(&run->plain);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, run_plain, run_steps, check, destroy, figures};

static const struct sampled rdf = {65536, 2, 0.8, .rdf_bins = 200, .steps = 20},
                            hexatic = {65536, 2, 0.8, .hexatic_range = 2.5, .steps = 20},
                            structure = {32768, 3, 0.8442, .structure_bins = 20, .steps = 2};

#define CASE(case_name, sampled, text)                                                                       \
    {                                                                                                        \
        .name = case_name, .help = text, .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME,         \
        .all_threads = true, .host = &ops, .device = &ops, .data = &(sampled)                                \
    }

static const struct bench_case cases[] = {
    CASE("gas.observe.rdf-65536", rdf,
         "a step of 65536 disks at density 0.8 and a sample of g(r), 200 bins up to 2.5"),
    CASE("gas.observe.hexatic-65536", hexatic,
         "a step of 65536 disks at density 0.8 and a sample of the hexatic order of six neighbours within "
         "2.5"),
    CASE("gas.observe.structure-32768", structure,
         "a step of 32768 spheres at density 0.8442 and a sample of S(k), 20 bins up to 20, 16 vectors each"),
};

const struct bench_case_list bench_gas_observe_cases = {cases, sizeof cases / sizeof *cases};
