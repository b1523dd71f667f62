#include "mlp/device/device.h"
#include "mlp/device/form.h"
#include "mlp/device/shards.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "mlp/host/trainer.h"
#include "workload/arrays.h"

#include <stdlib.h>

#include "mlp/host/texts.h"

/* least number of rows for which a pass has memory: batches may be small, but many rows are scored in few
 * passes */
enum { LEAST_CAPACITY = 1024 };

/* Objects ---------------------------------------------------------------------------------------------- */

static enum shoal_status check(const struct mlp_device_setup *setup, struct shoal_error *error)
{
    const struct prepared *const rows = setup->prepared;
    const enum shoal_status status = setup->predicts ? SHOAL_OK : training_check(setup->training, error);
    if (status)
        return status;
    if (setup->training_rows == 0)
        return fail(error, SHOAL_INVALID, "there is no training row; give at least one");
    if (rows->rows > UINT32_MAX)
        return fail(error, SHOAL_INVALID, "%zu rows are more than 2^32 - 1", rows->rows);
    if (setup->training_rows + setup->validation_rows > rows->rows)
        return fail(error, SHOAL_INVALID, "%zu rows to train on and %zu to validate are more than %zu",
                    setup->training_rows, setup->validation_rows, rows->rows);
    if (!setup->predicts && (!rows->data || (!rows->classes && !rows->targets)))
        return fail(error, SHOAL_INVALID, "the rows have no data, or no targets");
    if (rows->inputs != setup->net->inputs || (rows->targets && rows->outputs != setup->net->outputs))
        return fail(error, SHOAL_INVALID, "rows of %zu inputs and %zu outputs do not fit a net of %u and %u",
                    rows->inputs, rows->outputs, (unsigned)setup->net->inputs, (unsigned)setup->net->outputs);
    if (rows->storage == STORAGE_FP64 && !setup->is_double)
        return fail(error, SHOAL_INVALID, "doubles on a device that computes in single precision");
    return SHOAL_OK;
}

static const struct device_form *choose_form(const struct mlp_device_setup *setup)
{
    const struct shoal_device_info *const info = shoal_device_get_info(shoal_queue_device(setup->queue));
    const bool is_serial =
        setup->text == MLP_DEVICE_AUTO ? info->is_cpu && !info->is_gpu : setup->text == MLP_DEVICE_SERIAL;
    return is_serial ? &device_serial_form : &device_tiled_form;
}

static enum shoal_status create_arrays(struct mlp_device *device, struct shoal_error *error)
{
    const size_t bytes = device->bytes, parameters = device->parameter_count,
                 units = rounded_up(parameters, device->update_unit);
    const size_t passes = div_up(device->setup.prepared->rows, device->capacity) + 1;
    const size_t slots = device->slots, trained = device->setup.predicts ? 0 : parameters;
    const size_t kept =
        device->setup.predicts ? device->setup.predicts : 1; /* passes whose outputs have room */
    const int optimiser = device->base.training->optimiser;
    const struct {
        struct shoal_buffer **buffer;
        size_t count;
    } list[] = {
        {&device->parameters, units},
        {&device->best, trained},
        {&device->s0, optimiser != MLP_SGD ? units : 0},
        {&device->s1, optimiser >= MLP_ADAM ? units : 0},
        {&device->s2, optimiser == MLP_IRPROP_PLUS ? units : 0},
        {&device->gradient, trained},
        {&device->back, device->setup.predicts ? 0 : device->back_count},
        {&device->values, device->value_count},
        {&device->deltas, device->delta_count},
        {&device->sums, passes * div_up(device->capacity, device->block) * MLP_SUM_SIZE},
        {&device->norms, device->items * MLP_NORM_SIZE},
        {&device->losses, 2},
        {&device->none, 0},
        {&device->outputs, kept * device->capacity * device->base.net->outputs},
        {&device->settings, slots * MLP_SET_SIZE},
        {&device->records, slots * MLP_SUM_SIZE},
    };
    struct arrays arrays = {.queue = device->setup.queue, .count = COUNT(list)};
    const double nets = device->setup.nets > 0 ? (double)device->setup.nets : 1;
    _Static_assert(COUNT(list) <= ARRAYS_MOST, "room in struct arrays");
    for (size_t k = 0; k < COUNT(list); k++)
        arrays.list[k] = (struct array){.count = (double)list[k].count, .element = bytes};
    const double more = (nets - 1) * arrays_bytes(&arrays) + nets * device->allocated;
    enum shoal_status status = arrays_check(
        &arrays, more, nets > 1 ? "the arrays of the nets" : "the arrays of the net",
        nets > 1 ? "lower the widths, the batch or nets" : "lower the widths or the batch", error);
    for (size_t k = 0; k < COUNT(list) && !status; k++)
        status = device_zeros(device, list[k].count, bytes, list[k].buffer, error);
    return status;
}

