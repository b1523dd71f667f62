/* The workload "tsp": the descriptor for `shoal tsp`, and the public functions for its solvers. */
#include "base/error.h"
#include "base/params.h"
#include "tsp/tsp.h"
#include "workload/checkpoint/saved_options.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_ITERATIONS = 1000 };
static const uint64_t most_steps = 4294967040;

void shoal_tsp_params_init(struct shoal_tsp_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_tsp_params){.size = sizeof *params,
                                        .dim = 2,
                                        .optimum = NAN,
                                        .algorithm = SHOAL_TSP_ALGORITHM_AUTO,
                                        .seed = 1,
                                        .time = NAN,
                                        .target = NAN,
                                        .colonies = 1,
                                        .alpha = NAN,
                                        .beta = NAN,
                                        .rho = NAN,
                                        .faco = {.p_best = NAN, .source_share = NAN},
                                        .colony = {.look_bits = 1, .q0 = NAN}};
}

static void params_init(void *params)
{
    shoal_tsp_params_init(params);
    workload_params_extend(&tsp_workload, params);
}

static enum shoal_status check(const void *params, struct shoal_error *error)
{
    const struct shoal_tsp_params *tsp = params;
    const struct tsp_algorithm *algorithm = tsp_algorithms[tsp->algorithm];
    const enum shoal_status status = tsp_check_params(tsp, error);
    /* Other algorithms have 1, too, if their run is resumed from a file without the option. */
    if (!status && tsp->replicas > 1 && tsp->algorithm != SHOAL_TSP_LK)
        return fail(error, SHOAL_INVALID,
                    "--replicas needs --algorithm lk; give that too, or leave --replicas out");
    return status || !algorithm->check ? status : algorithm->check(tsp, error);
}

static enum shoal_status check_input(struct shoal *shoal, const void *params, struct shoal_error *error)
{
    (void)shoal;
    struct tsp_problem problem;
    struct shoal_tsp_params tsp = *(const struct shoal_tsp_params *)params;
    enum shoal_status status = tsp_problem_create(params, &problem, error);
    if (!status)
        tsp_choose_algorithm(&tsp, problem.n, false, TSP_HOST);
    if (!status && tsp_algorithms[tsp.algorithm]->fits)
        status = tsp_algorithms[tsp.algorithm]->fits(&problem, error);
    tsp_problem_destroy(&problem);
    return status;
}

static uint64_t total_steps(const void *params)
{
    const struct shoal_tsp_params *tsp = params;
    const struct tsp_algorithm *algorithm = tsp_algorithms[tsp->algorithm];
    if (algorithm->total_steps)
        return algorithm->total_steps(tsp);
    if (tsp->iterations)
        return tsp->iterations;
    const bool has_time = !isnan(tsp->time) || tsp->algorithm == SHOAL_TSP_ALGORITHM_AUTO;
    return has_time ? most_steps : DEFAULT_ITERATIONS;
}

static bool prefers_host(const void *params, bool is_slow)
{
    return tsp_prefers_host(params, is_slow);
}

/* On devices AUTO is never lk. */
static void settle_as_device(void *params)
{
    struct shoal_tsp_params *tsp = params;
    if (tsp->algorithm == SHOAL_TSP_ALGORITHM_AUTO)
        tsp->algorithm = SHOAL_TSP_FACO;
}

static void make_endless(void *params, uint64_t warm_up_steps)
{
    (void)warm_up_steps;
    struct shoal_tsp_params *tsp = params;
    tsp->iterations = most_steps;
    tsp->time = tsp->target = NAN;
    tsp->tours = tsp->stagnation = tsp->trace = 0;
}

enum shoal_status shoal_tsp_best(struct shoal_solver *solver, uint32_t *tour, size_t capacity,
                                 int64_t *length, struct shoal_error *error)
{
    if (!NEED(error, solver, length))
        return SHOAL_INVALID;
    if (solver->workload != &tsp_workload.face)
        return fail(error, SHOAL_INVALID, "shoal_tsp_best: the solver is none of tsp");
    const struct tsp_run *run = tsp_run_of(solver);
    if (run->length == INT64_MAX)
        return fail(error, SHOAL_INVALID, "shoal_tsp_best: there is no tour yet: make steps first");
    if (tour && capacity < run->problem.n)
        return fail(error, SHOAL_INVALID, "shoal_tsp_best: room for %zu cities, the tour has %u", capacity,
                    (unsigned)run->problem.n);
    *length = run->length;
    if (tour)
        memcpy(tour, run->tour, run->problem.n * sizeof *tour);
    return SHOAL_OK;
}

const struct shoal_tsp_problem *shoal_tsp_problem_of(const struct shoal_solver *solver)
{
    return solver && solver->workload == &tsp_workload.face ? tsp_public(&tsp_run_of(solver)->problem) : NULL;
}

