/* Private: the swarms on a device.
 *
 * What every engine shares is in the buffers below; an engine lays the work of a step over the device and keeps
 * what it needs besides to itself. Coordinate d of particle i (of all islands, one behind the other) stands at
 * (i / tile * dim + d) * tile + i % tile in x, v and p; the last tile is whole.
 */
#ifndef SHOAL_PSO_DEVICE_H
#define SHOAL_PSO_DEVICE_H

#include "pso/swarm.h"

/* Words of an island in `words`, as ISLAND_* in cl/pso/island.clh. */
enum pso_island_word {
    PSO_STEPS,      /* steps made; an island that ended keeps it */
    PSO_REACHED,    /* 1: the run reached its target */
    PSO_ENDED,      /* 1: the run is over */
    PSO_STAGNANT,   /* steps since the mark */
    PSO_RESTARTS,   /* times drawn anew */
    PSO_LINKS_AT,   /* step at which random links were drawn */
    PSO_IMPROVED,   /* 1: the last step lowered the island's best */
    PSO_NOT_FINITE, /* evaluations that gave NaN or an infinity */
    PSO_GOAL_INDEX, /* particle, within the island, that holds the island's best */
    PSO_ISLAND_WORDS = 16
};

/* Reals of an island in `reals`. */
enum pso_island_real {
    PSO_GOAL,     /* best of the island's particles */
    PSO_MARK,     /* best at the last improvement that counted */
    PSO_CHAMPION, /* best ever, restarts included */
    PSO_ISLAND_REALS = 4
};

struct pso_engine;

struct pso_device {
    struct pso_problem problem;
    const struct pso_engine *engine;
    void *engine_state;
    enum shoal_precision precision;
    size_t real;        /* bytes of a number: 4 or 8 */
    size_t tile, tiles; /* set by the engine's create */
    struct shoal_buffer *settings;          /* see cl/pso/rule.clh */
    struct shoal_buffer *x, *v, *p;         /* tiles * dim * tile reals */
    struct shoal_buffer *best;              /* tiles * tile reals: value at p */
    struct shoal_buffer *words, *reals;     /* of the islands */
    struct shoal_buffer *champion;          /* islands * dim reals: position of PSO_CHAMPION */
    struct shoal_buffer *trace;             /* entry * islands + island */
    bool drawn;
    bool ended;     /* every run, seen at the end of a call of step */
    uint64_t steps; /* enqueued */
    struct pso_summary summary;
    double *best_out, *position_out, *trace_out; /* of the outcome */
    uint64_t *ended_out;
    bool *reached_out;
    void *copies[8]; /* of the checkpoint being written */
};

static inline struct pso_device *pso_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* One way to make steps. Functions get a solver whose state is a struct pso_device with problem, precision and real
 * filled. */
struct pso_engine {
    const char *name; /* as --evaluator */
    const struct shoal_program_desc *const *programs; /* ended by NULL */
    /* Can it run this problem on this device? Otherwise `error` says why (SHOAL_UNSUPPORTED). */
    enum shoal_status (*fits)(const struct pso_problem *problem, const struct shoal_device_info *info,
                              struct shoal_error *error);
    /* Builds, sets tile and tiles, allocates what is its own. The shared buffers come after it. */
    enum shoal_status (*create)(struct shoal_solver *solver, struct shoal_error *error);
    void (*destroy)(struct shoal_solver *solver); /* accepts what `create` left after a failure */
    /* Enqueues step 0 of every island. */
    enum shoal_status (*draw)(struct shoal_solver *solver, struct shoal_error *error);
    /* Enqueues steps device->steps + 1 .. device->steps + steps with exchanges, restarts and ends: docs/pso.md. */
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    /* Brings words, reals and champion up to date where `advance` does not keep them so; NULL: it does. */
    enum shoal_status (*collect)(struct shoal_solver *solver, struct shoal_error *error);
    /* The shared buffers hold a checkpoint: what the engine derives from them. NULL: nothing. */
    enum shoal_status (*restore)(struct shoal_solver *solver, struct shoal_error *error);
    double (*build_seconds)(const struct shoal_solver *solver);
};

extern const struct pso_engine pso_fused_engine, pso_onchip_engine, pso_pipeline_engine;

/* -D values every swarm kernel understands (cl/pso/rule.clh), for `params`. Returns how many were written. */
enum { PSO_RULE_DEFINES = 9 };
size_t pso_rule_defines(const struct pso_problem *problem, enum shoal_precision precision,
                        struct shoal_define defines[PSO_RULE_DEFINES]);

/* Programs of the engines that are only for this file's users: the contract's defines of the rules. */
extern const struct shoal_define_desc pso_rule_define_descs[PSO_RULE_DEFINES];

void pso_free_copies(struct pso_device *device);

/* Functions of struct shoal_solver_ops in state.c. */
enum shoal_status pso_device_result(struct shoal_solver *solver, struct shoal_result *out,
                                    struct shoal_error *error);
size_t pso_device_state_count(const struct shoal_solver *solver);
enum shoal_status pso_device_get_state(struct shoal_solver *solver, double *values,
                                       struct shoal_error *error);
enum shoal_status pso_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                  struct shoal_error *error);
enum shoal_status pso_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error);

#endif
