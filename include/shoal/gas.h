/* Two- and three-dimensional gas: parameters of the workload "gas" (shoal_workload_find("gas")).
 *
 * `particles` particles of one mass in a box move by the pair force `potential`, in reduced units: lengths in
 * sigma, energies in epsilon, masses in m, Boltzmann's constant 1, times in sigma sqrt(m / epsilon). The
 * potentials of the thesis have no scale of their own: the units are those of the numbers given.
 *
 * The thesis: R. Balen, Numerical simulations of real gas on a graphics card, Zagreb 2016. docs/gas.md states
 * each force, rule and method with its source, and the random numbers drawn.
 */
#ifndef SHOAL_GAS_H
#define SHOAL_GAS_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Energy u(r) of a pair; d = r^2, s = d + softening^2. */
enum shoal_gas_potential {
    SHOAL_GAS_LJ,            /* 4 epsilon ((sigma / r)^12 - (sigma / r)^6) */
    SHOAL_GAS_WCA,           /* the same, cut at its minimum and lifted to 0 there */
    SHOAL_GAS_LOG,           /* (attraction / 2) ln s: the thesis's benchmark law, section "standard" */
    SHOAL_GAS_LOG_REPULSION, /* the same + repulsion / (2 s) */
    SHOAL_GAS_REAL, /* log over all space; inside the cutoff also repulsion / (2 s) + (short_attraction / 2)
                     * ln s, tested on s < cutoff^2 as the thesis does */
    SHOAL_GAS_GRAVITY, /* -attraction / sqrt(s): the thesis's 3D comparison */
    SHOAL_GAS_USER     /* pair_force */
};

/* What happens at the cutoff; for SHOAL_GAS_REAL to its short part alone. */
enum shoal_gas_cut {
    SHOAL_GAS_CUT_DEFAULT, /* force-shifted; WCA is what it is; log, log-repulsion and gravity have no cutoff
                            */
    SHOAL_GAS_CUT_TRUNCATED,     /* the force ends: the thesis's hard switch */
    SHOAL_GAS_CUT_SHIFTED,       /* the same force; the energy is 0 at the cutoff */
    SHOAL_GAS_CUT_FORCE_SHIFTED, /* u(r) - u(c) - (r - c) u'(c): force and energy go to 0 */
    SHOAL_GAS_CUT_SMOOTHED /* times a polynomial of degree 5 in r^2 between switch_radius and cutoff, twice
                            * differentiable */
};

enum shoal_gas_precision {
    SHOAL_GAS_SINGLE, /* 32-bit fixed-point positions, fp32 velocities, forces and sums */
    SHOAL_GAS_MIXED,  /* the same positions, fp32 pair forces, sums and velocities in fp64 */
    SHOAL_GAS_DOUBLE  /* fp64 */
};

enum shoal_gas_boundary {
    SHOAL_GAS_PERIODIC, /* nearest image; what leaves enters at the other side (W6) */
    SHOAL_GAS_WALLS,    /* wall_low and wall_high */
    SHOAL_GAS_OPEN /* the box is the place where the particles start; they may go up to half its length beyond
                    * each end */
};

enum shoal_gas_wall {
    SHOAL_GAS_WALL_REFLECT, /* by wall_method */
    SHOAL_GAS_WALL_THERMAL, /* leaves with a velocity drawn from the flux of a gas at wall_temperature */
    SHOAL_GAS_WALL_DAMPING  /* reflects, the velocity times wall_damping: how the thesis's gas loses energy */
};

/* W1 to W5 of the thesis; W6 is SHOAL_GAS_PERIODIC. */
enum shoal_gas_wall_method {
    SHOAL_GAS_W1, /* outside and moving out: flip the velocity */
    SHOAL_GAS_W2, /* flip and mirror the position */
    SHOAL_GAS_W3, /* flip where the next position would lie outside; a particle that would leave all the same
                   * stays on the face: default */
    SHOAL_GAS_W4, /* exact reflection under a constant acceleration: `field` and no pair force */
    SHOAL_GAS_W5  /* a harmonic force of wall_stiffness outside the box */
};

enum shoal_gas_integrator {
    SHOAL_GAS_VERLET,         /* velocity Verlet, in its leapfrog form on devices: same positions */
    SHOAL_GAS_LEAPFROG,       /* the thesis's kick-drift-kick in two passes: the same figures */
    SHOAL_GAS_EULER,          /* symplectic: v += a dt, x += v dt; the thesis's "Euler" in separate passes */
    SHOAL_GAS_EULER_IN_PLACE, /* host alone: particle after particle, each sees the moved ones before it.
                                 Drifts */
};

enum shoal_gas_thermostat {
    SHOAL_GAS_NVE,
    SHOAL_GAS_LANGEVIN, /* BAOAB: Leimkuhler, Matthews 2013 */
    SHOAL_GAS_RESCALE   /* stochastic velocity rescaling: Bussi, Donadio, Parrinello 2007 */
};

