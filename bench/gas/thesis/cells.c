#include "bench/gas/thesis/cells.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Zones ------------------------------------------------------------------------------------------------ */

static int apart2(const struct thesis_gas_cells *c, uint32_t a, uint32_t b)
{
    const int dx = (int)(a % c->columns) - (int)(b % c->columns),
              dy = (int)(a / c->columns) - (int)(b / c->columns);
    return dx * dx + dy * dy;
}

/* Makes lists of the cells whose squared distance is at least `from` and less than `to`; all lists are as
 * long as the longest. */
static uint32_t *make_lists(const struct thesis_gas_cells *c, int from, int to, uint32_t *length)
{
    uint32_t *list = NULL;
    for (int fill = 0; fill < 2; fill++) {
        uint32_t longest = 0;
        for (uint32_t a = 0; a < c->cells; a++) {
            uint32_t count = 0;
            for (uint32_t b = 0; b < c->cells; b++) {
                const int d = apart2(c, a, b);
                if (d < from || d >= to)
                    continue;
                if (fill)
                    list[(size_t)a * *length + count] = b;
                count++;
            }
            longest = count > longest ? count : longest;
            while (fill && count < *length)
                list[(size_t)a * *length + count++] = c->cells;
        }
        if (fill)
            break;
        *length = longest + 1;
        list = malloc((size_t)c->cells * *length * sizeof *list);
        if (!list)
            break;
    }
    return list;
}

bool thesis_gas_cells_create(struct thesis_gas_cells *c, enum thesis_gas_zones zones, size_t n,
                             size_t threads, uint32_t columns, bool one_near, bool real)
{
    *c = (struct thesis_gas_cells){.zones = zones,
                                   .columns = columns,
                                   .cells = columns * columns,
                                   .near2 = one_near ? 1 : 4,
                                   .middle2 = 100};
    if (!thesis_gas_create(&c->gas, n, threads, 1))
        return false;
    if (real) {
        c->repulsion = 2000;
        c->short_attraction = 100;
        c->cutoff2 = 100;
    }
    c->side = c->gas.width / (float)columns;
    c->cell = calloc(n, sizeof *c->cell);
    c->counts = calloc(threads * c->cells, sizeof *c->counts);
    c->offsets = calloc((size_t)c->cells + 2, sizeof *c->offsets);
    c->sorted = malloc(4 * c->gas.padded * sizeof *c->sorted);
    c->far_x = calloc(c->cells, sizeof *c->far_x);
    c->far_y = calloc(c->cells, sizeof *c->far_y);
    if (zones == THESIS_GAS_TILED3) {
        c->near = make_lists(c, 0, c->near2, &c->near_length);
        c->middle = make_lists(c, c->near2, c->middle2, &c->middle_length);
    }
    if (c->cell && c->counts && c->offsets && c->sorted && c->far_x && c->far_y &&
        (zones != THESIS_GAS_TILED3 || (c->near && c->middle)))
        return true;
    thesis_gas_cells_destroy(c);
    return false;
}

void thesis_gas_cells_destroy(struct thesis_gas_cells *c)
{
    thesis_gas_destroy(&c->gas);
    free(c->cell);
    free(c->counts);
    free(c->offsets);
    free(c->near);
    free(c->middle);
    free(c->sorted);
    free(c->far_x);
    free(c->far_y);
    *c = (struct thesis_gas_cells){.zones = THESIS_GAS_FULL};
}

/* Sort ------------------------------------------------------------------------------------------------- */

static uint32_t along(const struct thesis_gas_cells *c, float x)
{
    const float cell = floorf(x / c->side);
    return cell < 0 ? 0 : cell >= (float)c->columns ? c->columns - 1 : (uint32_t)cell;
}

/* Returns the first particle of a thread's share; the share of the next thread begins where it ends. */
static size_t share(const struct thesis_gas *gas, size_t thread)
{
    return gas->n * thread / gas->threads;
}

/* Turns each thread's counts into the places where its particles of a cell begin. */
static void place_counts(struct thesis_gas_cells *c)
{
    uint32_t total = 0;
    for (uint32_t q = 0; q < c->cells; q++) {
        c->offsets[q] = total;
        for (size_t t = 0; t < c->gas.threads; t++) {
            const uint32_t count = c->counts[t * c->cells + q];
            c->counts[t * c->cells + q] = total;
            total += count;
        }
    }
    c->offsets[c->cells] = c->offsets[c->cells + 1] = total;
}

static void sort(struct thesis_gas_cells *c)
{
    struct thesis_gas *gas = &c->gas;
    float *const arrays[] = {gas->x, gas->y, gas->vx, gas->vy};
    memset(c->counts, 0, gas->threads * c->cells * sizeof *c->counts);
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t t = 0; t < gas->threads; t++)
        for (size_t i = share(gas, t); i < share(gas, t + 1); i++) {
            c->cell[i] = along(c, gas->y[i]) * c->columns + along(c, gas->x[i]);
            c->counts[t * c->cells + c->cell[i]]++;
        }
    place_counts(c);
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t t = 0; t < gas->threads; t++)
        for (size_t i = share(gas, t); i < share(gas, t + 1); i++) {
            const size_t to = c->counts[t * c->cells + c->cell[i]]++;
            for (size_t a = 0; a < 4; a++)
                c->sorted[a * gas->padded + to] = arrays[a][i];
        }
    for (size_t a = 0; a < 4; a++)
        memcpy(arrays[a], c->sorted + a * gas->padded, gas->n * sizeof(float));
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (uint32_t q = 0; q < c->cells; q++)
        for (uint32_t i = c->offsets[q]; i < c->offsets[q + 1]; i++)
            c->cell[i] = q;
}

