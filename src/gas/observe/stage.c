/* Stages of a gas: writes the state at the end of a stage, and loads it as the start of the next stage. */
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/observe/sampling.h"
#include "gas/piston/piston.h"

#include <stdlib.h>
#include <string.h>

static const char past_section[] = "past", box_section[] = "box", position_section[] = "whole position",
                  velocity_section[] = "whole velocity", image_section[] = "image",
                  piston_section[] = "whole piston";

void gas_past_save(const struct gas_problem *problem, struct checkpoint *checkpoint)
{
    if (problem->past.steps)
        checkpoint_add(checkpoint, past_section, &problem->past, sizeof problem->past);
}

/* Takes the box, which a pressure may have changed, in this stage or an earlier one. */
static enum shoal_status take_box(struct gas_problem *problem, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    double length[GAS_MAX_DIM];
    struct shoal_error ignored;
    if (!checkpoint_find(checkpoint, box_section))
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, box_section, length, sizeof length, error);
    if (status || memcmp(length, problem->length, sizeof length) == 0)
        return status;
    bool sound = gas_has_moving_box(problem);
    for (size_t k = 0; k < problem->dim; k++)
        sound = sound && length[k] >= 1e-6 && length[k] <= 1e15;
    if (!sound || gas_check_cutoff(problem->params, length, problem->pair.cutoff, &ignored))
        return checkpoint_damaged(checkpoint, error);
    gas_set_box(problem, length);
    return SHOAL_OK;
}

enum shoal_status gas_past_load(struct gas_problem *problem, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    struct gas_past past = {0};
    enum shoal_status status = SHOAL_OK;
    if (checkpoint_find(checkpoint, past_section))
        status = checkpoint_get(checkpoint, past_section, &past, sizeof past, error);
    if (!status && (past.shown > past.steps || !isfinite(past.time) || !isfinite(past.conserved)))
        status = checkpoint_damaged(checkpoint, error);
    if (status)
        return status;
    const struct gas_past before = problem->past;
    problem->past = past;
    status = take_box(problem, checkpoint, error);
    if (status)
        problem->past = before;
    return status;
}

enum shoal_status gas_leave(struct shoal_solver *solver, struct checkpoint *checkpoint,
                            struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const size_t numbers = problem->n * problem->dim;
    struct shoal_gas_thermo thermo;
    struct shoal_gas_frame frame;
    if (gas_is_equilibrating(common))
        return fail(
            error, SHOAL_INVALID,
            "a stage cannot end within its equilibration: make all its steps, with a longer time limit "
            "if there is one");
    enum shoal_status status = gas_measure(solver, &thermo, error);
    if (!status)
        status = gas_frame(solver, &frame, error);
    if (status)
        return status;
    const uint64_t steps = problem->past.steps + common->clock.steps_done;
    common->left = (struct gas_past){
        .steps = steps ? steps : 1, .shown = thermo.step, .time = thermo.time, .conserved = thermo.conserved};
    checkpoint_add(checkpoint, past_section, &common->left, sizeof common->left);
    checkpoint_add(checkpoint, position_section, frame.position, numbers * sizeof *frame.position);
    checkpoint_add(checkpoint, velocity_section, frame.velocity, numbers * sizeof *frame.velocity);
    checkpoint_add(checkpoint, box_section, problem->length, sizeof problem->length);
    checkpoint_add(checkpoint, image_section, frame.image, numbers * sizeof *frame.image);
    if (problem->piston.acts)
        checkpoint_add(checkpoint, piston_section, &problem->piston.now, sizeof problem->piston.now);
    return SHOAL_OK;
}

/* Checks that the ranges of samples fit the box that this stage takes, and chooses its wave vectors. */
static enum shoal_status fit_samples(struct gas_common *common, struct gas_problem *problem,
                                     struct shoal_error *error)
{
    struct shoal_error reason;
    if (gas_check_ranges(problem->params, problem->length, &reason))
        return fail(error, SHOAL_INVALID, "the stage before left another box, in which %s", reason.message);
    return gas_waves_fit(problem, &common->tables, error);
}

/* Sets the piston to where the stage before left it, if that stage had one. */
static enum shoal_status take_piston(struct gas_piston *piston, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    struct gas_piston_state state;
    if (!piston->acts || !checkpoint_find(checkpoint, piston_section))
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, piston_section, &state, sizeof state, error);
    if (!status && !gas_piston_is_sound(piston, &state))
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        piston->now = state;
    return status;
}

/* Sets the particles at the start of this stage, before the solver begins. The velocities are those of the
 * full step, so that stages may have different time steps. */
enum shoal_status gas_take_past(struct gas_common *common, struct gas_problem *problem,
                                const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const size_t numbers = problem->n * problem->dim;
    if (common->begun)
        return fail(error, SHOAL_INVALID, "a stage begins with a solver that has made no step");
    if (!problem->image)
        problem->image = calloc(numbers, sizeof *problem->image);
    if (!problem->image)
        return fail_host_memory(error);
    enum shoal_status status = checkpoint_get(checkpoint, position_section, problem->position,
                                              numbers * sizeof *problem->position, error);
    if (!status)
        status = checkpoint_get(checkpoint, velocity_section, problem->velocity,
                                numbers * sizeof *problem->velocity, error);
    if (!status)
        status = checkpoint_get(checkpoint, image_section, problem->image, numbers * sizeof *problem->image,
                                error);
    if (!status)
        status = gas_past_load(problem, checkpoint, error);
    if (!status)
        status = take_piston(&problem->piston, checkpoint, error);
    return status ? status : fit_samples(common, problem, error);
}
