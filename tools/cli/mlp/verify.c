#include "cli/mlp/verify.h"

#include "cli/cli.h"

#include <math.h>
#include <shoal/mlp.h>
#include <stdlib.h>

static const char check[] = "mlp.gradient";

static void add_row(struct verify *verify, struct shoal_device *device, const char *of,
                    const struct verify_row *found)
{
    struct verify_row row = *found;
    char *name = cli_sprintf("%s %s", check, of);
    row.name = cli_keep(name);
    free(name);
    verify_judge(verify, device, &row);
}

/* Creates a solver and reads its parameters before the first step. */
static enum shoal_status create(struct shoal_device *device, struct shoal_queue *queue,
                                const struct shoal_mlp_params *params, struct shoal_solver **solver,
                                double **parameters, size_t *count, struct shoal_error *error)
{
    const struct shoal_workload *mlp = shoal_workload_find("mlp");
    enum shoal_status status =
        shoal_solver_create(mlp, device, queue, params, SHOAL_VARIANT_AUTO, solver, error);
    if (!status)
        status = shoal_mlp_parameters(*solver, 0, NULL, 0, count, error);
    if (status)
        return status;
    *parameters = cli_alloc(*count * sizeof **parameters);
    return shoal_mlp_parameters(*solver, 0, *parameters, *count, count, error);
}

/* Central differences ------------------------------------------------------------------------------------ */

/* Finds the largest difference between the gradient and central differences. A parameter is skipped if its
 * two one-sided differences disagree: then the loss has a kink there. */
static enum shoal_status compare(struct shoal_solver *solver, double *parameters, size_t count,
                                 struct verify_row *row)
{
    const double h = 1e-5;
    double here = 0, above = 0, below = 0, *gradient = cli_alloc(count * sizeof *gradient);
    enum shoal_status status = shoal_mlp_gradient(solver, 0, parameters, &here, gradient, &row->error);
    for (size_t k = 0; k < count && !status; k++) {
        const double kept = parameters[k];
        parameters[k] = kept + h;
        status = shoal_mlp_gradient(solver, 0, parameters, &above, NULL, &row->error);
        parameters[k] = kept - h;
        if (!status)
            status = shoal_mlp_gradient(solver, 0, parameters, &below, NULL, &row->error);
        parameters[k] = kept;
        if (status || fabs((above - here) - (here - below)) > 1e-3 * h)
            continue;
        const double slope = (above - below) / (2 * h);
        const double deviation = fabs(gradient[k] - slope) / fmax(1, fabs(slope));
        row->deviation = deviation <= row->deviation ? row->deviation : deviation;
        row->compared++;
    }
    free(gradient);
    return status;
}

static enum shoal_status compare_case(struct shoal_device *device, const struct shoal_mlp_params *params,
                                      struct verify_row *row)
{
    struct shoal_solver *solver = NULL;
    double *parameters = NULL;
    size_t count = 0;
    enum shoal_status status = create(device, NULL, params, &solver, &parameters, &count, &row->error);
    if (!status)
        status = compare(solver, parameters, count, row);
    free(parameters);
    shoal_solver_destroy(&solver);
    return status;
}

/* Compares gradients for all losses and penalties, with the activation in the last layer (is_last) or in the
 * hidden layer. */
static void compare_activation(struct verify *verify, struct shoal_device *device, const char *activation,
                               bool is_last)
{
    /* The tolerance: central differences with h = 1e-5 of losses of order 1 have rounding errors of 1e-16 / h
     * = 1e-11, and an error of h^2 / 6 = 2e-11 times the third derivative, which is below 1000 for these
     * small nets. */
    struct verify_row row = {.what = "gradients of the host against central differences", .tolerance = 1e-7};
    const int32_t last_loss = is_last ? SHOAL_MLP_LOSS_HUBER : SHOAL_MLP_LOSS_CROSS_ENTROPY;
    enum shoal_status status = SHOAL_OK;
    for (int32_t loss = SHOAL_MLP_LOSS_E; loss <= last_loss && !status; loss++)
        for (int penalty = 0; penalty < 4 && !status && !cli_stopped(NULL); penalty++) {
            struct shoal_mlp_params params;
            shoal_mlp_params_init(&params);
            params.generate = "spirals:20";
            params.hidden = "5";
            params.activation = is_last ? "tanh" : activation;
            params.output = is_last ? activation : NULL;
            params.loss = loss;
            params.l1 = penalty == 1 ? 0.01 : 0;
            params.l2 = penalty == 2 ? 0.1 : 0;
            params.elimination = penalty == 3 ? 0.1 : 0;
            params.validation = params.test = 0;
            status = compare_case(device, &params, &row);
        }
    if (!cli_stopped(NULL))
        add_row(verify, device, activation, &row);
}

