/* Matrix products for GPUs, C = op(A) op(B).
 *
 * A work-group computes a tile of BM x BN numbers and goes along k in slices of BK, which it holds in local memory. Its
 * work-items form a grid of GM x GN; each has ROWS x COLUMNS quads of 4 x 4 numbers in registers, a grid's height and
 * width apart, so that neighbours read neighbouring quads of local memory. While a slice is multiplied, the numbers of the
 * next are loaded into registers.
 *
 * Operands are transposed by index: slices lie in local memory with k as their row, whatever the order in global memory.
 * Where k is the direction of the rows there, a work-item scatters its quad over four rows; quads of a row are exchanged
 * so that 32 neighbours then write to 32 banks. See CUTLASS, "Efficient GEMM in CUDA", for the plan as a whole.
 */
#include "lib/real.clh"
#include "mlp/methods/gemm_layout.clh"

#ifndef WG
#define WG 256
#endif
#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 8
#endif
/* Slices in local memory: with 2, one is written while the other is read, and a slice takes one barrier. */
#ifndef STAGES
#define STAGES 2
#endif
/* Words of local memory. */
#ifndef ROOM
#define ROOM 8192
#endif
/* 1: op(A) is the transpose of what lies in memory. */
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif
/* 1: places and pitches are multiples of 4, and rows are padded so that a quad may be read and written as a whole. */
#ifndef ALIGNED
#define ALIGNED 0
#endif
/* Tiles that follow each other are BAND below each other, so that they share their columns in the cache. */
#ifndef BAND
#define BAND 8
#endif
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif

#if WG >= 256
#define GN 16
#elif WG >= 64
#define GN 8
#elif WG >= 16
#define GN 4
#elif WG >= 4
#define GN 2
#else
#define GN 1
#endif
#define GM (WG / GN)

#define ROWS (BM / (4 * GM))
#define COLUMNS (BN / (4 * GN))
#define A_QUADS (BM / 4)
#define B_QUADS (BN / 4)
#define SLICE (BK * (A_QUADS + B_QUADS))
#define K_QUADS (BK / 4)
#define A_LOADS ((A_QUADS * BK + WG - 1) / WG)
#define B_LOADS ((B_QUADS * BK + WG - 1) / WG)
#define WORDS (REAL / 32)

#if BM % (4 * GM) != 0 || BN % (4 * GN) != 0 || BM < 32 || BN < 32 || BK < 4 || BK > 32 || (BK & (BK - 1)) != 0
#error "the tile does not fit the work-group"
#endif
#if STAGES * SLICE * 4 * WORDS > ROOM
#error "ROOM is too small for the tile"
#endif

#if REAL == 64
typedef struct {
    double x, y, z, w;
} quad;
#else
typedef float4 quad;
#endif

/* The rows that one quad of global memory is scattered over have the same k / 4; a quad lies at its place ^ EXCHANGE(k).
 * Where k is not the direction of the rows in memory, quads lie in their order. */
#define EXCHANGE(k) (((k) / 4 * (32 / BK)) % 8)

/* Load u of a slice by work-item lid: its place in the slice, the quads of a row of which are `quads`. `along_k`: k is the
 * direction of the rows in memory. */
#define LOAD(u) (lid + (u) * WG)
#define IS_LOAD(u, quads) ((quads) * BK % WG == 0 || LOAD(u) < (quads) * BK)
#define LOAD_K(u, quads, along_k) ((along_k) ? LOAD(u) % K_QUADS * 4 : LOAD(u) / (quads))
#define LOAD_SIDE(u, quads, along_k) ((along_k) ? LOAD(u) / K_QUADS : LOAD(u) % (quads) * 4)

/* Where the first slice lies in memory, seen from the tile's first number, for each load. Numbers beyond the last row or
 * column of the matrix are not asked for: they only meet what is not stored, so any others will do. */
