/* Public functions for candidate lists on a device. */
#include "base/error.h"
#include "base/params.h"
#include "tsp/device/neighbours.h"

#include <stdlib.h>

struct shoal_tsp_lister {
    struct tsp_problem plain; /* the problem as a symmetric closed tour without fixed edges */
    uint32_t count;
    struct tsp_places places;
    struct programs programs;
    struct tsp_lister lister;
    struct shoal_buffer *lists;
};

static size_t list_bytes(const struct shoal_tsp_lister *lister)
{
    return (size_t)lister->plain.n * lister->count * sizeof(uint32_t);
}

enum shoal_status shoal_tsp_lister_create(const struct shoal_tsp_problem *problem, uint32_t count,
                                          struct shoal_queue *queue, enum shoal_variant variant,
                                          struct shoal_tsp_lister **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, queue, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_tsp_lister *lister = calloc(1, sizeof *lister);
    if (!lister)
        return fail_host_memory(error);
    lister->plain = tsp_plain(tsp_private(problem));
    lister->count = count;
    lister->programs = (struct programs){.device = shoal_queue_device(queue), .variant = variant};
    enum shoal_status status = tsp_places_create(&lister->plain, queue, &lister->places, error);
    if (!status)
        status = tsp_lister_create(&lister->plain, &lister->places, &lister->programs, count, TSP_NEAREST,
                                   &lister->lister, error);
    if (!status)
        status = shoal_buffer_create(shoal_queue_device(queue), list_bytes(lister), &lister->lists, error);
    if (status)
        shoal_tsp_lister_destroy(&lister);
    *out = lister;
    return status;
}

void shoal_tsp_lister_destroy(struct shoal_tsp_lister **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_tsp_lister *lister = *pointer;
    shoal_buffer_destroy(&lister->lists);
    tsp_lister_destroy(&lister->lister);
    tsp_places_destroy(&lister->places);
    programs_destroy(&lister->programs);
    free(lister);
    *pointer = NULL;
}

enum shoal_status shoal_tsp_lister_run(struct shoal_tsp_lister *lister, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, lister))
        return SHOAL_INVALID;
    return tsp_lister_run(&lister->lister, lister->lists, error);
}

enum shoal_status shoal_tsp_lister_get(struct shoal_tsp_lister *lister, uint32_t *lists,
                                       struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, lister, lists))
        return SHOAL_INVALID;
    return shoal_buffer_read(lister->places.arrays.queue, lister->lists, 0, lists, list_bytes(lister), error);
}

const struct shoal_program *shoal_tsp_lister_program(const struct shoal_tsp_lister *lister)
{
    return lister ? lister->lister.program : NULL;
}
