/* Predictions of a model for rows, on a device. The device computes the outputs of a piece of the rows while
 * the host prepares the next piece in the other of two blocks of memory. A CPU reads plain rows in its
 * precision where they are, and scales them itself. */
#include "base/clock.h"
#include "base/error.h"
#include "base/integer.h"
#include "base/params.h"
#include "base/threads.h"
#include "compute/device.h"
#include "mlp/device/device.h"
#include "mlp/files/source.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the rows of a piece: inputs and the values of all layers. A CPU keeps a piece in its caches. For
 * a GPU the time of a launch is short beside that of a piece. MOST_ROWS, LEAST_ROWS: limits for nets that are
 * narrow or wide. A CPU is not waited for after each piece: MOST_PASSES pieces, with no more than
 * OUTPUTS_ON_CPU outputs, are enqueued at a time. */
enum {
    NUMBERS_ON_CPU = 1 << 21,
    NUMBERS_ON_GPU = 1 << 22,
    OUTPUTS_ON_CPU = 1 << 20,
    LEAST_ROWS = 64,
    MOST_ROWS = 1 << 16,
    MOST_PASSES = 32
};

struct shoal_mlp_predictor {
    const struct shoal_mlp_model *model;
    struct shoal_queue *queue; /* NULL: the device is the host, and the members below are not used */
    struct programs programs;
    struct prepared form; /* the form of a piece on the device; has no data */
    size_t passes;        /* pieces that are enqueued at a time where rows are read in place */
    struct training training;
    struct net_training *net;
    struct host_block *blocks[2]; /* pieces, as they are written to the device */
    struct shoal_buffer *rows;    /* a piece on the device */
    double *scratch;              /* scratch memory of source_take for each thread */
    double *wide;                 /* outputs of `passes` pieces, for callers that want floats */
    struct thread_choice threads;
};

/* Objects ---------------------------------------------------------------------------------------------- */

static size_t choose_piece(const struct net *net, const struct shoal_device_info *info)
{
    const size_t row = net->inputs + (size_t)net->units;
    const size_t wanted = (info->is_gpu ? NUMBERS_ON_GPU : NUMBERS_ON_CPU) / row / LEAST_ROWS * LEAST_ROWS;
    return (size_t)clamped(wanted, LEAST_ROWS, MOST_ROWS);
}

static enum shoal_status create_on_device(struct shoal_mlp_predictor *predictor, struct shoal_device *device,
                                          bool is_double, struct shoal_error *error)
{
    const struct shoal_mlp_model *const model = predictor->model;
    const struct shoal_device_info *const info = shoal_device_get_info(device);
    const struct net *const net = model->net;
    struct prepared *const form = &predictor->form;
    *form = (struct prepared){.rows = choose_piece(net, info),
                              .inputs = net->inputs,
                              .outputs = net->outputs,
                              .storage = is_double ? STORAGE_FP64 : STORAGE_FP32,
                              .preparation = model->preparation,
                              .row_bytes = net->inputs * (is_double ? sizeof(double) : sizeof(float))};
    predictor->programs.device = device;
    /* A range of rows of the caller is one buffer of the device. */
    const uint64_t ranges = info->max_allocation ? info->max_allocation / (form->rows * form->row_bytes)
                                                 : MOST_PASSES,
                   wanted = OUTPUTS_ON_CPU / form->rows / net->outputs;
    predictor->passes =
        device_reads_host(device) ? (size_t)clamped(ranges < wanted ? ranges : wanted, 1, MOST_PASSES) : 1;
    /* The host's threads would take the cores on which a CPU computes. */
    predictor->threads = (struct thread_choice){.most = info->is_cpu ? 1 : omp_get_max_threads()};
    const size_t threads = (size_t)predictor->threads.most;
    predictor->scratch = malloc(threads * source_scratch(model) * sizeof *predictor->scratch);
    predictor->wide = malloc(predictor->passes * form->rows * form->outputs * sizeof *predictor->wide);
    if (!predictor->scratch || !predictor->wide)
        return fail_host_memory(error);
    enum shoal_status status = shoal_queue_create(device, 0, &predictor->queue, error);
    const struct mlp_device_setup setup = {.queue = predictor->queue,
                                           .programs = &predictor->programs,
                                           .is_double = is_double,
                                           .predicts = predictor->passes,
                                           .net = net,
                                           .training = &predictor->training,
                                           .prepared = form,
                                           .training_rows = form->rows};
    if (!status)
        status = mlp_device_create(&setup, &predictor->net, error);
    if (!status)
        status = mlp_device_set(predictor->net, model->parameters, error);
    const size_t bytes = form->rows * form->row_bytes;
    for (size_t k = 0; k < 2 && !status; k++)
        status = host_block_create(device, bytes, &predictor->blocks[k], error);
    return status ? status : shoal_buffer_create(device, bytes, &predictor->rows, error);
}

