/* Molecular dynamics in two and three dimensions: parameters of the workload "gas"
 * (shoal_workload_find("gas")).
 *
 * `particles` identical particles in a box interact by the pair potential `potential`, in reduced units:
 * lengths in sigma, energies in epsilon, masses in m, Boltzmann's constant 1, times in
 * sigma sqrt(m / epsilon). The potentials of the thesis define no scale: their units are those of the
 * numbers given.
 *
 * The thesis: R. Balen, Numerical simulations of real gas on a graphics card, Zagreb 2016. docs/gas.md states
 * each force, rule and method with its source, and the random numbers drawn.
 *
 * Threads and errors: those of <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GAS_H
#define SHOAL_GAS_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Energy u(r) of a pair; d = r^2, s = d + softening^2. */
enum shoal_gas_potential {
    SHOAL_GAS_LJ,            /* 4 epsilon ((sigma / r)^12 - (sigma / r)^6) */
    SHOAL_GAS_WCA,           /* the same, truncated at its minimum 2^(1/6) sigma and shifted to 0 there */
    SHOAL_GAS_LOG,           /* (attraction / 2) ln s: the thesis's benchmark law, section "standard" */
    SHOAL_GAS_LOG_REPULSION, /* the same + repulsion / (2 s) */
    SHOAL_GAS_REAL,    /* log at all distances; where s < cutoff^2, as in the thesis, also repulsion / (2 s) +
                        * (short_attraction / 2) ln s */
    SHOAL_GAS_GRAVITY, /* -attraction / sqrt(s): the thesis's 3D comparison */
    SHOAL_GAS_USER     /* that of the file `pair_force` */
};

/* Treatment of the potential at the cutoff c; of SHOAL_GAS_REAL only of its short-range part. */
enum shoal_gas_cut {
    SHOAL_GAS_CUT_DEFAULT, /* force-shifted; WCA as defined; log, log-repulsion and gravity have no cutoff */
    SHOAL_GAS_CUT_TRUNCATED,     /* u(r): energy and force jump to 0 at c, as in the thesis */
    SHOAL_GAS_CUT_SHIFTED,       /* u(r) - u(c): the same force; the energy is 0 at c */
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
    SHOAL_GAS_PERIODIC, /* minimum image; a particle that leaves enters on the opposite side (W6) */
    SHOAL_GAS_WALLS,    /* the two walls of that axis: wall_left ... wall_back */
    SHOAL_GAS_OPEN      /* none: the box holds the particles at the start only; they may move up to half its
                         * length beyond each face */
};

enum shoal_gas_wall {
    SHOAL_GAS_WALL_REFLECT, /* elastic reflection by wall_method */
    SHOAL_GAS_WALL_THERMAL, /* new velocity from the flux distribution of a gas at wall_temperature */
    SHOAL_GAS_WALL_DAMPING  /* reflection with the velocity times wall_damping: energy loss in the thesis */
};

/* W1 to W5 of the thesis; W6 is SHOAL_GAS_PERIODIC. */
enum shoal_gas_wall_method {
    SHOAL_GAS_W1, /* outside and moving outwards: reverse the normal velocity */
    SHOAL_GAS_W2, /* outside: mirror the position at the face and reverse the normal velocity */
    SHOAL_GAS_W3, /* next position outside: reverse the normal velocity; a particle that would leave all the
                   * same is put on the face. The default */
    SHOAL_GAS_W4, /* exact reflection under a constant acceleration: needs no pair force, only the field */
    SHOAL_GAS_W5  /* a harmonic force of wall_stiffness outside the box */
};

enum shoal_gas_integrator {
    SHOAL_GAS_VERLET,         /* velocity Verlet, in its leapfrog form: the same positions */
    SHOAL_GAS_LEAPFROG,       /* the thesis's kick-drift-kick: the same scheme and the same numbers */
    SHOAL_GAS_EULER,          /* symplectic Euler: v += a dt, x += v dt; the thesis's "Euler" */
    SHOAL_GAS_EULER_IN_PLACE, /* host only: particles move one after another, each under forces from those
                               * already moved; momentum and energy drift */
};

enum shoal_gas_thermostat {
    SHOAL_GAS_NVE,      /* none */
    SHOAL_GAS_LANGEVIN, /* BAOAB: Leimkuhler, Matthews 2013 */
    SHOAL_GAS_RESCALE   /* stochastic velocity rescaling: Bussi, Donadio, Parrinello 2007 */
};

enum shoal_gas_start {
    SHOAL_GAS_LATTICE, /* square (2D) or face-centred cubic (3D), filling the box */
    SHOAL_GAS_RANDOM,  /* random, no two closer than start_distance */
    SHOAL_GAS_DROPLET, /* triangular (2D) or fcc (3D) lattice at droplet_density, in a gas of the rest */
    SHOAL_GAS_FILE     /* start_file: extended XYZ or a LAMMPS dump */
};

