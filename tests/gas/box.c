#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gas_box_can(enum shoal_gas_precision precision)
{
    return precision == SHOAL_GAS_SINGLE || harness_has_fp64();
}

void gas_box_fractions(double *fraction, size_t count, uint32_t step)
{
    uint32_t *words = malloc((count ? count : 1) * sizeof *words);
    assert_non_null(words);
    harness_words(words, count, step);
    for (size_t i = 0; i < count; i++)
        fraction[i] = words[i] / 4294967296.0;
    free(words);
}

static void *new_memory(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

double gas_box_put(const struct gas_box *box, unsigned char *raw, size_t axis, double at)
{
    const struct gas_problem *problem = &box->device.problem;
    const bool periodic = problem->boundary[axis] == SHOAL_GAS_PERIODIC;
    if (box->device.precision == SHOAL_GAS_DOUBLE) {
        memcpy(raw + axis * sizeof at, &at, sizeof at);
        return at;
    }
    const double unit = problem->length[axis] / (periodic ? 0x1p32 : 0x1p30);
    const uint32_t begin = periodic ? 0 : 1u << 30, steps = (uint32_t)(int64_t)rint(at / unit) + begin;
    memcpy(raw + axis * sizeof steps, &steps, sizeof steps);
    return (periodic ? (double)steps : (double)(int32_t)(steps - begin)) * unit;
}

static void put_velocity(struct gas_box *box, size_t i)
{
    const bool narrow = box->device.precision == SHOAL_GAS_SINGLE;
    for (size_t axis = 0; axis < box->device.problem.dim; axis++) {
        const double wide = (double)i + 0.25 * (double)axis;
        const float number = (float)wide;
        unsigned char *to = box->velocity + i * box->device.velocity_bytes;
        if (narrow)
            memcpy(to + axis * sizeof number, &number, sizeof number);
        else
            memcpy(to + axis * sizeof wide, &wide, sizeof wide);
    }
}

struct shoal_buffer *gas_box_buffer(size_t bytes)
{
    struct shoal_buffer *buffer = NULL;
    assert_ok(shoal_buffer_create(harness.device, bytes, &buffer, &test_error));
    assert_ok(shoal_buffer_fill(harness.queue, buffer, 0, bytes, 0, &test_error));
    return buffer;
}

void gas_box_open(struct gas_box *box, enum shoal_gas_precision precision)
{
    struct gas_device *device = &box->device;
    const size_t n = device->problem.n, dim = device->problem.dim;
    box->solver = (struct shoal_solver){.device = harness.device,
                                        .queue = harness.queue,
                                        .programs = {.device = harness.device, .variant = harness.variant},
                                        .params = &box->params,
                                        .state = device};
    device->precision = precision;
    device->position_bytes = (precision == SHOAL_GAS_DOUBLE ? 16 : 8) * (dim - 1);
    device->velocity_bytes = (precision == SHOAL_GAS_SINGLE ? 8 : 16) * (dim - 1);
    device->padded = (n + 1023) / 1024 * 1024;
    box->place = new_memory(n * dim * sizeof *box->place);
    box->raw = new_memory(n * device->position_bytes);
    device->settings = gas_box_buffer(GAS_SETTINGS * sizeof(double));
    device->position = gas_box_buffer(device->padded * device->position_bytes);
    device->velocity = gas_box_buffer(device->padded * device->velocity_bytes);
    device->id = gas_box_buffer(device->padded * sizeof(uint32_t));
    assert_ok(gas_settings_write(&box->solver, &test_error));
}

/* Groups of a few items let a simulator's sizes reach the code for many of them. */
static void use_small_groups(void)
{
    static const char *const programs[] = {"gas.sort", "gas.sort-group", "gas.list-build"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        assert_ok(shoal_tuning_set(harness.device, programs[i], "WG", 8, &test_error));
}

void gas_box_create(struct gas_box *box, const struct gas_box_shape *shape, const double *position,
                    uint32_t order)
{
    memset(box, 0, sizeof *box);
    struct gas_device *device = &box->device;
    struct gas_problem *problem = &device->problem;
    const size_t n = shape->n;
    if (harness.tiny)
        use_small_groups();
    shoal_gas_params_init(&box->params);
    box->params.particles = n;
    box->params.dim = shape->dim;
    problem->params = &box->params;
    problem->n = n;
    problem->dim = shape->dim;
    problem->pair.cutoff = shape->cutoff;
    problem->pair.cutoff2 = shape->cutoff * shape->cutoff;
    problem->volume = 1;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        problem->length[k] = k < shape->dim ? shape->length[k] : 1;
        problem->boundary[k] = k < shape->dim ? shape->boundary[k] : SHOAL_GAS_PERIODIC;
        problem->volume *= problem->length[k];
    }
    gas_box_open(box, shape->precision);
    device->words = gas_box_buffer(GAS_WORDS * sizeof(uint32_t));
    box->velocity = new_memory(n * device->velocity_bytes);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < shape->dim; k++)
            box->place[i * shape->dim + k] =
                gas_box_put(box, box->raw + i * device->position_bytes, k, position[i * shape->dim + k]);
        put_velocity(box, i);
    }
    gas_box_place(box, order);
}

void gas_box_destroy(struct gas_box *box)
{
    struct gas_device *device = &box->device;
    struct shoal_buffer **const buffers[] = {
        &device->settings,     &device->words,  &device->position, &device->velocity,
        &device->acceleration, &device->energy, &device->virial,   &device->id};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    programs_destroy(&box->solver.programs);
    gas_problem_destroy(&device->problem);
    free(box->place);
    free(box->raw);
    free(box->velocity);
}

static void shuffle(uint32_t *ids, size_t n, uint32_t order)
{
    uint32_t *words = new_memory(n * sizeof *words);
    harness_words(words, n, order);
    for (size_t i = n; i > 1; i--) {
        const size_t k = words[i - 1] % i;
        const uint32_t kept = ids[i - 1];
        ids[i - 1] = ids[k];
        ids[k] = kept;
    }
    free(words);
}

/* Writes the elements of `data` in the order of `ids`. */
static void write_ordered(struct shoal_buffer *buffer, const unsigned char *data, size_t bytes,
                          const uint32_t *ids, size_t n)
{
    unsigned char *ordered = new_memory(n * bytes);
    for (size_t i = 0; i < n; i++)
        memcpy(ordered + i * bytes, data + ids[i] * bytes, bytes);
    assert_ok(shoal_buffer_write(harness.queue, buffer, 0, ordered, n * bytes, &test_error));
    free(ordered);
}

void gas_box_place(struct gas_box *box, uint32_t order)
{
    struct gas_device *device = &box->device;
    const size_t n = device->problem.n;
    uint32_t *ids = new_memory(n * sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    if (order)
        shuffle(ids, n, order);
    write_ordered(device->position, box->raw, device->position_bytes, ids, n);
    write_ordered(device->velocity, box->velocity, device->velocity_bytes, ids, n);
    assert_ok(shoal_buffer_write(harness.queue, device->id, 0, ids, n * sizeof *ids, &test_error));
    free(ids);
}

void gas_box_ids(struct gas_box *box, uint32_t *ids)
{
    harness_read(box->device.id, ids, box->device.problem.n * sizeof *ids);
}

uint32_t gas_box_word(struct gas_box *box, enum gas_word word)
{
    uint32_t words[GAS_WORDS];
    harness_read(box->device.words, words, sizeof words);
    return words[word];
}
