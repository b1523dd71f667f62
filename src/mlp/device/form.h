/* Private: the interface between training on a device and its two forms: the form for CPUs and the form for
 * GPUs. */
#ifndef SHOAL_MLP_DEVICE_FORM_H
#define SHOAL_MLP_DEVICE_FORM_H

#include "mlp/device/device.h"
#include "mlp/device/rows.h"

#include "cl/mlp/device/layout.clh"

/* Number of updates whose settings and losses are on the device at a time. */
enum { DEVICE_LEAST_WINDOW = 1 << 10, DEVICE_WINDOW = 1 << 16 };

struct mlp_device;

/* Layers first .. end - 1. */
struct layer_range {
    uint32_t first, end;
};

struct device_form {
    /* Chooses the places of all arrays in device->layers and the lengths of the arrays, and builds the
     * programs. */
    enum shoal_status (*create)(struct mlp_device *device, struct shoal_error *error);
    void (*destroy)(struct mlp_device *device);
    /* Takes a batch through the net, and back where the step trains. `read` (NULL: not wanted) receives the
     * event of the last launch that reads rows, which the caller destroys. */
    enum shoal_status (*pass)(struct mlp_device *device, struct shoal_buffer *parameters,
                              const struct mlp_step *step, struct shoal_event **read,
                              struct shoal_error *error);
    /* Computes the gradient of the batch, and makes the update unless the step keeps the gradient. */
    enum shoal_status (*update)(struct mlp_device *device, const struct mlp_step *step,
                                struct shoal_error *error);
    /* Computes the sums of the gradient and the losses over the rows of the last pass, without penalty: see
     * device->loss_place. A call takes some layers; those before have been taken, and sum_end tells how many
     * of the sums are then complete. */
    enum shoal_status (*sum)(struct mlp_device *device, const struct mlp_step *step,
                             const struct layer_range *layers, struct shoal_buffer *sums,
                             struct shoal_error *error);
    size_t (*sum_end)(const struct mlp_device *device, uint32_t end);
    /* Makes the update from the sums over all shards of a batch. */
    enum shoal_status (*apply)(struct mlp_device *device, const struct mlp_step *step,
                               struct shoal_buffer *sums, struct shoal_error *error);
    /* Called after parameters were written from outside. */
    enum shoal_status (*refresh)(struct mlp_device *device, struct shoal_error *error);
};

extern const struct device_form device_serial_form, device_tiled_form;

struct mlp_device {
    struct net_training base;
    struct mlp_device_setup setup;
    struct shoal_device *device;
    const struct device_form *form;
    void *parts;  /* data of the form */
    size_t bytes; /* bytes of a number on the device */

    /* The form sets the following members. */
    struct mlp_layer *layers;
    bool by_input; /* weights have a row for each input, else for each output */
    size_t parameter_count, value_count, delta_count, back_count;
    size_t block; /* rows that have sums of their own */
    size_t items; /* work-items that share the parameters */

    size_t batch, capacity;       /* number of rows of an update, and most rows of a pass */
    size_t batch_pass;            /* most rows of a batch that a pass takes: a batch, or a shard of it */
    struct device_shards *shards; /* NULL: batches are not divided into shards */
    /* The sums of shards: a number for each of parameter_count, and from loss_place * MLP_SUM_SIZE on the
     * sums of the losses. */
    size_t loss_place, sum_count;
    uint64_t updates; /* number of updates of an epoch */
    uint64_t window;  /* first update whose settings are on the device */
    size_t slots;     /* number of updates that the arrays below have room for */
    uint64_t window_end;
    uint64_t harvested; /* number of updates whose losses are in the state */

    /* Data for the next launches: buffers of `rows`, buffers of the caller, or `none` where there is no such
     * array. */
    struct shoal_buffer *data, *classes, *targets, *weights;
    struct device_rows *rows; /* NULL: the rows are in buffers of the caller */
    uint64_t upload;          /* number of the upload that brought the rows */
    struct shoal_buffer *none, *scale;
    struct shoal_buffer *layer_table, *fixed, *settings, *records;
    struct shoal_buffer *parameters, *best, *s0, *s1, *s2, *gradient, *back;
    struct shoal_buffer *values, *deltas, *sums, *norms, *losses, *outputs;
    double allocated;  /* bytes of all buffers except for the buffers of the rows */
    bool has_new_rows; /* the rows are not those that a form has kept from earlier launches */
    double *numbers;   /* host memory for copies, as long as the largest array that was read or written */
    size_t room;
};

static inline struct mlp_device *device_of(struct net_training *training)
{
    return (struct mlp_device *)training;
}

/* Whether the update needs the norm of the gradient, or the loss with its penalty. */
static inline bool device_needs_norm(const struct mlp_device *device)
{
    return device->base.training->clip > 0 || device->base.training->optimiser == MLP_IRPROP_PLUS;
}

/* Returns the place of the loss of update `update`; the loss of the update before has the other place. */
static inline unsigned device_loss_turn(uint64_t update)
{
    return (unsigned)(update & 1);
}

/* On GPUs: whether the derivatives of a layer by its sums are stored. Otherwise these derivatives follow from
 * the values of the layer. */
static inline bool device_stores_slopes(const struct mlp_layer *layer)
{
    return layer->activation == MLP_GELU || layer->activation == MLP_GELU_TANH ||
           layer->activation == MLP_SILU || layer->dropout_limit > 0;
}

/* SHOAL_INVALID: a form has placed more values or parameters than 32 bits count. */
SHOAL_MUST_CHECK enum shoal_status device_check_counts(const struct mlp_device *device,
                                                       struct shoal_error *error);
/* Creates a buffer of `count` numbers of `bytes` each, all 0. */
SHOAL_MUST_CHECK enum shoal_status device_zeros(struct mlp_device *device, size_t count, size_t bytes,
                                                struct shoal_buffer **out, struct shoal_error *error);
/* Write and read numbers in the precision of the device. */
SHOAL_MUST_CHECK enum shoal_status device_write(struct mlp_device *device, struct shoal_buffer *buffer,
                                                const double *numbers, size_t count,
                                                struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status device_read(struct mlp_device *device, struct shoal_buffer *buffer,
                                               size_t first, double *numbers, size_t count,
                                               struct shoal_error *error);
/* Write and read parameters, or a state of the optimiser, in the order of net.h. */
SHOAL_MUST_CHECK enum shoal_status device_write_parameters(struct mlp_device *device,
                                                           struct shoal_buffer *buffer, const double *numbers,
                                                           struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status device_read_parameters(struct mlp_device *device,
                                                          struct shoal_buffer *buffer, double *numbers,
                                                          struct shoal_error *error);
/* Takes the rows of the step at place `at` of a part through the net. */
SHOAL_MUST_CHECK enum shoal_status device_run_pass(struct mlp_device *device, struct shoal_buffer *parameters,
                                                   const struct rows_part *part, size_t at,
                                                   struct mlp_step *step, struct shoal_error *error);
/* Uploads the constants, once. */
SHOAL_MUST_CHECK enum shoal_status device_upload(struct mlp_device *device, struct shoal_error *error);

#endif
