/* Private: matrix products. gemm.c checks arguments; tiled.c computes on GPUs, serial.c on CPUs. */
#ifndef SHOAL_LIB_GEMM_H
#define SHOAL_LIB_GEMM_H

#include "lib/common.h"
#include "lib/gemm/tiles.h"

#include "cl/lib/gemm/layout.clh"

/* Programs for GPUs. GEMM_ALIGNED is faster, and needs offsets and leading dimensions that are multiples of
 * 4. */
enum { GEMM_ALIGNED, GEMM_ANY, GEMM_TILED_FORMS };

struct gemm_tiled {
    struct gemm_tile tile;
    struct shoal_program *programs[GEMM_TILED_FORMS];
    struct shoal_kernel *multiply[GEMM_TILED_FORMS], *sum;
    struct shoal_buffer *parts; /* partial sums over k; NULL: no product is split over k */
};

struct gemm_serial {
    struct shoal_program *program;
    struct shoal_kernel *multiply, *pack_a, *pack_b;
    struct shoal_buffer *panels_a, *panels_b;
    /* rows: number of rows of a tile and of a panel of A; columns: number of columns of a panel of B; block:
     * number of rows of a block */
    uint32_t block, rows, columns;
};

struct shoal_gemm {
    struct shoal_gemm_params params;
    struct shoal_device *device;
    bool is_serial, is_double;
    struct gemm_tiled tiled;
    struct gemm_serial serial;
};

/* A product, after the check of its arguments. */
struct gemm_run {
    struct shoal_queue *queue;
    struct shoal_buffer *a, *b, *c, *bias;
    struct gemm_shape shape; /* shape of the product; the members `parts` and `part` are set later */
    uint64_t bias_place;
    double alpha, beta;
    bool is_aligned; /* value of the macro GEMM_ALIGNED */
};

SHOAL_MUST_CHECK enum shoal_status gemm_tiled_create(struct shoal_gemm *gemm, struct shoal_error *error);
void gemm_tiled_destroy(struct gemm_tiled *tiled);
SHOAL_MUST_CHECK enum shoal_status gemm_tiled_run(struct shoal_gemm *gemm, const struct gemm_run *run,
                                                  struct shoal_error *error);

SHOAL_MUST_CHECK enum shoal_status gemm_serial_create(struct shoal_gemm *gemm, struct shoal_error *error);
void gemm_serial_destroy(struct gemm_serial *serial);
SHOAL_MUST_CHECK enum shoal_status gemm_serial_run(struct shoal_gemm *gemm, const struct gemm_run *run,
                                                   struct shoal_error *error);

/* Whether the device has vectors of 64 bytes: WIDE of cl/lib/gemm/lanes.clh. */
bool gemm_is_wide(struct shoal_device *device);

#endif
