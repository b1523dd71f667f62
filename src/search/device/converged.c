/* Ends runs whose members are all near the best: docs/search.md, "What ends a run". */
#include "base/error.h"
#include "search/device/device.h"

#include <stdlib.h>
#include <string.h>

/* Count of numbers read in one transfer. In a large island, already the first window usually shows that some
 * members are far from the best. */
enum { WINDOW = 1 << 16 };

/* Numbers `first` .. `end` - 1 of a buffer, copied to host memory. When a number outside of the window is
 * needed, another part of the buffer is read. */
struct window {
    struct shoal_buffer *buffer;
    void *numbers;
    size_t first, end;
};

/* Runs in which all members seen so far are near the best member. champion: champions of all islands. */
struct candidates {
    size_t members; /* number of members that an island has at this step, without lost members */
    bool *run;
    size_t count;
    void *champion;
};

/* A solver and the number of its first island among the islands of all runs. */
struct holder {
    struct shoal_solver *solver;
    size_t first;
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

/* Removes the runs with a member in tile `tile` that is too far from the best in dimension d. */
static enum shoal_status strike_far(const struct holder *holder, struct window *window, size_t tile, size_t d,
                                    struct candidates *left, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(holder->solver);
    const struct search_problem *problem = device->problem;
    const size_t length = holder->solver->method.tile;
    const struct search_range own = search_own_members(holder->solver);
    const size_t last = own.first + own.count, end = (tile + 1) * length < last ? (tile + 1) * length : last;
    for (size_t i = tile * length; i < end && left->count;) {
        if (i % problem->members >= left->members) { /* the member is lost */
            i++;
            continue;
        }
        const size_t island = holder->first + i / problem->members, run = island / problem->run_islands;
        double x;
        if (!left->run[run]) {
            i = ((run + 1) * problem->run_islands - holder->first) * problem->members;
            continue;
        }
        enum shoal_status status =
            read_number(holder->solver, window,
                        (tile * search_stride(holder->solver) + d) * length + i % length, &x, error);
        if (status)
            return status;
        if (!search_is_near(problem, d, x,
                            search_real_at(device, left->champion, island * problem->dim + d))) {
            left->run[run] = false;
            left->count--;
        }
        i++;
    }
    return SHOAL_OK;
}

/* Removes the runs with a member that is too far from the best. */
static enum shoal_status find(const struct holder *holder, struct candidates *left, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(holder->solver);
    struct window window = {.buffer = members_of(device), .numbers = malloc(WINDOW * device->real)};
    enum shoal_status status = window.numbers ? SHOAL_OK : fail_host_memory(error);
    const size_t first = device->own.first_tile, end = first + device->own.tiles;
    for (size_t tile = first; tile < end && left->count && !status; tile++)
        for (size_t d = 0; d < device->problem->dim && left->count && !status; d++)
            status = strike_far(holder, &window, tile, d, left, error);
    free(window.numbers);
    return status;
}

/* Marks the runs in `found` as ended, in the records of all islands. Ends the search if every run has
 * ended. */
static void end_runs(struct search_device *device, const struct candidates *found, uint32_t *words)
{
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
}

/* Reads the records and the champions of all islands. Every run that has not ended is a candidate. */
static enum shoal_status begin(struct shoal_solver *solver, struct candidates *left, void **words,
                               struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    enum shoal_status status = search_device_collect_all(solver, error);
    if (!status)
        status = search_device_read_all(solver, "words", words, error);
    if (!status)
        status = search_device_read_all(solver, "champion", &left->champion, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        left->run[run] =
            !((const uint32_t *)*words)[run * problem->run_islands * ISLAND_WORDS + ISLAND_ENDED];
        left->count += left->run[run];
    }
    return status;
}

/* Writes the records of all islands to each solver that holds some of them. */
static enum shoal_status write_words(struct shoal_solver *solver, const uint32_t *words,
                                     struct shoal_error *error)
{
    const struct solver_list list = solver_holders(&solver);
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < list.count && !status; k++) {
        const struct search_device *held = search_device_of(list.solvers[k]);
        const size_t count = held->problem->islands * ISLAND_WORDS;
        status =
            shoal_buffer_write(list.solvers[k]->queue, held->words, 0, words, count * sizeof *words, error);
        words += search_has_all_records(list.solvers[k]) ? 0 : count;
    }
    return status;
}

enum shoal_status search_device_look_for_spread(struct shoal_solver *solver, uint64_t step,
                                                struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const struct solver_list holders = search_member_holders(&solver);
    if (device->ended || !search_looks_for_spread(problem, step))
        return SHOAL_OK;
    void *words = NULL;
    struct candidates left = {.members = search_members_after(problem, step),
                              .run = calloc(problem->runs, sizeof *left.run)};
    enum shoal_status status = left.run ? begin(solver, &left, &words, error) : fail_host_memory(error);
    struct holder holder = {.first = 0};
    for (size_t k = 0; k < holders.count && !status; k++) {
        holder.solver = holders.solvers[k];
        status = find(&holder, &left, error);
        holder.first +=
            search_has_all_records(holder.solver) ? 0 : search_device_of(holder.solver)->problem->islands;
    }
    if (!status)
        end_runs(device, &left, words);
    if (left.count && !status)
        status = write_words(solver, words, error);
    free(left.run);
    free(left.champion);
    free(words);
    return status;
}
