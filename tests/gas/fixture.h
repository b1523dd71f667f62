/* What the tests of the gas share. */
#ifndef SHOAL_TESTS_GAS_FIXTURE_H
#define SHOAL_TESTS_GAS_FIXTURE_H

#include "test.h"

#include "gas/device/device.h"
#include "gas/host/host.h"
#include "limiter.h"

#include <shoal/theses.h>

/* Over the fake backend: problem.c ---------------------------------------------------------------------- */

/* The default parameters at the start of each test, and the gas that make() built of them. */
extern struct shoal *shoal;
extern struct shoal_gas_params input;
#if SHOAL_THESES
extern struct shoal_gas_thesis input_thesis; /* of input */
#endif
void init_input(void); /* the defaults */
extern struct gas_problem built;

int set_up(void **state);
int tear_down(void **state);
#define GAS_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* The gas of `input`; the one before is gone. */
void make(void);
/* Refused with one line that holds `part`; the parameters are the defaults again afterwards. */
void refuse_as(enum shoal_status wanted, const char *part);
void refuse(const char *part); /* SHOAL_INVALID */

/* Any solver: solver.c ---------------------------------------------------------------------------------- */

/* All of the steps. */
void run_steps(struct shoal_solver *solver, uint64_t steps);
struct shoal_gas_thermo thermo_of(struct shoal_solver *solver);
struct shoal_gas_frame frame_of(struct shoal_solver *solver);
struct shoal_gas_timing timing_of(struct shoal_solver *solver);

/* The host solver over the fake backend: host.c ---------------------------------------------------------- */

/* Few particles, no equilibration, room for any number of steps. */
struct shoal_gas_params host_params(uint64_t particles);

/* The caller destroys it. A failure to make one fails the test. threads 0: as many as there are. */
struct shoal_solver *host_open(const struct shoal_gas_params *params, int threads);
/* The start, before the first step. */
void host_place(struct shoal_solver *solver, const double *position, const double *velocity);
/* The same bits in positions, velocities, energies. */
void host_assert_same(struct shoal_solver *a, struct shoal_solver *b);
double host_length(const double *v, size_t count);

/* Averages over a run of `steps`, a sample each `every`, after `before` steps. */
struct host_means {
    double kinetic, potential, virial, pressure, wall_pressure;
    double kinetic_variance, conserved_spread; /* largest - smallest */
    uint64_t samples;
};
struct host_means host_average(struct shoal_solver *solver, uint64_t before, uint64_t steps, uint64_t every);

/* Whole gases on the device under test and on the host: runs.c ------------------------------------------- */

enum { GAS_RUN_MOST = 4096 }; /* numbers of a state: 2 * particles * dim */

/* Small, at rest in no unit, no output: 37 particles of Lennard-Jones in a box of density 0.3. */
struct shoal_gas_params gas_run_params(void);
/* Denser and hotter: lists of neighbours are built several times. */
struct shoal_gas_params gas_run_dense(int32_t precision, int32_t method);

/* Of harness.device, or of the host; the caller destroys it. A failure to make one fails the test. */
struct shoal_solver *gas_run_open(const struct shoal_gas_params *params, bool on_host);

struct gas_run_state {
    size_t count;
    double numbers[GAS_RUN_MOST]; /* positions without jumps, then velocities at full steps */
    struct shoal_gas_thermo thermo;
};
void gas_run_state(struct shoal_solver *solver, struct gas_run_state *state);
/* Opens, makes the steps, looks, closes. */
void gas_run(const struct shoal_gas_params *params, bool on_host, uint64_t steps,
             struct gas_run_state *state);
/* Euclidean norm of the difference of positions and velocities over that of `b`, without the particle that
 * differs most: rounding may send one another way. */
double gas_run_deviation(const struct gas_run_state *a, const struct gas_run_state *b, size_t dim);
void gas_run_same(const struct gas_run_state *a, const struct gas_run_state *b);
/* Saves the run and makes its last `rest` steps; then makes them from the file, in another run and in the
 * same one. All three must end as `whole`, the bits of a run that was not saved. */
void gas_run_resumes(struct shoal_solver *solver, const struct shoal_gas_params *params, bool on_host,
                     uint64_t rest, const struct gas_run_state *whole);

/* Precisions that the device has, ended by -1. */
const int32_t *gas_run_precisions(void);

/* Writes an extended XYZ file of a 2D start to the test's folder and names it in params. */
void gas_run_start(struct shoal_gas_params *params, const double *position, const double *velocity,
                   size_t particles, double width, double height);
/* Writes a schedule to the test's folder and names it in params. */
void gas_run_schedule(struct shoal_gas_params *params, const char *text);
/* Parameters of a gas with a pressure tensor and profiles. */
struct shoal_gas_params gas_run_tables(uint64_t particles, uint64_t dim, int32_t precision);
/* The table of a run, and a column of it, which must be there. */
struct shoal_gas_table gas_run_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind);
const double *gas_run_column(const struct shoal_gas_table *table, const char *name);

/* Particles on the device under test, for kernels that need no whole solver: box.c ----------------------- */

struct gas_box_shape {
    size_t n, dim;
    enum shoal_gas_precision precision;
    int32_t boundary[GAS_MAX_DIM]; /* enum shoal_gas_boundary */
    double length[GAS_MAX_DIM];
    double cutoff;
};

struct gas_box {
    struct shoal_solver solver;
    struct gas_device device;
    struct shoal_gas_params params;
    /* As the device got them; by number of the particle. */
    double *place; /* n * dim, lengths from the corner of the box: what the device's format holds */
    unsigned char *raw, *velocity; /* position_bytes and velocity_bytes a particle */
};

/* The solver, the formats of the precision and buffers for positions and velocities, of params and
 * device.problem that the caller has made; `place` and `raw` are zeros. */
void gas_box_open(struct gas_box *box, enum shoal_gas_precision precision);
/* Puts a coordinate into the position at `raw`; returns what it stands for there. */
double gas_box_put(const struct gas_box *box, unsigned char *raw, size_t axis, double at);
/* Zeros. What device has of these goes with it, whichever method has swapped them. */
struct shoal_buffer *gas_box_buffer(size_t bytes);
void gas_box_destroy(struct gas_box *box);

/* Whether the precision is to be tested on this device. */
bool gas_box_can(enum shoal_gas_precision precision);
/* `position`: n * dim, rounded to the format of the device. The particles stand in a random order that
 * depends on `order`; 0: by number. Velocities are numbers of their own for each particle. */
void gas_box_create(struct gas_box *box, const struct gas_box_shape *shape, const double *position,
                    uint32_t order);
/* The particles once more, in another order; words as they are. */
void gas_box_place(struct gas_box *box, uint32_t order);
/* Numbers of the particles by place. */
void gas_box_ids(struct gas_box *box, uint32_t *ids);
uint32_t gas_box_word(struct gas_box *box, enum gas_word word);

/* Uniform in [0, 1): n * dim numbers from random words of `step`. */
void gas_box_fractions(double *fraction, size_t count, uint32_t step);

#endif
