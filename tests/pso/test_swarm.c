/* The swarm kernels, one step at a time, against plain C in double precision that starts from the device's
 * own numbers: rounding has no time to grow, and a particle that turns another way shows at once. */
#include "harness.h"

#include "pso/methods/fused.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As the kernel file is specialised and launched. */
struct shape {
    uint32_t work_group, slices, items, depth, ahead, groups;
};

static const struct shape shapes[] = {
    {64, 1, 1, 1, 1, 1}, /* a particle a work-item */
    {32, 8, 1, 1, 1, 3}, /* a GPU with a small swarm: several work-items a particle, several groups */
    {1, 1, 16, 1, 0, 2}, /* a CPU: several particles a work-item */
    {16, 4, 2, 2, 1, 4}, /* what is tuned for GPUs: several particles a work-item, each with several others */
};

struct size {
    uint32_t particles, dim;
};

static const struct size full_sizes[] = {{1, 1}, {2, 2}, {33, 31}, {257, 2}, {257, 31}, {40, 1}, {1000, 30}};
static const struct size tiny_sizes[] = {{1, 1}, {2, 2}, {33, 5}};

static const double inertia = 0.7298, cognitive = 1.49618, social = 1.49618;
static const uint64_t seed = 0x123456789abcdef0;

/* A swarm on the device, and its numbers as doubles in plain rows: coordinate d of particle i at d *
 * particles + i. */
struct swarm {
    const struct shoal_objective *objective;
    struct shoal_program *program;
    struct shoal_kernel *init, *step, *collect;
    struct shape shape;
    uint32_t tile, tiles, particles, dim;
    bool fp64;
    double epsilon, lower, upper;
    struct shoal_buffer *x, *v, *p, *best, *pending, *group_value, *group_index, *group_position, *slots,
        *marks, *words, *reals, *champion, *settings;
};

struct numbers {
    double *x, *v, *p, *best, *reals, *champion;
    uint32_t words[ISLAND_WORDS], slots[2 * SLOT_WORDS];
};

/* text: NULL for the function's own. */
static void open_program(struct swarm *swarm, const char *function, const struct shape *shape, bool fp64,
                         const char *text)
{
    const struct shoal_define defines[] = {{"REAL", fp64 ? 64 : 32}, {"SLICES", shape->slices},
                                           {"ITEMS", shape->items},  {"DEPTH", shape->depth},
                                           {"AHEAD", shape->ahead},  {"WG", shape->work_group}};
    char own[64];
    snprintf(own, sizeof own, "#include \"objective/builtin/%s.clh\"\n", function);
    const struct shoal_kernel_text snippet = {
        .file = "objective/snippet.clh", .text = text ? text : own, .shown = "objective of a test"};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.variant = harness_program("pso.fused")->native ? harness.variant : SHOAL_VARIANT_AUTO;
    params.defines = defines;
    params.define_count = sizeof defines / sizeof *defines;
    params.texts = &snippet;
    params.text_count = 1;
    *swarm = (struct swarm){.objective = shoal_objective_find(function), .shape = *shape, .fp64 = fp64};
    assert_non_null(swarm->objective);
    swarm->epsilon = fp64 ? DBL_EPSILON : (double)FLT_EPSILON;
    swarm->lower = shoal_objective_get_info(swarm->objective)->lower;
    swarm->upper = shoal_objective_get_info(swarm->objective)->upper;
    assert_ok(shoal_program_create(harness.device, harness_program("pso.fused"), &params, &swarm->program,
                                   &test_error));
    assert_ok(shoal_kernel_create(swarm->program, "pso_init", &swarm->init, &test_error));
    assert_ok(shoal_kernel_create(swarm->program, "pso_step", &swarm->step, &test_error));
    assert_ok(shoal_kernel_create(swarm->program, "pso_collect", &swarm->collect, &test_error));
    uint32_t work_group = shoal_kernel_work_group(swarm->step);
    uint32_t lanes = shape->slices < work_group ? shape->slices : work_group;
    swarm->tile = work_group / lanes * shape->items;
}

