/* Predictions of a saved net: raw rows in, probabilities out, on the host in double precision, on all
 * threads, and on devices in single precision, where the rows come from and the outputs go to the host. The
 * net is trained for an epoch, so that its weights are not special.
 *
 * A row's error is the largest difference between the outputs of a row among all others and its outputs
 * alone, on the host in double precision.
 */
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/dataset.h>
#include <shoal/mlp.h>
#include <shoal/mlp_model.h>
#include <stdlib.h>

enum { INPUTS = 784, CLASSES = 10, TRAINED = 2048, ROWS = 16384, CHECKED = 64 };

struct prediction {
    struct shoal_dataset *dataset;
    struct shoal_mlp *mlp;
    struct shoal_mlp_predictor *predictor; /* NULL: on the host */
    double *rows, *outputs;                /* [ROWS][INPUTS], [ROWS][CLASSES] */
    float *narrow_rows, *narrow_outputs;   /* the same for a device, in its precision */
};

static void destroy(struct bench *bench)
{
    struct prediction *prediction = bench->state;
    if (!prediction)
        return;
    shoal_mlp_predictor_destroy(&prediction->predictor);
    shoal_mlp_destroy(&prediction->mlp);
    shoal_dataset_destroy(&prediction->dataset);
    free(prediction->narrow_rows);
    free(prediction->narrow_outputs);
    free(prediction->rows);
    free(prediction->outputs);
    free(prediction);
    bench->state = NULL;
}

static enum shoal_status train(struct bench *bench, struct prediction *prediction, struct shoal_error *error)
{
    struct shoal_dataset_generator generator;
    struct shoal_mlp_params params;
    shoal_dataset_generator_init(&generator);
    generator.kind = "random";
    generator.rows = TRAINED;
    generator.inputs = INPUTS;
    generator.classes = CLASSES;
    generator.seed = 1;
    enum shoal_status status = shoal_dataset_generate(&generator, &prediction->dataset, error);
    if (status != SHOAL_OK)
        return status;
    shoal_mlp_params_init(&params);
    params.dataset = prediction->dataset;
    params.hidden = "128";
    params.epochs = 1;
    status = shoal_mlp_create(bench->device, &params, &prediction->mlp, error);
    return status == SHOAL_OK ? shoal_mlp_train(prediction->mlp, NULL, error) : status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct prediction *prediction = bench->state = calloc(1, sizeof *prediction);
    if (prediction) {
        prediction->rows = malloc(sizeof(double) * ROWS * INPUTS);
        prediction->outputs = malloc(sizeof(double) * ROWS * CLASSES);
    }
    if (!prediction || !prediction->rows || !prediction->outputs)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the rows");
    for (size_t i = 0; i < (size_t)ROWS * INPUTS; i++)
        prediction->rows[i] = fmod(0.61803398874989485 * (double)i, 1);
    bench->work = ROWS;
    return train(bench, prediction, error);
}

static enum shoal_status create_on_host(struct bench *bench, struct shoal_error *error)
{
    bench->precision = "fp64";
    return create(bench, error);
}

static enum shoal_status create_on_device(struct bench *bench, struct shoal_error *error)
{
    const enum shoal_status status = create(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct prediction *prediction = bench->state;
    prediction->narrow_rows = malloc(sizeof(float) * ROWS * INPUTS);
    prediction->narrow_outputs = malloc(sizeof(float) * ROWS * CLASSES);
    if (!prediction->narrow_rows || !prediction->narrow_outputs)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the rows");
    for (size_t i = 0; i < (size_t)ROWS * INPUTS; i++)
        prediction->rows[i] = (double)(prediction->narrow_rows[i] = (float)prediction->rows[i]);
    return shoal_mlp_predictor_create(shoal_mlp_trained(prediction->mlp), bench->device, SHOAL_FP32,
                                      &prediction->predictor, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct prediction *prediction = bench->state;
    return prediction->predictor
               ? shoal_mlp_predictor_run_floats(prediction->predictor, prediction->narrow_rows, ROWS,
                                                prediction->narrow_outputs, error)
               : shoal_mlp_predict(prediction->mlp, prediction->rows, ROWS, prediction->outputs, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct prediction *prediction = bench->state;
    double alone[CLASSES], most = 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; prediction->predictor && i < (size_t)ROWS * CLASSES; i++)
        prediction->outputs[i] = (double)prediction->narrow_outputs[i];
    for (size_t row = 0; row < CHECKED && status == SHOAL_OK; row++) {
        const size_t at = row * (ROWS / CHECKED);
        double sum = 0;
        status = shoal_mlp_predict(prediction->mlp, prediction->rows + at * INPUTS, 1, alone, error);
        for (size_t k = 0; k < CLASSES; k++) {
            most = fmax(most, fabs(alone[k] - prediction->outputs[at * CLASSES + k]));
            sum += alone[k];
        }
        most = fmax(most, fabs(sum - 1));
    }
    check->error = most;
    /* Sums of 784 terms of order 0.1 have in single precision an error of some 1e-7. */
    check->passed = most <= (prediction->predictor ? 1e-5 : 1e-12);
    return status;
}

static const struct bench_ops host_ops = {create_on_host, NULL, run, check, destroy, NULL},
                              device_ops = {create_on_device, NULL, run, check, destroy, NULL};

static const struct bench_case cases[] = {
    {.name = "mlp.predict.784-128-10",
     .help = "predictions for 16384 rows by a net of 784-128-10",
     .unit = "rows/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .all_threads = true,
     .device = &device_ops,
     .host = &host_ops},
};

const struct bench_case_list bench_predict_cases = {cases, sizeof cases / sizeof *cases};
