#include "bench/mlp/thesis/host.h"

#include "cli/output/stats.h"

#include <math.h>
#include <omp.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

static const float rate = 0.5F, momentum = 0.9F;

/* Rows ----------------------------------------------------------------------------------------------------
 */

static enum shoal_status generate(const struct thesis_mlp_net *net, struct shoal_dataset **out,
                                  struct shoal_error *error)
{
    struct shoal_dataset_generator generator;
    shoal_dataset_generator_init(&generator);
    generator.kind = net->inputs == 64 && net->outputs == 26 ? "teacher" : "random";
    generator.rows = THESIS_MLP_ROWS;
    generator.inputs = net->inputs;
    generator.classes = net->outputs;
    generator.seed = 1;
    return shoal_dataset_generate(&generator, out, error);
}

/* Makes encoded rows: inputs, then targets. */
static enum shoal_status take_rows(struct thesis_mlp_set *set, struct shoal_error *error)
{
    enum { PORTION = 512 };
    const struct shoal_dataset_info *info = shoal_dataset_get_info(set->dataset);
    const size_t inputs = info->input_width, outputs = info->target_width, width = inputs + outputs;
    double *rows = malloc(PORTION * width * sizeof *rows);
    enum shoal_status status = SHOAL_OK;
    if (!rows || inputs != set->net.inputs || outputs != set->net.outputs) {
        free(rows);
        return bench_fail(error, SHOAL_FAILED,
                          "no memory on the host, or a set of %zu inputs and %zu outputs", inputs, outputs);
    }
    for (size_t first = 0; first < THESIS_MLP_ROWS && status == SHOAL_OK; first += PORTION) {
        status = shoal_dataset_encode(set->dataset, first, PORTION, rows, error);
        for (size_t r = 0; r < PORTION && status == SHOAL_OK; r++) {
            for (size_t i = 0; i < inputs; i++)
                set->inputs[(first + r) * inputs + i] = (float)rows[r * width + i];
            for (size_t k = 0; k < outputs; k++)
                set->targets[(first + r) * outputs + k] = (float)rows[r * width + inputs + k];
        }
    }
    free(rows);
    return status;
}

enum shoal_status thesis_mlp_open(const struct thesis_mlp_net *net, struct thesis_mlp_set *set,
                                  struct shoal_error *error)
{
    const size_t weights = thesis_mlp_weights(net);
    *set = (struct thesis_mlp_set){.net = *net,
                                   .inputs = malloc(THESIS_MLP_ROWS * net->inputs * sizeof *set->inputs),
                                   .targets = malloc(THESIS_MLP_ROWS * net->outputs * sizeof *set->targets),
                                   .weights = malloc(weights * sizeof *set->weights)};
    if (!set->inputs || !set->targets || !set->weights)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for the rows");
    for (size_t k = 0; k < weights; k++) {
        const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)k, 0);
        set->weights[k] = 0.6F * (shoal_uniform_float(words.x) - 0.5F);
    }
    const enum shoal_status status = generate(net, &set->dataset, error);
    return status == SHOAL_OK ? take_rows(set, error) : status;
}

void thesis_mlp_close(struct thesis_mlp_set *set)
{
    shoal_dataset_destroy(&set->dataset);
    free(set->inputs);
    free(set->targets);
    free(set->weights);
    *set = (struct thesis_mlp_set){.inputs = NULL};
}

/* Derivatives ---------------------------------------------------------------------------------------------
 */

enum shoal_status thesis_mlp_gradient(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                      size_t rows, double *gradient, struct shoal_error *error)
{
    enum { PORTION = 128 };
    const struct thesis_mlp_net *net = &set->net;
    const size_t weights = thesis_mlp_weights(net);
    float *work = calloc(twin->room(net) + weights, sizeof *work);
    if (!work)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for a net");
    float *part = work + twin->room(net);
    memset(gradient, 0, weights * sizeof *gradient);
    for (size_t first = 0; first < rows; first += PORTION) {
        memset(part, 0, weights * sizeof *part);
        twin->add(net, set->weights, set->inputs + first * net->inputs, set->targets + first * net->outputs,
                  rows - first < PORTION ? rows - first : PORTION, work, part);
        for (size_t k = 0; k < weights; k++)
            gradient[k] += (double)part[k];
    }
    free(work);
    return SHOAL_OK;
}

static void add_exact(const struct thesis_mlp_set *set, size_t row, double *values, double *gradient)
{
    const struct thesis_mlp_net *net = &set->net;
    const size_t n = net->inputs, s = net->hidden, m = net->outputs;
    const float *x = set->inputs + row * n, *second = set->weights + (n + 1) * s;
    double *h = values, *delta = values + s;
    for (size_t j = 0; j < s; j++) {
        double sum = (double)set->weights[n * s + j];
        for (size_t i = 0; i < n; i++)
            sum += (double)set->weights[i * s + j] * (double)x[i];
        h[j] = 1 / (1 + exp(-sum));
    }
    for (size_t k = 0; k < m; k++) {
        double sum = (double)second[s * m + k];
        for (size_t j = 0; j < s; j++)
            sum += (double)second[j * m + k] * h[j];
        const double y = 1 / (1 + exp(-sum));
        delta[k] = ((double)set->targets[row * m + k] - y) * y * (1 - y);
        for (size_t j = 0; j <= s; j++)
            gradient[(n + 1) * s + j * m + k] += delta[k] * (j < s ? h[j] : 1);
    }
    for (size_t j = 0; j < s; j++) {
        double sum = 0;
        for (size_t k = 0; k < m; k++)
            sum += (double)second[j * m + k] * delta[k];
        sum *= h[j] * (1 - h[j]);
        for (size_t i = 0; i <= n; i++)
            gradient[i * s + j] += sum * (i < n ? (double)x[i] : 1);
    }
}

