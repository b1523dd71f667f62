/* Local search of tours on every device: the same tours as the host's, of each kind of form and move, first
 * and best improvement, with and without don't-look bits, in local and in global memory, at once and round by
 * round. */
#include "harness.h"
#include "kinds.h"

#include "tsp/improve/allpairs.h"
#include "tsp/improve/device.h"

#include <stdlib.h>
#include <string.h>

enum { TOURS = 3 };

struct run {
    enum kind kind;
    uint32_t n;
    struct tsp_improve_rules rules;
    uint32_t group; /* 0: by the device */
    bool in_global; /* no local memory for tours */
    bool in_rounds; /* one round a launch */
    bool are_given; /* few cities wait */
};

/* Cities that wait, where not all do. */
static uint32_t given_count(uint32_t n)
{
    return n < 40 ? 1 : n / 13;
}

static void on_host(const struct kind_problem *kind, const struct run *run, uint32_t *tours, int64_t *lengths)
{
    const uint32_t n = kind->problem.form.n;
    struct tsp_improver *improver;
    assert_ok(tsp_improver_create(&kind->problem, &run->rules, &improver, &test_error));
    uint32_t *wake = malloc(n * sizeof *wake);
    for (uint32_t i = 0; i < TOURS; i++) {
        uint32_t *tour = tours + (size_t)i * n;
        memcpy(wake, tour, n * sizeof *wake);
        lengths[i] -= run->are_given ? tsp_improve(improver, tour, wake, given_count(n))
                                     : tsp_improve(improver, tour, NULL, 0);
    }
    free(wake);
    tsp_improver_destroy(&improver);
}

static void on_device(const struct kind_problem *kind, const struct run *run, uint32_t *tours,
                      int64_t *lengths)
{
    const uint32_t n = kind->problem.form.n;
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_improve_device device;
    assert_ok(tsp_places_create(&kind->problem, harness.queue, &places, &test_error));
    const struct tsp_improve_setup setup = {
        .problem = &kind->problem,
        .rules = &run->rules,
        .lists = harness_upload(kind->lists, (size_t)n * kind->neighbours * sizeof *kind->lists),
        .places = &places,
        .tours = TOURS,
        .local_bytes = run->in_global,
        .group = run->group <= shoal_device_get_info(harness.device)->max_work_group ? run->group : 0,
        .programs = &programs,
        .queue = harness.queue,
    };
    assert_ok(tsp_improve_device_create(&setup, &device, &test_error));
    assert_true(!run->in_global || !device.is_in_local);
    struct shoal_buffer *cities = harness_upload(tours, (size_t)TOURS * n * sizeof *tours);
    struct shoal_buffer *sums = harness_upload(lengths, TOURS * sizeof *lengths);
    if (run->in_rounds)
        device.round_seconds = 1e9;
    if (run->are_given) {
        const uint32_t counts[TOURS] = {given_count(n), given_count(n), given_count(n)};
        assert_ok(shoal_buffer_write(harness.queue, device.queues, 0, tours,
                                     (size_t)TOURS * n * sizeof *tours, &test_error));
        assert_ok(shoal_buffer_write(harness.queue, device.waiting, 0, counts, sizeof counts, &test_error));
    }
    assert_ok(tsp_improve_device_run(&device, cities, sums, TOURS, run->are_given, &test_error));
    harness_read(cities, tours, (size_t)TOURS * n * sizeof *tours);
    harness_read(sums, lengths, TOURS * sizeof *lengths);
    tsp_improve_device_destroy(&device);
    tsp_places_destroy(&places);
    programs_destroy(&programs);
}

