/* The ladder of the thesis (its chapter on the CPU): its variants, most of them correct on any number of
 * threads. This file is built several times, see meson.build: THESIS_GAS_BUILD names the result,
 * THESIS_COMPILER its compiler and flags. Loops are written as the thesis writes them; what machine code they
 * become is left to the compiler, as in the thesis.
 *
 * I: a particle gathers the effects of all others on itself. J: it scatters its own effect to all others. IJ:
 * it does both, and each pair is computed once. "wide": each thread scatters to its own copy of the
 * velocities, and the copies are added up afterwards.
 */
#include "bench/gas/thesis/cpu.h"

#include "thesis_build.h"

#include <omp.h>

/* The row of a thread in `copies` or `factors`: x, then y. */
static inline float *row_of(float *rows, const struct thesis_gas *gas)
{
    return rows + 2 * gas->padded * (size_t)omp_get_thread_num();
}

/* ArrayAdder: adds the copies of all threads to the velocities and sets the copies to zero. */
static void add_copies(struct thesis_gas *gas)
{
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t i = 0; i < gas->n; i++)
        for (size_t t = 0; t < gas->threads; t++) {
            float *x = gas->copies + 2 * gas->padded * t, *y = x + gas->padded;
            gas->vx[i] += x[i];
            gas->vy[i] += y[i];
            x[i] = y[i] = 0;
        }
}

/* Gathers, with the sums in scalars. */
static inline void gather(struct thesis_gas *gas, size_t i)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], a = -gas->attraction, softening2 = gas->softening2;
    const size_t n = gas->n, stride = gas->stride;
    float sx = 0, sy = 0;
    for (size_t j = 0; j < n; j += stride) {
        const float dx = xi - x[j], dy = yi - y[j];
        const float w = a / (dx * dx + dy * dy + softening2);
        sx += dx * w;
        sy += dy * w;
    }
    gas->vx[i] += sx * gas->dt;
    gas->vy[i] += sy * gas->dt;
}

static void basic(struct thesis_gas *gas)
{
    for (size_t i = 0; i < gas->n; i++)
        gather(gas, i);
}

static void mti(struct thesis_gas *gas)
{
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t i = 0; i < gas->n; i++)
        gather(gas, i);
}

/* The body of MTI with sums in an array over j and positions read from memory: the thesis tried it between
 * MTI and MTJ. The order of the sums is that of J. */
static void mti_array(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas), *vy = vx + gas->padded;
        const float k = gas->attraction * gas->dt, softening2 = gas->softening2;
        const float *x = gas->x, *y = gas->y;
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++)
            for (size_t j = 0; j < gas->n; j++) {
                const float dx = x[i] - x[j], dy = y[i] - y[j];
                const float w = k / (dx * dx + dy * dy + softening2);
                vx[j] += dx * w;
                vy[j] += dy * w;
            }
    }
    add_copies(gas);
}

/* Scatters, with the position of i in scalars: adds the effect of i to every velocity. */
static inline void scatter(const struct thesis_gas *gas, size_t i, float *restrict vx, float *restrict vy)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    const size_t n = gas->n;
    for (size_t j = 0; j < n; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        const float w = k / (dx * dx + dy * dy + softening2);
        vx[j] += dx * w;
        vy[j] += dy * w;
    }
}

/* Does the same for every stride-th j. This is a separate loop, so that the one above keeps its unit
 * stride. */
static inline void scatter_strided(const struct thesis_gas *gas, size_t i, float *restrict vx,
                                   float *restrict vy)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    const size_t n = gas->n, stride = gas->stride;
    for (size_t j = 0; j < n; j += stride) {
        const float dx = xi - x[j], dy = yi - y[j];
        const float w = k / (dx * dx + dy * dy + softening2);
        vx[j] += dx * w;
        vy[j] += dy * w;
    }
}

/* MTJ itself, which is correct only on one thread: all threads write all velocities. */
static void mtj(struct thesis_gas *gas)
{
    for (size_t i = 0; i < gas->n; i++)
        if (gas->stride == 1)
            scatter(gas, i, gas->vx, gas->vy);
        else
            scatter_strided(gas, i, gas->vx, gas->vy);
}

static void mtj_wide(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas);
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++)
            scatter(gas, i, vx, vx + gas->padded);
    }
    add_copies(gas);
}

