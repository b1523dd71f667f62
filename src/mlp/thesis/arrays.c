/* Arrays of the thesis's methods: slabs of parameters, rows, sums. */
#include "base/error.h"
#include "mlp/thesis/thesis.h"

#include <stdlib.h>
#include <string.h>

enum { SLAB_ALIGNED = 16 };

/* Numbers ----------------------------------------------------------------------------------------------- */

static void narrow(const struct mlp_thesis *thesis, const double *from, size_t count, void *to)
{
    if (thesis->setup.is_double)
        memcpy(to, from, count * sizeof *from);
    else
        for (size_t k = 0; k < count; k++)
            ((float *)to)[k] = (float)from[k];
}

enum shoal_status mlp_thesis_write(struct mlp_thesis *thesis, struct shoal_buffer *buffer,
                                   const double *numbers, size_t count, struct shoal_error *error)
{
    narrow(thesis, numbers, count, thesis->moved);
    return shoal_buffer_write(thesis->setup.queue, buffer, 0, thesis->moved, count * thesis->bytes, error);
}

enum shoal_status mlp_thesis_read(struct mlp_thesis *thesis, struct shoal_buffer *buffer, size_t first,
                                  size_t count, double *numbers, struct shoal_error *error)
{
    const enum shoal_status status = shoal_buffer_read(
        thesis->setup.queue, buffer, first * thesis->bytes,
        thesis->setup.is_double ? (void *)numbers : thesis->moved, count * thesis->bytes, error);
    for (size_t k = 0; k < count && !status && !thesis->setup.is_double; k++)
        numbers[k] = (double)((const float *)thesis->moved)[k];
    return status;
}

/* Index in a slab of the weight from `input` to `output` of layer l. input = number of inputs of the layer:
 * index of the bias. */
static size_t place_of(const struct mlp_thesis *thesis, uint32_t l, uint32_t output, uint32_t input)
{
    return (l ? thesis->step.second : 0) + (size_t)input * thesis->base.net->layers[l].outputs + output;
}

static void arrange(const struct mlp_thesis *thesis, const double *from, double *flat, double *slab)
{
    for (uint32_t l = 0; l < 2; l++) {
        const struct net_layer *layer = &thesis->base.net->layers[l];
        for (uint32_t o = 0; o < layer->outputs; o++)
            for (uint32_t i = 0; i <= layer->inputs; i++) {
                const size_t there = place_of(thesis, l, o, i);
                const size_t here =
                    i == layer->inputs ? layer->biases + o : layer->weights + (size_t)o * layer->inputs + i;
                if (flat)
                    flat[here] = from[there];
                else
                    slab[there] = from[here];
            }
    }
}

void mlp_thesis_flat(const struct mlp_thesis *thesis, const double *slab, double *flat)
{
    arrange(thesis, slab, flat, NULL);
}

enum shoal_status mlp_thesis_write_flat(struct mlp_thesis *thesis, struct shoal_buffer *buffer,
                                        const double *flat, struct shoal_error *error)
{
    memset(thesis->slab, 0, thesis->step.slab * sizeof *thesis->slab);
    arrange(thesis, flat, NULL, thesis->slab);
    return mlp_thesis_write(thesis, buffer, thesis->slab, thesis->step.slab, error);
}

enum shoal_status mlp_thesis_read_flat(struct mlp_thesis *thesis, struct shoal_buffer *buffer, double *flat,
                                       struct shoal_error *error)
{
    const enum shoal_status status =
        mlp_thesis_read(thesis, buffer, 0, thesis->step.slab, thesis->slab, error);
    if (!status)
        mlp_thesis_flat(thesis, thesis->slab, flat);
    return status;
}

/* Rows -------------------------------------------------------------------------------------------------- */

/* The target of output o for a row. */
static double target_of(const struct net *net, const struct pass_data *rows, size_t row, uint32_t o)
{
    if (!rows->classes)
        return rows->targets[row * net->outputs + o];
    const bool is_own = net->outputs == 1 ? rows->classes[row] == 1 : rows->classes[row] == o;
    const double classes = net->outputs == 1 ? 2 : net->outputs;
    return (is_own ? 1 - net->smoothing : 0) + net->smoothing / classes;
}

enum { PORTION = 1024 }; /* rows of one transfer */

static enum shoal_status upload_portion(struct mlp_thesis *thesis, size_t first, size_t count,
                                        double *numbers, void *moved, struct shoal_error *error)
{
    const struct pass_data *rows = thesis->setup.rows;
    const struct net *net = thesis->base.net;
    const size_t inputs = count * net->inputs, outputs = count * net->outputs;
    struct shoal_queue *queue = thesis->setup.queue;
    narrow(thesis, rows->inputs + first * net->inputs, inputs, moved);
    enum shoal_status status = shoal_buffer_write(queue, thesis->inputs, first * net->inputs * thesis->bytes,
                                                  moved, inputs * thesis->bytes, error);
    for (size_t r = 0; r < count; r++)
        for (uint32_t o = 0; o < net->outputs; o++)
            numbers[r * net->outputs + o] = target_of(net, rows, first + r, o);
    narrow(thesis, numbers, outputs, moved);
    if (!status)
        status = shoal_buffer_write(queue, thesis->targets, first * net->outputs * thesis->bytes, moved,
                                    outputs * thesis->bytes, error);
    for (size_t r = 0; r < count; r++)
        numbers[r] = rows->weights ? rows->weights[first + r] : 1;
    narrow(thesis, numbers, count, moved);
    return status ? status
                  : shoal_buffer_write(queue, thesis->weights, first * thesis->bytes, moved,
                                       count * thesis->bytes, error);
}