/* The programs of all algorithms. */
extern const struct shoal_program_desc tsp_allpairs_program;
extern const struct shoal_program_desc tsp_ants_together_program;
extern const struct shoal_program_desc tsp_ants_trails_program;
extern const struct shoal_program_desc tsp_ants_walk_program;
extern const struct shoal_program_desc tsp_faco_ants_program;
extern const struct shoal_program_desc tsp_faco_merge_program;
extern const struct shoal_program_desc tsp_faco_source_program;
extern const struct shoal_program_desc tsp_fragments_program;
extern const struct shoal_program_desc tsp_greedy_program;
extern const struct shoal_program_desc tsp_improve_program;
extern const struct shoal_program_desc tsp_lk_search_program;
extern const struct shoal_program_desc tsp_neighbours_all_program;
extern const struct shoal_program_desc tsp_neighbours_program;
extern const struct shoal_program_desc tsp_rounds_program;

static const struct shoal_program_desc *const programs[] = {
    &tsp_allpairs_program,    &tsp_ants_together_program, &tsp_ants_trails_program,
    &tsp_ants_walk_program,   &tsp_faco_ants_program,     &tsp_faco_merge_program,
    &tsp_faco_source_program, &tsp_fragments_program,     &tsp_greedy_program,
    &tsp_improve_program,     &tsp_lk_search_program,     &tsp_neighbours_all_program,
    &tsp_neighbours_program,  &tsp_rounds_program,        TSP_THESIS_PROGRAMS NULL,
};

static const struct shoal_example examples[] = {
    {"shoal tsp --data cities.csv --out tour.csv", "a short round trip through the points of a table"},
    {"shoal tsp --data pr1002.tsp --time 10 --out pr1002.tour --device gpu",
     "ten seconds of a GPU on a TSPLIB file"},
    {"shoal tsp --generate E10k.0 --time 30 --anytime log.jsonl", "each better tour with its time"},
    {"shoal tsp --data stops.csv --start depot --out route.csv",
     "a round trip that begins and ends at the depot"},
    {"shoal tsp --data stops.csv --start depot --end home --out route.geojson",
     "a path between two places on earth"},
    {"shoal tsp --data pr1002.tsp --check pr1002.tour", "is it a tour, and how long?"},
    {"shoal tsp --generate uniform:2000:7 --iterations 200 --device all", "the same cities on every device"},
};

static const struct shoal_case cases[] = {
    {"small", "generate=E1k.0 algorithm=faco iterations=100", SHOAL_CASE_COMPARE},
    {"medium", "generate=E10k.0 algorithm=faco iterations=200", SHOAL_CASE_COMPARE},
    {"large", "generate=E100k.0 algorithm=faco iterations=500", SHOAL_CASE_COMPARE},
    {"uniform", "generate=uniform:200:1", SHOAL_CASE_VERIFY},
    {"local search", "generate=uniform:200:1 algorithm=mmas localsearch=3", SHOAL_CASE_VERIFY_ALONE},
    {"merge", "generate=uniform:200:1 merge=yes", SHOAL_CASE_VERIFY_ALONE},
    {"cells", "generate=uniform:200:1 algorithm=lk cell=50", SHOAL_CASE_VERIFY_ALONE},
    {"replicas", "generate=uniform:200:1 algorithm=lk cell=50 replicas=3", SHOAL_CASE_VERIFY_ALONE},
    {"pieces", "generate=uniform:200:1 pieces=4", SHOAL_CASE_VERIFY_ALONE},
    {"exchange", "generate=uniform:200:1 colonies=3 exchange=2", SHOAL_CASE_VERIFY_ALONE},
    TSP_THESIS_CASES};

/* Values of options in files of earlier versions: the option of a first city implied a path, and candidate
 * lists were always the nearest cities. */
static const struct old_option old_options[] = {{.old_name = "path", .name = "path", .implied_by = "start"},
                                                {.old_name = "lists", .name = "lists", .before = "nearest"},
                                                {.old_name = "replicas", .name = "replicas", .before = "1"},
                                                {NULL}};

const struct workload tsp_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "tsp",
             .summary = "find a short tour through cities",
             .params_size = sizeof(struct shoal_tsp_params) + TSP_THESIS_SIZE,
             .params_init = params_init,
             .options = tsp_options,
             .option_count = TSP_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &tsp_sampling,
             .progress_name = "length",
             .absent = TSP_THESIS_ABSENT},
    .old_options = old_options,
    .check = check,
    .check_input = check_input,
    .total_steps = total_steps,
    .prefers_host = prefers_host,
    .settle_as_device = settle_as_device,
    .time_offset = offsetof(struct shoal_tsp_params, time),
    .make_endless = make_endless,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .steps_section = "step",
    .steps_options = "--iterations",
    .device = &tsp_device_ops,
    .host = &tsp_host_ops,
    .splits = tsp_splits,
    .thesis_member = offsetof(struct shoal_tsp_params, thesis),
    .thesis = TSP_THESIS_PARAMS,
};
