/* Native version of objective/eval_rows.cl.
 *
 * For any residual: the algorithm of eval_rows.cl, with rows copied to local memory asynchronously (compute capability
 * 8.0 on), without passing through registers.
 *
 * For LINEAR least squares in fp64: tensor cores compute the residuals of 16 rows and 8 points at a time. The
 * accumulators begin as b, the left matrix has the numbers a of the rows, the right matrix minus the coordinates; both
 * are padded to a multiple of four columns or rows. The other units sum the squares. A warp has POINTS * min(LANES, 32)
 * points; warps of a group that have the same points divide the rows among themselves.
 *
 * Wall time of an evaluation in a pipelined run on an H200 in fp64, with the time of the .cl text under CUDA:
 *     8 columns a, 131072 rows, 64 points     12.1 us, not 13.7 (1.13x)
 *     8 columns a, 65536 rows, 1024 points    36.4 us, not 55.2 (1.52x)
 *     8 columns a, 4096 rows, 131072 points   232 us, not 386 (1.66x)
 */
#include "cuda/prelude.cuh"

#if __CUDA_ARCH__ >= 800
#define COPY_BEGIN(held, to, from) copy_begin(to, from)
#define COPY_END(held, to)
#define COPY_WAIT() asm volatile("cp.async.wait_all;" ::: "memory")

template <class T> static void copy_begin(T *to, const T *from)
{
    static_assert(sizeof(T) == 16, "copies are of 16 bytes");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}
#endif

#include "objective/rows_group.clh"

#define TENSOR (LINEAR && REAL == 64 && WG % 32 == 0 && STAGE > 0 && __CUDA_ARCH__ >= 800)

#if TENSOR

#if SLICE < 32
#define WARP_POINTS (POINTS * SLICE)
#define WARPS_ACROSS 1
#else
#define WARP_POINTS (POINTS * 32)
#define WARPS_ACROSS (SLICE / 32)
#endif
#define WARPS_DOWN (WG / 32 / WARPS_ACROSS)
#define BLOCKS ((WARP_POINTS + 7) / 8)
#define STEPS ((DIM + 3) / 4)

/* Count of doubles from a column of a tile to the next in local memory. It has room for four rows more than a tile, so
 * that the columns that are read in a step begin in different banks. */
#define COLUMN_PITCH (ROW_TILE + 4)
#define PITCH_WIDES (COLUMN_PITCH / VECTOR)
#define PITCHED_WIDES (STAGE * COLUMNS * PITCH_WIDES)
#define SCRATCH_WIDES (WARPS_DOWN * WARPS_ACROSS * BLOCKS * 8 / VECTOR)
#define NATIVE_WIDES (2 * PITCHED_WIDES > SCRATCH_WIDES ? 2 * PITCHED_WIDES : SCRATCH_WIDES)

/* Indices of the work-item in a matrix fragment: groupID (0 .. 7) and threadID_in_group (0 .. 3) of the PTX manual. */
static uint fragment_group() { return threadIdx.x % 32 / 4; }
static uint lane_in_group() { return threadIdx.x % 4; }

/* c += a b, in STEPS steps of four columns of a. c is a 16 x 8 matrix, of which a work-item has the rows group and
 * group + 8, columns 2 lane and 2 lane + 1. */
static INLINE void multiply(double c[4], const double a[STEPS][2], const double b[STEPS])
{
    int k = 0;
#if __CUDA_ARCH__ >= 900
#pragma unroll
    for (; k + 1 < STEPS; k += 2)
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
            : "d"(a[k][0]), "d"(a[k][1]), "d"(a[k + 1][0]), "d"(a[k + 1][1]), "d"(b[k]), "d"(b[k + 1]));
    if (STEPS % 2)
        asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
            : "d"(a[STEPS - 1][0]), "d"(a[STEPS - 1][1]), "d"(b[STEPS - 1]));
#else
#pragma unroll
    for (; k < STEPS; k++) {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(c[0]), "+d"(c[1])
            : "d"(a[k][0]), "d"(b[k]));
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(c[2]), "+d"(c[3])
            : "d"(a[k][1]), "d"(b[k]));
    }
#endif
}

/* Loads minus the coordinates of the warp's points; with LINEAR 2, minus their squares. */
static INLINE void load_points(double b[BLOCKS][STEPS], const double *x, const double *shift, uint first, uint count,
                               uint tile)
{
#pragma unroll
    for (int block = 0; block < BLOCKS; block++) {
        const uint point = first + min(8u * block + fragment_group(), count - 1u);
        const ulong base = (ulong)(point / tile) * DIM * tile + point % tile;
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const uint d = 4u * k + lane_in_group();
            double value = 0.0;
            if (d < DIM) {
                value = x[base + (ulong)d * tile];
#if SHIFTED
                value -= shift[d];
#endif
            }
            b[block][k] = LINEAR == 2 ? -value * value : -value;
        }
    }
}