/* Creates the rows on the device, or uses the rows of given->shares. An eighth of the device's memory stays
 * free, because a CPU shares its memory with the host, and other programs use a device, too. */
static enum shoal_status create_rows(struct mlp_device *device, struct shoal_error *error)
{
    const struct mlp_device_setup *const given = &device->setup;
    const double memory = 0.875 * (double)shoal_device_get_info(device->device)->memory;
    const double nets = given->nets > 0 ? (double)given->nets : 1;
    const double data_sets = given->data_sets > 0 ? (double)given->data_sets : 1;
    if (given->shares) {
        device->rows = device_rows_share(device_of(given->shares)->rows);
        return SHOAL_OK;
    }
    const struct device_rows_setup setup = {.queue = given->queue,
                                            .prepared = given->prepared,
                                            .is_double = given->is_double,
                                            .chunk_rows = given->chunk_rows,
                                            .least =
                                                device->batch > device->block ? device->batch : device->block,
                                            .room = (memory - nets * device->allocated) / data_sets};
    return device_rows_create(&setup, &device->rows, error);
}

enum shoal_status mlp_device_create(const struct mlp_device_setup *setup, struct net_training **out,
                                    struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = check(setup, error);
    if (status)
        return status;
    struct mlp_device *device = calloc(1, sizeof *device);
    if (!device)
        return fail_host_memory(error);
    const size_t rows = setup->training_rows, asked = setup->training->batch;
    const size_t batch = asked == 0 || asked > rows ? rows : asked;
    const size_t batch_pass = shard_rows(batch, setup->training->shards ? setup->training->shards : 1);
    size_t capacity = batch_pass > LEAST_CAPACITY ? batch_pass : LEAST_CAPACITY;
    if (capacity > setup->prepared->rows)
        capacity = setup->prepared->rows;
    *device = (struct mlp_device){.setup = *setup,
                                  .device = shoal_queue_device(setup->queue),
                                  .form = choose_form(setup),
                                  .base = {.net = setup->net, .training = setup->training},
                                  .bytes = setup->is_double ? sizeof(double) : sizeof(float),
                                  .batch = batch,
                                  .batch_pass = batch_pass,
                                  .capacity = capacity,
                                  .updates = (rows + batch - 1) / batch};
    /* The number of updates whose settings and losses are on the device at a time: about an epoch, but
     * several epochs if epochs are short, and a part of an epoch if epochs are long. */
    device->slots = device->updates < DEVICE_LEAST_WINDOW ? DEVICE_LEAST_WINDOW
                    : device->updates < DEVICE_WINDOW     ? (size_t)device->updates
                                                          : DEVICE_WINDOW;
    device->late = setup->net->layer_count;
    device->layers = calloc(setup->net->layer_count, sizeof *device->layers);
    status = device->layers ? device->form->create(device, error) : fail_host_memory(error);
    if (!status && setup->training->shards > 1)
        status = device_shards_create(device, error);
    if (!status)
        status = create_arrays(device, error);
    if (!status)
        status = device_upload(device, error);
    if (!status && !setup->predicts)
        status = create_rows(device, error);
    *out = &device->base;
    if (status)
        mlp_device_destroy(out);
    return status;
}

