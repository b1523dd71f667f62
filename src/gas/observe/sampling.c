/* Makes the steps of a gas; between steps takes samples and frames and calls functions of the caller. */
#include "gas/observe/sampling.h"
#include "base/clock.h"
#include "base/error.h"
#include "gas/model/changes.h"
#include "gas/model/problem.h"
#include "gas/observe/barostat.h"
#include "gas/piston/piston.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Common state ----------------------------------------------------------------------------------------- */

enum shoal_status gas_common_create(struct gas_common *common, struct gas_problem *problem,
                                    const struct gas_stepper *stepper, struct shoal_error *error)
{
    *common = (struct gas_common){.stepper = stepper, .problem = problem};
    enum shoal_status status = gas_averages_create(&common->averages, error);
    if (!status && problem->params->structure_bins)
        status = gas_waves_create(problem, &common->tables.waves, error);
    return status;
}

void gas_common_destroy(struct gas_common *common)
{
    gas_averages_destroy(&common->averages);
    gas_msd_clear(&common->msd);
    gas_summary_destroy(&common->summary);
    gas_tables_destroy(&common->tables);
    free(common->position);
    free(common->velocity);
    free(common->acceleration);
    free(common->image);
    free(common->counts);
    free(common->histogram);
    free(common->theory);
    text_free(&common->schedule);
    *common = (struct gas_common){0};
}

void gas_common_reset(struct gas_common *common)
{
    common->begun = false;
    common->clock = (struct gas_clock){0};
    common->heat = 0;
    common->minimum = (struct gas_minimum){0};
    common->box = (struct gas_box_sums){0};
    common->sampled_at = UINT64_MAX;
    gas_averages_reset(common->averages);
    gas_msd_clear(&common->msd);
    gas_tables_reset(&common->tables);
    gas_changes_forget(common->problem);
}

static void save_clock(const struct gas_clock *clock, struct gas_saved_clock *saved)
{
    memcpy(saved->head, clock, sizeof saved->head);
    memcpy(saved->first, &clock->first, sizeof saved->first);
    memcpy(saved->last, &clock->last, sizeof saved->last);
}

/* volume: of both samples, which serve for other members only. */
static void load_clock(const struct gas_saved_clock *saved, double volume, struct gas_clock *clock)
{
    memcpy(clock, saved->head, sizeof saved->head);
    memcpy(&clock->first, saved->first, sizeof saved->first);
    memcpy(&clock->last, saved->last, sizeof saved->last);
    clock->first.volume = clock->last.volume = volume;
}

enum shoal_status gas_common_save(struct gas_common *common, struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    save_clock(&common->clock, &common->saved_clock);
    checkpoint_add(checkpoint, "clock", &common->saved_clock, sizeof common->saved_clock);
    checkpoint_add(checkpoint, "averages", common->averages,
                   gas_averages_bytes(gas_changes_volume(common->problem->params)));
    checkpoint_add(checkpoint, "heat before", &common->heat, sizeof common->heat);
    if (gas_changes_volume(common->problem->params))
        checkpoint_add(checkpoint, "box sums", &common->box, sizeof common->box);
    if (!isnan(common->problem->start_temperature))
        checkpoint_add(checkpoint, "start temperature", &common->problem->start_temperature, sizeof(double));
    if (!isnan(common->problem->params->temperature_end))
        checkpoint_add(checkpoint, "ramp", &common->problem->params->steps, sizeof(uint64_t));
    if (gas_has_changing_force(common->problem)) {
        checkpoint_add(checkpoint, "field", common->problem->field, sizeof common->problem->field);
        checkpoint_add(checkpoint, "trap", &common->problem->trap, sizeof common->problem->trap);
    }
    if (gas_minimises(common->problem))
        checkpoint_add(checkpoint, "minimum", &common->minimum, sizeof common->minimum);
    gas_past_save(common->problem, checkpoint);
    gas_species_save(common->problem, checkpoint);
    checkpoint_add(checkpoint, "box", common->problem->length, sizeof common->problem->length);
    if (common->problem->params->msd)
        gas_msd_save(&common->msd, checkpoint);
    const enum shoal_status status = gas_changes_save(common->problem, checkpoint, error);
    return status ? status : gas_tables_save(common, checkpoint, error);
}