static void check(struct run run, uint32_t neighbours)
{
    struct kind_problem kind;
    if (!harness_takes_case())
        return;
    if ((run.kind == FRACTIONS || run.kind == SPHERE) && !harness_has_fp64())
        return;
    kind_open(run.kind, run.n, neighbours, &kind);
    const uint32_t n = kind.problem.form.n;
    run.rules.lists = kind.lists;
    run.rules.neighbours = kind.neighbours;
    uint32_t *wanted = harness_memory((size_t)TOURS * n * sizeof *wanted);
    uint32_t *got = harness_memory((size_t)TOURS * n * sizeof *got);
    int64_t lengths[TOURS], sums[TOURS];
    test_label(
        "%s, %u cities, moves %d, best %d, no bits %d, group %u, global %d, rounds %d, given %d, reach %u",
        kind_name(run.kind), run.n, (int)run.rules.moves, run.rules.is_best, run.rules.no_bits, run.group,
        run.in_global, run.in_rounds, run.are_given, run.rules.reach);
    for (uint32_t i = 0; i < TOURS; i++) {
        kind_tour(&kind, i, wanted + (size_t)i * n);
        lengths[i] = sums[i] = tsp_form_length(&kind.problem, wanted + (size_t)i * n);
    }
    memcpy(got, wanted, (size_t)TOURS * n * sizeof *got);
    on_host(&kind, &run, wanted, lengths);
    on_device(&kind, &run, got, sums);
    assert_words(got, wanted, (size_t)TOURS * n);
    for (uint32_t i = 0; i < TOURS; i++)
        assert_true(sums[i] == lengths[i] &&
                    lengths[i] == tsp_form_length(&kind.problem, got + (size_t)i * n));
    harness_release();
    kind_close(&kind);
}

/* Most work-items of a group in these tests. By PoCL 3.1, when it optimises, groups of 32 find other tours;
 * without that, on a simulator and on GPUs they find those of the host. */
static uint32_t widest(void)
{
    return harness.info->is_cpu && !harness.tiny ? 8 : 32;
}

/* Every program takes seconds. The first kind has each move by both rules in both memories. Of the others,
 * those that differ in distances alone have every other move, the rest all; each has both rules and both
 * memories. */
static bool takes_kind(enum kind kind, enum tsp_moves moves, bool is_best, bool in_global)
{
    const unsigned k = (unsigned)kind, m = (unsigned)moves;
    const bool is_distance = kind != FIXED && kind != PATH && kind != ASYMMETRIC;
    if (kind == WHOLE)
        return true;
    if (is_distance && (k + m) % 2)
        return false;
    return is_best == (m / 2 + k / 2) % 2 && in_global == (m / 2 + m + k) % 2;
}

static void test_kinds(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {5, 33, 127}, tiny[] = {5, 7, 13};
    const uint32_t groups[] = {0, 8, widest()};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (enum tsp_moves moves = TSP_MOVES_2OPT; moves <= TSP_MOVES_3OPT; moves++)
            for (int best = 0; best < 2; best++)
                for (int in_global = 0; in_global < 2; in_global++) {
                    if (!takes_kind(kind, moves, best, in_global))
                        continue;
                    check(
                        (struct run){.kind = kind,
                                     .n = (harness.tiny ? tiny : sizes)[((int)moves + best + in_global) % 3],
                                     .rules = {.moves = moves,
                                               .is_best = best,
                                               .no_bits = kind == LARGE || kind == PATH},
                                     .group =
                                         kind == WHOLE ? groups[((int)moves + 2 * best + in_global) % 3] : 0,
                                     .in_global = in_global,
                                     .in_rounds = (int)kind % 2 != in_global,
                                     .are_given = (int)moves % 2 == best},
                        moves == TSP_MOVES_3OPT ? 6 : 9);
                }
}

static void test_large(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    for (int in_global = 0; in_global < 2; in_global++)
        for (uint32_t reach = 0; reach <= 50; reach += 50) {
            check((struct run){.kind = WHOLE,
                               .n = 1001,
                               .rules = {.moves = TSP_MOVES_2OPT_OROPT, .reach = reach},
                               .group = in_global || reach ? 0 : widest(),
                               .in_global = in_global},
                  10);
            check((struct run){.kind = SHARED,
                               .n = 2999,
                               .rules = {.moves = TSP_MOVES_3OPT, .reach = reach},
                               .in_global = in_global},
                  8);
        }
}

