/* Host rows of the suite thesis-pso: the CPU twins as functions of cases. */
#ifndef SHOAL_BENCH_THESIS_HOST_H
#define SHOAL_BENCH_THESIS_HOST_H

#include "bench/pso/cpu.h"
#include "bench/runner/bench.h"

#include <shoal/objective.h>

/* A function of the thesis, and its sizes. */
struct thesis_size {
    const char *function; /* "f1" to "f10"; for points on a device also another built-in function */
    size_t dim;           /* for f6 to f10 0: the function determines it */
    size_t rows;          /* number of rows, only for f5 */
    size_t particles;
};

/* Returns whether the function is "f5" to "f10": a sum over rows. */
bool thesis_has_rows(const struct thesis_size *size);
/* Makes these rows, dim + 1 numbers each; the caller must free them. Fills in `size->dim` and `size->rows`
 * where they are 0. */
enum shoal_status thesis_rows(struct thesis_size *size, double **rows, struct shoal_error *error);

/* Returns the sum over the rows at x, calculated in extended precision. */
double thesis_rows_value(const struct thesis_size *size, const double *rows, const double *x);

/* The box of the first positions. */
double thesis_lower(const struct thesis_size *size);
double thesis_upper(const struct thesis_size *size);

/* Number of floating-point operations of one evaluation of all particles, for a sum over rows. */
double thesis_row_flops(const struct thesis_size *size);

/* State of a host row: a twin and its swarm. */
struct thesis_host {
    struct thesis_size size;
    const struct thesis_twin *twin;
    struct thesis_swarm *swarm;
    double *rows, *x;
    uint32_t moves; /* number of moves by thesis_host_move */
};

/* To be called from `create` of struct bench_ops. With rows, bench->roof_work is set to thesis_row_flops. */
enum shoal_status thesis_host_create(struct bench *bench, const struct thesis_size *size,
                                     const struct thesis_twin *twin, struct shoal_error *error);
/* The function `run`: makes an iteration. */
enum shoal_status thesis_host_step(struct bench *bench, struct shoal_error *error);
/* The function `run`: evaluates without a move. */
enum shoal_status thesis_host_evaluate(struct bench *bench, struct shoal_error *error);
/* The function `run`: makes only a move. */
enum shoal_status thesis_host_move(struct bench *bench, struct shoal_error *error);
/* The function `check` for thesis_host_step and thesis_host_evaluate. */
enum shoal_status thesis_host_check(struct bench *bench, struct bench_check *check,
                                    struct shoal_error *error);
void thesis_host_destroy(struct bench *bench);

#endif
