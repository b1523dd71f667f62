/* Points that islands on a device receive between two steps. */
#include "base/error.h"
#include "search/device/image.h"

#include <stdlib.h>
#include <string.h>

/* Sections of the state: see search_image_section. genome: scratch, [device->numbers]. */
struct places {
    char *members, *best, *words, *reals, *champion;
    uint32_t *genome;
};

static uint32_t word_at(const struct places *at, size_t island, size_t word)
{
    uint32_t value;
    memcpy(&value, at->words + (island * ISLAND_WORDS + word) * sizeof value, sizeof value);
    return value;
}

static void put_word(const struct places *at, size_t island, size_t word, uint32_t value)
{
    memcpy(at->words + (island * ISLAND_WORDS + word) * sizeof value, &value, sizeof value);
}

static void count_moves(const struct places *at, size_t island, uint64_t more)
{
    const uint64_t moves =
        ((uint64_t)word_at(at, island, ISLAND_MOVES_HIGH) << 32 | word_at(at, island, ISLAND_MOVES)) + more;
    put_word(at, island, ISLAND_MOVES, (uint32_t)moves);
    put_word(at, island, ISLAND_MOVES_HIGH, (uint32_t)(moves >> 32));
}

/* Makes `value` the champion's value. If it is less than the mark by more than the tolerance, it also becomes
 * the mark, and stagnation begins anew. */
static void count_improvement(const struct search_device *device, const struct places *at, size_t island,
                              double value)
{
    const double mark = search_real_at(device, at->reals, island * ISLAND_REALS + ISLAND_MARK);
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_CHAMPION, value);
    if (!search_has_fallen(value, mark, device->problem->params->stagnation_tolerance))
        return;
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_MARK, value);
    put_word(at, island, ISLAND_STAGNANT, 0);
}

/* Replaces the worst member of the island by the point, as an exchange does. is_own: the search has found the
 * point itself, which also becomes the champion. */
static void place(const struct search_device *device, const struct places *at, size_t island, double value,
                  const double *point, bool is_own)
{
    const struct search_problem *problem = device->problem;
    const size_t first = island * problem->members;
    uint32_t worst = 0;
    for (uint32_t i = 1; i < problem->members; i++)
        if (search_real_at(device, at->best, first + i) >= search_real_at(device, at->best, first + worst))
            worst = i;
    search_image_put_member(device, at->members, first + worst, problem->total, point, at->genome);
    if (is_own)
        search_image_put_member(device, at->champion, island * device->numbers, 1, point, at->genome);
    search_image_put_real(device, at->best, first + worst, value);
    search_image_put_real(device, at->reals, island * ISLAND_REALS + ISLAND_GOAL, value);
    if (is_own)
        count_improvement(device, at, island, value);
    put_word(at, island, ISLAND_GOAL_INDEX, worst);
}

static enum shoal_status change(const struct search_device *device, const struct search_image *image,
                                const void *data, struct shoal_error *error)
{
    const struct search_offer *offer = data;
    const struct search_problem *problem = device->problem;
    const size_t bytes = problem->total * device->numbers * device->number;
    const struct places at = {.members = search_image_section(image, device->ops->members, bytes),
                              .best = search_image_best(device, image),
                              .words = search_image_words(device, image),
                              .reals = search_image_reals(device, image),
                              .champion = search_image_champion(device, image),
                              .genome = malloc(device->numbers * sizeof *at.genome)};
    enum shoal_status status = at.genome ? SHOAL_OK : fail_host_memory(error);
    if (!status && !(at.members && at.best && at.words && at.reals && at.champion))
        status = fail(error, SHOAL_FAILED, "%s keeps no members that points could replace",
                      problem->algorithm->name);
    for (size_t k = 0; k < problem->islands && !status; k++) {
        const double *point = offer->points + k * problem->dim;
        const double value = offer->values[k],
                     goal = search_real_at(device, at.reals, k * ISLAND_REALS + ISLAND_GOAL),
                     own = search_real_at(device, at.reals, k * ISLAND_REALS + ISLAND_CHAMPION);
        if (offer->moves)
            count_moves(&at, k, offer->moves[k]);
        if (word_at(&at, k, ISLAND_ENDED) || !(value < own && value < goal))
            continue;
        place(device, &at, k, value, point, offer->moves);
        if (device->ops->guide)
            status = device->ops->guide(device, image, k, point, error);
    }
    free(at.genome);
    return status;
}

enum shoal_status search_device_offer(struct shoal_solver *solver, const struct search_offer *offer,
                                      struct shoal_error *error)
{
    return search_device_change(solver, change, offer, error);
}