static void close_program(struct swarm *swarm)
{
    shoal_kernel_destroy(&swarm->init);
    shoal_kernel_destroy(&swarm->step);
    shoal_kernel_destroy(&swarm->collect);
    shoal_program_destroy(&swarm->program);
}

static size_t real_size(const struct swarm *swarm)
{
    return swarm->fp64 ? sizeof(double) : sizeof(float);
}

/* `count` numbers in the swarm's precision. */
static struct shoal_buffer *upload_reals(const struct swarm *swarm, const double *numbers, size_t count)
{
    float *narrow = harness_memory(count * sizeof *narrow);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)numbers[i];
    return harness_upload(swarm->fp64 ? (const void *)numbers : narrow, count * real_size(swarm));
}

static void make_settings(struct swarm *swarm, double target)
{
    double settings[SET_BOX] = {
        [SET_INERTIA] = inertia,    [SET_COGNITIVE] = cognitive, [SET_SOCIAL] = social,
        [SET_LOWER] = swarm->lower, [SET_UPPER] = swarm->upper,  [SET_SIGN] = 1,
        [SET_TARGET] = target};
    swarm->settings = upload_reals(swarm, settings, SET_BOX);
}

static void make_buffers(struct swarm *swarm, struct size size)
{
    const size_t real = real_size(swarm);
    const uint32_t zeros[ISLAND_WORDS] = {0};
    swarm->particles = size.particles;
    swarm->dim = size.dim;
    swarm->tiles = (size.particles + swarm->tile - 1) / swarm->tile;
    if (swarm->shape.groups > swarm->tiles)
        swarm->shape.groups = swarm->tiles;
    size_t padded = (size_t)swarm->tiles * swarm->tile, rows = 2 * (size_t)swarm->shape.groups;
    swarm->x = harness_buffer(padded * size.dim * real);
    swarm->v = harness_buffer(padded * size.dim * real);
    swarm->p = harness_buffer(padded * size.dim * real);
    swarm->best = harness_buffer(padded * real);
    swarm->pending = harness_buffer(padded * sizeof(uint32_t));
    swarm->group_value = harness_buffer(rows * real);
    swarm->group_index = harness_buffer(rows * sizeof(uint32_t));
    swarm->group_position = harness_buffer(rows * size.dim * real);
    swarm->slots = harness_buffer(2 * SLOT_WORDS * sizeof(uint32_t));
    swarm->marks = harness_buffer(2 * real);
    swarm->words = harness_upload(zeros, sizeof zeros);
    swarm->reals = harness_buffer(ISLAND_REALS * real);
    swarm->champion = harness_buffer(size.dim * real);
    make_settings(swarm, -INFINITY);
}

static struct fused_launch launch_of(const struct swarm *swarm)
{
    struct fused_launch launch = {
        .seed = seed, .particles = swarm->particles, .dim = swarm->dim, .tiles = swarm->tiles};
    fused_set_keys(&launch);
    return launch;
}

static void launch_init(struct swarm *swarm)
{
    const struct fused_launch launch = launch_of(swarm);
    const struct shoal_arg args[] = {shoal_arg_buffer(swarm->x),
                                     shoal_arg_buffer(swarm->v),
                                     shoal_arg_buffer(swarm->p),
                                     shoal_arg_buffer(swarm->best),
                                     shoal_arg_buffer(swarm->pending),
                                     shoal_arg_buffer(swarm->group_value),
                                     shoal_arg_buffer(swarm->group_index),
                                     shoal_arg_buffer(swarm->group_position),
                                     shoal_arg_buffer(swarm->slots),
                                     shoal_arg_buffer(swarm->marks),
                                     shoal_arg_buffer(swarm->words),
                                     shoal_arg_buffer(swarm->settings),
                                     shoal_arg_struct(&launch, sizeof launch)};
    assert_ok(shoal_launch(harness.queue, swarm->init, swarm->shape.groups, args, sizeof args / sizeof *args,
                           NULL, &test_error));
}

