/* The decay that is chosen for a net: of the rows it has, of classes and of numbers; and that a checkpoint
 * keeps it. */
#include "runs.h"
#include "workload/checkpoint/checkpoint.h"

#include <stdlib.h>

/* Targets of tables of three inputs from -1 to 1. */
enum kind { LINE, CURVE, NOISE, TWO_OUTPUTS };
enum { TABLE_ROWS = 400 };

static double uniform(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return (*random >> 8) / 8388608.0 - 1;
}

static const char *write_numbers(enum kind kind, double noise, int rows)
{
    char *const text = malloc((size_t)rows * 120 + 80), *at = text;
    uint32_t random = 7;
    assert_non_null(text);
    at += sprintf(at, "a,b,c,y%s\n", kind == TWO_OUTPUTS ? ",z" : "");
    for (int i = 0; i < rows; i++) {
        const double a = uniform(&random), b = uniform(&random), c = uniform(&random);
        /* Of variance 0.5, as noise = 1 has nearly. */
        const double error = 1.2 * noise * uniform(&random), line = 0.7 * (a + b - c),
                     curve = sin(5 * a) * cos(2 * b);
        at += sprintf(at, "%.6f,%.6f,%.6f,%.6f", a, b, c,
                      error + (kind == NOISE   ? 0
                               : kind == CURVE ? curve
                                               : line));
        at += sprintf(at, kind == TWO_OUTPUTS ? ",%.6f\n" : "\n", 1000 * curve);
    }
    static char path[200];
    snprintf(path, sizeof path, "%s", test_path("numbers.csv"));
    test_write_text(path, text);
    free(text);
    return path;
}

/* All rows train. */
static struct shoal_mlp_params by_default(const char *data)
{
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.data = data;
    params.target = "y";
    params.task = SHOAL_TASK_REGRESS;
    params.hidden = "200"; /* 1001 parameters, more than 800 */
    params.epochs = 4;
    params.validation = params.test = 0;
    params.trace = 0;
    return params;
}

static struct shoal_mlp_net first_net(struct shoal_solver *solver)
{
    struct shoal_mlp_net net = {0};
    assert_ok(shoal_mlp_net_at(solver, 0, &net, &test_error));
    return net;
}

static struct shoal_mlp_net net_of(const struct shoal_mlp_params *params)
{
    struct shoal_solver *solver = create(params);
    const struct shoal_mlp_net net = first_net(solver);
    shoal_solver_destroy(&solver);
    return net;
}

