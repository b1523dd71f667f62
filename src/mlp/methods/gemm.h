/* Matrix products on devices, C = op(A) op(B): cl/mlp/methods/gemm.cl, on CPUs cl/mlp/methods/gemm_serial.cl.
 */
#ifndef SHOAL_MLP_GEMM_H
#define SHOAL_MLP_GEMM_H

#include <shoal/program.h>

/* Which kernels: those for the kind of device, or given ones on any. */
enum mlp_gemm_text { MLP_GEMM_AUTO, MLP_GEMM_TILED, MLP_GEMM_SERIAL };

/* What an object is built for. */
struct mlp_gemm_setup {
    struct shoal_device *device;
    enum shoal_variant variant;
    bool is_double;
    bool transposed_a, transposed_b; /* op(A), op(B) are the transposes of what lies in memory */
    /* Places and pitches are multiples of 4, and the pitch covers rows padded to whole fours: of C too, whose
     * padding is overwritten. GPUs move four numbers at a time then. */
    bool is_aligned;
    uint32_t m, n, k;   /* the largest sizes */
    uint32_t max_parts; /* most parts of the sum over k; 0 and 1: it is not split */
    enum mlp_gemm_text text;
};

/* A matrix in a buffer, row after row; place and pitch count numbers. A pitch is at most MLP_GEMM_PITCH. */
struct mlp_matrix {
    struct shoal_buffer *buffer;
    uint64_t place;
    uint32_t pitch;
};
enum { MLP_GEMM_PITCH = 1 << 24 };

/* op(A) has m rows and k columns, op(B) k rows and n columns. With `parts` above 1 GPUs split the sum over k
 * into so many, which are added in their order: the same parts, the same bits. CPUs do not split. */
struct mlp_gemm_args {
    struct mlp_matrix a, b, c;
    uint32_t m, n, k, parts;
};

/* Has the device vectors of 64 bytes, for WIDE of the texts for CPUs? They are of OpenCL C alone. */
bool mlp_gemm_is_wide(struct shoal_device *device);

struct mlp_gemm;

/* SHOAL_INVALID: sizes of 0. Destroys as others do. An object belongs to the thread of its queue. */
SHOAL_MUST_CHECK enum shoal_status mlp_gemm_create(const struct mlp_gemm_setup *setup, struct mlp_gemm **out,
                                                   struct shoal_error *error);
void mlp_gemm_destroy(struct mlp_gemm **gemm);
const struct shoal_program *mlp_gemm_program(const struct mlp_gemm *gemm);

/* Enqueues the product. SHOAL_INVALID: sizes beyond those of the setup, a matrix that does not lie in its
 * buffer, places or pitches that are not aligned as promised, C in the buffer of A or B. */
SHOAL_MUST_CHECK enum shoal_status mlp_gemm_run(struct mlp_gemm *gemm, struct shoal_queue *queue,
                                                const struct mlp_gemm_args *args, struct shoal_error *error);

#endif