enum shoal_gas_start {
    SHOAL_GAS_LATTICE, /* square (2D) or face-centred cubic (3D), filling the box */
    SHOAL_GAS_RANDOM,  /* random, no two closer than start_distance */
    SHOAL_GAS_DROPLET, /* a disk or ball of triangular or fcc lattice at droplet_density, the rest of it a gas
                        */
    SHOAL_GAS_FILE     /* start_file: extended XYZ or a LAMMPS dump */
};

enum shoal_gas_method {
    SHOAL_GAS_AUTO,     /* by what `shoal tune gas` measured, else by a rule */
    SHOAL_GAS_ALLPAIRS, /* every pair, n^2 */
    SHOAL_GAS_CELLS,    /* the thesis's three zones of cells, or the corrected scheme */
    SHOAL_GAS_LIST      /* neighbour list of potentials with a cutoff */
};

/* All-pairs kernels: section 3.3 of the thesis, and ours. */
enum shoal_gas_kernel {
    SHOAL_GAS_KERNEL_AUTO,
    SHOAL_GAS_KERNEL_TILED, /* sources in local memory, several targets a work-item, sources split for small n
                             */
    SHOAL_GAS_KERNEL_NAIVE, /* MTI: division */
    SHOAL_GAS_KERNEL_RSQRT, /* GPUMTI: rsqrt(s s) */
    SHOAL_GAS_KERNEL_UNROLLED,    /* GPUMTI_Um, `unroll` sources a turn */
    SHOAL_GAS_KERNEL_SEMI_BLOCKED /* GPUMTI_SBi4_U8: 4 targets a work-item */
};

/* Cell schemes: section 3.5. */
enum shoal_gas_scheme {
    SHOAL_GAS_SCHEME_CORRECTED, /* three zones, sources with dipole about the cell's centre, far field with
                                   gradient */
    SHOAL_GAS_SCHEME_TILED1,
    SHOAL_GAS_SCHEME_TILED11,
    SHOAL_GAS_SCHEME_TILED2,
    SHOAL_GAS_SCHEME_TILED3
};

enum shoal_gas_far { SHOAL_GAS_FAR_2K, SHOAL_GAS_FAR_HA1, SHOAL_GAS_FAR_HA3 };
enum shoal_gas_adder { SHOAL_GAS_NADDER, SHOAL_GAS_KADDER };
enum shoal_gas_sort { SHOAL_GAS_SORT_DEVICE, SHOAL_GAS_SORT_V1, SHOAL_GAS_SORT_V2 };

enum shoal_gas_limiter {
    SHOAL_GAS_NO_LIMITER,
    SHOAL_GAS_LIMIT_ENERGY, /* L1: kinetic energy at most limit times the mean one, 15 in the thesis */
    SHOAL_GAS_LIMIT_JUMP    /* L2: a step that raised the speed more than limit times keeps the old speed; not
                             * from rest */
};

/* State of the gas after a step. Energies are sums over the particles, pressures virial and wall ones. */
struct shoal_gas_thermo {
    uint64_t step;
    double time;
    uint64_t particles;
    double kinetic, potential, total, conserved; /* conserved: total less the heat that thermostat,
                                                  * thermal and damping walls, limiters and faces
                                                  * brought in: docs/gas.md */
    double temperature;                          /* 2 K / degrees of freedom */
    double pressure;                             /* (N T' + virial / dim) / volume, T' = 2 K / (dim N) */
    double wall_pressure; /* impulse on the walls over area and time since the line before; NaN:
                           * no walls */
    double momentum[3];
    double max_speed;
    uint64_t rebuilds;      /* of the neighbour list so far */
    double largest_cluster; /* share of the particles in the largest cluster; NaN: not asked for */
};

/* A picture of all particles in the order of their numbers. Pointers live during the call. */
struct shoal_gas_frame {
    uint64_t step;
    double time;
    size_t particles, dim;
    double origin[3], length[3]; /* of the box */
    bool periodic[3];
    const double *position; /* particles * dim, inside the box where periodic */
    const double *velocity; /* particles * dim, at the same time */
    const int32_t *image;   /* particles * dim: times the particle crossed the box */
};

/* Normalised histograms since the last reset: averages over the samples taken. */
struct shoal_gas_histogram {
    size_t bins;
    double width;         /* of a bin; bin b covers b width .. (b + 1) width */
    const double *value;  /* g(r), or the density of speeds, whose integral is 1 */
    const double *theory; /* speeds: Maxwell's law at the mean temperature; g(r): NULL */
    uint64_t samples;
};

struct shoal_gas_params {
    size_t size; /* set by shoal_gas_params_init */

