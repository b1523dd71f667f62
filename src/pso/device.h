/* Private: the swarm on a device, between launching (device.c) and reading back (state.c). */
#ifndef SHOAL_PSO_DEVICE_H
#define SHOAL_PSO_DEVICE_H

#include "pso/swarm.h"

/* Coordinate d of particle i stands at (i / tile * dim + d) * tile + i % tile in x, v and p. */
struct pso_swarm {
    struct shoal_program *program;
    struct shoal_kernel *init, *step;
    struct shoal_buffer *x, *v, *p;                                  /* tiles * dim * tile reals */
    struct shoal_buffer *best;                                       /* tiles * tile reals */
    struct shoal_buffer *group_value, *group_index, *group_position; /* 2 rows for each group */
    struct shoal_buffer *done;                                       /* 2 words: see pso_step */
    struct shoal_buffer *trace;
    size_t particles, dim, groups;
    size_t tile, tiles; /* particles of a tile, number of tiles */
    size_t real;        /* bytes of a number: 4 or 8 */
    enum shoal_precision precision;
    bool one_group;
    bool drawn;
    bool reached;      /* the target, seen at the end of a call of step */
    uint64_t steps;    /* enqueued; less when the target was reached */
    double *position;  /* of the result */
    double *trace_out; /* of the result */
    void *copies[5];   /* of the checkpoint being written */
};

void pso_free_copies(struct pso_swarm *swarm);

/* Functions of struct shoal_solver_ops. */
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
