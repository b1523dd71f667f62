/* Notes on a start file for the user: how the file was read, and which parts of the file have no effect. Each
 * line is a sentence. */
#include "base/error.h"
#include "compute/log.h"
#include "gas/model/thermostat.h"
#include "gas/start/start.h"

#include <math.h>
#include <string.h>

static void note_frames(const char *path, const struct particles *file, struct text *notes)
{
    if (file->is_cut && file->frames > 1)
        text_printf(
            notes,
            "%s: its last frame is cut short: the run starts from the whole one before it, number %zu\n",
            path, file->frame);
    else if (file->is_cut)
        text_printf(notes,
                    "%s: its last line has no end: if its writer was stopped, the last number may be cut\n",
                    path);
    else if (file->frames > 1)
        text_printf(notes, "%s holds %zu frames: the run starts from the last\n", path, file->frames);
}

static bool charges_differ(const struct particles *file)
{
    bool differ = false;
    for (size_t i = 1; i < file->count && file->charges && !differ; i++)
        differ = file->charges[i] != file->charges[0];
    return differ;
}

static void note_species(const struct shoal_gas_params *params, const struct particles *file,
                         struct text *notes)
{
    if (*file->unused)
        text_printf(notes, "%s: its particles differ in %s: that is not used\n", params->start_file,
                    file->unused);
    if (charges_differ(file) && !gas_is_long(gas_potential_of(params)))
        text_printf(notes, "%s: its particles differ in charge: --potential %s has no charges\n",
                    params->start_file, gas_potential_name(gas_potential_of(params)));
    if (!file->kind || file->kinds < 2)
        text_printf(notes, "%s tells no species apart: they are chosen at random, by --species\n",
                    params->start_file);
}

void gas_note_file(const struct shoal_gas_params *params, const struct particles *file, struct text *notes)
{
    const char *path = params->start_file;
    note_frames(path, file, notes);
    if (params->species)
        note_species(params, file, notes);
    else if (*file->told || *file->unused)
        text_printf(notes,
                    "%s: its particles differ in %s%s%s: that is not used, all are of one kind here, with "
                    "--mass %g\n",
                    path, file->told, *file->told && *file->unused ? ", " : "", file->unused, params->mass);
    else if (file->mass != 0 && file->mass != params->mass)
        text_printf(notes, "%s: the masses in it are not used: they are %.9g, the run has --mass %g\n", path,
                    file->mass, params->mass);
    if (file->differs)
        text_printf(notes, "%s: its velocities are not its momenta over its masses: the momenta are taken\n",
                    path);
    if (file->has_more)
        text_printf(notes,
                    "%s: columns behind the position are not used: no Properties in its second line say what "
                    "they are\n",
                    path);
    if (*file->units)
        text_printf(notes, "%s: its numbers are in units %s of LAMMPS: they are taken as reduced ones\n",
                    path, file->units);
}

/* Notes along which axes the boundaries of the run differ from those in the file, which have no effect. */
static void note_boundaries(const struct gas_problem *problem, struct text *notes)
{
    const struct particles *file = problem->file;
    for (size_t k = 0; k < problem->dim && file->has_periodic; k++)
        if (file->periodic[k] != (problem->boundary[k] == SHOAL_GAS_PERIODIC))
            text_printf(notes, "%s is %speriodic along %c, the run is %s\n", problem->params->start_file,
                        file->periodic[k] ? "" : "not ", "xyz"[k], file -> periodic[k] ? "not" : "periodic");
}

/* Notes that the option `temperature` has no effect, if so. The member `needs` of the option cannot express
 * this, since it depends on whether the file has velocities. */
static void note_temperature(const struct gas_problem *problem, struct text *notes)
{
    const struct shoal_gas_params *params = problem->params;
    struct shoal_gas_params defaults;
    shoal_gas_params_init(&defaults);
    if (problem->file->velocity && params->temperature != defaults.temperature &&
        !gas_keeps_temperature(params))
        text_printf(
            notes,
            "--temperature %g has no effect: %s holds velocities, and nothing keeps a temperature; give "
            "--equilibration or --thermostat, or omit it\n",
            params->temperature, params->start_file);
}

enum shoal_status gas_warn_of_file(const struct shoal *shoal, struct gas_problem *problem,
                                   struct shoal_error *error)
{
    struct text notes = {0};
    gas_note_file(problem->params, problem->file, &notes);
    note_boundaries(problem, &notes);
    note_temperature(problem, &notes);
    if (notes.failed)
        return fail_host_memory(error);
    if (notes.length)
        notes.data[notes.length - 1] = '\0'; /* removes the line feed of the last line */
    shoal_log_lines(shoal, SHOAL_LOG_WARNING, notes.data);
    problem->notes = notes.data;
    return SHOAL_OK;
}