/* Steps of all-pairs 2-opt beside those of the host. */
static void check_pairs(enum kind k, uint32_t n, uint32_t steps)
{
    struct kind_problem kind;
    if (!harness_takes_case())
        return;
    if ((k == FRACTIONS || k == SPHERE) && !harness_has_fp64())
        return;
    kind_open(k, n, 1, &kind);
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    struct tsp_allpairs allpairs;
    const uint32_t cities = kind.problem.form.n;
    uint32_t *wanted = harness_memory(cities * sizeof *wanted), *got = harness_memory(cities * sizeof *got);
    test_label("all pairs, %s, %u cities", kind_name(k), n);
    kind_tour(&kind, 0, wanted);
    assert_ok(tsp_places_create(&kind.problem, harness.queue, &places, &test_error));
    assert_ok(tsp_allpairs_create(&kind.problem, &places, &programs, harness.queue, &allpairs, &test_error));
    struct shoal_buffer *tour = harness_upload(wanted, cities * sizeof *wanted);
    for (uint32_t step = 0; step < steps; step++) {
        struct tsp_allpairs_best best;
        const struct tsp_allpairs_best host = tsp_allpairs_find(&kind.problem, wanted, 1);
        if (step == 1)
            allpairs.tile_seconds = 1e9; /* each tile in a launch of its own */
        assert_ok(tsp_allpairs_step(&allpairs, tour, 0, &best, &test_error));
        assert_true(best.gain == host.gain && best.i == host.i && best.j == host.j);
        const int64_t before = tsp_form_length(&kind.problem, wanted);
        tsp_allpairs_make(&kind.problem, &host, wanted);
        assert_true(before - host.gain == tsp_form_length(&kind.problem, wanted));
        harness_read(tour, got, cities * sizeof *got);
        assert_words(got, wanted, cities);
    }
    tsp_allpairs_destroy(&allpairs);
    tsp_places_destroy(&places);
    programs_destroy(&programs);
    harness_release();
    kind_close(&kind);
}

static void test_all_pairs(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {5, 14, 63, 1037}, tiny[] = {5, 6, 9, 30};
    for (enum kind kind = 0; kind < KINDS; kind++)
        /* A simulator's compiler has no cache: a small and a larger size of each kind. */
        for (unsigned size = harness.tiny ? (unsigned)kind % 2 : 0; size < 4; size += harness.tiny ? 2 : 1)
            /* Small ones to the end and beyond. */
            check_pairs(kind, (harness.tiny ? tiny : sizes)[size], size < 2 ? 12 : 4);
}

/* The public calls, beside the host's. */
static void test_public(void **state)
{
    (void)state;
    enum { MOST = 43 };
    const uint32_t n = harness.tiny ? 11 : MOST; /* prime, as tours are multiples of 5, 6 and 7 */
    struct shoal_tsp_params problem_params;
    struct shoal_tsp_problem *problem;
    shoal_tsp_params_init(&problem_params);
    problem_params.generate = harness.tiny ? "uniform:11:5" : "uniform:43:5";
    assert_ok(shoal_tsp_open(&problem_params, &problem, &test_error));
    /* Their candidate lists take a simulator longer than all the rest: one of those that have some. */
    const int32_t last = harness.tiny ? SHOAL_TSP_ALL_PAIRS - 1 : SHOAL_TSP_2OPT;
    for (int32_t moves = SHOAL_TSP_ALL_PAIRS; moves >= last; moves--) {
        struct shoal_tsp_improve_params params;
        uint32_t wanted[TOURS * MOST], got[TOURS * MOST];
        int64_t lengths[TOURS], sums[TOURS];
        if (!harness_takes_case())
            continue;
        test_label("moves %d", (int)moves);
        shoal_tsp_improve_params_init(&params);
        params.moves = moves;
        params.variant = harness.variant;
        for (uint32_t i = 0; i < TOURS * n; i++)
            wanted[i] = got[i] = i * (5 + i / n) % n;
        assert_ok(shoal_tsp_improve(problem, &params, NULL, wanted, TOURS, lengths, &test_error));
        assert_ok(shoal_tsp_improve(problem, &params, harness.queue, got, TOURS, sums, &test_error));
        assert_words(got, wanted, TOURS * n);
        assert_memory_equal(sums, lengths, sizeof sums);
    }
    shoal_tsp_close(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_all_pairs),
        by_turn(test_public),
    };
    return harness_main("tsp-improve-device", tests, sizeof tests / sizeof *tests);
}
