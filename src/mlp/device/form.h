/* Private: the interface between training on a device and its two forms: the form for CPUs and the form for
 * GPUs. */
#ifndef SHOAL_MLP_DEVICE_FORM_H
#define SHOAL_MLP_DEVICE_FORM_H

#include "mlp/device/rows.h"
#include "mlp/device/setup.h"

#include "cl/mlp/device/layout.clh"

/* DEVICE_LEAST_WINDOW and DEVICE_WINDOW: least and largest number of updates whose settings and losses are on
 * the device at a time. */
enum { DEVICE_LEAST_WINDOW = 1 << 10, DEVICE_WINDOW = 1 << 16 };

struct mlp_device;

/* Layers first .. end - 1. */
struct layer_range {
    uint32_t first, end;
};

/* A part of an update from the sums of shards: parameters first .. end - 1, whose sums are complete. */
struct update_part {
    size_t first, end;         /* multiples of device->update_unit, or the number of all parameters */
    bool has_losses;           /* the sums of the losses are complete, too, and are recorded */
    struct shoal_queue *queue; /* the queue that has the sums */
};

struct device_form {
    /* Decides where in the arrays on the device each layer has its numbers, and how long the arrays are (the
     * members of struct mlp_device below), and builds the programs. */
    enum shoal_status (*create)(struct mlp_device *device, struct shoal_error *error);
    void (*destroy)(struct mlp_device *device);
    /* Computes the outputs of a batch; with MLP_STEP_TRAIN also the deltas of all layers. `read` (may be
     * NULL) receives the event of the last launch that reads rows; the caller destroys the event. */
    enum shoal_status (*pass)(struct mlp_device *device, struct shoal_buffer *parameters,
                              const struct mlp_step *step, struct shoal_event **read,
                              struct shoal_error *error);
    /* Computes the gradient of the batch and makes the update. With MLP_STEP_PROBE the gradient is stored,
     * and there is no update. */
    enum shoal_status (*update)(struct mlp_device *device, const struct mlp_step *step,
                                struct shoal_error *error);
    /* sum: computes for `layers` the sums of the gradient and of the losses over the rows of the last pass,
     * without the penalty. The sums of all earlier layers must have been computed before. device->loss_place
     * says where in `sums` the losses are. sum_end: returns the number of elements of `sums` that are
     * complete once the layers before `end` are computed. */
    enum shoal_status (*sum)(struct mlp_device *device, const struct mlp_step *step,
                             const struct layer_range *layers, struct shoal_buffer *sums,
                             struct shoal_error *error);
    size_t (*sum_end)(const struct mlp_device *device, uint32_t end);
    /* Makes a part of the update from the sums over all shards of a batch. If the update needs a norm, or
     * rows have weights, there is only one part, which includes the losses. */
    enum shoal_status (*apply)(struct mlp_device *device, const struct mlp_step *step,
                               struct shoal_buffer *sums, const struct update_part *part,
                               struct shoal_error *error);
    /* Called after some parameters were written into device->parameters, unless an update has written all
     * parameters. */
    enum shoal_status (*refresh)(struct mlp_device *device, struct shoal_error *error);
    /* true: a pass calls device_shards_wait before it uses the parameters of a layer */
    bool waits_for_layers;
};

extern const struct device_form device_serial_form, device_tiled_form;

struct mlp_device {
    struct net_training base;
    struct mlp_device_setup setup;
    struct shoal_device *device;
    const struct device_form *form;
    void *parts;  /* data of the form */
    size_t bytes; /* bytes of a real number on the device */

    /* The form sets the following members. */
    struct mlp_layer *layers;
    /* true: the matrix of a layer's weights has a row for each input; false: for each output */
    bool by_input;
    size_t parameter_count, value_count, delta_count, back_count;
    /* number of rows of a batch that are summed together; each block of rows has sums of its own */
    size_t block;
    /* number of work-items, or of work-groups, among which kernels of an update divide the parameters */
    size_t items;
    /* Number of neighbouring parameters in a unit. Devices that share an update take whole units. */
    size_t update_unit;

