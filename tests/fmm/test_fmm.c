/* The fast multipole method on devices against the direct sum in double precision. */
#include "harness.h"
#include "points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A case: points, law and parameters. */
struct fmm_case {
    enum places places;
    size_t n, targets; /* targets 0: they are the sources */
    bool both_signs;
    struct shoal_fmm_params params;
};

static size_t real_bytes(const struct fmm_case *it)
{
    return it->params.real == SHOAL_TYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/* Numbers as the device has them; positions and charges are exact in single precision. */
static struct shoal_buffer *upload(const struct fmm_case *it, const double *numbers, size_t n)
{
    if (it->params.real == SHOAL_TYPE_DOUBLE)
        return harness_upload(numbers, n * sizeof *numbers);
    float *singles = harness_memory(n * sizeof *singles);
    for (size_t i = 0; i < n; i++)
        singles[i] = (float)numbers[i];
    return harness_upload(singles, n * sizeof *singles);
}

static void download(const struct fmm_case *it, struct shoal_buffer *buffer, double *numbers, size_t n)
{
    if (it->params.real == SHOAL_TYPE_DOUBLE) {
        harness_read(buffer, numbers, n * sizeof *numbers);
        return;
    }
    float *singles = harness_memory(n * sizeof *singles);
    harness_read(buffer, singles, n * sizeof *singles);
    for (size_t i = 0; i < n; i++)
        numbers[i] = singles[i];
}

/* Runs twice, and expects the same bits; the results are in `field` and `potential`. */
static void run(const struct fmm_case *it, const double *sources, const double *charges,
                const double *targets, double *field, double *potential)
{
    const size_t results = it->targets ? it->targets : it->n, real = real_bytes(it);
    struct shoal_fmm_params params = it->params;
    struct shoal_fmm *fmm = NULL;
    params.max_sources = it->n + 3;
    params.max_targets = it->targets;
    params.variant = harness.variant;
    assert_ok(shoal_fmm_create(harness.device, &params, &fmm, &test_error));
    struct shoal_fmm_args args =
        SHOAL_FMM_ARGS(.sources = upload(it, sources, 2 * it->n), .charges = upload(it, charges, it->n),
                       .source_count = it->n, .target_count = it->targets);
    if (it->targets)
        args.targets = upload(it, targets, 2 * it->targets);
    void *before = harness_memory(2 * results * real), *after = harness_memory(2 * results * real);
    for (int turn = 0; turn < 2; turn++) {
        args.field = harness_buffer(2 * results * real);
        args.potential = params.potential ? harness_buffer(results * real) : NULL;
        assert_ok(shoal_fmm_run(fmm, harness.queue, &args, &test_error));
        harness_read(args.field, turn ? after : before, 2 * results * real);
    }
    assert_memory_equal(before, after, 2 * results * real);
    download(it, args.field, field, 2 * results);
    if (params.potential)
        download(it, args.potential, potential, results);
    shoal_fmm_destroy(&fmm);
}

/* Simulators take too long for tables of many nodes. */
static struct fmm_case simulated(struct fmm_case it)
{
    it.params.nodes = 2;
    it.params.accuracy = 0.1;
    return it;
}

static void check_case(const struct fmm_case *asked)
{
    const struct fmm_case here = harness.tiny ? simulated(*asked) : *asked, *const it = &here;
    if (!harness_takes_case() || (it->params.real == SHOAL_TYPE_DOUBLE && !harness_has_fp64()))
        return;
    const size_t results = it->targets ? it->targets : it->n;
    double *sources = fmm_places(it->places, it->n, 0), *charges = fmm_charges(it->both_signs, it->n),
           *targets = fmm_places(EVEN, it->targets, 1), *field = harness_memory(2 * results * 8),
           *potential = harness_memory(results * 8), *wanted = harness_memory(2 * results * 8),
           *wanted_potential = harness_memory(results * 8);
    const struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = sources, .charges = charges, .source_count = it->n,
                         .targets = it->targets ? targets : NULL, .target_count = it->targets,
                         .potential = wanted_potential, .field = wanted);
    assert_ok(shoal_fmm_direct(&it->params, &points, &test_error));
    run(it, sources, charges, targets, field, potential);
    const double error = fmm_error(field, wanted, 2 * results), accuracy = it->params.accuracy;
    if (!(error <= accuracy))
        fail_msg("places %d, n %zu, law %d: error of the field %g, accuracy %g", (int)it->places, it->n,
                 (int)it->params.law, error, accuracy);
    if (it->params.potential)
        assert_at_most(fmm_error(potential, wanted_potential, results), accuracy);
    /* Opposite forces of each pair of cells: rounding alone is left. */
    if (!it->targets)
        assert_at_most(fmm_sum_of_forces(charges, field, it->n), 1e-5);
    free(sources);
    free(charges);
    free(targets);
    harness_release();
}

