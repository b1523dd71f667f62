/* Sections about the problem in a checkpoint, and checks of the words that solvers use as indices. */
#include "base/error.h"
#include "de/model/problem.h"
#include "workload/checkpoint/checkpoint.h"

#include <string.h>

void de_save_state(const struct search_problem *search, struct checkpoint *checkpoint)
{
    const struct de_problem *problem = (const struct de_problem *)search;
    checkpoint_add(checkpoint, "schedule", &problem->schedule, sizeof problem->schedule);
    if (problem->level_steps)
        checkpoint_add(checkpoint, "level steps", &problem->level_steps, sizeof problem->level_steps);
}

/* Checks that the checkpoint has the schedule of this problem, which depends on the budget. */
static enum shoal_status match_schedule(const struct de_problem *problem, const struct checkpoint *checkpoint,
                                        struct shoal_error *error)
{
    const void *schedule;
    if (!checkpoint_find(checkpoint, "schedule"))
        return SHOAL_OK;
    enum shoal_status status =
        checkpoint_expect(checkpoint, "schedule", sizeof problem->schedule, &schedule, error);
    if (!status && memcmp(schedule, &problem->schedule, sizeof problem->schedule) != 0)
        status =
            fail(error, SHOAL_INVALID,
                 "the population of %s shrinks over another budget: give its --evaluations, --iterations "
                 "and --refine",
                 checkpoint->path);
    return status;
}

/* Checks that the checkpoint has the number of level steps of this problem, which depends on the budget. */
static enum shoal_status match_level(const struct de_problem *problem, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const void *data;
    uint32_t steps = 0;
    if (checkpoint_find(checkpoint, "level steps")) {
        const enum shoal_status status =
            checkpoint_expect(checkpoint, "level steps", sizeof steps, &data, error);
        if (status)
            return status;
        memcpy(&steps, data, sizeof steps);
    }
    return steps == problem->level_steps
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID,
                      "the level of violation in %s falls over another budget: give its --level, "
                      "--evaluations, --iterations and --refine",
                      checkpoint->path);
}

static enum shoal_status check_counts(const struct de_problem *problem, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    uint32_t counts[DE_COUNTS];
    const void *data;
    enum shoal_status status =
        checkpoint_expect(checkpoint, "counts", problem->search.islands * sizeof counts, &data, error);
    for (size_t k = 0; k < problem->search.islands && !status; k++) {
        memcpy(counts, (const char *)data + k * sizeof counts, sizeof counts);
        if (counts[COUNT_ARCHIVED] > problem->slots ||
            (counts[COUNT_CELL] && counts[COUNT_CELL] >= problem->free_cells))
            status = checkpoint_damaged(checkpoint, error);
    }
    return status;
}

enum shoal_status de_check_state(const struct search_problem *search, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    const struct de_problem *problem = (const struct de_problem *)search;
    enum shoal_status status = match_schedule(problem, checkpoint, error);
    if (!status)
        status = match_level(problem, checkpoint, error);
    return status ? status : check_counts(problem, checkpoint, error);
}
