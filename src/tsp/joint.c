/* Runs of many problems on a device. Problems are taken by pieces. The host creates the runs of a piece on
 * all threads; then the device makes the next step of all of them at once, until each has ended. A run whose
 * steps cannot be made so makes them alone, when the turn of its result comes. */
#include "tsp/many.h"

#include "base/error.h"
#include "base/threads.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "tsp/lk/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most problems and cities of a piece, with those of replicas, and bytes of the device for a city. Results
 * are made and given by blocks. */
enum { MOST_PROBLEMS = 16384, MOST_CITIES = 1 << 21, CITY_BYTES = 1024, BLOCK = 1024 };

/* A run of a piece. */
struct joint_run {
    struct many *many;
    struct solver_joint joint;
    struct shoal_solver *solver; /* NULL: the run has failed, or makes its steps alone */
    enum shoal_status status;
    char *message; /* why it failed */
    double begin_s, end_s, limit;
    uint64_t total;
    bool goes_on; /* the run makes the next step */
};

struct piece {
    struct many *many;
    struct shoal_queue *queue;
    struct lk_joint *joint;
    int threads;
    size_t begin, count; /* problems of the piece */
    /* With those of replicas. A run that is being created has as many as were reserved for it. */
    double cities, most_cities;
    struct joint_run *runs;        /* [MOST_PROBLEMS] */
    struct shoal_solver **solvers; /* [MOST_PROBLEMS]: of the runs that make the next step */
    struct shoal_report *reports;  /* [BLOCK] */
};

static bool must_end(void *data)
{
    struct joint_run *run = data;
    if (many_must_stop(run->many))
        return true;
    if (queue_clock(run->solver->queue) - run->begin_s + run->solver->ahead_s >= run->limit)
        run->solver->timed_out = true;
    return run->solver->timed_out;
}

/* Ends a run that has failed. */
static void fail_run(struct joint_run *run, const struct shoal_error *fault, enum shoal_status status)
{
    run->status = status;
    run->message = strdup(fault->message);
    run->goes_on = false;
    shoal_solver_destroy(&run->solver);
}

static enum shoal_status check_stop(struct many *many, struct shoal_error *error)
{
    return many_must_stop(many) ? fail(error, SHOAL_STOPPED, "the work was ended") : SHOAL_OK;
}

/* Create ------------------------------------------------------------------------------------------------ */

/* Most cities of a run, with those of replicas, before its problem is known. */
static double most_cities_of(const void *given)
{
    struct shoal_error fault;
    struct shoal_tsp_params params;
    if (workload_struct_take("shoal_tsp_run_many", &tsp_workload.face, given, &params, &fault))
        return 0; /* its solver is not created */
    const bool is_timed = !params.iterations || !isnan(params.time);
    return TSP_SMALL_CELL * (params.replicas ? (double)params.replicas : is_timed ? TSP_MOST_REPLICAS : 1);
}

/* Takes the next problem, if the piece has room for it. cities: reserved for it. */
static bool take(struct piece *piece, size_t *i, double *cities)
{
    bool is_taken;
#pragma omp critical(tsp_joint_take)
    {
        *i = piece->count;
        is_taken = *i < MOST_PROBLEMS && piece->begin + *i < piece->many->count;
        *cities = is_taken ? most_cities_of(many_params(piece->many, piece->begin + *i)) : 0;
        is_taken = is_taken && (*i == 0 || piece->cities + *cities <= piece->most_cities);
        if (is_taken) {
            piece->cities += *cities;
            piece->count++;
        }
    }
    return is_taken;
}

/* Creates a run. Returns the number of its cities, with those of replicas. */
static double create_run(struct piece *piece, size_t i)
{
    struct many *many = piece->many;
    struct joint_run *run = &piece->runs[i];
    struct shoal_error fault;
    *run = (struct joint_run){.many = many};
    const struct solver_setup setup = {.is_stopped = many_must_stop, .stop_data = many, .joint = &run->joint};
    enum shoal_status status = check_stop(many, &fault);
    if (!status)
        status =
            solver_create(&tsp_workload.face, many->device, piece->queue, many_params(many, piece->begin + i),
                          SHOAL_VARIANT_AUTO, &setup, &run->solver, &fault);
    if (status && !run->joint.is_refused)
        fail_run(run, &fault, status);
    if (status)
        return 0;
    run->goes_on = true;
    run->solver->must_end = must_end;
    run->solver->end_data = run;
    run->limit = shoal_workload_time_limit(&tsp_workload.face, run->solver->params);
    run->total = tsp_workload.total_steps(run->solver->params);
    const uint64_t replicas = tsp_params(run->solver)->replicas;
    return (double)tsp_problem_of(run->solver)->n * (replicas ? (double)replicas : 1);
}

static void create_runs(struct piece *piece)
{
    size_t i;
    double reserved;
    while (take(piece, &i, &reserved)) {
        const double cities = create_run(piece, i);
#pragma omp critical(tsp_joint_take)
        piece->cities += cities - reserved;
    }
}

/* Steps ------------------------------------------------------------------------------------------------- */

