/* The fast multipole method on the host, in double precision: the reference of the device. */
#include "base/params.h"
#include "base/threads.h"
#include "fmm/points.h"
#include "fmm/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELL_NODES = FMM_MOST_NODES * FMM_MOST_NODES,
    CHANNELS = 3 /* incoming values: field along x and y, potential */
};

struct sum {
    struct shoal_fmm_params params;
    struct shoal_fmm_points points;
    struct fmm_nodes nodes;
    uint32_t per_cell; /* nodes of a cell */
    struct fmm_tree tree;
    double *charges;  /* [source_count], in the order of the tree */
    double *moments;  /* [cells][per_cell] */
    double *incoming; /* [cells][CHANNELS][per_cell] */
    double *laws;     /* [levels][FMM_OFFSETS][CHANNELS][source node][target node] */
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

static double node_x(const struct sum *sum, const struct fmm_cell *cell, uint32_t node)
{
    return fmm_middle_x(&sum->tree, cell) +
           fmm_half(&sum->tree, cell) * sum->nodes.place[node % sum->nodes.count];
}

static double node_y(const struct sum *sum, const struct fmm_cell *cell, uint32_t node)
{
    return fmm_middle_y(&sum->tree, cell) +
           fmm_half(&sum->tree, cell) * sum->nodes.place[node / sum->nodes.count];
}

/* Moments --------------------------------------------------------------------------------------------
 */

static void weights_at(const struct sum *sum, const struct fmm_cell *cell, double x, double y, double *wx,
                       double *wy)
{
    const double half = fmm_half(&sum->tree, cell);
    fmm_weights(&sum->nodes, (x - fmm_middle_x(&sum->tree, cell)) / half, wx);
    fmm_weights(&sum->nodes, (y - fmm_middle_y(&sum->tree, cell)) / half, wy);
}

static void moments_of_sources(struct sum *sum, uint32_t index)
{
    const struct fmm_cell *const cell = &sum->tree.cells[index];
    const unsigned count = sum->nodes.count;
    double *const moments = sum->moments + (size_t)index * sum->per_cell;
    for (uint32_t s = cell->sources.begin; s < cell->sources.end; s++) {
        double wx[FMM_MOST_NODES], wy[FMM_MOST_NODES];
        weights_at(sum, cell, sum->tree.sources.x[s], sum->tree.sources.y[s], wx, wy);
        for (unsigned j = 0; j < count; j++)
            for (unsigned i = 0; i < count; i++)
                moments[j * count + i] += sum->charges[s] * wy[j] * wx[i];
    }
}

/* Adds to `to`, values of a parent, those of the child in the quadrant q (up), or the other way (!up). */
static void shift_values(const struct fmm_nodes *nodes, uint32_t q, bool up, const double *from, double *to)
{
    const unsigned count = nodes->count;
    const double(*const x)[FMM_MOST_NODES] = nodes->shift[q & 1],
                        (*const y)[FMM_MOST_NODES] = nodes->shift[q >> 1];
    double rows[MOST_CELL_NODES] = {0}; /* moved along x */
    for (unsigned j = 0; j < count; j++)
        for (unsigned i = 0; i < count; i++)
            for (unsigned k = 0; k < count; k++)
                rows[j * count + i] += (up ? x[k][i] : x[i][k]) * from[j * count + k];
    for (unsigned j = 0; j < count; j++)
        for (unsigned k = 0; k < count; k++)
            for (unsigned i = 0; i < count; i++)
                to[j * count + i] += (up ? y[k][j] : y[j][k]) * rows[k * count + i];
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
                shift_values(&sum->nodes, quadrant(&tree->cells[child]), true,
                             sum->moments + (size_t)child * sum->per_cell,
                             sum->moments + (size_t)c * sum->per_cell);
        }
    }
}

/* Incoming values
 * --------------------------------------------------------------------------------------------
 */

static double *law_table(const struct sum *sum, uint32_t level, unsigned offset)
{
    return sum->laws + ((size_t)level * FMM_OFFSETS + offset) * CHANNELS * sum->per_cell * sum->per_cell;
}

