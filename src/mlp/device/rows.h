/* Private: rows of a data set on a device. All rows are there, or, if they do not fit beside the nets or the
 * caller wants it, chunks of them: one chunk is uploaded while nets are trained on another. The host then
 * sorts the rows of a chunk into the order of their use, so that results have the same bits.
 */
#ifndef SHOAL_MLP_DEVICE_ROWS_H
#define SHOAL_MLP_DEVICE_ROWS_H

#include "dataset/prepare/prepared.h"

#include <shoal/queue.h>

struct device_rows;

struct device_rows_setup {
    struct shoal_queue *queue;
    const struct prepared *prepared; /* must live as long */
    bool is_double;                  /* true: double precision; false: single precision */
    uint64_t chunk_rows;             /* rows of a chunk; 0: all, or as many as fit */
    size_t least;                    /* least number of rows of a chunk */
    double room;                     /* bytes of the device that are left for them */
};

/* SHOAL_OUT_OF_DEVICE_MEMORY names the bytes. */
SHOAL_MUST_CHECK enum shoal_status device_rows_create(const struct device_rows_setup *setup,
                                                      struct device_rows **out, struct shoal_error *error);
/* Shares `rows` with another net that reads the same rows; destroy it once for each net. */
struct device_rows *device_rows_share(struct device_rows *rows);
/* No launch that reads them may be pending. Accepts NULL. */
void device_rows_destroy(struct device_rows **rows);
/* Rows of a chunk at most; all where there are none. */
size_t device_rows_chunk(const struct device_rows *rows);
bool device_rows_are_chunks(const struct device_rows *rows);

/* Rows that are wanted one after the other: those from `first` on, or the training rows in an epoch's
 * order. */
struct rows_part {
    size_t first, count;
    size_t unit; /* rows that a launch reads at most; no more than a chunk has */
    bool is_shuffled;
    uint64_t seed; /* of the order */
    uint32_t epoch;
};

/* The buffers that hold the rows. Arrays that the data set lacks are NULL. */
struct rows_view {
    struct shoal_buffer *data, *classes, *targets, *weights;
    size_t first;    /* place of the first */
    bool is_ordered; /* the rows lie in the order of use; else in places of the epoch */
    uint64_t upload; /* number of the upload that brought them, from 1 */
};

/* The `unit` rows at `at` of the part, a multiple of the unit, or those that are left. The last call's view
 * is valid until the call after the next one. */
SHOAL_MUST_CHECK enum shoal_status device_rows_take(struct device_rows *rows, const struct rows_part *part,
                                                    size_t at, struct rows_view *view,
                                                    struct shoal_error *error);
/* With chunks: records the last launch that reads the most recent view, and takes ownership of its event. */
void device_rows_used(struct device_rows *rows, struct shoal_event *event);

#endif
