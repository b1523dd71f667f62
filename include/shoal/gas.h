/* Molecular dynamics in two and three dimensions: parameters of the workload "gas"
 * (shoal_workload_find("gas")).
 *
 * `particles` identical particles in a box interact by the pair potential `potential`, in reduced units:
 * lengths in sigma, energies in epsilon, masses in m, Boltzmann's constant 1, times in sigma sqrt(m /
 * epsilon). The potentials of the thesis define no scale: their units are the units of the numbers given.
 *
 * The thesis: R. Balen, Numerical simulations of real gas on a graphics card, Zagreb 2016. docs/gas.md states
 * each force, rule and method with its source, and the random numbers drawn.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GAS_H
#define SHOAL_GAS_H

#include <shoal/gas_tables.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Energy u(r) of a pair at distance r; d = r^2, s = d + softening^2. */
enum shoal_gas_potential {
    SHOAL_GAS_LJ, /* Lennard-Jones: 4 epsilon ((sigma / r)^12 - (sigma / r)^6). */
    /* Lennard-Jones, truncated at its minimum 2^(1/6) sigma and shifted to 0 there (Weeks, Chandler, Andersen
     * 1971). */
    SHOAL_GAS_WCA,
    SHOAL_GAS_LOG,           /* (attraction / 2) ln s: the thesis's benchmark law, section "standard". */
    SHOAL_GAS_LOG_REPULSION, /* (attraction / 2) ln s + repulsion / (2 s). */
    /* (attraction / 2) ln s at all distances; where s < cutoff^2, as in the thesis, also repulsion / (2 s) +
     * (short_attraction / 2) ln s. */
    SHOAL_GAS_REAL,
    SHOAL_GAS_GRAVITY, /* -attraction / sqrt(s): the thesis's comparison in 3D. */
    SHOAL_GAS_USER     /* The pair force of the file `pair_force`. */
};

/* Treatment of the potential at the cutoff c; for SHOAL_GAS_REAL, of its short-range part only. */
enum shoal_gas_cut {
    /* SHOAL_GAS_CUT_FORCE_SHIFTED. No effect on SHOAL_GAS_WCA, which has a cutoff by definition, and on
     * SHOAL_GAS_LOG, SHOAL_GAS_LOG_REPULSION and SHOAL_GAS_GRAVITY, which have none. */
    SHOAL_GAS_CUT_DEFAULT,
    SHOAL_GAS_CUT_TRUNCATED,     /* u(r): energy and force jump to 0 at c, as in the thesis. */
    SHOAL_GAS_CUT_SHIFTED,       /* u(r) - u(c): the force is unchanged, the energy is 0 at c. */
    SHOAL_GAS_CUT_FORCE_SHIFTED, /* u(r) - u(c) - (r - c) u'(c): force and energy go to 0 at c. */
    /* u(r) times a polynomial of degree 5 in r^2 between switch_radius and cutoff, twice differentiable. */
    SHOAL_GAS_CUT_SMOOTHED
};

/* Arithmetic on a device. */
enum shoal_gas_precision {
    SHOAL_GAS_SINGLE, /* 32-bit fixed-point positions; velocities, forces and sums in fp32. */
    SHOAL_GAS_MIXED,  /* 32-bit fixed-point positions, pair forces in fp32; sums and velocities in fp64. */
    SHOAL_GAS_DOUBLE  /* Everything in fp64. */
};

/* Boundary condition along an axis. */
enum shoal_gas_boundary {
    /* Minimum image; a particle that leaves enters on the opposite side. W6 of the thesis. */
    SHOAL_GAS_PERIODIC,
    SHOAL_GAS_WALLS, /* A wall at each end of the axis: see wall_left to wall_back. */
    /* No boundary: the box only holds the initial positions. Particles may move up to half the length of the
     * box beyond each face. */
    SHOAL_GAS_OPEN
};

/* How the box changes at constant pressure. */
enum shoal_gas_pressure_coupling {
    SHOAL_GAS_PRESSURE_ISOTROPIC, /* All lengths of the box change by one factor. */
    /* Each length follows the pressure along its axis. Samples have the pressure tensor. */
    SHOAL_GAS_PRESSURE_AXES
};