void mlp_device_destroy(struct net_training **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct mlp_device *const device = device_of(*pointer);
    struct shoal_buffer **const buffers[] = {
        &device->none,    &device->own_scale,  &device->unit_scale, &device->fixed,  &device->layer_table,
        &device->records, &device->settings,   &device->best,       &device->s0,     &device->s1,
        &device->s2,      &device->parameters, &device->gradient,   &device->back,   &device->values,
        &device->deltas,  &device->sums,       &device->norms,      &device->losses, &device->outputs};
    struct shoal_error ignored;
    if (shoal_queue_finish(device->setup.queue, &ignored)) {
        /* If the call fails, the device is lost, and no pending command uses the buffers. */
    }
    for (size_t k = 0; k < COUNT(buffers); k++)
        shoal_buffer_destroy(buffers[k]);
    device_rows_destroy(&device->rows);
    device_shards_destroy(&device->shards);
    device->form->destroy(device);
    free(device->numbers);
    free(device->layers);
    free(device);
    *pointer = NULL;
}

bool mlp_device_fits(struct net_training *one, struct net_training *other)
{
    const struct mlp_device *const a = device_of(one), *const b = device_of(other);
    bool fits = a->by_input == b->by_input && a->parameter_count == b->parameter_count &&
                a->update_unit == b->update_unit;
    for (uint32_t l = 0; l < a->base.net->layer_count && fits; l++)
        fits = a->layers[l].weights == b->layers[l].weights && a->layers[l].biases == b->layers[l].biases &&
               a->layers[l].weight_pitch == b->layers[l].weight_pitch;
    return fits;
}

size_t mlp_device_chunk_rows(struct net_training *training)
{
    struct mlp_device *const device = device_of(training);
    return device->rows && device_rows_are_chunks(device->rows) ? device_rows_chunk(device->rows) : 0;
}

/* Steps ------------------------------------------------------------------------------------------------ */

struct mlp_step device_step_of(const struct mlp_device *device, size_t count, unsigned flags)
{
    const struct prepared *const rows = device->setup.prepared;
    unsigned all = flags;
    if (rows->weights)
        all |= MLP_STEP_WEIGHTS;
    if (rows->classes)
        all |= MLP_STEP_CLASSES;
    if (device->base.training->l1 > 0 || device->base.training->l2 > 0 ||
        device->base.training->elimination > 0)
        all |= MLP_STEP_PENALTY;
    return (struct mlp_step){.seed = device->base.training->seed,
                             .rows = (unsigned)device->setup.training_rows,
                             .count = (unsigned)count,
                             .flags = all,
                             .layer_count = device->base.net->layer_count,
                             .inputs = device->base.net->inputs,
                             .outputs = device->base.net->outputs,
                             .row_bytes = (unsigned)rows->row_bytes,
                             .items = (unsigned)device->items,
                             .block = (unsigned)device->block,
                             .factors = MLP_FIXED_LAYERS + 2 * device->base.net->layer_count,
                             .last_item = UINT32_MAX};
}

static struct shoal_buffer *or_none(const struct mlp_device *device, struct shoal_buffer *buffer)
{
    return buffer ? buffer : device->none;
}

/* Uploads the rows of `part` from its row `at` on if necessary, and writes to `device` and *step where the
 * rows are. */
static enum shoal_status take_rows(struct mlp_device *device, const struct rows_part *part, size_t at,
                                   struct mlp_step *step, struct shoal_error *error)
{
    struct rows_view view = {.first = part->first + at, .is_ordered = true};
    if (device->rows) {
        const enum shoal_status status = device_rows_take(device->rows, part, at, &view, error);
        if (status)
            return status;
        device->data = view.data;
        device->classes = or_none(device, view.classes);
        device->targets = or_none(device, view.targets);
        device->weights = or_none(device, view.weights);
        device->has_new_rows = device->has_new_rows || device->upload != view.upload;
        device->upload = view.upload;
    }
    step->first = (unsigned)view.first;
    step->flags |= view.is_ordered ? MLP_STEP_IN_ORDER : 0;
    return SHOAL_OK;
}

