/* Computes the QR factor of a tall table in one pass, and solves least-squares problems by the factor. */
#include "objective/rows/factor.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8 };

/* Returns a dot product. Uses several partial sums, since the compiler may not reorder a single sum, and so
 * could not use vector instructions. */
static double dot(const double *a, const double *b, size_t count)
{
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum += a[i] * b[i];
    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* Returns the length of the vector (head, tail[0 .. count - 1]). Squares cannot overflow or underflow. */
static double length(double head, const double *tail, size_t count)
{
    double most = fabs(head), sum = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(tail[i]));
    if (most == 0)
        return 0;
    if (most > 1e-140 && most < 1e140 / (double)(count + 1))
        return sqrt(head * head + dot(tail, tail, count));
    for (size_t i = 0; i < count; i++)
        sum += tail[i] / most * (tail[i] / most);
    return most * sqrt(head / most * (head / most) + sum);
}

/* Computes the Householder reflection H = 1 - tau (1, v)(1, v)' that maps (head, tail) to (returned value,
 * 0). `tail` becomes v. */
static double reflection(double head, double *tail, size_t count, double *tau)
{
    *tau = 0;
    const double norm = length(head, tail, count);
    if (norm == fabs(head))
        return head;
    const double beta = -copysign(norm, head);
    *tau = (beta - head) / beta;
    for (size_t i = 0; i < count; i++)
        tail[i] /= head - beta;
    return beta;
}

/* Applies the reflection of tau and v to (head, tail). */
static void reflect(double tau, const double *v, double *head, double *tail, size_t count)
{
    const double share = tau * (*head + dot(v, tail, count));
    *head -= share;
    for (size_t i = 0; i < count; i++)
        tail[i] -= share * v[i];
}

size_t factor_block_rows(size_t columns)
{
    const size_t rows = 16384 / columns; /* 128 KiB, which fit the second-level cache */
    return rows < 64 ? 64 : rows;
}

void factor_add_rows(double *factor, size_t columns, double *block, size_t count)
{
    for (size_t k = 0; k < columns; k++) {
        double tau, *row = factor + k * columns, *v = block + k * count;
        row[k] = reflection(row[k], v, count, &tau);
        for (size_t j = k + 1; j < columns && tau != 0; j++)
            reflect(tau, v, &row[j], block + j * count, count);
    }
}

enum shoal_status factor_table(const struct objective_table *table, double *factor, struct shoal_error *error)
{
    const size_t columns = table->columns, rows = factor_block_rows(columns);
    enum shoal_status status = SHOAL_OK;
    if (columns > FACTOR_MAX_COLUMNS)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%zu columns are too many for a factor of the table; at most %d", columns,
                    FACTOR_MAX_COLUMNS);
    double *block = malloc(rows * columns * sizeof *block);
    if (!block)
        return fail_host_memory(error);
    memset(factor, 0, columns * columns * sizeof *factor);
    for (size_t first = 0; first < table->rows && !status; first += rows) {
        const size_t left = table->rows - first, count = left < rows ? left : rows;
        status = table_read_tiles(table, first, count, SHOAL_FP64, count, block, error);
        if (!status)
            factor_add_rows(factor, columns, block, count);
    }
    free(block);
    return status;
}

double factor_value(const double *factor, size_t dim, const double *x)
{
    const size_t columns = dim + 1;
    double sum = 0;
    for (size_t k = 0; k < columns; k++) {
        const double *row = factor + k * columns;
        double residual = row[dim];
        for (size_t d = k; d < dim; d++)
            residual -= row[d] * x[d];
        sum += residual * residual;
    }
    return sum;
}

/* A dense least-squares problem, min |A x - b|. `a`, stored column by column, and `b` are overwritten. */
struct dense {
    size_t rows, columns;
    double *a, *b;
    double *scale, *x; /* [columns] each */
    size_t *order;     /* [columns]: original index of column k */
};

static bool dense_allocate(struct dense *dense, size_t rows, size_t columns)
{
    *dense = (struct dense){.rows = rows, .columns = columns};
    dense->a = calloc(rows * columns + 1, sizeof *dense->a);
    dense->b = calloc(rows + 1, sizeof *dense->b);
    dense->scale = calloc(columns + 1, sizeof *dense->scale);
    dense->x = calloc(columns + 1, sizeof *dense->x);
    dense->order = calloc(columns + 1, sizeof *dense->order);
    return dense->a && dense->b && dense->scale && dense->x && dense->order;
}