static void launch_step(struct swarm *swarm, uint32_t step, uint32_t steps)
{
    struct fused_launch launch = launch_of(swarm);
    launch.step = step;
    launch.steps = steps;
    const struct shoal_arg args[] = {shoal_arg_buffer(swarm->x),
                                     shoal_arg_buffer(swarm->v),
                                     shoal_arg_buffer(swarm->p),
                                     shoal_arg_buffer(swarm->best),
                                     shoal_arg_buffer(swarm->pending),
                                     shoal_arg_buffer(swarm->group_value),
                                     shoal_arg_buffer(swarm->group_index),
                                     shoal_arg_buffer(swarm->group_position),
                                     shoal_arg_buffer(swarm->slots),
                                     shoal_arg_buffer(swarm->marks),
                                     shoal_arg_buffer(swarm->words),
                                     shoal_arg_buffer(swarm->settings),
                                     shoal_arg_struct(&launch, sizeof launch)};
    assert_ok(shoal_launch(harness.queue, swarm->step, swarm->shape.groups, args, sizeof args / sizeof *args,
                           NULL, &test_error));
}

static void launch_collect(struct swarm *swarm)
{
    const struct fused_launch launch = launch_of(swarm);
    const struct shoal_arg args[] = {shoal_arg_buffer(swarm->x),
                                     shoal_arg_buffer(swarm->p),
                                     shoal_arg_buffer(swarm->pending),
                                     shoal_arg_buffer(swarm->group_value),
                                     shoal_arg_buffer(swarm->group_index),
                                     shoal_arg_buffer(swarm->group_position),
                                     shoal_arg_buffer(swarm->slots),
                                     shoal_arg_buffer(swarm->marks),
                                     shoal_arg_buffer(swarm->words),
                                     shoal_arg_buffer(swarm->reals),
                                     shoal_arg_buffer(swarm->champion),
                                     shoal_arg_buffer(swarm->settings),
                                     shoal_arg_struct(&launch, sizeof launch)};
    assert_ok(shoal_launch(harness.queue, swarm->collect, swarm->shape.groups, args,
                           sizeof args / sizeof *args, NULL, &test_error));
}

static double *read_plain(const struct swarm *swarm, struct shoal_buffer *buffer, size_t count)
{
    double *out = harness_memory(count * sizeof *out);
    if (swarm->fp64) {
        harness_read(buffer, out, count * sizeof *out);
        return out;
    }
    float *narrow = harness_memory(count * sizeof *narrow);
    harness_read(buffer, narrow, count * sizeof *narrow);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)narrow[i];
    return out;
}

static double *read_tiles(const struct swarm *swarm, struct shoal_buffer *buffer, size_t rows)
{
    const double *tiled = read_plain(swarm, buffer, rows * swarm->tiles * swarm->tile);
    double *out = harness_memory(rows * swarm->particles * sizeof *out);
    for (size_t i = 0; i < swarm->particles; i++)
        for (size_t d = 0; d < rows; d++)
            out[d * swarm->particles + i] =
                tiled[(i / swarm->tile * rows + d) * swarm->tile + i % swarm->tile];
    return out;
}

/* Brings p and the island's books up to date first. */
static struct numbers read_numbers(struct swarm *swarm)
{
    launch_collect(swarm);
    struct numbers n = {.x = read_tiles(swarm, swarm->x, swarm->dim),
                        .v = read_tiles(swarm, swarm->v, swarm->dim),
                        .p = read_tiles(swarm, swarm->p, swarm->dim),
                        .best = read_tiles(swarm, swarm->best, 1),
                        .reals = read_plain(swarm, swarm->reals, ISLAND_REALS),
                        .champion = read_plain(swarm, swarm->champion, swarm->dim)};
    harness_read(swarm->words, n.words, sizeof n.words);
    harness_read(swarm->slots, n.slots, sizeof n.slots);
    return n;
}

/* Particle i is the best of the swarm: least value, then lowest index. */
static size_t find_leader(const struct swarm *swarm, const struct numbers *n)
{
    size_t leader = 0;
    for (size_t i = 1; i < swarm->particles; i++)
        if (n->best[i] < n->best[leader])
            leader = i;
    return leader;
}

