/* Private: rows of a data set on a device. Either all rows are on the device, or chunks of them, if not all
 * rows fit beside the nets or the caller asks for chunks: one chunk is uploaded while nets are trained on
 * another. The host then sorts the rows of a chunk into the order of their use, so that results have the same
 * bits. */
#ifndef SHOAL_MLP_DEVICE_ROWS_H
#define SHOAL_MLP_DEVICE_ROWS_H

#include "dataset/prepare/prepared.h"

#include <shoal/queue.h>

struct device_rows;

struct device_rows_setup {
    struct shoal_queue *queue;
    const struct prepared *prepared; /* must be valid as long as the rows */
    bool is_double;                  /* true: double precision; false: single precision */
    uint64_t chunk_rows;             /* rows of a chunk; 0: all rows, or as many as fit */
    size_t least;                    /* least number of rows of a chunk */
    double room;                     /* bytes of the device's memory that are left for the rows */
};

/* Creates the rows. SHOAL_OUT_OF_DEVICE_MEMORY: the message says how many bytes are needed. */
SHOAL_MUST_CHECK enum shoal_status device_rows_create(const struct device_rows_setup *setup,
                                                      struct device_rows **out, struct shoal_error *error);
/* Shares `rows` with another net that reads the same rows. Destroy them once for each net. */
struct device_rows *device_rows_share(struct device_rows *rows);
/* Destroys the rows when the last net does. No launch that reads the rows may be pending. Accepts NULL. */
void device_rows_destroy(struct device_rows **rows);
/* Most rows of a chunk; number of all rows where there are no chunks. */
size_t device_rows_chunk(const struct device_rows *rows);
bool device_rows_are_chunks(const struct device_rows *rows);

/* Rows that are wanted one after another: the rows from `first` on, or the training rows in the order of an
 * epoch. */
struct rows_part {
    size_t first, count;
    size_t unit; /* most rows that a launch reads; no more than a chunk has */
    bool is_shuffled;
    uint64_t seed; /* seed of the order of the rows */
    uint32_t epoch;
};

/* The buffers that hold the rows. Arrays that the data set lacks are NULL. */
struct rows_view {
    struct shoal_buffer *data, *classes, *targets, *weights;
    size_t first;    /* place of the first row */
    bool is_ordered; /* the rows lie in the order of their use; otherwise in the order of the epoch */
    uint64_t upload; /* number of the upload that brought the rows, from 1 */
};

/* Gives the rows at place `at` of the part, up to the next multiple of the unit, or as many as are left. A
 * view is valid until the call after the next call. */
SHOAL_MUST_CHECK enum shoal_status device_rows_take(struct device_rows *rows, const struct rows_part *part,
                                                    size_t at, struct rows_view *view,
                                                    struct shoal_error *error);
/* With chunks: records the last launch that reads the most recent view, and takes ownership of its event. */
void device_rows_used(struct device_rows *rows, struct shoal_event *event);

#endif