static void dense_free(struct dense *dense)
{
    free(dense->a);
    free(dense->b);
    free(dense->scale);
    free(dense->x);
    free(dense->order);
}

static void swap(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Solves the problem. Columns are scaled to length 1, so that the rank does not depend on their units. The
 * pivot is always the column with the greatest remaining length. Returns the rank; x is 0 for the columns
 * after the first `rank` pivots. */
static size_t dense_solve(struct dense *dense)
{
    const size_t rows = dense->rows, columns = dense->columns;
    const size_t most = rows < columns ? rows : columns;
    double *a = dense->a;
    size_t rank = 0;
    for (size_t c = 0; c < columns; c++) {
        const double size = length(0, a + c * rows, rows);
        dense->scale[c] = size > 0 ? size : 1;
        dense->order[c] = c;
        for (size_t i = 0; i < rows; i++)
            a[c * rows + i] /= dense->scale[c];
    }
    for (; rank < most; rank++) {
        size_t best = rank;
        double best_left = 0;
        for (size_t c = rank; c < columns; c++) {
            const double left = length(0, a + c * rows + rank, rows - rank);
            if (left > best_left) {
                best = c;
                best_left = left;
            }
        }
        if (best_left <= 1e-12)
            break;
        swap(a + rank * rows, a + best * rows, best == rank ? 0 : rows);
        const size_t column = dense->order[rank];
        dense->order[rank] = dense->order[best];
        dense->order[best] = column;
        double tau, *v = a + rank * rows + rank;
        *v = reflection(*v, v + 1, rows - rank - 1, &tau);
        for (size_t c = rank + 1; c < columns; c++)
            reflect(tau, v + 1, a + c * rows + rank, a + c * rows + rank + 1, rows - rank - 1);
        reflect(tau, v + 1, dense->b + rank, dense->b + rank + 1, rows - rank - 1);
    }
    memset(dense->x, 0, columns * sizeof *dense->x);
    for (size_t k = rank; k-- > 0;) {
        double sum = dense->b[k];
        for (size_t c = k + 1; c < rank; c++)
            sum -= a[c * rows + k] * dense->x[dense->order[c]];
        dense->x[dense->order[k]] = sum / a[k * rows + k];
    }
    for (size_t c = 0; c < columns; c++)
        dense->x[c] /= dense->scale[c];
    return rank;
}

enum shoal_status factor_solve(const double *factor, size_t dim, double *minimiser, double *minimum,
                               size_t *rank, struct shoal_error *error)
{
    const size_t columns = dim + 1;
    struct dense dense;
    if (!dense_allocate(&dense, columns, dim)) {
        dense_free(&dense);
        return fail_host_memory(error);
    }
    for (size_t k = 0; k < columns; k++) {
        for (size_t d = 0; d < dim; d++)
            dense.a[d * columns + k] = factor[k * columns + d];
        dense.b[k] = factor[k * columns + dim];
    }
    *rank = dense_solve(&dense);
    memcpy(minimiser, dense.x, dim * sizeof *minimiser);
    *minimum = dot(dense.b + *rank, dense.b + *rank, columns - *rank);
    dense_free(&dense);
    return SHOAL_OK;
}

enum place { FREE, LOWER, UPPER };

struct bounded {
    const double *factor;
    size_t dim;
    const double *lower, *upper;
    double *x;
    enum place *place;
    struct dense dense;
};

/* Computes the minimum over the free variables, while the other variables are fixed, into dense.x. */
static void solve_free(struct bounded *problem)
{
    const size_t dim = problem->dim, columns = dim + 1;
    struct dense *dense = &problem->dense;
    dense->columns = 0;
    for (size_t k = 0; k < columns; k++)
        dense->b[k] = problem->factor[k * columns + dim];
    for (size_t d = 0; d < dim; d++) {
        double *column = dense->a + dense->columns * columns;
        for (size_t k = 0; k < columns; k++) {
            if (problem->place[d] == FREE)
                column[k] = problem->factor[k * columns + d];
            else
                dense->b[k] -= problem->factor[k * columns + d] * problem->x[d];
        }
        dense->columns += problem->place[d] == FREE;
    }
    dense_solve(dense);
}

/* Moves x towards the minimum over the free variables. If a variable reaches a bound before, it becomes fixed
 * there, and the search continues with the other free variables. */
static void settle(struct bounded *problem)
{
    for (;;) {
        double step = 1;
        size_t blocking = SIZE_MAX, k = 0;
        enum place side = FREE;
        solve_free(problem);
        for (size_t d = 0; d < problem->dim; d++) {
            if (problem->place[d] != FREE)
                continue;
            const double x = problem->x[d], z = problem->dense.x[k++];
            const bool below = z<problem->lower[d], above = z> problem->upper[d];
            const double share = below   ? (problem->lower[d] - x) / (z - x)
                                 : above ? (problem->upper[d] - x) / (z - x)
                                         : 1;
            if (share < step) {
                step = share;
                blocking = d;
                side = below ? LOWER : UPPER;
            }
        }
        k = 0;
        for (size_t d = 0; d < problem->dim; d++)
            if (problem->place[d] == FREE) {
                const double z = problem->dense.x[k++], x = problem->x[d] + step * (z - problem->x[d]);
                problem->x[d] = fmin(fmax(x, problem->lower[d]), problem->upper[d]);
            }
        if (blocking == SIZE_MAX)
            return;
        problem->place[blocking] = side;
        problem->x[blocking] = side == LOWER ? problem->lower[blocking] : problem->upper[blocking];
    }
}

/* Returns the variable at a bound whose release lowers the sum most steeply, except `barred`; SIZE_MAX: no
 * release lowers the sum. */
static size_t leaving(const struct bounded *problem, size_t barred)
{
    const size_t dim = problem->dim, columns = dim + 1;
    double *residual = problem->dense.b, steepest = 0;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < columns; k++) {
        const double *row = problem->factor + k * columns;
        residual[k] = row[dim] - dot(row, problem->x, dim);
    }
    const double size = length(0, residual, columns);
    for (size_t d = 0; d < dim; d++) {
        if (problem->place[d] == FREE || d == barred)
            continue;
        double slope = 0, squares = 0;
        for (size_t k = 0; k < columns; k++) {
            const double a = problem->factor[k * columns + d];
            slope += a * residual[k];
            squares += a * a;
        }
        /* The cosine of the angle between column and residual must be larger than what rounding can make of
         * 0. */
        const double gain = (problem->place[d] == LOWER ? slope : -slope) / (squares > 0 ? sqrt(squares) : 1);
        if (gain > steepest && gain > 1e-13 * size) {
            steepest = gain;
            best = d;
        }
    }
    return best;
}

