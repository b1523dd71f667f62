/* Host rows of the suite thesis-pso: the CPU twins as functions of cases. */
#ifndef SHOAL_BENCH_THESIS_HOST_H
#define SHOAL_BENCH_THESIS_HOST_H

#include "bench/pso/cpu.h"
#include "bench/runner/bench.h"

#include <shoal/objective.h>

/* A function of the thesis and its size. */
struct thesis_size {
    const char *function; /* "f1" to "f10"; of points on a device also another built-in one */
    size_t dim;           /* f6 to f10: 0, the function says it */
    size_t rows;          /* f5 */
    size_t particles;
};

/* "f5" to "f10": a sum over rows. */
bool thesis_has_rows(const struct thesis_size *size);
/* Those rows: dim + 1 numbers each, the caller's to free. `size->dim` and `size->rows` are filled where they
 * are 0. */
enum shoal_status thesis_rows(struct thesis_size *size, double **rows, struct shoal_error *error);

/* The sum over them at x, in extended precision. */
double thesis_rows_value(const struct thesis_size *size, const double *rows, const double *x);

/* Box of the first positions. */
double thesis_lower(const struct thesis_size *size);
double thesis_upper(const struct thesis_size *size);

/* Floating-point operations of one evaluation of all particles of a sum over rows. */
double thesis_row_flops(const struct thesis_size *size);

/* State of a host row: a twin and its swarm. */
struct thesis_host {
    struct thesis_size size;
    const struct thesis_twin *twin;
    struct thesis_swarm *swarm;
    double *rows, *x;
    uint32_t moves; /* of thesis_host_move */
};

/* create of struct bench_ops; bench->roof_work counts thesis_row_flops where there are rows. */
enum shoal_status thesis_host_create(struct bench *bench, const struct thesis_size *size,
                                     const struct thesis_twin *twin, struct shoal_error *error);
enum shoal_status thesis_host_step(struct bench *bench, struct shoal_error *error); /* run: an iteration */
enum shoal_status thesis_host_evaluate(struct bench *bench, struct shoal_error *error); /* run: no move */
enum shoal_status thesis_host_move(struct bench *bench, struct shoal_error *error); /* run: a move alone */
/* Of thesis_host_step and thesis_host_evaluate. */
enum shoal_status thesis_host_check(struct bench *bench, struct bench_check *check,
                                    struct shoal_error *error);
void thesis_host_destroy(struct bench *bench);

#endif
