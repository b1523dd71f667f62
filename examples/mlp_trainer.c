/* A net that learns from a stream: one update at a time, on arrays of the program. A sensor gives a sine with
 * noise, and the net predicts each value from the eight before it. Half-way the frequency changes: the loss
 * rises, and falls again as the net follows.
 *
 *     cc -std=c11 mlp_trainer.c $(pkg-config --cflags --libs shoal) -lm
 */
#include <math.h>
#include <shoal/shoal.h>
#include <stdio.h>
#include <stdlib.h>

enum { BEFORE = 8, ROWS = 16, UPDATES = 4000, LINE = 500 };
static const double NOISE = 0.05;

struct sensor {
    uint32_t count;
    double phase, frequency, last[BEFORE + 1];
};

static void measure(struct sensor *sensor)
{
    double noise, unused;
    shoal_normal_double(shoal_random_words(1, 0, 0, sensor->count++, 0), &noise, &unused);
    sensor->phase += sensor->frequency;
    for (int k = 0; k < BEFORE; k++)
        sensor->last[k] = sensor->last[k + 1];
    sensor->last[BEFORE] = sin(sensor->phase) + NOISE * noise;
}

/* An update for each ROWS values of the sensor. */
static enum shoal_status learn(struct shoal_mlp_trainer *trainer, struct shoal_error *error)
{
    struct sensor sensor = {.frequency = 0.3};
    double inputs[ROWS * BEFORE], targets[ROWS], loss, sum = 0;
    enum shoal_status status = SHOAL_OK;
    for (int k = 0; k < BEFORE; k++)
        measure(&sensor);
    for (int update = 1; update <= UPDATES && !status; update++) {
        if (update == UPDATES / 2 + 1)
            sensor.frequency = 0.8;
        for (int row = 0; row < ROWS; row++) {
            measure(&sensor);
            for (int k = 0; k < BEFORE; k++)
                inputs[row * BEFORE + k] = sensor.last[k];
            targets[row] = sensor.last[BEFORE];
        }
        status = shoal_mlp_trainer_update(trainer, inputs, NULL, targets, error);
        if (!status)
            status = shoal_mlp_trainer_loss(trainer, &loss, error);
        sum += status ? 0 : loss;
        if (!status && update % LINE == 0) {
            printf("update %4d: mean loss %.5f\n", update, sum / LINE);
            sum = 0;
        }
    }
    return status;
}

/* All weights are one flat array: the first layer's, ... , the last one's. */
static enum shoal_status show_weights(struct shoal_mlp_trainer *trainer, struct shoal_error *error)
{
    const size_t count = shoal_mlp_trainer_count(trainer);
    double *weights = malloc(count * sizeof *weights), sum = 0;
    if (!weights)
        return SHOAL_OUT_OF_HOST_MEMORY;
    const enum shoal_status status = shoal_mlp_trainer_get(trainer, weights, error);
    for (size_t k = 0; k < count && !status; k++)
        sum += weights[k] * weights[k];
    if (!status)
        printf("%zu weights, root mean square %.3f; the noise alone has a loss of %.5f\n", count,
               sqrt(sum / (double)count), NOISE * NOISE);
    free(weights);
    return status;
}

int main(void)
{
    struct shoal_mlp_trainer *trainer = NULL;
    struct shoal_mlp_trainer_params params;
    struct shoal_mlp_params mlp;
    struct shoal_error error = {0};

    shoal_mlp_params_init(&mlp);
    mlp.hidden = "16";
    mlp.activation = "tanh";
    mlp.optimiser = SHOAL_MLP_ADAM;
    mlp.schedule = SHOAL_MLP_CONSTANT;
    mlp.rate = 0.003;
    shoal_mlp_trainer_params_init(&params);
    params.mlp = &mlp;
    params.inputs = BEFORE;
    params.outputs = 1;
    params.rows = ROWS;
    /* Without a queue, on the host: small updates gain nothing on a device. */
    enum shoal_status status = shoal_mlp_trainer_create(NULL, SHOAL_VARIANT_AUTO, &params, &trainer, &error);
    if (!status)
        status = learn(trainer, &error);
    if (!status)
        status = show_weights(trainer, &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    shoal_mlp_trainer_destroy(&trainer);
    return status != SHOAL_OK;
}
