/* The fast multipole method on the host, in double precision: the reference of the device. */
#include "base/params.h"
#include "base/threads.h"
#include "fmm/points.h"
#include "fmm/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = FMM_MOST_NODES * FMM_MOST_NODES,
    MOST_TERMS = MOST_NODES,
    CHANNELS = 3 /* incoming values: field along x and y, potential */
};

struct sum {
    struct shoal_fmm_params params;
    struct shoal_fmm_points points;
    struct fmm_nodes nodes;
    uint32_t terms; /* of a cell */
    struct fmm_tree tree;
    double *charges;      /* [source_count], in the order of the tree */
    double *moments;      /* [cells][terms] */
    double *node_charges; /* [cells][nodes]: act as the moments */
    double *incoming;     /* [cells][CHANNELS][terms] */
    double *laws;         /* [levels][FMM_OFFSETS][CHANNELS][source term][target term] */
};

/* A cell or points, acting on a place. */
struct place {
    double x, y;
    double value[CHANNELS];
};

/* Adds the action of a charge at `x`, `y`. */
static inline void add_charge(const struct sum *sum, struct place *place, double x, double y, double charge)
{
    const double dx = place->x - x, dy = place->y - y, d = dx * dx + dy * dy;
    if (d == 0 && sum->params.softening == 0)
        return;
    const struct law_value v = fmm_law_value(&sum->params, d, sum->points.potential);
    place->value[0] += charge * v.force * dx;
    place->value[1] += charge * v.force * dy;
    place->value[2] += charge * v.potential;
}

static void add_sources(const struct sum *sum, struct place *place, struct fmm_range range, uint32_t but)
{
    const struct fmm_sorted *const sources = &sum->tree.sources;
    for (uint32_t s = range.begin; s < range.end; s++)
        if (s != but)
            add_charge(sum, place, sources->x[s], sources->y[s], sum->charges[s]);
}

/* Middle of a cell, and half its side. */
struct frame {
    double x, y, half;
};

static struct frame frame_of(const struct sum *sum, const struct fmm_cell *cell)
{
    return (struct frame){fmm_middle_x(&sum->tree, cell), fmm_middle_y(&sum->tree, cell),
                          fmm_half(&sum->tree, cell)};
}

/* Terms of a cell by values at its nodes: terms[(k, l)] = sum over nodes of factor[k][i] factor[l][j] value.
 * `stride`: of the values. */
static void terms_of_values(const struct fmm_nodes *nodes, const double *value, size_t stride, double *terms)
{
    const unsigned count = nodes->count;
    double along[FMM_MOST_NODES][FMM_MOST_NODES]; /* [j][k] */
    for (unsigned j = 0; j < count; j++)
        for (unsigned k = 0; k < count; k++) {
            along[j][k] = 0;
            for (unsigned i = 0; i < count; i++)
                along[j][k] += nodes->factor[k][i] * value[(j * count + i) * stride];
        }
    for (unsigned l = 0; l < count; l++)
        for (unsigned k = 0; k < fmm_row(nodes, l); k++) {
            double term = 0;
            for (unsigned j = 0; j < count; j++)
                term += nodes->factor[l][j] * along[j][k];
            *terms++ = term;
        }
}

/* The other way: charges at the nodes that act as moments do. */
static void charges_of_moments(const struct fmm_nodes *nodes, const double *moments, double *charges)
{
    const unsigned count = nodes->count;
    memset(charges, 0, count * count * sizeof *charges);
    for (unsigned l = 0; l < count; l++) {
        double along[FMM_MOST_NODES] = {0};
        for (unsigned k = 0; k < fmm_row(nodes, l); k++, moments++)
            for (unsigned i = 0; i < count; i++)
                along[i] += nodes->factor[k][i] * *moments;
        for (unsigned j = 0; j < count; j++)
            for (unsigned i = 0; i < count; i++)
                charges[j * count + i] += nodes->factor[l][j] * along[i];
    }
}

/* Moments --------------------------------------------------------------------------------------------
 */

/* Chebyshev polynomials at a place in a cell. */
static void polynomials_at(const struct sum *sum, struct frame frame, double x, double y, double *tx,
                           double *ty)
{
    fmm_polynomials(sum->nodes.count, (x - frame.x) / frame.half, tx);
    fmm_polynomials(sum->nodes.count, (y - frame.y) / frame.half, ty);
}

