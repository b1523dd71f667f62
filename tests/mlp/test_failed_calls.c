/* An update of a net on a device begins again after any OpenCL call of it has failed, in both forms. */
#include "record.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

static const struct shape shape = {
    "5-6-2", 5, 2, {6, 2}, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, STORAGE_FP32, true, false};

/* Returns the parameters after an update whose call number `call` fails at first; 0: none fails. */
static double *update(unsigned call, enum mlp_device_text text, size_t *bytes, bool *has_failed)
{
    struct work work;
    const struct training training = training_of(MLP_MOMENTUM, 0);
    make(&work, &shape, 12);
    struct net_training *device = open_device(&work, &training, false, text, 0);
    record_failed = false;
    record_countdown = call;
    const enum shoal_status status = mlp_device_update(device, 1, &test_error);
    record_countdown = 0;
    *has_failed = record_failed;
    assert_true(!status || *has_failed);
    if (status) {
        assert_ok(mlp_device_begin(device, work.parameters, &test_error));
        assert_ok(mlp_device_update(device, 1, &test_error));
    }
    *bytes = work.net->parameters * sizeof(double);
    double *const parameters = malloc(*bytes);
    assert_non_null(parameters);
    assert_ok(mlp_device_parameters(device, false, parameters, &test_error));
    mlp_device_destroy(&device);
    close_work(&work);
    return parameters;
}

static void failed_calls(void **state)
{
    (void)state;
    if (strcmp(harness.info->backend, "opencl") != 0)
        skip();
    for (size_t t = 0; t < TEXTS; t++) {
        size_t bytes;
        bool has_failed;
        unsigned calls = 0;
        if (!harness_takes_case())
            continue;
        double *const wanted = update(0, texts[t], &bytes, &has_failed);
        do {
            double *const got = update(calls + 1, texts[t], &bytes, &has_failed);
            if (memcmp(got, wanted, bytes) != 0)
                fail_msg("other parameters after call %u of the form %d has failed", calls + 1,
                         (int)texts[t]);
            free(got);
            calls += has_failed;
        } while (has_failed);
        assert_true(calls > 0);
        free(wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failed_calls)};
    return harness_main("failed calls of a net", tests, sizeof tests / sizeof *tests);
}
