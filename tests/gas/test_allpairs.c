/* All pairs of a gas against a direct sum in double precision. */
#include "fixture.h"
#include "harness.h"

#include "gas/methods/allpairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const potential_names[] = {"lj", "wca", "log", "log-repulsion", "real", "gravity", "user"};
static const char *const precision_names[] = {"single", "mixed", "double"};

struct scene {
    size_t n, dim;
    enum shoal_gas_potential potential;
    enum shoal_gas_cut cut;
    enum shoal_gas_boundary boundary;
    enum shoal_gas_precision precision;
    double cutoff, softening; /* NaN: the default */
    const char *pair_force;   /* file */
};

static void label_scene(const struct scene *scene, const struct allpairs_plan *plan)
{
    test_label("%s, cut %d, %s, n = %zu, dim %zu, boundary %d, exact %d far %d near %d shared %u targets %u "
               "tile %u wg %u splits %u",
               potential_names[scene->potential], (int)scene->cut, precision_names[scene->precision],
               scene->n, scene->dim, (int)scene->boundary, plan->exact, plan->far, plan->near, plan->shared,
               plan->targets, plan->tile, plan->work_group, plan->splits);
}

static void set_params(struct shoal_gas_params *params, const struct scene *scene)
{
    shoal_gas_params_init(params);
    params->particles = scene->n;
    params->dim = scene->dim;
    params->density = 0.4;
    if (scene->n < 64) { /* a periodic box holds two cutoffs */
        params->density = NAN;
        params->width = params->height = 8;
        if (scene->dim == 3)
            params->depth = 8;
    }
    params->potential = scene->potential;
    params->cut = scene->cut;
    params->cutoff = scene->cutoff;
    params->softening = scene->softening;
    params->pair_force = scene->pair_force;
    params->boundary_x = params->boundary_y = scene->boundary;
    if (scene->dim == 3)
        params->boundary_z = scene->boundary;
    params->mass = 2;
    params->precision = scene->precision;
    params->method = SHOAL_GAS_ALLPAIRS;
    if (scene->potential == SHOAL_GAS_REAL)
        params->attraction = 0.05;
}

/* From the lattice of the start: each a little off its site, some outside an open box, two in one place where
 * the law allows it. */
static void scatter(struct gas_box *box)
{
    const struct gas_problem *problem = &box->device.problem;
    const size_t numbers = problem->n * problem->dim;
    uint32_t *words = harness_memory(numbers * sizeof *words);
    const double spacing = pow(problem->volume / (double)problem->n, 1 / (double)problem->dim);
    harness_words(words, numbers, 7);
    for (size_t i = 0; i < numbers; i++) {
        const size_t k = i % problem->dim;
        box->place[i] = problem->position[i] + 0.2 * spacing * (words[i] * 0x1p-32 - 0.5);
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC)
            box->place[i] -= problem->length[k] * floor(box->place[i] / problem->length[k]);
        else if (i / problem->dim % 50 == 49)
            box->place[i] += (k ? 0.3 : -0.3) * problem->length[k];
    }
}

static void round_to_device(struct gas_box *box)
{
    struct gas_device *device = &box->device;
    const size_t n = device->problem.n, dim = device->problem.dim;
    for (size_t i = 0; i < n * dim; i++)
        box->place[i] = gas_box_put(box, box->raw + i / dim * device->position_bytes, i % dim, box->place[i]);
    assert_ok(shoal_buffer_write(harness.queue, device->position, 0, box->raw, n * device->position_bytes,
                                 &test_error));
}

static void create_box(struct gas_box *box, const struct scene *scene)
{
    *box = (struct gas_box){0};
    set_params(&box->params, scene);
    struct gas_device *device = &box->device;
    assert_ok(gas_problem_create(harness.shoal, &box->params, &device->problem, &test_error));
    assert_ok(gas_problem_start(harness.shoal, &device->problem, &test_error));
    gas_box_open(box, scene->precision);
    gas_kernel_texts(&device->problem, box->solver.programs.texts);
    const size_t sum_bytes =
        device->padded * (scene->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double));
    device->acceleration = gas_box_buffer(device->padded * device->velocity_bytes);
    device->energy = gas_box_buffer(sum_bytes);
    device->virial = gas_box_buffer(sum_bytes);
    scatter(box);
    round_to_device(box);
}

static void destroy_box(struct gas_box *box)
{
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    gas_allpairs_method.base.destroy(&box->solver);
    chosen_free(&box->solver.method.chosen);
    gas_box_destroy(box);
}

/* Results ---------------------------------------------------------------------------------------------- */

struct forces {
    double *acceleration, *energy, *virial;
};