static void find_loads(uint *places, uint pitch, uint left, uint lid, int along_k, uint quads, uint loads)
{
    uint u;
#pragma unroll
    for (u = 0; u < loads; u++) {
        const uint k = LOAD_K(u, quads, along_k), side = LOAD_SIDE(u, quads, along_k);
        /* A quad that begins in the matrix lies in its padded rows. */
        places[u] = along_k ? min(side, left - 1) * pitch + k : k * pitch + min(side, (left - 1) / 4 * 4);
    }
}

/* A slice all of whose k exist. */
static void fetch_slice(quad *fetched, __global const real *from, const uint *places, uint left, uint lid, int along_k,
                        uint quads, uint loads)
{
    uint u;
#pragma unroll
    for (u = 0; u < loads; u++)
        if (IS_LOAD(u, quads)) {
            __global const real *at = from + places[u];
#if ALIGNED
            fetched[u] = *(__global const quad *)at;
#else
            const uint last = along_k ? 3 : (left - 1) - min(LOAD_SIDE(u, quads, along_k), (left - 1) / 4 * 4);
            fetched[u].x = at[0];
            fetched[u].y = at[min(last, 1u)];
            fetched[u].z = at[min(last, 2u)];
            fetched[u].w = at[min(last, 3u)];
#endif
        }
}

/* The last slice, of which `terms` k exist; the others are 0. */
static void fetch_rest(quad *fetched, __global const real *from, const uint *places, uint left, uint terms, uint lid,
                       int along_k, uint quads, uint loads)
{
    uint u;
#pragma unroll
    for (u = 0; u < loads; u++) {
        const uint k = LOAD_K(u, quads, along_k);
        fetched[u].x = fetched[u].y = fetched[u].z = fetched[u].w = R(0.0);
        if (IS_LOAD(u, quads) && k < terms) {
            __global const real *at = from + places[u];
            const uint last = along_k ? terms - 1 - k
                                      : (left - 1) - min(LOAD_SIDE(u, quads, along_k), (left - 1) / 4 * 4);
            fetched[u].x = at[0];
            if (last >= 1)
                fetched[u].y = at[1];
            if (last >= 2)
                fetched[u].z = at[2];
            if (last >= 3)
                fetched[u].w = at[3];
        }
    }
}

static void store_slice(local quad *slice, const quad *fetched, uint lid, int along_k, uint quads, uint loads)
{
    uint u;
#pragma unroll
    for (u = 0; u < loads; u++)
        if (IS_LOAD(u, quads)) {
            const uint k = LOAD_K(u, quads, along_k), side = LOAD_SIDE(u, quads, along_k);
            if (along_k) {
                /* Later loads of a work-item have the same k. */
                const uint first = lid / K_QUADS, step = WG / K_QUADS;
                const uint quad_of_row = step % 32 == 0 ? (first / 4 ^ EXCHANGE(k)) + u * (step / 4)
                                                        : side / 4 ^ EXCHANGE(k);
                local real *to = (local real *)(slice + k * quads + quad_of_row) + (step % 4 == 0 ? first : side) % 4;
                to[0] = fetched[u].x;
                to[quads * 4] = fetched[u].y;
                to[quads * 8] = fetched[u].z;
                to[quads * 12] = fetched[u].w;
            } else {
                slice[LOAD(u)] = fetched[u];
            }
        }
}

#define MULTIPLY_ROW(i, value, b)                                                                                 \
    sums[i].x = mad(value, b.x, sums[i].x);                                                                       \
    sums[i].y = mad(value, b.y, sums[i].y);                                                                       \
    sums[i].z = mad(value, b.z, sums[i].z);                                                                       \
    sums[i].w = mad(value, b.w, sums[i].w);

/* Quad (block, g) of row k of a slice, whose blocks have `grid` quads. `at`: place of the slice and of quad g of its first
 * row, exchanged as in row k; blocks of 8 quads or more keep their quads. */
