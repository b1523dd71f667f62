/* Creates the problem of a gas from its parameters: box, pair force, start. */
#include "gas/model/problem.h"
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "gas/fmm/fmm.h"
#include "gas/model/pair_code.h"
#include "gas/piston/piston.h"
#include "gas/species/species.h"
#include "gas/start/start.h"
#include "workload/checkpoint/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest value of the option `particles`. */
static const double max_particles = 268435456;

double gas_image(const struct gas_problem *problem, size_t axis, double difference)
{
    if (problem->boundary[axis] != SHOAL_GAS_PERIODIC)
        return difference;
    return difference - problem->length[axis] * rint(difference / problem->length[axis]);
}

double gas_mean_neighbours(const struct gas_problem *problem, double range)
{
    const double pi = 3.14159265358979324;
    const double reached = problem->dim == 2 ? pi * range * range : 4 * pi / 3 * range * range * range;
    return (double)problem->n / problem->volume * reached;
}

/* Memory ----------------------------------------------------------------------------------------------- */

enum shoal_status gas_check_host(const struct gas_problem *problem, double bytes, struct shoal_error *error)
{
    char what[48];
    snprintf(what, sizeof what, "%zu particles", problem->n);
    const double start = (double)problem->n * (double)problem->dim * 2 * sizeof(double);
    return check_host_memory(start + bytes, what, "lower --particles", error);
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Reads and checks the text of the pair force. Error messages name the file. */
static enum shoal_status read_pair(const struct shoal *shoal, struct gas_problem *problem,
                                   struct shoal_error *error)
{
    const char *path = problem->params->pair_force;
    problem->pair_name = file_base_name(path);
    char *text = NULL;
    enum shoal_status status = read_input_text(path, "pair force", &text, error);
    if (!status)
        status =
            fail_in_file(error, pair_code_check(shoal, text, problem->pair_name, &problem->pair_text, error));
    free(text);
    return status;
}

static enum shoal_status make_pair(struct shoal *shoal, struct gas_problem *problem,
                                   struct shoal_error *error)
{
    if (problem->params->pair_force) {
        enum shoal_status status = read_pair(shoal, problem, error);
        if (!status)
            status = pair_code_create(shoal, problem->pair_text, problem->pair_name, &problem->code, error);
        if (status)
            return status;
    }
    return gas_set_pair(problem, error);
}

/* Whether other causes than pair forces, reflecting walls and the field change the momentum along every axis.
 * Thermal and damping walls do, since they change all components of a velocity. */
static bool loses_momentum(const struct gas_problem *problem)
{
    bool loses = problem->params->thermostat == SHOAL_GAS_LANGEVIN || problem->rules.limit;
    for (size_t k = 0; k < problem->dim; k++)
        loses = loses || problem->wall[k][0] != SHOAL_GAS_WALL_REFLECT ||
                problem->wall[k][1] != SHOAL_GAS_WALL_REFLECT;
    return loses;
}

/* Number of degrees of freedom, less one for each axis along which momentum is conserved. */
static double degrees_of(const struct gas_problem *problem)
{
    double degrees = (double)problem->n * (double)problem->dim;
    if (problem->n < 2 || loses_momentum(problem))
        return degrees;
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] != SHOAL_GAS_WALLS && !gas_is_pushed(problem, k))
            degrees--;
    return degrees;
}

/* Checks that a trap has a middle along each axis, and that the walls allow its force. */
static enum shoal_status check_trap(const struct gas_problem *problem, struct shoal_error *error)
{
    if (!gas_acts(problem, GAS_TRAP))
        return SHOAL_OK;
    if (problem->any_periodic)
        return fail(error, SHOAL_INVALID,
                    "a trap pulls to the middle of the box, which periodic axes lack: take --boundary-x%s "
                    "walls or open",
                    problem->dim == 3 ? ", --boundary-y and --boundary-z" : " and --boundary-y");
    if (problem->any_wall && problem->params->wall_method == SHOAL_GAS_W4)
        return fail(error, SHOAL_INVALID,
                    "--wall-method w4 is exact under a constant acceleration, not in a trap: take another");
    return SHOAL_OK;
}

