/* Saves and restores an optimiser on the host. */
#include "base/error.h"
#include "base/params.h"
#include "search/optimiser/optimise.h"
#include "search/options/options.h"

#include <stdlib.h>
#include <string.h>

static enum shoal_status damaged(const struct checkpoint *checkpoint, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s is not the state of an optimiser, or is damaged", checkpoint->path);
}

/* Returns the bytes of the start points in a saved state. After the first draw the start points are not
 * needed any more. */
static size_t start_bytes(const struct shoal_optimiser *optimiser)
{
    const struct search_host *host = optimiser_host(optimiser);
    return host->drawn ? 0 : host->problem->start_count * host->problem->dim * sizeof *host->problem->start;
}

/* A value that was told one by one, in a saved state. */
struct saved_value {
    uint64_t index;
    double value;
};

/* If values were told one by one, adds a section with them, in the order of their points. */
static enum shoal_status fill_told(const struct optimiser_told *told, struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    if (!told->count)
        return SHOAL_OK;
    struct saved_value *saved = malloc(told->count * sizeof *saved);
    if (!saved)
        return fail_host_memory(error);
    for (size_t i = 0, n = 0; n < told->count; i++)
        if (told->is_told[i])
            saved[n++] = (struct saved_value){i, told->values[i]};
    checkpoint_add_copy(checkpoint, "told", saved, told->count * sizeof *saved);
    return SHOAL_OK;
}

static enum shoal_status fill(struct shoal_optimiser *optimiser, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct search_host *host = optimiser_host(optimiser);
    const struct search_problem *problem = host->problem;
    const size_t bytes = host->polish ? search_polish_bytes(host->polish) : 0;
    void *polish = malloc(bytes ? bytes : 1);
    if (!polish)
        return fail_host_memory(error);
    if (bytes)
        search_polish_get(host->polish, polish);
    checkpoint_add_copy(checkpoint, "polished", polish, bytes);
    if (bytes && optimiser->used->polish_rule != SHOAL_POLISH_PATTERN)
        checkpoint_add(checkpoint, "polish rule", &optimiser->used->polish_rule,
                       sizeof optimiser->used->polish_rule);
    optimiser->place.drawn = host->drawn;
    checkpoint_add(checkpoint, "place", &optimiser->place, sizeof optimiser->place);
    if (optimiser->place.asked && optimiser->ahead.steps > 1)
        checkpoint_add(checkpoint, "steps asked", &optimiser->ahead.steps, sizeof optimiser->ahead.steps);
    checkpoint_add(checkpoint, "outside", host->outside, problem->islands * problem->width);
    checkpoint_add(checkpoint, "start", problem->start, start_bytes(optimiser));
    enum shoal_status status = fill_told(&optimiser->told, checkpoint, error);
    return status ? status : solver_get_checkpoint(&optimiser->host, checkpoint, error);
}

static enum shoal_status match_algorithm(const struct shoal_optimiser *optimiser,
                                         const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const char *own = optimiser->algorithm->name;
    const struct checkpoint_section *name = checkpoint_find(checkpoint, "workload");
    if (!name)
        return damaged(checkpoint, error);
    if (checkpoint_holds(checkpoint, "workload", own))
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "%s is a search by the algorithm %.*s, this one is by %s",
                checkpoint->path, (int)(name->bytes < 30 ? name->bytes : 30), (const char *)name->data, own);
}

/* Replaces the start points of the optimiser by the start points of the saved search. */
static enum shoal_status restore_start(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    struct search_problem *problem = optimiser_host(optimiser)->problem;
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "start");
    const size_t bytes = problem->dim * sizeof *problem->start, count = section ? section->bytes / bytes : 0;
    double *points;
    if (!section) /* the file is of an earlier version, which saved no start points */
        return SHOAL_OK;
    if (section->bytes % bytes || count > problem->total)
        return damaged(checkpoint, error);
    points = malloc(section->bytes ? section->bytes : 1);
    if (!points)
        return fail_host_memory(error);
    memcpy(points, section->data, section->bytes);
    free(problem->start);
    problem->start = points;
    problem->start_count = count;
    for (size_t i = 0; i < count; i++)
        if (!search_is_inside(problem, points + i * problem->dim, SHOAL_FP64))
            return damaged(checkpoint, error);
    return SHOAL_OK;
}