/* Points enough for cells of three levels and more. */
static size_t many(void)
{
    return harness.tiny ? 120 : 3001;
}

static struct shoal_fmm_params single(double softening)
{
    return SHOAL_FMM_PARAMS(.softening = softening, .potential = false, .points = harness.tiny ? 16 : 0);
}

static void fields_in_single_precision(void **state)
{
    (void)state;
    struct fmm_case it = {EVEN, many(), 0, false, single(1)};
    check_case(&it);
    it.places = DROPLETS;
    it.both_signs = true;
    check_case(&it);
    it.params.accuracy = SHOAL_FMM_FLOAT_ACCURACY;
    check_case(&it);
    it.params = single(1);
    it.params.law = SHOAL_FMM_INVERSE;
    check_case(&it);
    it.params.law = SHOAL_FMM_LOG_REPULSION;
    it.params.repulsion = 2;
    check_case(&it);
}

static void potentials(void **state)
{
    (void)state;
    struct fmm_case it = {DROPLETS, many() / 2, 0, false, single(1)};
    it.params.potential = true;
    check_case(&it);
    it.params.accuracy = 1e-2;
    it.params.law = SHOAL_FMM_INVERSE;
    check_case(&it);
    it.params.law = SHOAL_FMM_LOG_REPULSION;
    it.params.repulsion = 2;
    check_case(&it);
}

static void double_precision(void **state)
{
    (void)state;
    struct fmm_case it = {EVEN, many(), 0, true, single(1e-6)};
    it.params.real = SHOAL_TYPE_DOUBLE;
    it.params.accuracy = 1e-7;
    it.params.points = harness.tiny ? 16 : 64;
    check_case(&it);
    if (harness.tiny)
        return;
    it.n = 1500;
    it.params.accuracy = 1e-10;
    check_case(&it);
}

static void other_targets(void **state)
{
    (void)state;
    struct fmm_case it = {DROPLETS, many(), harness.tiny ? 33 : 333, false, single(1)};
    check_case(&it);
    it.n = 1;
    check_case(&it);
}

static void odd_places(void **state)
{
    (void)state;
    struct fmm_case it = {CLUSTERS, many() / 2, 0, false, single(1e-3)};
    check_case(&it);
    /* cells whose middles are exact in single precision only where they are counted from a place nearby */
    it.places = FAR_DROPLET;
    it.n = many();
    check_case(&it);
    it.places = ON_A_LINE;
    it.n = many() / 2;
    it.both_signs = true;
    check_case(&it);
    it.places = IN_ONE_PLACE;
    it.n = harness.tiny ? 40 : 200;
    check_case(&it);
    it.params.softening = 0;
    check_case(&it);
    /* so small that a force of single precision overflows at a distance of 0 */
    it.params.softening = 1e-12;
    it.params.repulsion = 2;
    it.places = ON_A_LINE;
    it.n = 40;
    it.params.law = SHOAL_FMM_LOG_REPULSION;
    check_case(&it);
    it.params = single(0);
    for (it.n = 1; it.n <= 3; it.n++) {
        it.places = (enum places)it.n;
        check_case(&it);
    }
}

