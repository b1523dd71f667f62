/* Private: the gas of the host solver, in double precision. docs/gas.md states every rule.
 *
 * The state between steps is that of a device: positions x(n), velocities v(n - 1/2) (of Euler: v(n)).
 * Results do not depend on the number of threads: each sum is computed for blocks of a fixed number of
 * particles, whose sums are then added in order.
 */
#ifndef SHOAL_GAS_REFERENCE_H
#define SHOAL_GAS_REFERENCE_H

#include "base/threads.h"
#include "gas/host/host_list.h"
#include "gas/model/thermostat.h"
#include "gas/observe/sampling.h"

/* Energy and impulse exchanged with walls and thermostat. */
struct gas_exchange {
    double heat;                    /* energy added by thermostat, walls and limiter */
    double impulse[GAS_MAX_DIM][2]; /* impulse on the low and the high wall of each axis */
};

/* Lowest numbers of the particles that failed in a step. */
struct gas_trouble {
    size_t exploded, escaped; /* SIZE_MAX: no particle */
};

/* number of particles in a block, whose contributions are one term of a sum over all particles */
enum { GAS_BLOCK = 1024 };

struct gas_host {
    struct gas_common common;
    struct gas_problem problem;
    /* largest kinetic energy that limiter L1 allows a particle in the next step; infinity: no limit */
    double limit_kinetic;
    struct gas_host_list list; /* neighbour list if there is a cutoff; zeros: there is no cutoff */
    double *x, *v;             /* [n][dim] */
    /* [n][dim]: accelerations by pair forces at x, up to date if `is_fresh` is set */
    double *a;
    bool is_fresh;
    bool is_ideal; /* particles do not interact */
    /* [n]: half the energy and half the virial of the pairs of each particle, at the last sample */
    double *energy, *virial;
    int32_t *image; /* [n][dim]: number of periodic borders crossed */
    struct gas_exchange exchange;
    double chain[GAS_CHAIN]; /* velocities of the thermostats of a chain */
    /* [blocks]: heat and impulse exchanged by each block of particles in the current step */
    struct gas_exchange *block_exchange;
    struct gas_trouble *troubles; /* [blocks]: the particles of each block that failed in the current step */
    double *block_sums;           /* [blocks]: sum over each block */
    struct gas_fire_sums *block_fire; /* [blocks]: sums for the minimiser; NULL: the start is not minimised */
    uint64_t *counts[GAS_HISTOGRAMS];
    double *origin;        /* [n][dim]: positions at step 0, from which displacements are measured */
    int32_t *origin_image; /* [n][dim]: `image` of the positions in `origin` */
    /* [GAS_ORIGIN_LEVELS][n][dim]: time origins; NULL: there are none */
    double *origins_x, *origins_v;
    int32_t *origins_image;
    struct arrays arrays; /* table of the arrays above */
    double force_s, observe_s;
    struct thread_choice choice;
    struct long_step cut; /* the step, or the `begin` of the stepper, that is in progress and may be cut */
    /* copy of x, v and image before a step, so that rules.move can undo the step; NULL: not allocated yet */
    double *kept;
    uint32_t *picture; /* pixels of the last picture; NULL: none was drawn */
};

static inline struct gas_host *gas_host_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* The square of the length of a vector. */
static inline double gas_square(const double *v, size_t dim)
{
    double sum = 0;
    for (size_t k = 0; k < dim; k++)
        sum += v[k] * v[k];
    return sum;
}

static inline size_t gas_blocks(const struct gas_host *host)
{
    return (host->problem.n + GAS_BLOCK - 1) / GAS_BLOCK;
}

static inline size_t gas_block_end(const struct gas_host *host, size_t block)
{
    const size_t end = (block + 1) * GAS_BLOCK;
    return end < host->problem.n ? end : host->problem.n;
}

/* `at` is an index of an array [n][dim]. gas_host_acceleration: acceleration by pair and external forces;
 * host->a must be up to date. gas_host_full_velocity: velocity of the full step. */
static inline double gas_host_acceleration(const struct gas_host *host, size_t at)
{
    const struct gas_problem *problem = &host->problem;
    return host->a[at] +
           gas_external_acceleration(problem, at / problem->dim, at % problem->dim, host->x[at]);
}

