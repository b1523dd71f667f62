/* Passes the constants of a gas to kernels: the -D values and the buffer of settings. */
#include "cl/gas/choices.clh"
#include "gas/device/device.h"
#include "gas/device/observe.h"
#include "gas/model/thermostat.h"
#include "gas/species/species_device.h"

#include <math.h>

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(CHAIN_LINKS, GAS_CHAIN);
SAME(SINGLE, SHOAL_GAS_SINGLE);
SAME(MIXED, SHOAL_GAS_MIXED);
SAME(DOUBLE, SHOAL_GAS_DOUBLE);
SAME(PERIODIC, SHOAL_GAS_PERIODIC);
SAME(WALLS, SHOAL_GAS_WALLS);
SAME(OPEN, SHOAL_GAS_OPEN);
SAME(REFLECT, SHOAL_GAS_WALL_REFLECT);
SAME(THERMAL, SHOAL_GAS_WALL_THERMAL);
SAME(DAMPING, SHOAL_GAS_WALL_DAMPING);
SAME(W2, SHOAL_GAS_W2);
SAME(W3, SHOAL_GAS_W3);
SAME(W4, SHOAL_GAS_W4);
SAME(W5, SHOAL_GAS_W5);
SAME(NVE, SHOAL_GAS_NVE);
SAME(LANGEVIN, SHOAL_GAS_LANGEVIN);
SAME(RESCALE, SHOAL_GAS_RESCALE);
SAME(CHAIN, SHOAL_GAS_CHAIN);
SAME(LENNARD_JONES, GAS_PAIR_LJ);
SAME(LOG, GAS_PAIR_LOG);
SAME(LOG_REPULSION, GAS_PAIR_LOG_REPULSION);
SAME(REAL_GAS, GAS_PAIR_REAL);
SAME(GRAVITY, GAS_PAIR_GRAVITY);
SAME(USER, GAS_PAIR_USER);
SAME(NO_CUT, SHOAL_GAS_CUT_DEFAULT);
SAME(TRUNCATED, SHOAL_GAS_CUT_TRUNCATED);
SAME(SHIFTED, SHOAL_GAS_CUT_SHIFTED);
SAME(FORCE_SHIFTED, SHOAL_GAS_CUT_FORCE_SHIFTED);
SAME(SMOOTHED, SHOAL_GAS_CUT_SMOOTHED);
_Static_assert(SET_EXTERNAL + EXTERNALS <= SET_PISTON_START && ROW_EXTERNAL + EXTERNALS <= SCHEDULE_ROW &&
                   SET_PISTON + PISTON_NUMBERS <= GAS_SETTINGS,
               "numbers in the buffer of settings overlap");

static void add_state(const struct gas_problem *problem, enum shoal_gas_precision precision,
                      struct defines *defines)
{
    int64_t boundaries = 0;
    for (size_t k = 0; k < problem->dim; k++)
        boundaries |= (int64_t)problem->boundary[k] << 2 * k;
    define_add(defines, "BOUNDARIES", boundaries);
    define_add(defines, "DIM", (int64_t)problem->dim);
    gas_species_defines(problem, defines);
    define_add(defines, "PRECISION", precision);
    define_add(defines, "REAL", precision == SHOAL_GAS_DOUBLE ? 64 : 32);
}

static void add_pair(const struct gas_problem *problem, struct defines *defines)
{
    const bool has_cut = isfinite(problem->pair.cutoff2);
    define_add(defines, "CUT", has_cut ? (int64_t)problem->cut : 0);
    define_add(defines, "POTENTIAL", problem->kind);
}