/* Effect of a wall on a particle that hits it. */
enum shoal_gas_wall {
    SHOAL_GAS_WALL_REFLECT, /* Elastic reflection by wall_method. */
    SHOAL_GAS_WALL_THERMAL, /* A new velocity from the flux distribution of a gas at wall_temperature. */
    /* Reflection with the velocity times wall_damping: the energy loss of the thesis. */
    SHOAL_GAS_WALL_DAMPING
};

/* How a wall reflects: methods W2 to W5 of the thesis. W6 is SHOAL_GAS_PERIODIC. */
enum shoal_gas_wall_method {
    /* A position outside the box is mirrored at the face, and the normal velocity is reversed. */
    SHOAL_GAS_W2,
    /* If the next position lies outside the box, the normal velocity is reversed; a particle that would still
     * leave the box is put on the face. */
    SHOAL_GAS_W3,
    SHOAL_GAS_W4, /* Exact reflection under a constant acceleration: needs no pair force, only the field. */
    SHOAL_GAS_W5  /* A harmonic force of wall_stiffness outside the box. */
};

/* Time integration scheme. */
enum shoal_gas_integrator {
    SHOAL_GAS_VERLET, /* Velocity Verlet in its leapfrog form, which gives the same positions. */
    /* Another name of SHOAL_GAS_VERLET, with the same results: the thesis writes velocity Verlet as
     * kick-drift-kick. */
    SHOAL_GAS_LEAPFROG,
    SHOAL_GAS_EULER /* Symplectic Euler: v += a dt, x += v dt; the thesis's "Euler". */
};

/* The rule that keeps a temperature. */
enum shoal_gas_thermostat {
    SHOAL_GAS_NVE,      /* No thermostat: the energy is conserved. */
    SHOAL_GAS_LANGEVIN, /* Langevin dynamics by BAOAB: Leimkuhler, Matthews 2013. */
    SHOAL_GAS_RESCALE,  /* Stochastic velocity rescaling: Bussi, Donadio, Parrinello 2007. */
    SHOAL_GAS_CHAIN     /* A chain of three Nose-Hoover thermostats: Martyna, Klein, Tuckerman 1992. */
};

/* Initial positions. */
enum shoal_gas_start {
    SHOAL_GAS_LATTICE, /* Square (2D) or face-centred cubic (3D) lattice that fills the box. */
    SHOAL_GAS_RANDOM,  /* Random positions, no two closer than start_distance. */
    /* A droplet, which is a triangular (2D) or face-centred cubic (3D) lattice at droplet_density; the other
     * particles are a gas around the droplet. */
    SHOAL_GAS_DROPLET,
    SHOAL_GAS_FILE /* The file start_file: extended XYZ, GSD, a LAMMPS dump or data file, or a checkpoint. */
};

/* How a device finds the pairs that interact. */
enum shoal_gas_method {
    SHOAL_GAS_AUTO,     /* The fastest method that `shoal tune gas` measured, else by a rule. */
    SHOAL_GAS_ALLPAIRS, /* Direct sum over all n^2 ordered pairs. */
    SHOAL_GAS_LIST,     /* Neighbour list; needs a potential with a cutoff. */
    /* Fast multipoles (docs/fmm.md), on the host, too: SHOAL_GAS_LOG, SHOAL_GAS_LOG_REPULSION or
     * SHOAL_GAS_GRAVITY in 2D without periodic axes. */
    SHOAL_GAS_FMM
};

/* A sample: observables of the gas after a step, in reduced units. Energies are sums over all particles. */
struct shoal_gas_thermo {
    uint64_t step;      /* Number of the step. */
    double time;        /* Simulated time of the step. */
    uint64_t particles; /* Number of particles. */
    double kinetic;     /* Kinetic energy. */
    double potential;   /* Potential energy. */
    double total;       /* Kinetic plus potential energy. */
    /* Total energy less the heat added by thermostat, thermal and damping walls, limiters and positions put
     * back on a face, and less the energy added by changes of the box (docs/gas.md). */
    double conserved;
    double temperature; /* 2 K / degrees of freedom, K the kinetic energy. */
    double pressure;    /* (N T' + virial / dim) / volume, T' = 2 K / (dim N). */
    /* Impulse on all walls over their area and the time since the preceding sample. NaN: there are no walls,
     * or this sample is the first. */
    double wall_pressure;
    double momentum[3];     /* Momentum along x, y and z. */
    double max_speed;       /* Largest speed of a particle. */
    uint64_t rebuilds;      /* Number of rebuilds of the neighbour list so far. */
    double largest_cluster; /* Fraction of the particles in the largest cluster. NaN: not asked for. */
    double volume;          /* Volume of the box; in 2D its area. */
};