/* Between: what the mean of near rows must and can explain of a line's errors. */
static void numbers_by_their_lack_of_fit(void **state)
{
    (void)state;
    const struct {
        enum kind kind;
        double noise, least, most;
    } cases[] = {
        {LINE, 0.15, 0, 0.05}, {LINE, 0.3, 0, 0.05},   {LINE, 1, 0, 0.05},    {NOISE, 1, 0, 0.05},
        {CURVE, 0, 0.8, 1},    {CURVE, 0.3, 0.6, 0.9}, {CURVE, 1, 0.15, 0.5}, {CURVE, 4, 0, 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("kind %d, noise %g", cases[i].kind, cases[i].noise);
        const struct shoal_mlp_params params =
            by_default(write_numbers(cases[i].kind, cases[i].noise, TABLE_ROWS));
        const struct shoal_mlp_net net = net_of(&params);
        assert_true(net.lack_of_fit >= cases[i].least && net.lack_of_fit <= cases[i].most);
        assert_near(net.decay, pow(20, -net.lack_of_fit), 1e-12);
    }
}

/* Of many rows less decay, whatever they show; and a curve shows more. */
static void more_rows_need_less(void **state)
{
    (void)state;
    struct shoal_mlp_params params = by_default(write_numbers(LINE, 1, 3200));
    assert_near(net_of(&params).decay, 0.25, 1e-12);
    /* As few as a net has weights and biases. */
    params = by_default(write_numbers(LINE, 1, TABLE_ROWS));
    params.hidden = "7,5";
    assert_near(net_of(&params).decay, (4.0 * 7 + 8 * 5 + 6) / TABLE_ROWS, 1e-12);
    params.hidden = "none";
    assert_near(net_of(&params).decay, 4.0 / TABLE_ROWS, 1e-12);
    double before = 0;
    for (int rows = 80; rows <= 1280; rows *= 4) {
        params = by_default(write_numbers(CURVE, 0, rows));
        const struct shoal_mlp_net net = net_of(&params);
        assert_true(net.lack_of_fit > before && net.lack_of_fit <= 1);
        before = net.lack_of_fit;
    }
}

static void units_do_not_matter(void **state)
{
    (void)state;
    struct shoal_mlp_params params = by_default(write_numbers(CURVE, 0.3, TABLE_ROWS));
    const double standard = net_of(&params).lack_of_fit;
    params.scale = SHOAL_MLP_UNSCALED;
    params.target_scale = SHOAL_MLP_MIN_MAX;
    assert_near(net_of(&params).lack_of_fit, standard, 1e-9);
    /* Two outputs, whose scales differ by 1000, count alike: the mean of a line's errors, near 0, and those
     * of a curve. */
    params = by_default(write_numbers(TWO_OUTPUTS, 1, TABLE_ROWS));
    params.target = "y,z";
    params.target_scale = SHOAL_MLP_UNSCALED;
    const double both = net_of(&params).lack_of_fit;
    assert_true(both > 0.2 && both < 0.8);
}

/* A row of weight 0 changes nothing. */
static void rows_without_weight_do_not_count(void **state)
{
    (void)state;
    char text[64 * 60], *at = text;
    double lack[2];
    for (int all = 0; all < 2; all++) {
        uint32_t random = 3;
        at = text + sprintf(text, "a,b,w,y\n");
        for (int i = 0; i < 60; i++) {
            const double a = uniform(&random), b = uniform(&random);
            const bool counts = i % 3 > 0;
            if (counts || all)
                at +=
                    sprintf(at, "%.6f,%.6f,%d,%.6f\n", a, b, counts ? 1 + i % 2 : 0, counts ? a * b : 40 * a);
        }
        test_write_text(test_path("weights.csv"), text);
        struct shoal_mlp_params params = by_default(test_path("weights.csv"));
        params.weight = "w";
        lack[all] = net_of(&params).lack_of_fit;
    }
    assert_true(lack[0] > 0.3);
    assert_near(lack[1], lack[0], 1e-9);
}

static void others_have_a_cap(void **state)
{
    (void)state;
    struct shoal_mlp_params params = by_default(write_numbers(CURVE, 0, 15));
    struct shoal_mlp_net net = net_of(&params);
    assert_true(isnan(net.lack_of_fit));
    assert_near(net.decay, 0.4, 1e-12);
    params = by_default(write_numbers(CURVE, 0, 16));
    assert_false(isnan(net_of(&params).lack_of_fit));
    params = by_default(write_numbers(LINE, 0, TABLE_ROWS)); /* nothing is left to explain */
    net = net_of(&params);
    assert_true(isnan(net.lack_of_fit));
    assert_near(net.decay, 0.4, 1e-12);
    params.decay = 0.3;
    net = net_of(&params);
    assert_true(isnan(net.lack_of_fit));
    assert_near(net.decay, 0.3, 0);
    params.decay = NAN;
    params.optimiser = SHOAL_MLP_ADAM;
    assert_true(isnan(net_of(&params).lack_of_fit));
    /* Classes: 72 rows, 82 parameters. */
    params = small();
    params.decay = NAN;
    net = net_of(&params);
    assert_true(isnan(net.lack_of_fit));
    assert_near(net.decay, 1, 1e-12);
    params.loss = SHOAL_MLP_LOSS_SQUARED;
    assert_near(net_of(&params).decay, 0.4, 1e-12);
}

/* Each fold has rows of its own, the nets of a fold have them in common. */
static void folds_have_their_own(void **state)
{
    (void)state;
    struct shoal_mlp_params params = by_default(write_numbers(CURVE, 0.3, TABLE_ROWS));
    struct shoal_mlp_net nets[4];
    params.validation = params.test = NAN;
    params.folds = params.nets = 2;
    struct shoal_solver *solver = create(&params);
    for (uint64_t i = 0; i < 4; i++) {
        nets[i].size = sizeof nets[i];
        assert_ok(shoal_mlp_net_at(solver, i, &nets[i], &test_error));
    }
    assert_true(nets[0].lack_of_fit == nets[1].lack_of_fit && nets[2].lack_of_fit == nets[3].lack_of_fit);
    assert_true(nets[0].lack_of_fit != nets[2].lack_of_fit);
    (void)finish(solver);
    assert_near(value_of(solver, "decay"), (nets[0].decay + nets[2].decay) / 2, 1e-12);
    shoal_solver_destroy(&solver);
}

/* Checkpoints ---------------------------------------------------------------------------------------------
 */

/* Of struct settings in src/mlp/checkpoint.c. */
struct settings {
    double rate, momentum, decay, lack_of_fit;
    uint64_t batch;
};

/* Changes section `name` of the checkpoint's file; NULL: it goes. */
static void set_section(const char *name, const void *data, size_t bytes)
{
    struct checkpoint checkpoint;
    void *file;
    const char *const path = test_path("a.ckpt");
    bool found = false;
    assert_ok(checkpoint_read(&checkpoint, path, &file, &test_error));
    for (size_t i = 0; i < checkpoint.count && !found; i++) {
        struct checkpoint_section *const section = &checkpoint.sections[i];
        found = strcmp(section->name, name) == 0;
        if (!found)
            continue;
        section->data = data;
        section->bytes = bytes;
        if (!data)
            memmove(section, section + 1, (--checkpoint.count - i) * sizeof *section);
    }
    assert_true(found);
    assert_ok(checkpoint_write(&checkpoint, path, &test_error));
    free(file);
}

static void save(const struct shoal_mlp_params *params, const char *name)
{
    struct shoal_solver *solver = create(params);
    uint64_t done;
    assert_ok(shoal_solver_step(solver, 2, &done, &test_error));
    assert_ok(shoal_solver_save(solver, test_path("%s", name), &test_error));
    shoal_solver_destroy(&solver);
}

/* A run of two epochs, whose checkpoint has other settings than the rules of today give. */
static void save_with(const struct shoal_mlp_params *params, const struct settings *settings)
{
    save(params, "a.ckpt");
    set_section("settings", settings, sizeof *settings);
}

/* A run of two epochs by older rules, which `old` states, as if they had been the default: with the options
 * of `params`; and, as older versions wrote it, without settings. */
static void save_older(const struct shoal_mlp_params *params, const struct shoal_mlp_params *old)
{
    struct checkpoint checkpoint;
    void *file;
    save(old, "a.ckpt");
    save(params, "b.ckpt");
    assert_ok(checkpoint_read(&checkpoint, test_path("b.ckpt"), &file, &test_error));
    const struct checkpoint_section *const options = checkpoint_find(&checkpoint, "options");
    set_section("options", options->data, options->bytes);
    set_section("settings", NULL, 0);
    free(file);
}

static void a_resumed_net_keeps_what_was_chosen(void **state)
{
    (void)state;
    const struct settings settings = {0.02, 0.8, 0.123, 0.6, 12};
    const double rate = 0.02, decay = 0.123, other = 0.05;
    struct shoal_mlp_params params = by_default(write_numbers(CURVE, 0, TABLE_ROWS));
    save_with(&params, &settings);
    struct shoal_solver *solver = create(&params);
    assert_ok(shoal_solver_load(solver, test_path("a.ckpt"), &test_error));
    const struct shoal_mlp_net net = first_net(solver);
    assert_true(net.rate == rate && net.decay == decay && net.lack_of_fit == 0.6);
    /* And is trained with it, as one that was given them. */
    (void)finish(solver);
    params.rates = &rate;
    params.decays = &decay;
    struct shoal_solver *given = create(&params);
    assert_ok(shoal_solver_load(given, test_path("a.ckpt"), &test_error));
    (void)finish(given);
    assert_same_nets(solver, 0, given, 0);
    shoal_solver_destroy(&given);
    shoal_solver_destroy(&solver);
    /* What a program gives is its own. */
    params.decays = &other;
    given = create(&params);
    assert_ok(shoal_solver_load(given, test_path("a.ckpt"), &test_error));
    assert_near(first_net(given).decay, other, 0);
    shoal_solver_destroy(&given);
}

/* Older versions had 800 / rows, at most 0.4, for all nets, and batches of 16 to 128 rows. */
static void older_checkpoints_have_the_rules_of_then(void **state)
{
    (void)state;
    const struct shoal_mlp_params cases[] = {by_default(write_numbers(LINE, 1, 200)), small()};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_mlp_params params = cases[i], old = cases[i];
        params.decay = NAN;
        params.batch = 0;
        old.decay = 0.4;
        old.batch = 16;
        save_older(&params, &old);
        struct shoal_solver *solver = create(&params), *whole = run(&old);
        assert_near(first_net(solver).decay, 1, 1e-12);
        assert_ok(shoal_solver_load(solver, test_path("a.ckpt"), &test_error));
        assert_near(first_net(solver).decay, 0.4, 1e-12);
        assert_true(isnan(first_net(solver).lack_of_fit));
        (void)finish(solver);
        assert_same_nets(solver, 0, whole, 0);
        shoal_solver_destroy(&solver);
        shoal_solver_destroy(&whole);
    }
}

