/* Writes the kernels' buffers `settings` and `links`. */
#include "base/error.h"
#include "objective/rows/table.h"
#include "search/device/device.h"

#include <stdlib.h>

const struct objective_table *search_settings_table(const struct shoal_objective *objective)
{
    const struct objective_table *table = objective->table;
    const bool read = table && !objective->whole_table && objective->info.shape == SHOAL_OPAQUE;
    return read && table->rows * table->columns <= SEARCH_SETTINGS_NUMBERS ? table : NULL;
}

/* Number of dimensions whose bounds are in the settings. In a genome only reals have bounds; they are the
 * first genes. */
static size_t box_dim(const struct search_problem *problem)
{
    return problem->same_box ? 0 : problem->has_genome ? problem->genome.reals : problem->dim;
}

/* Number of settings before the table of the objective. */
static size_t settings_count(const struct search_device *device)
{
    return SET_BOX + 3 * box_dim(device->problem);
}

size_t search_settings_bytes(const struct search_device *device)
{
    const struct objective_table *table = search_settings_table(device->problem->objective);
    return (settings_count(device) + (table ? table->rows * table->columns : 0)) * device->real;
}

enum shoal_status search_settings_write(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const struct objective_table *table = search_settings_table(problem->objective);
    const size_t count = settings_count(device), dim = box_dim(problem);
    double *wide = calloc(count, sizeof *wide);
    float *narrow = calloc(count, sizeof *narrow);
    enum shoal_status status = wide && narrow ? SHOAL_OK : fail_host_memory(error);
    if (status)
        goto end;
    device->ops->fill_settings(problem, wide);
    wide[SET_LOWER] = problem->lower[0];
    wide[SET_UPPER] = problem->upper[0];
    wide[SET_SIGN] = problem->sign;
    wide[SET_TARGET] = problem->target;
    wide[SET_TOLERANCE] = problem->params->stagnation_tolerance;
    for (size_t d = 0; d < dim; d++) {
        wide[SET_BOX + d] = problem->lower[d];
        wide[SET_BOX + dim + d] = problem->upper[d];
        wide[SET_BOX + 2 * dim + d] = problem->whole ? problem->whole[d] : problem->shift[d];
    }
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)wide[i];
    status = shoal_buffer_write(solver->queue, device->settings, 0,
                                device->precision == SHOAL_FP64 ? (const void *)wide : narrow,
                                count * device->real, error);
    if (!status && table)
        status = evaluator_write_table(solver->queue, table, device->precision, device->settings,
                                       count * device->real, error);
end:
    free(wide);
    free(narrow);
    return status;
}

enum shoal_status search_device_write_reals(struct shoal_solver *solver, struct shoal_buffer *buffer,
                                            const double *wide, size_t count, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    if (device->precision == SHOAL_FP64)
        return shoal_buffer_write(solver->queue, buffer, 0, wide, count * sizeof *wide, error);
    float *narrow = malloc(count * sizeof *narrow);
    if (!narrow)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)wide[i];
    const enum shoal_status status =
        shoal_buffer_write(solver->queue, buffer, 0, narrow, count * sizeof *narrow, error);
    free(narrow);
    return status;
}

size_t search_links_count(const struct search_problem *problem)
{
    const struct search_links *links = &problem->links;
    return links->first ? problem->run_islands + 1 + links->first[problem->run_islands] : 0;
}

enum shoal_status search_links_write(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_links *links = &device->problem->links;
    const size_t word = sizeof(uint32_t), ends = device->problem->run_islands + 1,
                 sources = search_links_count(device->problem) - (links->first ? ends : 0);
    enum shoal_status status = SHOAL_OK;
    if (links->first)
        status = shoal_buffer_write(solver->queue, device->links, 0, links->first, ends * word, error);
    if (!status && sources)
        status = shoal_buffer_write(solver->queue, device->links, ends * word, links->source, sources * word,
                                    error);
    return status;
}
