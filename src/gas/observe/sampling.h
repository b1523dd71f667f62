/* Private: samples, frames, calls of the caller's functions and averages between the steps of a gas, common
 * to the host and devices. */
#ifndef SHOAL_GAS_EVENTS_H
#define SHOAL_GAS_EVENTS_H

#include "base/text.h"
#include "gas/observe/tables.h"
#include "gas/species/species.h"
#include "gas/start/minimise.h"

struct gas_drawing;
struct gas_copy;

/* Operations by which the host or a device makes and observes steps. The state of the solver begins with a
 * struct gas_common. Each operation waits for the enqueued steps and, except `begin` and `advance`, leaves
 * the state of the gas as it is. */
struct gas_stepper {
    /* Sets the state at the start (steps_done = 0) and, if the parameters ask for it, minimises its energy.
     * Called once, before all other operations, unless a state was loaded. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    /* Makes `steps` steps after clock.steps_done, which the caller then increases. Either all or none of
     * these steps belong to the equilibration. If the run must end, the last common.dropped of the steps are
     * not made. What happens in a step depends on its number alone, not on the division into calls. */
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    /* Gives the box of problem->length other lengths. Particles keep their places relative to the lengths;
     * velocities of the full step are divided by the factors of the lengths. Called after `measure`, with no
     * step between. */
    enum shoal_status (*resize)(struct shoal_solver *solver, const double length[GAS_MAX_DIM],
                                struct shoal_error *error);
    /* Sets all members of *thermo except step, time, wall_pressure and largest_cluster. *impulse: impulse on
     * all walls since the start, divided by the area of the walls; NaN: there are no walls. */
    enum shoal_status (*measure)(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                 double *impulse, struct shoal_error *error);
    /* Adds the current state to the histograms. */
    enum shoal_status (*count)(struct shoal_solver *solver, struct shoal_error *error);
    /* Reads the counts of a histogram: ordered pairs by distance, particles by speed, or particles by
     * position. */
    enum shoal_status (*get_counts)(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                    uint64_t *counts, struct shoal_error *error);
    /* Stores the current positions as the origin of displacements. */
    enum shoal_status (*mark)(struct shoal_solver *solver, struct shoal_error *error);
    /* Computes the squared displacements along each axis, summed over the particles of each group
     * (gas_msd_begin). */
    enum shoal_status (*displacements)(struct shoal_solver *solver, double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                       struct shoal_error *error);
    /* set_origin stores the current positions and velocities as the time origin of `level`. correlate
     * computes the sums of v(0) . v(t) and of the squared displacements since this origin, over the particles
     * of each group (gas_msd_begin). */
    enum shoal_status (*set_origin)(struct shoal_solver *solver, size_t level, struct shoal_error *error);
    enum shoal_status (*correlate)(struct shoal_solver *solver, size_t level, double products[GAS_MSD_GROUPS],
                                   double squares[GAS_MSD_GROUPS], struct shoal_error *error);
    /* Computes the sums of the tables, at the state of the sample that `measure` took: sums[kind] has
     * gas_table_cells sums; NULL: this table is not wanted. SHOAL_GAS_G6 is wanted only with
     * SHOAL_GAS_HEXATIC.
     */
    enum shoal_status (*tabulate)(struct shoal_solver *solver, double *const sums[GAS_TABLES],
                                  struct shoal_error *error);
    /* Reads the state, [n][dim] in the order of the particles' numbers: positions, inside the box along
     * periodic axes; velocities of the full step; numbers of periodic borders crossed (image). */
    enum shoal_status (*get_state)(struct shoal_solver *solver, double *position, double *velocity,
                                   int32_t *image, struct shoal_error *error);
    /* Bytes of host memory that the run holds in addition to its start. */
    double (*host_bytes)(struct shoal_solver *solver);
    /* Get the state while the run continues; NULL for the host. begin_copy begins to copy it, to *copy or, if
     * this is NULL, to a new copy. end_copy waits for it, and does the rest of get_state; any thread may call
     * it. problem: as it was at begin_copy. */
    enum shoal_status (*begin_copy)(struct shoal_solver *solver, struct gas_copy **copy,
                                    struct shoal_error *error);
    enum shoal_status (*end_copy)(struct gas_copy *copy, const struct gas_problem *problem, double *position,
                                  double *velocity, int32_t *image, struct shoal_error *error);
    void (*destroy_copy)(struct gas_copy **copy);
    /* Enqueues writes of positions and velocities as get_state reads them, in the format of struct
     * wide_vector (vector.clh), to buffers, which may be NULL. NULL for the host. */
    enum shoal_status (*write_rows)(struct shoal_solver *solver, struct shoal_buffer *position,
                                    struct shoal_buffer *velocity, struct shoal_error *error);
    /* Called by the minimiser. fire_sums computes the sums of struct gas_fire_sums at the current positions;
     * fire_move moves the particles and changes the velocities of the minimiser. limit, step: as in struct
     * gas_fire_move. */
    enum shoal_status (*fire_sums)(struct shoal_solver *solver, double limit, uint32_t step,
                                   struct gas_fire_sums *sums, struct shoal_error *error);
    enum shoal_status (*fire_move)(struct shoal_solver *solver, const struct gas_fire_move *move,
                                   struct shoal_error *error);
    /* Reads the accelerations by pair forces at the current positions, as the method of the solver computes
     * them; the result of a run checks them. */
    enum shoal_status (*get_accelerations)(struct shoal_solver *solver, double *acceleration,
                                           struct shoal_error *error);
    /* Largest accepted ratio of the rms error of the accelerations to their rms, which depends on method and
     * precision. */
    double (*force_tolerance)(const struct shoal_solver *solver);
    void (*timing)(const struct shoal_solver *solver, struct shoal_gas_timing *timing);
    /* Draws the gas. *pixels belongs to the solver until its next call. */
    enum shoal_status (*draw)(struct shoal_solver *solver, struct gas_drawing *drawing,
                              const uint32_t **pixels, struct shoal_error *error);
    /* Called after the caller has changed a quantity from the next step on. */
    void (*changed)(struct shoal_solver *solver);
};

