#include "lib/gemm/gemm.h"

#include "base/error.h"
#include "base/params.h"
#include "compute/device.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

_Static_assert((int)SHOAL_GEMM_SILU == (int)GEMM_SILU, "one list of activations");

static const char create_call[] = "shoal_gemm_create", run_call[] = "shoal_gemm_run";

void shoal_gemm_params_init(struct shoal_gemm_params *params)
{
    if (params)
        *params = (struct shoal_gemm_params){.size = sizeof *params, .real = SHOAL_TYPE_FLOAT, .slope = 0.01};
}

void shoal_gemm_args_init(struct shoal_gemm_args *args)
{
    if (args)
        *args = (struct shoal_gemm_args){.size = sizeof *args, .alpha = 1};
}

static enum shoal_status check_params(const struct shoal_gemm_params *params, struct shoal_error *error)
{
    const size_t sizes[] = {params->max_m, params->max_n, params->max_k};
    for (size_t i = 0; i < COUNT(sizes); i++)
        if (sizes[i] == 0 || sizes[i] > SHOAL_GEMM_MAX)
            return fail(error, SHOAL_INVALID, "%s: max_%c is %zu; it must be 1 to %d", create_call, "mnk"[i],
                        sizes[i], SHOAL_GEMM_MAX);
    if (params->real != SHOAL_TYPE_FLOAT && params->real != SHOAL_TYPE_DOUBLE)
        return fail(error, SHOAL_INVALID, "%s: numbers are float or double", create_call);
    if ((unsigned)params->activation > SHOAL_GEMM_SILU)
        return fail(error, SHOAL_INVALID, "%s: there is no activation %d", create_call,
                    (int)params->activation);
    if ((unsigned)params->method > SHOAL_GEMM_SERIAL)
        return fail(error, SHOAL_INVALID, "%s: there is no method %d", create_call, (int)params->method);
    if (!isfinite(params->slope))
        return fail(error, SHOAL_INVALID, "%s: the slope is no finite number", create_call);
    return SHOAL_OK;
}

