/* Values of the objective at members in global memory. */
#include "search/device/values.h"
#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "objective/constraints/constraints.h"

#include <stdlib.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(search_decode, search_decode, .help = "points of reals from genomes, for an objective over reals"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(search_decode, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(search_decode, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc search_decode_program =
    PROGRAM("search.decode", search_decode, 0, defines, entries);

static const struct shoal_entry_desc round_entries[] = {
    ENTRY(search_round, search_round, .help = "points of members with rounded coordinates"),
};

static const struct shoal_define_desc round_defines[] = {
    SEARCH_BOX_DESC(search_round),
    DEFINE(search_round, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(search_round, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc search_round_program =
    PROGRAM("search.round", search_round, 0, round_defines, round_entries);

/* Whether the objective takes reals while members are genomes. */
static bool decodes(const struct search_problem *problem)
{
    return problem->has_genome && !problem->info->variables;
}

/* Writes the words that describe the variables of a group, except their first genes. */
static void describe(const struct shoal_variable_group *group, uint32_t *words)
{
    static const uint32_t kinds[] = {[SHOAL_REAL] = REAL_GENE,
                                     [SHOAL_INTEGER] = WHOLE_GENE,
                                     [SHOAL_CHOICE] = WHOLE_GENE,
                                     [SHOAL_BIT] = BIT_GENE,
                                     [SHOAL_ORDER] = PLACE_GENE};
    const bool is_real = group->kind == SHOAL_REAL;
    words[VARIABLE_KIND] = !group->bits ? kinds[group->kind] : is_real ? REAL_CODE : WHOLE_CODE;
    words[VARIABLE_BITS] = group->bits;
    words[VARIABLE_GRAY] = group->gray;
    words[VARIABLE_LOWER] = is_real ? 0 : (uint32_t)(int32_t)group->lower;
    words[VARIABLE_SPAN] = is_real ? 0 : (uint32_t)(group->upper - group->lower);
}

/* Writes the table of variables, VARIABLE_WORDS words for each, and the table of their ranges, the lower
 * bound and the width of each. */
static void describe_all(const struct search_problem *problem, uint32_t *words, double *ranges)
{
    /* number of genes of each kind so far; codes are counted as bits */
    uint32_t genes[WHOLE_CODE + 1] = {0};
    for (size_t g = 0; g < problem->variables->group_count; g++) {
        const struct shoal_variable_group *group = &problem->variables->groups[g];
        for (size_t v = group->first; v < group->first + group->count; v++) {
            uint32_t *own = words + v * VARIABLE_WORDS;
            describe(group, own);
            uint32_t *next = &genes[group->bits ? BIT_GENE : own[VARIABLE_KIND]];
            own[VARIABLE_GENE] = *next;
            *next += group->bits ? group->bits : 1;
            ranges[2 * v] = group->lower;
            ranges[2 * v + 1] = group->upper - group->lower;
        }
    }
}

static enum shoal_status write_tables(struct shoal_solver *solver, const struct search_values *values,
                                      struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t count = problem->point_dim, words = count * VARIABLE_WORDS;
    uint32_t *described = calloc(words, sizeof *described);
    double *wide = calloc(2 * count, sizeof *wide);
    float *narrow = calloc(2 * count, sizeof *narrow);
    enum shoal_status status = described && wide && narrow ? SHOAL_OK : fail_host_memory(error);
    if (!status) {
        describe_all(problem, described, wide);
        for (size_t i = 0; i < 2 * count; i++)
            narrow[i] = (float)wide[i];
        status = shoal_buffer_write(solver->queue, values->variables, 0, described, words * sizeof *described,
                                    error);
    }
    if (!status)
        status = shoal_buffer_write(solver->queue, values->ranges, 0,
                                    device->precision == SHOAL_FP64 ? (const void *)wide : narrow,
                                    2 * count * device->real, error);
    free(described);
    free(wide);
    free(narrow);
    return status;
}

static enum shoal_status create_decoder(struct shoal_solver *solver, size_t members,
                                        struct search_values *values, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const struct genome_layout *genome = &problem->genome;
    const size_t tile = solver->method.tile, places = (members + tile - 1) / tile * tile;
    const uint32_t wholes = (uint32_t)genome->reals * (device->precision == SHOAL_FP64 ? 2 : 1);
    const struct entry_kernel kernel = {"search_decode", &values->decode};
    struct defines own = {.count = 0};
    define_add(&own, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    values->launch =
        (struct search_decode){.tile = (uint32_t)tile,
                               .variables = (uint32_t)problem->point_dim,
                               .words = (uint32_t)device->numbers,
                               .wholes = wholes,
                               .bits = wholes + (uint32_t)genome->wholes,
                               .places = wholes + (uint32_t)genome->wholes + (uint32_t)genome->words};
    const double count = (double)problem->point_dim;
    const struct array list[] = {
        {&values->variables, count * VARIABLE_WORDS, sizeof(uint32_t)},
        {&values->ranges, 2 * count, device->real},
        {&values->points, (double)places * count, device->real},
    };
    values->arrays.queue = solver->queue;
    ARRAYS_SET(&values->arrays, list);
    enum shoal_status status = search_check_memory(problem, &values->arrays, 0, error);
    if (!status)
        status = programs_build(&solver->programs, &search_decode_program, &own, &kernel, 1, NULL, error);
    if (!status)
        status = arrays_create(&values->arrays, error);
    return status ? status : write_tables(solver, values, error);
}

/* Creates the kernel that rounds coordinates down, and an array for the rounded points, since the members
 * must not change. */
static enum shoal_status create_rounding(struct shoal_solver *solver, size_t members,
                                         struct search_values *values, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const size_t tile = solver->method.tile, places = div_up(members, tile) * tile;
    const struct entry_kernel kernel = {"search_round", &values->round};
    struct defines own = {.count = 0};
    define_add(&own, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    const struct array list[] = {
        {&values->points, (double)places * (double)device->problem->dim, device->real}};
    values->arrays.queue = solver->queue;
    ARRAYS_SET(&values->arrays, list);
    enum shoal_status status = search_check_memory(device->problem, &values->arrays, 0, error);
    if (!status)
        status = programs_build(&solver->programs, &search_round_program, &own, &kernel, 1, NULL, error);
    return status ? status : arrays_create(&values->arrays, error);
}

enum shoal_status search_values_create(struct shoal_solver *solver, enum evaluator_method method,
                                       size_t members, struct search_values *values,
                                       struct shoal_error *error)
{
    solver->method.tile = evaluator_tile(method, shoal_device_get_info(solver->device), members);
    const struct evaluator_params layout = {.method = method,
                                            .points = members,
                                            .planned =
                                                search_of_whole(search_device_of(solver)->problem, members),
                                            .stride = solver->method.stride,
                                            .chosen = &solver->method.chosen,
                                            .programs = &solver->programs};
    enum shoal_status status = search_evaluator_create(solver, &layout, &values->evaluator, error);
    if (!status && decodes(search_device_of(solver)->problem))
        status = create_decoder(solver, members, values, error);
    if (!status && search_device_of(solver)->problem->whole)
        status = create_rounding(solver, members, values, error);
    return status;
}

void search_values_destroy(struct search_values *values)
{
    evaluator_destroy(&values->evaluator);
    evaluator_destroy(&values->relaxed);
    programs_destroy(&values->relaxed_programs);
    free(values->relaxed_objective.text);
    arrays_destroy(&values->arrays);
}

static enum shoal_status decode(struct shoal_solver *solver, const struct search_values *values,
                                struct shoal_buffer *x, size_t count, struct shoal_error *error)
{
    struct search_decode launch = values->launch;
    launch.count = (uint32_t)count;
    const size_t tiles = div_up(count, launch.tile);
    return LAUNCH(search_decode, solver->queue, values->decode,
                  shoal_kernel_groups(values->decode, tiles * launch.tile * launch.variables), error,
                  .members = x, .points = values->points, .variables = values->variables,
                  .ranges = values->ranges, .launch = &launch);
}

static enum shoal_status round_points(struct shoal_solver *solver, const struct search_values *values,
                                      struct shoal_buffer *x, size_t count, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const size_t tile = solver->method.tile, dim = device->problem->dim,
                 coordinates = div_up(count, tile) * tile * dim;
    return LAUNCH(search_round, solver->queue, values->round, shoal_kernel_groups(values->round, coordinates),
                  error, .members = x, .points = values->points, .settings = device->settings,
                  .coordinates = coordinates, .tile = (uint32_t)tile, .dim = (uint32_t)dim);
}

static enum shoal_status run(struct shoal_solver *solver, const struct search_values *values,
                             struct evaluator *evaluator, struct shoal_buffer *x, struct shoal_buffer *y,
                             size_t count, struct shoal_error *error)
{
    const size_t planned = search_of_whole(search_device_of(solver)->problem, count);
    enum shoal_status status = SHOAL_OK;
    if (values->decode)
        status = decode(solver, values, x, count, error);
    else if (values->round)
        status = round_points(solver, values, x, count, error);
    return status
               ? status
               : evaluator_run(evaluator, values->points ? values->points : x, y, 0, count, planned, error);
}

enum shoal_status search_values_run(struct shoal_solver *solver, const struct search_values *values,
                                    struct shoal_buffer *x, struct shoal_buffer *y, size_t count,
                                    struct shoal_error *error)
{
    return run(solver, values, values->evaluator, x, y, count, error);
}

/* Without constraints ---------------------------------------------------------------------------------- */

/* Creates the evaluator without constraints. Each share evaluates all points, so shares exchange no
 * values. */
enum shoal_status search_values_relax(struct shoal_solver *solver, enum evaluator_method method, size_t count,
                                      struct search_values *values, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    values->relaxed_programs =
        (struct programs){.device = solver->device, .variant = solver->programs.variant};
    const struct evaluator_params layout = {.objective = &values->relaxed_objective,
                                            .method = method,
                                            .points = count,
                                            .planned = search_of_whole(problem, count),
                                            .stride = solver->method.stride,
                                            .programs = &values->relaxed_programs};
    enum shoal_status status = constrained_relax(problem->objective, &values->relaxed_objective, error);
    if (!status)
        status = search_evaluator_create(solver, &layout, &values->relaxed, error);
    solver->programs.build_seconds += values->relaxed_programs.build_seconds;
    return status;
}

enum shoal_status search_values_run_relaxed(struct shoal_solver *solver, const struct search_values *values,
                                            struct shoal_buffer *x, struct shoal_buffer *y, size_t count,
                                            struct shoal_error *error)
{
    return run(solver, values, values->relaxed, x, y, count, error);
}