/* Counts and latest samples of a run. Checkpoints hold the bytes of this struct. */
struct gas_clock {
    uint64_t steps_done; /* number of steps made, including the equilibration */
    uint64_t samples;    /* number of samples in the averages */
    uint64_t counted;    /* number of states in the histograms */
    /* impulse (see gas_stepper.measure) and time of the run at the last sample that entered the averages */
    double impulse, time;
    struct shoal_gas_thermo first, last; /* first: the sample at step 0; last: the latest sample */
};

/* The clock as checkpoints hold it: without the volumes of its samples. */
struct gas_saved_clock {
    char head[offsetof(struct gas_clock, first)];
    char first[offsetof(struct shoal_gas_thermo, volume)], last[offsetof(struct shoal_gas_thermo, volume)];
};

/* Sums over the changes of the box. Checkpoints of runs with a volume that changes hold the bytes of this
 * struct. */
struct gas_box_sums {
    double work;            /* energy that changes of the box added to the gas, less their errors */
    double inverse_volumes; /* sum of 1 / volume over the states in the histograms */
    uint64_t changed_at;    /* number of steps before the last change, so that none is made twice */
};

struct gas_common {
    const struct gas_stepper *stepper;
    struct gas_problem *problem; /* the problem of this solver */
    bool begun;                  /* the initial state was set, or a state was loaded */
    bool is_calling;             /* a function of the caller is called between two steps */
    struct gas_clock clock;
    uint64_t sampled_at; /* value of clock.steps_done when clock.last was measured; UINT64_MAX: not known */
    /* number of steps that the last call of gas_stepper.advance did not make; 0 before each call */
    uint64_t dropped;
    size_t entry_bytes;         /* of the neighbour list that steps read; 0: that of a number of a particle */
    double heat;                /* heat that was added to the gas before step 0 */
    struct gas_minimum minimum; /* the minimisation of the start, if there was one */
    struct gas_box_sums box;
    struct gas_saved_clock saved_clock; /* of the checkpoint that is being written or read */
    /* For gas_value: when its last own measurement ended, and how long that measurement took, in seconds. */
    double looked, look_s;
    struct gas_averages *averages;
    struct gas_msd msd;
    struct gas_summary *summary;
    struct gas_tables tables;
    /* Buffers for frames, results and histograms, allocated at the first use. */
    double *position, *velocity, *acceleration; /* [n][dim] */
    int32_t *image;                             /* [n][dim] */
    uint64_t *counts;
    double *histogram, *theory;
    struct shoal_gas_species species; /* for frames; set by the first frame */
    struct text schedule;             /* for shoal_gas_get_schedule */
    struct gas_past left; /* what the next stage needs to know about this stage and the ones before */
};

/* The first share of a gas that several devices share, otherwise `solver`. */
static inline const struct shoal_solver *gas_const_holder(const struct shoal_solver *solver)
{
    return solver->shares ? solver->shares->solvers[0] : solver;
}