static bool is_sound(const struct gas_common *common)
{
    const struct gas_clock *clock = &common->clock;
    const uint64_t most = gas_is_equilibrating(common) ? 0 : (uint64_t)gas_run_step(common) + 1;
    return clock->samples <= most && clock->counted <= most &&
           gas_averages_are_sound(common->averages, clock->samples,
                                  gas_changes_volume(common->problem->params));
}

/* Checks that a resumed run has the same number of steps as the run before, if the temperature changes in a
 * ramp, whose temperatures depend on this number. Without a ramp the number may differ. */
static enum shoal_status check_ramp(const struct gas_problem *problem, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    uint64_t steps = 0;
    if (isnan(problem->params->temperature_end))
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, "ramp", &steps, sizeof steps, error);
    if (status || steps == problem->params->steps)
        return status;
    return fail(error, SHOAL_INVALID,
                "checkpoint %s is within a ramp of the temperature over %llu steps, not %llu: resume it with "
                "--steps %llu",
                checkpoint->path, (unsigned long long)steps, (unsigned long long)problem->params->steps,
                (unsigned long long)steps);
}

/* The bins of the histogram of speeds depend on the temperature of velocities that a caller has given.
 * Earlier versions saved no such temperature, and did not use it. */
static enum shoal_status load_start_temperature(struct gas_problem *problem,
                                                const struct checkpoint *checkpoint,
                                                struct shoal_error *error)
{
    double temperature = gas_start_of(problem->params) == SHOAL_GAS_FILE ? problem->start_temperature : NAN;
    const bool is_saved = checkpoint_find(checkpoint, "start temperature");
    enum shoal_status status = SHOAL_OK;
    if (is_saved)
        status = checkpoint_get(checkpoint, "start temperature", &temperature, sizeof temperature, error);
    if (!status && is_saved && !(temperature >= 0 && isfinite(temperature)))
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        problem->start_temperature = temperature;
    return status;
}

enum shoal_status gas_common_load(struct gas_common *common, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    enum shoal_status status =
        checkpoint_get(checkpoint, "clock", &common->saved_clock, sizeof common->saved_clock, error);
    if (!status) {
        load_clock(&common->saved_clock, common->problem->volume, &common->clock);
        status = check_ramp(common->problem, checkpoint, error);
    }
    gas_averages_reset(common->averages);
    if (!status)
        status = checkpoint_get(checkpoint, "averages", common->averages,
                                gas_averages_bytes(gas_changes_volume(common->problem->params)), error);
    common->box = (struct gas_box_sums){0};
    common->sampled_at = UINT64_MAX;
    if (!status && gas_changes_volume(common->problem->params))
        status = checkpoint_get(checkpoint, "box sums", &common->box, sizeof common->box, error);
    /* Earlier versions counted the heat of the equilibration as heat of the run. A run that began in such a
     * version continues to do so. */
    common->heat = 0;
    if (!status && checkpoint_find(checkpoint, "heat before"))
        status = checkpoint_get(checkpoint, "heat before", &common->heat, sizeof common->heat, error);
    if (!status && (!is_sound(common) || !isfinite(common->heat) || !isfinite(common->box.work) ||
                    !(common->box.inverse_volumes >= 0 && isfinite(common->box.inverse_volumes))))
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status = load_start_temperature(common->problem, checkpoint, error);
    if (!status && gas_minimises(common->problem))
        status = checkpoint_get(checkpoint, "minimum", &common->minimum, sizeof common->minimum, error);
    if (!status)
        status = gas_species_compare(common->problem, checkpoint, error);
    if (!status)
        status = gas_changes_load(common->problem, checkpoint, error);
    if (!status && common->problem->params->msd)
        status = gas_msd_load(&common->msd, checkpoint, (size_t)common->clock.samples, error);
    if (!status)
        status = gas_tables_load(common, checkpoint, error);
    if (status)
        gas_common_reset(common);
    else
        common->begun = true;
    return status;
}