static void add_motion(const struct gas_problem *problem, struct defines *defines)
{
    const struct shoal_gas_params *params = problem->params;
    bool field = false;
    int64_t sides = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        field = field || gas_acts(problem, (enum gas_quantity)(GAS_FIELD + k));
        for (size_t side = 0; side < 2; side++)
            sides |= (int64_t)problem->wall[k][side] << 2 * (2 * k + side);
    }
    define_add(defines, "FIELD", field);
    define_add(defines, "LIMITED", problem->rules.limit != NULL);
    define_add(defines, "PISTON", problem->piston.acts ? (int64_t)problem->piston.axis + 1 : 0);
    define_add(defines, "SCHEDULE", gas_has_schedule(problem));
    define_add(defines, "SIDES", problem->any_wall ? sides : 0);
    /* Rescaling and the chain are no THERMOSTAT of these kernels: the host launches their kernels between
     * steps. */
    define_add(defines, "THERMOSTAT",
               params->thermostat == SHOAL_GAS_LANGEVIN ? SHOAL_GAS_LANGEVIN : SHOAL_GAS_NVE);
    define_add(defines, "TRAP", gas_acts(problem, GAS_TRAP));
    /* The wall method W1 is part of the text of the thesis' rules, which replaces a file of kernels with W3.
     */
    define_add(defines, "WALL_METHOD", problem->rules.side_to_turn_at ? SHOAL_GAS_W3 : params->wall_method);
}

void gas_state_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct gas_device *device = gas_device_of(solver);
    add_state(&device->problem, device->precision, defines);
}

void gas_pair_defines(const struct shoal_solver *solver, struct defines *defines)
{
    add_pair(&gas_device_of(solver)->problem, defines);
}

void gas_motion_defines(const struct shoal_solver *solver, struct defines *defines)
{
    add_motion(&gas_device_of(solver)->problem, defines);
}

void gas_problem_defines(const struct gas_problem *problem, struct defines *defines)
{
    add_state(problem, (enum shoal_gas_precision)problem->params->precision, defines);
    add_pair(problem, defines);
    add_motion(problem, defines);
}

double gas_grid_unit(const struct gas_problem *problem, size_t axis)
{
    return problem->length[axis] /
           (problem->boundary[axis] == SHOAL_GAS_PERIODIC ? 4294967296.0 : 1073741824.0);
}

static void fill_external(const struct gas_problem *problem, double wide[EXTERNALS])
{
    for (size_t k = 0; k < problem->dim; k++)
        wide[EXTERNAL_FIELD + k] = problem->field[k];
    wide[EXTERNAL_TRAP] = problem->trap / problem->params->mass;
    wide[EXTERNAL_PISTON_PRESSURE] = problem->piston.pressure;
    wide[EXTERNAL_PISTON_SPEED] = problem->piston.speed;
}

void gas_settings_of(const struct gas_problem *problem, double wide[GAS_SETTINGS])
{
    const struct shoal_gas_params *params = problem->params;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        wide[SET_UNIT + k] = gas_grid_unit(problem, k);
        wide[SET_INVERSE + k] = 1 / gas_grid_unit(problem, k);
        wide[SET_LENGTH + k] = problem->length[k];
    }
    fill_external(problem, wide + SET_EXTERNAL);
    wide[SET_DT] = params->dt;
    wide[SET_MASS] = params->mass;
    wide[SET_LANGEVIN_KEEP] = problem->langevin_keep;
    wide[SET_LANGEVIN_NOISE] = problem->langevin_noise;
    wide[SET_WALL_TEMPERATURE] = problem->wall_temperature;
    wide[SET_WALL_DAMPING] = problem->wall_damping;
    wide[SET_WALL_STIFFNESS] = problem->wall_stiffness;
    wide[SET_LIMIT] = problem->rules.factor;
    wide[SET_FARTHEST_STEP] = problem->farthest_step2;
    wide[SET_HALF_STEP] = problem->half_step;
    const struct gas_piston *piston = &problem->piston;
    wide[SET_PISTON_MASS] = isfinite(piston->mass) ? piston->mass : 0;
    wide[SET_PISTON_AREA] = piston->area;
    wide[SET_PISTON_SPRING] = piston->spring;
    wide[SET_PISTON_START] = piston->start;
    wide[SET_PISTON_LEAST] = piston->least;
    wide[SET_PISTON_LEAST + 1] = piston->most;
    const struct gas_pair *pair = &problem->pair;
    wide[SET_SOFTENING2] = pair->softening2;
    wide[SET_ATTRACTION] = pair->attraction;
    wide[SET_REPULSION] = pair->repulsion;
    wide[SET_SHORT_ATTRACTION] = pair->short_attraction;
    wide[SET_CUTOFF2] = pair->cutoff2;
    wide[SET_LJ12] = pair->lj12;
    wide[SET_LJ6] = pair->lj6;
    wide[SET_SHIFT_ENERGY] = pair->shift_energy;
    wide[SET_SHIFT_FORCE] = pair->shift_force;
    wide[SET_CUTOFF] = pair->cutoff;
    wide[SET_SWITCH2] = pair->switch2;
    wide[SET_SWITCH_INVERSE] = pair->switch_inverse;
}

