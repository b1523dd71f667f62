/* The result of a run of a gas, and its check in double precision. */
#include "base/error.h"
#include "gas/model/thermostat.h"
#include "gas/observe/sampling.h"
#include "workload/result.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gas_summary {
    char title[160], warning[320];
    double length[GAS_MAX_DIM];
};

void gas_summary_destroy(struct gas_summary **summary)
{
    free(*summary);
    *summary = NULL;
}

/* Check ------------------------------------------------------------------------------------------------- */

/* Number of pairs of a sampled particle with another particle that a check computes: as many as two cores
 * compute in about a second. */
static const double sampled_pairs = 1.3e8;
/* MANY_SAMPLED: where the method promises an accuracy. */
enum { FEWEST_SAMPLED = 16, MOST_SAMPLED = 256, MANY_SAMPLED = 1024 };
/* Most particles for which the energy of all pairs is computed. MOST_DIRECT: without a cutoff; MOST_SHORT:
 * with a cutoff. */
enum { MOST_DIRECT = 16384, MOST_SHORT = 4194304 };

struct check {
    bool by_fmm; /* the method has an accuracy that the run promises */
    /* rms of the errors of the accelerations divided by the rms of the accelerations, over the sampled
     * particles */
    double force;
    /* the rms acceleration of single pairs by which errors are divided, if the forces of the pairs cancel;
     * otherwise 0 */
    double pull;
    /* |energy of the run - energy in double precision| per particle, divided by max(1, |energy in double
     * precision| per particle); NaN: the sum over pairs would take too long */
    double energy;
    /* |change of the momentum since step 0| / sum of |momentum| over the particles; NaN: momentum is not
     * conserved */
    double momentum;
    bool passed;
    char failure[160]; /* message of the first check that failed; "": no check failed */
};

static void expect_at_most(struct check *check, const char *figure, double off, double allowed)
{
    if (off <= allowed)
        return;
    if (check->passed)
        snprintf(check->failure, sizeof check->failure, "%s is %.2g, at most %.2g is allowed", figure, off,
                 allowed);
    check->passed = false;
}

static double squares(const double *v, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sum;
}

/* Chooses particles whose numbers are spread evenly from 0 to n - 1. Returns how many. */
static size_t choose_sampled(size_t n, bool many, size_t *targets)
{
    const double fitting = sampled_pairs / (double)n;
    size_t count = many                       ? MANY_SAMPLED
                   : fitting > MOST_SAMPLED   ? MOST_SAMPLED
                   : fitting < FEWEST_SAMPLED ? FEWEST_SAMPLED
                                              : (size_t)fitting;
    if (count > n)
        count = n;
    for (size_t s = 0; s < count; s++)
        targets[s] = s * n / count;
    return count;
}

static enum shoal_status check_forces(struct shoal_solver *solver, double allowed, struct check *check,
                                      struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const size_t dim = problem->dim;
    size_t targets[MANY_SAMPLED];
    const size_t count = choose_sampled(problem->n, check->by_fmm, targets);
    double host[MANY_SAMPLED * GAS_MAX_DIM], energy[MANY_SAMPLED], off = 0;
    if (!common->acceleration)
        common->acceleration = calloc(problem->n * dim, sizeof(double));
    if (!common->acceleration)
        return fail_host_memory(error);
    enum shoal_status status = common->stepper->get_accelerations(solver, common->acceleration, error);
    if (status)
        return status;
    gas_forces_sampled(problem, common->position, targets, count, host, energy);
    for (size_t s = 0; s < count; s++)
        for (size_t k = 0; k < dim; k++)
            off += pow(common->acceleration[targets[s] * dim + k] - host[s * dim + k], 2);
    double size = squares(host, count * dim);
    /* In a lattice the forces on a particle cancel, and near the minimum of the energy the terms of each pair
     * force cancel, too. The result then is rounding error, which is relative to the terms: errors are
     * divided by these terms. This second pass over the pairs is made only if the check would fail. */
    if (!(sqrt(off) <= allowed * sqrt(size))) {
        const double pulls = gas_pulls_sampled(problem, common->position, targets, count);
        if (size < pulls) {
            size = pulls;
            check->pull = sqrt(pulls / (double)count);
        }
    }
    check->force = off > 0 || isnan(off) ? sqrt(off / size) : 0;
    expect_at_most(check, "force_error", check->force, allowed);
    return SHOAL_OK;
}

