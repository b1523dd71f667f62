/* Private: the problem of a gas, whose constants are computed from the parameters once. */
#ifndef SHOAL_GAS_PRIVATE_H
#define SHOAL_GAS_PRIVATE_H

#include "gas/model/timetable.h"
#include "gas/thesis/rules.h"
#include "workload/steps/long_step.h"

#include <math.h>
#include <shoal/gas.h>

enum { GAS_MAX_DIM = 3 };

/* Most steps of a run: they are counted in 32 bits, with room for rounding up. */
#define GAS_MOST_STEPS 4294967040.0

/* Returns the value of an option: `given`, or the default `otherwise` if the option is not given (`given` is
 * NaN). */
static inline double gas_given_or(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

static inline double gas_friction_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->friction, 1);
}

static inline double gas_relaxation_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->relaxation, 0.5);
}

/* Whether the thermostat multiplies all velocities by a factor between steps. */
static inline bool gas_scales_velocities(const struct shoal_gas_params *params)
{
    return params->thermostat == SHOAL_GAS_RESCALE || params->thermostat == SHOAL_GAS_CHAIN;
}

/* Whether the lengths of the box follow pressures of their own. */
static inline bool gas_has_axis_pressures(const struct shoal_gas_params *params)
{
    return !isnan(params->pressure) && params->pressure_coupling == SHOAL_GAS_PRESSURE_AXES;
}

/* Whether the pressure tensor is sampled. */
static inline bool gas_has_tensor(const struct shoal_gas_params *params)
{
    return params->pressure_tensor || gas_has_axis_pressures(params);
}

/* The largest distance of the correlation of the hexatic order; 0: there is none. */
static inline double gas_g6_range(const struct shoal_gas_params *params)
{
    return params->g6_bins ? gas_given_or(params->g6_range, 5 * params->hexatic_range) : 0;
}

static inline double gas_droplet_density_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->droplet_density, 0.8);
}

static inline double gas_droplet_share_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->droplet_share, 0.5);
}

static inline double gas_droplet_place_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->droplet_place, 0.5);
}

extern const struct workload gas_workload;
/* Rules by which a gas is divided among devices: gas_split for forces between all pairs, gas_domains_split
 * for neighbour lists. */
extern const struct workload_split gas_split, gas_domains_split;
extern const struct shoal_sampling gas_sampling; /* samples of struct shoal_gas_thermo */
extern const struct shoal_solver_ops gas_device_ops, gas_host_ops;

static inline const struct shoal_gas_params *gas_params(const struct shoal_solver *solver)
{
    return solver->params;
}

/* Constants of the pair force, in double precision. Devices have them in the precision of pair forces, in the
 * same order (cl/gas/model/pair.clh). */
struct gas_pair {
    double softening2;
    double attraction; /* positive: particles attract each other */
    double repulsion;
    double short_attraction;
    double cutoff2;   /* infinity: there is no cutoff */
    double lj12, lj6; /* lj12 = 4 epsilon sigma^12, lj6 = 4 epsilon sigma^6 */
    /* potential energy at the cutoff: subtracted from the energy of each pair inside the cutoff */
    double shift_energy;
    double shift_force; /* u'(cutoff), subtracted from the force; 0: the cut does not shift the force */
    double cutoff;
    /* smoothed cut: square of the distance at which the smoothing polynomial begins */
    double switch2;
    double switch_inverse; /* 1 / (cutoff2 - switch2) */
};

/* Kind of pair force in the kernels, -D POTENTIAL. The values are those of enum shoal_gas_potential, except
 * that WCA has the value of LJ. */
enum gas_pair_kind {
    GAS_PAIR_LJ = 0,
    GAS_PAIR_LOG = 2,
    GAS_PAIR_LOG_REPULSION,
    GAS_PAIR_REAL,
    GAS_PAIR_GRAVITY,
    GAS_PAIR_USER
};

/* What a stage needs to know about the earlier stages of the run; all zeros in the first stage. Checkpoints
 * hold the bytes of this struct. */
struct gas_past {
    /* steps: number of steps of the earlier stages, at least 1 if there were any. shown: how many of these
     * steps came after the equilibration; the steps of samples are counted on from there. */
    uint64_t steps, shown;
    double time;      /* simulated time of the steps in `shown` */
    double conserved; /* conserved energy at the end of the stage before */
};