/* Largest numbers of a gas. */
enum {
    SHOAL_GAS_MOST_SPECIES = 8 /* Most species of a gas. */
};

/* The species of a gas. */
struct shoal_gas_species {
    size_t size;  /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t count; /* Number of species; 1: all particles are alike. */
    char names[SHOAL_GAS_MOST_SPECIES][16];     /* Names, in the order of the list; one species: "". */
    uint64_t particles[SHOAL_GAS_MOST_SPECIES]; /* Number of particles of each species. */
    double mass[SHOAL_GAS_MOST_SPECIES];        /* Mass of a particle of each species. */
    double charge[SHOAL_GAS_MOST_SPECIES];      /* Charge of a particle of each species; one species: 1. */
    /* Species of each particle, in the order of their numbers, [particles]. Valid as long as the solver.
     * NULL: there is one species. */
    const uint8_t *of;
};

/* All particles after a step, in the order of their numbers. Pointers are valid during the callback, or until
 * the next call on the solver. */
struct shoal_gas_frame {
    uint64_t step;    /* Number of the step. */
    double time;      /* Simulated time of the step. */
    size_t particles; /* Number of particles. */
    size_t dim;       /* Dimensions of space, 2 or 3. */
    double origin[3]; /* Low corner of the box along x, y and z. */
    /* Lengths of the box along x, y and z; along the axis of a piston that has moved outwards, that up to the
     * piston and to the particles that press it. */
    double length[3];
    bool periodic[3];       /* Whether the box is periodic along x, y and z. */
    const double *position; /* Positions, [particles][dim], inside the box along periodic axes. */
    const double *velocity; /* Velocities at the time of the positions, [particles][dim]. */
    const int32_t *image;   /* Signed crossings of the periodic boundary, [particles][dim]. */
    /* The species of the gas. NULL: all particles are alike. */
    const struct shoal_gas_species *species;
};

/* Axis of the density profile. */
enum shoal_gas_axis {
    SHOAL_GAS_NO_AXIS, /* No profile. */
    SHOAL_GAS_X,       /* Along x. */
    SHOAL_GAS_Y,       /* Along y. */
    SHOAL_GAS_Z        /* Along z. */
};

struct shoal_gas_thesis;

/* Parameters of a gas, in reduced units. Texts are not copied: valid as long as the solver. */
struct shoal_gas_params {
    size_t size; /* Bytes of the struct, set by shoal_gas_params_init. */

    /* The system. */