static bool is_affordable(const struct gas_problem *problem)
{
    const bool is_short = isfinite(problem->pair.cutoff2) && problem->kind != GAS_PAIR_REAL;
    return problem->n <= (is_short ? MOST_SHORT : MOST_DIRECT);
}

/* Compares the total energy of the run with that of the same state in double precision: the energies of pair
 * forces, field and soft walls, and the kinetic energy. */
static enum shoal_status check_energy(struct shoal_solver *solver, const struct shoal_gas_thermo *thermo,
                                      double allowed, struct check *check, struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const double n = (double)problem->n;
    double *energy, *acceleration, potential = 0, size = 0;
    check->energy = NAN;
    if (!is_affordable(problem))
        return SHOAL_OK;
    energy = calloc(problem->n, sizeof *energy);
    acceleration = calloc(problem->n * problem->dim, sizeof *acceleration);
    enum shoal_status status = energy && acceleration ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = gas_forces(problem, common->position, acceleration, energy, NULL, error);
    if (!status) {
        double kinetic = 0;
        for (size_t i = 0; i < problem->n; i++) {
            kinetic +=
                0.5 * gas_mass(problem, i) * squares(common->velocity + i * problem->dim, problem->dim);
            potential += energy[i];
            size += fabs(energy[i]);
        }
        potential += gas_external_energy(problem, common->position, common->image);
        const double off = fabs(thermo->total - (kinetic + potential)) / n;
        const double scale = fmax(1, fabs(kinetic + potential) / n);
        check->energy = off / scale;
        /* If energies of pairs cancel, their rounding error is relative to their magnitudes, and so is the
         * tolerance. */
        expect_at_most(check, "energy_error", check->energy, allowed * fmax(1, (kinetic + size) / n) / scale);
    }
    free(energy);
    free(acceleration);
    return status;
}

/* Whether momentum is conserved. The rescaling thermostat scales it; other thermostats, walls, the field,
 * the trap, limiters and the integration in place, whose forces are not symmetric, change it. */
static bool keeps_momentum(const struct gas_problem *problem)
{
    bool kept = problem->params->thermostat == SHOAL_GAS_NVE && !problem->rules.limit &&
                !problem->rules.move && !problem->any_wall;
    for (size_t k = 0; k < problem->dim; k++)
        kept = kept && !gas_is_pushed(problem, k);
    return kept;
}

/* Checks the change of the momentum since step 0. `allowed`, the tolerance for one step, grows with the
 * square root of the number of steps, since the errors of the forces are taken as independent. */
static void check_momentum(const struct gas_common *common, const struct shoal_gas_thermo *thermo,
                           double allowed, struct check *check)
{
    const struct gas_problem *problem = common->problem;
    double sum = 0, off = 0;
    check->momentum = NAN;
    if (!keeps_momentum(problem) || common->clock.samples == 0)
        return;
    for (size_t i = 0; i < problem->n; i++)
        sum += gas_mass_ratio(problem, i) * sqrt(squares(common->velocity + i * problem->dim, problem->dim));
    for (size_t k = 0; k < problem->dim; k++)
        off += pow(thermo->momentum[k] - common->clock.first.momentum[k], 2);
    /* For particles at rest the change is relative to the momentum that pair forces give them in one step. */
    sum += (double)problem->n * check->pull * problem->params->dt;
    check->momentum = sum > 0 ? sqrt(off) / (sum * problem->params->mass) : 0;
    expect_at_most(check, "momentum_change", check->momentum,
                   allowed * (1 + sqrt((double)(thermo->step - common->clock.first.step))));
}

/* Fields ------------------------------------------------------------------------------------------------ */

/* Adds a value to the result, unless it is NaN: unknown. */
static void add_known(struct shoal_result *result, const char *name, const char *unit, double value)
{
    if (!isnan(value))
        result_add_real(result, name, unit, value);
}

static const char *choice_text(const struct shoal_solver *solver, const char *option, int32_t value)
{
    const struct shoal_workload *workload = solver->workload;
    for (size_t i = 0; i < workload->option_count; i++)
        if (strcmp(workload->options[i].name, option) == 0)
            return workload->options[i].choices[value];
    return "";
}