/* The piston: docs/gas.md. */
struct gas_piston {
    bool acts;   /* false: there is no piston, and the other members are 0 */
    size_t axis; /* its high wall is the piston; 0 without a piston */
    double area; /* length in 2D */
    double mass; /* infinity: the motion is prescribed */
    double spring;
    double start;           /* where the piston begins, and where the spring pulls it to */
    double least, most;     /* the run ends when the piston gets to one of these places */
    double pressure, speed; /* outside pressure, and prescribed speed, at the current step: gas_set_step */
    /* The state, of which checkpoints of the host and of stages hold the bytes. speed: at half a step before
     * the current one; work: energy that the piston has given to the gas by its motion. */
    struct gas_piston_state {
        double place, speed, work;
    } now;
    double force; /* of the gas on the piston, at the current step */
};

struct gas_species;
struct gas_code;  /* the machine code of a user's pair force */
struct particles; /* the particles of a start file: io/particles/particles.h */

struct gas_problem {
    const struct shoal_gas_params *params; /* parameters of the solver */
    struct gas_rules rules;                /* rules of the thesis that replace rules of the gas */
    /* chooses the number of threads for the steps of the host solver; NULL: gas_threads chooses */
    struct thread_choice *choice;
    /* the step of the host solver that is in progress, which a stopped run cuts in the middle of a sum over
     * pairs; NULL: sums over pairs are not cut */
    struct long_step *long_step;
    size_t n, dim;
    double length[GAS_MAX_DIM];    /* lengths of the box, which begins at the origin; 1 beyond dim */
    int32_t boundary[GAS_MAX_DIM]; /* enum shoal_gas_boundary */
    int32_t wall[GAS_MAX_DIM][2];  /* enum shoal_gas_wall of the low and of the high side */
    bool any_wall, any_periodic;
    double volume; /* area in 2D */
    struct gas_timetable timetable;
    /* acceleration by the uniform field, and force constant of the trap, at the current step: gas_set_step */
    double field[GAS_MAX_DIM], trap;
    struct gas_piston piston;
    enum gas_pair_kind kind;
    enum shoal_gas_cut cut;      /* never SHOAL_GAS_CUT_DEFAULT */
    struct gas_pair pair;        /* with species: the constants of the parameters, with the largest cutoff */
    struct gas_species *species; /* gas/species/species.h; NULL: all particles are alike */
    char *pair_text;             /* text of a user's pair force; NULL: none */
    const char *pair_name;       /* name of the user's pair force in messages */
    struct gas_code *code;       /* machine code of pair_text for the host */
    /* degrees of freedom: dim n, less one for each axis along which the momentum is conserved */
    double degrees;
    double wall_temperature, wall_damping, wall_stiffness;
    double compressibility; /* by which the box follows the pressure; NaN: the box is constant */
    /* The constants of a step follow. */
    /* time from the velocity of the state, v(n - 1/2), to the velocity of the full step, v(n): dt / 2, or 0
     * for Euler */
    double half_step;
    /* square of the largest displacement in a step; a particle with a larger displacement has exploded */
    double farthest_step2;
    /* in the next step (gas_set_step): factor by which friction multiplies a velocity, and amplitude of the
     * noise of a velocity component */
    double langevin_keep, langevin_noise;
    /* State at the start in double precision, [n][dim], set by gas_problem_start; NULL before. velocity: of
     * the full step. */
    double *position, *velocity;
    /* number of periodic borders crossed, [n][dim]; NULL: no particle has crossed a border */
    int32_t *image;
    /* notes on the start file, which the log of the run contains, too: one sentence a line; NULL: there are
     * none */
    char *notes;
    /* contents of the start file until the particles are placed; NULL: there is no start file, or the
     * particles are placed */
    struct particles *file;
    /* Temperature of the velocities in the start file or of the caller; NaN: velocities are drawn, at the
     * temperature of the parameters. */
    double start_temperature;
    struct gas_past past;
};

/* Whether a quantity has an effect in the run: it is not 0 throughout. */
static inline bool gas_acts(const struct gas_problem *problem, enum gas_quantity quantity)
{
    return gas_is_changing(&problem->timetable, quantity) ||
           gas_largest(&problem->timetable, problem->params, quantity) != 0;
}

