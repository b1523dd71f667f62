/* The list of the checks of gases, and functions that the checks share. */
#include "cli/gas/verify/verify.h"
#include "cli/cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct verify_check gas_checks[] = {
    {"gas.states", verify_gas_states, "7.2", "six thermodynamic states against LAMMPS"},
    {"gas.replicas", verify_gas_replicas, "0.1", "these states and the Boyle temperature, in replicas"},
    {"gas.pressure", verify_gas_pressure, "1.2", "densities at two pressures against LAMMPS"},
    {"gas.mixtures", verify_gas_mixtures, "0.9", "a mixture of two species against LAMMPS"},
    {"gas.virials", verify_gas_virials, "2.2", "virial coefficients of dilute gases"},
    {"gas.thermostats", verify_gas_thermostats, "3.8", "var(K) / <K>^2 = 2 / f; Maxwell's distribution"},
    {"gas.ideal", verify_gas_ideal, "0.2", "P = density T; Maxwell's distribution"},
    {"gas.walls", verify_gas_walls, "1.0", "wall pressure against virial pressure"},
    {"gas.log", verify_gas_log, "0.25", "virial theorem of a free log gas"},
    {"gas.plasma", verify_gas_plasma, "0.1", "a trapped plasma of known density and g(r)"},
    {"gas.drift", verify_gas_drift, "0.6", "energy and momentum drift of three integrators"},
    {"gas.piston", verify_gas_piston, "1.7", "an ideal gas under a piston; slow halvings"},
    {"gas.reversal", verify_gas_reversal, "-", "time reversal: back to the start"},
    {"gas.methods", verify_gas_methods, "-", "forces of list and cells against all pairs"},
    {"gas.observe", verify_gas_observe, "-", "observables of devices against the host", .is_short = true},
    {NULL, NULL, NULL, NULL},
};

void gas_trial_init(struct gas_trial *trial, struct verify *verify, struct shoal_device *device,
                    const char *check)
{
    *trial = (struct gas_trial){.verify = verify, .device = device, .check = check};
    shoal_gas_params_init(&trial->params);
}

static const char *row_name(const struct gas_trial *trial, const char *law)
{
    char *name = trial->of
                     ? cli_sprintf("%s %s%s%s", trial->check, trial->of, law ? ": " : "", law ? law : "")
                     : cli_sprintf("%s%s%s", trial->check, law ? " " : "", law ? law : "");
    const char *kept = cli_keep(name);
    free(name);
    return kept;
}

void gas_trial_failed(const struct gas_trial *trial, const struct shoal_error *error)
{
    const struct verify_row row = {.name = row_name(trial, NULL),
                                   .what = "the run's own check against double precision",
                                   .deviation = NAN,
                                   .tolerance = NAN,
                                   .error = *error};
    if (!cli_stopped(NULL))
        verify_add(trial->verify, trial->device, &row);
}

bool gas_trial_run(struct gas_trial *trial)
{
    const char *name = row_name(trial, NULL), *id = shoal_device_get_info(trial->device)->id;
    char *label = cli_sprintf("%s  %s", name, id);
    const struct shoal_workload *gas = shoal_workload_find("gas");
    struct cli_progress progress = {
        .label = label, .name = gas->progress_name, .warm_up_name = gas->warm_up_name};
    struct shoal_run_params run;
    struct shoal_error error = {0};
    shoal_run_params_init(&run);
    run.variant = trial->verify->variant;
    run.stop = cli_stopped;
    run.progress = cli_progress_steps;
    run.data = &progress;
    const enum shoal_status status =
        shoal_run(gas, trial->device, &trial->params, &run, &trial->report, &error);
    cli_progress_end();
    free(label);
    if (status != SHOAL_OK)
        gas_trial_failed(trial, &error);
    return status == SHOAL_OK && !cli_stopped(NULL);
}

double gas_trial_value(const struct gas_trial *trial, const char *name)
{
    return shoal_result_number(&trial->report.result, name);
}

void gas_trial_clear(struct gas_trial *trial)
{
    shoal_report_clear(&trial->report);
}

void gas_trial_row(const struct gas_trial *trial, const char *law, uint64_t compared, double deviation,
                   double tolerance, const char *what, ...)
{
    char text[200];
    struct verify_row row = {
        .name = row_name(trial, law), .compared = compared, .deviation = deviation, .tolerance = tolerance};
    va_list list;
    va_start(list, what);
    vsnprintf(text, sizeof text, what, list);
    va_end(list);
    row.what = cli_keep(text);
    verify_judge(trial->verify, trial->device, &row);
}
