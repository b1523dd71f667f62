/* Arrays on a device: converts numbers to the precision of the training and parameters to their order on the
 * device, and uploads constants. */
#include "mlp/device/form.h"

#include "base/error.h"
#include "base/integer.h"
#include "mlp/host/pass.h"

#include <stdlib.h>
#include <string.h>

enum shoal_status device_check_counts(const struct mlp_device *device, struct shoal_error *error)
{
    if (device->value_count <= UINT32_MAX && device->parameter_count <= UINT32_MAX)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "a batch of the net takes %zu bytes on the device, more than 2^32 numbers; lower the batch "
                "or the widths",
                (device->value_count + device->delta_count) * device->bytes);
}

enum shoal_status device_zeros(struct mlp_device *device, size_t count, size_t bytes,
                               struct shoal_buffer **out, struct shoal_error *error)
{
    /* a buffer must have bytes, even for an array of length 0 */
    const size_t size = rounded_up(count * bytes, 4) + 4;
    enum shoal_status status = shoal_buffer_create(device->device, size, out, error);
    device->allocated += (double)size;
    if (!status)
        status = shoal_buffer_fill(device->setup.queue, *out, 0, size, 0, error);
    return status;
}

/* narrow converts doubles to floats in place; widen converts floats to doubles. */
static void narrow(double *numbers, size_t count)
{
    unsigned char *const to = (unsigned char *)numbers;
    for (size_t k = 0; k < count; k++) {
        const float number = (float)numbers[k];
        memcpy(to + k * sizeof number, &number, sizeof number);
    }
}

static void widen(double *numbers, size_t count)
{
    const unsigned char *const from = (const unsigned char *)numbers;
    for (size_t k = count; k-- > 0;) {
        float number;
        memcpy(&number, from + k * sizeof number, sizeof number);
        numbers[k] = (double)number;
    }
}

static enum shoal_status make_room(struct mlp_device *device, size_t count, struct shoal_error *error)
{
    if (count <= device->room)
        return SHOAL_OK;
    double *const numbers = realloc(device->numbers, count * sizeof *numbers);
    if (!numbers)
        return fail_host_memory(error);
    device->numbers = numbers;
    device->room = count;
    return SHOAL_OK;
}

static enum shoal_status send(struct mlp_device *device, struct shoal_buffer *buffer, size_t count,
                              struct shoal_error *error)
{
    if (device->bytes == sizeof(float))
        narrow(device->numbers, count);
    return shoal_buffer_write(device->setup.queue, buffer, 0, device->numbers, count * device->bytes, error);
}

static enum shoal_status fetch(struct mlp_device *device, struct shoal_buffer *buffer, size_t first,
                               size_t count, struct shoal_error *error)
{
    enum shoal_status status = make_room(device, count, error);
    if (!status)
        status = shoal_buffer_read(device->setup.queue, buffer, first * device->bytes, device->numbers,
                                   count * device->bytes, error);
    if (!status && device->bytes == sizeof(float))
        widen(device->numbers, count);
    return status;
}

enum shoal_status device_write(struct mlp_device *device, struct shoal_buffer *buffer, const double *numbers,
                               size_t count, struct shoal_error *error)
{
    const enum shoal_status status = make_room(device, count, error);
    if (status || count == 0)
        return status;
    memcpy(device->numbers, numbers, count * sizeof *numbers);
    return send(device, buffer, count, error);
}

enum shoal_status device_read(struct mlp_device *device, struct shoal_buffer *buffer, size_t first,
                              double *numbers, size_t count, struct shoal_error *error)
{
    const enum shoal_status status = fetch(device, buffer, first, count, error);
    if (!status)
        memcpy(numbers, device->numbers, count * sizeof *numbers);
    return status;
}

/* Copies parameters between the order on the device and the order of net.h. Writes `on_device` from `from`,
 * which has the order of net.h. If on_device is NULL, writes `flat` from `from`, which has the order on the
 * device. */
static void arrange(const struct mlp_device *device, double *on_device, double *flat, const double *from)
{
    for (uint32_t l = 0; l < device->base.net->layer_count; l++) {
        const struct net_layer *const layer = &device->base.net->layers[l];
        const struct mlp_layer *const own = &device->layers[l];
        const size_t input_step = device->by_input ? own->weight_pitch : 1;
        const size_t output_step = device->by_input ? 1 : own->weight_pitch;
        for (uint32_t o = 0; o < layer->outputs; o++)
            for (uint32_t i = 0; i <= layer->inputs; i++) {
                const bool is_bias = i == layer->inputs;
                const size_t there =
                    is_bias ? own->biases + o : own->weights + o * output_step + i * input_step;
                const size_t here =
                    is_bias ? layer->biases + o : layer->weights + (size_t)o * layer->inputs + i;
                if (on_device)
                    on_device[there] = from[here];
                else
                    flat[here] = from[there];
            }
    }
}