/* The action of each node of a cell on each node of a cell of its level that is `large` sides to the right
 * and `small` sides up. */
static void set_table(struct sum *sum, uint32_t level, unsigned large, unsigned small)
{
    const double half = ldexp(sum->tree.side, -(int)level - 1);
    const unsigned count = sum->nodes.count;
    const size_t n = sum->per_cell;
    double *const table = law_table(sum, level, fmm_offset_index(large, small));
    for (uint32_t s = 0; s < n; s++) {
        for (uint32_t t = 0; t < n; t++) {
            struct place place = {
                .x = half * (2 * large + sum->nodes.place[t % count] - sum->nodes.place[s % count]),
                .y = half * (2 * small + sum->nodes.place[t / count] - sum->nodes.place[s / count])};
            add_charge(sum, &place, 0, 0, 1);
            for (unsigned c = 0; c < CHANNELS; c++)
                table[(c * n + s) * n + t] = place.value[c];
        }
    }
}

/* How an offset is turned into one with x >= y >= 0. */
struct turn {
    bool flip_x, flip_y, swap;
};

static uint32_t turned(const struct sum *sum, struct turn turn, uint32_t node)
{
    const uint32_t count = sum->nodes.count;
    uint32_t x = node % count, y = node / count;
    x = turn.flip_x ? count - 1 - x : x;
    y = turn.flip_y ? count - 1 - y : y;
    return turn.swap ? x * count + y : y * count + x;
}

/* Adds the action of the cell `source` on the cell `target` of the same level. */
static void add_cell(struct sum *sum, uint32_t target, uint32_t source)
{
    const struct fmm_cell *const t = &sum->tree.cells[target], *const s = &sum->tree.cells[source];
    const int32_t dx = (int32_t)(t->x - s->x), dy = (int32_t)(t->y - s->y);
    const unsigned ax = (unsigned)abs(dx), ay = (unsigned)abs(dy);
    const struct turn turn = {dx < 0, dy<0, ay> ax};
    const size_t n = sum->per_cell;
    const double *const table =
        law_table(sum, t->level, turn.swap ? fmm_offset_index(ay, ax) : fmm_offset_index(ax, ay));
    const double *const moments = sum->moments + source * n;
    double charge[MOST_CELL_NODES], value[CHANNELS][MOST_CELL_NODES] = {{0}};
    for (uint32_t i = 0; i < n; i++)
        charge[turned(sum, turn, i)] = moments[i];
    const unsigned channels = sum->points.potential ? 3 : 2;
    for (unsigned c = 0; c < channels; c++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < n; i++)
                value[c][i] += table[(c * n + j) * n + i] * charge[j];
    double *const incoming = sum->incoming + target * CHANNELS * n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = turned(sum, turn, i);
        incoming[i] += (turn.flip_x ? -1 : 1) * value[turn.swap][from];
        incoming[n + i] += (turn.flip_y ? -1 : 1) * value[!turn.swap][from];
        incoming[2 * n + i] += value[2][from];
    }
}

