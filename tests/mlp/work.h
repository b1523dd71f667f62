/* Nets on devices: shapes, rows in each form that a device stores, the same rows for the host. */
#ifndef SHOAL_TESTS_MLP_WORK_H
#define SHOAL_TESTS_MLP_WORK_H

#include "harness.h"
#include "mlp/device/device.h"
#include "mlp/host/trainer.h"

#include <math.h>
#include <string.h>

enum { MOST_LAYERS = 5 };

static struct programs built; /* of a test */

/* A net, its rows on the device in one of the forms, and the same rows for the host. */
struct work {
    struct net *net;
    struct preparation preparation;
    struct prepared prepared;
    struct pass_data rows;
    double *parameters;
};

struct shape {
    const char *name;
    uint32_t inputs, layers, outputs[MOST_LAYERS];
    int hidden, last, loss;
    enum storage storage;
    bool has_classes, has_weights;
    double dropout, smoothing;
};

static inline uint32_t word(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9E3779B1u + b * 0x85EBCA77u + 0x1234567u;
    x = (x ^ x >> 15) * 0x2C1B3C6Du;
    x = (x ^ x >> 12) * 0x297A2D39u;
    return x ^ x >> 15;
}

static inline double number(uint32_t a, uint32_t b)
{
    return shoal_uniform_float(word(a, b)) - 0.5;
}

/* Row r, input i, before it is scaled, stored. */
static inline double store(const struct work *work, size_t r, uint32_t i)
{
    unsigned char *const row = work->prepared.data + r * work->prepared.row_bytes;
    const uint32_t w = word((uint32_t)r, i);
    const float real = 300 + (float)number((uint32_t)r, i);
    const double precise = (double)real;
    switch (work->prepared.storage) {
    case STORAGE_BITS:
        row[i / 8] |= (unsigned char)((w & 1) << i % 8);
        return w & 1;
    case STORAGE_U8:
        row[i] = (unsigned char)(w & 255);
        return w & 255;
    case STORAGE_FP32:
        memcpy(row + 4 * (size_t)i, &real, 4);
        return precise;
    case STORAGE_FP64:
        memcpy(row + 8 * (size_t)i, &precise, 8);
        return precise;
    }
    return 0;
}

static inline void fill_rows(struct work *work, const struct shape *shape, size_t rows)
{
    static const size_t bits[] = {1, 8, 32, 64};
    struct prepared *const p = &work->prepared;
    const uint32_t inputs = shape->inputs, outputs = work->net->outputs;
    *p = (struct prepared){.rows = rows, .inputs = inputs, .outputs = outputs, .storage = shape->storage};
    p->row_bytes = (inputs * bits[shape->storage] + 31) / 32 * 4;
    p->data = harness_memory(rows * p->row_bytes);
    memset(p->data, 0, rows * p->row_bytes);
    work->preparation.shift = harness_memory(inputs * sizeof(double));
    work->preparation.factor = harness_memory(inputs * sizeof(double));
    p->preparation = &work->preparation;
    double *const in = harness_memory(rows * inputs * sizeof *in);
    for (uint32_t i = 0; i < inputs; i++) {
        work->preparation.shift[i] = shape->storage == STORAGE_BITS ? 0.25
                                     : shape->storage == STORAGE_U8 ? 120
                                                                    : 300.01;
        work->preparation.factor[i] = shape->storage == STORAGE_U8 ? 0.01 : 1.5;
    }
    for (size_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < inputs; i++)
            in[r * inputs + i] =
                (store(work, r, i) - work->preparation.shift[i]) * work->preparation.factor[i];
    work->rows = (struct pass_data){.rows = rows, .inputs = in};
    if (shape->has_classes) {
        p->classes = harness_memory(rows * sizeof *p->classes);
        for (size_t r = 0; r < rows; r++)
            p->classes[r] = word((uint32_t)r, 99) % (outputs == 1 ? 2 : outputs);
    } else {
        p->targets = harness_memory(rows * outputs * sizeof *p->targets);
        for (size_t k = 0; k < rows * outputs; k++)
            p->targets[k] = number((uint32_t)k, 7);
    }
    if (shape->has_weights) {
        p->weights = harness_memory(rows * sizeof *p->weights);
        for (size_t r = 0; r < rows; r++)
            p->weights[r] = 0.5 * (word((uint32_t)r, 5) % 4);
    }
    work->rows.classes = p->classes;
    work->rows.targets = p->targets;
    work->rows.weights = p->weights;
}

