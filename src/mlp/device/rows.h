/* Private: rows of a data set on a device. Either all rows are on the device, or two chunks of rows at a
 * time: one chunk is uploaded while nets are trained on the other. There are chunks if not all rows fit into
 * memory beside the nets, or if the caller asks for chunks. The host puts the rows of a chunk into the order
 * of their use, so that results have the same bits with and without chunks. */
#ifndef SHOAL_MLP_DEVICE_ROWS_H
#define SHOAL_MLP_DEVICE_ROWS_H

#include "dataset/prepare/prepared.h"

#include <shoal/queue.h>

struct device_rows;

struct device_rows_setup {
    struct shoal_queue *queue;
    const struct prepared *prepared; /* must be valid as long as the rows */
    bool is_double;                  /* true: double precision; false: single precision */
    /* number of rows of a chunk; 0: all rows if they fit, else a chosen number */
    uint64_t chunk_rows;
    size_t least; /* least number of rows of a chunk */
    double room;  /* number of bytes of device memory that the rows may take */
};

/* Creates the rows. SHOAL_OUT_OF_DEVICE_MEMORY: the message says how many bytes are needed. */
SHOAL_MUST_CHECK enum shoal_status device_rows_create(const struct device_rows_setup *setup,
                                                      struct device_rows **out, struct shoal_error *error);
/* Returns `rows` for another net that reads the same rows. Each net must call device_rows_destroy. */
struct device_rows *device_rows_share(struct device_rows *rows);
/* Sets *rows to NULL, and destroys the rows if no other net uses them. No launch that reads the rows may be
 * pending. Accepts NULL. */
void device_rows_destroy(struct device_rows **rows);
/* Most rows of a chunk; without chunks, the number of all rows. */
size_t device_rows_chunk(const struct device_rows *rows);
bool device_rows_are_chunks(const struct device_rows *rows);

/* Rows that launches read one after another: `count` rows from row `first` on or, with is_shuffled, the
 * training rows in the order of an epoch. */
struct rows_part {
    size_t first, count;
    size_t unit; /* most rows that a launch reads; no more than a chunk has */
    bool is_shuffled;
    uint64_t seed; /* seed of the order of the rows */
    uint32_t epoch;
};

/* The buffers in which rows are on the device. A buffer is NULL if the data set lacks that array. */
struct rows_view {
    struct shoal_buffer *data, *classes, *targets, *weights;
    size_t first; /* index in the buffers of the first row that was asked for */
    /* true: the rows follow each other in the buffers in the order of their use; false: the launch must find
     * the rows by the shuffled order of the epoch */
    bool is_ordered;
    uint64_t upload; /* number of the upload that brought the rows, from 1 */
};

/* Uploads rows if necessary, and returns a view of the rows of the part from its row `at` on. `at` is a
 * multiple of the unit, and the view holds a unit of rows, or all rows that are left if these are fewer. A
 * view stays valid during the next call, and ends with the call after that. */
SHOAL_MUST_CHECK enum shoal_status device_rows_take(struct device_rows *rows, const struct rows_part *part,
                                                    size_t at, struct rows_view *view,
                                                    struct shoal_error *error);
/* Must be called after the last launch that reads the most recent view, if there are chunks. event: the end
 * of this launch, after which the chunk may be overwritten; `rows` becomes the owner of the event. */
void device_rows_used(struct device_rows *rows, struct shoal_event *event);

#endif
