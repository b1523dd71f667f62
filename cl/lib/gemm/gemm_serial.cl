/* Matrix products on CPUs, C = f(alpha op(A) op(B) + beta C + bias). A work-item computes a block of C, tile by tile;
 * it holds the MR x NR numbers of a tile in vector registers, whose lanes are neighbouring columns.
 *
 * First the operands are packed in the order in which tiles read them: op(A) as panels of MR rows, op(B) as panels of
 * NR columns. A panel has for each k the MR or NR numbers with this k, and 0 beyond the matrix. Tiles add KC terms at
 * a time, so that a piece of a panel of op(B) (its numbers with KC values of k) stays in the first-level cache for
 * all tiles of a block of BLOCK rows. The block of op(A), with all k, stays in the second-level cache for all panels
 * of op(B). The next piece of op(B) comes from memory. The tiles of a block prefetch it together, each a part, since
 * the processor's own prefetcher begins too late. See Goto and van de Geijn, "Anatomy of high-performance matrix
 * multiplication", ACM TOMS 34 (2008).
 */
#include "lib/gemm/lanes.clh"
#include "lib/gemm/output.clh"
#include "lib/prefetch.clh"

#define INLINE inline __attribute__((always_inline))

#ifndef WG
#define WG 1
#endif
#ifndef MR
#define MR 6
#endif
#ifndef NR
#define NR 32
#endif
#ifndef KC
#define KC 512
#endif
/* Number of rows of a block: a multiple of MR. */
#ifndef BLOCK
#define BLOCK 60
#endif
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif

/* Numbers of an operand that a work-item packs, from `panel` on: those with begin <= k < end. */
struct piece {
    uint panel, begin, end;
    uint limit; /* rows of op(A) or columns of op(B), which panels fill up with zeros */
    uint terms; /* number of values of k in a panel */
    ulong pitch;
};

/* Packs GEMM_PANELS panels of `width` rows or columns from memory in which these are neighbours. Panel by
 * panel a work-item would read a line of the cache of each row, far from the next one, and take twice as
 * long. */
static INLINE void pack_across(__global const real *restrict from, __global real *restrict packed,
                               struct piece piece, uint width)
{
    const uint last = min(piece.panel + GEMM_PANELS, (piece.limit + width - 1) / width);
    uint k, panel, j;
    for (k = piece.begin; k < piece.end; k++)
        for (panel = piece.panel; panel < last; panel++) {
            __global const real *row = from + k * piece.pitch + panel * width;
            __global real *to = packed + ((ulong)panel * piece.terms + k) * width;
            if (panel * width + width <= piece.limit)
                for (j = 0; j < width; j++)
                    to[j] = row[j];
            else
                for (j = 0; j < width; j++)
                    to[j] = panel * width + j < piece.limit ? row[j] : R(0.0);
        }
}

/* Number of values of k that are loaded together where these are neighbours in memory. */
#define LENGTH     4
#define MOST_WIDTH (MR > NR ? MR : NR)

/* Packs a panel of `width` rows or columns from memory in which values of k are neighbours. */
static INLINE void pack_along(__global const real *restrict from, __global real *restrict packed,
                              struct piece piece, uint width)
{
    const uint first = piece.panel * width;
    __global real *const to = packed + (ulong)piece.panel * piece.terms * width;
    uint k = piece.begin, i, j;
    if (first + width <= piece.limit)
        for (; k + LENGTH <= piece.end; k += LENGTH) {
            real block[MOST_WIDTH * LENGTH];
#pragma unroll
            for (j = 0; j < width; j++)
#pragma unroll
                for (i = 0; i < LENGTH; i++)
                    block[j * LENGTH + i] = from[(first + j) * piece.pitch + k + i];
#pragma unroll
            for (i = 0; i < LENGTH; i++)
#pragma unroll
                for (j = 0; j < width; j++)
                    to[(ulong)(k + i) * width + j] = block[j * LENGTH + i];
        }
    for (; k < piece.end; k++)
        for (j = 0; j < width; j++)
            to[(ulong)k * width + j] = first + j < piece.limit ? from[(first + j) * piece.pitch + k] : R(0.0);
}

/* Packs an operand with `limit` rows of op(A) or columns of op(B) in panels of `width`. is_across: these are
 * neighbours in memory. A work-item packs GEMM_TERMS values of k; successive ones pack what follows in memory. */