/* Makes a step that was searched, or sets the initial state. */
static void make_step(struct joint_run *run, uint64_t steps)
{
    struct shoal_error fault;
    uint64_t done;
    const enum shoal_status status = shoal_solver_step(run->solver, steps, &done, &fault);
    if (status) {
        fail_run(run, &fault, status);
        return;
    }
    const struct tsp_run *state = tsp_run_of(run->solver);
    run->goes_on = run->solver->method.method && state->begun && !state->ended && done == steps &&
                   state->steps < run->total && !must_end(run);
    run->end_s = queue_clock(run->solver->queue);
}

static void begin_run(struct joint_run *run)
{
    run->begin_s = queue_clock(run->solver->queue);
    make_step(run, 0);
}

static void step_run(struct joint_run *run)
{
    make_step(run, 1);
}

/* Lists the runs that make the next step; returns their number. */
static size_t list_solvers(struct piece *piece)
{
    size_t count = 0;
    for (size_t i = 0; i < piece->count; i++)
        if (piece->runs[i].goes_on)
            piece->solvers[count++] = piece->runs[i].solver;
    return count;
}

/* Makes the work of all runs of the piece that go on. Runs whose search has failed end. */
static void for_all(struct piece *piece, void (*work)(struct joint_run *run))
{
#pragma omp parallel for num_threads(piece->threads) schedule(dynamic, 16)
    for (size_t i = 0; i < piece->count; i++) {
        struct joint_run *run = &piece->runs[i];
        struct shoal_error fault;
        if (!run->goes_on)
            continue;
        enum shoal_status status = check_stop(piece->many, &fault);
        if (!status)
            status = lk_joint_status(run->solver, &fault);
        if (status)
            fail_run(run, &fault, status);
        else
            work(run);
    }
}

static void make_steps(struct piece *piece)
{
    size_t before = SIZE_MAX, count = list_solvers(piece);
    lk_joint_build(piece->joint, piece->solvers, count);
    for_all(piece, begin_run);
    while ((count = list_solvers(piece)) > 0) {
        /* Runs end, but none begins: the number tells whether they are the same. */
        lk_joint_search(piece->joint, piece->solvers, count, count != before);
        for_all(piece, step_run);
        before = count;
    }
}

/* Results ----------------------------------------------------------------------------------------------- */

static void finish_run(struct joint_run *run, struct shoal_report *report)
{
    struct shoal_error fault;
    *report = (struct shoal_report){.size = sizeof *report};
    if (!run->solver)
        return;
    enum shoal_status status = check_stop(run->many, &fault);
    if (status) {
        fail_run(run, &fault, status);
        return;
    }
    report->wall_s = report->device_s = run->end_s - run->begin_s;
    report->timed_out = run->solver->timed_out;
    status = shoal_solver_result(run->solver, &report->result, &fault);
    report->timed_work = report->result.work;
    if (!status && !report->result.check_passed)
        status = solver_fail_check(run->solver, &report->result, &fault);
    run->solver->must_end = NULL;
    run->solver->is_stopped = NULL;
    if (status)
        fail_run(run, &fault, status);
    report->solver = run->solver;
    run->solver = NULL;
}

/* Gives the result of a run, which is made now if it makes its steps alone. */
static void give(struct piece *piece, size_t i, struct shoal_report *report)
{
    struct joint_run *run = &piece->runs[i];
    struct shoal_error fault;
    if (run->joint.is_refused)
        run->status = many_run(piece->many, piece->begin + i, report, &fault);
    many_give(piece->many, piece->begin + i, run->status,
              run->joint.is_refused ? fault.message
              : run->message        ? run->message
                                    : "no memory for a message",
              report);
    free(run->message);
}

static void give_all(struct piece *piece)
{
    for (size_t first = 0; first < piece->count; first += BLOCK) {
        const size_t left = piece->count - first, count = left < BLOCK ? left : BLOCK;
#pragma omp parallel for num_threads(piece->threads) schedule(dynamic, 16)
        for (size_t i = 0; i < count; i++)
            finish_run(&piece->runs[first + i], &piece->reports[i]);
        for (size_t i = 0; i < count; i++)
            give(piece, first + i, &piece->reports[i]);
    }
}

static void make_piece(struct piece *piece)
{
    piece->count = 0;
    piece->cities = 0;
#pragma omp parallel num_threads(piece->threads)
    create_runs(piece);
    make_steps(piece);
    give_all(piece);
    piece->begin += piece->count;
}

enum shoal_status many_on_device(struct many *many, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(many->device);
    const double cities = (double)info->memory / CITY_BYTES;
    struct piece piece = {
        .many = many, .threads = threads_once(1), .most_cities = cities < MOST_CITIES ? cities : MOST_CITIES};
    piece.runs = calloc(MOST_PROBLEMS, sizeof *piece.runs);
    piece.solvers = calloc(MOST_PROBLEMS, sizeof *piece.solvers);
    piece.reports = calloc(BLOCK, sizeof *piece.reports);
    enum shoal_status status =
        piece.runs && piece.solvers && piece.reports ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = shoal_queue_create(many->device, SHOAL_QUEUE_PROFILING, &piece.queue, error);
    if (!status)
        queue_time_first_launches(piece.queue, true);
    if (!status)
        status = lk_joint_create(piece.queue, piece.threads, &piece.joint, error);
    while (!status && piece.begin < many->count && !many->has_ended)
        make_piece(&piece);
    lk_joint_destroy(&piece.joint);
    shoal_queue_destroy(&piece.queue);
    free(piece.runs);
    free(piece.solvers);
    free(piece.reports);
    return status;
}