/* Checks that nothing but pairs and the thermostat acts on particles in a box of constant pressure. */
static enum shoal_status check_pressure(const struct gas_problem *problem, struct shoal_error *error)
{
    bool is_pushed = false;
    for (size_t k = 0; k < problem->dim; k++)
        is_pushed = is_pushed || gas_is_pushed(problem, k);
    if (isnan(problem->params->pressure))
        return SHOAL_OK;
    if (is_pushed)
        return fail(error, SHOAL_INVALID,
                    "--pressure keeps the pressure of a uniform gas: leave out the field, or the pressure");
    if (problem->rules.limit || gas_method_of(problem->params) > SHOAL_GAS_FMM)
        return fail(
            error, SHOAL_INVALID,
            "--pressure is for --method allpairs and list, without a limiter of speeds: leave out the "
            "options of the thesis, or the pressure");
    return SHOAL_OK;
}

static void free_file(struct gas_problem *problem)
{
    if (problem->file)
        particles_free(problem->file);
    free(problem->file);
    problem->file = NULL;
}

enum shoal_status gas_read_start(struct shoal *shoal, const struct shoal_gas_params *params,
                                 struct particles *file, struct shoal_error *error)
{
    const char *path = params->start_file;
    enum shoal_status status = checkpoint_is_at(path) ? gas_read_checkpoint(shoal, path, file, error)
                                                      : particles_read(path, file, error);
    for (size_t i = 0; !status && file->has_momenta && i < 3 * file->count; i++)
        file->velocity[i] /= params->mass;
    return status;
}

static enum shoal_status read_start(struct shoal *shoal, struct gas_problem *problem,
                                    struct shoal_error *error)
{
    problem->file = calloc(1, sizeof *problem->file);
    return problem->file ? gas_read_start(shoal, problem->params, problem->file, error)
                         : fail_host_memory(error);
}

/* Checks that the box of the start file has a length along each axis for which no option gives the length. */
static enum shoal_status check_file_box(const struct gas_problem *problem, struct shoal_error *error)
{
    static const char *const names[] = {"width", "height", "depth"};
    const struct shoal_gas_params *params = problem->params;
    const double given[] = {params->width, params->height, params->depth};
    for (size_t k = 0; k < problem->dim && problem->file->has_box; k++)
        if (isnan(given[k]) && !(problem->file->length[k] > 0))
            return fail(error, SHOAL_INVALID, "%s: its box has no length along %c: give --%s",
                        params->start_file, "xyz"[k], names[k]);
    return SHOAL_OK;
}

static enum shoal_status make_box(struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const struct particles *file = problem->file;
    problem->dim = (size_t)params->dim;
    problem->n = file ? file->count : gas_particles_of(params);
    const bool whole =
        !isnan(params->width) && !isnan(params->height) && (problem->dim == 2 || !isnan(params->depth));
    if (file && !file->has_box && !whole)
        return fail(error, SHOAL_INVALID, "%s has no box: give --width%s", params->start_file,
                    problem->dim == 3 ? ", --height and --depth" : " and --height");
    if (file && params->particles && params->particles != file->count)
        return fail(error, SHOAL_INVALID, "--particles is %llu, but %s holds %zu: leave --particles out",
                    (unsigned long long)params->particles, params->start_file, file->count);
    if (file && (double)file->count > max_particles)
        return fail(error, SHOAL_INVALID, "%s holds %zu particles, %.0f are allowed", params->start_file,
                    file->count, max_particles);
    enum shoal_status status = file ? check_file_box(problem, error) : SHOAL_OK;
    if (!status)
        status = gas_box_of(params, problem->n, file && file->has_box ? file->length : NULL, problem->length,
                            error);
    problem->volume = 1;
    for (size_t k = 0; k < problem->dim && !status; k++) {
        problem->boundary[k] = gas_boundary_of(params, k);
        problem->any_wall = problem->any_wall || problem->boundary[k] == SHOAL_GAS_WALLS;
        problem->any_periodic = problem->any_periodic || problem->boundary[k] == SHOAL_GAS_PERIODIC;
        for (size_t side = 0; side < 2; side++)
            problem->wall[k][side] = gas_wall_of(params, k, side);
        problem->volume *= problem->length[k];
    }
    problem->degrees = degrees_of(problem);
    problem->wall_temperature = gas_given_or(params->wall_temperature, params->temperature);
    problem->wall_damping = gas_given_or(params->wall_damping, 0.9);
    problem->wall_stiffness = gas_given_or(params->wall_stiffness, 1000);
    return status;
}