/* Whether the field or the trap acts along an axis, so that its momentum is not conserved. */
static inline bool gas_is_pushed(const struct gas_problem *problem, size_t axis)
{
    return gas_acts(problem, (enum gas_quantity)(GAS_FIELD + axis)) || gas_acts(problem, GAS_TRAP);
}

/* The highest temperature that drawn velocities or the thermostat have. */
static inline double gas_hottest(const struct gas_problem *problem)
{
    return gas_largest(&problem->timetable, problem->params, GAS_TEMPERATURE);
}

/* Whether the box may have other lengths than the parameters give: in this stage or an earlier one, a
 * pressure changes them. */
static inline bool gas_has_moving_box(const struct gas_problem *problem)
{
    return !isnan(problem->params->pressure) || problem->past.steps;
}

/* Whether the field, the trap or the piston's pressure or speed changes during the run. All but the speed do
 * work then that is not counted as heat. */
static inline bool gas_has_changing_force(const struct gas_problem *problem)
{
    bool changes = gas_is_changing(&problem->timetable, GAS_TRAP) ||
                   gas_is_changing(&problem->timetable, GAS_PISTON_PRESSURE) ||
                   gas_is_changing(&problem->timetable, GAS_PISTON_SPEED);
    for (size_t k = 0; k < problem->dim; k++)
        changes = changes || gas_is_changing(&problem->timetable, (enum gas_quantity)(GAS_FIELD + k));
    return changes;
}

/* Defined in problem.c. gas_value_after: the value of a quantity after `steps_done` steps, which include the
 * equilibration; in the equilibration it is that at step 0. gas_set_step: sets the members of the problem
 * that change from step to step to their values after `steps_done` steps; those of Langevin to their values
 * in the next step. */
double gas_value_after(const struct gas_problem *problem, enum gas_quantity quantity, uint64_t steps_done);
/* Defined in problem.c. Sets the lengths of the box and the members that follow from them. */
void gas_set_box(struct gas_problem *problem, const double length[GAS_MAX_DIM]);
void gas_set_step(struct gas_problem *problem, uint64_t steps_done);

/* Seed of the random numbers of the steps. Each stage has another seed, since each stage counts its steps
 * from 1. */
static inline uint64_t gas_seed(const struct gas_problem *problem)
{
    return problem->params->seed + 0x9e3779b97f4a7c15u * problem->past.steps;
}

/* Checks the rules between parameters that can be checked without reading a file. */
SHOAL_MUST_CHECK enum shoal_status gas_check_params(const void *params, struct shoal_error *error);
/* The method that the parameters ask for: a value of enum shoal_gas_method, or a method of the thesis. An
 * option for kernels of the thesis selects the method that has these kernels: all pairs, or cells. */
int32_t gas_method_of(const struct shoal_gas_params *params);
/* Checks that a device can run a gas with these parameters. SHOAL_UNSUPPORTED: the device lacks a capability.
 */
SHOAL_MUST_CHECK enum shoal_status gas_check_device(const struct shoal_gas_params *params,
                                                    const struct shoal_device_info *info,
                                                    struct shoal_error *error);
/* Member check_input of struct workload. */
SHOAL_MUST_CHECK enum shoal_status gas_check_input(struct shoal *shoal, const void *params,
                                                   struct shoal_error *error);
/* Creates the problem of valid `params`: computes the box and the constants of the pair force, reads files,
 * and compiles a user's pair force. Particles of a start file are read; other arrays with a size that depends
 * on the number of particles are not allocated. After a failure, everything allocated has been freed. */
SHOAL_MUST_CHECK enum shoal_status gas_problem_create(struct shoal *shoal,
                                                      const struct shoal_gas_params *params,
                                                      struct gas_problem *problem, struct shoal_error *error);
/* Places the particles and draws their velocities. After a failure gas_problem_destroy frees what was
 * allocated. */
SHOAL_MUST_CHECK enum shoal_status gas_problem_start(struct shoal *shoal, struct gas_problem *problem,
                                                     struct shoal_error *error);
