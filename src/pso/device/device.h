/* Private: the swarms on a device.
 *
 * All methods share the buffers below; a method distributes the work of a step over the device and has
 * further buffers of its own. Coordinate d of particle i (of all islands, one behind the other) is at (i /
 * tile * dim + d) * tile + i % tile in x, v and p; the last tile is whole.
 */
#ifndef SHOAL_PSO_DEVICE_H
#define SHOAL_PSO_DEVICE_H

#include "objective/evaluate/evaluator.h"
#include "pso/pso.h"
#include "search/polish.h"
#include "workload/arrays.h"

/* Numbers of a table among the settings, in which onchip finds it. */
enum { PSO_SETTINGS_NUMBERS = 1 << 20 };

struct pso_device {
    struct pso_problem problem;
    enum shoal_precision precision;
    size_t real;                        /* bytes of a number: 4 or 8 */
    struct shoal_buffer *settings;      /* see cl/pso/model/rule.clh */
    struct shoal_buffer *x, *v, *p;     /* dim reals of each particle, in tiles */
    struct shoal_buffer *best;          /* in tiles, value at p */
    struct shoal_buffer *words, *reals; /* of the islands */
    struct shoal_buffer *champion;      /* islands * dim reals: position of ISLAND_CHAMPION */
    struct shoal_buffer *trace;         /* entry * islands + island */
    bool drawn;
    bool ended;     /* every run, seen at the end of a call of step */
    uint64_t steps; /* enqueued */
    struct search_summary summary;
    struct pso_polisher *polisher;               /* NULL: no pattern search at the end */
    struct search_polish *polish;                /* of the last result; NULL: none */
    double *best_out, *position_out, *trace_out; /* of the outcome */
    uint64_t *ended_out;
    bool *reached_out;
    struct arrays arrays, outcome; /* the buffers above; what belongs to the outcome */
};

static inline struct pso_device *pso_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

struct pso_method {
    struct method base; /* `advance` enqueues the steps after device->steps with exchanges, restarts and ends:
                           docs/pso.md */
    enum evaluator_method evaluator; /* of the pipeline's methods */
    /* Updates words, reals and champion; NULL: `advance` keeps them up to date. */
    enum shoal_status (*collect)(struct shoal_solver *solver, struct shoal_error *error);
};

extern const struct pso_method pso_fused_method, pso_onchip_method, pso_pipeline_methods[EVALUATOR_METHODS];

static inline const struct pso_method *pso_device_method(const struct shoal_solver *solver)
{
    return (const struct pso_method *)solver->method.method;
}

/* Of x, v, p and best. */
static inline size_t pso_tiles(const struct shoal_solver *solver)
{
    const size_t tile = solver->method.tile;
    return (pso_device_of(solver)->problem.search.total + tile - 1) / tile;
}

/* -D values of every swarm kernel (cl/pso/model/rule.clh), for the solver's problem. */
void pso_rule_defines(const struct shoal_solver *solver, struct defines *defines);

/* The same in a contract: rows of compute/contract.h. */
#define PSO_RULE_DEFINE_DESCS(file)                                                                          \
    DEFINE(file, BOUNDS, SHOAL_PSO_REFLECT, SHOAL_PSO_UNBOUNDED,                                             \
           "0 reflect, 1 clamp, 2 absorb, 3 bounce, 4 periodic, 5 reentry, 6 invisible, 7 unbounded"),       \
        DEFINE(file, BOX, 0, 1, "1: box and shift of each dimension"),                                       \
        DEFINE(file, INITIAL_VELOCITY, SHOAL_PSO_HALF_DIFFERENCE, SHOAL_PSO_ZERO,                            \
               "0 half a difference, 1 a difference, 2 range, 3 zero"),                                      \
        DEFINE(file, LIMITED, 0, 1, "1: the velocity is limited"),                                           \
        DEFINE(file, RANDOM, SHOAL_PSO_PHILOX, SHOAL_PSO_REG, "0 philox, 1 philox16, 2 glob, 3 reg"),        \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, SCALAR_RANDOM, 0, 1, "1: one pair of random numbers for all dimensions"),               \
        DEFINE(file, TOPOLOGY, SHOAL_PSO_GLOBAL, SHOAL_PSO_RANDOM,                                           \
               "0 global, 1 ring, 2 von Neumann, 3 random"),                                                 \
        DEFINE(file, UPDATE, PSO_LINEAR_UPDATE, PSO_FIPS_UPDATE, "0 linear, 1 SPSO-2011, 2 FIPS")

/* Size and content of the buffer `settings`. The queue may still be empty. */
size_t pso_settings_bytes(const struct pso_device *device);
/* The table of the objective that is among them; NULL: there is none, or it is too large. */
const struct objective_table *pso_settings_table(const struct shoal_objective *objective);
SHOAL_MUST_CHECK enum shoal_status pso_settings_write(struct shoal_solver *solver, struct shoal_error *error);

/* An evaluator of the solver's objective for that many points; its programs go to `programs`, its tuned
 * values to `chosen`. */
SHOAL_MUST_CHECK enum shoal_status pso_evaluator_create(struct shoal_solver *solver,
                                                        struct programs *programs, struct chosen *chosen,
                                                        enum evaluator_method method, size_t points,
                                                        struct evaluator **out, struct shoal_error *error);

/* polish.c: the evaluator of the pattern search in device->polisher. It is created with the solver, so that
 * its method and tuned values are those of the run and a checkpoint holds them, and replaced where those of a
 * checkpoint differ. */
SHOAL_MUST_CHECK enum shoal_status pso_polisher_create(struct shoal_solver *solver,
                                                       struct shoal_error *error);
void pso_polisher_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status pso_polisher_load(struct shoal_solver *solver,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
void pso_polisher_destroy(struct pso_polisher **polisher); /* accepts NULL */
/* Pattern search from the outcome's positions into device->polish, its points evaluated by the device. */
SHOAL_MUST_CHECK enum shoal_status pso_device_polish(struct shoal_solver *solver, struct shoal_error *error);

/* The table of the buffers, for the current tiles and steps. */
void pso_list_arrays(struct shoal_solver *solver);

/* Reallocates x, v, p and best for the tiles of the method that a checkpoint needs. Changes nothing on
 * failure. */
SHOAL_MUST_CHECK enum shoal_status pso_device_resize(struct shoal_solver *solver, struct shoal_error *error);

/* Functions of struct shoal_solver_ops in state.c. */
enum shoal_status pso_device_result(struct shoal_solver *solver, struct shoal_result *out,
                                    struct shoal_error *error);
enum shoal_status pso_device_value(struct shoal_solver *solver, double *value, struct shoal_error *error);
size_t pso_device_state_count(const struct shoal_solver *solver);
enum shoal_status pso_device_get_state(struct shoal_solver *solver, double *values,
                                       struct shoal_error *error);
enum shoal_status pso_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                  struct shoal_error *error);
enum shoal_status pso_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error);

#endif
