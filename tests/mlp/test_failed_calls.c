/* An update of a net on a device begins again after any OpenCL call of it has failed, in both forms. */
#include "record.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

static const struct shape shape = {
    "5-6-2", 5, 2, {6, 2}, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, STORAGE_FP32, true, false};

static double *parameters_of(struct net_training *device, size_t count)
{
    double *const parameters = malloc(count * sizeof *parameters);
    assert_non_null(parameters);
    assert_ok(mlp_device_parameters(device, false, parameters, &test_error));
    return parameters;
}

/* Call number `call` of the first update fails. False: the update has fewer calls. */
static bool update_again(unsigned call, enum mlp_device_text text, const double *wanted)
{
    struct work work;
    const struct training training = training_of(MLP_MOMENTUM, 0);
    make(&work, &shape, 12);
    struct net_training *device = open_device(&work, &training, false, text, 0);
    record_failed = false;
    record_countdown = call;
    const enum shoal_status status = mlp_device_update(device, 1, &test_error);
    record_countdown = 0;
    const bool has_failed = record_failed;
    assert_true(!status || has_failed);
    if (status) {
        assert_ok(mlp_device_begin(device, work.parameters, &test_error));
        assert_ok(mlp_device_update(device, 1, &test_error));
    }
    double *const parameters = parameters_of(device, work.net->parameters);
    if (memcmp(parameters, wanted, work.net->parameters * sizeof *parameters) != 0)
        fail_msg("other parameters after call %u of the form %d has failed", call, (int)text);
    free(parameters);
    mlp_device_destroy(&device);
    close_work(&work);
    return has_failed;
}

static void failed_calls(void **state)
{
    (void)state;
    if (strcmp(harness.info->backend, "opencl") != 0)
        skip();
    for (size_t t = 0; t < TEXTS; t++) {
        struct work work;
        const struct training training = training_of(MLP_MOMENTUM, 0);
        unsigned call = 1;
        if (!harness_takes_case())
            continue;
        make(&work, &shape, 12);
        struct net_training *device = open_device(&work, &training, false, texts[t], 0);
        assert_ok(mlp_device_update(device, 1, &test_error));
        double *const wanted = parameters_of(device, work.net->parameters);
        mlp_device_destroy(&device);
        close_work(&work);
        while (update_again(call, texts[t], wanted))
            call++;
        assert_true(call > 1);
        free(wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failed_calls)};
    return harness_main("failed calls of a net", tests, sizeof tests / sizeof *tests);
}