void gas_set_start_temperature(struct gas_problem *problem, const double *velocity, size_t stride)
{
    double squares = 0;
    problem->start_temperature = NAN;
    if (!velocity)
        return;
    for (size_t i = 0; i < problem->n; i++)
        for (size_t k = 0; k < problem->dim; k++)
            squares += gas_mass(problem, i) / problem->params->mass * velocity[stride * i + k] *
                       velocity[stride * i + k];
    problem->start_temperature =
        problem->degrees > 0 ? problem->params->mass * squares / problem->degrees : 0;
}

void gas_set_box(struct gas_problem *problem, const double length[GAS_MAX_DIM])
{
    double reach = problem->pair.cutoff;
    problem->volume = 1;
    for (size_t k = 0; k < problem->dim; k++) {
        problem->length[k] = length[k];
        problem->volume *= length[k];
        reach = fmin(reach, length[k]);
    }
    /* A particle that moves by more than half of the cutoff, or half of the shortest length of the box, in
     * one step counts as exploded: such a step is not physical. */
    problem->farthest_step2 = 0.25 * reach * reach;
}

static void set_step_constants(struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    const bool is_euler = params->integrator == SHOAL_GAS_EULER || problem->rules.move;
    const double density = (double)problem->n / problem->volume;
    problem->half_step = is_euler ? 0 : 0.5 * params->dt;
    problem->compressibility = NAN;
    if (!isnan(params->pressure))
        problem->compressibility =
            gas_given_or(params->compressibility, 1 / (params->pressure + density * params->temperature));
    gas_set_box(problem, problem->length);
    gas_piston_create(problem);
    gas_set_step(problem, 0);
}

double gas_value_after(const struct gas_problem *problem, enum gas_quantity quantity, uint64_t steps_done)
{
    const uint64_t before = problem->params->equilibration;
    return gas_value_at(&problem->timetable, problem->params, quantity,
                        steps_done > before ? steps_done - before : 0);
}

void gas_set_step(struct gas_problem *problem, uint64_t steps_done)
{
    const struct shoal_gas_params *params = problem->params;
    const double friction = gas_value_after(problem, GAS_FRICTION, steps_done + 1) * params->dt;
    const double temperature = gas_value_after(problem, GAS_TEMPERATURE, steps_done + 1);
    for (size_t k = 0; k < problem->dim; k++)
        problem->field[k] = gas_value_after(problem, (enum gas_quantity)(GAS_FIELD + k), steps_done);
    problem->trap = gas_value_after(problem, GAS_TRAP, steps_done);
    problem->piston.pressure = gas_given_or(gas_value_after(problem, GAS_PISTON_PRESSURE, steps_done), 0);
    problem->piston.speed = gas_given_or(gas_value_after(problem, GAS_PISTON_SPEED, steps_done), 0);
    problem->langevin_keep = exp(-friction);
    problem->langevin_noise = sqrt(temperature / params->mass * -expm1(-2 * friction));
}

