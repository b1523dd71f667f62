/* What a user should know of a start file: how it was read, and what of it has no effect. A line each. */
#include "compute/backend.h"
#include "gas/model/thermostat.h"
#include "gas/start/start.h"

#include <math.h>

static void warn_of_frames(const struct shoal *shoal, const char *path, const struct particles *file)
{
    if (file->is_cut && file->frames > 1)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: its last frame is cut short: the run starts from the whole one before it, number %zu",
                  path, file->frame);
    else if (file->is_cut)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: its last line has no end: if its writer was stopped, the last number may be cut",
                  path);
    else if (file->frames > 1)
        shoal_log(shoal, SHOAL_LOG_WARNING, "%s holds %zu frames: the run starts from the last", path,
                  file->frames);
}

/* Columns that make no difference here. */
static void warn_of_columns(const struct shoal *shoal, const struct shoal_gas_params *params,
                            const struct particles *file)
{
    const char *path = params->start_file;
    if (*file->unused)
        shoal_log(
            shoal, SHOAL_LOG_WARNING,
            "%s: its particles differ in %s: that is not used, all are of one kind here, with --mass %g",
            path, file->unused, params->mass);
    else if (file->mass != 0 && file->mass != params->mass)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: the masses in it are not used: they are %.9g, the run has --mass %g", path, file->mass,
                  params->mass);
    if (file->differs)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: its velocities are not its momenta over its masses: the momenta are taken", path);
    if (file->has_more)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: columns behind the position are not used: no Properties in its second line say what "
                  "they are",
                  path);
    if (*file->units)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: its numbers are in units %s of LAMMPS: they are taken as reduced ones", path,
                  file->units);
}

/* The boundaries are those of the parameters. */
static void warn_of_boundaries(const struct shoal *shoal, const struct gas_problem *problem)
{
    const struct particles *file = problem->file;
    for (size_t k = 0; k < problem->dim && file->has_periodic; k++)
        if (file->periodic[k] != (problem->boundary[k] == SHOAL_GAS_PERIODIC))
            shoal_log(shoal, SHOAL_LOG_WARNING, "%s is %speriodic along %c, the run is %s",
                      problem->params->start_file, file->periodic[k] ? "" : "not ", "xyz"[k],
                      file -> periodic[k] ? "not" : "periodic");
}

/* Whether a file holds velocities is known only here; `needs` of the option cannot say it. */
static void warn_of_temperature(const struct shoal *shoal, const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    struct shoal_gas_params defaults;
    shoal_gas_params_init(&defaults);
    if (problem->file->velocity && params->temperature != defaults.temperature &&
        !gas_keeps_temperature(params))
        shoal_log(
            shoal, SHOAL_LOG_WARNING,
            "--temperature %g has no effect: %s holds velocities, and nothing keeps a temperature; give "
            "--equilibration or --thermostat, or omit it",
            params->temperature, params->start_file);
}

void gas_warn_of_file(const struct shoal *shoal, const struct gas_problem *problem)
{
    warn_of_frames(shoal, problem->params->start_file, problem->file);
    warn_of_columns(shoal, problem->params, problem->file);
    warn_of_boundaries(shoal, problem);
    warn_of_temperature(shoal, problem);
}