/* If the caller was asked for the points of several steps, makes them again. */
static enum shoal_status restore_ahead(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    uint64_t steps;
    if (!checkpoint_find(checkpoint, "steps asked")) /* those of one step, or none */
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, "steps asked", &steps, sizeof steps, error);
    if (status)
        return status;
    if (!optimiser->place.asked || steps < 2 || steps > optimiser->ahead.most ||
        steps > search_host_most_ahead(optimiser_host(optimiser), 0))
        return damaged(checkpoint, error);
    optimiser_propose(optimiser, (size_t)steps);
    return SHOAL_OK;
}

/* Whether all points that were made are inside the box. */
static bool points_are_inside(const struct shoal_optimiser *optimiser)
{
    const struct search_host *host = optimiser_host(optimiser);
    const struct search_problem *problem = host->problem;
    const size_t batches = optimiser->place.batch + optimiser->place.asked;
    for (size_t i = 0; i < problem->islands * problem->width; i++)
        if ((host->drawn || i % problem->width / host->batch < batches) && !host->outside[i] &&
            !search_is_inside(problem, host->x + i * problem->dim, SHOAL_FP64))
            return false;
    return true;
}

/* Checks that the saved polish has the rule of this optimiser's polish. A state that names no rule is a state
 * of a pattern search. */
static enum shoal_status match_polish(const struct shoal_optimiser *optimiser,
                                      const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const int32_t own = optimiser->used->polish_rule;
    int32_t saved = SHOAL_POLISH_PATTERN;
    if (checkpoint_find(checkpoint, "polish rule")) {
        enum shoal_status status = checkpoint_get(checkpoint, "polish rule", &saved, sizeof saved, error);
        if (status)
            return status;
    }
    if (saved < SHOAL_POLISH_PATTERN || saved > SHOAL_POLISH_NELDER_MEAD)
        return damaged(checkpoint, error);
    if (saved != own)
        return fail(error, SHOAL_INVALID, "%s has a polish by the rule %s: set polish_rule to it, not to %s",
                    checkpoint->path, search_polish_names[saved], search_polish_names[own]);
    return SHOAL_OK;
}

static enum shoal_status restore_polish(struct shoal_optimiser *optimiser,
                                        const struct checkpoint *checkpoint, struct shoal_error *error)
{
    struct search_host *host = optimiser_host(optimiser);
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "polished");
    if (!section || section->bytes == 0)
        return section ? SHOAL_OK : damaged(checkpoint, error);
    enum shoal_status status = match_polish(optimiser, checkpoint, error);
    if (!status)
        status = optimiser_open_polish(optimiser, error);
    if (status)
        return status;
    if (section->bytes != search_polish_bytes(host->polish) ||
        !search_polish_set(host->polish, section->data))
        return damaged(checkpoint, error);
    optimiser->polish_asked = true;
    return SHOAL_OK;
}

/* Loads the values that were told one by one. If the limit of the polish is lower than when the state was
 * saved, its batch may have fewer points, and values of points that are missing are dropped. */
static enum shoal_status restore_told(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "told");
    if (!section) /* no values were told, or the file is of an earlier version */
        return SHOAL_OK;
    const double *polish;
    const bool in_polish = optimiser->polish_asked;
    const size_t waiting = optimiser_waiting(optimiser, &polish),
                 count = section->bytes / sizeof(struct saved_value);
    if (section->bytes % sizeof(struct saved_value) || (!in_polish && count >= waiting))
        return damaged(checkpoint, error);
    for (uint64_t n = 0, end = 0; n < count; n++) {
        struct saved_value saved;
        memcpy(&saved, (const char *)section->data + n * sizeof saved, sizeof saved);
        if (saved.index < end || (saved.index >= waiting && !in_polish))
            return damaged(checkpoint, error);
        end = saved.index + 1;
        if (saved.index < waiting)
            optimiser_note_value(optimiser, (size_t)saved.index, saved.value);
    }
    return SHOAL_OK;
}