    size_t batch, capacity; /* batch: number of rows of an update; capacity: most rows of a pass */
    /* most rows of a pass that trains: the rows of a batch or, with shards, of a shard */
    size_t batch_pass;
    struct device_shards *shards; /* NULL: batches are not divided into shards */
    /* The first layer whose parameters the last update may still compute beside the work of the queue, until
     * device_shards_wait lets the queue wait for them. The number of layers: there is no such layer.
     * may_be_late: after this update, the next use of the parameters is the pass of another update. */
    uint32_t late;
    bool may_be_late;
    /* A buffer of the sums of a shard has sum_count numbers: first the gradient, parameter_count numbers, and
     * from number loss_place * MLP_SUM_SIZE on the sums of the losses. */
    size_t loss_place, sum_count;
    uint64_t updates; /* number of updates of an epoch */
    uint64_t window;  /* first update whose settings are on the device */
    size_t slots;     /* number of updates whose settings and losses have room in `settings` and `records` */
    uint64_t window_end;
    uint64_t harvested; /* number of updates whose losses were added to base.state */

    /* Buffers of rows that the next launches read: they belong to `rows` or to the caller. `none` stands for
     * an array that the data set lacks. */
    struct shoal_buffer *data, *classes, *targets, *weights;
    struct device_rows *rows; /* NULL: the rows are in buffers of the caller */
    uint64_t upload;          /* number of the upload that brought the rows */
    struct shoal_buffer *none, *scale;
    struct shoal_buffer *own_scale, *unit_scale; /* if setup.predicts: `scale` is one of them */
    struct shoal_buffer *layer_table, *fixed, *settings, *records;
    struct shoal_buffer *parameters, *best, *s0, *s1, *s2, *gradient, *back;
    struct shoal_buffer *values, *deltas, *sums, *norms, *losses, *outputs;
    double allocated;  /* bytes of all buffers except for the buffers of the rows */
    bool has_new_rows; /* `values` does not have the rows of these buffers yet: the form must gather them */
    /* host memory for conversions, with `room` numbers, enough for the longest array that was read or written
     * so far */
    double *numbers;
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

/* Returns which of the two numbers of device->losses receives the loss of update `update`. The other number
 * is the loss of the update before it. */
static inline unsigned device_loss_turn(uint64_t update)
{
    return (unsigned)(update & 1);
}

/* For the form for GPUs: whether the derivatives of a layer's values with respect to its sums are stored.
 * Otherwise they are computed from the values. */
static inline bool device_stores_slopes(const struct mlp_layer *layer)
{
    return layer->activation == MLP_GELU || layer->activation == MLP_GELU_TANH ||
           layer->activation == MLP_SILU || layer->dropout_limit > 0;
}

/* The scalars of a pass of `count` rows. */
struct mlp_step device_step_of(const struct mlp_device *device, size_t count, unsigned flags);
/* Checks that the numbers of values and of parameters on the device fit 32 bits. SHOAL_INVALID: one of these
 * numbers is too large. */
SHOAL_MUST_CHECK enum shoal_status device_check_counts(const struct mlp_device *device,
                                                       struct shoal_error *error);
/* Creates a buffer of `count` numbers of `bytes` each, all 0. */
SHOAL_MUST_CHECK enum shoal_status device_zeros(struct mlp_device *device, size_t count, size_t bytes,
                                                struct shoal_buffer **out, struct shoal_error *error);
/* device_write writes and device_read reads `count` numbers: doubles on the host, numbers in the precision of
 * the training on the device. first: index in the buffer of the first number. */
SHOAL_MUST_CHECK enum shoal_status device_write(struct mlp_device *device, struct shoal_buffer *buffer,
                                                const double *numbers, size_t count,
                                                struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status device_read(struct mlp_device *device, struct shoal_buffer *buffer,
                                               size_t first, double *numbers, size_t count,
                                               struct shoal_error *error);
/* Like device_write and device_read, for parameters or an array of the optimiser, which on the host have the
 * order of net.h. */
SHOAL_MUST_CHECK enum shoal_status device_write_parameters(struct mlp_device *device,
                                                           struct shoal_buffer *buffer, const double *numbers,
                                                           struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status device_read_parameters(struct mlp_device *device,
                                                          struct shoal_buffer *buffer, double *numbers,
                                                          struct shoal_error *error);
/* Makes a pass over the step->count rows of `part` from its row `at` on, and uploads the rows first if that
 * is necessary. */
SHOAL_MUST_CHECK enum shoal_status device_run_pass(struct mlp_device *device, struct shoal_buffer *parameters,
                                                   const struct rows_part *part, size_t at,
                                                   struct mlp_step *step, struct shoal_error *error);
/* Uploads the constants of the training: the table of layers, scales, and fixed settings. */
SHOAL_MUST_CHECK enum shoal_status device_upload(struct mlp_device *device, struct shoal_error *error);

#endif
