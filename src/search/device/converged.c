/* Ends runs whose members have come together: docs/search.md, "What ends a run". */
#include "base/error.h"
#include "search/device/device.h"

#include <stdlib.h>
#include <string.h>

/* Numbers read in one transfer. In a large island the first window mostly shows that members are apart. */
enum { WINDOW = 1 << 16 };

/* The part of a buffer that is in host memory; another part is read when the search needs it. */
struct window {
    struct shoal_buffer *buffer;
    void *numbers;
    size_t first, end;
};

/* Runs that may have come together: no member far from the best was found so far. */
struct candidates {
    bool *run;
    size_t count;
};

static struct shoal_buffer *members_of(const struct search_device *device)
{
    const struct arrays *own = &device->own;
    size_t i = 0;
    while (!own->list[i].name || strcmp(own->list[i].name, device->ops->members) != 0)
        i++;
    return *(struct shoal_buffer **)own->list[i].pointer;
}

static enum shoal_status read_number(struct shoal_solver *solver, struct window *window, size_t place,
                                     double *number, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const size_t all = shoal_buffer_size(window->buffer) / device->real;
    enum shoal_status status = SHOAL_OK;
    if (place < window->first || place >= window->end) {
        window->first = place;
        window->end = all - place < WINDOW ? all : place + WINDOW;
        status = shoal_buffer_read(solver->queue, window->buffer, place * device->real, window->numbers,
                                   (window->end - place) * device->real, error);
    }
    if (!status)
        *number = search_real_at(device, window->numbers, place - window->first);
    return status;
}

/* Removes the candidates that have a member of this tile too far from the best in dimension d. */
static enum shoal_status strike_far(struct shoal_solver *solver, struct window *window, size_t tile, size_t d,
                                    const void *champion, struct candidates *left, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t length = solver->method.tile, run_members = problem->members * problem->run_islands;
    const size_t end = (tile + 1) * length < problem->total ? (tile + 1) * length : problem->total;
    for (size_t i = tile * length; i < end && left->count;) {
        const size_t run = i / run_members, island = i / problem->members;
        double x;
        if (!left->run[run]) {
            i = (run + 1) * run_members;
            continue;
        }
        enum shoal_status status =
            read_number(solver, window, (tile * search_stride(solver) + d) * length + i % length, &x, error);
        if (status)
            return status;
        if (!search_is_near(problem, d, x, search_real_at(device, champion, island * problem->dim + d))) {
            left->run[run] = false;
            left->count--;
        }
        i++;
    }
    return SHOAL_OK;
}

/* Removes the candidates that have a member far from the best. */
static enum shoal_status find(struct shoal_solver *solver, const void *champion, struct candidates *left,
                              struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    struct window window = {.buffer = members_of(device), .numbers = malloc(WINDOW * device->real)};
    enum shoal_status status = window.numbers ? SHOAL_OK : fail_host_memory(error);
    for (size_t tile = 0; tile < search_tiles(solver) && left->count && !status; tile++)
        for (size_t d = 0; d < device->problem->dim && left->count && !status; d++)
            status = strike_far(solver, &window, tile, d, champion, left, error);
    free(window.numbers);
    return status;
}

/* Ends the found runs; ends the search where no other run is left. */
static enum shoal_status end_runs(struct shoal_solver *solver, const struct candidates *found,
                                  uint32_t *words, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    bool all = true;
    for (size_t run = 0; run < problem->runs; run++) {
        uint32_t *own = words + run * problem->run_islands * ISLAND_WORDS;
        device->converged[run] = device->converged[run] || found->run[run];
        for (size_t k = 0; k < problem->run_islands && found->run[run]; k++)
            own[k * ISLAND_WORDS + ISLAND_ENDED] = SEARCH_CONVERGED;
        all = all && own[ISLAND_ENDED];
    }
    device->ended = device->ended || all;
    if (!found->count)
        return SHOAL_OK;
    return shoal_buffer_write(solver->queue, device->words, 0, words,
                              problem->islands * ISLAND_WORDS * sizeof *words, error);
}

enum shoal_status search_device_look_for_spread(struct shoal_solver *solver, uint64_t step,
                                                struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    if (device->ended || !search_looks_for_spread(problem, step))
        return SHOAL_OK;
    void *words = NULL, *champion = NULL;
    struct candidates left = {.run = calloc(problem->runs, sizeof *left.run)};
    enum shoal_status status = left.run ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = search_device_collect(solver, error);
    if (!status)
        status = arrays_read(&device->arrays, "words", &words, error);
    if (!status)
        status = arrays_read(&device->arrays, "champion", &champion, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        const uint32_t *own = (const uint32_t *)words + run * problem->run_islands * ISLAND_WORDS;
        left.run[run] = !own[ISLAND_ENDED];
        left.count += left.run[run];
    }
    if (!status)
        status = find(solver, champion, &left, error);
    if (!status)
        status = end_runs(solver, &left, words, error);
    free(left.run);
    free(words);
    free(champion);
    return status;
}
