/* Private: the gas on a device.
 *
 * Arrays hold the particles in the current order, which only the list method and the cell schemes change. The
 * place of a particle is its index in these arrays; id[place] is its number, which never changes. The types
 * of the arrays depend on the precision (cl/gas/model/state.clh):
 * - position: in single and mixed precision fixed-point uint2 (2D) or uint4 (3D) with the grid spacing
 *   unit[k] along axis k; in double precision a double2, two for each particle in 3D;
 * - velocity, acceleration: in single precision float2 or float4; in mixed and double precision a double2,
 *   two in 3D.
 *
 * The length of a periodic axis has 2^32 grid steps, so that integer overflow gives the wrap and the nearest
 * image. The length of another axis has 2^30 grid steps and begins at 2^30; positions may be half a length
 * outside, so that differences are at most two lengths and fit an int.
 *
 * State between steps: positions x(n), velocities v(n - 1/2) of the leapfrog (of Euler: v(n)). A step
 * computes a(n), v += a dt, x += v dt; Langevin's drift is two halves with the noise between. Observing does
 * not change the state: the velocity of the full step, v(n) = v(n - 1/2) + a(n) settings[SET_HALF_STEP], is
 * computed when needed, where a(n) includes pair forces and external forces (cl/gas/model/external.clh).
 */
#ifndef SHOAL_GAS_DEVICE_H
#define SHOAL_GAS_DEVICE_H

#include "cl/gas/layout.clh"
#include "gas/device/samples.h"
#include "gas/observe/sampling.h"
#include "workload/arrays.h"

#include <shoal/program.h>

enum { GAS_EXCHANGE_BYTES = 8 };

struct gas_domains;
struct gas_minimiser;
struct gas_motion;
struct gas_observer;
struct gas_painter;
struct gas_piston_device;
struct gas_tabler;

/* The particles, or other elements, with the indices begin .. end - 1. */
struct gas_range {
    uint32_t begin, end;
};

static inline size_t gas_count(struct gas_range range)
{
    return range.end - range.begin;
}

static inline size_t gas_count_all(const struct gas_range *ranges, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += gas_count(ranges[i]);
    return all;
}

/* The places of a launch: at most GAS_PLACE_RANGES ranges. */
static inline struct gas_places gas_places_of(const struct gas_range *ranges, size_t count)
{
    struct gas_places places = {.ranges = {0}};
    for (size_t i = 0; i < count; i++) {
        places.ranges[2 * i] = ranges[i].begin;
        places.ranges[2 * i + 1] = ranges[i].end;
    }
    return places;
}