enum shoal_status device_run_pass(struct mlp_device *device, struct shoal_buffer *parameters,
                                  const struct rows_part *part, size_t at, struct mlp_step *step,
                                  struct shoal_error *error)
{
    struct shoal_event *event = NULL;
    const bool are_chunks = device->rows && device_rows_are_chunks(device->rows);
    enum shoal_status status = take_rows(device, part, at, step, error);
    if (!status)
        status = device->form->pass(device, parameters, step, are_chunks ? &event : NULL, error);
    if (event)
        device_rows_used(device->rows, event);
    return status;
}

/* Returns a part of rows in the order of the data set, with the longest passes that arrays and chunks allow.
 * Each pass but the last has whole blocks, so that the sums of blocks do not depend on the length of a chunk.
 */
static struct rows_part rows_in_order(const struct mlp_device *device, size_t first, size_t count)
{
    const size_t chunk = device->rows ? device_rows_chunk(device->rows) : count;
    const size_t most = device->capacity < chunk ? device->capacity : chunk;
    return (struct rows_part){
        .first = first, .count = count, .unit = count <= most ? count : most / device->block * device->block};
}

/* Writes the settings of updates begin .. end - 1 to the device. */
static enum shoal_status open_window(struct mlp_device *device, uint64_t begin, uint64_t end,
                                     struct shoal_error *error)
{
    const struct training *const t = device->base.training;
    const size_t count = (size_t)(end - begin);
    double *const settings = malloc(count * MLP_SET_SIZE * sizeof *settings);
    if (!settings)
        return fail_host_memory(error);
    for (size_t k = 0; k < count; k++) {
        const uint64_t update = begin + k;
        const struct training_step step =
            training_step_of(t, update, update / device->updates, device->base.state.plateaus);
        double *const set = settings + k * MLP_SET_SIZE;
        set[MLP_SET_RATE] = step.rate;
        set[MLP_SET_CORRECTION1] = step.correction1;
        set[MLP_SET_CORRECTION2] = step.correction2;
        set[MLP_SET_KEEP] = step.keep;
    }
    device->window = begin;
    device->window_end = end;
    const enum shoal_status status =
        device_write(device, device->settings, settings, count * MLP_SET_SIZE, error);
    free(settings);
    return status;
}

/* Reads the losses of the updates since the last call of harvest, and adds them to the state. */
static enum shoal_status harvest(struct mlp_device *device, struct shoal_error *error)
{
    struct trainer_state *const state = &device->base.state;
    const size_t count = (size_t)(state->update - device->harvested);
    if (count == 0)
        return SHOAL_OK;
    double *const records = malloc(count * MLP_SUM_SIZE * sizeof *records), *sum = records;
    if (!records)
        return fail_host_memory(error);
    enum shoal_status status =
        device_read(device, device->records, (size_t)(device->harvested - device->window) * MLP_SUM_SIZE,
                    records, count * MLP_SUM_SIZE, error);
    for (; !status && device->harvested < state->update; device->harvested++, sum += MLP_SUM_SIZE) {
        if (device->harvested % device->updates == 0) /* the update is the first of an epoch */
            state->loss = state->weight = state->score = 0;
        if (!isfinite(sum[MLP_SUM_LOSS])) {
            status = trainer_not_finite(device->harvested + 1, error);
            break;
        }
        state->loss += sum[MLP_SUM_LOSS];
        state->weight += sum[MLP_SUM_WEIGHT];
        state->score += sum[MLP_SUM_SCORE];
    }
    free(records);
    return status;
}

