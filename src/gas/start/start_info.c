/* Describes the contents of a start file, for callers that ask before a run. */
#include "base/error.h"
#include "base/params.h"
#include "gas/model/thermostat.h"
#include "gas/start/start.h"
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void find_ranges(const struct particles *file, struct shoal_gas_start_info *info)
{
    double squares = 0;
    for (size_t k = 0; k < 3; k++) {
        info->least[k] = INFINITY;
        info->greatest[k] = -INFINITY;
    }
    info->dim = 2;
    for (size_t at = 0; at < 3 * file->count; at++) {
        const double x = file->position[at], v = file->velocity ? file->velocity[at] : 0;
        info->least[at % 3] = fmin(info->least[at % 3], x);
        info->greatest[at % 3] = fmax(info->greatest[at % 3], x);
        squares += v * v;
        if (at % 3 == 2 && (x != file->position[2] || v != 0))
            info->dim = 3;
    }
    info->mean_square_speed = squares / (double)file->count;
}

static void fill(const struct shoal_gas_params *params, const struct particles *file,
                 struct shoal_gas_start_info *info)
{
    struct text notes = {0};
    info->particles = file->count;
    info->frames = file->frames;
    info->frame = file->frame;
    info->is_cut = file->is_cut;
    info->has_box = file->has_box;
    info->has_velocities = file->velocity != NULL;
    info->uses_temperature = !file->velocity || gas_keeps_temperature(params);
    memcpy(info->origin, file->origin, sizeof info->origin);
    memcpy(info->length, file->length, sizeof info->length);
    find_ranges(file, info);
    gas_note_file(params, file, &notes);
    if (notes.data)
        snprintf(info->notes, sizeof info->notes, "%s", notes.data);
    text_free(&notes);
}

enum shoal_status shoal_gas_read_start(struct shoal *shoal, const struct shoal_gas_params *params,
                                       struct shoal_gas_start_info *info, struct shoal_error *error)
{
    struct shoal_gas_params own;
    struct shoal_gas_start_info found = {.size = sizeof found};
    struct particles start = {0};
    error_reset(error);
    if (!NEED(error, shoal, params, info))
        return SHOAL_INVALID;
    enum shoal_status status = workload_struct_take(__func__, &gas_workload.face, params, &own, error);
    if (!status && !NEED_MEMBER(error, params, own, start_file))
        return SHOAL_INVALID;
    if (!status)
        status = RESULT_CHECK(info, notes, error);
    if (!status)
        status = gas_read_start(shoal, &own, &start, error);
    if (status)
        return status;
    found.format = start.format;
    fill(&own, &start, &found);
    particles_free(&start);
    RESULT_GIVE(&found, notes, info);
    return SHOAL_OK;
}