enum shoal_status shoal_gemm_create(struct shoal_device *device, const struct shoal_gemm_params *params,
                                    struct shoal_gemm **out, struct shoal_error *error)
{
    struct shoal_gemm_params own;
    if (!NEED(error, device, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_gemm_params_init, &own, error);
    if (!status)
        status = check_params(&own, error);
    if (status)
        return status;
    struct shoal_gemm *gemm = calloc(1, sizeof *gemm);
    if (!gemm)
        return fail_host_memory(error);
    gemm->params = own;
    gemm->device = device;
    gemm->is_double = own.real == SHOAL_TYPE_DOUBLE;
    gemm->is_serial = own.method == SHOAL_GEMM_AUTO ? is_plain_cpu(device) : own.method == SHOAL_GEMM_SERIAL;
    status = gemm->is_serial ? gemm_serial_create(gemm, error) : gemm_tiled_create(gemm, error);
    if (status)
        shoal_gemm_destroy(&gemm);
    *out = gemm;
    return status;
}

void shoal_gemm_destroy(struct shoal_gemm **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_gemm *gemm = *pointer;
    *pointer = NULL;
    gemm_serial_destroy(&gemm->serial);
    gemm_tiled_destroy(&gemm->tiled);
    free(gemm);
}

const struct shoal_program *shoal_gemm_program(const struct shoal_gemm *gemm, size_t index)
{
    if (!gemm)
        return NULL;
    if (gemm->is_serial)
        return index == 0 ? gemm->serial.program : NULL;
    return index < GEMM_TILED_FORMS ? gemm->tiled.programs[index] : NULL;
}

/* Runs ------------------------------------------------------------------------------------------------- */

/* A matrix in memory: `rows` rows of `columns` numbers, as stored, row i from number offset + i ld of
 * `buffer` on. numbers: how many numbers all rows span, with the gaps between them. */
struct matrix {
    const char *name;
    struct shoal_buffer *buffer;
    size_t offset, ld, rows, columns, numbers;
};

static enum shoal_status check_matrix(struct matrix *matrix, size_t bytes, struct shoal_error *error)
{
    if (matrix->ld == 0)
        matrix->ld = matrix->columns ? matrix->columns : 1;
    if (matrix->ld < matrix->columns || matrix->ld > SHOAL_GEMM_MAX)
        return fail(error, SHOAL_INVALID,
                    "%s: the leading dimension of %s is %zu; it must be %zu, the length of a row, to %d",
                    run_call, matrix->name, matrix->ld, matrix->columns, SHOAL_GEMM_MAX);
    matrix->numbers = matrix->rows && matrix->columns ? (matrix->rows - 1) * matrix->ld + matrix->columns : 0;
    return check_range(run_call, matrix->name, matrix->buffer, matrix->offset, matrix->numbers, bytes, error);
}

static bool overlap(const struct matrix *a, const struct matrix *b)
{
    return a->buffer == b->buffer && a->offset < b->offset + b->numbers && b->offset < a->offset + a->numbers;
}

/* Whether a kernel can read or write the rows by aligned groups of four numbers. Operands (is_read) are read
 * to the end of the last group, which must be inside the buffer; results are not written beyond the last
 * column. */
static bool is_aligned(const struct matrix *matrix, bool is_read, size_t bytes)
{
    const size_t behind = is_read ? rounded_up(matrix->columns, 4) - matrix->columns : 0;
    return matrix->offset % 4 == 0 && matrix->ld % 4 == 0 &&
           matrix->offset + matrix->numbers + behind <= shoal_buffer_size(matrix->buffer) / bytes;
}

enum { A, B, C, BIAS, MATRICES };

static enum shoal_status check_run(const struct shoal_gemm *gemm, const struct shoal_gemm_args *args,
                                   struct matrix matrices[MATRICES], struct shoal_error *error)
{
    const struct shoal_gemm_params *const params = &gemm->params;
    const size_t bytes = gemm->is_double ? 8 : 4;
    if (args->m > params->max_m || args->n > params->max_n || args->k > params->max_k)
        return fail(error, SHOAL_INVALID,
                    "%s: m, n, k are %zu, %zu, %zu, the object is for at most %zu, %zu, %zu", run_call,
                    args->m, args->n, args->k, params->max_m, params->max_n, params->max_k);
    const double most = gemm->is_double ? DBL_MAX : (double)FLT_MAX;
    if (!(fabs(args->alpha) <= most) || !(fabs(args->beta) <= most))
        return fail(error, SHOAL_INVALID, "%s: alpha and beta must be finite numbers of the type", run_call);
    const bool ta = params->transposed_a, tb = params->transposed_b;
    matrices[A] = (struct matrix){
        "A", args->a, args->a_offset, args->lda, ta ? args->k : args->m, ta ? args->m : args->k, 0};
    matrices[B] = (struct matrix){
        "B", args->b, args->b_offset, args->ldb, tb ? args->n : args->k, tb ? args->k : args->n, 0};
    matrices[C] = (struct matrix){"C", args->c, args->c_offset, args->ldc, args->m, args->n, 0};
    matrices[BIAS] = (struct matrix){"bias", args->bias, args->bias_offset, 0, 1, args->n, 0};
    enum shoal_status status = SHOAL_OK;
    for (int i = 0; i < MATRICES && !status; i++)
        if (i != BIAS || args->bias)
            status = check_matrix(&matrices[i], bytes, error);
    for (int i = 0; i < MATRICES && !status; i++)
        if (i != C && overlap(&matrices[i], &matrices[C]))
            status = fail(error, SHOAL_INVALID, "%s: C and %s overlap", run_call, matrices[i].name);
    return status;
}

enum shoal_status shoal_gemm_run(struct shoal_gemm *gemm, struct shoal_queue *queue,
                                 const struct shoal_gemm_args *args, struct shoal_error *error)
{
    struct shoal_gemm_args own;
    struct matrix matrices[MATRICES];
    if (!NEED(error, gemm, queue, args))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(args, shoal_gemm_args_init, &own, error);
    if (!status)
        status = check_run(gemm, &own, matrices, error);
    if (status || own.m == 0 || own.n == 0)
        return status;
    const size_t bytes = gemm->is_double ? 8 : 4;
    /* otherwise A and B are not read, so a NaN in them has no effect */
    const bool has_terms = own.alpha < 0 || own.alpha > 0;
    const struct gemm_run run = {.queue = queue,
                                 .a = own.a,
                                 .b = own.b,
                                 .c = own.c,
                                 .bias = own.bias,
                                 .shape = {.a = own.a_offset,
                                           .b = own.b_offset,
                                           .c = own.c_offset,
                                           .m = (uint32_t)own.m,
                                           .n = (uint32_t)own.n,
                                           .k = has_terms ? (uint32_t)own.k : 0,
                                           .a_pitch = (uint32_t)matrices[A].ld,
                                           .b_pitch = (uint32_t)matrices[B].ld,
                                           .c_pitch = (uint32_t)matrices[C].ld},
                                 .bias_place = own.bias_offset,
                                 .alpha = own.alpha,
                                 .beta = own.beta,
                                 .is_aligned = is_aligned(&matrices[A], true, bytes) &&
                                               is_aligned(&matrices[B], true, bytes) &&
                                               is_aligned(&matrices[C], false, bytes)};
    return gemm->is_serial ? gemm_serial_run(gemm, &run, error) : gemm_tiled_run(gemm, &run, error);
}