    /* Number of particles, up to 268435456. Default: 0, which means the number of the start file if there is
     * one, else 4096. */
    uint64_t particles;
    uint64_t dim; /* Dimensions of space, 2 or 3. Default: 2. */
    /* Number density: particles per unit of area or volume. Range: 1e-12 to 1e6. Default: NaN, which means
     * the density that the lengths of the box give, or 0.4 where a length is NaN. */
    double density;
    /* Length of the box along x. Range: 1e-6 to 1e15. Default: NaN, which means the length that the density
     * gives; all lengths that are NaN are equal. */
    double width;
    /* Length of the box along y. Range: 1e-6 to 1e15. Default: NaN, which means the length that the density
     * gives; all lengths that are NaN are equal. */
    double height;
    /* Length of the box along z. Range: 1e-6 to 1e15. Default: NaN, which means the length that the density
     * gives; all lengths that are NaN are equal. */
    double depth;
    int32_t boundary_x; /* Boundary along x, enum shoal_gas_boundary. Default: SHOAL_GAS_PERIODIC. */
    int32_t boundary_y; /* Boundary along y, enum shoal_gas_boundary. Default: SHOAL_GAS_PERIODIC. */
    int32_t boundary_z; /* Boundary along z, enum shoal_gas_boundary. Default: SHOAL_GAS_PERIODIC. */
    int32_t potential;  /* Pair potential, enum shoal_gas_potential. Default: SHOAL_GAS_LJ. */
    /* File with a pair force in the kernel dialect (docs/gas-forces.md); the potential is then
     * SHOAL_GAS_USER. Default: NULL, none. */
    const char *pair_force;
    /* Depth of the Lennard-Jones well; 0: particles do not interact. Range: 0 to 1e12. Default: 1. */
    double epsilon;
    /* Lennard-Jones length: distance at which the energy of a pair is 0. Range: 1e-6 to 1e6. Default: 1. */
    double sigma;
    /* Strength of the long-range attraction; negative: repulsion. Range: -1e12 to 1e12. Default: NaN, which
     * means 1, for SHOAL_GAS_REAL 1e-4. */
    double attraction;
    /* Strength of the repulsion. Range: 0 to 1e12. Default: NaN, which puts the minimum of the pair energy at
     * distance 1. */
    double repulsion;
    /* Strength of the attraction within the cutoff. Range: 0 to 1e12. Default: NaN, which means 2. */
    double short_attraction;
    double softening; /* Softening length. Range: 0 to 1e12. Default: NaN, which means 0.25. */
    /* Distance beyond which pairs do not interact; 0 or infinity: no cutoff. Range: 0 to infinity.
     * Default: NaN, which means 2.5 sigma, for SHOAL_GAS_REAL 2.5, for SHOAL_GAS_USER the CUTOFF of the file.
     */
    double cutoff;
    /* Treatment of the potential at the cutoff, enum shoal_gas_cut. Default: SHOAL_GAS_CUT_DEFAULT. */
    int32_t cut;
    /* Distance from which SHOAL_GAS_CUT_SMOOTHED goes to 0. Range: 1e-12 to 1e12. Default: NaN, which means
     * 0.9 cutoff. */
    double switch_radius;
    double mass; /* Mass of a particle. Range: 1e-12 to 1e12. Default: 1. */
    /* Constant acceleration by an external field along x. Range: -1e12 to 1e12. Default: 0. */
    double field_x;
    /* Constant acceleration by an external field along y. Range: -1e12 to 1e12. Default: 0. */
    double field_y;
    /* Constant acceleration by an external field along z. Range: -1e12 to 1e12. Default: 0. */
    double field_z;

    /* Walls: each side of the box has a wall of its own. */

    int32_t wall_left;  /* Wall at the low end of x, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    int32_t wall_right; /* Wall at the high end of x, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    /* Wall at the low end of y, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    int32_t wall_bottom;
    int32_t wall_top;   /* Wall at the high end of y, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    int32_t wall_front; /* Wall at the low end of z, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    int32_t wall_back;  /* Wall at the high end of z, enum shoal_gas_wall. Default: SHOAL_GAS_WALL_REFLECT. */
    /* How walls reflect, enum shoal_gas_wall_method. Default: SHOAL_GAS_W3. */
    int32_t wall_method;
    /* Temperature of thermal walls. Range: 0 to 1e12. Default: NaN, which means `temperature`. */
    double wall_temperature;
    /* Factor by which damping walls multiply a velocity, 0 to 1. Default: NaN, which means 0.9. */
    double wall_damping;
    /* Stiffness of SHOAL_GAS_W5: force divided by the depth outside the box. Range: 0 to 1e12. Default: NaN,
     * which means 1000. */
    double wall_stiffness;

    /* The start. */

    int32_t start; /* Initial positions, enum shoal_gas_start. Default: SHOAL_GAS_LATTICE. */
    /* File with particles and box; the start is then SHOAL_GAS_FILE. Default: NULL, none. */
    const char *start_file;
    /* Least distance between particles with SHOAL_GAS_RANDOM. Range: 0 to 1e12. Default: NaN, which means a
     * distance at which the particles fit easily. */
    double start_distance;
    /* Number density inside the droplet. Range: 1e-12 to 1e6. Default: NaN, which means 0.8. */
    double droplet_density;
    /* Fraction of the particles in the droplet, 0 to 1. Default: NaN, which means 0.5. */
    double droplet_share;
    /* Most steps of the minimiser (FIRE), which runs before the equilibration; 0: no minimiser. With a
     * minimiser, particles of the start may overlap. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t minimise;
    /* The minimiser ends once no particle feels a larger force. Range: 0 to 1e12. Default: NaN, which means
     * 0.01. */
    double minimise_force;
    /* Temperature of the initial velocities and of the thermostat. Range: 0 to 1e12. Default: 1. */
    double temperature;
    uint64_t seed; /* Seed of the random numbers. Range: any number. Default: 1. */

    /* Integration. */