enum shoal_gas_method {
    SHOAL_GAS_AUTO,     /* the fastest that `shoal tune gas` measured, else by a rule */
    SHOAL_GAS_ALLPAIRS, /* direct sum over all n^2 ordered pairs */
    SHOAL_GAS_CELLS,    /* the thesis's three zones of cells, or the corrected scheme */
    SHOAL_GAS_LIST      /* neighbour list; needs a potential with a cutoff */
};

/* All-pairs kernels: section 3.3 of the thesis, and the tiled one of shoal. */
enum shoal_gas_kernel {
    SHOAL_GAS_KERNEL_AUTO,
    SHOAL_GAS_KERNEL_TILED,       /* sources in local memory, several targets a work-item, sources split among
                                   * work-groups for small n */
    SHOAL_GAS_KERNEL_NAIVE,       /* MTI: division */
    SHOAL_GAS_KERNEL_RSQRT,       /* GPUMTI: rsqrt(s s) */
    SHOAL_GAS_KERNEL_UNROLLED,    /* GPUMTI_Um: `unroll` sources an iteration of the loop */
    SHOAL_GAS_KERNEL_SEMI_BLOCKED /* GPUMTI_SBi4_U8: 4 targets a work-item */
};

/* Schemes of the cells method: section 3.5 of the thesis. */
enum shoal_gas_scheme {
    SHOAL_GAS_SCHEME_CORRECTED, /* three zones; sources with a dipole about the centre of their cell, a far
                                 * field with its gradient */
    SHOAL_GAS_SCHEME_TILED1,
    SHOAL_GAS_SCHEME_TILED11,
    SHOAL_GAS_SCHEME_TILED2,
    SHOAL_GAS_SCHEME_TILED3
};

/* Of the thesis's schemes: kernel of the far zone; whether it is added per particle or per cell; sort on the
 * device, or on the host as in the thesis. */
enum shoal_gas_far { SHOAL_GAS_FAR_2K, SHOAL_GAS_FAR_HA1, SHOAL_GAS_FAR_HA3 };
enum shoal_gas_adder { SHOAL_GAS_NADDER, SHOAL_GAS_KADDER };
enum shoal_gas_sort { SHOAL_GAS_SORT_DEVICE, SHOAL_GAS_SORT_V1, SHOAL_GAS_SORT_V2 };

enum shoal_gas_limiter {
    SHOAL_GAS_NO_LIMITER,
    SHOAL_GAS_LIMIT_ENERGY, /* L1: kinetic energy at most `limit` times the mean, 15 in the thesis */
    SHOAL_GAS_LIMIT_JUMP    /* L2: a speed that grew by more than a factor `limit` in one step is set back to
                             * its old value; not from rest */
};

/* A sample: observables of the gas after a step, in reduced units. Energies are sums over all particles. */
struct shoal_gas_thermo {
    uint64_t step;
    double time;
    uint64_t particles;
    double kinetic, potential, total, conserved; /* conserved: total less the heat added by thermostat,
                                                  * thermal and damping walls, limiters and positions put
                                                  * back on a face: docs/gas.md */
    double temperature;                          /* 2 K / degrees of freedom */
    double pressure;                             /* (N T' + virial / dim) / volume, T' = 2 K / (dim N) */
    double wall_pressure; /* impulse on all walls over their area and the time since the last sample; NaN: no
                           * walls, or the first sample */
    double momentum[3];
    double max_speed;
    uint64_t rebuilds;      /* of the neighbour list so far */
    double largest_cluster; /* fraction of the particles in the largest cluster; NaN: not asked for */
};

/* All particles after a step, in the order of their numbers. Pointers are valid during the callback, or until
 * the next call on the solver. */
struct shoal_gas_frame {
    uint64_t step;
    double time;
    size_t particles, dim;
    double origin[3], length[3]; /* of the box */
    bool periodic[3];
    const double *position; /* particles * dim, inside the box where periodic */
    const double *velocity; /* particles * dim, at the same time */
    const int32_t *image;   /* particles * dim: signed crossings of the periodic boundary */
};

enum shoal_gas_histogram_kind {
    SHOAL_GAS_RDF,    /* the radial distribution function g(r) */
    SHOAL_GAS_SPEEDS, /* the distribution of speeds */
    SHOAL_GAS_PROFILE /* the number density along profile_axis, from the low end of the box to the high one */
};

enum shoal_gas_axis { SHOAL_GAS_NO_AXIS, SHOAL_GAS_X, SHOAL_GAS_Y, SHOAL_GAS_Z };