static void add_system(const struct shoal_solver *solver, struct gas_summary *summary,
                       const struct shoal_gas_timing *timing, struct shoal_result *result)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const struct shoal_gas_params *params = problem->params;
    const char *potential = problem->kind == GAS_PAIR_USER
                                ? "pair force of a file"
                                : choice_text(solver, "potential", params->potential);
    const double density = (double)problem->n / problem->volume;
    int length = snprintf(summary->title, sizeof summary->title, "%s, %zuD, %zu particles, density %.4g",
                          potential, problem->dim, problem->n, density);
    /* If the velocities are those of a start file or of an earlier stage, the temperature of the parameters
     * has an effect only if a thermostat, an equilibration or a wall keeps it. */
    const bool is_given = !isnan(problem->start_temperature) || problem->past.steps;
    if (is_given && !gas_keeps_temperature(params)) {
        const double start =
            common->clock.samples ? common->clock.first.temperature : problem->start_temperature;
        if (!isnan(start))
            snprintf(summary->title + length, sizeof summary->title - (size_t)length,
                     ", temperature %.4g at the start", start);
        result->unused = "temperature";
    }
    result->title = summary->title;
    memcpy(summary->length, problem->length, sizeof summary->length);
    result_add_text(result, "method", timing->method);
    result_add_text(result, "precision",
                    !solver->queue ? "fp64" : choice_text(solver, "precision", params->precision));
    result_add_uint(result, "particles", "", problem->n);
    result_add_reals(result, "box", summary->length, problem->dim);
    result_set_digits(result, DBL_DECIMAL_DIG);
    add_known(result, "density", "", density);
}

static void add_average(struct shoal_result *result, const struct gas_averages *averages,
                        enum gas_averaged which, const char *name, const char *error_name)
{
    const struct gas_average average = gas_averages_get(averages, which);
    if (isnan(average.mean))
        return;
    result_add_real(result, name, "", average.mean);
    if (!isnan(average.error))
        result_add_error(result, error_name, average.error, average.samples, "samples");
}

/* Computes the averages of the run so far. If no sample was taken after step 0, the current state counts as a
 * sample: in a copy of the averages, so that results do not depend on how a run is divided into calls. */
static enum shoal_status find_averages(const struct gas_common *common, const struct shoal_gas_thermo *thermo,
                                       struct gas_averages **out, struct shoal_error *error)
{
    enum shoal_status status = gas_averages_create(out, error);
    if (status)
        return status;
    memcpy(*out, common->averages, gas_averages_bytes(true));
    if (!gas_sample_interval(common->problem->params) && gas_run_step(common) > 0)
        gas_averages_add(*out, thermo, (double)common->problem->n);
    return SHOAL_OK;
}

/* Adds corrections for pairs beyond the cutoff to the result. The energies and pressures of the run do not
 * include them. */
static void add_tail(const struct gas_problem *problem, struct shoal_result *result)
{
    double energy, pressure;
    if (!gas_tail(problem, &energy, &pressure))
        return;
    result_add_real(result, "tail_energy", "", energy);
    result_add_real(result, "tail_pressure", "", pressure);
}

static void add_diffusion(const struct gas_common *common, struct shoal_result *result)
{
    const struct gas_msd *msd = &common->msd;
    double error;
    const double diffusion = gas_msd_diffusion(msd, common->problem, &error);
    if (msd->count > 0)
        result_add_real(result, "msd", "", msd->samples[msd->count - 1].total);
    if (isnan(diffusion))
        return;
    result_add_real(result, "diffusion", "", diffusion);
    if (!isnan(error))
        result_add_error(result, "diffusion_error", error, GAS_MSD_GROUPS, "groups of particles");
}

/* Adds the mean pressure tensor, if it was sampled. */
static void add_tensor(const struct gas_common *common, struct shoal_result *result)
{
    const struct gas_problem *problem = common->problem;
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_TENSOR];
    for (size_t part = 0; part < STRESS_PARTS && blocks->samples > 0; part++) {
        double error;
        const char *name = gas_tensor_name(part, problem->dim);
        const double mean = gas_blocks_mean(blocks, part, GAS_ONE, &error);
        if (name)
            result_add_real(result, name, "", mean);
        if (name && !isnan(error))
            result_add_error(result, gas_tensor_error_name(part, problem->dim), error, blocks->samples,
                             "samples");
    }
}

/* Adds the means of the first `count` sums of a table that samples have, if they were sampled. */
static void add_sampled(const struct gas_common *common, enum shoal_gas_table_kind kind, size_t count,
                        const char *const *names, const char *const *error_names, struct shoal_result *result)
{
    const struct gas_blocks *blocks = &common->tables.blocks[kind];
    for (size_t k = 0; k < count && blocks->samples > 0; k++) {
        double error;
        result_add_real(result, names[k], "", gas_blocks_mean(blocks, k, GAS_ONE, &error));
        if (!isnan(error))
            result_add_error(result, error_names[k], error, blocks->samples, "samples");
    }
}

