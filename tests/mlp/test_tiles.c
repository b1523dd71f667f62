/* Tiles of a net's products, which shoal tune measures: any of them gives the same bits. */
#include "work.h"

#include <stdlib.h>

/* Layers wide enough for the largest tile, with products in each direction; the gradient in parts. */
static const struct shape wide = {
    "160-150-140-3",        160,          3,    {150, 140, 3}, MLP_TANH, MLP_SOFTMAX,
    MLP_LOSS_CROSS_ENTROPY, STORAGE_FP32, true, false};
/* The same for the simulator, and the smallest tile that is tried. */
static const struct shape narrow = {
    "70-66-65-3",           70,           3,    {66, 65, 3}, MLP_TANH, MLP_SOFTMAX,
    MLP_LOSS_CROSS_ENTROPY, STORAGE_FP32, true, false};
static const char program[] = "mlp.layer";

/* The parameters after some updates with a value of a define; NULL: that of the rule. */
static double *train(size_t rows, bool is_double, const char *define, const int64_t *value, size_t *count)
{
    const int updates = harness.tiny ? 1 : 2;
    struct work work;
    const struct training training = training_of(MLP_MOMENTUM, 0);
    assert_ok(shoal_tuning_try(harness.device, program, define, value, &test_error));
    make(&work, harness.tiny ? &narrow : &wide, rows);
    struct net_training *device = open_device(&work, &training, is_double, MLP_DEVICE_TILED, 0);
    double *const parameters = malloc(work.net->parameters * sizeof *parameters);
    assert_non_null(parameters);
    for (int k = 0; k < updates; k++)
        assert_ok(mlp_device_update(device, 1, &test_error));
    assert_ok(mlp_device_parameters(device, false, parameters, &test_error));
    *count = work.net->parameters;
    mlp_device_destroy(&device);
    close_work(&work);
    assert_ok(shoal_tuning_try(harness.device, program, define, NULL, &test_error));
    return parameters;
}

static void check_bits(bool is_double, const char *define, const int64_t *values, size_t value_count)
{
    const size_t rows = harness.tiny ? 66 : 300;
    size_t count;
    double *const by_rule = train(rows, is_double, define, NULL, &count);
    for (size_t k = 0; k < value_count; k++) {
        double *const tuned = train(rows, is_double, define, &values[k], &count);
        for (size_t i = 0; i < count; i++)
            if (tuned[i] != by_rule[i])
                fail_msg("%s %lld, parameter %zu: %.17g, not %.17g", define, (long long)values[k], i,
                         tuned[i], by_rule[i]);
        free(tuned);
    }
    free(by_rule);
}

static void same_bits(void **state)
{
    (void)state;
    /* The large ones take PoCL seconds to build. */
    static const int64_t tiles[] = {64064016,  128064016, 128128008, 128128016,
                                    256128008, 256128016, 256160008};
    const bool is_cpu = shoal_device_get_info(harness.device)->is_cpu;
    if (harness_takes_case())
        check_bits(false, "TILE", tiles, is_cpu ? 1 : sizeof tiles / sizeof *tiles);
    if (!harness.tiny && harness_has_fp64() && harness_takes_case())
        check_bits(true, "TILE", tiles, 1);
}

static void same_bits_of_slices(void **state)
{
    (void)state;
    static const int64_t ahead[] = {1, 0}, stages[] = {1};
    if (harness_takes_case())
        check_bits(false, "AHEAD", ahead, harness.tiny ? 1 : 2);
    if (!harness.tiny && harness_takes_case())
        check_bits(false, "STAGES", stages, 1);
}

/* What shoal tune is told, and that a tile it stored is taken; one that there is not is left alone. */
static void tunables(void **state)
{
    (void)state;
    struct shoal_tunable tunable;
    const int64_t none = 123456789;
    size_t count, kinds = 0;
    static const char *const of_wide[] = {"TILE product=forward precision=0 m=2^6 n=2^7 k=2^7",
                                          "TILE product=backward precision=0 m=2^6 n=2^7 k=2^7",
                                          "TILE product=gradient precision=0 m=2^7 n=2^7 k=2^6"},
                             *const of_narrow[] = {"TILE product=forward precision=0 m=2^6 n=2^6 k=2^6",
                                                   "TILE product=backward precision=0 m=2^6 n=2^6 k=2^6",
                                                   "TILE product=gradient precision=0 m=2^6 n=2^6 k=2^6"};
    const char *const *const classes = harness.tiny ? of_narrow : of_wide;
    shoal_tuning_watch(harness.device);
    free(train(100, false, "TILE", &none, &count));
    for (size_t k = 0; shoal_tuning_watched(harness.device, k, &tunable); k++) {
        assert_string_equal(tunable.program, program);
        assert_true(tunable.try_count == 9 && tunable.tries[0] == 32032032);
        for (size_t c = 0; c < 3; c++)
            kinds += strcmp(tunable.define, classes[c]) == 0;
    }
    assert_int_equal(kinds, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(same_bits_of_slices),
                                       by_turn(tunables)};
    return harness_main("tiles", tests, sizeof tests / sizeof *tests);
}
