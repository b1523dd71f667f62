/* The net of the thesis on a CPU, twice: what GPUs are compared with (B. Grebensek, Ljubljana 2010: one
 * hidden layer, logistic units, half the sum of squares, all rows in each update, momentum).
 *
 * scalar: the thesis's own reference, one row after the other on plain arrays, built without vectorisation.
 *
 * vector: the same sums as matrix products of blocks of rows, for vector units, built at -O3 for the best
 * instruction set of the processor it runs on.
 *
 * Single precision. Weights are a matrix for each layer, a row for each neuron that they come from and one
 * for the biases: (inputs + 1) x hidden, then (hidden + 1) x outputs.
 */
#ifndef SHOAL_BENCH_THESIS_MLP_CPU_H
#define SHOAL_BENCH_THESIS_MLP_CPU_H

#include <stddef.h>

struct thesis_mlp_net {
    size_t inputs, hidden, outputs;
};

static inline size_t thesis_mlp_weights(const struct thesis_mlp_net *net)
{
    return (net->inputs + 1) * net->hidden + (net->hidden + 1) * net->outputs;
}

/* Number of operations for a row in the thesis's algorithm: two for each weight forward, two for its
 * derivative, two back through the second layer. */
static inline double thesis_mlp_flop(const struct thesis_mlp_net *net)
{
    return 4.0 * (double)thesis_mlp_weights(net) + 2.0 * (double)net->hidden * (double)net->outputs;
}

struct thesis_mlp_twin {
    const char *compiler;
    size_t (*room)(const struct thesis_mlp_net *net); /* number of floats of work memory, which begins as 0 */
    /* Adds the derivatives of the loss of all rows to `gradient`, with changed sign: in the direction of the
     * update. Rows of inputs, and of targets, follow each other. */
    void (*add)(const struct thesis_mlp_net *net, const float *weights, const float *inputs,
                const float *targets, size_t rows, float *work, float *gradient);
};

extern const struct thesis_mlp_twin thesis_mlp_scalar;
/* The vector twin for this processor. An index selects one of the builds that the processor can run, the
 * plainest first; NULL at the end. */
const struct thesis_mlp_twin *thesis_mlp_vector(void);
const struct thesis_mlp_twin *thesis_mlp_vector_at(size_t index);

#endif