enum shoal_status shoal_mlp_predictor_create(const struct shoal_mlp_model *model, struct shoal_device *device,
                                             enum shoal_precision precision, struct shoal_mlp_predictor **out,
                                             struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, model, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    const struct shoal_device_info *const info = shoal_device_get_info(device);
    if (precision != SHOAL_FP32 && precision != SHOAL_FP64)
        return fail(error, SHOAL_INVALID, "%s: %d is no precision", __func__, (int)precision);
    if (precision == SHOAL_FP64 && !info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s (%s) has no double precision", info->id, info->name);
    struct shoal_mlp_predictor *predictor = calloc(1, sizeof *predictor);
    if (!predictor)
        return fail_host_memory(error);
    predictor->model = model;
    const enum shoal_status status =
        info->is_host ? SHOAL_OK : create_on_device(predictor, device, precision == SHOAL_FP64, error);
    if (status)
        shoal_mlp_predictor_destroy(&predictor);
    *out = predictor;
    return status;
}

void shoal_mlp_predictor_destroy(struct shoal_mlp_predictor **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_mlp_predictor *const predictor = *pointer;
    mlp_device_destroy(&predictor->net);
    for (size_t k = 0; k < 2; k++)
        host_block_destroy(&predictor->blocks[k]);
    shoal_buffer_destroy(&predictor->rows);
    programs_destroy(&predictor->programs);
    shoal_queue_destroy(&predictor->queue);
    free(predictor->scratch);
    free(predictor->wide);
    free(predictor);
    *pointer = NULL;
}

/* Pieces ------------------------------------------------------------------------------------------------- */

static enum shoal_status take(const struct shoal_mlp_predictor *predictor, const struct row_source *source,
                              size_t row, double *scratch, unsigned char *to, struct shoal_error *error)
{
    return predictor->form.storage == STORAGE_FP64
               ? source_take(source, row, scratch, (double *)(void *)to, error)
               : source_take_floats(source, row, scratch, (float *)(void *)to, error);
}

/* Prepares `count` rows from row `first` on in `to`. Of rows that fail, the first is reported, whichever
 * thread prepared it. */
static enum shoal_status prepare(struct shoal_mlp_predictor *predictor, const struct row_source *source,
                                 size_t first, size_t count, unsigned char *to, struct shoal_error *error)
{
    const double seconds = 1e-9 * (double)count * (double)predictor->form.inputs;
    struct thread_choice *const choice = threads_are_worth_waking(seconds) ? &predictor->threads : NULL;
    const int threads = choice ? thread_choice_threads(choice) : 1;
    enum shoal_status status = SHOAL_OK;
    size_t failed = SIZE_MAX;
    if (choice)
        thread_choice_begin(choice);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        const double start = clock_thread_seconds();
        struct shoal_error mine = {0};
        double *const scratch =
            predictor->scratch + (size_t)omp_get_thread_num() * source_scratch(predictor->model);
#pragma omp for schedule(static) nowait
        for (size_t k = 0; k < count; k++) {
            const enum shoal_status now =
                take(predictor, source, first + k, scratch, to + k * predictor->form.row_bytes, &mine);
            if (now) {
#pragma omp critical(shoal_mlp_predictor)
                if (k < failed) {
                    failed = k;
                    status = now;
                    if (error)
                        *error = mine;
                }
            }
        }
        thread_choice_work(choice, start);
    }
    if (choice)
        thread_choice_end(choice);
    return status;
}