void gas_problem_destroy(struct gas_problem *problem); /* accepts a struct of zeros */
/* Mean number of particles within `range` of a particle, in a gas of uniform density. */
double gas_mean_neighbours(const struct gas_problem *problem, double range);
/* Checks that the host has `bytes` bytes in addition to the memory of the start. SHOAL_OUT_OF_HOST_MEMORY: it
 * does not. */
SHOAL_MUST_CHECK enum shoal_status gas_check_host(const struct gas_problem *problem, double bytes,
                                                  struct shoal_error *error);

/* Defined in potential.c: force divided by distance, and energy, of a pair at squared distance d, with the
 * cut. pair: the constants of the two particles. energy NULL: not computed, which saves a logarithm. */
void gas_pair_evaluate(const struct gas_problem *problem, const struct gas_pair *pair, double d,
                       double *force_over_r, double *energy);

/* Defined in tail.c: contributions of the pairs beyond the cutoff to the energy of a particle and to the
 * pressure, for a truncated potential in a periodic box, if the density is uniform beyond the cutoff. False:
 * there is no cutoff, the cut is of another kind, or the integral diverges. */
bool gas_tail(const struct gas_problem *problem, double *energy, double *pressure);

/* Whether a particle may have the coordinate x. Fixed-point coordinates of devices reach half a length beyond
 * a border that is not periodic. */
static inline bool gas_is_in_range(const struct gas_problem *problem, size_t axis, double x)
{
    const double length = problem->length[axis];
    return problem->boundary[axis] == SHOAL_GAS_PERIODIC ? x >= 0 && x <= length
                                                         : x >= -0.5 * length && x < 1.5 * length;
}

/* Whether a file may hold this number of crossings of a periodic border: the steps of a run can add more
 * crossings without an overflow. */
static inline bool gas_is_crossing(int32_t image)
{
    return image >= -0x40000000 && image <= 0x40000000;
}

/* Returns the difference of two coordinates along `axis`, changed by periods to that of the nearest images.
 */
double gas_image(const struct gas_problem *problem, size_t axis, double difference);

/* Defined in forces.c. gas_forces_seconds: estimated time of the forces on all particles on one thread, by
 * direct summation if there is no cutoff. gas_threads: number of threads for a loop over particles that takes
 * `alone_s` seconds on one thread. */
double gas_forces_seconds(const struct gas_problem *problem);
int gas_threads(const struct gas_problem *problem, double alone_s);

/* Computes for all particles, in double precision on all cores, the accelerations by pair forces, [n][dim],
 * and half the energies and half the virials r.F of the pairs of each particle, [n] (NULL: not wanted).
 * Positions must be inside the box along periodic axes. With a cutoff, pairs are found by a grid of boxes. */
SHOAL_MUST_CHECK enum shoal_status gas_forces(const struct gas_problem *problem, const double *position,
                                              double *acceleration, double *energy, double *virial,
                                              struct shoal_error *error);
/* As gas_forces, but only for the particles targets[0] .. targets[count - 1], and by direct summation.
 * acceleration: [count][dim]; energy: [count], NULL: not wanted. */
void gas_forces_sampled(const struct gas_problem *problem, const double *position, const size_t *targets,
                        size_t count, double *acceleration, double *energy);
/* Returns a scale for the errors of forces that are due to rounded distances: the sum, over the pairs of the
 * targets, of a squared acceleration. It is the acceleration by the pair or, if larger, the change of this
 * acceleration when the distance changes by the fraction 1 / GAS_STEEPEST. For a force that falls with the
 * power GAS_STEEPEST of the distance, the steepest for which tolerances are made, the two are equal. */
enum { GAS_STEEPEST = 14 };
double gas_pulls_sampled(const struct gas_problem *problem, const double *position, const size_t *targets,
                         size_t count);

/* Defined in external.c: external forces in double precision, by the uniform field, the trap and soft walls
 * (W5).
 * gas_outside: -1 if x is below the low end of the box, 1 if x is above the high end, otherwise 0.
 * gas_is_soft: whether the wall of side -1 (low) or 1 (high) is soft. */
int gas_outside(const struct gas_problem *problem, size_t axis, double x);
bool gas_is_soft(const struct gas_problem *problem, size_t axis, int side);
/* Depth of the coordinate x in a soft wall: positive in the low wall, negative in the high wall or the
 * piston, 0 outside of soft walls. */