#define QUAD(slice, at, k, quads, block, grid, g, along_k)                                                               \
    (!(along_k) || (grid) % 8 == 0 ? (at)[(k) * (quads) + (block) * (grid)]                                       \
                                   : (slice)[(k) * (quads) + (((block) * (grid) + (g)) ^ EXCHANGE(k))])

/* sums[(r * COLUMNS + c) * 4 + i]: row i of quad (r, c). */
static void multiply_slice(quad *sums, local const quad *a_slice, uint gm, uint gn)
{
    local const quad *b_slice = a_slice + BK * A_QUADS;
    uint four, i, r, c;
#pragma unroll
    for (four = 0; four < BK; four += 4) {
        local const quad *a_at = a_slice + (TRANS_A ? gm : gm ^ EXCHANGE(four));
        local const quad *b_at = b_slice + (TRANS_B ? gn ^ EXCHANGE(four) : gn);
#pragma unroll
        for (i = 0; i < 4; i++) {
            const uint k = four + i;
            quad a[ROWS], b[COLUMNS];
#pragma unroll
            for (r = 0; r < ROWS; r++)
                a[r] = QUAD(a_slice, a_at, k, A_QUADS, r, GM, gm, !TRANS_A);
#pragma unroll
            for (c = 0; c < COLUMNS; c++)
                b[c] = QUAD(b_slice, b_at, k, B_QUADS, c, GN, gn, TRANS_B);
#pragma unroll
            for (r = 0; r < ROWS; r++) {
#pragma unroll
                for (c = 0; c < COLUMNS; c++) {
                    const uint at = (r * COLUMNS + c) * 4;
                    MULTIPLY_ROW(at, a[r].x, b[c])
                    MULTIPLY_ROW(at + 1, a[r].y, b[c])
                    MULTIPLY_ROW(at + 2, a[r].z, b[c])
                    MULTIPLY_ROW(at + 3, a[r].w, b[c])
                }
            }
        }
    }
}