/* Adds the diffusion constants of the time origins, if there were any. */
static void add_origins(const struct gas_common *common, struct shoal_result *result)
{
    const struct gas_problem *problem = common->problem;
    if (!problem->params->vacf)
        return;
    const struct gas_diffusion found =
        gas_origins_diffusion(&common->tables.origins, problem, gas_sample_time(problem->params));
    add_known(result, "diffusion_vacf", "", found.vacf);
    if (!isnan(found.vacf_error))
        result_add_error(result, "diffusion_vacf_error", found.vacf_error, GAS_MSD_GROUPS,
                         "groups of particles");
    add_known(result, "diffusion_msd", "", found.msd);
    if (!isnan(found.msd_error))
        result_add_error(result, "diffusion_msd_error", found.msd_error, GAS_MSD_GROUPS,
                         "groups of particles");
}

/* Adds the mean place of the piston, and its variance over the square of the mean, which is 1 / (n + 1) for
 * an ideal gas with a thermostat. */
static void add_piston(const struct gas_problem *problem, const struct gas_averages *averages,
                       struct shoal_result *result)
{
    const struct gas_average volume = gas_averages_get(averages, GAS_MEAN_VOLUME);
    if (!problem->piston.acts || volume.samples < 1)
        return;
    result_add_real(result, "piston", "", volume.mean / problem->piston.area);
    if (!isnan(volume.error))
        result_add_error(result, "piston_error", volume.error / problem->piston.area, volume.samples,
                         "samples");
    add_known(result, "piston_fluctuation", "", volume.variance / (volume.mean * volume.mean));
}

static void add_averages(const struct gas_common *common, const struct gas_averages *averages,
                         const struct shoal_gas_thermo *thermo, struct shoal_result *result)
{
    const struct gas_average kinetic = gas_averages_get(averages, GAS_MEAN_KINETIC);
    add_average(result, averages, GAS_MEAN_TEMPERATURE, "temperature", "temperature_error");
    add_average(result, averages, GAS_MEAN_PRESSURE, "pressure", "pressure_error");
    add_average(result, averages, GAS_MEAN_WALL_PRESSURE, "wall_pressure", "wall_pressure_error");
    add_piston(common->problem, averages, result);
    if (gas_changes_volume(common->problem->params)) {
        add_average(result, averages, GAS_MEAN_VOLUME, "volume", "volume_error");
        add_average(result, averages, GAS_MEAN_DENSITY, "mean_density", "mean_density_error");
    }
    add_average(result, averages, GAS_MEAN_POTENTIAL, "potential", "potential_error");
    add_average(result, averages, GAS_MEAN_KINETIC, "kinetic", "kinetic_error");
    result_add_uint(result, "samples", "", kinetic.samples);
    add_known(result, "energy_slope", "per time", gas_averages_slope(averages));
    if (common->problem->params->thermostat != SHOAL_GAS_NVE &&
        !gas_is_changing(&common->problem->timetable, GAS_TEMPERATURE) && kinetic.samples > 1) {
        add_known(result, "kinetic_fluctuation", "", kinetic.variance / (kinetic.mean * kinetic.mean));
        result_join_real(result, "kinetic_fluctuation_canonical", "", 2 / common->problem->degrees);
    }
    add_tensor(common, result);
    const double conserved = thermo->conserved / (double)common->problem->n;
    if (gas_exchanges_heat(common->problem->params))
        result_add_real(result, "conserved", "", conserved);
    else
        result_add_unshown(result, "conserved", conserved);
    add_tail(common->problem, result);
    add_known(result, "max_speed", "", thermo->max_speed);
    add_diffusion(common, result);
    add_origins(common, result);
    add_sampled(common, SHOAL_GAS_HEXATIC, GAS_HEXATIC, gas_hexatic_names, gas_hexatic_error_names, result);
    add_sampled(common, SHOAL_GAS_CLUSTERS, GAS_CLUSTERS, gas_cluster_names, gas_cluster_error_names, result);
}

/* Adds the results of the minimisation. If particles of the start overlap, the energy before the minimisation
 * may be infinite. */