static double value_at(const struct swarm *swarm, const double *rows, size_t particle)
{
    double point[64];
    assert_true(swarm->dim <= 64);
    for (size_t d = 0; d < swarm->dim; d++)
        point[d] = rows[d * swarm->particles + particle];
    return shoal_objective_value(swarm->objective, point, swarm->dim);
}

/* As the workload checks its results: see src/search/observe/outcome.c. */
static double value_tolerance(const struct swarm *swarm, double value)
{
    return 16 * swarm->epsilon * (swarm->dim + 16) * fmax(1, fabs(value));
}

/* Best values, best positions and the island's books fit the positions. `before`: NULL at the start. */
static void check_bests(const struct swarm *swarm, const struct numbers *n, const struct numbers *before,
                        uint32_t step)
{
    for (size_t i = 0; i < swarm->particles; i++) {
        double here = value_at(swarm, n->x, i), tolerance = value_tolerance(swarm, here);
        test_label("%s, %zu particles, particle %zu at step %d",
                   shoal_objective_get_info(swarm->objective)->name, (size_t)swarm->particles, i, (int)step);
        bool better = !before || here < before->best[i] - tolerance;
        bool worse = before && here > before->best[i] + tolerance;
        bool moved = false;
        for (size_t d = 0; d < swarm->dim; d++) {
            size_t at = d * swarm->particles + i;
            assert_true(n->x[at] >= swarm->lower - swarm->epsilon * fabs(swarm->lower) &&
                        n->x[at] <= swarm->upper + swarm->epsilon * fabs(swarm->upper));
            moved |= before && n->p[at] != before->p[at];
            if (better)
                assert_true(n->p[at] == n->x[at]);
        }
        if (better)
            assert_near(n->best[i], here, tolerance);
        if (worse) {
            assert_false(moved);
            assert_true(n->best[i] == before->best[i]);
        }
    }
    const size_t leader = find_leader(swarm, n);
    assert_int_equal(n->words[ISLAND_STEPS], step);
    assert_int_equal(n->words[ISLAND_NOT_FINITE], 0);
    assert_int_equal(n->words[ISLAND_GOAL_INDEX], leader);
    assert_true(n->reals[ISLAND_GOAL] == n->best[leader] && n->reals[ISLAND_CHAMPION] == n->best[leader]);
    for (size_t d = 0; d < swarm->dim; d++)
        assert_true(n->champion[d] == n->p[d * swarm->particles + leader]);
}

/* Word k of a block: for dimension d. */
static uint32_t word_of(struct shoal_words words, uint32_t d, int second)
{
    return d % 2 ? (second ? words.w : words.z) : (second ? words.y : words.x);
}

static void check_init(const struct swarm *swarm, const struct numbers *n)
{
    const double width = swarm->upper - swarm->lower, tolerance = 4 * swarm->epsilon * width;
    for (uint32_t i = 0; i < swarm->particles; i++)
        for (uint32_t d = 0; d < swarm->dim; d++) {
            const struct shoal_words position =
                shoal_random_words(seed, SHOAL_STREAM_PSO_POSITION, 0, i, d / 2);
            const struct shoal_words velocity =
                shoal_random_words(seed, SHOAL_STREAM_PSO_VELOCITY, 0, i, d / 2);
            const double x = swarm->lower + shoal_uniform_double(word_of(position, d, 0), 0) * width;
            const double goal = swarm->lower + shoal_uniform_double(word_of(velocity, d, 0), 0) * width;
            const size_t at = (size_t)d * swarm->particles + i;
            assert_near(n->x[at], x, tolerance);
            assert_near(n->v[at], (goal - x) / 2, tolerance);
        }
    check_bests(swarm, n, NULL, 0);
}