    /* The system. */
    uint64_t particles;          /* 0: those of the start file, else 4096 */
    uint64_t dim;                /* 2 or 3 */
    double density;              /* NaN: by the box, or 0.4 where that is not given whole */
    double width, height, depth; /* of the box; NaN: by the density, all such lengths the same */
    int32_t boundary_x, boundary_y, boundary_z; /* enum shoal_gas_boundary */
    int32_t potential;
    const char *pair_force; /* file with a pair force of the kernel dialect: makes it SHOAL_GAS_USER */
    double epsilon, sigma;
    double attraction;       /* NaN: 1, real 1e-4; below 0: repulsion */
    double repulsion;        /* NaN: such that the least energy of a pair lies at distance 1 */
    double short_attraction; /* NaN: 2 */
    double softening;        /* NaN: 0.25 */
    double cutoff;           /* NaN: 2.5 sigma, real 2.5, user CUTOFF of the text; 0 or infinity: none */
    int32_t cut;             /* enum shoal_gas_cut */
    double switch_radius;    /* NaN: 0.9 cutoff */
    double mass;
    double field_x, field_y, field_z; /* constant acceleration */

    /* Walls, one for each side. */
    int32_t wall_left, wall_right, wall_bottom, wall_top, wall_front, wall_back; /* enum shoal_gas_wall */
    int32_t wall_method;
    double wall_temperature;             /* NaN: temperature */
    double wall_damping, wall_stiffness; /* NaN: 0.9, 1000 */
    int32_t limiter;
    double limit; /* NaN: 15 for L1, 100 for L2 */

    /* The start. */
    int32_t start;
    const char *start_file; /* makes the start SHOAL_GAS_FILE; it brings particles and box */
    double start_distance;  /* of SHOAL_GAS_RANDOM; NaN: as large as fits easily */
    double droplet_density,
        droplet_share;  /* inside it; share of the particles that are in it. NaN: 0.8, 0.5 */
    double temperature; /* of the start and of the thermostat */
    uint64_t seed;

    /* The motion. */
    double dt;
    uint64_t steps;
    uint64_t equilibration; /* steps with velocity rescaling before step 0: not in any average */
    int32_t integrator, thermostat;
    double friction;   /* Langevin: 1 / time. NaN: 1 */
    double relaxation; /* rescaling: time. NaN: 0.5 */
    double time;       /* seconds of wall time; NaN: no limit. Not repeatable */

    /* How. */
    int32_t precision;
    int32_t method, kernel;
    uint64_t unroll; /* all-pairs unrolled: 2, 4, 8, 16; 0: 8 */
    int32_t scheme, far, adder, sort;
    uint64_t cells;                    /* cells: along the width; 0: 50, or as few as the cutoff asks for */
    double near_radius, middle_radius; /* R1, R2 in widths of a cell. NaN: 2, 10 */
    double skin;                       /* list; NaN: by what was measured, else by a rule */
    uint64_t work_group;               /* all-pairs and cells; 0: as tuned */

    /* Observables. */
    uint64_t
        thermo; /* steps between samples; 0: only first and last. Last steps that are no multiple count in
                 * no average, wall pressure or histogram; with 0 in the averages of the result alone */
    uint64_t frames;         /* steps between calls of on_frame; 0: none */
    uint64_t rdf_bins;       /* of g(r) up to rdf_range, sampled with thermo; 0: none */
    double rdf_range;        /* NaN: cutoff, or a tenth of the box */
    uint64_t speed_bins;     /* of the speed histogram; 0: none */
    double cluster_distance; /* particles closer than this belong to one cluster, in frames and thermo; 0:
                                none */

    /* Called by the thread that steps the solver, between two steps; true from on_frame or on_thermo ends the
     * run as failed (SHOAL_IO with `failure`, a text of the caller, as message). NULL: none. Not options. */
    bool (*on_thermo)(void *data, const struct shoal_gas_thermo *thermo, const char **failure);
    bool (*on_frame)(void *data, const struct shoal_gas_frame *frame, const char **failure);
    void *data;
};

SHOAL_API void shoal_gas_params_init(struct shoal_gas_params *params);

/* Of a solver of the workload "gas". SHOAL_INVALID for others. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_thermo(struct shoal_solver *solver, struct shoal_gas_thermo *thermo, struct shoal_error *error);
/* `kind` 0: g(r), 1: speeds. Pointers live until the next call on the solver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_histogram(struct shoal_solver *solver, int kind,
                                                                     struct shoal_gas_histogram *histogram,
                                                                     struct shoal_error *error);
/* The state now; pointers live until the next call on the solver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame, struct shoal_error *error);

/* Shares of the run, for its closing block. */
struct shoal_gas_timing {
    double force_s, list_s, sort_s, observe_s; /* device time; NaN: not separable with the method */
    uint64_t rebuilds, violations; /* violations: rebuilds that came because a particle had gone too far; none
                                    * is dangerous, since steps wait for them */
    double mean_neighbours, skin, rebuild_interval;
    const char *method; /* "list", "all-pairs tiled" */
    double transfer_s;  /* host time of copies to and fro, for sorts on the host; 0: none */
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_timing(struct shoal_solver *solver, struct shoal_gas_timing *timing, struct shoal_error *error);

SHOAL_END_DECLS

#endif