static inline void make(struct work *work, const struct shape *shape, size_t rows)
{
    struct net_layer_choice layers[MOST_LAYERS];
    for (uint32_t l = 0; l < shape->layers; l++) {
        const bool is_last = l + 1 == shape->layers;
        const double slope = is_last && shape->loss == MLP_LOSS_LOGISTIC ? 1 : 1.25; /* as it must be */
        layers[l] = (struct net_layer_choice){shape->outputs[l], is_last ? shape->last : shape->hidden, slope,
                                              is_last ? 0 : shape->dropout};
    }
    const struct net_choice choice = {shape->inputs, shape->layers, layers,
                                      shape->loss,   0.3,           shape->smoothing};
    *work = (struct work){0};
    assert_ok(net_create(&choice, &work->net, &test_error));
    fill_rows(work, shape, rows);
    work->parameters = harness_memory(work->net->parameters * sizeof *work->parameters);
    const struct net_start start = {NET_XAVIER, 0, 0.1, 5};
    assert_ok(net_begin(work->net, &start, work->parameters, &test_error));
}

static inline struct training training_of(int optimiser, size_t batch)
{
    return (struct training){.optimiser = optimiser,
                             .rate = optimiser <= MLP_NESTEROV ? 0.05 : 0.002,
                             .momentum = 0.9,
                             .beta2 = 0.999,
                             .epsilon = 1e-8,
                             .decay = 0.1,
                             .up = 1.2,
                             .down = 0.5,
                             .least = 1e-6,
                             .greatest = 50,
                             .elimination_scale = 1,
                             .seed = 3,
                             .batch = batch};
}

static inline void prepare_programs(void)
{
    programs_destroy(&built);
    built = (struct programs){.device = harness.device, .variant = harness.variant};
}

static inline struct mlp_device_setup setup_of(const struct work *work, const struct training *training,
                                               bool is_double, enum mlp_device_text text, size_t validation)
{
    return (struct mlp_device_setup){.queue = harness.queue,
                                     .programs = &built,
                                     .is_double = is_double,
                                     .text = text,
                                     .net = work->net,
                                     .training = training,
                                     .prepared = &work->prepared,
                                     .training_rows = work->rows.rows - validation,
                                     .validation_rows = validation};
}

static inline struct net_training *open_device(const struct work *work, const struct training *training,
                                               bool is_double, enum mlp_device_text text, size_t validation)
{
    const struct mlp_device_setup setup = setup_of(work, training, is_double, text, validation);
    struct net_training *device;
    prepare_programs();
    assert_ok(mlp_device_create(&setup, &device, &test_error));
    assert_ok(mlp_device_begin(device, work->parameters, &test_error));
    return device;
}

static inline void close_work(struct work *work)
{
    net_destroy(&work->net);
    programs_destroy(&built);
    harness_release();
}

static inline double distance(const double *got, const double *exact, size_t count)
{
    double difference = 0, size = 0;
    for (size_t k = 0; k < count; k++) {
        difference += (got[k] - exact[k]) * (got[k] - exact[k]);
        size += exact[k] * exact[k];
    }
    return sqrt(difference) / fmax(sqrt(size), 1e-30);
}

static const enum mlp_device_text texts[] = {MLP_DEVICE_SERIAL, MLP_DEVICE_TILED};
enum { TEXTS = 2 };

static const struct shape net_of_runs = {
    "12-9-5",     12,   2,    {9, 5}, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY,
    STORAGE_FP32, true, true, 0.25,   0.1};

#endif