static void check_step(const struct swarm *swarm, const struct numbers *n, const struct numbers *before,
                       uint32_t step)
{
    /* Sums of products up to a few widths of the box. */
    const double width = swarm->upper - swarm->lower, tolerance = 16 * swarm->epsilon * width;
    const size_t leader = find_leader(swarm, before);
    for (uint32_t i = 0; i < swarm->particles; i++)
        for (uint32_t d = 0; d < swarm->dim; d++) {
            const struct shoal_words words = shoal_random_words(seed, SHOAL_STREAM_PSO_MOVE, step, i, d / 2);
            const size_t row = (size_t)d * swarm->particles, at = row + i;
            double v =
                inertia * before->v[at] +
                cognitive * shoal_uniform_double(word_of(words, d, 0), 0) * (before->p[at] - before->x[at]) +
                social * shoal_uniform_double(word_of(words, d, 1), 0) *
                    (before->p[row + leader] - before->x[at]);
            double x = before->x[at] + v;
            /* On the wall itself rounding decides whether the particle turns round. */
            bool at_wall = fmin(fabs(x - swarm->lower), fabs(x - swarm->upper)) <= tolerance;
            if (x < swarm->lower || x > swarm->upper) {
                x = fmin(fmax(2 * (x < swarm->lower ? swarm->lower : swarm->upper) - x, swarm->lower),
                         swarm->upper);
                v = -v;
            }
            assert_near(n->x[at], x, tolerance);
            if (at_wall)
                v = copysign(v, n->v[at]);
            assert_near(n->v[at], v, tolerance);
        }
    check_bests(swarm, n, before, step);
}

static void check_size(struct swarm *swarm, struct size size)
{
    make_buffers(swarm, size);
    launch_init(swarm);
    struct numbers before = read_numbers(swarm);
    check_init(swarm, &before);
    for (uint32_t step = 1; step <= 3; step++) {
        launch_step(swarm, step, 1);
        struct numbers now = read_numbers(swarm);
        check_step(swarm, &now, &before, step);
        assert_true(now.reals[ISLAND_GOAL] <= before.reals[ISLAND_GOAL]);
        before = now;
    }
    harness_release();
}

/* Every function in every way to cut the work and in both precisions, but not every combination: most of the
 * time goes into the compiler. */
static bool is_tested(const char *function, size_t shape, bool fp64)
{
    const bool coupled = strcmp(function, "rosenbrock") == 0;
    switch (shape) {
    case 0:
        return strcmp(function, "sphere") == 0 && !fp64;
    case 1:
        return coupled || (strcmp(function, "griewank") == 0 && !fp64);
    case 2:
        return coupled || strcmp(function, "ackley") == 0 || !fp64;
    }
    return coupled && !fp64;
}

static void check_function(const char *function, bool fp64)
{
    const struct size *sizes = harness.tiny ? tiny_sizes : full_sizes;
    const size_t count = harness.tiny ? sizeof tiny_sizes / sizeof *sizes : sizeof full_sizes / sizeof *sizes;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct swarm swarm;
        if (!is_tested(function, s, fp64) || !harness_takes_case())
            continue;
        open_program(&swarm, function, &shapes[s], fp64, NULL);
        for (size_t i = 0; i < count; i++)
            if (sizes[i].dim >= shoal_objective_get_info(swarm.objective)->min_dim) {
                swarm.shape = shapes[s];
                check_size(&swarm, sizes[i]);
            }
        close_program(&swarm);
    }
}

#define FUNCTION_TEST(name)                                                                                  \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_function(#name, false);                                                                        \
        if (harness_has_fp64())                                                                              \
            check_function(#name, true);                                                                     \
    }
FUNCTION_TEST(sphere)
FUNCTION_TEST(rosenbrock)
FUNCTION_TEST(rastrigin)
FUNCTION_TEST(ackley)
FUNCTION_TEST(griewank)

static void assert_same(const struct numbers *a, const struct numbers *b, const struct swarm *swarm)
{
    const size_t coordinates = (size_t)swarm->particles * swarm->dim;
    assert_memory_equal(a->x, b->x, coordinates * sizeof(double));
    assert_memory_equal(a->v, b->v, coordinates * sizeof(double));
    assert_memory_equal(a->p, b->p, coordinates * sizeof(double));
    assert_memory_equal(a->best, b->best, swarm->particles * sizeof(double));
}

static const uint32_t many = 7;