/* Enqueues the outputs of `count` rows, which are in a block. */
static enum shoal_status compute(struct shoal_mlp_predictor *predictor, size_t count,
                                 struct host_block *block, struct shoal_error *error)
{
    const struct mlp_device_piece piece = {.rows = predictor->rows, .count = count, .is_scaled = true};
    const enum shoal_status status = host_block_begin_write(predictor->queue, predictor->rows, block,
                                                            count * predictor->form.row_bytes, error);
    return status ? status : mlp_device_enqueue(predictor->net, &piece, error);
}

/* Where the outputs go: as doubles or as floats. */
struct sink {
    double *doubles;
    float *floats;
};

/* Waits for the outputs of `count` rows, and brings them to the caller's rows `first` and on. */
static enum shoal_status receive(struct shoal_mlp_predictor *predictor, size_t first, size_t count,
                                 const struct sink *sink, struct shoal_error *error)
{
    const struct shoal_mlp_model *const model = predictor->model;
    const size_t width = model->net->outputs;
    double *const outputs = sink->doubles ? sink->doubles + first * width : predictor->wide;
    const enum shoal_status status = mlp_device_outputs(predictor->net, 0, count, outputs, error);
    for (size_t row = 0; row < count && !status; row++)
        prepare_unscale_targets(model->preparation, outputs + row * width);
    for (size_t k = 0; k < count * width && !status && sink->floats; k++)
        sink->floats[first * width + k] = (float)outputs[k];
    return status;
}

/* After a failure no pass reads rows or blocks any more. Returns `status`. */
static enum shoal_status end_passes(struct shoal_mlp_predictor *predictor, enum shoal_status status)
{
    struct shoal_error ignored;
    if (shoal_queue_finish(predictor->queue, &ignored)) {
        /* If the call fails, the device is lost. */
    }
    return status;
}

/* Predicts the rows first .. end - 1 of the source. */
static enum shoal_status predict_range(struct shoal_mlp_predictor *predictor, const struct row_source *source,
                                       size_t first, size_t end, const struct sink *sink,
                                       struct shoal_error *error)
{
    const size_t most = predictor->form.rows;
    size_t place = 0, pending = 0; /* pending: rows of the piece that the device computes */
    enum shoal_status status = SHOAL_OK;
    while ((first < end || pending) && !status) {
        const size_t count = end - first < most ? end - first : most;
        struct host_block *const block = predictor->blocks[place];
        if (count)
            status = prepare(predictor, source, first, count, host_block_data(block), error);
        if (!status && pending)
            status = receive(predictor, first - pending, pending, sink, error);
        if (!status && count)
            status = compute(predictor, count, block, error);
        pending = count;
        first += count;
        place = 1 - place;
    }
    return status ? end_passes(predictor, status) : SHOAL_OK;
}

/* Predicts a range of plain rows where they are in memory. *are_finite false: a value is missing or no
 * number, which the device does not treat; there are no outputs. */
static enum shoal_status predict_in_place(struct shoal_mlp_predictor *predictor, const void *rows,
                                          size_t first, size_t end, const struct sink *sink, bool *are_finite,
                                          struct shoal_error *error)
{
    const struct prepared *const form = &predictor->form;
    const unsigned char *const from = (const unsigned char *)rows + first * form->row_bytes;
    struct mlp_device_piece piece = {.is_checked = true};
    enum shoal_status status =
        buffer_over(predictor->programs.device, from, (end - first) * form->row_bytes, &piece.rows, error);
    for (; piece.first < end - first && !status; piece.first += form->rows, piece.slot += form->rows) {
        const size_t left = end - first - piece.first;
        piece.count = left < form->rows ? left : form->rows;
        status = mlp_device_enqueue(predictor->net, &piece, error);
    }
    if (!status)
        status = mlp_device_are_finite(predictor->net, are_finite, error);
    if (!status && *are_finite)
        status = receive(predictor, first, end - first, sink, error);
    status = end_passes(predictor, status);
    shoal_buffer_destroy(&piece.rows);
    return status;
}