static void moments_of_sources(struct sum *sum, uint32_t index)
{
    const struct fmm_cell *const cell = &sum->tree.cells[index];
    const struct frame frame = frame_of(sum, cell);
    const unsigned count = sum->nodes.count;
    for (uint32_t s = cell->sources.begin; s < cell->sources.end; s++) {
        double tx[FMM_MOST_NODES], ty[FMM_MOST_NODES], *to = sum->moments + (size_t)index * sum->terms;
        polynomials_at(sum, frame, sum->tree.sources.x[s], sum->tree.sources.y[s], tx, ty);
        for (unsigned l = 0; l < count; l++)
            for (unsigned k = 0; k < fmm_row(&sum->nodes, l); k++)
                *to++ += sum->charges[s] * ty[l] * tx[k];
    }
}

/* Adds the moments of the child in the quadrant q to those of its parent. */
static void moments_to_parent(const struct fmm_nodes *nodes, uint32_t q, const double *child, double *parent)
{
    const unsigned count = nodes->count;
    const double(*const x)[FMM_MOST_NODES] = nodes->shift[q & 1],
                        (*const y)[FMM_MOST_NODES] = nodes->shift[q >> 1];
    for (unsigned b = 0; b < count; b++) {
        double row[FMM_MOST_NODES] = {0}; /* of the child, [k]: sum over l */
        for (unsigned l = 0; l <= b; l++)
            for (unsigned k = 0; k < fmm_row(nodes, b); k++)
                row[k] += y[b][l] * child[fmm_term(nodes, k, l)];
        for (unsigned a = 0; a < fmm_row(nodes, b); a++)
            for (unsigned k = 0; k <= a; k++)
                parent[fmm_term(nodes, a, b)] += x[a][k] * row[k];
    }
}

/* Adds the incoming values of a parent to those of its child in the quadrant q. */
static void incoming_to_child(const struct fmm_nodes *nodes, uint32_t q, const double *parent, double *child)
{
    const unsigned count = nodes->count;
    const double(*const x)[FMM_MOST_NODES] = nodes->shift[q & 1],
                        (*const y)[FMM_MOST_NODES] = nodes->shift[q >> 1];
    for (unsigned b = 0; b < count; b++) {
        double row[FMM_MOST_NODES] = {0};
        for (unsigned a = 0; a < fmm_row(nodes, b); a++)
            for (unsigned k = 0; k <= a; k++)
                row[k] += x[a][k] * parent[fmm_term(nodes, a, b)];
        for (unsigned l = 0; l <= b; l++)
            for (unsigned k = 0; k < fmm_row(nodes, b); k++)
                child[fmm_term(nodes, k, l)] += y[b][l] * row[k];
    }
}

static uint32_t quadrant(const struct fmm_cell *cell)
{
    return 2 * (cell->y & 1) + (cell->x & 1);
}

static void moments_of_cells(struct sum *sum, int threads)
{
    const struct fmm_tree *const tree = &sum->tree;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (uint32_t c = 0; c < tree->count; c++)
        if (!tree->cells[c].children)
            moments_of_sources(sum, c);
    for (uint32_t level = tree->levels - 1; level-- > 0;) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
        for (uint32_t c = tree->begin[level]; c < tree->begin[level + 1]; c++) {
            const struct fmm_cell *const cell = &tree->cells[c];
            const uint32_t end = cell->child + (uint32_t)__builtin_popcount(cell->children);
            for (uint32_t child = cell->child; child < end; child++)
                moments_to_parent(&sum->nodes, quadrant(&tree->cells[child]),
                                  sum->moments + (size_t)child * sum->terms,
                                  sum->moments + (size_t)c * sum->terms);
        }
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (uint32_t c = 0; c < tree->count; c++)
        charges_of_moments(&sum->nodes, sum->moments + (size_t)c * sum->terms,
                           sum->node_charges + (size_t)c * sum->nodes.count * sum->nodes.count);
}

/* Incoming values
 * --------------------------------------------------------------------------------------------
 */

static double *law_table(const struct sum *sum, uint32_t level, unsigned offset)
{
    return sum->laws + ((size_t)level * FMM_OFFSETS + offset) * CHANNELS * sum->terms * sum->terms;
}

/* The action of each term of a cell on each term of a cell of its level that is `large` sides to the right
 * and `small` sides up. */
