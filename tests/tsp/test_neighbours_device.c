/* Candidate lists on every device: those of the host. */
#include "base/integer.h"
#include "harness.h"
#include "lists.h"
#include "tsp/device/neighbours.h"

#include <stdlib.h>
#include <string.h>

static void compare(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind)
{
    const size_t words = (size_t)problem->form.n * count;
    uint32_t *wanted = harness_memory(words * sizeof *wanted), *got = harness_memory(words * sizeof *got);
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    struct tsp_places places;
    if (problem->form.dim && !problem->form.is_whole && !harness_has_fp64())
        return;
    lists_on_host(problem, count, kind, 1, wanted);
    assert_ok(tsp_places_create(problem, harness.queue, &places, &test_error));
    memset(got, 0xa5, words * sizeof *got);
    struct shoal_buffer *lists = harness_upload(got, words * sizeof *got);
    assert_ok(tsp_device_neighbours(problem, &places, &programs, count, kind, lists, &test_error));
    harness_read(lists, got, words * sizeof *got);
    assert_words(got, wanted, words);
    programs_destroy(&programs);
    tsp_places_destroy(&places);
    harness_release();
}

static void lists_are_those_of_the_host(void **state)
{
    (void)state;
    static const uint32_t full[] = {1, 9, 1001, 20011}, tiny[] = {2, 77};
    const uint32_t *sizes = harness.tiny ? tiny : full;
    const size_t size_count = harness.tiny ? COUNT(tiny) : COUNT(full);
    double *points = malloc(3 * 20011 * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < lists_case_count(); i++) {
        const struct lists_case *a_case = lists_case_at(i);
        const uint32_t count = i % 3 == 0 ? 16 : i % 3 == 1 ? 10 : 5;
        const enum tsp_neighbour_kind kind = i % 2 ? TSP_QUADRANT : TSP_NEAREST;
        if (!harness_takes_case())
            continue;
        for (size_t s = 0; s < size_count; s++) {
            struct cities cities;
            test_label("%s, %u cities, %u of each", a_case->name, sizes[s], count);
            cities_make_points(a_case->kind, a_case->metric, a_case->dim, points, sizes[s]);
            cities_open(&cities, a_case->metric, a_case->dim, points, sizes[s]);
            compare(&cities.problem, count, kind);
            cities_close(&cities);
        }
    }
    free(points);
}

static void what_the_form_sets_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < LISTS_SPECIALS; i++)
        for (int kind = 0; kind < 2; kind++) {
            struct lists_special special;
            if (!harness_takes_case())
                continue;
            lists_open_special(&special, i);
            test_label("%s", special.name);
            compare(&special.cities.problem, 10, (enum tsp_neighbour_kind)kind);
            lists_close_special(&special);
        }
}

/* As a program asks for them, twice by the same lister: of the cities alone, whatever the form adds. */
static void lists_of_the_input(void **state)
{
    (void)state;
    enum { N = 77, LISTED = 5 };
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_lister *lister;
    uint32_t wanted[N * LISTED], got[N * LISTED];
    shoal_tsp_params_init(&params);
    params.generate = "uniform:77:3";
    params.start = "5";
    params.path = true;
    if (!harness_takes_case())
        return;
    assert_ok(shoal_tsp_open(&params, &problem, &test_error));
    assert_ok(shoal_tsp_neighbours(problem, LISTED, wanted, &test_error));
    assert_ok(shoal_tsp_lister_create(problem, LISTED, harness.queue, harness.variant, &lister, &test_error));
    assert_non_null(shoal_tsp_lister_program(lister));
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(shoal_tsp_lister_run(lister, &test_error));
        assert_ok(shoal_tsp_lister_get(lister, got, &test_error));
        assert_words(got, wanted, N * LISTED);
    }
    shoal_tsp_lister_destroy(&lister);
    assert_null(lister);
    assert_status(shoal_tsp_lister_create(problem, 129, harness.queue, harness.variant, &lister, &test_error),
                  SHOAL_INVALID);
    assert_null(lister);
    shoal_tsp_close(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_those_of_the_host),
        by_turn(what_the_form_sets_apart),
        cmocka_unit_test(lists_of_the_input),
    };
    return harness_main("tsp neighbours", tests, COUNT(tests));
}