/* A device ----------------------------------------------------------------------------------------------- */

static double norm(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k] * values[k];
    return sqrt(sum);
}

/* Compares the gradient of the device with the gradient of the host: the device makes one update with all
 * rows at a large rate, so that the change of the parameters shows the gradient. */
static void compare_device(struct verify *verify, struct shoal_device *device, int32_t precision)
{
    /* The tolerance: sums over 64 inputs, 63 units and 1000 rows have about 100 rounding errors of 6e-8
     * (1e-16 in double precision). With a rate of 64 the change of the parameters is large against the
     * rounding of the parameters. */
    struct verify_row row = {.what = "gradient of one update of all rows against the host",
                             .tolerance = precision == SHOAL_FP64 ? 1e-12 : 1e-5};
    struct shoal_mlp_params params;
    struct shoal_solver *solver = NULL;
    struct shoal_queue *queue = NULL;
    double *start = NULL, *gradient = NULL, loss;
    size_t count = 0;
    shoal_mlp_params_init(&params);
    params.generate = "teacher:1000";
    params.validation = params.test = 0;
    params.optimiser = SHOAL_MLP_SGD;
    params.schedule = SHOAL_MLP_CONSTANT;
    params.rate = 64;
    params.full_batch = true;
    params.epochs = 1;
    params.trace = 0;
    params.precision = precision;
    enum shoal_status status = shoal_queue_create(device, 0, &queue, &row.error);
    if (!status)
        status = create(device, queue, &params, &solver, &start, &count, &row.error);
    if (!status) {
        gradient = cli_alloc(2 * count * sizeof *gradient);
        status = shoal_mlp_gradient(solver, 0, start, &loss, gradient, &row.error);
    }
    if (!status)
        status = shoal_solver_run(solver, 1, &row.error);
    if (!status)
        status = shoal_solver_state(solver, gradient + count, count, &count, &row.error);
    if (!status) {
        double *found = gradient + count;
        for (size_t k = 0; k < count; k++)
            found[k] = (start[k] - found[k]) / params.rate - gradient[k];
        row.deviation = norm(found, count) / norm(gradient, count);
        row.compared = count;
    }
    row.left_out = status == SHOAL_UNSUPPORTED;
    add_row(verify, device, precision == SHOAL_FP64 ? "device fp64" : "device fp32", &row);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    free(gradient);
    free(start);
}

static void verify_gradient(struct verify *verify, struct shoal_device *device)
{
    static const char *const hidden[] = {"logistic",  "tanh", "relu",   "leaky-relu",      "gelu",
                                         "gelu-tanh", "silu", "linear", "piecewise-linear"};
    const bool is_host = shoal_device_get_info(device)->is_host;
    for (size_t a = 0; is_host && a < sizeof hidden / sizeof *hidden && !cli_stopped(NULL); a++)
        compare_activation(verify, device, hidden[a], false);
    if (is_host && !cli_stopped(NULL))
        compare_activation(verify, device, "softmax", true);
    for (int32_t precision = SHOAL_FP32; !is_host && precision <= SHOAL_FP64 && !cli_stopped(NULL);
         precision++)
        compare_device(verify, device, precision);
}

const struct verify_check mlp_checks[] = {
    {check, verify_gradient, "-", "gradients against differences, devices against the host"},
    {NULL, NULL, NULL, NULL},
};