static void add_minimum(const struct gas_common *common, struct shoal_result *result)
{
    const struct gas_minimum *minimum = &common->minimum;
    const double n = (double)common->problem->n;
    if (!gas_minimises(common->problem))
        return;
    result_add_uint(result, "minimise_steps", "", minimum->steps);
    if (isfinite(minimum->before))
        result_add_real(result, "minimise_before", "", minimum->before / n);
    if (isfinite(minimum->after))
        result_add_real(result, "minimise_after", "", minimum->after / n);
    result_add_real(result, "minimise_largest", "", minimum->force);
}

static void add_timing(const struct shoal_gas_timing *timing, struct shoal_result *result)
{
    const double parts[] = {timing->force_s, timing->list_s, timing->sort_s, timing->observe_s};
    static const char *const names[] = {"force_share", "list_share", "sort_share", "observe_share"};
    double sum = 0;
    for (size_t i = 0; i < 4; i++)
        sum += isnan(parts[i]) ? 0 : parts[i];
    /* Fractions of the time need the total, and so the time of the forces. */
    for (size_t i = 0; i < 4 && sum > 0 && !isnan(timing->force_s); i++)
        add_known(result, names[i], "", parts[i] / sum);
    add_known(result, "neighbours", "", timing->mean_neighbours);
    add_known(result, "skin", "", timing->skin);
    if (timing->rebuilds) {
        result_add_uint(result, "rebuilds", "", timing->rebuilds);
        result_add_uint(result, "rebuilds_by_violation", "", timing->violations);
        add_known(result, "rebuild_interval", "steps", timing->rebuild_interval);
    }
}

static void add_check(const struct check *check, struct shoal_result *result)
{
    add_known(result, "force_error", "", check->force);
    add_known(result, "energy_error", "", check->energy);
    add_known(result, "momentum_change", "", check->momentum);
}

/* Largest accepted drift of the conserved energy per particle over the run, as a fraction of the kinetic
 * energy per particle. A larger drift affects the averages, and gives a warning. */
static const double large_drift = 0.01;

static void warn_of_drift(const struct gas_common *common, const struct gas_averages *averages,
                          const struct shoal_gas_thermo *thermo, struct gas_summary *summary,
                          struct shoal_result *result)
{
    const double slope = gas_averages_slope(averages);
    const double drift = slope * (thermo->time - common->clock.first.time);
    const double kinetic = gas_averages_get(averages, GAS_MEAN_KINETIC).mean;
    /* At constant pressure the conserved energy contains the errors of the changes of the box, too, which a
     * shorter time step does not reduce. */
    if (!(fabs(drift) > large_drift * kinetic) || gas_has_changing_force(common->problem) ||
        !isnan(common->problem->params->pressure))
        return;
    snprintf(summary->warning, sizeof summary->warning,
             "the conserved energy drifts: %+.3g a particle in this run, whose kinetic energy is %.3g a "
             "particle: lower dt%s",
             drift, kinetic,
             common->problem->cut == SHOAL_GAS_CUT_TRUNCATED && isfinite(common->problem->pair.cutoff2)
                 ? ", or let the force go to 0 at the cutoff (cut force-shifted)"
                 : "");
    result->warning = summary->warning;
}

static void note_equilibration(const struct gas_common *common, const struct gas_averages *averages,
                               struct shoal_result *result)
{
    const struct shoal_gas_params *params = common->problem->params;
    if (params->equilibration == 0 && params->start == SHOAL_GAS_LATTICE && !params->start_file &&
        !common->problem->past.steps && gas_averages_get(averages, GAS_MEAN_KINETIC).samples > 1)
        result->note =
            "the averages include the first steps from the lattice: --equilibration N leaves them out";
}

/* Roof -------------------------------------------------------------------------------------------------- */

/* Bytes that a step by neighbour lists must read and write for each particle: position, velocity, reference
 * position, list and number of neighbours. Positions of neighbours come from caches. */
static double list_bytes(const struct shoal_solver *solver, double neighbours)
{
    const size_t dim = gas_common_of(solver)->problem->dim;
    const int32_t precision = solver->queue ? gas_params(solver)->precision : SHOAL_GAS_DOUBLE;
    const double parts = solver->queue && dim == 3 ? 4 : (double)dim,
                 position = parts * (precision == SHOAL_GAS_DOUBLE ? 8 : 4),
                 velocity = parts * (precision == SHOAL_GAS_SINGLE ? 4 : 8);
    /* A solver of several shares has no list itself; the lists of all shares have entries of one width. */
    const size_t entry = gas_common_of(gas_const_holder(solver))->entry_bytes, number = sizeof(uint32_t);
    return 3 * position + 2 * velocity + (double)(entry ? entry : number) * neighbours + (double)number;
}