/* Computes each pair once: sums up the effects on i in scalars, and the effects of i on the others in an
 * array. */
static inline void both(struct thesis_gas *gas, size_t i, float *restrict wide_x, float *restrict wide_y)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    const size_t n = gas->n;
    float sx = 0, sy = 0;
    for (size_t j = i + 1; j < n; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        const float w = k / (dx * dx + dy * dy + softening2);
        const float px = dx * w, py = dy * w;
        sx -= px;
        sy -= py;
        wide_x[j] += px;
        wide_y[j] += py;
    }
    wide_x[i] += sx;
    wide_y[i] += sy;
}

/* The rows of the triangle of pairs get shorter: threads take a few rows at a time. */
static void mtij_wide(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas);
#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < gas->n; i++)
            both(gas, i, vx, vx + gas->padded);
    }
    add_copies(gas);
}

static void mtij(struct thesis_gas *gas)
{
    for (size_t i = 0; i < gas->n; i++)
        both(gas, i, gas->vx, gas->vy);
}

/* Fission: there is one loop for x and one for y; everything else is computed twice. */
static inline void scatter_fission(const struct thesis_gas *gas, size_t i, float *restrict vx,
                                   float *restrict vy)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    const size_t n = gas->n;
    for (size_t j = 0; j < n; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        vx[j] += dx * (k / (dx * dx + dy * dy + softening2));
    }
    for (size_t j = 0; j < n; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        vy[j] += dy * (k / (dx * dx + dy * dy + softening2));
    }
}

static void mtj_wide_fission(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas);
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++)
            scatter_fission(gas, i, vx, vx + gas->padded);
    }
    add_copies(gas);
}

/* Mem: stores the factor A dt / s of every j, from `first` on, in an array. */
static inline void store_factors(const struct thesis_gas *gas, size_t i, size_t first, float *restrict w)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    const size_t n = gas->n;
    for (size_t j = first; j < n; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        w[j] = k / (dx * dx + dy * dy + softening2);
    }
}

/* Does v[j] += (r_i - r[j]) w[j] along one axis. */
static inline void scatter_factors(const float *restrict r, float ri, const float *restrict w, size_t first,
                                   size_t n, float *restrict v)
{
    for (size_t j = first; j < n; j++)
        v[j] += (ri - r[j]) * w[j];
}

/* Returns the sum of these products: the reaction on i. */
static inline float gather_factors(const float *restrict r, float ri, const float *restrict w, size_t first,
                                   size_t n)
{
    float sum = 0;
    for (size_t j = first; j < n; j++)
        sum += (ri - r[j]) * w[j];
    return sum;
}

static void mtj_wide_fission_mem(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas), *vy = vx + gas->padded, *w = row_of(gas->factors, gas);
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++) {
            store_factors(gas, i, 0, w);
            scatter_factors(gas->x, gas->x[i], w, 0, gas->n, vx);
            scatter_factors(gas->y, gas->y[i], w, 0, gas->n, vy);
        }
    }
    add_copies(gas);
}

static void mtij_wide_fission_mem(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas), *vy = vx + gas->padded, *w = row_of(gas->factors, gas);
#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < gas->n; i++) {
            store_factors(gas, i, i + 1, w);
            scatter_factors(gas->x, gas->x[i], w, i + 1, gas->n, vx);
            scatter_factors(gas->y, gas->y[i], w, i + 1, gas->n, vy);
            vx[i] -= gather_factors(gas->x, gas->x[i], w, i + 1, gas->n);
            vy[i] -= gather_factors(gas->y, gas->y[i], w, i + 1, gas->n);
        }
    }
    add_copies(gas);
}

/* Stores the products w dx and w dy of every j from `first` to `end` in two arrays. */
static inline void store_products(const struct thesis_gas *gas, size_t i, size_t first, size_t end,
                                  float *restrict wx, float *restrict wy)
{
    const float *restrict x = gas->x, *restrict y = gas->y;
    const float xi = x[i], yi = y[i], k = gas->attraction * gas->dt, softening2 = gas->softening2;
    for (size_t j = first; j < end; j++) {
        const float dx = xi - x[j], dy = yi - y[j];
        const float w = k / (dx * dx + dy * dy + softening2);
        wx[j] = w * dx;
        wy[j] = w * dy;
    }
}