enum shoal_status gas_problem_create(struct shoal *shoal, const struct shoal_gas_params *params,
                                     struct gas_problem *problem, struct shoal_error *error)
{
    *problem = (struct gas_problem){.params = params, .rules = gas_rules_of(params)};
    enum shoal_status status = gas_timetable_create(params, &problem->timetable, error);
    if (!status && gas_start_of(params) == SHOAL_GAS_FILE)
        status = read_start(shoal, problem, error);
    if (!status)
        status = make_box(problem, error);
    if (!status)
        status = check_trap(problem, error);
    if (!status)
        status = check_pressure(problem, error);
    if (!status)
        status = gas_species_create(problem, error);
    if (!status) {
        gas_set_start_temperature(problem, problem->file ? problem->file->velocity : NULL, 3);
        status = make_pair(shoal, problem, error);
    }
    if (!status)
        status = gas_check_cutoff(params, problem->length, problem->pair.cutoff, error);
    if (!status)
        status = gas_check_ranges(params, problem->length, error);
    if (!status && params->method == SHOAL_GAS_LIST && isinf(problem->pair.cutoff))
        status = fail(error, SHOAL_INVALID,
                      "--method list needs a force that ends at a cutoff: give --cutoff, or take allpairs");
    if (!status && params->method == SHOAL_GAS_FMM)
        status = gas_fmm_check(problem, error);
    if (status)
        gas_problem_destroy(problem);
    else
        set_step_constants(problem);
    return status;
}

static enum shoal_status check_start_and_box(struct gas_problem *problem, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (gas_start_of(problem->params) == SHOAL_GAS_FILE)
        status = read_start(NULL, problem, error);
    if (!status)
        status = make_box(problem, error);
    const double cutoff = gas_cutoff_of(problem->params);
    /* A cutoff in the text of the pair force is known only after the text is compiled. */
    if (!status && !isnan(cutoff))
        status = gas_check_cutoff(problem->params, problem->length, cutoff, error);
    return status;
}

/* Checks the text of a pair force: its rules, and that the compiler of the host accepts it. */
static enum shoal_status check_pair(struct shoal *shoal, struct gas_problem *problem,
                                    struct shoal_error *error)
{
    enum shoal_status status = read_pair(shoal, problem, error);
    if (!status && isnan(gas_cutoff_of(problem->params)) && !strstr(problem->pair_text, "CUTOFF"))
        status = gas_fail_without_cutoff(problem, error);
    return status ? status : pair_code_try(shoal, problem->pair_text, problem->pair_name, error);
}

enum shoal_status gas_check_input(struct shoal *shoal, const void *data, struct shoal_error *error)
{
    const struct shoal_gas_params *params = data;
    struct gas_problem problem = {.params = params};
    enum shoal_status status = gas_timetable_create(params, &problem.timetable, error);
    if (status)
        return status;
    gas_timetable_destroy(&problem.timetable);
    if (gas_start_of(params) == SHOAL_GAS_FILE && checkpoint_is_at(params->start_file))
        status = gas_check_checkpoint(params->start_file, error);
    else if (params->pair_force)
        status = check_start_and_box(&problem, error);
    else
        status = gas_problem_create(NULL, params, &problem, error);
    if (!status && params->pair_force)
        status = check_pair(shoal, &problem, error);
    gas_problem_destroy(&problem);
    return status;
}

enum shoal_status gas_problem_start(struct shoal *shoal, struct gas_problem *problem,
                                    struct shoal_error *error)
{
    const struct particles *file = problem->file;
    problem->position = calloc(problem->n * problem->dim, sizeof *problem->position);
    problem->velocity = calloc(problem->n * problem->dim, sizeof *problem->velocity);
    if (file && file->image)
        problem->image = calloc(problem->n * problem->dim, sizeof *problem->image);
    if (!problem->position || !problem->velocity || (file && file->image && !problem->image))
        return fail_host_memory(error);
    if (!file || !file->velocity)
        gas_set_velocities(problem);
    enum shoal_status status = gas_place(problem, file, error);
    if (!status)
        status = gas_check_overlaps(problem, NULL, error);
    if (!status && file)
        status = gas_warn_of_file(shoal, problem, error);
    free_file(problem);
    return status;
}

void gas_problem_destroy(struct gas_problem *problem)
{
    gas_timetable_destroy(&problem->timetable);
    gas_species_destroy(problem);
    pair_code_destroy(&problem->code);
    free(problem->pair_text);
    free(problem->position);
    free(problem->velocity);
    free(problem->image);
    free(problem->notes);
    free_file(problem);
    *problem = (struct gas_problem){0};
}