static enum shoal_status enqueue(struct mlp_device *device, const mlp_order *order, struct shoal_error *error)
{
    const uint64_t update = device->base.state.update;
    const size_t rows = device->setup.training_rows;
    const size_t begin = (size_t)(update % device->updates) * device->batch;
    const size_t count = rows - begin < device->batch ? rows - begin : device->batch;
    const struct rows_part epoch = {.count = rows,
                                    .unit = device->batch,
                                    .is_shuffled = !device->base.training->in_order && device->updates > 1,
                                    .seed = device->base.training->seed,
                                    .epoch = (uint32_t)(update / device->updates)};
    const unsigned gradient = device_needs_norm(device) ? MLP_STEP_GRADIENT : 0;
    struct mlp_step step = device_step_of(device, count, MLP_STEP_TRAIN | MLP_STEP_SCORE | gradient);
    for (size_t k = 0; k < COUNT(step.key); k++)
        step.key[k] = order->key[k];
    step.half_bits = order->half_bits;
    step.update = (unsigned)update;
    step.slot = (unsigned)(update - device->window);
    step.turn = device_loss_turn(update);
    enum shoal_status status;
    if (device->shards) {
        status = device_shards_update(device, &epoch, begin, &step, error);
    } else {
        status = device_run_pass(device, device->parameters, &epoch, begin, &step, error);
        if (!status)
            status = device->form->update(device, &step, error);
    }
    if (!status)
        device->base.state.update++;
    return status;
}

/* Number of updates from the start of training to the end of the epoch that contains update `update`. */
static uint64_t epoch_end(const struct mlp_device *device, uint64_t update)
{
    return (update / device->updates + 1) * device->updates;
}

/* Shares wait at the end of each of so many updates until all parameters are computed, so that the time for
 * which they wait is measured, and that no thread enqueues more updates than this ahead of its device. */
enum { WHOLE_EACH = 16 };

enum shoal_status mlp_device_update(struct net_training *training, uint64_t count, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    struct trainer_state *const state = &device->base.state;
    const uint64_t last = epoch_end(device, state->update);
    const uint64_t stop = count < last - state->update ? state->update + count : last;
    const mlp_order order = mlp_order_of(device->base.training->seed, (uint)(state->update / device->updates),
                                         (uint)device->setup.training_rows);
    while (state->update < stop) {
        enum shoal_status status = SHOAL_OK;
        device->may_be_late = state->update + 1 < stop && (state->update + 1) % WHOLE_EACH != 0;
        if (state->update >= device->window_end) {
            status = device_shards_wait(device, device->base.net->layer_count, error);
            if (!status)
                status = harvest(device, error);
            /* With SHOAL_MLP_PLATEAU, the rate in later epochs depends on losses that are not yet known. */
            const uint64_t all = state->update + device->slots;
            const bool is_known = device->base.training->schedule != TRAINING_PLATEAU;
            if (!status)
                status = open_window(device, state->update, is_known || all < last ? all : last, error);
        }
        if (!status)
            status = enqueue(device, &order, error);
        if (status)
            return status;
    }
    return shoal_queue_flush(device->setup.queue, error);
}

enum shoal_status mlp_device_settle(struct net_training *training, uint64_t *updates,
                                    struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const enum shoal_status status = harvest(device, error);
    *updates = device->harvested;
    return status;
}

/* Epochs ----------------------------------------------------------------------------------------------- */

/* Computes the mean loss and, in `out`, the mean score over the `count` prepared rows from row `first` on. */
static enum shoal_status score(struct mlp_device *device, size_t first, size_t count, double *loss,
                               double *out, struct shoal_error *error)
{
    const struct rows_part part = rows_in_order(device, first, count);
    unsigned places = 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t done = 0; done < count && !status; done += part.unit) {
        const size_t left = count - done, rows = left < part.unit ? left : part.unit;
        struct mlp_step step = device_step_of(device, rows, MLP_STEP_SCORE);
        if (first) /* the rows are validation rows, which follow the training rows */
            step.factors += device->base.net->outputs;
        step.sums = places;
        places += (unsigned)div_up(rows, device->block);
        status = device_run_pass(device, device->parameters, &part, done, &step, error);
    }
    double *const sums = malloc((places + 1) * MLP_SUM_SIZE * sizeof *sums);
    if (!sums)
        return fail_host_memory(error);
    if (!status)
        status = device_read(device, device->sums, 0, sums, places * (size_t)MLP_SUM_SIZE, error);
    double total[MLP_SUM_SIZE] = {0};
    for (size_t place = 0; place < places && !status; place++)
        for (size_t kind = 0; kind < MLP_SUM_SIZE; kind++)
            total[kind] += sums[place * MLP_SUM_SIZE + kind];
    free(sums);
    *loss = total[MLP_SUM_LOSS] / total[MLP_SUM_WEIGHT];
    *out = total[MLP_SUM_SCORE] / total[MLP_SUM_WEIGHT];
    return status;
}