static enum shoal_status restore(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    struct optimiser_place place;
    enum shoal_status status = match_algorithm(optimiser, checkpoint, error);
    if (!status)
        status = solver_set_checkpoint(&optimiser->host, checkpoint, error);
    if (!status)
        status = checkpoint_get(checkpoint, "place", &place, sizeof place, error);
    struct search_host *host = optimiser_host(optimiser);
    if (!status)
        status = checkpoint_get(checkpoint, "outside", host->outside,
                                host->problem->islands * host->problem->width, error);
    if (!status && (place.batch >= search_host_batches(host, 0) || place.asked > 1 || place.drawn > 1))
        status = damaged(checkpoint, error);
    if (status)
        return status;
    optimiser->place = place;
    host->drawn = place.drawn != 0;
    if (!points_are_inside(optimiser))
        return damaged(checkpoint, error);
    status = restore_start(optimiser, checkpoint, error);
    if (!status)
        status = restore_ahead(optimiser, checkpoint, error);
    if (!status)
        status = restore_polish(optimiser, checkpoint, error);
    return status ? status : restore_told(optimiser, checkpoint, error);
}

static enum shoal_status load(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    const struct checkpoint_section *name = checkpoint_find(checkpoint, "workload");
    shoal_optimiser_reset(optimiser);
    if (optimiser->is_auto && name)
        optimiser->algorithm = search_algorithm_in(name->data, name->bytes);
    enum shoal_status status = optimiser_start(optimiser, error);
    if (!status)
        status = restore(optimiser, checkpoint, error);
    if (status)
        shoal_optimiser_reset(optimiser);
    return status;
}

enum shoal_status shoal_optimiser_save(struct shoal_optimiser *optimiser, const char *path,
                                       struct shoal_error *error)
{
    struct checkpoint checkpoint = {0};
    if (!NEED(error, path))
        return SHOAL_INVALID;
    enum shoal_status status = optimiser_start_asking(optimiser, "shoal_optimiser_save", error);
    if (!status)
        status = fill(optimiser, &checkpoint, error);
    if (!status)
        status = checkpoint_write(&checkpoint, path, error);
    checkpoint_clear(&checkpoint);
    return status;
}

enum shoal_status shoal_optimiser_save_memory(struct shoal_optimiser *optimiser, void **bytes, size_t *size,
                                              struct shoal_error *error)
{
    struct checkpoint checkpoint = {0};
    if (!NEED(error, bytes, size))
        return SHOAL_INVALID;
    *bytes = NULL;
    enum shoal_status status = optimiser_start_asking(optimiser, "shoal_optimiser_save_memory", error);
    if (!status)
        status = fill(optimiser, &checkpoint, error);
    if (!status)
        status = checkpoint_to_memory(&checkpoint, bytes, size, error);
    checkpoint_clear(&checkpoint);
    return status;
}

enum shoal_status shoal_optimiser_load(struct shoal_optimiser *optimiser, const char *path,
                                       struct shoal_error *error)
{
    struct checkpoint checkpoint;
    void *file = NULL;
    if (!NEED(error, path))
        return SHOAL_INVALID;
    enum shoal_status status = optimiser_start_asking(optimiser, "shoal_optimiser_load", error);
    if (!status)
        status = checkpoint_read(&checkpoint, path, &file, error);
    if (!status)
        status = load(optimiser, &checkpoint, error);
    free(file);
    return status;
}

enum shoal_status shoal_optimiser_load_memory(struct shoal_optimiser *optimiser, const void *bytes,
                                              size_t size, struct shoal_error *error)
{
    struct checkpoint checkpoint;
    if (!NEED(error, bytes))
        return SHOAL_INVALID;
    enum shoal_status status = optimiser_start_asking(optimiser, "shoal_optimiser_load_memory", error);
    if (!status)
        status = checkpoint_parse(&checkpoint, bytes, size, "the memory given", error);
    return status ? status : load(optimiser, &checkpoint, error);
}