void gas_kernel_texts(const struct gas_problem *problem, struct shoal_kernel_text texts[PROGRAMS_TEXTS])
{
    texts[0] = (struct shoal_kernel_text){
        .file = "gas/model/snippet.clh", .text = problem->pair_text, .shown = problem->pair_name};
    texts[1] = (struct shoal_kernel_text){.file = "gas/model/rules.clh", .text = problem->rules.text};
}

enum shoal_status gas_settings_put(struct shoal_solver *solver, size_t first, size_t count,
                                   const double *wide, struct shoal_error *error)
{
    enum { MOST = SCHEDULE_ROWS * SCHEDULE_ROW };
    const struct gas_device *device = gas_device_of(solver);
    float narrow[MOST];
    enum shoal_status status = SHOAL_OK;
    if (device->precision == SHOAL_GAS_DOUBLE)
        return shoal_buffer_write(solver->queue, device->settings, first * sizeof *wide, wide,
                                  count * sizeof *wide, error);
    for (size_t done = 0; done < count && !status; done += MOST) {
        const size_t some = count - done < MOST ? count - done : MOST;
        for (size_t i = 0; i < some; i++)
            narrow[i] = (float)wide[done + i];
        status = shoal_buffer_write(solver->queue, device->settings, (first + done) * sizeof *narrow, narrow,
                                    some * sizeof *narrow, error);
    }
    return status;
}

enum shoal_status gas_settings_write(struct shoal_solver *solver, struct shoal_error *error)
{
    double wide[GAS_SETTINGS] = {0};
    gas_settings_of(&gas_device_of(solver)->problem, wide);
    return gas_settings_put(solver, 0, SET_PISTON, wide, error);
}

enum shoal_status gas_fit_box(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_method *method = gas_device_method(solver);
    if (method->resized)
        method->resized(solver);
    gas_observer_resized(solver);
    return gas_settings_write(solver, error);
}

/* Schedule --------------------------------------------------------------------------------------------- */

bool gas_has_schedule(const struct gas_problem *problem)
{
    const struct gas_timetable *timetable = &problem->timetable;
    const bool shakes = problem->params->thermostat == SHOAL_GAS_LANGEVIN;
    return gas_has_changing_force(problem) || gas_is_changing(timetable, GAS_FRICTION) ||
           (shakes && gas_is_changing(timetable, GAS_TEMPERATURE));
}

enum shoal_status gas_schedule_write(struct shoal_solver *solver, uint64_t steps_done,
                                     struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct gas_problem *problem = &device->problem;
    if (!gas_has_schedule(problem) || steps_done < device->scheduled)
        return SHOAL_OK;
    double rows[SCHEDULE_ROWS][SCHEDULE_ROW] = {{0}};
    for (uint64_t done = steps_done; done < steps_done + SCHEDULE_ROWS; done++) {
        double *row = rows[(done + 1) % SCHEDULE_ROWS];
        gas_set_step(problem, done);
        row[ROW_LANGEVIN_KEEP] = problem->langevin_keep;
        row[ROW_LANGEVIN_NOISE] = problem->langevin_noise;
        fill_external(problem, row + ROW_EXTERNAL);
    }
    gas_set_step(problem, steps_done);
    device->scheduled = steps_done + SCHEDULE_ROWS;
    return gas_settings_put(solver, GAS_SETTINGS, (size_t)SCHEDULE_ROWS * SCHEDULE_ROW, *rows, error);
}

enum shoal_status gas_schedule_settle(struct shoal_solver *solver, uint64_t steps_done,
                                      struct shoal_error *error)
{
    struct gas_problem *problem = &gas_device_of(solver)->problem;
    gas_set_step(problem, steps_done);
    return gas_has_changing_force(problem) ? gas_settings_write(solver, error) : SHOAL_OK;
}