static inline double gas_host_full_velocity(const struct gas_host *host, size_t at)
{
    return host->v[at] + host->problem.half_step * gas_host_acceleration(host, at);
}

/* The displacement along an axis from a position `x` with `image` crossings of the border. */
static inline double gas_host_moved(const struct gas_host *host, size_t at, double x, int32_t image)
{
    const double crossed = (double)host->image[at] - (double)image;
    return host->x[at] - x + crossed * host->problem.length[at % host->problem.dim];
}

/* Defined in host_motion.c: makes step number `step` (counted from 1) of particle i. Adds to *exchange, and
 * sets members of *trouble if the particle fails. */
void gas_host_move(struct gas_host *host, size_t i, uint32_t step, struct gas_exchange *exchange,
                   struct gas_trouble *trouble);
/* Moves a particle and counts its crossings of periodic borders. */
void gas_host_drift(struct gas_host *host, size_t i, const double *displacement);
/* gas_host_is_free: whether a step of a particle is only a kick by the forces and a drift, without walls,
 * limiter and Langevin thermostat. gas_host_move_free: makes such a step, with the same bits as
 * gas_host_move. */
bool gas_host_is_free(const struct gas_problem *problem);
void gas_host_move_free(struct gas_host *host, size_t i, struct gas_trouble *trouble);
/* gas_collide and gas_fly are defined in host_walls.c. */
/* Changes the velocity `v` of particle i, which hits walls. side[k]: -1 for the low wall of axis k, 1 for the
 * high wall, 0 for none. Random numbers are taken from draw number `draw` on. */
void gas_collide(const struct gas_problem *problem, size_t i, uint32_t step, uint32_t draw,
                 const int side[GAS_MAX_DIM], double v[GAS_MAX_DIM], struct gas_exchange *exchange);
/* Wall method W4: moves particle i from wall to wall during a step under the constant acceleration `a`. Sets
 * its displacement, and changes `v` to the velocity half a step before the end. */
void gas_fly(const struct gas_host *host, size_t i, uint32_t step, const double a[GAS_MAX_DIM],
             double v[GAS_MAX_DIM], double displacement[GAS_MAX_DIM], struct gas_exchange *exchange);

/* Defined in host_step.c. gas_host_forces: computes host->a and, if `energies`, host->energy and
 * host->virial. gas_host_advance: member `advance` of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_host_forces(struct gas_host *host, bool energies,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_host_advance(struct shoal_solver *solver, uint64_t steps,
                                                    struct shoal_error *error);
/* Member `resize` of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status
gas_host_resize(struct shoal_solver *solver, const double length[GAS_MAX_DIM], struct shoal_error *error);
/* Sets the force of the gas on the piston, if there is one. */
void gas_host_press(struct gas_host *host);
/* Kinetic energy of the full step; host->a must be up to date. */
double gas_host_kinetic(const struct gas_host *host);

/* Defined in host_minimise.c: the members fire_sums and fire_move of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_host_fire_sums(struct shoal_solver *solver, double limit,
                                                      uint32_t step, struct gas_fire_sums *sums,
                                                      struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_host_fire_move(struct shoal_solver *solver, const struct gas_fire_move *move, struct shoal_error *error);

/* Defined in host_observe.c: gas_host_measure, gas_host_count and gas_host_mark are the members measure,
 * count and mark of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_host_measure(struct shoal_solver *solver,
                                                    struct shoal_gas_thermo *thermo, double *impulse,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_host_count(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_host_mark(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_host_displacements(struct shoal_solver *solver,
                                                          double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                                          struct shoal_error *error);
/* Defined in host_tables.c: the members set_origin, correlate and tabulate of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_host_set_origin(struct shoal_solver *solver, size_t level,
                                                       struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_host_correlate(struct shoal_solver *solver, size_t level,
                                                      double products[GAS_MSD_GROUPS],
                                                      double squares[GAS_MSD_GROUPS],
                                                      struct shoal_error *error);
/* Computes the hexatic order psi of each particle, [n][2]. */
SHOAL_MUST_CHECK enum shoal_status gas_host_psi(const struct gas_host *host, double (*psi)[2],
                                                struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_host_tabulate(struct shoal_solver *solver, double *const sums[GAS_TABLES], struct shoal_error *error);

#endif
