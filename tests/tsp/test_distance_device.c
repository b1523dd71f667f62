/* Distances on every device against the host: pairs at random and at borders of rounding, and all pairs of
 * forms with fixed edges, ends, two cities for each.
 *
 * $SHOAL_TEST_PAIRS: pairs of all kinds together, half of them at borders. */
#include "base/integer.h"
#include "harness.h"
#include "lists.h"
#include "tsp/device/places.h"

#include <stdlib.h>

static const char text[] =
    "#ifndef WG\n#define WG 64\n#endif\n"
    "#include \"tsp/model/distance.clh\"\n"
    "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
    "void pairs(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,\n"
    "           __global const uint2 *ends, __global long *out, uint count)\n"
    "{\n"
    "    const uint i = (uint)get_global_id(0);\n"
    "    const PLACES places = tsp_places(numbers, fixed, cities);\n"
    "    if (i < count)\n"
    "        out[i] = (long)tsp_distance(places, ends[i].x, ends[i].y);\n"
    "}\n";

static const struct shoal_arg_desc args[] = {
    {"numbers", SHOAL_READ, "place_numbers", 0}, {"fixed", SHOAL_READ, "uint2", 0},
    {"cities", SHOAL_VALUE, "uint", 0},          {"ends", SHOAL_READ, "uint2", 0},
    {"out", SHOAL_READ_WRITE, "long", 0},        {"count", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_entry_desc entries[] = {{.name = "pairs",
                                                   .args = args,
                                                   .arg_count = COUNT(args),
                                                   .work_group = "WG",
                                                   .help = "distances of pairs"}};
static const struct shoal_define_desc defines[] = {
    {"WG", 64, 1, 1024, "", 0},  {"RULE", 1, 0, 8, "", 0},          {"DIM", 2, 0, 3, "", 0},
    {"REAL", 32, 32, 64, "", 0}, {"LARGE", 0, 0, 1, "", 0},         {"HAS_FIXED", 0, 0, 1, "", 0},
    {"IS_PATH", 0, 0, 1, "", 0}, {"IS_ASYMMETRIC", 0, 0, 1, "", 0}, {"WIDE", 0, 0, 1, "", 0},
};
static const struct shoal_program_desc desc = {.name = "test.tsp-pairs",
                                               .file = "pairs.cl",
                                               .needs = SHOAL_WITHOUT_CONTRACTION,
                                               .defines = defines,
                                               .define_count = COUNT(defines),
                                               .entries = entries,
                                               .entry_count = 1};

static void compare(const struct tsp_problem *problem, const uint32_t *ends, size_t count)
{
    struct tsp_places places;
    struct defines values = {0};
    struct shoal_program_params params;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    int64_t *got = harness_memory(count * sizeof *got);
    assert_ok(tsp_places_create(problem, harness.queue, &places, &test_error));
    tsp_places_defines(problem, &values);
    shoal_program_params_init(&params);
    params.defines = values.list;
    params.define_count = values.count;
    params.text = text;
    params.text_name = "pairs.cl";
    assert_ok(shoal_program_create(harness.device, &desc, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "pairs", &kernel, &test_error));
    struct shoal_buffer *end_buffer = harness_upload(ends, count * 2 * sizeof *ends);
    struct shoal_buffer *out = harness_buffer(count * sizeof *got);
    const struct shoal_arg all[] = {
        shoal_arg_buffer(places.numbers), shoal_arg_buffer(places.fixed), shoal_arg_uint(places.cities),
        shoal_arg_buffer(end_buffer),     shoal_arg_buffer(out),          shoal_arg_uint((uint32_t)count)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, count), all, COUNT(all), NULL,
                           &test_error));
    harness_read(out, got, count * sizeof *got);
    for (size_t i = 0; i < count; i++) {
        const int64_t wanted = tsp_distance(problem, ends[2 * i], ends[2 * i + 1]);
        if (got[i] != wanted)
            fail_msg("cities %u and %u: %lld, not %lld", ends[2 * i], ends[2 * i + 1], (long long)got[i],
                     (long long)wanted);
    }
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    tsp_places_destroy(&places);
    harness_release();
}

static bool has_what_it_needs(const struct tsp_problem *problem)
{
    return problem->form.is_whole || !problem->form.dim || harness_has_fp64();
}

static void pairs_have_the_distance_of_the_host(void **state)
{
    (void)state;
    const char *asked = getenv("SHOAL_TEST_PAIRS");
    const size_t total = (asked ? strtoul(asked, NULL, 10) : harness.tiny ? 4000 : 400000) / CITIES_PAIRS;
    enum { CHUNK = 250000 };
    const size_t most = total < CHUNK ? total : CHUNK;
    double *points = malloc(most * 6 * sizeof *points);
    uint32_t *ends = malloc(most * 2 * sizeof *ends);
    assert_true(points && ends);
    for (uint32_t i = 0; i < 2 * most; i++)
        ends[i] = i;
    for (size_t k = 0; k < CITIES_PAIRS; k++) {
        if (!harness_takes_case())
            continue;
        for (size_t done = 0; done < total; done += most) {
            struct cities cities;
            const size_t count = total - done < most ? total - done : most;
            test_label("%s", cities_pairs[k].name);
            cities_make_pairs(&cities_pairs[k], 100 * k + done + 1, points, count);
            cities_open(&cities, cities_pairs[k].metric, cities_pairs[k].dim, points, (uint32_t)(2 * count));
            if (has_what_it_needs(&cities.problem))
                compare(&cities.problem, ends, count);
            cities_close(&cities);
        }
    }
    free(points);
    free(ends);
}

/* As coordinates of places in the plane fewer bits than uint has may be used: differences do not wrap. */
static void forms_have_the_distances_of_the_host(void **state)
{
    (void)state;
    for (size_t k = 0; k < LISTS_SPECIALS; k++) {
        if (!harness_takes_case())
            continue;
        struct lists_special special;
        lists_open_special(&special, k);
        test_label("%s", special.name);
        const uint32_t n = special.cities.problem.form.n, step = harness.tiny ? 7 : 1;
        uint32_t *ends = malloc(2 * (size_t)n * n * sizeof *ends);
        assert_non_null(ends);
        size_t count = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = i % step; j < n; j += step) {
                if (j == i)
                    continue;
                ends[2 * count] = i;
                ends[2 * count++ + 1] = j;
            }
        compare(&special.cities.problem, ends, count);
        free(ends);
        lists_close_special(&special);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_have_the_distance_of_the_host),
        by_turn(forms_have_the_distances_of_the_host),
    };
    return harness_main("tsp distance", tests, COUNT(tests));
}
