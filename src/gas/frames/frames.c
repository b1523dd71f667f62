/* Snapshots: frames that reach the host while the run continues. On the host a snapshot is a plain copy. */
#include "gas/frames/frames.h"
#include "base/error.h"
#include "base/params.h"

#include <stdlib.h>
#include <string.h>

struct shoal_gas_snapshot {
    const struct gas_common *owner;
    const struct gas_stepper *stepper;
    /* The gas as it was at the begin: the run changes the box, the field and the piston, but nothing to which
     * a pointer of the problem points. */
    struct gas_problem problem;
    struct shoal_gas_frame frame;
    struct shoal_gas_species species;
    double *position, *velocity;
    int32_t *image;
    struct gas_copy *copy; /* NULL: none was made */
    bool is_plain;         /* the device or the host has no room for a copy, or the run has no device */
    bool is_begun, is_copying;
};

static enum shoal_status create(struct shoal_solver *solver, struct shoal_gas_snapshot **out,
                                struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const size_t numbers = problem->n * problem->dim;
    const double bytes = common->stepper->host_bytes(solver) + gas_snapshot_bytes(problem);
    enum shoal_status status = gas_check_host(problem, bytes, error);
    if (status)
        return status;
    struct shoal_gas_snapshot *snapshot = *out = calloc(1, sizeof *snapshot);
    if (!snapshot)
        return fail_host_memory(error);
    snapshot->owner = common;
    snapshot->stepper = common->stepper;
    snapshot->is_plain = !common->stepper->begin_copy;
    snapshot->position = malloc(numbers * sizeof *snapshot->position);
    snapshot->velocity = malloc(numbers * sizeof *snapshot->velocity);
    snapshot->image = malloc(numbers * sizeof *snapshot->image);
    if (snapshot->position && snapshot->velocity && snapshot->image)
        return SHOAL_OK;
    shoal_gas_snapshot_destroy(out);
    return fail_host_memory(error);
}

enum shoal_status shoal_gas_snapshot_begin(struct shoal_solver *solver, struct shoal_gas_snapshot **pointer,
                                           struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, pointer, "snapshot", "shoal_gas_snapshot_begin", error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    if (*pointer && (*pointer)->owner != common)
        return fail(error, SHOAL_INVALID, "shoal_gas_snapshot_begin: the snapshot belongs to another solver");
    if (!*pointer)
        status = create(solver, pointer, error);
    if (status)
        return status;
    struct shoal_gas_snapshot *snapshot = *pointer;
    const struct gas_stepper *stepper = snapshot->stepper;
    snapshot->is_begun = false;
    if (!snapshot->is_plain)
        status = stepper->begin_copy(solver, &snapshot->copy, error);
    /* A driver may allocate a buffer only when it is first written, and the host lack pinned memory alone. */
    if (status == SHOAL_OUT_OF_DEVICE_MEMORY || status == SHOAL_OUT_OF_HOST_MEMORY) {
        if (snapshot->copy)
            stepper->destroy_copy(&snapshot->copy);
        snapshot->is_plain = true;
        status = SHOAL_OK;
    }
    if (!status && snapshot->is_plain)
        status = stepper->get_state(solver, snapshot->position, snapshot->velocity, snapshot->image, error);
    if (status)
        return status;
    snapshot->is_begun = true;
    snapshot->is_copying = !snapshot->is_plain;
    snapshot->problem = *common->problem;
    gas_frame_describe(common, &snapshot->species, &snapshot->frame);
    snapshot->frame.position = snapshot->position;
    snapshot->frame.velocity = snapshot->velocity;
    snapshot->frame.image = snapshot->image;
    return SHOAL_OK;
}

enum shoal_status shoal_gas_snapshot_end(struct shoal_gas_snapshot *snapshot, struct shoal_gas_frame *frame,
                                         struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!NEED(error, snapshot, frame))
        return SHOAL_INVALID;
    if (!snapshot->is_begun)
        return fail(error, SHOAL_INVALID, "shoal_gas_snapshot_end: the snapshot was not begun");
    if (snapshot->is_copying)
        status = snapshot->stepper->end_copy(snapshot->copy, &snapshot->problem, snapshot->position,
                                             snapshot->velocity, snapshot->image, error);
    snapshot->is_begun = snapshot->is_copying = false;
    if (status)
        return status;
    *frame = snapshot->frame;
    gas_frame_reach(&snapshot->problem, frame);
    return SHOAL_OK;
}

void shoal_gas_snapshot_destroy(struct shoal_gas_snapshot **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_gas_snapshot *snapshot = *pointer;
    *pointer = NULL;
    if (snapshot->copy)
        snapshot->stepper->destroy_copy(&snapshot->copy);
    free(snapshot->position);
    free(snapshot->velocity);
    free(snapshot->image);
    free(snapshot);
}