struct gas_device {
    struct gas_common common; /* clock.steps_done includes the equilibration */
    struct gas_problem problem;
    bool is_borrowed; /* a share: the arrays of `problem` belong to the solver of the whole run */
    enum shoal_gas_precision precision;
    size_t position_bytes, velocity_bytes; /* bytes of a particle in `position` and in `velocity` */
    /* n rounded up to a multiple of 1024: number of particles for which the arrays have room */
    size_t padded;
    struct shoal_buffer *settings, *words;
    /* the rows of a schedule in `settings` hold the steps up to this number; 0: none */
    uint64_t scheduled;
    /* [padded]; the list method and the cell schemes swap these buffers with buffers of their own */
    struct shoal_buffer *position, *velocity;
    struct shoal_buffer *id; /* [padded] of uint: number of the particle at each place */
    /* [padded][dim] of int, indexed by the number of the particle, so that sorting does not change it */
    struct shoal_buffer *image;
    struct shoal_buffer *acceleration; /* [padded]: computed by gas_method.forces */
    struct shoal_buffer *energy,
        /* [padded] of float or double, by place: half the energy and half the virial of the pairs of a
         * particle, computed by gas_method.forces if they are wanted */
        *virial;
    /* number of steps done when method.advance is called, including the equilibration */
    uint64_t steps_done;
    /* The words after the last of these steps were read, and no particle has exploded or escaped. Set by
     * methods that read them. */
    bool is_sound;
    /* sums of the heat and impulse that particles exchanged with walls and thermostat, by place; sorts leave
     * this array as it is: cl/gas/model/exchange.clh */
    struct shoal_buffer *exchange;
    /* [CHAIN_LINKS] of float or double: velocities of the thermostats of a chain */
    struct shoal_buffer *chain;
    struct gas_motion *motion;          /* defined in motion.c */
    struct gas_minimiser *minimiser;    /* defined in minimise.c; NULL: the start is not minimised */
    struct gas_piston_device *piston;   /* defined in piston/piston_device.c; NULL: there is no piston */
    struct gas_samples samples;         /* device times of sampled steps */
    struct gas_observer *observer;      /* defined in observe.c */
    struct shoal_kernel *species_place; /* NULL: there is one species */
    struct gas_tabler *tabler;          /* defined in tables/tables.c; NULL: no table is wanted */
    struct shoal_kernel *rows;          /* of frames/rows.c; NULL: rows were not asked for */
    struct gas_painter *painter;        /* defined in picture/device.c; NULL: no picture was drawn */
    /* defined in methods/domains.c; NULL: particles do not move between shares */
    struct gas_domains *domains;
    /* places of the particles of this share, if `domains` is not NULL; else zeros */
    struct gas_range own;
    struct arrays arrays; /* table of the buffers above */
};

static inline struct gas_device *gas_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* Number of particles in a unit of gas_domains_split, the smallest part that a share can have: a multiple of
 * the particles of a work-group and of a tile of lists, so that neither is divided. */
enum { GAS_UNIT = 128 };

/* Number of particles in a unit of the rules by which the gas is divided. */
static inline size_t gas_unit(const struct solver_share *share)
{
    return share->rules == &gas_domains_split ? GAS_UNIT : 1;
}

/* Places of the particles whose forces the solver computes and which it moves: all places or, for a share,
 * those of the share. */
static inline struct gas_range gas_own_range(const struct shoal_solver *solver)
{
    const struct solver_share *share = &solver->share;
    const size_t n = gas_device_of(solver)->problem.n, unit = gas_unit(share);
    const size_t end = (size_t)(share->first + share->count) * unit;
    const struct gas_range cut = gas_device_of(solver)->own;
    if (cut.end > 0)
        return cut;
    return share->of ? (struct gas_range){(uint32_t)(share->first * unit), (uint32_t)(end < n ? end : n)}
                     : (struct gas_range){0, (uint32_t)n};
}

static inline enum shoal_status gas_read_words(const struct shoal_solver *solver, uint32_t words[GAS_WORDS],
                                               struct shoal_error *error)
{
    return shoal_buffer_read(solver->queue, gas_device_of(solver)->words, 0, words, GAS_WORDS * sizeof *words,
                             error);
}

/* Returns element `index` of an array of sums that kernels write: pairs of floats, whose total is the sum, in
 * single precision; else doubles. */
static inline double gas_sum_at(const struct gas_device *device, const void *sums, size_t index)
{
    return device->precision == SHOAL_GAS_SINGLE
               ? (double)((const float *)sums)[2 * index] + (double)((const float *)sums)[2 * index + 1]
               : ((const double *)sums)[index];
}

/* A method to compute forces. The state of the solver that its functions get is a struct gas_device with
 * problem and precision set. */
