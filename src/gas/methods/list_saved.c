/* Neighbour lists in checkpoints, which hold the positions from which the lists were built. */
#include "base/error.h"
#include "gas/device/observe.h"
#include "gas/domains/domains.h"
#include "gas/methods/list.h"
#include "gas/observe/saved.h"

static const char reference_name[] = "list.reference";

enum shoal_status gas_list_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_list *list = solver->method.state;
    void *reference;
    enum shoal_status status = arrays_read(&list->neighbours->sort->arrays, "reference", &reference, error);
    if (status)
        return status;
    checkpoint_add(checkpoint, "list", &list->state, sizeof list->state);
    checkpoint_add_copy(checkpoint, reference_name, reference, device->problem.n * device->position_bytes);
    return SHOAL_OK;
}

/* Rebuilds the list at the reference positions, from which the list in the checkpoint was built. If this kind
 * of device has written the checkpoint, the particles are already in the order of the sort, which then does
 * not change it. */
static enum shoal_status build_again(struct shoal_solver *solver, struct gas_list *list,
                                     const void *reference, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct gas_sort *sort = list->neighbours->sort;
    struct shoal_buffer *position = device->position;
    const size_t bytes = device->problem.n * device->position_bytes;
    struct gas_arrays from = gas_arrays_of(device);
    uint32_t words[GAS_WORDS], built[GAS_WORDS] = {[WORD_OVERFLOW] = 1};
    from.position = NULL;
    enum shoal_status status =
        shoal_buffer_create(solver->device, device->padded * device->position_bytes, &from.position, error);
    if (!status)
        status = gas_read_words(solver, words, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, from.position, 0, reference, bytes, error);
    if (!status)
        status = gas_neighbours_build(solver, list->neighbours, &from, false, NULL, error);
    for (unsigned k = 0; k < GAS_LIST_REPLACEMENTS && !status && built[WORD_OVERFLOW]; k++) {
        status = gas_read_words(solver, built, error);
        if (!status && built[WORD_OVERFLOW])
            status = gas_list_replace(solver, list, &from, built[WORD_OVERFLOW], error);
    }
    if (!status)
        status = shoal_buffer_write(solver->queue, device->words, 0, words, sizeof words, error);
    if (!status)
        status = shoal_queue_finish(solver->queue, error);
    shoal_buffer_destroy(&from.position);
    if (status)
        return status;
    /* The sort has sorted reference positions, so its array of positions is not taken. */
    gas_sort_take(device, sort);
    list->has_forces = list->has_energies = false;
    gas_observe_forget(solver);
    sort->position = device->position;
    device->position = position;
    list->steps = 0;
    list->rebuilds = list->rebuilds_before = words[WORD_REBUILDS];
    list->violations = words[WORD_VIOLATIONS];
    return gas_domains_find_halo(solver, error);
}

/* Checks that `state` is valid, and that the words of the device in the checkpoint agree with it: the number
 * of steps, the age of the list, and whether steps wait for a new list. */
static enum shoal_status check_state(const struct gas_device *device, const struct list_state *state,
                                     const struct checkpoint *checkpoint, struct shoal_error *error)
{
    uint32_t words[GAS_WORDS];
    enum shoal_status status = checkpoint_get(checkpoint, "words", words, sizeof words, error);
    if (status || (state->interval > 0 && state->interval <= GAS_LIST_LONGEST_INTERVAL &&
                   state->age <= state->interval && state->is_invalid <= 1 && words[WORD_OVERFLOW] == 0 &&
                   (words[WORD_FROZEN] == 0 || state->is_invalid) && words[WORD_AGE] == state->age &&
                   words[WORD_STEP] == (uint32_t)device->common.clock.steps_done))
        return status;
    return fail(error, SHOAL_IO, "%s: section list is not the state of a neighbour list", checkpoint->path);
}

enum shoal_status gas_list_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_list *list = solver->method.state;
    const void *reference = NULL;
    struct list_state state;
    enum shoal_status status = checkpoint_get(checkpoint, "list", &state, sizeof state, error);
    if (!status)
        status = checkpoint_expect(checkpoint, reference_name, device->problem.n * device->position_bytes,
                                   &reference, error);
    if (!status)
        status = gas_check_positions(&device->problem, checkpoint, reference_name, GAS_OF_DEVICE, error);
    if (!status)
        status = check_state(device, &state, checkpoint, error);
    if (!status)
        status = build_again(solver, list, reference, error);
    if (!status)
        status = shoal_buffer_fill(solver->queue, device->words, WORD_STOP * sizeof(uint32_t),
                                   2 * sizeof(uint32_t), 0, error);
    list->state = state;
    return status;
}