/* Uploads the factors of the training rows, then of the validation rows, to the buffer of weights, after the
 * weights of the rows. */
static enum shoal_status upload_factors(struct mlp_thesis *thesis, double *factors, void *moved,
                                        struct shoal_error *error)
{
    const struct mlp_thesis_setup *setup = &thesis->setup;
    const struct pass_data *rows = setup->rows;
    const uint32_t outputs = setup->net->outputs;
    const size_t first = setup->training_rows;
    thesis->step.factors = (uint32_t)rows->rows;
    pass_factors(rows->targets, rows->weights, 0, first, outputs, factors);
    pass_factors(rows->targets, rows->weights, first, setup->validation_rows, outputs, factors + outputs);
    narrow(thesis, factors, 2 * (size_t)outputs, moved);
    return shoal_buffer_write(setup->queue, thesis->weights, rows->rows * thesis->bytes, moved,
                              2 * outputs * thesis->bytes, error);
}

static enum shoal_status upload(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const struct pass_data *rows = thesis->setup.rows;
    const struct net *net = thesis->base.net;
    const size_t width = net->inputs > net->outputs ? net->inputs : net->outputs;
    double *numbers = malloc(PORTION * width * sizeof *numbers);
    void *moved = malloc(PORTION * width * sizeof(double));
    enum shoal_status status = numbers && moved ? SHOAL_OK : fail_host_memory(error);
    for (size_t first = 0; first < rows->rows && !status; first += PORTION) {
        const size_t left = rows->rows - first;
        status = upload_portion(thesis, first, left < PORTION ? left : PORTION, numbers, moved, error);
    }
    if (!status && !rows->classes)
        status = upload_factors(thesis, numbers, moved, error);
    free(numbers);
    free(moved);
    if (!status && rows->classes)
        status = shoal_buffer_write(thesis->setup.queue, thesis->classes, 0, rows->classes,
                                    rows->rows * sizeof *rows->classes, error);
    return status;
}

static double weight_of(const struct pass_data *rows, size_t first, size_t count)
{
    double sum = rows->weights ? 0 : (double)count;
    for (size_t r = first; rows->weights && r < first + count; r++)
        sum += rows->weights[r];
    return sum;
}

/* All ---------------------------------------------------------------------------------------------------- */

static void list_arrays(struct mlp_thesis *thesis)
{
    const struct mlp_thesis_plan *plan = &thesis->plan;
    const struct net *net = thesis->base.net;
    const size_t b = thesis->bytes;
    const double rows = (double)thesis->setup.rows->rows, slab = thesis->step.slab;
    const double kept = plan->updates_on_device ? slab : 0;
    const double values = !thesis->setup.is_v2 || !plan->room ? (double)plan->parts * plan->items : 0;
    const struct array list[] = {
        {&thesis->inputs, rows * net->inputs, b, 0, NULL, 0},
        {&thesis->targets, rows * net->outputs, b, 0, NULL, 0},
        {&thesis->classes, thesis->setup.rows->classes ? rows : 0, sizeof(uint32_t), 0, NULL, 0},
        {&thesis->weights, rows + 2.0 * net->outputs, b, 0, NULL, 0},
        {&thesis->parameters, slab, b, 0, NULL, 0},
        {&thesis->tried, slab, b, 0, NULL, 0},
        {&thesis->best, kept, b, ARRAY_ZERO, NULL, 0},
        {&thesis->s0, kept, b, ARRAY_ZERO, NULL, 0},
        {&thesis->s1, kept, b, ARRAY_ZERO, NULL, 0},
        {&thesis->s2, kept, b, ARRAY_ZERO, NULL, 0},
        {&thesis->settings, kept > 0 ? THESIS_SETTINGS : 0, b, 0, NULL, 0},
        {&thesis->values, values, b, 0, NULL, 0},
        {&thesis->deltas, (double)plan->parts * slab, b, ARRAY_ZERO, NULL, 0},
        {&thesis->sums, slab, b, ARRAY_ZERO, NULL, 0},
        {&thesis->predictions, (double)MLP_THESIS_PREDICTED * net->outputs, b, 0, NULL, 0},
    };
    thesis->arrays.queue = thesis->setup.queue;
    ARRAYS_SET(&thesis->arrays, list);
}

enum shoal_status mlp_thesis_create_arrays(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const struct mlp_thesis_setup *setup = &thesis->setup;
    const struct net *net = setup->net;
    const size_t room = thesis->step.slab > MLP_THESIS_PREDICTED * (size_t)net->outputs
                            ? thesis->step.slab
                            : MLP_THESIS_PREDICTED * (size_t)net->outputs;
    thesis->weight = weight_of(setup->rows, 0, setup->training_rows);
    thesis->validation_weight = weight_of(setup->rows, setup->training_rows, setup->validation_rows);
    list_arrays(thesis);
    enum shoal_status status = arrays_check(&thesis->arrays, 0, "the derivatives of each thread or block",
                                            "lower --blocks or --block-threads", error);
    if (status)
        return status;
    thesis->own = calloc((TRAINER_ARRAYS + 1) * net->parameters, sizeof *thesis->own);
    thesis->slab = calloc(thesis->step.slab, sizeof *thesis->slab);
    thesis->moved = calloc(room, sizeof(double));
    if (!thesis->own || !thesis->slab || !thesis->moved)
        return fail_host_memory(error);
    thesis->gradient = thesis->own + TRAINER_ARRAYS * net->parameters;
    status = arrays_create(&thesis->arrays, error);
    return status ? status : upload(thesis, error);
}