/* Adds the action of sources of a larger cell, which does not touch this one, on the nodes. */
static void add_sources_to_nodes(struct sum *sum, uint32_t target, const struct fmm_cell *source)
{
    const size_t n = sum->per_cell;
    double *const incoming = sum->incoming + target * CHANNELS * n;
    for (uint32_t i = 0; i < n; i++) {
        struct place place = {.x = node_x(sum, &sum->tree.cells[target], i),
                              .y = node_y(sum, &sum->tree.cells[target], i)};
        add_sources(sum, &place, source->sources, FMM_NONE);
        for (unsigned c = 0; c < CHANNELS; c++)
            incoming[c * n + i] += place.value[c];
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

static void incoming_of_cell(struct sum *sum, uint32_t index)
{
    const struct fmm_cell *const cells = sum->tree.cells, *const cell = &cells[index],
                                 *const parent = &cells[cell->parent];
    for (unsigned n = 0; n < FMM_NEAR; n++) {
        if (!is_first(parent->near, n))
            continue;
        const struct fmm_cell *const near = &cells[parent->near[n]];
        const uint32_t end = near->child + (uint32_t)__builtin_popcount(near->children);
        if (!near->children && !fmm_touch(near, cell))
            add_sources_to_nodes(sum, index, near);
        for (uint32_t child = near->child; child < end; child++)
            if (!fmm_touch(&cells[child], cell))
                add_cell(sum, index, child);
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        shift_values(&sum->nodes, quadrant(cell), false,
                     sum->incoming + ((size_t)cell->parent * CHANNELS + c) * sum->per_cell,
                     sum->incoming + ((size_t)index * CHANNELS + c) * sum->per_cell);
}

static void incoming_of_cells(struct sum *sum, int threads)
{
    const struct fmm_tree *const tree = &sum->tree;
    for (uint32_t level = 1; level < tree->levels; level++) {
#pragma omp parallel for num_threads(threads)
        for (unsigned pair = 0; pair < FMM_OFFSETS; pair++)
            set_table(sum, level, pair < 3 ? 2 : 3, pair < 3 ? pair : pair - 3);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
        for (uint32_t c = tree->begin[level]; c < tree->begin[level + 1]; c++)
            incoming_of_cell(sum, c);
    }
}

/* Targets --------------------------------------------------------------------------------------------------
 */

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
        if (touches)
            add_sources(sum, place, cells[c].sources, but);
        else
            for (uint32_t i = 0; i < sum->per_cell; i++)
                add_charge(sum, place, node_x(sum, &cells[c], i), node_y(sum, &cells[c], i),
                           sum->moments[(size_t)c * sum->per_cell + i]);
        c = cells[c].after;
    }
}

static void sum_target(const struct sum *sum, uint32_t index, uint32_t target)
{
    const struct fmm_cell *const cell = &sum->tree.cells[index];
    const struct fmm_sorted *const targets = &sum->tree.targets;
    const uint32_t to = targets->order[target];
    if (to >= sum->points.target_count)
        return;
    const unsigned count = sum->nodes.count;
    double wx[FMM_MOST_NODES], wy[FMM_MOST_NODES];
    struct place place = {.x = targets->x[target], .y = targets->y[target]};
    weights_at(sum, cell, place.x, place.y, wx, wy);
    for (unsigned c = 0; c < CHANNELS; c++) {
        const double *const incoming = sum->incoming + ((size_t)index * CHANNELS + c) * sum->per_cell;
        for (unsigned j = 0; j < count; j++)
            for (unsigned i = 0; i < count; i++)
                place.value[c] += incoming[j * count + i] * wy[j] * wx[i];
    }
    for (unsigned n = 0; n < FMM_NEAR; n++)
        if (is_first(cell->near, n))
            add_near(sum, cell, cell->near[n], &place, sum->tree.same ? target : FMM_NONE);
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
    const size_t cells = sum->tree.count, n = sum->per_cell;
    sum->charges = malloc((sum->points.source_count + 1) * sizeof *sum->charges);
    sum->moments = calloc(cells * n, sizeof *sum->moments);
    sum->incoming = calloc(cells * CHANNELS * n, sizeof *sum->incoming);
    sum->laws = malloc(sum->tree.levels * FMM_OFFSETS * CHANNELS * n * n * sizeof *sum->laws);
    if (!sum->charges || !sum->moments || !sum->incoming || !sum->laws)
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
    sum->per_cell = plan.nodes * plan.nodes;
    fmm_nodes_set(&sum->nodes, plan.nodes);
    enum shoal_status status = fmm_tree_build(&sum->tree, &sum->points, plan.points, error);
    if (!status)
        status = make_room(sum, error);
    if (!status) {
        moments_of_cells(sum, threads);
        incoming_of_cells(sum, threads);
        sum_targets(sum, threads);
    }
    free(sum->charges);
    free(sum->moments);
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
