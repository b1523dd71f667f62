#include "tsp/device/places.h"

#include "base/error.h"
#include "compute/device.h"
#include "tsp/model/problem.h"
#include "tsp/model/rules.clh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool needs_fp64(const struct tsp_form *form)
{
    return form->dim && !form->is_whole;
}

/* The kernels read integer coordinates as a vector uint2 or uint4. */
size_t tsp_places_bytes(const struct tsp_form *form)
{
    if (needs_fp64(form))
        return form->dim * sizeof(double);
    return (form->dim == 3 ? 4 : 2) * sizeof(uint32_t);
}

void tsp_places_fill(const struct tsp_problem *problem, void *numbers)
{
    const struct tsp_form *form = &problem->form;
    const unsigned dim = form->dim, stride = dim == 3 ? 4 : 2;
    /* The additional city of a path has coordinates 0, which no distance depends on. */
    memset(numbers, 0, form->n * tsp_places_bytes(form));
    if (needs_fp64(form)) {
        memcpy(numbers, form->places, (size_t)problem->n * dim * sizeof(double));
        return;
    }
    uint32_t *whole = numbers;
    for (size_t i = 0; i < problem->n; i++)
        for (unsigned d = 0; d < dim; d++)
            whole[i * stride + d] = (uint32_t)(form->places[i * dim + d] - form->origin[d]);
}

static enum shoal_status upload(const struct tsp_problem *problem, struct tsp_places *places,
                                struct shoal_error *error)
{
    const struct tsp_form *form = &problem->form;
    struct shoal_queue *queue = places->arrays.queue;
    enum shoal_status status = SHOAL_OK;
    if (form->fixed)
        status = shoal_buffer_write(queue, places->fixed, 0, form->fixed,
                                    2 * (size_t)form->n * sizeof *form->fixed, error);
    if (status || form->rule == RULE_MATRIX)
        return status ? status
                      : shoal_buffer_write(queue, places->numbers, 0, problem->matrix,
                                           (size_t)problem->n * problem->n * sizeof *problem->matrix, error);
    const size_t bytes = form->n * tsp_places_bytes(form);
    void *numbers = malloc(bytes);
    if (!numbers)
        return fail_host_memory(error);
    tsp_places_fill(problem, numbers);
    status = shoal_buffer_write(queue, places->numbers, 0, numbers, bytes, error);
    free(numbers);
    return status;
}

enum shoal_status tsp_places_check(const struct tsp_problem *problem, struct shoal_device *device,
                                   struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    if (!needs_fp64(&problem->form) || info->fp64)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "%s (%s) has no double precision, which distances by %s need%s: choose another device",
                info->id, info->name, tsp_metric_name(problem->metric),
                IS_ON_SPHERE(problem->form.rule) ? "" : " unless coordinates are whole numbers");
}

enum shoal_status tsp_places_create(const struct tsp_problem *problem, struct shoal_queue *queue,
                                    struct tsp_places *places, struct shoal_error *error)
{
    const struct tsp_form *form = &problem->form;
    const bool is_matrix = form->rule == RULE_MATRIX;
    const double worth_building_s = 0.1;
    *places = (struct tsp_places){.arrays.queue = queue,
                                  .cities = form->n,
                                  .sooner_from_s =
                                      is_plain_cpu(shoal_queue_device(queue)) ? INFINITY : worth_building_s};
    const struct array all[] = {
        {.pointer = &places->numbers,
         .count = is_matrix ? (double)problem->n * problem->n : (double)form->n,
         .element = is_matrix ? sizeof *problem->matrix : tsp_places_bytes(form)},
        {.pointer = &places->fixed, .count = form->fixed ? form->n : 1, .element = 2 * sizeof(uint32_t)},
    };
    ARRAYS_SET(&places->arrays, all);
    char what[64];
    snprintf(what, sizeof what, "tsp: %lu cities", (unsigned long)problem->n);
    enum shoal_status status = tsp_places_check(problem, shoal_queue_device(queue), error);
    if (!status)
        status = arrays_check(&places->arrays, 0, what, "the problem is too large for the device", error);
    if (!status)
        status = arrays_create(&places->arrays, error);
    return status ? status : upload(problem, places, error);
}

enum shoal_status tsp_places_finish(const struct tsp_places *places, enum shoal_status status,
                                    struct shoal_error *error)
{
    struct shoal_error late;
    const enum shoal_status finished = shoal_queue_finish(places->arrays.queue, status ? &late : error);
    return status ? status : finished;
}

void tsp_places_destroy(struct tsp_places *places)
{
    arrays_destroy(&places->arrays);
    *places = (struct tsp_places){0};
}

bool tsp_is_sooner_on_device(const struct tsp_places *places, double host_s)
{
    return places && host_s >= places->sooner_from_s;
}

void tsp_places_defines(const struct tsp_problem *problem, struct defines *defines)
{
    const struct tsp_form *form = &problem->form;
    define_add(defines, "RULE", form->rule);
    define_add(defines, "DIM", form->dim);
    define_add(defines, "REAL", needs_fp64(form) ? 64 : 32);
    define_add(defines, "LARGE", form->is_large);
    define_add(defines, "HAS_FIXED", form->has_fixed);
    define_add(defines, "IS_PATH", form->is_path);
    define_add(defines, "IS_ASYMMETRIC", form->is_asymmetric);
    define_add(defines, "WIDE", form->is_wide);
}