/* Allocates `count` elements of `size` bytes, initialised to 0, unless *room is already allocated. */
static enum shoal_status make_room(void *room, size_t count, size_t size, struct shoal_error *error)
{
    void **pointer = room;
    if (!*pointer)
        *pointer = calloc(count ? count : 1, size);
    return *pointer ? SHOAL_OK : fail_host_memory(error);
}

/* Observables ------------------------------------------------------------------------------------------- */

void gas_frame_reach(const struct gas_problem *problem, struct shoal_gas_frame *frame)
{
    const struct gas_piston *piston = &problem->piston;
    double *length = &frame->length[piston->axis];
    if (!piston->acts || !(*length > problem->length[piston->axis]))
        return;
    for (size_t i = 0; i < problem->n; i++)
        *length = fmax(*length, frame->position[i * problem->dim + piston->axis]);
}

void gas_frame_describe(const struct gas_common *common, struct shoal_gas_species *species,
                        struct shoal_gas_frame *frame)
{
    const struct gas_problem *problem = common->problem;
    *frame = (struct shoal_gas_frame){.step = gas_shown_step(common),
                                      .time = gas_run_time(common),
                                      .particles = problem->n,
                                      .dim = problem->dim};
    if (problem->species) {
        gas_species_describe(problem, species);
        frame->species = species;
    }
    for (size_t k = 0; k < problem->dim; k++) {
        frame->length[k] = gas_shown_length(problem, k);
        frame->periodic[k] = problem->boundary[k] == SHOAL_GAS_PERIODIC;
    }
}

enum shoal_status gas_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame,
                            struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const size_t numbers = problem->n * problem->dim;
    enum shoal_status status = make_room(&common->position, numbers, sizeof(double), error);
    if (!status)
        status = make_room(&common->velocity, numbers, sizeof(double), error);
    if (!status)
        status = make_room(&common->image, numbers, sizeof(int32_t), error);
    if (!status)
        status = common->stepper->get_state(solver, common->position, common->velocity, common->image, error);
    if (status)
        return status;
    gas_frame_describe(common, &common->species, frame);
    frame->position = common->position;
    frame->velocity = common->velocity;
    frame->image = common->image;
    gas_frame_reach(problem, frame);
    return SHOAL_OK;
}

/* Measures all members of a sample except largest_cluster. *impulse: see struct gas_stepper. */
static enum shoal_status measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                 double *impulse, struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    *thermo = (struct shoal_gas_thermo){0};
    enum shoal_status status = common->stepper->measure(solver, thermo, impulse, error);
    if (status)
        return status;
    thermo->conserved += common->heat - common->box.work;
    thermo->step = gas_shown_step(common);
    thermo->time = gas_run_time(common);
    thermo->wall_pressure = (*impulse - common->clock.impulse) / (thermo->time - common->clock.time);
    if (!common->problem->any_wall || !(thermo->time > common->clock.time))
        thermo->wall_pressure = NAN;
    thermo->largest_cluster = NAN;
    return SHOAL_OK;
}

enum shoal_status gas_measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                              struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    double impulse;
    enum shoal_status status = measure(solver, thermo, &impulse, error);
    if (status || !(common->problem->params->cluster_distance > 0))
        return status;
    status = gas_tabulate(solver, false, error);
    if (!status)
        thermo->largest_cluster = common->tables.sums[SHOAL_GAS_CLUSTERS][CLUSTER_LARGEST];
    return status;
}

/* Events ------------------------------------------------------------------------------------------------ */

/* Adds the current state to the histograms and to the mean-square displacements. time: since step 0 of this
 * stage. */