static inline void hand_out(const float *restrict wx, const float *restrict wy, size_t i, size_t n,
                            float *restrict vx, float *restrict vy)
{
    float sx = 0, sy = 0;
    for (size_t j = i + 1; j < n; j++) {
        vx[j] += wx[j];
        vy[j] += wy[j];
        sx -= wx[j];
        sy -= wy[j];
    }
    vx[i] += sx;
    vy[i] += sy;
}

static void mtij_wide_fission_fusion_mem(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *vx = row_of(gas->copies, gas), *wx = row_of(gas->factors, gas);
#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < gas->n; i++) {
            store_products(gas, i, i + 1, gas->n, wx, wx + gas->padded);
            hand_out(wx, wx + gas->padded, i, gas->n, vx, vx + gas->padded);
        }
    }
    add_copies(gas);
}

static void mti_fission_mem(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *w = row_of(gas->factors, gas);
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++) {
            store_factors(gas, i, 0, w);
            gas->vx[i] -= gather_factors(gas->x, gas->x[i], w, 0, gas->n);
            gas->vy[i] -= gather_factors(gas->y, gas->y[i], w, 0, gas->n);
        }
    }
}

/* Fusion: both sums are made in one loop. */
static void mti_fission_fusion_mem(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *wx = row_of(gas->factors, gas), *wy = wx + gas->padded;
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++) {
            float sx = 0, sy = 0;
            store_products(gas, i, 0, gas->n, wx, wy);
            for (size_t j = 0; j < gas->n; j++) {
                sx += wx[j];
                sy += wy[j];
            }
            gas->vx[i] -= sx;
            gas->vy[i] -= sy;
        }
    }
}

/* Gathers with two sums for each axis. */
static inline void gather_twice(const float *restrict wx, const float *restrict wy, size_t first, size_t end,
                                float *sum_x, float *sum_y)
{
    float sx = 0, sy = 0, sx2 = 0, sy2 = 0;
    size_t j = first;
    for (; j + 2 <= end; j += 2) {
        sx += wx[j];
        sy += wy[j];
        sx2 += wx[j + 1];
        sy2 += wy[j + 1];
    }
    if (j < end) {
        sx += wx[j];
        sy += wy[j];
    }
    *sum_x += sx + sx2;
    *sum_y += sy + sy2;
}

static void mti_fission_fusion_mem_unroll(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *wx = row_of(gas->factors, gas), *wy = wx + gas->padded;
#pragma omp for schedule(static)
        for (size_t i = 0; i < gas->n; i++) {
            float sx = 0, sy = 0;
            store_products(gas, i, 0, gas->n, wx, wy);
            gather_twice(wx, wy, 0, gas->n, &sx, &sy);
            gas->vx[i] -= sx;
            gas->vy[i] -= sy;
        }
    }
}

/* Blocked: a loop instance handles a block of targets; every block of sources serves all of these targets
 * while it is in the cache. */
enum { BLOCK = 512 };

static void block_of_targets(struct thesis_gas *gas, size_t first, float *wx, float *wy)
{
    float sx[BLOCK] = {0}, sy[BLOCK] = {0};
    const size_t n = gas->n, end = first + BLOCK < n ? first + BLOCK : n;
    for (size_t from = 0; from < n; from += BLOCK) {
        const size_t to = from + BLOCK < n ? from + BLOCK : n;
        for (size_t i = first; i < end; i++) {
            store_products(gas, i, from, to, wx, wy);
            gather_twice(wx, wy, from, to, &sx[i - first], &sy[i - first]);
        }
    }
    for (size_t i = first; i < end; i++) {
        gas->vx[i] -= sx[i - first];
        gas->vy[i] -= sy[i - first];
    }
}

static void mti_blocked(struct thesis_gas *gas)
{
#pragma omp parallel num_threads((int)gas->threads)
    {
        float *wx = row_of(gas->factors, gas);
#pragma omp for schedule(dynamic)
        for (size_t first = 0; first < gas->n; first += BLOCK)
            block_of_targets(gas, first, wx, wx + gas->padded);
    }
}

/* Shows false sharing without a race: a thread's own sums over j are `slots` numbers apart. With `together`,
 * the sums of the other threads lie between them, so that each cache line is written by several threads.
 * Otherwise the same loop runs with each thread in cache lines of its own. */