struct gas_method {
    /* `begin` sorts the particles and builds lists, if the method has any; positions, velocities and ids are
     * already on the device, in any order. `advance` makes `steps` steps, and waits for the device if
     * necessary; NULL: a step is a call of `forces` and a launch of gas_advance. When the particles are
     * sorted depends on the number of the step and the state alone, not on a clock or on the division of a
     * run into calls. */
    struct method base;
    /* bytes of device memory that the method needs in addition to the buffers of gas_device; NULL: few.
     * Called before these buffers are created, when their sizes are set. */
    double (*bytes)(struct shoal_solver *solver);
    /* Enqueues the computation of the accelerations at the current positions and, if `energies`, of half the
     * energy and half the virial of the pairs of each particle. */
    enum shoal_status (*forces)(struct shoal_solver *solver, bool energies, struct shoal_error *error);
    bool keeps_energies; /* `forces` computes nothing anew until particles move */
    /* Called after other code than a step of the method has moved particles, by at most `farthest` each.
     * NULL: the state of the method does not depend on positions. */
    void (*moved)(struct shoal_solver *solver, double farthest);
    /* Called after the box has other lengths, before the next rebuild of the list, which `moved` asks for.
     * NULL: the method does not depend on the box. */
    void (*resized)(struct shoal_solver *solver);
    /* Whether `advance` also rescales velocities at the steps at which this is due; NULL: it does not. */
    bool (*rescales)(const struct shoal_solver *solver);
    /* number of rebuilds of the list so far; NULL: the method has no list */
    uint32_t (*rebuilds)(const struct shoal_solver *solver);
    void (*timing)(const struct shoal_solver *solver,
                   struct shoal_gas_timing *timing); /* sets the members that the method has measured */
    /* largest accepted ratio of the rms error of the forces to the rms of the forces */
    double (*force_tolerance)(const struct shoal_solver *solver);
};

extern const struct gas_method gas_allpairs_method, gas_cells_method, gas_fmm_method, gas_list_method;
static inline const struct gas_method *gas_device_method(const struct shoal_solver *solver)
{
    return (const struct gas_method *)solver->method.method;
}

/* The functions from here to gas_settings_write are defined in settings.c. gas_state_defines sets BOUNDARIES,
 * DIM, PRECISION and REAL (cl/gas/model/state.clh). */
void gas_state_defines(const struct shoal_solver *solver, struct defines *defines);
/* sets POTENTIAL and CUT (pair.clh) */
void gas_pair_defines(const struct shoal_solver *solver, struct defines *defines);
/* sets the defines of cl/gas/device/advance.clh */
void gas_motion_defines(const struct shoal_solver *solver, struct defines *defines);
/* all these defines, of a gas that no solver has */
void gas_problem_defines(const struct gas_problem *problem, struct defines *defines);
/* Sets the numbers of the buffer of settings, except those of a schedule and of species; the others are 0
 * before. */
void gas_settings_of(const struct gas_problem *problem, double wide[GAS_SETTINGS]);
/* grid spacing of fixed-point coordinates along `axis` */
double gas_grid_unit(const struct gas_problem *problem, size_t axis);
/* Sets the texts that replace kernel files: the user's pair force replaces gas/model/snippet.clh, rules of
 * the thesis replace gas/model/rules.clh. The texts belong to `problem`. */
void gas_kernel_texts(const struct gas_problem *problem, struct shoal_kernel_text texts[PROGRAMS_TEXTS]);
SHOAL_MUST_CHECK enum shoal_status gas_settings_write(struct shoal_solver *solver, struct shoal_error *error);
/* Passes a new box of the problem to kernels, method and observer. */
SHOAL_MUST_CHECK enum shoal_status gas_fit_box(struct shoal_solver *solver, struct shoal_error *error);
/* Writes `count` numbers to the buffer of settings, from number `first` on, in the format of pair forces. */
SHOAL_MUST_CHECK enum shoal_status gas_settings_put(struct shoal_solver *solver, size_t first, size_t count,
                                                    const double *wide, struct shoal_error *error);
/* Whether a schedule changes numbers of enum gas_schedule_row during the run. */
bool gas_has_schedule(const struct gas_problem *problem);
/* gas_schedule_write writes the rows of the steps after `steps_done`, unless the device has the row of the
 * next step. gas_schedule_settle sets the settings to their values after `steps_done` steps, for kernels that
 * make no step. Both do nothing without a schedule. */