/* Adds the warp's part of `tiles` tiles of a stage to the sums. */
static INLINE void add_stage(double sum[BLOCKS][2], const double b[BLOCKS][STEPS], const double *stage, uint tiles)
{
    for (uint t = threadIdx.x / 32 / WARPS_ACROSS; t < tiles; t += WARPS_DOWN) {
        const double *rows = stage + t * (COLUMNS * COLUMN_PITCH) + fragment_group();
        double a[STEPS][2];
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            /* In the padding, elements of the left matrix may have any finite value, since the right matrix is 0
             * there. */
            const uint column = min(4u * k + lane_in_group(), (uint)DIM);
            a[k][0] = rows[column * COLUMN_PITCH];
            a[k][1] = rows[column * COLUMN_PITCH + 8];
        }
        const double low = rows[DIM * COLUMN_PITCH], high = rows[DIM * COLUMN_PITCH + 8];
#pragma unroll
        for (int block = 0; block < BLOCKS; block++) {
            double c[4] = {low, low, high, high};
            multiply(c, a, b[block]);
            sum[block][0] += c[0] * c[0];
            sum[block][1] += c[1] * c[1];
            sum[block][0] += c[2] * c[2];
            sum[block][1] += c[3] * c[3];
        }
    }
}

/* Begins to copy `tiles` tiles to local memory, where their columns are COLUMN_PITCH apart. */
static INLINE void copy_tiles(wide *to, const wide *from, uint tiles)
{
    const uint wides = tiles * COLUMNS * TILE_WIDES;
#pragma unroll
    for (uint k = 0; k < FETCHES; k++) {
        const uint e = k * WG + threadIdx.x;
        if (e < wides)
            copy_begin(to + e / TILE_WIDES * PITCH_WIDES + e % TILE_WIDES, from + e);
    }
}

/* Adds the sums of the warp's lanes, and of the warps with the same points. Writes at most `points` sums. */
static INLINE void write_points(double sum[BLOCKS][2], double *out, uint points, uint accumulate, double *scratch)
{
    const uint warp = threadIdx.x / 32, across = warp % WARPS_ACROSS, down = warp / WARPS_ACROSS;
#pragma unroll
    for (int block = 0; block < BLOCKS; block++)
#pragma unroll
        for (int e = 0; e < 2; e++) {
            double total = sum[block][e];
            for (int distance = 4; distance < 32; distance *= 2)
                total += __shfl_xor_sync(0xffffffffu, total, distance);
            if (fragment_group() == 0)
                scratch[(down * WARPS_ACROSS + across) * (8 * BLOCKS) + 8 * block + 2 * lane_in_group() + e] = total;
        }
    __syncthreads();
    for (uint i = threadIdx.x; i < GROUP_POINTS; i += WG) {
        const double *part = scratch + i / WARP_POINTS * (8 * BLOCKS) + i % WARP_POINTS;
        double total = part[0];
#pragma unroll
        for (uint k = 1; k < WARPS_DOWN; k++)
            total += part[k * WARPS_ACROSS * (8 * BLOCKS)];
        if (i < points)
            out[i] = accumulate ? out[i] + total : total;
    }
}

static INLINE void add_group_by_tensors(const double *x, const double *shift, const double *rows, double *out,
                                        struct rows_launch launch, wide *stage)
{
    const uint count = launch.count, splits = launch.splits;
    const uint split = launch.split_first + blockIdx.x / launch.point_groups;
    /* The last tile is padded with rows of zeros. */
    const uint tiles = (launch.row_count + ROW_TILE - 1) / ROW_TILE;
    const uint begin = (uint)((ulong)tiles * split / splits), end = (uint)((ulong)tiles * (split + 1u) / splits);
    const uint base = blockIdx.x % launch.point_groups * GROUP_POINTS;
    const uint mine = min(base + threadIdx.x / 32 % WARPS_ACROSS * WARP_POINTS, count - 1u);
    const wide *from = (const wide *)rows + (ulong)(begin - launch.tile_first) * (COLUMNS * TILE_WIDES);
    double b[BLOCKS][STEPS], sum[BLOCKS][2];
    uint left = end - begin, now = PITCHED_WIDES, ready = 0;
    load_points(b, x, shift, launch.first + mine, count - mine, launch.tile);
#pragma unroll
    for (int block = 0; block < BLOCKS; block++)
        sum[block][0] = sum[block][1] = 0.0;
    do {
        const uint next = min(left - ready, (uint)STAGE), other = PITCHED_WIDES - now;
        copy_tiles(stage + other, from, next);
        add_stage(sum, b, (const double *)(stage + now), ready);
        COPY_WAIT();
        __syncthreads();
        from += next * COLUMNS * TILE_WIDES;
        left -= ready;
        ready = next;
        now = other;
    } while (left > 0);
    write_points(sum, out + (ulong)split * count + launch.out_first + base, count - base, launch.accumulate,
                 (double *)stage);
}

#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_tiles(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global const real *restrict rows, __global real *restrict out, struct rows_launch launch)
{
#if TENSOR
    __local wide stage[NATIVE_WIDES];
    add_group_by_tensors(x, shift, rows, out, launch, stage);
#else
    __local wide stage[LOCAL_WIDES];
    add_group(x, shift, rows, out, launch, stage);
#endif
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_join(__global const real *restrict partials, __global real *restrict out, uint first, uint total, uint count,
               uint run)
{
    join_splits(partials, out, first, total, count, run);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void rows_sum(__global const real *restrict partials, __global real *restrict y, uint first, uint count, uint blocks,
              uint run, uint lanes)
{
    __local real scratch[WG];
    sum_blocks(partials, y, first, count, blocks, run, lanes, scratch);
}