static struct forces forces_memory(const struct gas_problem *problem)
{
    return (struct forces){harness_memory(problem->n * problem->dim * sizeof(double)),
                           harness_memory(problem->n * sizeof(double)),
                           harness_memory(problem->n * sizeof(double))};
}

static struct forces direct_sum(const struct gas_box *box)
{
    const struct gas_problem *problem = &box->device.problem;
    const size_t dim = problem->dim;
    struct forces sum = forces_memory(problem);
    for (size_t i = 0; i < problem->n; i++) {
        double total[GAS_MAX_DIM] = {0}, energies = 0, virials = 0;
        for (size_t j = 0; j < problem->n; j++) {
            double difference[GAS_MAX_DIM] = {0}, d = 0, force, energy;
            for (size_t k = 0; k < dim; k++) {
                difference[k] = gas_image(problem, k, box->place[i * dim + k] - box->place[j * dim + k]);
                d += difference[k] * difference[k];
            }
            if (!(d > 0))
                continue;
            gas_pair_evaluate(problem, &problem->pair, d, &force, &energy);
            for (size_t k = 0; k < dim; k++)
                total[k] += force * difference[k];
            energies += energy;
            virials += force * d;
        }
        for (size_t k = 0; k < dim; k++)
            sum.acceleration[i * dim + k] = total[k] / problem->params->mass;
        sum.energy[i] = energies / 2;
        sum.virial[i] = virials / 2;
    }
    return sum;
}

static void read_sums(struct shoal_buffer *buffer, enum shoal_gas_precision precision, size_t n, double *out)
{
    if (precision != SHOAL_GAS_SINGLE) {
        harness_read(buffer, out, n * sizeof *out);
        return;
    }
    float *narrow = harness_memory(n * sizeof *narrow);
    harness_read(buffer, narrow, n * sizeof *narrow);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)narrow[i];
}

static struct forces device_forces(struct gas_box *box, bool energies)
{
    struct gas_device *device = &box->device;
    const size_t n = device->problem.n, dim = device->problem.dim;
    const size_t parts = device->precision == SHOAL_GAS_SINGLE && dim == 2 ? 2 : 2 * (dim - 1);
    struct forces found = forces_memory(&device->problem);
    double *vectors = harness_memory(n * parts * sizeof *vectors);
    assert_ok(gas_allpairs_method.forces(&box->solver, energies, &test_error));
    read_sums(device->acceleration, device->precision, n * parts, vectors);
    for (size_t i = 0; i < n * dim; i++)
        found.acceleration[i] = vectors[i / dim * parts + i % dim];
    if (energies) {
        read_sums(device->energy, device->precision, n, found.energy);
        read_sums(device->virial, device->precision, n, found.virial);
    }
    return found;
}

/* rms of the differences over rms of what is wanted. */
static double deviation(const double *got, const double *wanted, size_t count)
{
    double wrong = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        wrong += (got[i] - wanted[i]) * (got[i] - wanted[i]);
        all += wanted[i] * wanted[i];
    }
    return wrong == 0 ? 0 : sqrt(wrong / all);
}

/* fp32: rounding of a pair force is about 2e-7, that of a sum of n terms below it; energies of a pair come
 * from a logarithm and lose a digit in the sum. */
static double tolerance_of(enum shoal_gas_precision precision)
{
    return precision == SHOAL_GAS_DOUBLE ? 1e-12 : 3e-6;
}

static void check_plan(struct gas_box *box, const struct scene *scene, const struct allpairs_plan *plan,
                       const struct forces *wanted)
{
    const size_t n = scene->n, numbers = n * scene->dim;
    const double tolerance = tolerance_of(scene->precision);
    label_scene(scene, plan);
    assert_ok(allpairs_create(&box->solver, plan, &test_error));
    const struct forces plain = device_forces(box, false), again = device_forces(box, false);
    assert_at_most(deviation(plain.acceleration, wanted->acceleration, numbers), tolerance);
    assert_memory_equal(plain.acceleration, again.acceleration, numbers * sizeof(double));
    const struct forces all = device_forces(box, true);
    assert_at_most(deviation(all.acceleration, wanted->acceleration, numbers), tolerance);
    assert_at_most(deviation(all.energy, wanted->energy, n), tolerance);
    assert_at_most(deviation(all.virial, wanted->virial, n), tolerance);
    gas_allpairs_method.base.destroy(&box->solver);
    chosen_free(&box->solver.method.chosen);
}

/* Specialisations of every kind; those that do not fit the gas are changed to ones that do. */
static const struct {
    bool exact;
    uint32_t shared, targets, tile, work_group, splits;
} plans[] = {
    {false, 4, 4, 64, 32, 1}, {true, 0, 2, 32, 16, 5}, {false, 1, 4, 32, 8, 3},
    {true, 0, 4, 64, 32, 1},  {true, 0, 1, 16, 64, 2}, {false, 16, 16, 128, 1, 2},
};
enum { PLANS = sizeof plans / sizeof *plans, FEW = 2 };

