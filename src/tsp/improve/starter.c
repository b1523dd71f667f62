/* Public functions for first tours on a device: candidate lists and a greedy tour from them. */
#include "base/error.h"
#include "base/params.h"
#include "tsp/device/neighbours.h"
#include "tsp/improve/greedy_device.h"

#include <stdlib.h>

struct shoal_tsp_starter {
    const struct tsp_problem *problem;
    struct tsp_places places;
    struct programs programs;
    struct tsp_lister lister; /* unused if the caller has given lists */
    struct tsp_greedy_device greedy;
    struct arrays arrays;
    struct shoal_buffer *lists;
    uint32_t *tour; /* [form.n]: tour of the form */
    bool has_tour;
};

/* Creates what makes the lists. The caller's lists are uploaded here, once. */
static enum shoal_status create_lists(struct shoal_tsp_starter *starter, uint32_t neighbours,
                                      struct shoal_error *error)
{
    const struct tsp_problem *problem = starter->problem;
    const double words = (double)problem->form.n * neighbours;
    const struct array all[] = {{&starter->lists, words, sizeof(uint32_t)}};
    starter->arrays.queue = starter->places.arrays.queue;
    ARRAYS_SET(&starter->arrays, all);
    enum shoal_status status =
        arrays_check(&starter->arrays, arrays_bytes(&starter->places.arrays), "tsp: candidate lists",
                     "the problem is too large for the device", error);
    if (!status)
        status = arrays_create(&starter->arrays, error);
    if (status)
        return status;
    return problem->given ? tsp_candidates_on_device(problem, &starter->places, &starter->programs,
                                                     neighbours, TSP_NEAREST, starter->lists, error)
                          : tsp_lister_create(problem, &starter->places, &starter->programs, neighbours,
                                              TSP_NEAREST, &starter->lister, error);
}

static enum shoal_status create(struct shoal_tsp_starter *starter, uint32_t neighbours,
                                struct shoal_queue *queue, struct shoal_error *error)
{
    const struct tsp_problem *problem = starter->problem;
    const size_t n = problem->form.n;
    enum shoal_status status = tsp_check_list_count(neighbours, error);
    if (!status)
        status = tsp_places_create(problem, queue, &starter->places, error);
    if (!status)
        status = create_lists(starter, neighbours, error);
    if (!status)
        status = tsp_greedy_device_create(problem, &starter->places, neighbours, &starter->programs,
                                          &starter->greedy, error);
    starter->tour = malloc(n * sizeof *starter->tour);
    return status || starter->tour ? status : fail_host_memory(error);
}

enum shoal_status shoal_tsp_starter_create(const struct shoal_tsp_problem *problem, uint32_t neighbours,
                                           struct shoal_queue *queue, enum shoal_variant variant,
                                           struct shoal_tsp_starter **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, queue, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_tsp_starter *starter = calloc(1, sizeof *starter);
    if (!starter)
        return fail_host_memory(error);
    starter->problem = tsp_private(problem);
    starter->programs = (struct programs){.device = shoal_queue_device(queue), .variant = variant};
    const enum shoal_status status = create(starter, neighbours, queue, error);
    if (status)
        shoal_tsp_starter_destroy(&starter);
    *out = starter;
    return status;
}

void shoal_tsp_starter_destroy(struct shoal_tsp_starter **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_tsp_starter *starter = *pointer;
    arrays_destroy(&starter->arrays);
    tsp_greedy_device_destroy(&starter->greedy);
    tsp_lister_destroy(&starter->lister);
    tsp_places_destroy(&starter->places);
    programs_destroy(&starter->programs);
    free(starter->tour);
    free(starter);
    *pointer = NULL;
}

enum shoal_status shoal_tsp_starter_run(struct shoal_tsp_starter *starter, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, starter))
        return SHOAL_INVALID;
    enum shoal_status status =
        starter->problem->given ? SHOAL_OK : tsp_lister_run(&starter->lister, starter->lists, error);
    if (!status)
        status = tsp_greedy_device_run(&starter->greedy, starter->lists, NULL, starter->tour, error);
    starter->has_tour = !status;
    return status;
}

enum shoal_status shoal_tsp_starter_get(struct shoal_tsp_starter *starter, uint32_t *tour,
                                        struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, starter, tour))
        return SHOAL_INVALID;
    if (!starter->has_tour)
        return fail(error, SHOAL_INVALID,
                    "shoal_tsp_starter_get: there is no tour: call "
                    "shoal_tsp_starter_run first");
    if (!tsp_form_leave(starter->problem, starter->tour, tour))
        return fail(error, SHOAL_UNSUPPORTED, "tsp: greedy edges lead to a tour with a forbidden edge");
    return SHOAL_OK;
}

const struct shoal_program *shoal_tsp_starter_program(const struct shoal_tsp_starter *starter)
{
    return starter ? starter->greedy.program : NULL;
}