SHOAL_MUST_CHECK enum shoal_status gas_schedule_write(struct shoal_solver *solver, uint64_t steps_done,
                                                      struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_schedule_settle(struct shoal_solver *solver, uint64_t steps_done,
                                                       struct shoal_error *error);

/* Defined in check_grid.c. SHOAL_INVALID: the grid of fixed-point coordinates is too coarse for the motion of
 * the gas. */
SHOAL_MUST_CHECK enum shoal_status gas_check_grid(const struct gas_problem *problem,
                                                  struct shoal_error *error);

/* gas_upload, defined in state.c, copies positions and velocities, [n][dim] doubles in the order of the
 * particles' numbers, from the host to the device. */
SHOAL_MUST_CHECK enum shoal_status gas_upload(struct shoal_solver *solver, const double *position,
                                              const double *velocity, struct shoal_error *error);
/* gas_download and gas_download_accelerations compute the accelerations by pair forces, and then copy the
 * state from the device to arrays [n][dim] of the host in the order of the particles' numbers. velocity: of
 * the full step. */
SHOAL_MUST_CHECK enum shoal_status gas_download(struct shoal_solver *solver, double *position,
                                                double *velocity, int32_t *image, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_download_accelerations(struct shoal_solver *solver, double *acceleration, struct shoal_error *error);
/* Copies on the host of the state of all particles, in the order and format of the device. */
struct gas_particle_data {
    const void *id, *position, *velocity, *acceleration;
};
/* Puts positions and velocities of the full step in the order of the particles' numbers, as gas_download
 * does. Any thread may call it; the problem is as it was when the state was copied. */
SHOAL_MUST_CHECK enum shoal_status gas_place_particles(const struct gas_problem *problem,
                                                       const struct gas_particle_data *data, double *position,
                                                       double *velocity, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_device_follow(struct shoal_solver *solver,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);

/* A gas that several devices share. A share is a solver that holds all particles, but computes forces on its
 * own particles only, and moves only these. Defined in shares.c. */

/* The solver whose arrays hold the state of all particles after gas_collect or gas_find_forces: the first
 * share of a divided gas, otherwise `solver`. */
static inline struct shoal_solver *gas_holder(struct shoal_solver *solver)
{
    return solver_holders(&solver).solvers[0];
}

/* Estimates the bytes of device memory of a gas, or of all shares in the memory of a share. Defined in
 * device.c. */
double gas_device_bytes(struct shoal_solver *solver);

/* Returns whether a device computes forces by neighbour lists if the parameters do not choose a method. It
 * does if the box has so many cells as wide as the cutoff that most pairs of particles are too far apart to
 * interact. */
bool gas_suits_lists(double cutoff, size_t dim, const double length[GAS_MAX_DIM]);
/* The method by which shares divided by `rules` compute forces. */
const struct method *gas_shared_method(const struct workload_split *rules);
/* Fails unless `method`, which was chosen for the whole gas, is a method for shares divided by `rules`. */
SHOAL_MUST_CHECK enum shoal_status gas_check_shared(const struct workload_split *rules,
                                                    const struct method *method, struct shoal_error *error);
/* Makes the problem of a share a copy of the problem of the whole gas. The arrays still belong to the whole
 * gas. */
SHOAL_MUST_CHECK enum shoal_status gas_borrow_problem(struct shoal_solver *share, struct shoal_error *error);

/* The arrays of which gas_gather copies the rows of other shares' particles. EXCHANGE: heat and impulse
 * exchanged with walls and thermostat; ENERGIES: halves of the energies and virials of pairs; REFERENCE: the
 * positions from which the lists were built. If particles move between shares, positions are always copied,
 * and CROSSINGS also copies the numbers of the particles. */
enum gas_rows {
    GAS_POSITIONS = 1,
    GAS_VELOCITIES = 2,
    GAS_ACCELERATIONS = 4,
    GAS_CROSSINGS = 8,
    GAS_EXCHANGE = 16,
    GAS_ENERGIES = 32,
    GAS_REFERENCE = 64,
    GAS_MOTION = GAS_VELOCITIES | GAS_ACCELERATIONS,
    GAS_BORDERS = GAS_CROSSINGS | GAS_EXCHANGE
};
/* Copies `rows` of the particles of other shares to `share`, if `takes` is true. Every share must call this
 * function at the same time, with the same rows. Does nothing if the gas is not divided. */
SHOAL_MUST_CHECK enum shoal_status gas_gather(struct shoal_solver *share, unsigned rows, bool takes,
                                              struct shoal_error *error);
/* Copies `rows` of all particles to the holder (gas_holder). solver: the solver of the run. */
SHOAL_MUST_CHECK enum shoal_status gas_collect(struct shoal_solver *solver, unsigned rows,
                                               struct shoal_error *error);
/* Computes the forces on all particles, and copies all rows except positions to the holder (gas_holder).
 * solver: the solver of the run. */
SHOAL_MUST_CHECK enum shoal_status gas_find_forces(struct shoal_solver *solver, bool energies,
                                                   struct shoal_error *error);

/* Whether the solver uses the tuned values that the solver of the run has chosen. A share on a device with
 * another name than the first device of the run chooses its own values. */
bool gas_takes_chosen(const struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status
gas_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Rows of a contract (compute/contract.h) for the defines of gas_state_defines and gas_pair_defines. */
#define GAS_STATE_DEFINE_DESCS(file)                                                                         \
    DEFINE(file, BOUNDARIES, 0, 63, "two bits an axis: 0 periodic, 1 walls, 2 open"),                        \
        DEFINE(file, DIM, 2, 3, "dimensions"), DEFINE(file, MASSES, 0, 1, "1: species differ in mass"),      \
        DEFINE(file, PRECISION, SHOAL_GAS_SINGLE, SHOAL_GAS_DOUBLE, "0 single, 1 mixed, 2 double"),          \
        DEFINE(file, REAL, 32, 64, "format of pair forces: 32, or 64 with PRECISION 2"),                     \
        DEFINE(file, SPECIES, 1, SHOAL_GAS_MOST_SPECIES, "number of species")
#define GAS_PAIR_DEFINE_DESCS(file)                                                                          \
    DEFINE(file, CUT, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_CUT_SMOOTHED,                                         \
           "0 no cutoff, 1 truncated, 2 shifted, 3 force-shifted, 4 smoothed"),                              \
        DEFINE(file, POTENTIAL, GAS_PAIR_LJ, GAS_PAIR_USER,                                                  \
               "0 LJ, 2 log, 3 log with repulsion, 4 real gas, 5 gravity, 6 of the caller")
#define GAS_MOTION_DEFINE_DESCS(file)                                                                        \
    DEFINE(file, FIELD, 0, 1, "1: uniform field"),                                                           \
        DEFINE(file, LIMITED, 0, 1, "1: speeds are limited, by gas/model/rules.clh"),                        \
        DEFINE(file, PISTON, 0, 3, "axis of the piston, from 1 on; 0: none"),                                \
        DEFINE(file, SCHEDULE, 0, 1, "1: thermostat or external forces change from step to step"),           \
        DEFINE(file, SIDES, 0, 4095,                                                                         \
               "two bits a side, low before high, x first: 0 reflect, 1 thermal, 2 damping"),                \
        DEFINE(file, THERMOSTAT, 0, 2, "as enum shoal_gas_thermostat"),                                      \
        DEFINE(file, TRAP, 0, 1, "1: harmonic trap"),                                                        \
        DEFINE(file, WALL_METHOD, SHOAL_GAS_W2, SHOAL_GAS_W5, "as enum shoal_gas_wall_method")

#endif