    double dt; /* Time step. Range: 1e-12 to 1e6. Default: 0.005. */
    /* Number of steps after the equilibration. Range: 0 to 2^32 - 256. Default: 10000. */
    uint64_t steps;
    /* Number of steps with velocity rescaling before step 0; averages do not include these steps. Range: 0 to
     * 2^32 - 256. Default: 0. */
    uint64_t equilibration;
    int32_t integrator; /* Integration scheme, enum shoal_gas_integrator. Default: SHOAL_GAS_VERLET. */
    /* The rule that keeps a temperature, enum shoal_gas_thermostat. Default: SHOAL_GAS_NVE. */
    int32_t thermostat;
    /* Friction of SHOAL_GAS_LANGEVIN, an inverse time. Range: 0 to 1e12. Default: NaN, which means 1. */
    double friction;
    /* Time constant of velocity rescaling and of the chain, for which it is at least 5 dt. Range: 1e-12 to
     * 1e12. Default: NaN, which means 0.5. */
    double relaxation;
    /* Temperature of the thermostat at the last step. The temperature of the thermostat changes linearly with
     * the steps, from `temperature` at step 0 to this value. Range: 0 to 1e12. Default: NaN, the temperature
     * is constant. */
    double temperature_end;
    /* Wall time after which the run ends, in seconds. Such a run cannot be repeated exactly. Range: 0 to 1e9.
     * Default: NaN, no limit. */
    double time;

    /* Method. */

    /* Arithmetic of the device, enum shoal_gas_precision; the host always uses double precision. Default:
     * SHOAL_GAS_SINGLE. */
    int32_t precision;
    int32_t method; /* How a device finds pairs, enum shoal_gas_method. Default: SHOAL_GAS_AUTO. */
    /* Distance beyond the cutoff up to which pairs are kept in the neighbour list. Range: 0 to 1e6. Default:
     * NaN, the tuned value, else by a rule. */
    double skin;
    /* Work-items of a work-group, a power of two, for SHOAL_GAS_ALLPAIRS and for the cells of
     * <shoal/theses.h>. Range: 0 to 1024. Default: 0, the tuned value. */
    uint64_t work_group;

    /* Observables. */

    /* Steps between samples; 0: only the first and the last step. A last step that is no multiple of `thermo`
     * enters no average, wall pressure or histogram; if `thermo` and average_every are 0, the last step
     * enters the averages of the result only. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t thermo;
    /* Steps between samples that are for averages, wall pressure and histograms alone, where `thermo` is 0;
     * 0: none. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t average_every;
    /* Steps between calls of on_frame and on_moment; 0: none. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t frames;
    uint64_t rdf_bins; /* Bins of g(r), sampled with `thermo`, up to 65536; 0: none. Default: 0. */
    /* Largest distance of g(r). Range: 1e-12 to 1e12. Default: NaN, which means the cutoff, or without a
     * cutoff a tenth of the shortest side of the box; at most half the shortest periodic side. */
    double rdf_range;
    /* Bins of the histogram of speeds, up to 65536; 0: none. Default: 0. */
    uint64_t speed_bins;
    /* Axis of the density profile, enum shoal_gas_axis. Default: SHOAL_GAS_NO_AXIS. */
    int32_t profile_axis;
    /* Bins of the density profile. Range: 0 to 65536. Default: 0, which means 100. */
    uint64_t profile_bins;
    bool msd; /* The mean-square displacement is sampled with `thermo`. Default: false. */
    /* Particles closer than this distance belong to one cluster, in samples; 0: none. Range: 0 to 1e12.
     * Default: 0. */
    double cluster_distance;