/* Clusters of points so small and many that there is no room for their cells: some cells stay larger. */
static void no_room_for_cells(void **state)
{
    (void)state;
    enum { CLUSTER = 17, MOST = 120 };
    const size_t clusters = harness.tiny ? 6 : MOST, n = CLUSTER * clusters;
    if (!harness_takes_case())
        return;
    struct fmm_case it = {EVEN, n, 0, true, single(1e-3)};
    it.params.points = 16;
    if (harness.tiny)
        it = simulated(it);
    double *sources = fmm_places(EVEN, n, 0), *charges = fmm_charges(false, n),
           *field = harness_memory(n * 16), *wanted = harness_memory(n * 16);
    for (size_t i = 0; i < n; i++) {
        sources[2 * i] = (float)(sources[2 * (i % clusters)] + 1e-3 * (double)(i / clusters));
        sources[2 * i + 1] = (float)sources[2 * (i % clusters) + 1];
    }
    const struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = sources, .charges = charges, .source_count = n, .field = wanted);
    assert_ok(shoal_fmm_direct(&it.params, &points, &test_error));
    run(&it, sources, charges, NULL, field, NULL);
    assert_at_most(fmm_error(field, wanted, 2 * n), it.params.accuracy);
    free(sources);
    free(charges);
    harness_release();
}

/* Places far from 0 whose fine parts single precision would round away: near charges of both signs. */
static void fine_parts_of_places(void **state)
{
    (void)state;
    const size_t n = many() / 4;
    if (!harness_takes_case())
        return;
    struct fmm_case it = {CLUSTERS, n, 0, true, single(0.05)};
    if (harness.tiny)
        it = simulated(it);
    double *sources = fmm_places(it.places, n, 0), *charges = fmm_charges(true, n),
           *rest = harness_memory(n * 16), *field = harness_memory(n * 16), *wanted = harness_memory(n * 16);
    for (uint32_t i = 0; i < 2 * n; i++) {
        const double place = 5000 + 0.37 * sources[i] + 1e-4 * (double)(i % 7);
        sources[i] = (double)(float)place;
        rest[i] = (double)(float)(place - sources[i]);
    }
    struct shoal_fmm *fmm = NULL;
    it.params.fine = true;
    it.params.max_sources = n;
    it.params.variant = harness.variant;
    assert_ok(shoal_fmm_create(harness.device, &it.params, &fmm, &test_error));
    struct shoal_fmm_args args =
        SHOAL_FMM_ARGS(.sources = upload(&it, sources, 2 * n), .charges = upload(&it, charges, n),
                       .source_count = n, .field = harness_buffer(n * 8));
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "args.fine is NULL, and the object is for positions with fine parts");
    args.fine = upload(&it, rest, 2 * n);
    assert_ok(shoal_fmm_run(fmm, harness.queue, &args, &test_error));
    download(&it, args.field, field, 2 * n);
    shoal_fmm_destroy(&fmm);
    for (size_t i = 0; i < 2 * n; i++)
        sources[i] += rest[i];
    const struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = sources, .charges = charges, .source_count = n, .field = wanted);
    assert_ok(shoal_fmm_direct(&it.params, &points, &test_error));
    assert_at_most(fmm_error(field, wanted, 2 * n), it.params.accuracy);
    it.params.max_targets = 1;
    assert_status(shoal_fmm_create(harness.device, &it.params, &fmm, &test_error), SHOAL_INVALID);
    free(sources);
    free(charges);
    harness_release();
}

/* The text for GPUs, on CPUs too: two cells of a work-item, with potentials; one, with terms in several
 * blocks; a tree without far cells; moments of all cells by one launch, and level by level. */
static void text_for_gpus(void **state)
{
    (void)state;
    const int64_t one = 1, two = 2;
    struct fmm_case it = {EVEN, many(), 0, true, single(1)};
    assert_ok(shoal_tuning_try(harness.device, "fmm.targets", "SIMD", &one, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "ACROSS", &two, &test_error));
    it.params.points = 16;
    it.params.potential = true;
    it.params.accuracy = 1e-2;
    check_case(&it);
    it.n = 40;
    it.targets = 3;
    check_case(&it);
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "ACROSS", NULL, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "CLIMBS", &one, &test_error));
    it.places = DROPLETS;
    it.n = many() / 4;
    it.targets = 0;
    it.params.potential = false;
    it.params.real = SHOAL_TYPE_DOUBLE;
    it.params.accuracy = 1e-5;
    check_case(&it);
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "CLIMBS", NULL, &test_error));
    check_case(&it);
    assert_ok(shoal_tuning_try(harness.device, "fmm.targets", "SIMD", NULL, &test_error));
}

/* With one cell of a work-item: values go down to the leaves by one launch, and moments go up level by level,
 * or by one launch. */