/* Returns the rows, if the device can read them where they are; otherwise NULL. */
static const void *in_place(const struct shoal_mlp_predictor *predictor, const struct row_source *source)
{
    const void *const rows =
        predictor->form.storage == STORAGE_FP64 ? (const void *)source->raw : source->raw_floats;
    return source->is_plain && device_reads_host(predictor->programs.device) ? rows : NULL;
}

static enum shoal_status predict(struct shoal_mlp_predictor *predictor, const struct row_source *source,
                                 const struct sink *sink, struct shoal_error *error)
{
    const void *const rows = in_place(predictor, source);
    const size_t most = rows ? predictor->form.rows * predictor->passes : source->count;
    enum shoal_status status = SHOAL_OK;
    for (size_t first = 0; first < source->count && !status; first += most) {
        const size_t end = source->count - first < most ? source->count : first + most;
        bool is_done = false;
        if (rows)
            status = predict_in_place(predictor, rows, first, end, sink, &is_done, error);
        if (!status && !is_done)
            status = predict_range(predictor, source, first, end, sink, error);
    }
    return status;
}

enum shoal_status shoal_mlp_predictor_run(struct shoal_mlp_predictor *predictor, const double *rows,
                                          size_t count, double *outputs, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, predictor) || (count && !NEED(error, rows, outputs)))
        return SHOAL_INVALID;
    if (!predictor->queue)
        return shoal_mlp_model_predict(predictor->model, rows, count, outputs, error);
    const struct row_source source = source_of_raw(predictor->model, rows, count);
    return predict(predictor, &source, &(struct sink){.doubles = outputs}, error);
}

/* On the host, in pieces, so that memory for doubles does not grow with the rows. */
static enum shoal_status run_floats_on_host(const struct shoal_mlp_model *model, const float *rows,
                                            size_t count, float *outputs, struct shoal_error *error)
{
    const size_t width = model->net->outputs, most = count < MOST_ROWS ? count : MOST_ROWS;
    double *const wide = malloc((most * width + 1) * sizeof *wide);
    enum shoal_status status = wide ? SHOAL_OK : fail_host_memory(error);
    for (size_t first = 0; first < count && !status; first += most) {
        const size_t some = count - first < most ? count - first : most;
        struct row_source source = source_of_floats(model, rows, some);
        source.first = first;
        status = source_predict(&source, wide, error);
        for (size_t k = 0; k < some * width && !status; k++)
            outputs[first * width + k] = (float)wide[k];
    }
    free(wide);
    return status;
}

enum shoal_status shoal_mlp_predictor_run_floats(struct shoal_mlp_predictor *predictor, const float *rows,
                                                 size_t count, float *outputs, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, predictor) || (count && !NEED(error, rows, outputs)))
        return SHOAL_INVALID;
    if (!predictor->queue)
        return run_floats_on_host(predictor->model, rows, count, outputs, error);
    const struct row_source source = source_of_floats(predictor->model, rows, count);
    return predict(predictor, &source, &(struct sink){.floats = outputs}, error);
}

enum shoal_status shoal_mlp_predictor_run_dataset(struct shoal_mlp_predictor *predictor,
                                                  const struct shoal_dataset *dataset, size_t first,
                                                  size_t count, double *outputs, struct shoal_error *error)
{
    struct prepare_match match;
    struct row_source source;
    error_reset(error);
    if (!NEED(error, predictor, dataset) || (count && !NEED(error, outputs)))
        return SHOAL_INVALID;
    if (!predictor->queue)
        return shoal_mlp_model_predict_dataset(predictor->model, dataset, first, count, outputs, error);
    enum shoal_status status =
        source_of_dataset(predictor->model, dataset, first, count, &match, &source, error);
    if (status)
        return status;
    status = predict(predictor, &source, &(struct sink){.doubles = outputs}, error);
    prepare_match_free(&match);
    return status;
}
