/* Private: the two methods by which the thesis trains a net with one hidden layer on a device, with all rows
 * in each update: docs/mlp.md, "The methods of the thesis".
 *
 * v1: a thread computes whole rows. v2: a block computes some rows at a time, and each thread of the block
 * computes one neuron. Each thread (v1) or block (v2) has its own sums of all derivatives. These sums are
 * added on the device or on the host, and the update is made on the device or on the host.
 *
 * An object belongs to the thread of its queue. */
#ifndef SHOAL_MLP_THESIS_H
#define SHOAL_MLP_THESIS_H

#include "mlp/host/trainer.h"
#include "workload/arrays.h"
#include "workload/programs.h"

#include <shoal/theses.h>

#include "cl/mlp/thesis/layout.clh"

extern const struct shoal_program_desc mlp_v1_program, mlp_v2_program, mlp_thesis_update_program;

/* Objects to which members point must live as long as the object, except for `rows`, which are copied to the
 * device: training rows first, then validation rows, then further rows for predictions. */
struct mlp_thesis_setup {
    struct shoal_queue *queue;
    struct programs *programs;
    bool is_double;
    bool is_v2;
    const struct shoal_mlp_thesis *params;
    const struct net *net;
    const struct training *training;
    const struct pass_data *rows;
    size_t training_rows, validation_rows;
};

/* Distribution of the work over the device. */
struct mlp_thesis_plan {
    uint32_t blocks, threads; /* threads: number of threads of a block */
    uint32_t interleave;      /* v2: number of rows that a block takes at a time */
    uint32_t items;           /* number of values of a thread (v1) or block (v2) */
    uint32_t room;            /* v2: words of local memory; 0: values are in global memory */
    uint32_t parts;           /* number of threads or blocks with sums of their own */
    /* sums_on_device: sums are added on the device; updates_on_device: updates are made on the device */
    bool sums_on_device, updates_on_device;
};

struct mlp_thesis {
    struct net_training base;
    struct mlp_thesis_setup setup;
    struct mlp_thesis_plan plan;
    struct thesis_step step;          /* argument of the kernels; each launch sets rows and flags */
    double weight, validation_weight; /* sums of the weights of rows */
    size_t bytes;                     /* bytes of a number on the device */

    struct shoal_kernel *pass, *clear, *sum_each, *sum_all, *update;
    struct shoal_buffer *inputs, *targets, *classes, *weights;
    /* slabs; `best` to `s2` exist if the device makes updates */
    struct shoal_buffer *parameters, *best, *s0, *s1, *s2;
    struct shoal_buffer *tried; /* parameters with which predictions are made */
    struct shoal_buffer *values, *deltas, *sums, *predictions, *settings;
    struct arrays arrays;

    /* TRAINER_ARRAYS arrays of net->parameters numbers; up to date if the host makes updates */
    double *own;
    double *gradient; /* [net->parameters] */
    double *slab;     /* room for a slab */
    void *moved;      /* numbers of `slab` in the precision of the device */
};

enum { MLP_THESIS_PREDICTED = 4096 }; /* most rows that are predicted at a time */

/* Creates a net in training. SHOAL_UNSUPPORTED: the methods of the thesis do not support the net or the
 * training; the message says what to do. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_create(const struct mlp_thesis_setup *setup,
                                                     struct mlp_thesis **out, struct shoal_error *error);
void mlp_thesis_destroy(struct mlp_thesis **thesis);

/* mlp_thesis_begin sets the initial parameters. mlp_thesis_load sets a saved state: `state`, and in `arrays`
 * TRAINER_ARRAYS arrays of net->parameters numbers. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_begin(struct net_training *training, const double *parameters,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_load(struct net_training *training,
                                                   const struct trainer_state *state, const double *arrays,
                                                   struct shoal_error *error);
/* Copies the arrays of the state from the device into thesis->own. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_fetch(struct mlp_thesis *thesis, struct shoal_error *error);

/* mlp_thesis_update makes `count` updates, each an epoch. mlp_thesis_end_epoch judges the last epoch as
 * trainer_end_epoch does. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_update(struct net_training *training, uint64_t count,
                                                     struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
mlp_thesis_end_epoch(struct net_training *training, struct trainer_epoch *epoch, struct shoal_error *error);
/* Computes loss, score and mean gradient of the training rows, without penalties. Parameters do not change.
 */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_gradient(struct mlp_thesis *thesis, struct pass_sums *sum,
                                                       double *gradient, struct shoal_error *error);
/* Computes the outputs of rows first .. first + count - 1 by given parameters. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_predict(struct net_training *training, const double *parameters,
                                                      size_t first, size_t count, double *outputs,
                                                      struct shoal_error *error);

/* mlp_thesis_read reads and mlp_thesis_write writes `count` numbers of a buffer, which are doubles on the
 * host. first: index in the buffer of the first number. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_read(struct mlp_thesis *thesis, struct shoal_buffer *buffer,
                                                   size_t first, size_t count, double *numbers,
                                                   struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_write(struct mlp_thesis *thesis, struct shoal_buffer *buffer,
                                                    const double *numbers, size_t count,
                                                    struct shoal_error *error);
/* mlp_thesis_flat copies from the order of a slab to the order of net.h. mlp_thesis_write_flat and
 * mlp_thesis_read_flat transfer numbers in the order of net.h to and from a slab on the device. */
void mlp_thesis_flat(const struct mlp_thesis *thesis, const double *slab, double *flat);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_write_flat(struct mlp_thesis *thesis,
                                                         struct shoal_buffer *buffer, const double *flat,
                                                         struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_read_flat(struct mlp_thesis *thesis,
                                                        struct shoal_buffer *buffer, double *flat,
                                                        struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_create_arrays(struct mlp_thesis *thesis,
                                                            struct shoal_error *error);

/* mlp_thesis_check refuses nets and trainings that the methods do not support. mlp_thesis_plan distributes
 * the work over the device. mlp_thesis_build builds the programs. */
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_check(const struct mlp_thesis_setup *setup,
                                                    struct shoal_error *error);
void mlp_thesis_plan(const struct mlp_thesis_setup *setup, struct mlp_thesis_plan *plan);
SHOAL_MUST_CHECK enum shoal_status mlp_thesis_build(struct mlp_thesis *thesis, struct shoal_error *error);

#endif