static void launches_for_all_levels(void **state)
{
    (void)state;
    const int64_t one = 1, climbs[] = {0, 1};
    struct fmm_case it = {DROPLETS, many(), 0, true, single(1)};
    assert_ok(shoal_tuning_try(harness.device, "fmm.targets", "SIMD", &one, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "ACROSS", &one, &test_error));
    it.params.points = 16;
    it.params.accuracy = 1e-2;
    for (size_t i = 0; i < 2; i++) {
        assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "CLIMBS", &climbs[i], &test_error));
        it.params.potential = true;
        check_case(&it);
        it.params.potential = false;
        check_case(&it);
    }
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "CLIMBS", NULL, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "fmm.cells", "ACROSS", NULL, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "fmm.targets", "SIMD", NULL, &test_error));
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_fmm *fmm = NULL;
    struct shoal_device *host = NULL, *const device = harness.device;
    size_t count = 0;
    struct shoal_fmm_params params = SHOAL_FMM_PARAMS(.max_sources = 10, .variant = harness.variant);
    assert_ok(shoal_device_select(harness.shoal, "host", 0, &host, 1, &count, &test_error));
    assert_status(shoal_fmm_create(host, &params, &fmm, &test_error), SHOAL_UNSUPPORTED);
    params.accuracy = 1e-8;
    assert_status(shoal_fmm_create(device, &params, &fmm, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "single precision cannot give the accuracy 1e-08, but 1e-05 at best");
    params = SHOAL_FMM_PARAMS(.max_sources = 0);
    assert_status(shoal_fmm_create(device, &params, &fmm, &test_error), SHOAL_INVALID);
    params = SHOAL_FMM_PARAMS(.max_sources = 1, .max_targets = (size_t)SHOAL_FMM_MAX + 1);
    assert_status(shoal_fmm_create(device, &params, &fmm, &test_error), SHOAL_INVALID);
    params = SHOAL_FMM_PARAMS(.max_sources = 1, .real = SHOAL_TYPE_INT);
    assert_status(shoal_fmm_create(device, &params, &fmm, &test_error), SHOAL_INVALID);
    params = SHOAL_FMM_PARAMS(.max_sources = 10, .potential = false, .variant = harness.variant);
    assert_null(fmm);
    assert_ok(shoal_fmm_create(device, &params, &fmm, &test_error));
    struct shoal_buffer *places = harness_buffer(80), *field = harness_buffer(80);
    struct shoal_fmm_args args = SHOAL_FMM_ARGS(.sources = places, .source_count = 11, .field = field);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "11 sources and 0 targets; the object is for 10 and 0");
    args = SHOAL_FMM_ARGS(.sources = places, .source_count = 10, .field = places);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "`sources` and `field` are the same buffer");
    args = SHOAL_FMM_ARGS(.sources = places, .source_count = 10, .potential = field);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "set `potential` in its parameters");
    args =
        SHOAL_FMM_ARGS(.sources = places, .source_count = 10, .charges = harness_buffer(8), .field = field);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "`charges` has 8 bytes; 40 are needed");
    args = SHOAL_FMM_ARGS(.sources = places, .source_count = 10, .targets = field);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    args = SHOAL_FMM_ARGS(.field = field);
    assert_status(shoal_fmm_run(fmm, harness.queue, &args, &test_error), SHOAL_INVALID);
    args = SHOAL_FMM_ARGS(.sources = places, .field = field);
    assert_ok(shoal_fmm_run(fmm, harness.queue, &args, &test_error));
    assert_non_null(shoal_fmm_program(fmm, 3));
    assert_null(shoal_fmm_program(fmm, 99));
    shoal_fmm_destroy(&fmm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_in_single_precision),
        cmocka_unit_test(potentials),
        cmocka_unit_test(double_precision),
        cmocka_unit_test(other_targets),
        by_turn(odd_places),
        cmocka_unit_test(no_room_for_cells),
        cmocka_unit_test(fine_parts_of_places),
        cmocka_unit_test(text_for_gpus),
        by_turn(launches_for_all_levels),
        cmocka_unit_test(wrong_arguments),
    };
    return harness_main("fmm", tests, sizeof tests / sizeof *tests);
}
