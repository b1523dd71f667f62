/* Guests: islands of other shares whose champions and records a share of islands needs
 * (cl/search/exchange.clh). */
#include "base/error.h"
#include "search/device/device.h"

#include <stdlib.h>
#include <string.h>

/* Marks the islands from which the islands of this share receive after step `step`. Numbers of islands are
 * counted from the first island of the share's first run. */
static void mark_sources(const struct search_problem *problem, uint64_t step, bool *is_source)
{
    const struct search_links *links = &problem->links;
    const size_t islands = problem->run_islands;
    for (size_t k = problem->lead; k < problem->lead + problem->islands; k++) {
        const size_t own = k % islands, first = k - own;
        if (links->first)
            for (uint32_t n = links->first[own]; n < links->first[own + 1]; n++)
                is_source[first + links->source[n]] = true;
        else if (problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_RANDOM)
            is_source[first + search_random_source(problem->params->seed + k / islands, step, (uint32_t)own,
                                                   (uint32_t)islands)] = true;
        else
            memset(is_source + first, true, islands * sizeof *is_source);
    }
}

/* Lists the wanted islands of other shares, with the rows that receive them, which follow the rows of this
 * share's own islands. Returns the number of ranges in `guests`. is_wanted NULL: all islands are wanted;
 * these are at most two ranges. */
static size_t list_guests(const struct shoal_solver *solver, const bool *is_wanted,
                          struct solver_guest *guests)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const size_t rows = search_rows(problem);
    size_t count = 0;
    for (size_t row = problem->islands, more; row < rows; row += more) {
        const size_t number = (problem->lead + row) % rows;
        more = is_wanted ? 1 : rows - (number > row ? number : row);
        if (is_wanted && !is_wanted[number])
            continue;
        const uint64_t unit = solver->share.first - problem->lead + number;
        struct solver_guest *last = count ? &guests[count - 1] : NULL;
        if (last && last->unit + last->count == unit && last->row + last->count == row)
            last->count += more;
        else
            guests[count++] = (struct solver_guest){unit, row, more};
    }
    return count;
}

/* Copies rows of islands of other shares. step: only the islands that send to islands of this share after
 * step *step; NULL: all islands. */
static enum shoal_status fetch(struct shoal_solver *solver, const uint64_t *step,
                               const struct solver_table *tables, size_t count, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const size_t rows = search_rows(problem);
    bool *is_wanted = step ? calloc(rows, sizeof *is_wanted) : NULL;
    struct solver_guest *guests = malloc((step ? rows : 2) * sizeof *guests);
    enum shoal_status status = (is_wanted || !step) && guests ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        if (step)
            mark_sources(problem, *step, is_wanted);
        const struct solver_visit visit = {.tables = tables,
                                           .table_count = count,
                                           .guests = guests,
                                           .guest_count = list_guests(solver, is_wanted, guests)};
        status = solver->meet(solver->meet_data, &visit, error);
    }
    free(is_wanted);
    free(guests);
    return status;
}

enum shoal_status search_guests_records(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct solver_table tables[] = {{device->words, ISLAND_WORDS * sizeof(uint32_t)},
                                          {device->reals, ISLAND_REALS * device->real}};
    return search_shares_islands(solver) ? fetch(solver, NULL, tables, 2, error) : SHOAL_OK;
}

enum shoal_status search_guests_sources(struct shoal_solver *solver, uint64_t step,
                                        const struct solver_table *tables, size_t count,
                                        struct shoal_error *error)
{
    return search_shares_islands(solver) ? fetch(solver, &step, tables, count, error) : SHOAL_OK;
}

enum shoal_status search_guests_champions(struct shoal_solver *solver, uint64_t step,
                                          struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct solver_table tables[] = {{device->reals, ISLAND_REALS * device->real},
                                          {device->champion, device->numbers * device->number}};
    return search_guests_sources(solver, step, tables, 2, error);
}

/* Copies a table with one row for each island. The rows on a device begin with the islands of the share
 * (by_row), the rows of by_number are in the order of the islands. is_back: from by_number to by_row. */
static void turn(const struct search_problem *problem, char *by_row, char *by_number, size_t bytes,
                 bool is_back)
{
    const size_t rows = search_rows(problem);
    for (size_t row = 0; row < rows; row++) {
        char *in = by_row + row * bytes, *out = by_number + (problem->lead + row) % rows * bytes;
        memcpy(is_back ? in : out, is_back ? out : in, bytes);
    }
}

enum shoal_status search_guests_settle(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t rows = search_rows(problem), words = ISLAND_WORDS * sizeof(uint32_t),
                 reals = ISLAND_REALS * device->real;
    char *rowed = malloc(rows * (words > reals ? words : reals)), *records = malloc(rows * (words + reals));
    char *numbers = records ? records + rows * words : NULL;
    enum shoal_status status = rowed && records ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = search_guests_records(solver, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->reals, 0, rowed, rows * reals, error);
    if (!status)
        turn(problem, rowed, numbers, reals, false);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->words, 0, rowed, rows * words, error);
    if (!status) {
        turn(problem, rowed, records, words, false);
        search_settle_ends(device, device->steps, (uint32_t *)(void *)records, numbers);
        turn(problem, rowed, records, words, true);
        status = shoal_buffer_write(solver->queue, device->words, 0, rowed, problem->islands * words, error);
    }
    free(rowed);
    free(records);
    return status;
}