static enum shoal_status record(struct shoal_solver *solver, double time, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    enum shoal_status status = SHOAL_OK;
    if (gas_has_histograms(problem)) {
        status = common->stepper->count(solver, error);
        common->clock.counted++;
        common->box.inverse_volumes += 1 / gas_volume(problem);
    }
    if (!status && problem->params->vacf)
        status = gas_origins_record(solver, error);
    if (status || !problem->params->msd)
        return status;
    double sums[GAS_MSD_GROUPS][GAS_MAX_DIM];
    if (common->msd.count == 0)
        status = common->stepper->mark(solver, error);
    if (!status)
        status = common->stepper->displacements(solver, sums, error);
    return status ? status : gas_msd_add(&common->msd, problem, time, sums, error);
}

/* Computes what a sample has of the tables. counts: the sample enters the averages. */
static enum shoal_status take_tables(struct shoal_solver *solver, bool counts, struct gas_sample *sample,
                                     struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct shoal_gas_params *params = common->problem->params;
    double *const *sums = common->tables.sums;
    enum shoal_status status = SHOAL_OK;
    for (size_t part = 0; part < STRESS_PARTS; part++)
        sample->tensor[part] = NAN;
    for (size_t k = 0; k < GAS_HEXATIC; k++)
        sample->hexatic[k] = NAN;
    for (size_t k = 0; k < GAS_CLUSTERS; k++)
        sample->clusters[k] = NAN;
    sample->structure_length = NAN;
    memcpy(sample->length, common->problem->length, sizeof sample->length);
    if (counts ? gas_has_tables(params) : gas_samples_have_tables(params))
        status = gas_tabulate(solver, counts, error);
    if (status)
        return status;
    if (gas_has_tensor(params))
        gas_tensor(common->problem, sums[SHOAL_GAS_TENSOR], sample->tensor);
    if (params->structure_bins)
        sample->structure_length = gas_structure_length(common->problem, &common->tables);
    if (params->hexatic_range > 0)
        memcpy(sample->hexatic, sums[SHOAL_GAS_HEXATIC], sizeof sample->hexatic);
    if (params->cluster_distance > 0) {
        memcpy(sample->clusters, sums[SHOAL_GAS_CLUSTERS], sizeof sample->clusters);
        sample->thermo.largest_cluster = sample->clusters[CLUSTER_LARGEST];
    }
    return SHOAL_OK;
}

/* Whether the sample of a step enters the averages. */
static bool is_counted(const struct shoal_gas_params *params, uint64_t step)
{
    return step == 0 || schedule_is_due(gas_sample_interval(params), step);
}

bool gas_is_sampled(const struct gas_common *common, uint64_t steps_done)
{
    const struct shoal_gas_params *params = common->problem->params;
    const uint64_t step = steps_done - params->equilibration;
    return steps_done >= params->equilibration && (step == params->steps || is_counted(params, step));
}

static enum shoal_status take_sample(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const struct shoal_gas_params *params = problem->params;
    struct gas_clock *clock = &common->clock;
    struct gas_sample sample;
    double impulse;
    /* A sample of the last step is given to the caller in any case, but enters the averages only if a longer
     * run would take it, too. So a resumed run has the averages of an uninterrupted run. */
    const bool counts = is_counted(params, step);
    const bool is_given = step == 0 || step == params->steps || schedule_is_due(params->thermo, step);
    /* the wall pressure does not include impulses of the equilibration */
    if (step == 0)
        clock->impulse = clock->time = NAN;
    enum shoal_status status = measure(solver, &sample.thermo, &impulse, error);
    sample.piston = problem->piston.now.place;
    sample.piston_speed = gas_piston_speed(problem);
    if (!status && step == 0) {
        const double conserved = problem->past.steps ? problem->past.conserved : sample.thermo.total;
        common->heat += conserved - sample.thermo.conserved;
        sample.thermo.conserved = conserved;
    }
    if (!status)
        status = take_tables(solver, counts, &sample, error);
    if (!status && counts)
        status = record(solver, sample.thermo.time - problem->past.time, error);
    if (status)
        return status;
    clock->last = sample.thermo;
    common->sampled_at = clock->steps_done;
    if (counts) {
        clock->impulse = impulse;
        clock->time = sample.thermo.time;
        if (clock->samples++ == 0)
            clock->first = sample.thermo;
        gas_averages_add(common->averages, &sample.thermo, (double)problem->n);
    }
    return is_given ? schedule_give(solver, &sample, error) : SHOAL_OK;
}