static INLINE void pack(__global const real *from, __global real *packed, uint width, int is_across, uint limit,
                        uint terms, ulong pitch)
{
    const uint index = (uint)get_global_id(0), pieces = (terms + GEMM_TERMS - 1) / GEMM_TERMS;
    const uint together = GEMM_PANELS * width, groups = (limit + together - 1) / together;
    struct piece piece;
    piece.panel = is_across ? index % groups * GEMM_PANELS : index / pieces;
    piece.begin = (is_across ? index / groups : index % pieces) * GEMM_TERMS;
    piece.end = min(terms, piece.begin + GEMM_TERMS);
    piece.limit = limit;
    piece.terms = terms;
    piece.pitch = pitch;
    if (is_across)
        pack_across(from, packed, piece, width);
    else
        pack_along(from, packed, piece, width);
}

/* Packs op(A). */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_pack_a(__global const real *a, __global real *packed, struct gemm_shape shape)
{
    pack(a + shape.a, packed, MR, TRANS_A, shape.m, shape.k, shape.a_pitch);
}

/* Packs op(B). */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_pack_b(__global const real *b, __global real *packed, struct gemm_shape shape)
{
    pack(b + shape.b, packed, NR, !TRANS_B, shape.n, shape.k, shape.b_pitch);
}

/* How many numbers of the next piece of op(B) a tile prefetches for each k. */
#define SHARE ((NR * MR + BLOCK - 1) / BLOCK)

/* Computes tile `number` of a block: the sum of `terms` terms over k. Written as a multiplication and an addition,
 * since compilers do not vectorise calls of fma. */
static void multiply_tile(__global const real *a, __global const real *b, real *tile, uint terms, uint number)
{
    __global const real *next = b + (ulong)terms * (NR + number * SHARE);
    lanes sums[MR * VECTORS];
    uint k, i, j;
#pragma unroll
    for (i = 0; i < MR * VECTORS; i++)
        sums[i] = R(0.0);
    for (k = 0; k < terms; k++, a += MR, b += NR, next += SHARE) {
        PREFETCH(next);
#pragma unroll
        for (i = 0; i < MR; i++) {
#pragma unroll
            for (j = 0; j < VECTORS; j++)
                sums[i * VECTORS + j] += a[i] * LOAD_LANES(j, b);
        }
    }
#pragma unroll
    for (i = 0; i < MR * VECTORS; i++)
        STORE_LANES(sums[i], i, tile);
}

/* Adds alpha times a row of a tile to a row of C. is_first: the tile has the first terms of the sums over k, so the
 * row of C becomes alpha times the row plus beta C. */
static void add_row(__global real *to, const real *sums, uint columns, int is_first, real alpha, real beta)
{
    uint j;
    if (!is_first)
        for (j = 0; j < columns; j++)
            to[j] += alpha * sums[j];
    else if (beta != R(0.0))
        for (j = 0; j < columns; j++)
            to[j] = alpha * sums[j] + beta * to[j];
    else
        for (j = 0; j < columns; j++)
            to[j] = alpha * sums[j];
}

static void finish_row(__global real *to, __global const real *bias, uint columns, real slope)
{
    uint j;
    if (bias != 0)
        for (j = 0; j < columns; j++)
            to[j] += bias[j];
    if (ACTIVATION != GEMM_LINEAR)
        for (j = 0; j < columns; j++)
            to[j] = activate(to[j], slope);
}

/* A work-item computes BLOCK rows of a panel of NR columns; successive work-items compute the same rows of successive
 * panels. bias_place: index of the first number of the bias. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_blocks(__global const real *restrict a, __global const real *restrict b, __global real *restrict c,
                 __global const real *restrict bias /* or NULL */, struct gemm_shape shape, ulong bias_place, real alpha,
                 real beta, real slope)
{
    const uint panels = (shape.n + NR - 1) / NR, index = (uint)get_global_id(0), panel = index % panels;
    const uint first = index / panels * BLOCK, end = min(shape.m, first + BLOCK);
    const uint columns = min((uint)NR, shape.n - panel * NR);
    __global const real *own_bias = bias != 0 ? bias + bias_place + panel * NR : 0;
    real tile[MR * NR];
    uint k = 0, row, i;
    /* Runs once even if there are no terms, for beta C and the bias. */
    do {
        const uint terms = min((uint)KC, shape.k - k);
        for (row = first; row < end; row += MR) {
            const uint rows = min((uint)MR, shape.m - row);
            multiply_tile(a + ((ulong)(row / MR) * shape.k + k) * MR, b + ((ulong)panel * shape.k + k) * NR, tile, terms,
                          (row - first) / MR);
            for (i = 0; i < rows; i++) {
                __global real *to = c + shape.c + (ulong)(row + i) * shape.c_pitch + panel * NR;
                add_row(to, tile + i * NR, columns, k == 0, alpha, beta);
                if (k + terms == shape.k)
                    finish_row(to, own_bias, columns, slope);
            }
        }
        k += KC;
    } while (k < shape.k);
}