static inline struct gas_common *gas_common_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* Whether the volume of the gas changes during the run: by constant pressure, or by a piston. */
static inline bool gas_changes_volume(const struct shoal_gas_params *params)
{
    return !isnan(params->pressure) || params->piston != SHOAL_GAS_NO_AXIS;
}

/* Number of steps since the equilibration in this stage; negative during the equilibration. */
static inline int64_t gas_run_step(const struct gas_common *common)
{
    return (int64_t)(common->clock.steps_done - common->problem->params->equilibration);
}

static inline bool gas_is_equilibrating(const struct gas_common *common)
{
    return common->clock.steps_done < common->problem->params->equilibration;
}

/* The step number that users see: steps after the equilibration, including those of earlier stages. */
static inline uint64_t gas_shown_step(const struct gas_common *common)
{
    const int64_t step = gas_run_step(common);
    return common->problem->past.shown + (step > 0 ? (uint64_t)step : 0);
}

static inline double gas_run_time(const struct gas_common *common)
{
    return common->problem->past.time + (double)gas_run_step(common) * common->problem->params->dt;
}

/* Number of steps between two samples that enter the averages; 0: only the sample at step 0 does. */
static inline uint64_t gas_sample_interval(const struct shoal_gas_params *params)
{
    return params->thermo ? params->thermo : params->average_every;
}

/* Whether a sample is taken after `steps_done` steps, which include the equilibration. */
bool gas_is_sampled(const struct gas_common *common, uint64_t steps_done);

/* Simulated time between two samples that enter the averages. */
static inline double gas_sample_time(const struct shoal_gas_params *params)
{
    return (double)gas_sample_interval(params) * params->dt;
}

/* A sample as the caller gets it, by the columns of gas_sampling. */
struct gas_sample {
    struct shoal_gas_thermo thermo; /* must be first: callers may take the sample as this struct */
    double tensor[STRESS_PARTS];    /* the pressure tensor; NaN: not asked for */
    double hexatic[GAS_HEXATIC];    /* hexatic order, local and global; NaN: not asked for */
    double length[GAS_MAX_DIM];     /* of the box */
    double clusters[GAS_CLUSTERS];  /* clusters, by gas_cluster_names; NaN: not asked for */
    double piston, piston_speed;    /* place and speed of the piston, if there is one */
    double structure_length;        /* gas_structure_length; NaN: not asked for */
};

/* Creates the common state of a solver. `problem` must outlive it. After a failure gas_common_destroy frees
 * what was allocated; gas_common_destroy accepts a struct of zeros. */
SHOAL_MUST_CHECK enum shoal_status gas_common_create(struct gas_common *common, struct gas_problem *problem,
                                                     const struct gas_stepper *stepper,
                                                     struct shoal_error *error);
void gas_common_destroy(struct gas_common *common);
/* gas_common_save and gas_common_load write and read the sections of a checkpoint that host and devices
 * share: "clock", "averages", "heat before", "box sums", "start temperature", "box" and those of a ramp, of
 * forces that change, of changes by the caller, of the minimisation, of earlier stages, of species, of `msd`,
 * of tables and of time origins. gas_past_load reads "past" and "box". gas_common_load sets `begun`. */
