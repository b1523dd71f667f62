/* Ants: tours that they construct in a second, and what follows a step of theirs.
 *
 * The problem is TSPLIB's pr1002, read from the folder that $SHOAL_TSPLIB names; without it the cases are
 * left out. A step of an ant takes about 42 warp instructions on NVIDIA GPUs. The exchanges among the
 * work-items of a warp, 8 of them in a step, set the limit, which is no measured roof. Before the first
 * figure the lengths of all tours of one step are compared with those of the host, which constructs the
 * same. */
#include "bench/tsp/tsplib.h"

#include <math.h>
#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ants_case {
    uint64_t ants, colonies, host_colonies, local_search;
};

struct ants {
    struct shoal_tsp_params params;
    struct shoal_solver *solver;
    char path[512];
    bool is_checked;
};

enum { STEPS = 4 };

static void destroy(struct bench *bench)
{
    struct ants *ants = bench->state;
    if (!ants)
        return;
    shoal_solver_destroy(&ants->solver);
    free(ants);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct ants_case *own = bench->data;
    struct ants *ants = bench->state = calloc(1, sizeof *ants);
    if (!ants)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of ants");
    enum shoal_status status = bench_tsplib("pr1002", ants->path, sizeof ants->path, error);
    if (status != SHOAL_OK)
        return status;
    shoal_tsp_params_init(&ants->params);
    ants->params.algorithm = SHOAL_TSP_MMAS;
    ants->params.data = ants->path;
    ants->params.ants = own->ants;
    ants->params.colonies = bench->queue ? own->colonies : own->host_colonies;
    ants->params.candidates = 32;
    ants->params.lists = SHOAL_TSP_LISTS_NEAREST; /* stated, so that no default changes the figures */
    ants->params.colony.local_search = own->local_search;
    shoal_workload_make_endless(shoal_workload_find("tsp"), &ants->params, 0);
    status = shoal_solver_create(shoal_workload_find("tsp"), bench->device, bench->queue, &ants->params,
                                 bench->variant, &ants->solver, error);
    if (status != SHOAL_OK)
        return status;
    bench->build_s = shoal_solver_build_seconds(ants->solver);
    bench->native = shoal_solver_is_native(ants->solver);
    bench->parts = STEPS;
    bench->work = (double)(STEPS * ants->params.ants * ants->params.colonies);
    return shoal_solver_run(ants->solver, 1, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct ants *ants = bench->state;
    return shoal_solver_run(ants->solver, STEPS, error);
}

/* Finds the lengths of the tours of the first step, by a solver that is made for this. */
static enum shoal_status first_lengths(struct shoal_device *device, struct shoal_queue *queue,
                                       const struct shoal_tsp_params *params, double *lengths, size_t count,
                                       struct shoal_error *error)
{
    struct shoal_solver *solver = NULL;
    enum shoal_status status = shoal_solver_create(shoal_workload_find("tsp"), device, queue, params,
                                                   SHOAL_VARIANT_AUTO, &solver, error);
    if (status == SHOAL_OK)
        status = shoal_solver_run(solver, 1, error);
    if (status == SHOAL_OK)
        status = shoal_solver_state(solver, lengths, count, &count, error);
    shoal_solver_destroy(&solver);
    return status;
}

/* Whether a device constructs the tours of the host: looks at the first colony, for which the host has
 * time. */
static enum shoal_status compare(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct ants *ants = bench->state;
    struct shoal_device *host = NULL;
    struct shoal_tsp_params params = ants->params;
    params.colonies = 1;
    const size_t count = (size_t)params.ants;
    double *lengths = calloc(2 * count, sizeof *lengths);
    enum shoal_status status = lengths ? SHOAL_OK : SHOAL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < shoal_device_count(bench->shoal) && !host; i++)
        if (shoal_device_get_info(shoal_device_at(bench->shoal, i))->is_host)
            host = shoal_device_at(bench->shoal, i);
    if (status == SHOAL_OK)
        status = first_lengths(bench->device, bench->queue, &params, lengths, count, error);
    if (status == SHOAL_OK)
        status = first_lengths(host, NULL, &params, lengths + count, count, error);
    ants->is_checked = status == SHOAL_OK && memcmp(lengths, lengths + count, count * sizeof *lengths) == 0;
    if (status == SHOAL_OK && !ants->is_checked) {
        check->passed = false;
        snprintf(check->detail, sizeof check->detail, "tours are not those of the host");
    }
    free(lengths);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct ants *ants = bench->state;
    const enum shoal_status status = bench_check_result(ants->solver, check, error);
    if (status)
        return status;
    return bench->queue && check->passed && !ants->is_checked ? compare(bench, check, error) : SHOAL_OK;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};
static const struct ants_case plain = {1024, 64, 1, 0};
static const struct ants_case two_opt = {1024, 16, 1, 1};
static const struct ants_case improved = {1024, 16, 1, 4};

#define ANTS_CASE(case_name, case_program, case_data, case_help)                                             \
    {                                                                                                        \
        .name = case_name, .help = case_help, .unit = "tours/s", .precision = "fp32",                        \
        .clock = BENCH_WALL_TIME, .program = case_program, .device = &ops, .host = &ops, .data = case_data,  \
        .large = true                                                                                        \
    }

static const struct bench_case cases[] = {
    ANTS_CASE("tsp.mmas.pr1002", "tsp.ants-walk", &plain,
              "tours of a MAX-MIN ant system without local search: 64 colonies (host: one) of 1024 ants, 32 "
              "candidates, construction and update"),
    ANTS_CASE("tsp.mmas-2opt.pr1002", "tsp.improve", &two_opt,
              "the same with 2-opt of each tour to a local optimum, 16 colonies (host: one)"),
    ANTS_CASE("tsp.mmas-ls.pr1002", "tsp.improve", &improved,
              "with 2-opt and Or-opt of each tour to a local optimum, 16 colonies (host: one)"),
};

const struct bench_case_list bench_tsp_ants_cases = {cases, sizeof cases / sizeof *cases};