enum shoal_status mlp_device_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                       struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    struct trainer_state *const state = &device->base.state;
    const size_t rows = device->setup.training_rows, validation = device->setup.validation_rows;
    enum shoal_status status = harvest(device, error);
    if (status)
        return status;
    *epoch = trainer_epoch_of(state);
    const bool judges = validation > 0 || training_judges(device->base.training);
    double loss = NAN, ignored;
    if (validation > 0) {
        status = score(device, rows, validation, &epoch->validation_loss, &epoch->validation_score, error);
        loss = epoch->validation_loss;
    } else if (judges) {
        status = score(device, 0, rows, &loss, &ignored, error);
    }
    if (status)
        return status;
    if (judges)
        trainer_judge(device->base.training, loss, state, epoch);
    else
        trainer_keep(state, epoch);
    return epoch->is_best ? shoal_buffer_copy(device->setup.queue, device->parameters, 0, device->best, 0,
                                              device->parameter_count * device->bytes, error)
                          : SHOAL_OK;
}

void mlp_device_borrow(struct net_training *training, struct shoal_buffer *inputs,
                       struct shoal_buffer *answers)
{
    struct mlp_device *const device = device_of(training);
    const bool has_classes = device->setup.prepared->classes;
    device_rows_destroy(&device->rows);
    device->has_new_rows = true;
    device->data = inputs;
    device->classes = has_classes ? answers : device->none;
    device->targets = has_classes ? device->none : answers;
    device->weights = device->none;
}

/* Rows ------------------------------------------------------------------------------------------------- */

enum shoal_status mlp_device_predict(struct net_training *training, const double *parameters, size_t first,
                                     size_t count, double *outputs, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const size_t width = device->base.net->outputs;
    if (first > device->setup.prepared->rows || count > device->setup.prepared->rows - first)
        return fail(error, SHOAL_INVALID, "there are no rows %zu to %zu", first + 1, first + count);
    const struct rows_part part = rows_in_order(device, first, count);
    /* Between two updates nothing uses the buffer of the gradient. */
    enum shoal_status status = device_write_parameters(device, device->gradient, parameters, error);
    for (size_t done = 0; done < count && !status; done += part.unit) {
        const size_t left = count - done, rows = left < part.unit ? left : part.unit;
        struct mlp_step step = device_step_of(device, rows, MLP_STEP_PREDICT);
        status = device_run_pass(device, device->gradient, &part, done, &step, error);
        if (!status)
            status = device_read(device, device->outputs, 0, outputs + done * width, rows * width, error);
    }
    return status;
}

enum shoal_status mlp_device_gradient(struct net_training *training, size_t first, size_t count, double *loss,
                                      double *gradient, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const struct rows_part part = rows_in_order(device, first, count);
    if (count == 0 || part.unit < count || first > device->setup.prepared->rows ||
        count > device->setup.prepared->rows - first)
        return fail(error, SHOAL_INVALID, "there is no batch of rows %zu to %zu", first + 1, first + count);
    enum shoal_status status = harvest(device, error);
    if (status)
        return status;
    device->window = device->window_end =
        device->base.state.update; /* so that the losses are recorded in the first slot */
    struct mlp_step step =
        device_step_of(device, count, MLP_STEP_TRAIN | MLP_STEP_SCORE | MLP_STEP_GRADIENT | MLP_STEP_PROBE);
    double sums[MLP_SUM_SIZE];
    status = device_run_pass(device, device->parameters, &part, 0, &step, error);
    if (!status)
        status = device->form->update(device, &step, error);
    if (!status)
        status = device_read(device, device->records, 0, sums, MLP_SUM_SIZE, error);
    if (!status)
        status = device_read_parameters(device, device->gradient, gradient, error);
    if (!status)
        *loss = sums[MLP_SUM_WEIGHT] > 0 ? sums[MLP_SUM_LOSS] / sums[MLP_SUM_WEIGHT] : 0;
    return status;
}
