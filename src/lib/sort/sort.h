/* Private: radix sort. sort.c checks arguments and orders the passes; a pass sorts by one digit. chunks.c
 * makes passes by chunks, sweep.c by reading the pairs once. */
#ifndef SHOAL_LIB_SORT_H
#define SHOAL_LIB_SORT_H

#include "lib/common.h"

enum {
    SORT_DIGIT_BITS = 8,
    SORT_RADIX = 1 << SORT_DIGIT_BITS,
};

/* Passes by chunks: of a work-item (serial) or of a work-group. */
struct sort_chunks {
    struct shoal_program *program;
    struct shoal_kernel *count, *scatter;
    struct shoal_scan *scan;
    struct shoal_buffer *counts;
    bool serial;   /* a work-item processes a chunk; false: a work-group does */
    uint32_t tile; /* the length of a chunk is a multiple of `tile` */
    uint32_t max_chunks;
};

/* Passes that read the pairs once. */
struct sort_sweep {
    struct shoal_program *program;
    struct shoal_kernel *histogram, *sweep;
    struct shoal_buffer *bins;      /* counts of each digit, then a ticket for each digit */
    struct shoal_buffer *status[2]; /* status words; passes use the tables in turn */
    uint32_t tile;                  /* number of pairs of a work-group */
    uint32_t max_groups;            /* most work-groups that count digits */
};

struct shoal_sort {
    struct shoal_sort_params params;
    struct shoal_device *device;
    enum shoal_sort_method method; /* not SHOAL_SORT_AUTO */
    size_t key_bytes, value_bytes; /* value_bytes: 0 without values */
    struct sort_chunks chunks;
    struct sort_sweep sweep;
    struct shoal_buffer *keys, *values; /* output of every second pass; values: NULL without values */
};

struct sort_pairs {
    struct shoal_buffer *keys, *values; /* values: NULL without values */
};

/* A pass: sorts n pairs by the digit of `bits` bits from bit `bit` on. */
struct sort_pass {
    struct sort_pairs from, to;
    uint32_t n, digit_number, bit, bits;
};

SHOAL_MUST_CHECK enum shoal_status sort_chunks_create(struct shoal_sort *sort, struct shoal_error *error);
void sort_chunks_destroy(struct sort_chunks *chunks);
SHOAL_MUST_CHECK enum shoal_status sort_chunks_pass(struct shoal_sort *sort, struct shoal_queue *queue,
                                                    const struct sort_pass *pass, struct shoal_error *error);

SHOAL_MUST_CHECK enum shoal_status sort_sweep_create(struct shoal_sort *sort, struct shoal_error *error);
void sort_sweep_destroy(struct sort_sweep *sweep);
/* Counts all digits of the keys, before the first pass. */
SHOAL_MUST_CHECK enum shoal_status sort_sweep_begin(struct shoal_sort *sort, struct shoal_queue *queue,
                                                    const struct shoal_sort_args *args,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status sort_sweep_pass(struct shoal_sort *sort, struct shoal_queue *queue,
                                                   const struct sort_pass *pass, struct shoal_error *error);

#endif