    /* Called with a frame between two steps by the thread that steps the solver. The command has no option
     * for this member. A return of true ends the run with SHOAL_IO and the message `*failure`, a text of the
     * caller. Samples: see shoal_solver_on_sample. Default: NULL, none. */
    bool (*on_frame)(void *data, const struct shoal_gas_frame *frame, const char **failure);
    void *data; /* Passed to on_frame. */
    /* Parameters that only reproduce the thesis, of <shoal/theses.h>. Default: NULL, their defaults. */
    struct shoal_gas_thesis *thesis;
    /* Centre of the droplet, as a fraction of the length of the box along each axis, 0 to 1. Between walls
     * and in an open box the droplet must lie inside the box. Default: NaN, which means 0.5. */
    double droplet_place;
    /* File with changes of temperature, friction, field, trap, pressure, and pressure or speed of the piston
     * during the run (docs/gas.md, "Schedules"); a text with a semicolon or a line break is no file, but
     * holds the changes themselves, as that of shoal_gas_get_schedule does. Default: NULL or "", none. */
    const char *schedule;
    /* Force constant of a harmonic trap about the middle of the box, force over distance. No axis may be
     * periodic, and SHOAL_GAS_W4 is refused. Range: 0 to 1e12. Default: 0, no trap. */
    double trap;
    /* Pressure that changes of the box keep, by stochastic cell rescaling (Bernetti, Bussi 2020). The box is
     * periodic, and a thermostat acts. Range: 1e-12 to 1e12. Default: NaN, the box is constant. */
    double pressure;
    /* Time in which the volume approaches that at `pressure`, if `compressibility` is that of the gas. Range:
     * 1e-12 to 1e12. Default: NaN, which means 10. */
    double pressure_relaxation;
    /* Estimate of the isothermal compressibility, an inverse pressure: it scales the speed at which the
     * volume changes, and does not change averages. Range: 1e-12 to 1e12. Default: NaN, which means 1 /
     * (pressure + N temperature / volume) with the volume at the start. */
    double compressibility;
    /* Samples also have the pressure tensor, columns pressure_xx and so on. Default: false. */
    bool pressure_tensor;
    /* Profiles of temperature, flow and pressure along profile_axis, in profile_bins slices, are sampled with
     * `thermo`, beside that of the density. Default: false. */
    bool profile_all;
    /* Bins of |k| for the structure factor S(k), sampled with `thermo`, up to 4096; 0: none. All axes must be
     * periodic. Samples also have the column structure_length, 2 pi sum of S(k) / sum of k S(k) over the
     * bins. Default: 0. */
    uint64_t structure_bins;
    /* Largest |k| of S(k). Range: 1e-12 to 1e12. Default: NaN, which means 20. */
    double structure_range;
    /* The velocity autocorrelation and the mean-square displacement over many time origins are sampled with
     * `thermo`. Default: false. */
    bool vacf;
    /* Distance within which the six nearest neighbours of a particle are looked for, for the hexatic order of
     * samples, columns hexatic_local and hexatic_global; 0: none. 2D only. Range: 0 to 1e12. Default: 0. */
    double hexatic_range;
    /* Species of the particles, up to SHOAL_GAS_MOST_SPECIES, separated by commas: NAME=AMOUNT, then values
     * as :KEY=VALUE, "A=650,B=350:mass=2:sigma=0.88". AMOUNT is a number of particles or, with a decimal
     * point, a fraction of all; keys are mass, charge, epsilon and sigma, whose defaults are `mass`, 1,
     * `epsilon` and `sigma` (docs/gas.md, "Species"). Default: NULL, all particles are alike. */
    const char *species;
    /* Values of pairs of species that replace the mixed ones, separated by commas: NAME-NAME, then values as
     * :KEY=VALUE with the keys epsilon, sigma and cutoff, "A-B:epsilon=1.5:sigma=0.8". Default: NULL, values
     * are mixed by the rule of Lorentz and Berthelot. */
    const char *species_pairs;
    /* Axis whose high wall is a piston, enum shoal_gas_axis: a soft wall of wall_stiffness, which begins at
     * the end of the box, or of its start_part, and moves from step 0 on (docs/gas.md, "The piston"). The
     * axis has walls, that at its high end reflects, and wall_method is SHOAL_GAS_W3 or SHOAL_GAS_W5.
     * Default: SHOAL_GAS_NO_AXIS, no piston. */
    int32_t piston;
    /* Mass of the piston. Range: 1e-12 to 1e15. Default: NaN, which means the mass of all particles. */
    double piston_mass;
    /* Pressure on the piston from outside. Range: 0 to 1e12. Default: NaN, none. */
    double piston_pressure;
    /* Force constant of a spring that pulls the piston to where it begins, force over distance. Range: 0 to
     * 1e12. Default: 0, none. */
    double piston_stiffness;
    /* Speed of a piston that moves as prescribed, outwards; the gas does not move it. Range: -1e6 to 1e6.
     * Default: NaN, which means that forces move the piston. */
    double piston_speed;
    /* Largest error of the accelerations by SHOAL_GAS_FMM, root mean square of the error over root mean
     * square of the accelerations, 1e-10 to 0.01; with pair forces in single precision at least 1e-5. The
     * check of the result measures the error. Default: 1e-4. */
    double accuracy;
    /* How the box changes with `pressure`, enum shoal_gas_pressure_coupling. Default:
     * SHOAL_GAS_PRESSURE_ISOTROPIC. */
    int32_t pressure_coupling;
    /* Bins of the distance for the correlation of the hexatic order, sampled with `thermo`, up to 1024; 0:
     * none. Needs hexatic_range. Default: 0. */
    uint64_t g6_bins;
    /* Largest distance of this correlation. Range: 1e-12 to 1e12. Default: NaN, which means 5 hexatic_range;
     * at most half the shortest periodic side. */
    double g6_range;
    /* Fraction of the box that the particles fill at the start, from its low end along the axis of the
     * piston, without a piston along x; for SHOAL_GAS_LATTICE and SHOAL_GAS_RANDOM. A piston begins at the
     * end of this part. Range: 0.01 to 1. Default: 1. */
    double start_part;
    /* Called every `frames` steps as on_frame is, after it, with the number of the step and the solver, on
     * which it may call shoal_gas_get_frame, shoal_gas_snapshot_begin, shoal_gas_get_thermo and
     * shoal_gas_draw: only what these ask for is copied from the device. A return of true ends the run with
     * SHOAL_IO and the message `*failure`, a text of the caller. Default: NULL, none. */
    bool (*on_moment)(void *data, struct shoal_solver *solver, uint64_t step, const char **failure);
    /* The caller may change temperature, pressure and piston between steps, by the calls of
     * <shoal/gas_changes.h>; a temperature may rise fourfold. Default: false. */
    bool changeable;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_gas_params_init(struct shoal_gas_params *params);
#define SHOAL_GAS_PARAMS(...) SHOAL_INIT(shoal_gas_params, shoal_gas_params_init, __VA_ARGS__)

/* Fills `thermo` with the observables now.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_thermo(struct shoal_solver *solver, struct shoal_gas_thermo *thermo, struct shoal_error *error);

/* Sets `length` to the lengths of the box now along x, y and z; 0 along z in 2D. Where a piston has moved
 * outwards, the box ends at the piston.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_box(struct shoal_solver *solver, double length[3],
                                                               struct shoal_error *error);

/* Fills `species` with the species of the gas. Before the call set species->size, usually to 0.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_species(struct shoal_solver *solver,
                                                                   struct shoal_gas_species *species,
                                                                   struct shoal_error *error);

/* Fills `frame` with the state now. Pointers are valid until the next call on the solver.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame, struct shoal_error *error);

/* Writes positions and velocities now to buffers of the solver's device, without a copy on the host:
 * [particles][dim] in the order and the units of struct shoal_gas_frame, of float in single precision, else
 * of double, in mixed precision with the settings of the kernels, which are floats. `position` or `velocity`
 * may be NULL: it is not wanted. The writes are enqueued on the queue of the solver. Of a run over several
 * devices: buffers of the first one.
 * Errors: SHOAL_INVALID: the solver is of another workload, both buffers are NULL, or one is too small or of
 * another device. SHOAL_UNSUPPORTED: the solver is on the host, which has no buffers. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_write_particles(struct shoal_solver *solver,
                                                                       struct shoal_buffer *position,
                                                                       struct shoal_buffer *velocity,
                                                                       struct shoal_error *error);

/* A frame that is copied from the device while the run continues. */
struct shoal_gas_snapshot;

/* Begins to copy the state now; `*snapshot` NULL: to a new snapshot. A snapshot belongs to one solver. Call
 * it between steps or in `on_moment`, and before the next begin of this snapshot end it. The device keeps a
 * copy of the particles for it, if there is room; else this call reads them. Errors: SHOAL_INVALID: the
 * solver is of another workload, or the snapshot of another solver. SHOAL_OUT_OF_HOST_MEMORY. Errors of the
 * queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_snapshot_begin(struct shoal_solver *solver,
                                                                      struct shoal_gas_snapshot **snapshot,
                                                                      struct shoal_error *error);

/* Waits for the copy and fills `frame` with the state of its begin. Another thread may call this function
 * than that of the solver, which may make steps meanwhile. Pointers are valid until the next begin of this
 * snapshot. Errors: SHOAL_INVALID: the snapshot was not begun. SHOAL_FAILED: the device has damaged the
 * numbers of the particles. SHOAL_OUT_OF_HOST_MEMORY. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_snapshot_end(struct shoal_gas_snapshot *snapshot,
                                                                    struct shoal_gas_frame *frame,
                                                                    struct shoal_error *error);

/* Waits for the copy, destroys the snapshot and sets the pointer to NULL. Accepts NULL. Destroy it before its
 * solver. */
SHOAL_API void shoal_gas_snapshot_destroy(struct shoal_gas_snapshot **snapshot);

/* Replaces the particles with which a solver begins that has made no step; also behind shoal_solver_follow.
 * `position` and `velocity`: [particles][dim], in the units of struct shoal_gas_frame. `position` may be
 * NULL, and `velocity` may be NULL: the solver keeps its own. Along periodic axes positions may lie outside
 * the box and count as crossings.
 * Errors: SHOAL_INVALID: the solver is of another workload or has begun, a number is not finite, a particle
 * lies outside the box, or two particles overlap as no start may. The particles of the solver are undefined
 * then. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_set_particles(struct shoal_solver *solver,
                                                                     const double *position,
                                                                     const double *velocity,
                                                                     struct shoal_error *error);

/* Shares of the device time, and statistics of the neighbour list. NaN: the method cannot separate the
 * time. */
struct shoal_gas_timing {
    double force_s; /* Seconds of device time in pair forces. */
    double list_s;  /* Seconds of device time in neighbour lists. */
    double sort_s;  /* Seconds of device time in sorts. */
    /* Seconds on the host in samples, with waits for the device. What the device computes for a sample behind
     * the steps before it counts as steps. */
    double observe_s;
    uint64_t rebuilds; /* Number of rebuilds of the neighbour list. */
    /* Number of rebuilds that came late: a particle had moved farther than skin / 2. Forces stay exact, since
     * steps wait for the rebuild. */
    uint64_t violations;
    double mean_neighbours;  /* Mean number of neighbours of a particle. */
    double skin;             /* Skin of the neighbour list. */
    double rebuild_interval; /* Mean number of steps between rebuilds. */
    const char *method;      /* Name of the method: "list", "all-pairs tiled". Owned by the solver. */
    /* Seconds of the host in copies between host and device for sorts on the host; 0: none. */
    double transfer_s;
};

/* Fills `timing` with times and statistics so far.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_timing(struct shoal_solver *solver, struct shoal_gas_timing *timing, struct shoal_error *error);

/* Content of the start file that the parameters name, as a run would read it. */
struct shoal_gas_start_info {
    size_t size;         /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    const char *format;  /* "extended XYZ", "LAMMPS dump" or "checkpoint". A constant. */
    uint64_t particles;  /* Number of particles. */
    uint64_t dim;        /* Dimensions of space. 2: all particles have equal z, and none moves along z. */
    uint64_t frames;     /* Number of frames in the file. */
    uint64_t frame;      /* Frame that is read, from 1: the last whole frame. */
    bool is_cut;         /* The file ends within a frame, which is left out, or within a line. */
    bool has_box;        /* The file has a box. Otherwise the lengths of the parameters are needed. */
    bool has_velocities; /* The file has velocities. Otherwise velocities are drawn, by `temperature`. */
    /* `temperature` has an effect on the run: velocities are drawn, or a thermostat keeps the temperature. */
    bool uses_temperature;
    double origin[3];   /* Low corner of the box along x, y and z. */
    double length[3];   /* Lengths of the box along x, y and z; 0: the file has no length along the axis. */
    double least[3];    /* Least coordinates along x, y and z. */
    double greatest[3]; /* Greatest coordinates along x, y and z. */
    /* Mean of the squared speeds; 0 without velocities. */
    double mean_square_speed;
    char notes[1024]; /* Notes on how the file was read and which parts have no effect, a sentence on each
                       * line. */
};

/* Reads params->start_file as a run does and fills `info`. Before the call set info->size, usually to 0.
 * Errors: SHOAL_IO: the file cannot be read or is wrong. SHOAL_INVALID: no start_file, or see
 * shoal_workload_validate. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_read_start(struct shoal *shoal,
                                                                  const struct shoal_gas_params *params,
                                                                  struct shoal_gas_start_info *info,
                                                                  struct shoal_error *error);

SHOAL_END_DECLS

#endif
