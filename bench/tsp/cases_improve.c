/* Local search of tours, and the best 2-opt move of all pairs of edges.
 *
 * All pairs: a move takes one square root, whose measured rate is the roof; no tile of the scan is left out.
 * Local search of many tours mixes loads, integers and barriers, no one of which is its roof: its rows are
 * compared with the host's. */
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct improve_case {
    const char *generate;
    int32_t moves;
    size_t tours;
    /* number of pairs of cities of a greedy tour that are exchanged at random, which gives tours like those
     * of ants */
    uint32_t swaps;
};

struct improve {
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_improver *improver;
    uint32_t cities;
    uint32_t *starts, *tours;
    int64_t *lengths;
    double best; /* all pairs: the largest gain, as the check finds it; 0: not yet known */
};

static void destroy(struct bench *bench)
{
    struct improve *improve = bench->state;
    if (!improve)
        return;
    shoal_tsp_improver_destroy(&improve->improver);
    shoal_tsp_close(&improve->problem);
    free(improve->starts);
    free(improve->tours);
    free(improve->lengths);
    free(improve);
    bench->state = NULL;
}

/* Makes the tours: greedy tours with some cities exchanged. */
static enum shoal_status make_starts(const struct bench *bench, struct improve *improve,
                                     struct shoal_error *error)
{
    const struct improve_case *own = bench->data;
    const uint32_t n = improve->cities;
    uint64_t state = 1;
    enum shoal_status status = shoal_tsp_greedy(improve->problem, 8, improve->starts, error);
    for (size_t t = own->tours; t-- > 0 && status == SHOAL_OK;) {
        uint32_t *tour = improve->starts + t * n;
        if (t)
            memcpy(tour, improve->starts, n * sizeof *tour);
        for (uint32_t i = 0; i < own->swaps; i++) {
            /* The generator MMIX of D. Knuth. */
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint32_t a = (uint32_t)(state >> 33) % n, b = (uint32_t)(state >> 13) % n, city = tour[a];
            tour[a] = tour[b];
            tour[b] = city;
        }
    }
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct improve_case *own = bench->data;
    struct improve *improve = bench->state = calloc(1, sizeof *improve);
    struct shoal_tsp_params problem;
    struct shoal_tsp_improve_params params;
    if (!improve)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of tours");
    shoal_tsp_params_init(&problem);
    shoal_tsp_improve_params_init(&params);
    problem.generate = own->generate;
    params.moves = own->moves;
    params.most_moves = own->moves == SHOAL_TSP_ALL_PAIRS;
    params.variant = bench->variant;
    enum shoal_status status = shoal_tsp_open(&problem, &improve->problem, error);
    if (status != SHOAL_OK)
        return status;
    const size_t n = improve->cities = shoal_tsp_get_info(improve->problem)->cities;
    improve->starts = malloc(own->tours * n * sizeof *improve->starts);
    improve->tours = malloc(own->tours * n * sizeof *improve->tours);
    improve->lengths = malloc(own->tours * sizeof *improve->lengths);
    if (!improve->starts || !improve->tours || !improve->lengths)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu tours of %zu cities",
                          own->tours, n);
    status = make_starts(bench, improve, error);
    if (status == SHOAL_OK)
        status = shoal_tsp_improver_create(improve->problem, &params, bench->queue, own->tours,
                                           &improve->improver, error);
    if (status == SHOAL_OK && bench->queue)
        bench_uses(bench, shoal_tsp_improver_program(improve->improver));
    bench->work = own->moves == SHOAL_TSP_ALL_PAIRS ? (double)n * (double)(n - 3) / 2 : (double)own->tours;
    bench->roof_work = own->moves == SHOAL_TSP_ALL_PAIRS ? bench->work : 0;
    return status;
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    const struct improve_case *own = bench->data;
    struct improve *improve = bench->state;
    return shoal_tsp_improver_set(improve->improver, improve->starts, own->tours, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct improve *improve = bench->state;
    return shoal_tsp_improver_run(improve->improver, error);
}

/* Compares the lengths of the tours with their lengths at the begin. Every tour must be a tour. */
static enum shoal_status measure(const struct improve *improve, const uint32_t *tours, size_t i,
                                 int64_t *length, struct shoal_error *error)
{
    return shoal_tsp_check(improve->problem, tours + i * improve->cities, improve->cities, length, error);
}

/* The distance EUC_2D of TSPLIB. */
static inline double rounded(const double *points, uint32_t a, uint32_t b)
{
    const double x = points[2 * (size_t)a] - points[2 * (size_t)b];
    const double y = points[2 * (size_t)a + 1] - points[2 * (size_t)b + 1];
    return floor(sqrt(x * x + y * y) + 0.5);
}