enum shoal_status thesis_mlp_exact(const struct thesis_mlp_set *set, size_t rows, double *gradient,
                                   struct shoal_error *error)
{
    double *values = malloc((set->net.hidden + set->net.outputs) * sizeof *values);
    if (!values)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for a net");
    memset(gradient, 0, thesis_mlp_weights(&set->net) * sizeof *gradient);
    for (size_t row = 0; row < rows; row++)
        add_exact(set, row, values, gradient);
    free(values);
    return SHOAL_OK;
}

double thesis_mlp_deviation(const double *gradient, const double *wanted, size_t count)
{
    double sum = 0, size = 0;
    for (size_t k = 0; k < count; k++) {
        sum += (gradient[k] - wanted[k]) * (gradient[k] - wanted[k]);
        size += wanted[k] * wanted[k];
    }
    return sqrt(sum / size);
}

/* Training ------------------------------------------------------------------------------------------------
 */

enum shoal_status thesis_mlp_begin(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                   int threads, struct thesis_mlp_training *training,
                                   struct shoal_error *error)
{
    enum { LINE = 16 }; /* floats of a line of the cache: threads write to lines of their own */
    const size_t weights = thesis_mlp_weights(&set->net);
    const size_t each = (twin->room(&set->net) + weights + LINE) / LINE * LINE;
    *training = (struct thesis_mlp_training){.twin = twin,
                                             .net = set->net,
                                             .threads = threads,
                                             .each = each,
                                             .memory = calloc(each * (size_t)threads, sizeof(float)),
                                             .weights = malloc(weights * sizeof(float)),
                                             .steps = calloc(weights, sizeof(float))};
    if (!training->memory || !training->weights || !training->steps) {
        thesis_mlp_end(training);
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                          "no memory on the host for the threads' derivatives");
    }
    memcpy(training->weights, set->weights, weights * sizeof(float));
    return SHOAL_OK;
}

void thesis_mlp_end(struct thesis_mlp_training *training)
{
    free(training->memory);
    free(training->weights);
    free(training->steps);
    *training = (struct thesis_mlp_training){.threads = 0};
}

void thesis_mlp_epoch(struct thesis_mlp_training *training, const struct thesis_mlp_set *set, size_t rows)
{
    const struct thesis_mlp_net *net = &training->net;
    const size_t weights = thesis_mlp_weights(net), room = training->twin->room(net);
    const size_t threads = (size_t)training->threads;
#pragma omp parallel for schedule(static) num_threads(training->threads)
    for (size_t t = 0; t < threads; t++) {
        const size_t first = rows * t / threads, count = rows * (t + 1) / threads - first;
        float *work = training->memory + t * training->each, *gradient = work + room;
        memset(gradient, 0, weights * sizeof *gradient);
        training->twin->add(net, training->weights, set->inputs + first * net->inputs,
                            set->targets + first * net->outputs, count, work, gradient);
    }
    for (size_t k = 0; k < weights; k++) {
        float sum = 0;
        for (size_t t = 0; t < threads; t++)
            sum += training->memory[t * training->each + room + k];
        training->steps[k] = momentum * training->steps[k] + rate / (float)rows * sum;
        training->weights[k] += training->steps[k];
    }
}

/* Seconds of an epoch: the median of several, since a processor that others use, too, is slow now and
 * then. */
static double epoch_seconds(struct thesis_mlp_training *training, const struct thesis_mlp_set *set,
                            size_t rows)
{
    enum { LEAST = 5, MOST = 51 };
    const double enough = 0.3;
    double samples[MOST], all = 0;
    size_t count = 0;
    while (count < LEAST || (count < MOST && all < enough)) {
        const double begin = bench_seconds();
        thesis_mlp_epoch(training, set, rows);
        samples[count] = bench_seconds() - begin;
        all += samples[count++];
    }
    return stats_of(samples, count).median;
}

enum shoal_status thesis_mlp_rate(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                  int threads, double *out, struct shoal_error *error)
{
    const double enough = 0.05;
    struct thesis_mlp_training training;
    const enum shoal_status status = thesis_mlp_begin(set, twin, threads, &training, error);
    if (status != SHOAL_OK)
        return status;
    size_t rows = 64 * (size_t)threads;
    thesis_mlp_epoch(&training, set, rows);
    for (double seconds = 0; seconds < enough && rows < THESIS_MLP_ROWS;) {
        rows = 4 * rows < THESIS_MLP_ROWS ? 4 * rows : THESIS_MLP_ROWS;
        const double begin = bench_seconds();
        thesis_mlp_epoch(&training, set, rows);
        seconds = bench_seconds() - begin;
    }
    *out = (double)rows / epoch_seconds(&training, set, rows);
    thesis_mlp_end(&training);
    return SHOAL_OK;
}