static struct numbers run_steps(struct swarm *swarm, uint32_t groups, bool in_one_launch)
{
    swarm->shape.groups = groups;
    make_buffers(swarm, harness.tiny ? (struct size){33, 3} : (struct size){257, 31});
    launch_init(swarm);
    if (in_one_launch)
        launch_step(swarm, 1, many);
    else
        for (uint32_t step = 1; step <= many; step++)
            launch_step(swarm, step, 1);
    return read_numbers(swarm);
}

/* How the work is spread over groups and launches changes no bit. */
static void test_groups_and_launches(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct swarm swarm;
        if (!harness_takes_case())
            continue;
        open_program(&swarm, "rosenbrock", &shapes[s], false, NULL);
        struct numbers one = run_steps(&swarm, 1, false);
        struct numbers together = run_steps(&swarm, 1, true);
        assert_same(&one, &together, &swarm);
        struct numbers several = run_steps(&swarm, 5, false);
        assert_same(&one, &several, &swarm);
        harness_release();
        close_program(&swarm);
    }
}

/* From the step on that finds the target reached nothing changes. */
static void test_target(void **state)
{
    (void)state;
    struct swarm swarm;
    open_program(&swarm, "rosenbrock", &shapes[1], false, NULL);
    make_buffers(&swarm, (struct size){33, 3});
    launch_init(&swarm);
    for (uint32_t step = 1; step <= 2; step++)
        launch_step(&swarm, step, 1);
    struct numbers before = read_numbers(&swarm);
    assert_int_equal(before.words[ISLAND_ENDED], 0);
    make_settings(&swarm, before.best[find_leader(&swarm, &before)]);
    for (uint32_t step = 3; step <= 5; step++)
        launch_step(&swarm, step, 1);
    struct numbers after = read_numbers(&swarm);
    assert_same(&before, &after, &swarm);
    assert_int_equal(after.words[ISLAND_STEPS], 2);
    assert_int_equal(after.words[ISLAND_REACHED], 1);
    assert_int_equal(after.words[ISLAND_ENDED], 1);
    harness_release();
    close_program(&swarm);
}

/* An objective that is NaN in half of the box. */
static const char nan_objective[] =
    "#define SHAPE PER_DIMENSION\n"
    "#define TERMS 1\n"
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
    "{\n"
    "    term[0] = d == 0u && x > R(0.0) ? (real)NAN : x * x;\n"
    "}\n"
    "static inline real objective_finish(const real *sum, uint dim) { return sum[0]; }\n";

static void test_nan(void **state)
{
    (void)state;
    /* Whole particles: the others take long to compile. */
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s += 2) {
        struct swarm swarm;
        if (!harness_takes_case())
            continue;
        open_program(&swarm, "sphere", &shapes[s], false, nan_objective);
        make_buffers(&swarm, (struct size){40, 3});
        launch_init(&swarm);
        for (uint32_t step = 1; step <= 3; step++)
            launch_step(&swarm, step, 1);
        struct numbers n = read_numbers(&swarm);
        size_t found = 0;
        for (size_t i = 0; i < swarm.particles; i++) {
            assert_false(isnan(n.best[i]));
            if (isinf(n.best[i]))
                continue;
            found++;
            assert_true(n.p[i] <= 0);
            assert_near(n.best[i], value_at(&swarm, n.p, i), value_tolerance(&swarm, n.best[i]));
        }
        assert_true(found > 0);
        assert_true(n.words[ISLAND_NOT_FINITE] > 0 && n.words[ISLAND_NOT_FINITE] < 4 * swarm.particles);
        assert_true(isfinite(n.best[find_leader(&swarm, &n)]));
        harness_release();
        close_program(&swarm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),    cmocka_unit_test(test_rosenbrock),
        cmocka_unit_test(test_rastrigin), cmocka_unit_test(test_ackley),
        cmocka_unit_test(test_griewank),  cmocka_unit_test(test_target),
        cmocka_unit_test(test_nan),       cmocka_unit_test(test_groups_and_launches),
    };
    return harness_main("swarm", tests, sizeof tests / sizeof *tests);
}