/* Finds the largest gain over all pairs of edges of the first tour, pair by pair in double precision. */
static double largest_gain(const struct improve *improve)
{
    const uint32_t n = improve->cities, *tour = improve->starts;
    const double *points = shoal_tsp_points(improve->problem);
    double best = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : best)
    for (uint32_t i = 0; i < n - 2; i++) {
        const double own = rounded(points, tour[i], tour[i + 1]);
        for (uint32_t j = i + 2; j < n; j++) {
            const uint32_t a = tour[j], b = tour[j + 1 < n ? j + 1 : 0];
            const double gain =
                own + rounded(points, a, b) - rounded(points, tour[i], a) - rounded(points, tour[i + 1], b);
            best = fmax(best, gain);
        }
    }
    return best;
}

/* All pairs: the gain must be the largest. Local search: no tour may be longer than its first form, and a
 * search from it must find little, as don't-look bits leave it. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct improve_case *own = bench->data;
    struct improve *improve = bench->state;
    enum shoal_status status =
        shoal_tsp_improver_get(improve->improver, improve->tours, improve->lengths, error);
    double sum = 0;
    check->passed = true;
    for (size_t i = 0; i < own->tours && status == SHOAL_OK; i++) {
        int64_t before = 0, after = 0;
        status = measure(improve, improve->starts, i, &before, error);
        if (status == SHOAL_OK)
            status = measure(improve, improve->tours, i, &after, error);
        if (after != improve->lengths[i] || after > before)
            check->passed = false;
        if (own->moves == SHOAL_TSP_ALL_PAIRS && improve->best <= 0)
            improve->best = largest_gain(improve);
        if (own->moves == SHOAL_TSP_ALL_PAIRS && (double)(before - after) != improve->best)
            check->passed = false;
        sum += (double)after;
    }
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "a length is wrong, or the gain is not the largest");
    bench->figure_count = 0;
    bench_add_figure(bench, "mean length", "", sum / (double)own->tours);
    return status;
}

static const struct bench_ops ops = {create, prepare, run, check, destroy};

static const struct improve_case all_pairs = {"E100k.0", SHOAL_TSP_ALL_PAIRS, 1, 0};
static const struct improve_case small_pairs = {"E10k.0", SHOAL_TSP_ALL_PAIRS, 1, 0};
static const struct improve_case first = {"uniform:1002:1", SHOAL_TSP_2OPT_OROPT, 1024, 100};
static const struct improve_case first_two = {"uniform:1002:1", SHOAL_TSP_2OPT, 1024, 100};
static const struct improve_case first_three = {"uniform:1002:1", SHOAL_TSP_3OPT, 1024, 100};
static const struct improve_case many = {"uniform:1002:1", SHOAL_TSP_2OPT_OROPT, 16384, 100};
static const struct improve_case one_tour = {"E100k.0", SHOAL_TSP_2OPT_OROPT, 1, 0};

#define PAIRS                                                                                                \
    .unit = "moves/s", .precision = "fp32", .roof = SHOAL_ROOF_SFU_OPS, .clock = BENCH_WALL_TIME,            \
    .program = "tsp.allpairs", .device = &ops, .host = &ops
#define TOURS .unit = "tours/s", .precision = "", .clock = BENCH_WALL_TIME, .program = "tsp.improve"

static const struct bench_case cases[] = {
    {.name = "tsp.twoopt.all-pairs-E100k.0",
     .help = "2-opt moves: the best of all pairs of edges of a greedy tour of E100k.0 is found by exact "
             "distances and made",
     .data = &all_pairs,
     .large = true,
     PAIRS},
    {.name = "tsp.twoopt.all-pairs-E10k.0", .help = "the same of E10k.0", .data = &small_pairs, PAIRS},
    {.name = "tsp.improve.2opt-1002",
     .help =
         "tours improved by 2-opt: 1024 greedy tours of 1002 random cities with 100 exchanges of two of them",
     .device = &ops,
     .host = &ops,
     .data = &first_two,
     TOURS},
    {.name = "tsp.improve.2opt-oropt-1002",
     .help = "the same by 2-opt and segments of one to three cities",
     .device = &ops,
     .host = &ops,
     .data = &first,
     TOURS},
    {.name = "tsp.improve.2opt-oropt-1002-many",
     .help = "the same of 16384 tours",
     .device = &ops,
     .data = &many,
     .large = true,
     TOURS},
    {.name = "tsp.improve.3opt-1002",
     .help = "the same by 3-opt",
     .device = &ops,
     .host = &ops,
     .data = &first_three,
     TOURS},
    {.name = "tsp.improve.2opt-oropt-E100k.0",
     .help = "a greedy tour of E100k.0 improved by 2-opt and segments",
     .host = &ops,
     .data = &one_tour,
     TOURS},
};

const struct bench_case_list bench_tsp_improve_cases = {cases, sizeof cases / sizeof *cases};