/* With the plan of the library and the first `count` of those above. */
static void check_scene(const struct scene *scene, size_t count)
{
    if (!harness_takes_case())
        return;
    struct gas_box box;
    create_box(&box, scene);
    const struct forces wanted = direct_sum(&box);
    const struct allpairs_plan automatic =
        allpairs_plan_make(&box.device.problem, scene->precision, harness.info);
    check_plan(&box, scene, &automatic, &wanted);
    for (size_t i = 0; i < count; i++) {
        struct allpairs_plan plan = automatic;
        const uint32_t tiles = (uint32_t)((scene->n + plans[i].tile - 1) / plans[i].tile);
        plan.work_group = plans[i].work_group;
        while (plan.work_group > harness.info->max_work_group)
            plan.work_group /= 2;
        plan.exact = plans[i].exact || (!plan.far && isinf(box.device.problem.pair.cutoff2));
        plan.shared = automatic.shared && !plan.exact ? plans[i].shared : 0;
        plan.targets = plans[i].targets;
        plan.tile = plans[i].tile;
        plan.unroll = 2;
        plan.splits = plans[i].splits < tiles ? plans[i].splits : tiles;
        check_plan(&box, scene, &plan, &wanted);
    }
    destroy_box(&box);
    harness_release();
}

/* Tests ------------------------------------------------------------------------------------------------ */

/* Around a tile, and several. */
static const size_t full_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 0}, tiny_sizes[] = {1, 2, 37, 0};

static void check_sizes(struct scene scene, size_t plan_count)
{
    for (const size_t *n = harness.tiny ? tiny_sizes : full_sizes; *n; n++) {
        scene.n = *n;
        check_scene(&scene, plan_count);
    }
}

static void check_wide(struct scene scene)
{
    if (!harness_has_fp64())
        return;
    scene.n = harness.tiny ? 37 : 130;
    scene.precision = SHOAL_GAS_MIXED;
    check_scene(&scene, FEW);
    scene.precision = SHOAL_GAS_DOUBLE;
    check_scene(&scene, FEW);
}

static const struct scene open_plane = {
    .dim = 2, .boundary = SHOAL_GAS_OPEN, .cutoff = NAN, .softening = NAN};
static const struct scene periodic_plane = {
    .dim = 2, .boundary = SHOAL_GAS_PERIODIC, .cutoff = NAN, .softening = NAN};

static struct scene with(struct scene scene, enum shoal_gas_potential potential, enum shoal_gas_cut cut)
{
    scene.potential = potential;
    scene.cut = cut;
    return scene;
}

static void plane_log_of_every_size(void **state)
{
    (void)state;
    check_sizes(with(open_plane, SHOAL_GAS_LOG, SHOAL_GAS_CUT_DEFAULT), PLANS);
}

static void long_hard_log_has_near_pairs(void **state)
{
    (void)state;
    struct scene scene = with(open_plane, SHOAL_GAS_LOG, SHOAL_GAS_CUT_DEFAULT);
    scene.softening = 1e-3;
    check_sizes(scene, 1);
}

static void plane_laws_over_all_space(void **state)
{
    (void)state;
    struct scene scene = with(open_plane, SHOAL_GAS_LOG_REPULSION, SHOAL_GAS_CUT_DEFAULT);
    check_sizes(scene, 1);
    scene.potential = SHOAL_GAS_GRAVITY;
    check_sizes(scene, 1);
    scene.dim = 3;
    check_sizes(scene, 1);
    scene = with(open_plane, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT);
    scene.cutoff = 0; /* none */
    check_sizes(scene, 1);
}

static void long_real_gas_with_each_cut(void **state)
{
    (void)state;
    for (int cut = SHOAL_GAS_CUT_TRUNCATED; cut <= SHOAL_GAS_CUT_SMOOTHED; cut++)
        check_sizes(with(open_plane, SHOAL_GAS_REAL, (enum shoal_gas_cut)cut), 1);
}

static void short_lennard_jones_with_each_cut(void **state)
{
    (void)state;
    for (int cut = SHOAL_GAS_CUT_TRUNCATED; cut <= SHOAL_GAS_CUT_SMOOTHED; cut++)
        check_sizes(with(periodic_plane, SHOAL_GAS_LJ, (enum shoal_gas_cut)cut), 1);
    check_sizes(with(periodic_plane, SHOAL_GAS_WCA, SHOAL_GAS_CUT_DEFAULT), 1);
}

static void short_three_dimensions_and_walls(void **state)
{
    (void)state;
    struct scene scene = with(periodic_plane, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT);
    scene.dim = 3;
    check_sizes(scene, FEW);
    scene = with(open_plane, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT);
    scene.boundary = SHOAL_GAS_WALLS;
    check_sizes(scene, 1);
}