double gas_soft_depth(const struct gas_problem *problem, size_t axis, double x);
double gas_external_acceleration(const struct gas_problem *problem, size_t particle, size_t axis, double x);
/* Potential energy of all particles by external forces. The energy in the field counts crossings
 * of periodic borders (`image`). */
double gas_external_energy(const struct gas_problem *problem, const double *position, const int32_t *image);

/* Defined in averages.c: averages over samples, which are added one after another and saved in checkpoints.
 * Errors are standard errors of the mean, by the blocking method of Flyvbjerg and Petersen 1989 (docs/gas.md,
 * "Observables"). */
enum gas_averaged {
    GAS_MEAN_TEMPERATURE,
    GAS_MEAN_PRESSURE,
    GAS_MEAN_WALL_PRESSURE, /* samples that are NaN do not count */
    GAS_MEAN_KINETIC,       /* this average and the ones after it are energies per particle */
    GAS_MEAN_POTENTIAL,
    GAS_MEAN_CONSERVED,
    GAS_MEAN_VOLUME,  /* this average and the next one are saved only if the box changes */
    GAS_MEAN_DENSITY, /* particles per volume */
    GAS_AVERAGED
};

struct gas_average {
    double mean, error; /* NaN: too few samples */
    double variance;    /* variance of the samples */
    uint64_t samples;
};

struct gas_averages; /* a struct of fixed size without pointers, since checkpoints hold its bytes */
SHOAL_MUST_CHECK enum shoal_status gas_averages_create(struct gas_averages **out, struct shoal_error *error);
void gas_averages_destroy(struct gas_averages **averages);
void gas_averages_reset(struct gas_averages *averages);
void gas_averages_add(struct gas_averages *averages, const struct shoal_gas_thermo *thermo, double particles);
struct gas_average gas_averages_get(const struct gas_averages *averages, enum gas_averaged which);
/* Slope of the conserved energy per particle over time, by least squares. NaN: there are fewer than 3
 * samples. */
double gas_averages_slope(const struct gas_averages *averages);
/* has_box: with the averages of volume and density, which follow all others. */
size_t gas_averages_bytes(bool has_box);
/* Whether averages read from a checkpoint are valid: their counts agree with `samples` samples. */
bool gas_averages_are_sound(const struct gas_averages *averages, uint64_t samples, bool has_box);

/* Defined in msd.c: mean-square displacements at all samples. */
/* number of groups of particles; the scatter between groups gives the error of the diffusion constant */
enum { GAS_MSD_GROUPS = 8 };

/* Group `group` has the particles gas_msd_begin(n, group) to gas_msd_begin(n, group + 1) - 1. */
static inline size_t gas_msd_begin(size_t n, size_t group)
{
    return (size_t)((uint64_t)group * n / GAS_MSD_GROUPS);
}

struct gas_msd {
    size_t count, room;
    struct shoal_gas_displacement *samples;
    /* squared displacement of each group at each sample, over all axes; 0: the group has no particle */
    double (*groups)[GAS_MSD_GROUPS];
};

/* Adds a sample. sums: squared displacements along each axis, summed over the particles of each group. */
SHOAL_MUST_CHECK enum shoal_status gas_msd_add(struct gas_msd *msd, const struct gas_problem *problem,
                                               double time, double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                               struct shoal_error *error);
void gas_msd_clear(struct gas_msd *msd);
/* Returns the diffusion constant, and sets *error to its standard error. NaN: the second half of the samples
 * has fewer than three; *error is NaN, too, if there are fewer particles than groups. */
double gas_msd_diffusion(const struct gas_msd *msd, const struct gas_problem *problem, double *error);
/* gas_msd_save and gas_msd_load write and read the sections of a checkpoint that hold the samples. count:
 * number of samples. */
struct checkpoint;
void gas_msd_save(const struct gas_msd *msd, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status gas_msd_load(struct gas_msd *msd, const struct checkpoint *checkpoint,
                                                size_t count, struct shoal_error *error);

/* Defined in outcome.c: the memory to which the pointers of a result point. */
struct gas_summary;
void gas_summary_destroy(struct gas_summary **summary);

#endif
