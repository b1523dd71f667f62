/* Private: the figures of shoal_measure_rates. Each function fills `measured`; SHOAL_UNSUPPORTED: the device
 * lacks the figure, and the message says why. */
#ifndef SHOAL_MEASURE_RATES_H
#define SHOAL_MEASURE_RATES_H

#include "measure/device.h"

/* Kinds of cl/measure/chains.clh, in its order. */
enum chain_kind {
    CHAIN_FP32,
    CHAIN_FP64,
    CHAIN_FP16_FUSED,
    CHAIN_FP16,
    CHAIN_INT64,
    CHAIN_INT32,
    CHAIN_INT16,
    CHAIN_INT8,
    CHAIN_DOT8
};

/* A figure, or for transfers one kind of them. */
struct rate_figure {
    unsigned part; /* SHOAL_RATES_COMPUTE ... */
    const char *name, *unit;
    enum shoal_status (*measure)(struct rig *rig, const struct rate_figure *figure,
                                 struct measure_figure *measured, struct shoal_error *error);
    int kind; /* what distinguishes the figures of one function */
    bool flag;
};

enum shoal_status rate_fused(struct rig *rig, const struct rate_figure *figure,
                             struct measure_figure *measured, struct shoal_error *error);
/* kind: enum chain_kind. */
enum shoal_status rate_chains(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error);
/* kind: the define FORMAT of cl/measure/matrix.cu. */
enum shoal_status rate_matrix(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error);
enum shoal_status rate_copy(struct rig *rig, const struct rate_figure *figure,
                            struct measure_figure *measured, struct shoal_error *error);
/* kind: 1 scattered words; flag: writes. */
enum shoal_status rate_memory(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error);
enum shoal_status rate_local(struct rig *rig, const struct rate_figure *figure,
                             struct measure_figure *measured, struct shoal_error *error);
/* kind: 1 a word for each work-item; flag: local memory. */
enum shoal_status rate_atomics(struct rig *rig, const struct rate_figure *figure,
                               struct measure_figure *measured, struct shoal_error *error);
/* flag: each launch waits for its end. */
enum shoal_status rate_launch(struct rig *rig, const struct rate_figure *figure,
                              struct measure_figure *measured, struct shoal_error *error);

enum transfer_kind { TRANSFER_WRITE, TRANSFER_READ, TRANSFER_BOTH };

/* A transfer of `bytes` bytes. kind: enum transfer_kind; flag: the host's memory is pinned. */
enum shoal_status rate_transfer(struct rig *rig, const struct rate_figure *figure, size_t bytes,
                                struct measure_figure *measured, struct shoal_error *error);
/* By links: see link.c. device: not the host. */
enum shoal_status measure_pinned(struct rig *rig, enum transfer_kind kind, size_t bytes,
                                 struct measure_samples *time, struct shoal_error *error);

/* Reads `count` words of a buffer into new memory, which the caller frees. */
enum shoal_status rig_read_words(struct rig *rig, struct shoal_buffer *buffer, uint32_t **words,
                                 size_t *count, struct shoal_error *error);

#endif