/* A normalised histogram, averaged over the samples. */
struct shoal_gas_histogram {
    size_t bins;
    double width;         /* of a bin; bin b covers b width .. (b + 1) width */
    const double *value;  /* g(r), the probability density of the speed, or the number density */
    const double *theory; /* speeds: Maxwell's law at the mean temperature; others: NULL */
    uint64_t samples;
};

/* The mean-square displacement at one time: |r(t) - r(0)|^2 averaged over the particles, r without the jumps
 * at periodic borders and r(0) that of step 0. */
struct shoal_gas_displacement {
    double time;
    double total;    /* the sum of those along each axis */
    double along[3]; /* beyond dim: 0 */
};

struct shoal_gas_msd {
    size_t samples; /* 0: `msd` was not asked for, or step 0 is still to come */
    const struct shoal_gas_displacement *sample;
    /* Half the slope of `total` over time in the second half of the samples, by least squares, over dim
     * (Einstein 1905), and its standard error from those of eight groups of particles; NaN: too few samples
     * or particles. */
    double diffusion, diffusion_error;
};

struct shoal_gas_params {
    size_t size; /* set by shoal_gas_params_init */

    /* The system. */
    uint64_t particles;          /* 0: those of the start file, else 4096 */
    uint64_t dim;                /* 2 or 3 */
    double density;              /* number density; NaN: that of the box, or 0.4 where a length is NaN */
    double width, height, depth; /* of the box; NaN: by the density, all such lengths equal */
    int32_t boundary_x, boundary_y, boundary_z; /* enum shoal_gas_boundary */
    int32_t potential;
    const char *pair_force;  /* file with a pair force in the kernel dialect; the potential is then
                              * SHOAL_GAS_USER */
    double epsilon, sigma;   /* Lennard-Jones energy and length */
    double attraction;       /* NaN: 1, real 1e-4; negative: repulsion */
    double repulsion;        /* NaN: puts the minimum of the pair energy at distance 1 */
    double short_attraction; /* NaN: 2 */
    double softening;        /* NaN: 0.25 */
    double cutoff;           /* NaN: 2.5 sigma; real 2.5; user CUTOFF of the file; 0 or infinity: none */
    int32_t cut;             /* enum shoal_gas_cut */
    double switch_radius;    /* NaN: 0.9 cutoff */
    double mass;
    double field_x, field_y, field_z; /* external field: a constant acceleration */

    /* Walls, one for each side. */
    int32_t wall_left, wall_right, wall_bottom, wall_top, wall_front, wall_back; /* enum shoal_gas_wall */
    int32_t wall_method;                 /* enum shoal_gas_wall_method */
    double wall_temperature;             /* of thermal walls; NaN: `temperature` */
    double wall_damping, wall_stiffness; /* factor on the velocity, force over depth; NaN: 0.9, 1000 */
    int32_t limiter;                     /* enum shoal_gas_limiter */
    double limit;                        /* factor of the limiter; NaN: 15 for L1, 100 for L2 */

    /* The start. */
    int32_t start;          /* enum shoal_gas_start */
    const char *start_file; /* particles and box; the start is then SHOAL_GAS_FILE */
    double start_distance;  /* least distance of SHOAL_GAS_RANDOM; NaN: as large as fits easily */
    double droplet_density, droplet_share; /* number density inside the droplet, fraction of the particles in
                                            * it; NaN: 0.8, 0.5 */
    uint64_t minimise; /* most steps of the minimiser, ahead of the equilibration; 0: none. Such a start may
                        * overlap */
    double minimise_force; /* it ends once no particle has a larger force; NaN: 0.01 */
    double temperature;    /* of the start and of the thermostat */
    uint64_t seed;

    /* Integration. */
    double dt;              /* time step */
    uint64_t steps;         /* after the equilibration */
    uint64_t equilibration; /* steps with velocity rescaling before step 0; excluded from every average */
    int32_t integrator, thermostat;
    double friction;        /* of Langevin, an inverse time; NaN: 1 */
    double relaxation;      /* time constant of rescaling; NaN: 0.5 */
    double temperature_end; /* the thermostat's temperature goes linearly from `temperature`, at step 0, to
                             * this at the last step; NaN: it stays */
    double time;            /* limit of wall time in seconds; NaN: none. Not repeatable */

    /* Method. */
    int32_t precision;      /* enum shoal_gas_precision of the device; the host always computes in double */
    int32_t method, kernel; /* enum shoal_gas_method, shoal_gas_kernel */
    uint64_t unroll;        /* of SHOAL_GAS_KERNEL_UNROLLED: 2, 4, 8, 16; 0: 8 */
    int32_t scheme, far, adder, sort;
    uint64_t cells; /* of the cells method, along the width; 0: 50, or fewer for the cutoff */
    double near_radius, middle_radius; /* R1, R2 in widths of a cell; NaN: 2, 10 */
    double skin;                       /* of the neighbour list, a length; NaN: as tuned, else by a rule */
    uint64_t work_group;               /* of all-pairs and cells; 0: as tuned */