SHOAL_MUST_CHECK enum shoal_status gas_common_save(struct gas_common *common, struct checkpoint *checkpoint,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_common_load(struct gas_common *common, const struct checkpoint *checkpoint, struct shoal_error *error);
/* Sets the common state back to that before the first step. */
void gas_common_reset(struct gas_common *common);

/* Defined in stage.c. gas_leave writes the state at the end of a stage, with which the next stage begins.
 * gas_take_past makes such a state the start of `problem`, which must be the problem of `common`. */
SHOAL_MUST_CHECK enum shoal_status gas_leave(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_take_past(struct gas_common *common, struct gas_problem *problem,
                                                 const struct checkpoint *checkpoint,
                                                 struct shoal_error *error);
/* gas_past_save and gas_past_load write and read the section "past" of a checkpoint. A first stage has no
 * such section. gas_past_load also takes the box of the checkpoint. */
void gas_past_save(const struct gas_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status
gas_past_load(struct gas_problem *problem, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Members of struct shoal_solver_ops, for the solvers of host and devices. */
SHOAL_MUST_CHECK enum shoal_status gas_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                            struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_result(struct shoal_solver *solver, struct shoal_result *result,
                                              struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_value(struct shoal_solver *solver, double *value,
                                             struct shoal_error *error);
/* gas_get_state reads positions, unwrapped at periodic borders, then velocities of the full step, [n][dim]
 * each, in the order of the particles' numbers. gas_state_count: number of these values. */
size_t gas_state_count(const struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status gas_get_state(struct shoal_solver *solver, double *values,
                                                 struct shoal_error *error);

/* Measures all members of the observables at the current step. */
SHOAL_MUST_CHECK enum shoal_status gas_measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                               struct shoal_error *error);
/* Defined in tables.c. gas_tabulate computes the sums of the current sample, and adds them to the averages if
 * `counts`; if not, only those that samples have are computed. gas_table: shoal_gas_get_table. */
SHOAL_MUST_CHECK enum shoal_status gas_tabulate(struct shoal_solver *solver, bool counts,
                                                struct shoal_error *error);
/* Defined in origins.c: takes sample number clock.samples for the time origins. */
SHOAL_MUST_CHECK enum shoal_status gas_origins_record(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind,
                                             struct shoal_gas_table *table, struct shoal_error *error);
void gas_tables_reset(struct gas_tables *tables);
void gas_tables_destroy(struct gas_tables *tables); /* accepts zeros */
SHOAL_MUST_CHECK enum shoal_status gas_tables_save(const struct gas_common *common,
                                                   struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_tables_load(struct gas_common *common, const struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame,
                                             struct shoal_error *error);
/* The parts of gas_frame beside the state: gas_frame_describe sets all members but the arrays, with the
 * species in *species, and gas_frame_reach lengthens the box of a frame whose piston has moved outwards up to
 * the particles that press it, so that each of them is inside of it. */
void gas_frame_describe(const struct gas_common *common, struct shoal_gas_species *species,
                        struct shoal_gas_frame *frame);
void gas_frame_reach(const struct gas_problem *problem, struct shoal_gas_frame *frame);

/* Defined in public.c, for calls that look at the gas. Checks that `out` is not NULL and that the solver is
 * that of a gas, and begins the run if it has not begun. what: name of the argument `out`; call: name of the
 * function; both for messages. */
SHOAL_MUST_CHECK enum shoal_status gas_prepare(struct shoal_solver *solver, const void *out, const char *what,
                                               const char *call, struct shoal_error *error);

/* Defined in thermo.c. gas_exchanges_heat: whether the gas can gain or lose energy during the run, through a
 * thermostat, a wall or a limiter. */
bool gas_exchanges_heat(const struct shoal_gas_params *params);
/* Computes total energy, conserved energy, temperature and pressure of a sample from its kinetic and
 * potential energy. virial: sum of r.F over the pairs; heat: energy added to the gas. */
void gas_finish_thermo(const struct gas_problem *problem, double virial, double heat,
                       struct shoal_gas_thermo *thermo);
/* The value *impulse of gas_stepper.measure: the sum of the impulses on low and high walls, divided by the
 * area of the walls, with a piston of those of its axis; NaN: there are no walls. */
double gas_mean_wall_impulse(const struct gas_problem *problem, double impulse[GAS_MAX_DIM][2]);
/* The number of a step in messages of a failed run: negative in the equilibration. */
long long gas_failed_step(const struct gas_problem *problem, uint64_t steps_done);
/* Return the error of a step in which a particle failed. gas_fail_exploded: it moved too far in step
 * `steps_done`; gas_fail_escaped: it left the range of coordinates in that step. */
enum shoal_status gas_fail_exploded(const struct gas_problem *problem, uint64_t steps_done, size_t particle,
                                    struct shoal_error *error);
enum shoal_status gas_fail_escaped(const struct gas_problem *problem, uint64_t steps_done, size_t particle,
                                   struct shoal_error *error);

/* Defined in histograms.c. Histograms do not count pairs and speeds beyond the last bin, and particles
 * outside of the box. */
enum { GAS_HISTOGRAMS = 3 };
size_t gas_bins(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind);
/* Number of counts of a histogram: gas_bins, for distances times the number of pairs of species. */
size_t gas_count_bins(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind);
double gas_bin_width(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind);
/* Area (2D) or volume (3D) between two radii. */
double gas_shell(size_t dim, double low, double high);
bool gas_has_histograms(const struct gas_problem *problem);
/* The axis of the density profile, counted from 0. Only for parameters with a profile. */
static inline size_t gas_profile_axis(const struct gas_problem *problem)
{
    return (size_t)(problem->params->profile_axis - SHOAL_GAS_X);
}
/* pair: the two species of g(r); NULL: of all particles. */
SHOAL_MUST_CHECK enum shoal_status gas_histogram(struct shoal_solver *solver,
                                                 enum shoal_gas_histogram_kind kind, const size_t pair[2],
                                                 struct shoal_gas_histogram *histogram,
                                                 struct shoal_error *error);

#endif