/* Forces ----------------------------------------------------------------------------------------------- */

struct sum {
    float x, y;
};

/* PP: the effect of particles first .. last - 1 on particle i. */
static inline struct sum particles(const struct thesis_gas_cells *c, size_t i, size_t first, size_t last,
                                   struct sum sum)
{
    const float *x = c->gas.x, *y = c->gas.y, xi = x[i], yi = y[i], a = -c->gas.attraction;
    for (size_t j = first; j < last; j++) {
        const float dx = xi - x[j], dy = yi - y[j], s = dx * dx + dy * dy + c->gas.softening2;
        float w = a / s;
        if (s < c->cutoff2)
            w += (c->repulsion / s - c->short_attraction) / s;
        sum.x += dx * w;
        sum.y += dy * w;
    }
    return sum;
}

/* TP: the effect of cell q on particle i, with the cell as one point at its centre. */
static inline struct sum point(const struct thesis_gas_cells *c, size_t i, uint32_t q, struct sum sum)
{
    const float dx = c->gas.x[i] - ((float)(q % c->columns) + 0.5f) * c->side;
    const float dy = c->gas.y[i] - ((float)(q / c->columns) + 0.5f) * c->side;
    const float count = (float)(c->offsets[q + 1] - c->offsets[q]);
    const float w = -c->gas.attraction * count / (dx * dx + dy * dy + c->gas.softening2);
    sum.x += dx * w;
    sum.y += dy * w;
    return sum;
}

/* TT: the effect of all cells beyond R2 on cell a. */
static void far_zone(struct thesis_gas_cells *c)
{
#pragma omp parallel for num_threads((int)c->gas.threads) schedule(static)
    for (uint32_t a = 0; a < c->cells; a++) {
        float fx = 0, fy = 0;
        for (uint32_t q = 0; q < c->cells; q++) {
            const float dx = (float)(a % c->columns) - (float)(q % c->columns);
            const float dy = (float)(a / c->columns) - (float)(q / c->columns), d = dx * dx + dy * dy;
            if (d >= (float)c->middle2) {
                const float w = (float)(c->offsets[q + 1] - c->offsets[q]) / d;
                fx += w * dx;
                fy += w * dy;
            }
        }
        c->far_x[a] = -c->gas.attraction * fx / c->side;
        c->far_y[a] = -c->gas.attraction * fy / c->side;
    }
}

/* Tiled1 and Tiled2, which look at every cell. */
static struct sum tested(const struct thesis_gas_cells *c, size_t i)
{
    const uint32_t own = c->cell[i];
    struct sum sum = {0, 0};
    for (uint32_t q = 0; q < c->cells; q++) {
        const int d = apart2(c, own, q);
        if (d < c->near2)
            sum = particles(c, i, c->offsets[q], c->offsets[q + 1], sum);
        else if (c->zones == THESIS_GAS_TILED1 || d < c->middle2)
            sum = point(c, i, q, sum);
    }
    return sum;
}

static struct sum listed(const struct thesis_gas_cells *c, size_t i)
{
    const uint32_t *near = c->near + (size_t)c->cell[i] * c->near_length;
    const uint32_t *middle = c->middle + (size_t)c->cell[i] * c->middle_length;
    struct sum sum = {0, 0};
    for (; *near != c->cells; near++)
        sum = particles(c, i, c->offsets[*near], c->offsets[*near + 1], sum);
    for (; *middle != c->cells; middle++)
        sum = point(c, i, *middle, sum);
    return sum;
}

void thesis_gas_cells_accelerate(struct thesis_gas_cells *c)
{
    struct thesis_gas *gas = &c->gas;
    const bool full = c->zones == THESIS_GAS_FULL,
               far = c->zones == THESIS_GAS_TILED2 || c->zones == THESIS_GAS_TILED3;
    if (!full)
        sort(c);
    if (far)
        far_zone(c);
#pragma omp parallel for num_threads((int)gas->threads) schedule(dynamic, 64)
    for (size_t i = 0; i < gas->n; i++) {
        const struct sum none = {0, 0};
        struct sum sum = full                            ? particles(c, i, 0, gas->n, none)
                         : c->zones == THESIS_GAS_TILED3 ? listed(c, i)
                                                         : tested(c, i);
        if (far) {
            sum.x += c->far_x[c->cell[i]];
            sum.y += c->far_y[c->cell[i]];
        }
        gas->vx[i] += sum.x * gas->dt;
        gas->vy[i] += sum.y * gas->dt;
    }
}

void thesis_gas_cells_direct(const struct thesis_gas_cells *c, size_t i, double *ax, double *ay)
{
    const struct thesis_gas *gas = &c->gas;
    *ax = *ay = 0;
    for (size_t j = 0; j < gas->n; j++) {
        const double dx = (double)gas->x[i] - (double)gas->x[j], dy = (double)gas->y[i] - (double)gas->y[j];
        const double s = dx * dx + dy * dy + (double)gas->softening2;
        double w = -(double)gas->attraction / s;
        if (s < (double)c->cutoff2)
            w += ((double)c->repulsion / s - (double)c->short_attraction) / s;
        *ax += dx * w;
        *ay += dy * w;
    }
}
