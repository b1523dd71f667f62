/* Public functions for lower bounds, on the host and on devices. */
#include "base/error.h"
#include "base/params.h"
#include "tsp/bound/device.h"

#include <shoal/tsp_bound.h>

#include <stdlib.h>

enum shoal_status shoal_tsp_bound(const struct shoal_tsp_problem *problem, int64_t *bound,
                                  struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, bound))
        return SHOAL_INVALID;
    return tsp_bound(tsp_private(problem), &(struct tsp_listing){0}, NULL, bound, error);
}

struct shoal_tsp_bounder {
    const struct tsp_problem *problem;
    struct tsp_places places;
    struct programs programs;
    struct tsp_bound_device device;
    int64_t bound;
    bool has_bound;
};

enum shoal_status shoal_tsp_bounder_create(const struct shoal_tsp_problem *problem, struct shoal_queue *queue,
                                           enum shoal_variant variant, struct shoal_tsp_bounder **out,
                                           struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, queue, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_tsp_bounder *bounder = calloc(1, sizeof *bounder);
    if (!bounder)
        return fail_host_memory(error);
    bounder->problem = tsp_private(problem);
    bounder->programs = (struct programs){.device = shoal_queue_device(queue), .variant = variant};
    enum shoal_status status = tsp_places_create(bounder->problem, queue, &bounder->places, error);
    if (!status)
        status = tsp_bound_device_create(&bounder->places, &bounder->programs, &bounder->device, error);
    if (status)
        shoal_tsp_bounder_destroy(&bounder);
    *out = bounder;
    return status;
}

void shoal_tsp_bounder_destroy(struct shoal_tsp_bounder **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_tsp_bounder *bounder = *pointer;
    tsp_places_destroy(&bounder->places);
    programs_destroy(&bounder->programs);
    free(bounder);
    *pointer = NULL;
}

enum shoal_status shoal_tsp_bounder_run(struct shoal_tsp_bounder *bounder, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, bounder))
        return SHOAL_INVALID;
    const enum shoal_status status =
        tsp_bound(bounder->problem, &(struct tsp_listing){0}, &bounder->device, &bounder->bound, error);
    bounder->has_bound = !status;
    return status;
}

enum shoal_status shoal_tsp_bounder_get(const struct shoal_tsp_bounder *bounder, int64_t *bound,
                                        struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, bounder, bound))
        return SHOAL_INVALID;
    if (!bounder->has_bound)
        return fail(error, SHOAL_INVALID,
                    "shoal_tsp_bounder_get: there is no bound: call shoal_tsp_bounder_run first");
    *bound = bounder->bound;
    return SHOAL_OK;
}

const struct shoal_program *shoal_tsp_bounder_program(const struct shoal_tsp_bounder *bounder)
{
    return bounder ? bounder->device.program : NULL;
}