static void sum_spread(struct thesis_gas *gas, bool together)
{
    const size_t n = gas->n, slots = gas->slots, rows = 2 * gas->padded * slots;
#pragma omp parallel num_threads((int)gas->threads)
    {
        const size_t thread = (size_t)omp_get_thread_num();
        float *vx = gas->copies + (together ? thread / slots * rows + thread % slots : thread * rows);
        float *vy = vx + gas->padded * slots;
        const float *x = gas->x, *y = gas->y;
        const float k = gas->attraction * gas->dt, softening2 = gas->softening2;
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            const float xi = x[i], yi = y[i];
            for (size_t j = 0; j < n; j++) {
                const float dx = xi - x[j], dy = yi - y[j];
                const float w = k / (dx * dx + dy * dy + softening2);
                vx[j * slots] += dx * w;
                vy[j * slots] += dy * w;
            }
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < gas->threads; t++) {
                float *tx = gas->copies + (together ? t / slots * rows + t % slots : t * rows) + i * slots;
                gas->vx[i] += tx[0];
                gas->vy[i] += tx[gas->padded * slots];
                tx[0] = tx[gas->padded * slots] = 0;
            }
    }
}

static void lines_shared(struct thesis_gas *gas)
{
    sum_spread(gas, true);
}

static void lines_apart(struct thesis_gas *gas)
{
    sum_spread(gas, false);
}

void THESIS_GAS_VECTORS(struct thesis_gas *gas);

static const struct thesis_gas_variant variants[] = {
    {"basic", "BasicNbody, sequential: sums in scalars", 11, false, true, 8, basic, 1188, 0, 0},
    {"mti", "MTI: the same, targets over threads", 11, false, false, 8, mti, 1188, 307, 624},
    {"mti-array", "the body of MTI with sums in an array over j", 11, false, false, 32, mti_array, 1437, 0,
     0},
    {"mtj", "MTJ on one thread: sums in the velocities of the others", 11, false, true, 24, mtj, 840, 316,
     376},
    {"mtij", "MTIJ on one thread: each pair once", 13, true, true, 24, mtij, 789, 267, 0},
    {"mtj-wide", "MTJ with private copies of the velocities", 11, false, false, 24, mtj_wide, 861, 227, 0},
    {"mtij-wide", "MTIJ with private copies", 13, true, false, 24, mtij_wide, 0, 0, 0},
    {"mtj-wide-fission", "a loop for x and one for y", 18, false, false, 32, mtj_wide_fission, 0, 202, 72},
    {"mtj-wide-fission-mem", "factors stored", 13, false, false, 44, mtj_wide_fission_mem, 0, 172, 0},
    {"mtij-wide-fission-mem", "factors stored, each pair once", 13, true, false, 60, mtij_wide_fission_mem, 0,
     176, 0},
    {"mti-fission-mem", "gather, factors stored", 13, false, false, 28, mti_fission_mem, 0, 260, 0},
    {"mti-fission-fusion-mem", "gather, products stored, one loop", 13, false, false, 24,
     mti_fission_fusion_mem, 0, 200, 0},
    {"mti-fission-fusion-mem-u2", "the same unrolled by 2", 13, false, false, 24,
     mti_fission_fusion_mem_unroll, 0, 162, 0},
    {"mtij-wide-fission-fusion-mem", "each pair once, products stored: the best of the thesis on its Phenom",
     13, true, false, 40, mtij_wide_fission_fusion_mem, 0, 108, 0},
    {"mti-blocked", "gather, products stored, unrolled by 2, in blocks of 512", 13, false, false, 24,
     mti_blocked, 0, 0, 0},
    {"vectors", "ours: four vectors of targets in registers", 11, false, false, 8, THESIS_GAS_VECTORS, 0, 108,
     72},
    {"lines-shared", "false sharing: sums of all threads in the same lines", 11, false, false, 24,
     lines_shared, 0, 0, 0},
    {"lines-apart", "the same loop, each thread in lines of its own", 11, false, false, 24, lines_apart, 0, 0,
     0},
};

extern const struct thesis_gas_build THESIS_GAS_BUILD;
const struct thesis_gas_build THESIS_GAS_BUILD = {THESIS_GAS_NAME, THESIS_COMPILER, variants,
                                                  sizeof variants / sizeof *variants};