enum shoal_status device_write_parameters(struct mlp_device *device, struct shoal_buffer *buffer,
                                          const double *numbers, struct shoal_error *error)
{
    const enum shoal_status status = make_room(device, device->parameter_count, error);
    if (status)
        return status;
    memset(device->numbers, 0, device->parameter_count * sizeof *device->numbers);
    arrange(device, device->numbers, NULL, numbers);
    return send(device, buffer, device->parameter_count, error);
}

enum shoal_status device_read_parameters(struct mlp_device *device, struct shoal_buffer *buffer,
                                         double *numbers, struct shoal_error *error)
{
    const enum shoal_status status = fetch(device, buffer, 0, device->parameter_count, error);
    if (!status)
        arrange(device, NULL, numbers, device->numbers);
    return status;
}

/* Constants -------------------------------------------------------------------------------------------------
 */

/* Uploads shifts, their rounding errors and factors. rule NULL: inputs stay as they are. */
static enum shoal_status upload_scale(struct mlp_device *device, const struct preparation *rule,
                                      struct shoal_buffer **out, struct shoal_error *error)
{
    const size_t inputs = device->setup.prepared->inputs;
    double *const scale = calloc(3 * inputs, sizeof *scale);
    if (!scale)
        return fail_host_memory(error);
    for (size_t i = 0; i < inputs; i++) {
        const double shift = rule ? rule->shift[i] : 0;
        scale[i] = device->setup.is_double ? shift : (double)(float)shift;
        scale[inputs + i] = shift - scale[i];
        scale[2 * inputs + i] = rule ? rule->factor[i] : 1;
    }
    enum shoal_status status = device_zeros(device, 3 * inputs, device->bytes, out, error);
    if (!status)
        status = device_write(device, *out, scale, 3 * inputs, error);
    free(scale);
    return status;
}

static enum shoal_status upload_fixed(struct mlp_device *device, struct shoal_error *error)
{
    const struct training *const t = device->base.training;
    const struct net *const net = device->base.net;
    const struct mlp_device_setup *const setup = &device->setup;
    const struct prepared *const rows = setup->prepared;
    const size_t factors = MLP_FIXED_LAYERS + 2 * (size_t)net->layer_count;
    const size_t count = factors + 2 * (size_t)net->outputs;
    double *const fixed = calloc(count, sizeof *fixed);
    if (!fixed)
        return fail_host_memory(error);
    fixed[MLP_FIXED_MOMENTUM] = t->momentum;
    fixed[MLP_FIXED_BETA2] = t->beta2;
    fixed[MLP_FIXED_EPSILON] = t->epsilon;
    fixed[MLP_FIXED_UP] = t->up;
    fixed[MLP_FIXED_DOWN] = t->down;
    fixed[MLP_FIXED_LEAST] = t->least;
    fixed[MLP_FIXED_GREATEST] = t->greatest;
    fixed[MLP_FIXED_L1] = t->l1;
    fixed[MLP_FIXED_L2] = t->l2;
    fixed[MLP_FIXED_ELIMINATION] = t->elimination;
    fixed[MLP_FIXED_SCALE] = t->elimination > 0 ? 1 / t->elimination_scale : 0;
    fixed[MLP_FIXED_CLIP] = t->clip;
    fixed[MLP_FIXED_HUBER] = net->huber;
    fixed[MLP_FIXED_SMOOTHING] = net->smoothing;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        fixed[MLP_FIXED_LAYERS + 2 * l] = net->layers[l].slope;
        fixed[MLP_FIXED_LAYERS + 2 * l + 1] = 1 - net->layers[l].dropout;
    }
    if (rows->targets) {
        pass_factors(rows->targets, rows->weights, 0, setup->training_rows, net->outputs, fixed + factors);
        pass_factors(rows->targets, rows->weights, setup->training_rows, setup->validation_rows, net->outputs,
                     fixed + factors + net->outputs);
    }
    enum shoal_status status = device_zeros(device, count, device->bytes, &device->fixed, error);
    if (!status)
        status = device_write(device, device->fixed, fixed, count, error);
    free(fixed);
    return status;
}

enum shoal_status device_upload(struct mlp_device *device, struct shoal_error *error)
{
    const size_t bytes = device->base.net->layer_count * sizeof *device->layers;
    const struct preparation *const rule = device->setup.prepared->preparation;
    enum shoal_status status = upload_scale(device, rule, &device->own_scale, error);
    device->scale = device->own_scale;
    if (!status && device->setup.predicts)
        status = upload_scale(device, NULL, &device->unit_scale, error);
    if (!status)
        status = upload_fixed(device, error);
    if (!status)
        status = device_zeros(device, bytes, 1, &device->layer_table, error);
    if (!status)
        status =
            shoal_buffer_write(device->setup.queue, device->layer_table, 0, device->layers, bytes, error);
    return status;
}