static bool set_table(struct sum *sum, uint32_t level, unsigned large, unsigned small)
{
    const double half = ldexp(sum->tree.side, -(int)level - 1);
    const struct fmm_nodes *const nodes = &sum->nodes;
    const size_t count = nodes->count, n = sum->terms, all = count * count;
    double *const table = law_table(sum, level, fmm_offset_index(large, small));
    double(*const value)[MOST_NODES] = malloc(CHANNELS * sizeof *value);
    double *const rows = malloc(CHANNELS * all * n * sizeof *rows); /* [channel][target node][source term] */
    if (!value || !rows) {
        free(value);
        free(rows);
        return false;
    }
    for (size_t t = 0; t < all; t++) {
        for (size_t s = 0; s < all; s++) {
            struct place place = {.x = half * (2 * large + nodes->place[t % count] - nodes->place[s % count]),
                                  .y =
                                      half * (2 * small + nodes->place[t / count] - nodes->place[s / count])};
            add_charge(sum, &place, 0, 0, 1);
            for (unsigned c = 0; c < CHANNELS; c++)
                value[c][s] = place.value[c];
        }
        for (unsigned c = 0; c < CHANNELS; c++)
            terms_of_values(nodes, value[c], 1, rows + (c * all + t) * n);
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        for (size_t s = 0; s < n; s++)
            terms_of_values(nodes, rows + c * all * n + s, n, table + (c * n + s) * n);
    free(value);
    free(rows);
    return true;
}

/* Adds the action of the cell `source` on the cell `target` of the same level. */
static void add_cell(struct sum *sum, uint32_t target, uint32_t source)
{
    const struct fmm_cell *const t = &sum->tree.cells[target], *const s = &sum->tree.cells[source];
    const int32_t dx = (int32_t)(t->x - s->x), dy = (int32_t)(t->y - s->y);
    const unsigned ax = (unsigned)abs(dx), ay = (unsigned)abs(dy), count = sum->nodes.count;
    const struct fmm_nodes *const nodes = &sum->nodes;
    const bool swap = ay > ax;
    const uint32_t n = sum->terms;
    const double *const table =
        law_table(sum, t->level, swap ? fmm_offset_index(ay, ax) : fmm_offset_index(ax, ay));
    const double *const moments = sum->moments + (size_t)source * n;
    double charge[MOST_TERMS], value[CHANNELS][MOST_TERMS] = {{0}}, sign[MOST_TERMS];
    uint32_t place[MOST_TERMS]; /* in the turned cell */
    for (unsigned l = 0, i = 0; l < count; l++)
        for (unsigned k = 0; k < fmm_row(nodes, l); k++, i++) {
            place[i] = swap ? fmm_term(nodes, l, k) : i;
            sign[i] = (dx < 0 && k % 2 ? -1 : 1) * (dy < 0 && l % 2 ? -1 : 1);
            charge[place[i]] = sign[i] * moments[i];
        }
    const unsigned channels = sum->points.potential ? 3 : 2;
    for (unsigned c = 0; c < channels; c++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < n; i++)
                value[c][i] += table[(c * n + j) * n + i] * charge[j];
    double *const incoming = sum->incoming + (size_t)target * CHANNELS * n;
    for (uint32_t i = 0; i < n; i++) {
        incoming[i] += (dx < 0 ? -1 : 1) * sign[i] * value[swap][place[i]];
        incoming[n + i] += (dy < 0 ? -1 : 1) * sign[i] * value[!swap][place[i]];
        incoming[2 * n + i] += sign[i] * value[2][place[i]];
    }
}

/* Adds the action of sources of a larger cell, which does not touch this one, on the nodes. */
static void add_sources_to_nodes(struct sum *sum, uint32_t target, const struct fmm_cell *source)
{
    const struct frame frame = frame_of(sum, &sum->tree.cells[target]);
    const uint32_t count = sum->nodes.count, n = sum->terms;
    double *const incoming = sum->incoming + (size_t)target * CHANNELS * n;
    double value[CHANNELS][MOST_NODES], terms[MOST_TERMS];
    for (uint32_t i = 0; i < count * count; i++) {
        struct place place = {.x = frame.x + frame.half * sum->nodes.place[i % count],
                              .y = frame.y + frame.half * sum->nodes.place[i / count]};
        add_sources(sum, &place, source->sources, FMM_NONE);
        for (unsigned c = 0; c < CHANNELS; c++)
            value[c][i] = place.value[c];
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        terms_of_values(&sum->nodes, value[c], 1, terms);
        for (uint32_t i = 0; i < n; i++)
            incoming[c * n + i] += terms[i];
    }
}

/* Whether the cell at this place of a list of near cells is there for the first time. */
static bool is_first(const uint32_t *near, unsigned n)
{
    for (unsigned before = 0; before < n; before++)
        if (near[before] == near[n])
            return false;
    return near[n] != FMM_NONE;
}

/* Whether the n-th of the near cells of the parent acts on the cell by its sources: it has no children and
 * does not touch the cell. */
static bool acts_by_sources(const struct fmm_cell *cells, const struct fmm_cell *cell, unsigned n)
{
    const uint32_t *const near = cells[cell->parent].near;
    return is_first(near, n) && !cells[near[n]].children && !fmm_touch(&cells[near[n]], cell);
}

/* Whether a cell has so few points that it acts, and is acted on, by these and not by its terms. */
static bool has_few(const struct sum *sum, const struct fmm_cell *cell)
{
    const uint32_t most = sum->nodes.count * sum->nodes.count;
    return !cell->children && cell->sources.end - cell->sources.begin <= most &&
           cell->targets.end - cell->targets.begin <= most;
}

static void incoming_of_cell(struct sum *sum, uint32_t index)
{
    const struct fmm_cell *const cells = sum->tree.cells, *const cell = &cells[index],
                                 *const parent = &cells[cell->parent];
    for (unsigned n = 0; n < FMM_NEAR; n++) {
        if (!is_first(parent->near, n))
            continue;
        const struct fmm_cell *const near = &cells[parent->near[n]];
        const uint32_t end = near->child + (uint32_t)__builtin_popcount(near->children);
        if (acts_by_sources(cells, cell, n) && !has_few(sum, cell))
            add_sources_to_nodes(sum, index, near);
        for (uint32_t child = near->child; child < end; child++)
            if (!fmm_touch(&cells[child], cell))
                add_cell(sum, index, child);
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        incoming_to_child(&sum->nodes, quadrant(cell),
                          sum->incoming + ((size_t)cell->parent * CHANNELS + c) * sum->terms,
                          sum->incoming + ((size_t)index * CHANNELS + c) * sum->terms);
}

static enum shoal_status incoming_of_cells(struct sum *sum, int threads, struct shoal_error *error)
{
    const struct fmm_tree *const tree = &sum->tree;
    for (uint32_t level = 1; level < tree->levels; level++) {
        bool has_room = true;
#pragma omp parallel for num_threads(threads) reduction(&& : has_room)
        for (unsigned pair = 0; pair < FMM_OFFSETS; pair++)
            has_room = set_table(sum, level, pair < 3 ? 2 : 3, pair < 3 ? pair : pair - 3) && has_room;
        if (!has_room)
            return fail_host_memory(error);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
        for (uint32_t c = tree->begin[level]; c < tree->begin[level + 1]; c++)
            incoming_of_cell(sum, c);
    }
    return SHOAL_OK;
}

/* Targets --------------------------------------------------------------------------------------------------
 */

/* Adds the action of the charges at the nodes of a cell. */
static void add_nodes(const struct sum *sum, struct place *place, uint32_t index)
{
    const struct frame frame = frame_of(sum, &sum->tree.cells[index]);
    const uint32_t count = sum->nodes.count, all = count * count;
    for (uint32_t i = 0; i < all; i++)
        add_charge(sum, place, frame.x + frame.half * sum->nodes.place[i % count],
                   frame.y + frame.half * sum->nodes.place[i / count],
                   sum->node_charges[(size_t)index * all + i]);
}

/* Adds the action of the sources in a cell of the same level or a larger one, which touches the target's
 * cell. */
static void add_near(const struct sum *sum, const struct fmm_cell *cell, uint32_t near, struct place *place,
                     uint32_t but)
{
    const struct fmm_cell *const cells = sum->tree.cells;
    const uint32_t end = cells[near].after;
    for (uint32_t c = near; c != end;) {
        const bool touches = fmm_touch(&cells[c], cell);
        if (touches && cells[c].children) {
            c = cells[c].child;
            continue;
        }
        if (touches || has_few(sum, &cells[c]))
            add_sources(sum, place, cells[c].sources, but);
        else
            add_nodes(sum, place, c);
        c = cells[c].after;
    }
}

static void sum_target(const struct sum *sum, uint32_t index, uint32_t target)
{
    const struct fmm_cell *const cells = sum->tree.cells, *const cell = &cells[index];
    const struct fmm_sorted *const targets = &sum->tree.targets;
    const uint32_t to = targets->order[target];
    if (to >= sum->points.target_count)
        return;
    const unsigned count = sum->nodes.count;
    const double *incoming = sum->incoming + (size_t)index * CHANNELS * sum->terms;
    double tx[FMM_MOST_NODES], ty[FMM_MOST_NODES];
    struct place place = {.x = targets->x[target], .y = targets->y[target]};
    polynomials_at(sum, frame_of(sum, cell), place.x, place.y, tx, ty);
    for (unsigned c = 0; c < CHANNELS; c++)
        for (unsigned l = 0; l < count; l++)
            for (unsigned k = 0; k < fmm_row(&sum->nodes, l); k++)
                place.value[c] += *incoming++ * ty[l] * tx[k];
    for (unsigned n = 0; n < FMM_NEAR; n++)
        if (is_first(cell->near, n))
            add_near(sum, cell, cell->near[n], &place, sum->tree.same ? target : FMM_NONE);
    for (unsigned n = 0; cell->parent != FMM_NONE && has_few(sum, cell) && n < FMM_NEAR; n++)
        if (acts_by_sources(cells, cell, n))
            add_sources(sum, &place, cells[cells[cell->parent].near[n]].sources, FMM_NONE);
    if (sum->points.field) {
        sum->points.field[2 * (size_t)to] = place.value[0];
        sum->points.field[2 * (size_t)to + 1] = place.value[1];
    }
    if (sum->points.potential)
        sum->points.potential[to] = place.value[2];
}

static void sum_targets(const struct sum *sum, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (uint32_t c = 0; c < sum->tree.count; c++)
        if (!sum->tree.cells[c].children)
            for (uint32_t t = sum->tree.cells[c].targets.begin; t < sum->tree.cells[c].targets.end; t++)
                sum_target(sum, c, t);
}

static enum shoal_status make_room(struct sum *sum, struct shoal_error *error)
{
    const size_t cells = sum->tree.count, n = sum->terms, all = (size_t)sum->nodes.count * sum->nodes.count;
    sum->charges = malloc((sum->points.source_count + 1) * sizeof *sum->charges);
    sum->moments = calloc(cells * n, sizeof *sum->moments);
    sum->node_charges = malloc(cells * all * sizeof *sum->node_charges);
    sum->incoming = calloc(cells * CHANNELS * n, sizeof *sum->incoming);
    sum->laws = malloc(sum->tree.levels * FMM_OFFSETS * CHANNELS * n * n * sizeof *sum->laws);
    if (!sum->charges || !sum->moments || !sum->node_charges || !sum->incoming || !sum->laws)
        return fail_host_memory(error);
    for (size_t i = 0; i < sum->points.source_count; i++)
        sum->charges[i] = sum->points.charges ? sum->points.charges[sum->tree.sources.order[i]] : 1;
    return SHOAL_OK;
}

static enum shoal_status compute(struct sum *sum, struct shoal_error *error)
{
    const struct fmm_plan plan = fmm_plan_of(&sum->params);
    /* A sum has about LOOPS loops, and threads wait for each other after each of them. */
    enum { POINT_NS = 2000, LOOPS = 20 };
    const size_t count = sum->points.source_count + sum->points.target_count;
    const int threads = threads_once(1e-9 * POINT_NS * (double)count / LOOPS);
    fmm_nodes_set(&sum->nodes, plan.nodes, plan.degree);
    sum->terms = sum->nodes.first[plan.nodes];
    enum shoal_status status = fmm_tree_build(&sum->tree, &sum->points, plan.points, error);
    if (!status)
        status = make_room(sum, error);
    if (!status) {
        moments_of_cells(sum, threads);
        status = incoming_of_cells(sum, threads, error);
    }
    if (!status)
        sum_targets(sum, threads);
    free(sum->charges);
    free(sum->moments);
    free(sum->node_charges);
    free(sum->incoming);
    free(sum->laws);
    fmm_tree_free(&sum->tree);
    return status;
}

enum shoal_status shoal_fmm_on_host(const struct shoal_fmm_params *params,
                                    const struct shoal_fmm_points *points, struct shoal_error *error)
{
    if (!NEED(error, params, points))
        return SHOAL_INVALID;
    struct sum *sum = calloc(1, sizeof *sum);
    if (!sum)
        return fail_host_memory(error);
    enum shoal_status status = fmm_points_take(__func__, params, points, &sum->params, &sum->points, error);
    if (!status && sum->points.source_count + sum->points.target_count)
        status = compute(sum, error);
    free(sum);
    return status;
}