static enum shoal_status take_frame(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    const struct shoal_gas_params *params = gas_params(solver);
    struct gas_common *common = gas_common_of(solver);
    struct shoal_gas_frame frame;
    const char *failure = NULL;
    enum shoal_status status = params->on_frame ? gas_frame(solver, &frame, error) : SHOAL_OK;
    if (status)
        return status;
    schedule_call_turns(solver);
    bool ends = params->on_frame && params->on_frame(params->data, &frame, &failure);
    common->is_calling = true;
    ends = ends ||
           (params->on_moment && params->on_moment(params->data, solver, gas_shown_step(common), &failure));
    common->is_calling = false;
    schedule_call_turns(solver);
    return ends ? schedule_ended_by_caller(failure, step, error) : SHOAL_OK;
}

/* Steps ------------------------------------------------------------------------------------------------- */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return gas_common_of(solver)->stepper->begin(solver, error);
}

/* Number of the first `steps` steps that are made before the box may change. */
static uint64_t steps_of_box(const struct gas_common *common, uint64_t steps)
{
    if (isnan(common->problem->params->pressure))
        return steps;
    const uint64_t interval = gas_barostat_interval(common->problem);
    const uint64_t rest = interval - common->clock.steps_done % interval;
    return rest < steps ? rest : steps;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    enum shoal_status status = SHOAL_OK;
    common->dropped = 0;
    for (uint64_t left = steps; left > 0 && !status && !common->dropped;) {
        const uint64_t piece = steps_of_box(common, left);
        status = gas_barostat_act(solver, error);
        if (!status)
            status = common->stepper->advance(solver, piece, error);
        if (!status)
            common->clock.steps_done += piece - common->dropped;
        left -= piece;
    }
    return status;
}

enum shoal_status gas_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                           struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct shoal_gas_params *params = common->problem->params;
    const struct schedule schedule = {
        .warm_up = params->equilibration,
        .steps = params->steps,
        .begun = &common->begun,
        .done = &common->clock.steps_done,
        .begin = begin,
        .advance = advance,
        .events = {
            {.every = gas_sample_interval(params),
             .at_ends = true,
             /* of a divided run, the solver of the whole run takes the samples */
             .take = solver->share.of ? NULL : take_sample},
            {.every = params->frames, .take = params->on_frame || params->on_moment ? take_frame : NULL}}};
    return schedule_step(solver, &schedule, steps, done, error);
}

/* Returns the temperature of the last sample. If there was no sample after step 0, the temperature is
 * measured now; *value is NaN if that would take more than 2 % of the time. */
enum shoal_status gas_value(struct shoal_solver *solver, double *value, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const double most_share = 0.02, start = clock_seconds();
    struct shoal_gas_thermo thermo = {.temperature = NAN};
    double impulse;
    enum shoal_status status = SHOAL_OK;
    if (common->clock.last.step > 0) {
        thermo = common->clock.last;
    } else if (start - common->looked > common->look_s / most_share) {
        status = measure(solver, &thermo, &impulse, error);
        common->looked = clock_seconds();
        common->look_s = common->looked - start;
    }
    *value = thermo.temperature;
    return status;
}

size_t gas_state_count(const struct shoal_solver *solver)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    return 2 * problem->n * problem->dim;
}

enum shoal_status gas_get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const size_t numbers = problem->n * problem->dim;
    struct shoal_gas_frame frame;
    enum shoal_status status = gas_frame(solver, &frame, error);
    if (status)
        return status;
    for (size_t i = 0; i < numbers; i++)
        values[i] = frame.position[i] + (double)frame.image[i] * problem->length[i % problem->dim];
    memcpy(values + numbers, frame.velocity, numbers * sizeof *values);
    return SHOAL_OK;
}