static void store_row(__global real *matrix, ulong row, uint column, uint columns, quad q)
{
    __global real *to = matrix + row + column;
#if ALIGNED
    if (column < columns)
        *(__global quad *)to = q; /* the padding of the row too */
#else
    if (column < columns)
        to[0] = q.x;
    if (column + 1 < columns)
        to[1] = q.y;
    if (column + 2 < columns)
        to[2] = q.z;
    if (column + 3 < columns)
        to[3] = q.w;
#endif
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_tiles(__global const real *a, __global const real *b, __global real *c, struct gemm_shape shape)
{
    __local quad slices[ROOM / (4 * WORDS)];
    const uint lid = (uint)get_local_id(0), tiles_m = (shape.m + BM - 1) / BM, tiles_n = (shape.n + BN - 1) / BN;
    const uint tile = (uint)get_group_id(0) % (tiles_m * tiles_n), part = (uint)get_group_id(0) / (tiles_m * tiles_n);
    const uint band = tile / (BAND * tiles_n), in_band = tile % (BAND * tiles_n);
    const uint height = min((uint)BAND, tiles_m - band * BAND);
    const uint row = (band * BAND + in_band % height) * BM, column = in_band / height * BN;
    /* 32 neighbours are 4 x 8 of the grid: the fewest quads of local memory for their products. */
#if GN >= 8
    const uint gn = lid % 8 + lid / 32 % (GN / 8) * 8, gm = lid / 8 % 4 + lid / (4 * GN) * 4;
#else
    const uint gn = lid % GN, gm = lid / GN;
#endif
    const uint left_m = shape.m - row, left_n = shape.n - column; /* rows and columns from the tile's first on */
    quad sums[ROWS * COLUMNS * 4], a_quads[A_LOADS], b_quads[B_LOADS];
    uint a_places[A_LOADS], b_places[B_LOADS], k, i, r, q, stage = 0;
    const ulong first = (ulong)part * shape.part;
    const uint end = min(shape.k - (uint)first, shape.part); /* terms of the part */
    __global const real *a_from =
        a + shape.a + (TRANS_A ? first * shape.a_pitch + row : (ulong)row * shape.a_pitch + first);
    __global const real *b_from =
        b + shape.b + (TRANS_B ? (ulong)column * shape.b_pitch + first : first * shape.b_pitch + column);
    const ulong a_step = TRANS_A ? (ulong)shape.a_pitch * BK : BK, b_step = TRANS_B ? BK : (ulong)shape.b_pitch * BK;
#pragma unroll
    for (i = 0; i < ROWS * COLUMNS * 4; i++)
        sums[i].x = sums[i].y = sums[i].z = sums[i].w = R(0.0);
    find_loads(a_places, shape.a_pitch, left_m, lid, !TRANS_A, A_QUADS, A_LOADS);
    find_loads(b_places, shape.b_pitch, left_n, lid, TRANS_B, B_QUADS, B_LOADS);
    if (end >= BK) {
        fetch_slice(a_quads, a_from, a_places, left_m, lid, !TRANS_A, A_QUADS, A_LOADS);
        fetch_slice(b_quads, b_from, b_places, left_n, lid, TRANS_B, B_QUADS, B_LOADS);
    } else {
        fetch_rest(a_quads, a_from, a_places, left_m, end, lid, !TRANS_A, A_QUADS, A_LOADS);
        fetch_rest(b_quads, b_from, b_places, left_n, end, lid, TRANS_B, B_QUADS, B_LOADS);
    }
    for (k = BK;; k += BK) {
        local quad *slice = slices + stage * SLICE;
        store_slice(slice, a_quads, lid, !TRANS_A, A_QUADS, A_LOADS);
        store_slice(slice + BK * A_QUADS, b_quads, lid, TRANS_B, B_QUADS, B_LOADS);
        barrier(CLK_LOCAL_MEM_FENCE);
        a_from += a_step;
        b_from += b_step;
        if (k + BK <= end) {
            fetch_slice(a_quads, a_from, a_places, left_m, lid, !TRANS_A, A_QUADS, A_LOADS);
            fetch_slice(b_quads, b_from, b_places, left_n, lid, TRANS_B, B_QUADS, B_LOADS);
        } else if (k < end) {
            fetch_rest(a_quads, a_from, a_places, left_m, end - k, lid, !TRANS_A, A_QUADS, A_LOADS);
            fetch_rest(b_quads, b_from, b_places, left_n, end - k, lid, TRANS_B, B_QUADS, B_LOADS);
        }
        multiply_slice(sums, slice, gm, gn);
#if STAGES == 2
        stage ^= 1;
#else
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (k >= end)
            break;
    }
#pragma unroll
    for (r = 0; r < ROWS; r++) {
#pragma unroll
        for (q = 0; q < COLUMNS; q++) {
#pragma unroll
            for (i = 0; i < 4; i++) {
                const uint m = row + (r * GM + gm) * 4 + i;
                if (m < shape.m)
                    store_row(c, shape.c + part * shape.plane + (ulong)m * shape.c_pitch, column + (q * GN + gn) * 4,
                              shape.n, sums[(r * COLUMNS + q) * 4 + i]);
            }
        }
    }
}

/* Adds the parts in their order, each row of C by neighbouring work-items. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gemm_sum(__global const real *parts, __global real *c, struct gemm_shape shape)
{
    const ulong index = get_global_id(0);
    const uint row = (uint)(index / shape.n), column = (uint)(index % shape.n);
    uint part;
    if (row < shape.m) {
        real sum = R(0.0);
        for (part = 0; part < shape.parts; part++)
            sum += parts[part * shape.plane + (ulong)row * shape.part_pitch + column];
        c[shape.c + (ulong)row * shape.c_pitch + column] = sum;
    }
}
