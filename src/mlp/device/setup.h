/* Private: from what a net in training on a device is created. */
#ifndef SHOAL_MLP_DEVICE_SETUP_H
#define SHOAL_MLP_DEVICE_SETUP_H

#include "dataset/prepare/prepared.h"
#include "mlp/training/state.h"
#include "workload/programs.h"

/* The kernels of a net. TILED: the kernels for GPUs; SERIAL: the kernels for CPUs; AUTO: TILED or SERIAL, by
 * the kind of the device. Tests use TILED and SERIAL on any device. */
enum mlp_device_text { MLP_DEVICE_AUTO, MLP_DEVICE_TILED, MLP_DEVICE_SERIAL };

/* All that the members point to must live as long as the net in training. The prepared rows are the training
 * rows, then the validation rows, then other rows, for which there are only predictions. */
struct mlp_device_setup {
    struct shoal_queue *queue;
    struct programs *programs; /* the list that owns the programs and says in which variant they are built */
    bool is_double;            /* true: double precision; false: single precision, and prepared_narrow has
                                * been called */
    enum mlp_device_text text;
    /* 0: the net is trained. Otherwise it only predicts rows in buffers of the caller (mlp_device_enqueue),
     * and the outputs of so many passes have room. `prepared` has no data and no targets: it says how rows
     * lie in these buffers; its number of rows is the most of a pass, and training_rows, too. `training` has
     * zeros. */
    size_t predicts;
    const struct net *net;
    const struct training *training;
    const struct prepared *prepared;
    size_t training_rows, validation_rows;
    /* number of rows of a chunk, of which whole batches are used; 0: all rows are on the device if they fit,
     * otherwise in chunks */
    uint64_t chunk_rows;
    /* number of nets and number of data sets, including this net and its rows, for which the memory of the
     * device must suffice; 0: one */
    size_t nets, data_sets;
    /* a net in training with the same rows and batch, whose buffers of rows this net uses, too; NULL: none */
    struct net_training *shares;
    /* the solver of a share, which computes some shards of each batch and meets the other shares; NULL: this
     * device computes all shards */
    const struct shoal_solver *solver;
};

#endif