    /* Observables. */
    uint64_t thermo; /* steps between samples; 0: only the first and the last step. A last step that is no
                      * multiple enters no average, wall pressure or histogram; with 0 and no average_every
                      * it enters the averages of the result only */
    uint64_t average_every;  /* steps between samples that are for averages, wall pressure and histograms
                              * alone,  where thermo is 0; 0: none */
    uint64_t frames;         /* steps between calls of on_frame; 0: none */
    uint64_t rdf_bins;       /* bins of g(r), sampled with thermo; 0: none */
    double rdf_range;        /* largest distance of g(r); NaN: the cutoff, or a tenth of the box */
    uint64_t speed_bins;     /* bins of the speed histogram; 0: none */
    int32_t profile_axis;    /* enum shoal_gas_axis: of the density profile; none: there is none */
    uint64_t profile_bins;   /* 0: 100 */
    bool msd;                /* the mean-square displacement, sampled with thermo */
    double cluster_distance; /* particles closer than this belong to one cluster, in samples; 0: none */

    /* Called between two steps by the thread that steps the solver; true ends the run with SHOAL_IO and the
     * message `*failure`, a text of the caller. NULL: none. Not options. Samples: shoal_solver_on_sample. */
    bool (*on_frame)(void *data, const struct shoal_gas_frame *frame, const char **failure);
    void *data;
};

SHOAL_API void shoal_gas_params_init(struct shoal_gas_params *params);
#define SHOAL_GAS_PARAMS(...) SHOAL_INIT(shoal_gas_params, shoal_gas_params_init, __VA_ARGS__)

/* Observables now. SHOAL_INVALID for a solver of another workload, here and below. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_thermo(struct shoal_solver *solver, struct shoal_gas_thermo *thermo, struct shoal_error *error);
/* Pointers are valid until the next call on the solver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_histogram(struct shoal_solver *solver,
                                                                     enum shoal_gas_histogram_kind kind,
                                                                     struct shoal_gas_histogram *histogram,
                                                                     struct shoal_error *error);
/* Of all samples so far; pointers are valid until the next call on the solver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_msd(struct shoal_solver *solver, struct shoal_gas_msd *msd, struct shoal_error *error);
/* The state now; pointers are valid until the next call on the solver. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame, struct shoal_error *error);

/* Where the device time went, and statistics of the neighbour list. */
struct shoal_gas_timing {
    /* Seconds of device time; NaN: the method cannot separate it. */
    double force_s, list_s, sort_s, observe_s;
    uint64_t rebuilds, violations; /* violations: rebuilds after which a particle moved further than skin / 2
                                    * too early; forces stay exact, since steps wait for the next rebuild */
    double mean_neighbours, skin, rebuild_interval; /* interval: steps between rebuilds */
    const char *method;                             /* "list", "all-pairs tiled" */
    double transfer_s; /* host seconds of copies between host and device for sorts on the host; 0: none */
};
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_timing(struct shoal_solver *solver, struct shoal_gas_timing *timing, struct shoal_error *error);

/* What the start file of some parameters gives a run. */
struct shoal_gas_start_info {
    size_t size;        /* set by the caller: of the struct; 0: that of its first release */
    const char *format; /* "extended XYZ", "LAMMPS dump" or "checkpoint" */
    uint64_t particles;
    uint64_t dim; /* 2: all have the same z, and none moves along it */
    /* Frames that the file holds, and the one that is read, from 1 on: the last whole one. */
    uint64_t frames, frame;
    bool is_cut;           /* the file ends within a frame, which is left out, or within a line */
    bool has_box;          /* else the lengths of the parameters are needed */
    bool has_velocities;   /* else they are drawn, by `temperature` */
    bool uses_temperature; /* whether `temperature` acts on the run: velocities are drawn, or it is kept */
    double origin[3], length[3];  /* of the box; length 0: it has none along this axis */
    double least[3], greatest[3]; /* coordinates */
    double mean_square_speed;     /* 0 without velocities */
    char notes[1024];             /* what of the file has no effect, and how it was read: a sentence a line */
};

/* Reads params->start_file as a run does. Errors are those of shoal_workload_validate. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_read_start(struct shoal *shoal,
                                                                  const struct shoal_gas_params *params,
                                                                  struct shoal_gas_start_info *info,
                                                                  struct shoal_error *error);

SHOAL_END_DECLS

#endif
