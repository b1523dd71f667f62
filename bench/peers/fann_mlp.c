/* A net of FANN on the size of the mlp case for processors, 784-128-10. FANN has neither batches of a chosen
 * size nor Adam: a sample is one update of its incremental training, on one thread, with logistic units and
 * squared errors.
 *
 * usage: bench/peers/run.py fann-mlp
 *
 * The check is that the mean squared error falls on labels that the inputs determine.
 */
#include <fann.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { INPUTS = 784, HIDDEN = 128, OUTPUTS = 10, ROWS = 2560, SAMPLES = 7 };

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* The class is the tenth of the inputs with the greatest brightness. */
static void fill(unsigned int row, unsigned int inputs, unsigned int outputs, fann_type *input,
                 fann_type *output)
{
    const unsigned int class = row % outputs;
    for (unsigned int i = 0; i < inputs; i++)
        input[i] = (fann_type)(rand() / (double)RAND_MAX * (i * outputs / inputs == class ? 1 : 0.5));
    for (unsigned int o = 0; o < outputs; o++)
        output[o] = o == class;
}

int main(void)
{
    double samples[SAMPLES], first, last = 0;
    srand(1);
    struct fann *net = fann_create_standard(3, INPUTS, HIDDEN, OUTPUTS);
    struct fann_train_data *data = fann_create_train_from_callback(ROWS, INPUTS, OUTPUTS, fill);
    if (!net || !data) {
        fprintf(stderr, "no memory for the net or its data\n");
        return 1;
    }
    fann_set_training_algorithm(net, FANN_TRAIN_INCREMENTAL);
    fann_set_activation_function_hidden(net, FANN_SIGMOID);
    fann_set_activation_function_output(net, FANN_SIGMOID);
    fann_set_learning_rate(net, 0.05f);
    first = fann_train_epoch(net, data);
    for (int k = 0; k < SAMPLES; k++) {
        const double begin = now();
        double seconds;
        int epochs = 0;
        do {
            last = fann_train_epoch(net, data);
            epochs++;
            seconds = now() - begin;
        } while (seconds < 0.5);
        samples[k] = epochs * (double)ROWS / seconds;
    }
    printf("{\"case\": \"peer.fann-2.2.mlp-784-128-10\", \"device\": \"host\", \"variant\": \"t1\", "
           "\"precision\": \"fp32\", \"unit\": \"rows/s\", \"better\": \"higher\", \"check\": \"%s\", "
           "\"samples\": [",
           last < first ? "pass" : "fail");
    for (int k = 0; k < SAMPLES; k++)
        printf("%s%.6g", k ? ", " : "", samples[k]);
    printf("]}\n");
    fann_destroy_train(data);
    fann_destroy(net);
    return 0;
}