enum shoal_status factor_solve_bounded(const double *factor, size_t dim, const double *lower,
                                       const double *upper, double *minimiser, double *minimum,
                                       struct shoal_error *error)
{
    struct bounded problem = {.factor = factor, .dim = dim, .lower = lower, .upper = upper, .x = minimiser};
    problem.place = malloc(dim * sizeof *problem.place);
    if (!dense_allocate(&problem.dense, dim + 1, dim) || !problem.place) {
        dense_free(&problem.dense);
        free(problem.place);
        return fail_host_memory(error);
    }
    for (size_t d = 0; d < dim; d++) {
        minimiser[d] = isfinite(lower[d]) ? lower[d] : isfinite(upper[d]) ? upper[d] : 0;
        problem.place[d] = isfinite(lower[d]) ? LOWER : isfinite(upper[d]) ? UPPER : FREE;
    }
    settle(&problem);
    /* Each round lowers the sum, except for rounding, because of which the number of rounds needs a limit. */
    size_t barred = SIZE_MAX;
    for (size_t round = 0; round < 10 * dim + 100; round++) {
        const size_t next = leaving(&problem, barred);
        if (next == SIZE_MAX)
            break;
        const enum place before = problem.place[next];
        problem.place[next] = FREE;
        settle(&problem);
        /* If settle has moved the variable back to its bound, the slope was a rounding error. */
        barred = problem.place[next] == before ? next : SIZE_MAX;
    }
    *minimum = factor_value(factor, dim, minimiser);
    dense_free(&problem.dense);
    free(problem.place);
    return SHOAL_OK;
}