/* What could not be loaded leaves the settings that the rules chose. */
static void impossible_settings_are_damage(void **state)
{
    (void)state;
    const struct settings all[] = {
        {-1, 0.9, 0.1, 0, 12},           {0.01, 1, 0.1, 0, 12},
        {0.01, 0.9, NAN, 0, 12},         {0.01, 0.9, 0.1, 2, 12},
        {0.01, 0.9, 0.1, 0, UINT64_MAX}, {0.01, 0.9, 0.1, 0, 200}}; /* too few updates an epoch */
    const struct shoal_mlp_params params = by_default(write_numbers(CURVE, 0, TABLE_ROWS));
    struct shoal_solver *whole = run(&params);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        test_label("case %d", (int)i);
        save_with(&params, &all[i]);
        struct shoal_solver *solver = create(&params);
        assert_status(shoal_solver_load(solver, test_path("a.ckpt"), &test_error), SHOAL_IO);
        (void)finish(solver);
        assert_same_nets(solver, 0, whole, 0);
        shoal_solver_destroy(&solver);
    }
    shoal_solver_destroy(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(numbers_by_their_lack_of_fit),
        HOST_TEST(more_rows_need_less),
        HOST_TEST(units_do_not_matter),
        HOST_TEST(rows_without_weight_do_not_count),
        HOST_TEST(others_have_a_cap),
        HOST_TEST(folds_have_their_own),
        HOST_TEST(a_resumed_net_keeps_what_was_chosen),
        HOST_TEST(older_checkpoints_have_the_rules_of_then),
        HOST_TEST(impossible_settings_are_damage),
    };
    return cmocka_run_group_tests_name("mlp decay", tests, NULL, NULL);
}
