/* Passes of a net that only predicts. */
#include "mlp/device/device.h"
#include "mlp/device/form.h"

enum shoal_status mlp_device_set(struct net_training *training, const double *parameters,
                                 struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    return device_write_parameters(device, device->parameters, parameters, error);
}

enum shoal_status mlp_device_enqueue(struct net_training *training, const struct mlp_device_piece *piece,
                                     struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const unsigned check = piece->is_checked ? MLP_STEP_CHECK : 0;
    struct mlp_step step = device_step_of(device, piece->count, MLP_STEP_PREDICT | MLP_STEP_IN_ORDER | check);
    step.first = (unsigned)piece->first;
    step.slot = (unsigned)piece->slot;
    device->data = piece->rows;
    device->scale = piece->is_scaled ? device->unit_scale : device->own_scale;
    device->classes = device->targets = device->weights = device->none;
    device->has_new_rows = true;
    const enum shoal_status status = device->form->pass(device, device->parameters, &step, NULL, error);
    return status ? status : shoal_queue_flush(device->setup.queue, error);
}

enum shoal_status mlp_device_outputs(struct net_training *training, size_t first, size_t count,
                                     double *outputs, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const size_t width = device->base.net->outputs;
    return device_read(device, device->outputs, first * width, outputs, count * width, error);
}

enum shoal_status mlp_device_are_finite(struct net_training *training, bool *are, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    double mark = 0;
    const enum shoal_status status = device_read(device, device->sums, 0, &mark, 1, error);
    *are = mark == 0;
    return status || *are ? status
                          : shoal_buffer_fill(device->setup.queue, device->sums, 0, device->bytes, 0, error);
}