/* Sets the roof of the run: memory bandwidth for neighbour lists, arithmetic for all-pairs methods in single
 * precision, which evaluate each of the n^2 ordered pairs. The logarithmic law needs one reciprocal for a
 * pair, computed by the special-function units. Lennard-Jones' law needs 14 instructions for a pair: 2
 * subtractions, 2 for the squared distance, the test for a near pair, a part of the branch, a reciprocal, 4
 * for the force, 2 sums and a part of the loads. A multiprocessor issues all these instructions at the rate
 * of fused multiply-adds, each of which counts as two operations in the measured rate. */
static void set_roof(const struct shoal_solver *solver, const struct shoal_gas_timing *timing,
                     struct shoal_result *result)
{
    enum { INSTRUCTIONS = 14 };
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const bool is_direct = strncmp(timing->method, "all-pairs", strlen("all-pairs")) == 0,
               is_single = gas_params(solver)->precision == SHOAL_GAS_SINGLE;
    if (!isnan(timing->mean_neighbours)) {
        result->roof = SHOAL_ROOF_COPY_BYTES;
        result->roof_work = list_bytes(solver, timing->mean_neighbours);
    } else if (is_direct && is_single && problem->kind == GAS_PAIR_LOG) {
        result->roof = SHOAL_ROOF_SFU_OPS;
        result->roof_work = (double)problem->n;
    } else if (is_direct && is_single && problem->kind == GAS_PAIR_LJ) {
        result->roof = SHOAL_ROOF_FP32_FLOPS;
        result->roof_work = 2.0 * INSTRUCTIONS * (double)problem->n;
    }
}

/* Result ------------------------------------------------------------------------------------------------ */

enum shoal_status gas_result(struct shoal_solver *solver, struct shoal_result *result,
                             struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    struct shoal_gas_thermo thermo;
    struct shoal_gas_frame frame;
    struct shoal_gas_timing timing = {.force_s = NAN,
                                      .list_s = NAN,
                                      .sort_s = NAN,
                                      .observe_s = NAN,
                                      .mean_neighbours = NAN,
                                      .skin = NAN,
                                      .rebuild_interval = NAN};
    common->stepper->timing(solver, &timing);
    struct check check = {.passed = true, .by_fmm = strcmp(timing.method, "fmm") == 0};
    struct gas_averages *averages = NULL;
    if (!common->summary)
        common->summary = calloc(1, sizeof *common->summary);
    if (!common->summary)
        return fail_host_memory(error);
    const double allowed = common->stepper->force_tolerance(solver);
    enum shoal_status status = gas_measure(solver, &thermo, error);
    if (!status)
        status = gas_frame(solver, &frame, error);
    if (!status)
        status = check_forces(solver, allowed, &check, error);
    if (!status)
        status = check_energy(solver, &thermo, allowed, &check, error);
    if (!status)
        status = find_averages(common, &thermo, &averages, error);
    if (status)
        return status;
    check_momentum(common, &thermo, allowed, &check);
    common->stepper->timing(solver, &timing);
    *result = (struct shoal_result){
        .value = thermo.total / (double)problem->n,
        .value_name = "energy per particle",
        .error = isnan(check.energy) || check.by_fmm ? check.force : check.energy,
        .check_passed = check.passed,
        .check_name = isnan(check.energy)
                          ? "forces on sampled particles recomputed in double at the last positions"
                          : "energy, and forces on sampled particles, recomputed in double at the last "
                            "positions",
        .steps = common->clock.steps_done,
        .work = (double)problem->n * (double)common->clock.steps_done,
        .step_work = (double)problem->n,
        .work_unit = "particle-steps",
    };
    memcpy(result->check_failure, check.failure, sizeof result->check_failure);
    set_roof(solver, &timing, result);
    add_system(solver, common->summary, &timing, result);
    add_minimum(common, result);
    add_averages(common, averages, &thermo, result);
    add_check(&check, result);
    add_timing(&timing, result);
    warn_of_drift(common, averages, &thermo, common->summary, result);
    note_equilibration(common, averages, result);
    gas_averages_destroy(&averages);
    return SHOAL_OK;
}