static void wide_formats(void **state)
{
    (void)state;
    struct scene scene = with(open_plane, SHOAL_GAS_LOG, SHOAL_GAS_CUT_DEFAULT);
    check_wide(scene);
    scene = with(periodic_plane, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT);
    check_wide(scene);
    scene.dim = 3;
    check_wide(scene);
}

/* A law of the caller, with a cutoff and without. */
static void short_laws_of_the_caller(void **state)
{
    (void)state;
    static const char text[] = "static inline real user_force(real d)\n"
                               "{\n    return R(2.0) * exp(-d);\n}\n"
                               "static inline real user_energy(real d)\n"
                               "{\n    return exp(-d);\n}\n";
    const char *path = test_path("force.cl");
    test_write_text(path, text);
    struct scene scene = with(periodic_plane, SHOAL_GAS_USER, SHOAL_GAS_CUT_SHIFTED);
    scene.pair_force = path;
    scene.cutoff = 2;
    check_sizes(scene, FEW);
    scene = with(open_plane, SHOAL_GAS_USER, SHOAL_GAS_CUT_DEFAULT);
    scene.pair_force = path;
    scene.cutoff = 0;
    check_sizes(scene, FEW);
}

#if SHOAL_THESES
/* The kernels of the thesis, with their own sums and offsets: tails of every loop. */
static void check_ladder(struct scene scene)
{
    static const struct {
        enum shoal_gas_kernel kernel;
        uint64_t unroll, work_group;
    } steps[] = {
        {SHOAL_GAS_KERNEL_NAIVE, 2, 0},        {SHOAL_GAS_KERNEL_RSQRT, 2, 16},
        {SHOAL_GAS_KERNEL_UNROLLED, 2, 0},     {SHOAL_GAS_KERNEL_UNROLLED, 16, 0},
        {SHOAL_GAS_KERNEL_SEMI_BLOCKED, 2, 0},
    };
    for (const size_t *n = harness.tiny ? tiny_sizes : full_sizes; *n; n++) {
        if (!harness_takes_case())
            continue;
        struct gas_box box;
        scene.n = *n;
        create_box(&box, &scene);
        const struct forces wanted = direct_sum(&box);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            struct shoal_gas_thesis thesis =
                SHOAL_GAS_THESIS_PARAMS(.kernel = steps[i].kernel, .unroll = steps[i].unroll);
            box.params.thesis = &thesis;
            box.params.work_group = steps[i].work_group;
            test_label("%s, kernel %d, unroll %d, n = %zu", potential_names[scene.potential],
                       (int)steps[i].kernel, (int)steps[i].unroll, scene.n);
            assert_ok(gas_allpairs_method.base.fits(&gas_allpairs_method.base, &box.device.problem,
                                                    harness.info, &test_error));
            assert_ok(gas_allpairs_method.base.create(&box.solver, &test_error));
            const struct forces found = device_forces(&box, false), again = device_forces(&box, false);
            assert_at_most(deviation(found.acceleration, wanted.acceleration, scene.n * scene.dim),
                           gas_allpairs_method.force_tolerance(&box.solver));
            assert_memory_equal(found.acceleration, again.acceleration, scene.n * scene.dim * sizeof(double));
            gas_allpairs_method.base.destroy(&box.solver);
            chosen_free(&box.solver.method.chosen);
        }
        destroy_box(&box);
        harness_release();
    }
}

static void thesis_kernels(void **state)
{
    (void)state;
    struct scene scene = with(open_plane, SHOAL_GAS_LOG, SHOAL_GAS_CUT_DEFAULT);
    check_ladder(scene);
    scene.potential = SHOAL_GAS_LOG_REPULSION;
    check_ladder(scene);
    check_ladder(with(open_plane, SHOAL_GAS_REAL, SHOAL_GAS_CUT_TRUNCATED));
    if (harness.tiny)
        return;
    scene.potential = SHOAL_GAS_GRAVITY;
    scene.dim = 3;
    check_ladder(scene);
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plane_log_of_every_size),
    cmocka_unit_test(long_hard_log_has_near_pairs),
    cmocka_unit_test(plane_laws_over_all_space),
    cmocka_unit_test(long_real_gas_with_each_cut),
    cmocka_unit_test(short_lennard_jones_with_each_cut),
    cmocka_unit_test(short_three_dimensions_and_walls),
    cmocka_unit_test(short_laws_of_the_caller),
    by_turn(wide_formats),
#if SHOAL_THESES
    by_turn(thesis_kernels),
#endif
};

/* An argument is a pattern over the names of the tests. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return harness_main("gas all-pairs", tests, sizeof tests / sizeof *tests);
}
