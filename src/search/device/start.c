/* Start points of a search on a device. After step 0 they replace the first random members. */
#include "search/start.h"
#include "base/error.h"
#include "objective/objective.h"
#include "search/device/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sections of members and islands in the state, and memory for one start member as doubles and as a
 * genome. */
struct places {
    char *x, *p, *best; /* p NULL: the algorithm has no positions other than the members */
    char *words, *reals, *champion;
    double *member, *scratch;
    uint32_t *genome;
};

/* Converts a start member to the device's precision, to at->member. */
static void round_member(const struct search_device *device, const double *start, const struct places *at)
{
    const struct search_problem *problem = device->problem;
    if (problem->has_genome) {
        genes_to_words(&problem->genome, device->precision, start, 1, at->genome);
        genes_from_words(&problem->genome, device->precision, at->genome, 1, at->member);
        return;
    }
    for (size_t d = 0; d < problem->dim; d++)
        at->member[d] = device->precision == SHOAL_FP32 ? (double)(float)start[d] : start[d];
}

/* Replaces member i by a start member. As in step 0, a value that is not finite becomes +infinity and is
 * counted. */
static void place_member(const struct search_device *device, const struct places *at, size_t i,
                         const double *start)
{
    const struct search_problem *problem = device->problem;
    const double before = search_real_at(device, at->best, i);
    uint32_t not_finite;
    round_member(device, start, at);
    search_repair(problem, at->member, at->scratch);
    if (!problem->has_genome)
        round_member(device, at->member, at);
    const double value = search_value(problem, at->member, at->scratch);
    search_image_put_member(device, at->x, i, problem->total, at->member, at->genome);
    if (at->p)
        search_image_put_member(device, at->p, i, problem->total, at->member, at->genome);
    search_image_put_real(device, at->best, i, value);
    char *count = at->words + (i / problem->members * ISLAND_WORDS + ISLAND_NOT_FINITE) * sizeof not_finite;
    memcpy(&not_finite, count, sizeof not_finite);
    not_finite += (uint32_t)isinf(value) - (uint32_t)(isinf(before) && not_finite);
    memcpy(count, &not_finite, sizeof not_finite);
}

/* Finds the best member of an island, and sets the champion and the record as step 0 does. */
static void settle(const struct search_device *device, const struct places *at, size_t island)
{
    const struct search_problem *problem = device->problem;
    const size_t first = island * problem->members;
    uint32_t leader = 0;
    double least = search_real_at(device, at->best, first);
    for (uint32_t n = 1; n < problem->members; n++) {
        const double value = search_real_at(device, at->best, first + n);
        leader = value < least ? n : leader;
        least = fmin(least, value);
    }
    memcpy(at->words + (island * ISLAND_WORDS + ISLAND_GOAL_INDEX) * sizeof leader, &leader, sizeof leader);
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_GOAL, least);
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_MARK, least);
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_CHAMPION, least);
    for (size_t d = 0; d < device->numbers; d++)
        memcpy(at->champion + (island * device->numbers + d) * device->number,
               at->x + (d * problem->total + first + leader) * device->number, device->number);
}

static void place_all(const struct search_device *device, const struct places *at)
{
    const struct search_problem *problem = device->problem;
    for (size_t i = 0; i < problem->total; i++) {
        const double *start = search_start_of(problem, i);
        if (start)
            place_member(device, at, i, start);
    }
    for (size_t island = 0; island < problem->islands; island++)
        if (search_start_of(problem, island * problem->members))
            settle(device, at, island);
}

static enum shoal_status change(const struct search_device *device, const struct search_image *image,
                                const void *data, struct shoal_error *error)
{
    const struct search_problem *problem = device->problem;
    const size_t numbers = problem->total * device->numbers * device->number;
    struct places at = {.x = search_image_section(image, "x", numbers),
                        .p = search_image_section(image, "p", numbers),
                        .best = search_image_best(device, image),
                        .words = search_image_words(device, image),
                        .reals = search_image_reals(device, image),
                        .champion = search_image_champion(device, image),
                        .member = malloc(problem->dim * sizeof *at.member),
                        .scratch = malloc(problem->dim * sizeof *at.scratch),
                        .genome = malloc(device->numbers * sizeof *at.genome)};
    enum shoal_status status = at.member && at.scratch && at.genome ? SHOAL_OK : fail_host_memory(error);
    (void)data;
    if (!status && !(at.x && at.best && at.words && at.reals && at.champion))
        status = fail(error, SHOAL_FAILED, "%s keeps no members for start points", problem->algorithm->name);
    if (!status)
        place_all(device, &at);
    free(at.member);
    free(at.scratch);
    free(at.genome);
    return status;
}

enum shoal_status search_device_place_start(struct shoal_solver *solver, struct shoal_error *error)
{
    return search_device_change(solver, change, NULL, error);
}
