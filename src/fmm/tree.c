/* The tree of cells on the host. */
#include "fmm/tree.h"

#include <stdlib.h>
#include <string.h>

/* The root's square holds all points. Its side is at most 64 units, a unit a power of two and the lower left
 * corner at whole units, at most 2^17 units from 0. So middles of cells are exact in double precision; for
 * single precision cl/fmm/tree.cl counts them from an origin. */
static void set_square(struct fmm_tree *tree, const double least[2], const double most[2])
{
    enum { UNITS = 64, FINEST = 1 << 17 };
    const double side = fmax(most[0] - least[0], most[1] - least[1]);
    const double far = fmax(fmax(fabs(least[0]), fabs(least[1])), fmax(fabs(most[0]), fabs(most[1])));
    double unit = 1;
    while ((UNITS - 2) * unit < side || unit * FINEST < far)
        unit *= 2;
    while ((UNITS - 2) * unit / 2 >= side && unit / 2 * FINEST >= far && unit > 0x1p-100)
        unit /= 2;
    tree->left = floor(least[0] / unit) * unit;
    tree->bottom = floor(least[1] / unit) * unit;
    tree->side = (floor(side / unit) + 2) * unit;
}

/* Spreads the 16 low bits to the even places. */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 8) & 0x00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

static uint32_t place_of(double offset, double side)
{
    return (uint32_t)fmin(fmax(offset / side * (1 << FMM_DEPTH), 0), (1 << FMM_DEPTH) - 1);
}

/* Sorts `order` by the keys, stably, 8 bits at a time. */
static void sort_by_key(struct fmm_sorted *sorted, uint32_t *keys, uint32_t *order)
{
    for (unsigned bit = 0; bit < 32; bit += 8) {
        uint32_t first[257] = {0};
        for (uint32_t i = 0; i < sorted->count; i++)
            first[(sorted->keys[i] >> bit & 255) + 1]++;
        for (unsigned digit = 1; digit < 256; digit++)
            first[digit] += first[digit - 1];
        for (uint32_t i = 0; i < sorted->count; i++) {
            const uint32_t to = first[sorted->keys[i] >> bit & 255]++;
            keys[to] = sorted->keys[i];
            order[to] = sorted->order[i];
        }
        uint32_t *const old_keys = sorted->keys, *const old_order = sorted->order;
        sorted->keys = keys;
        sorted->order = order;
        keys = old_keys;
        order = old_order;
    }
}

static enum shoal_status sort_points(const struct fmm_tree *tree, const double *points, size_t count,
                                     struct fmm_sorted *sorted, struct shoal_error *error)
{
    const size_t room = count ? count : 1;
    sorted->count = (uint32_t)count;
    sorted->order = malloc(room * sizeof *sorted->order);
    sorted->keys = malloc(room * sizeof *sorted->keys);
    sorted->x = malloc(room * sizeof *sorted->x);
    sorted->y = malloc(room * sizeof *sorted->y);
    uint32_t *keys = malloc(room * sizeof *keys), *order = malloc(room * sizeof *order);
    enum shoal_status status = SHOAL_OK;
    if (!sorted->order || !sorted->keys || !sorted->x || !sorted->y || !keys || !order) {
        status = fail_host_memory(error);
    } else {
        for (uint32_t i = 0; i < sorted->count; i++) {
            sorted->order[i] = i;
            sorted->keys[i] = spread(place_of(points[2 * i] - tree->left, tree->side)) |
                              spread(place_of(points[2 * i + 1] - tree->bottom, tree->side)) << 1;
        }
        sort_by_key(sorted, keys, order); /* an even number of passes: the arrays of `sorted` are its own */
        for (uint32_t i = 0; i < sorted->count; i++) {
            sorted->x[i] = points[2 * (size_t)sorted->order[i]];
            sorted->y[i] = points[2 * (size_t)sorted->order[i] + 1];
        }
    }
    free(keys);
    free(order);
    return status;
}

static void free_sorted(struct fmm_sorted *sorted)
{
    free(sorted->order);
    free(sorted->keys);
    free(sorted->x);
    free(sorted->y);
}

void fmm_tree_free(struct fmm_tree *tree)
{
    free_sorted(&tree->sources);
    if (!tree->same)
        free_sorted(&tree->targets);
    free(tree->cells);
    memset(tree, 0, sizeof *tree);
}

bool fmm_touch(const struct fmm_cell *a, const struct fmm_cell *b)
{
    if (a->level > b->level) {
        const struct fmm_cell *const larger = b;
        b = a;
        a = larger;
    }
    const uint32_t shift = b->level - a->level;
    /* in cells of the smaller one: b touches a's square of 2^shift cells */
    const uint32_t x = a->x << shift, y = a->y << shift, side = 1u << shift;
    return b->x + 1 >= x && b->x <= x + side && b->y + 1 >= y && b->y <= y + side;
}

/* The first of the points from `begin` on whose key is at least `key`. */
static uint32_t first_at_least(const struct fmm_sorted *sorted, struct fmm_range range, uint64_t key)
{
    while (range.begin < range.end) {
        const uint32_t middle = range.begin + (range.end - range.begin) / 2;
        if (sorted->keys[middle] < key)
            range.begin = middle + 1;
        else
            range.end = middle;
    }
    return range.begin;
}

static struct fmm_range quarter(const struct fmm_sorted *sorted, struct fmm_range range, uint64_t key,
                                unsigned bits)
{
    return (struct fmm_range){first_at_least(sorted, range, key),
                              first_at_least(sorted, range, key + (UINT64_C(1) << bits))};
}

static enum shoal_status divide(struct fmm_tree *tree, uint32_t index, struct shoal_error *error)
{
    if (tree->count + 4 > tree->room) {
        tree->room = 2 * tree->room + 64;
        struct fmm_cell *cells = realloc(tree->cells, tree->room * sizeof *cells);
        if (!cells)
            return fail_host_memory(error);
        tree->cells = cells;
    }
    struct fmm_cell *const cell = &tree->cells[index];
    const unsigned bits = 2 * (FMM_DEPTH - cell->level - 1);
    const uint64_t key = (uint64_t)(spread(cell->x) | spread(cell->y) << 1) << (bits + 2);
    cell->child = tree->count;
    for (uint32_t q = 0; q < 4; q++) {
        const uint64_t from = key + ((uint64_t)q << bits);
        struct fmm_cell child = {.x = 2 * cell->x + (q & 1), .y = 2 * cell->y + (q >> 1)};
        child.level = cell->level + 1;
        child.parent = index;
        child.sources = quarter(&tree->sources, cell->sources, from, bits);
        child.targets = quarter(&tree->targets, cell->targets, from, bits);
        if (child.sources.begin == child.sources.end && child.targets.begin == child.targets.end)
            continue;
        cell->children |= 1u << q;
        child.after = tree->count + 1;
        tree->cells[tree->count++] = child;
    }
    tree->cells[tree->count - 1].after = cell->after;
    return SHOAL_OK;
}

/* The child of a cell at the place x, y of the next level; FMM_NONE: there is none. */
static uint32_t child_at(const struct fmm_cell *cell, uint32_t x, uint32_t y)
{
    const uint32_t bit = 1u << (2 * (y & 1) + (x & 1));
    return cell->children & bit ? cell->child + (uint32_t)__builtin_popcount(cell->children & (bit - 1))
                                : FMM_NONE;
}

static void set_near(struct fmm_tree *tree, uint32_t index)
{
    struct fmm_cell *const cell = &tree->cells[index];
    for (int n = 0; n < FMM_NEAR; n++) {
        const int64_t x = (int64_t)cell->x + n % 3 - 1, y = (int64_t)cell->y + n / 3 - 1;
        const int64_t end = INT64_C(1) << cell->level;
        cell->near[n] = FMM_NONE;
        if (x < 0 || y < 0 || x >= end || y >= end)
            continue;
        if (cell->parent == FMM_NONE) {
            cell->near[n] = index;
            continue;
        }
        const struct fmm_cell *const parent = &tree->cells[cell->parent];
        const int64_t dx = (x >> 1) - parent->x, dy = (y >> 1) - parent->y;
        const uint32_t above = parent->near[3 * (dy + 1) + dx + 1];
        if (above != FMM_NONE)
            cell->near[n] =
                tree->cells[above].children ? child_at(&tree->cells[above], (uint32_t)x, (uint32_t)y) : above;
    }
}

static enum shoal_status make_cells(struct fmm_tree *tree, uint32_t most_points, struct shoal_error *error)
{
    tree->room = 64;
    tree->cells = malloc(tree->room * sizeof *tree->cells);
    if (!tree->cells)
        return fail_host_memory(error);
    tree->cells[0] = (struct fmm_cell){.sources = {0, tree->sources.count},
                                       .targets = {0, tree->targets.count},
                                       .parent = FMM_NONE,
                                       .after = FMM_NONE};
    tree->count = 1;
    tree->begin[1] = 1;
    for (tree->levels = 1;; tree->levels++) {
        const uint32_t level = tree->levels - 1, end = tree->count;
        tree->begin[tree->levels] = end;
        for (uint32_t c = tree->begin[level]; c < end; c++) {
            set_near(tree, c);
            const struct fmm_cell *const cell = &tree->cells[c];
            if (level < FMM_DEPTH && (cell->sources.end - cell->sources.begin > most_points ||
                                      cell->targets.end - cell->targets.begin > most_points)) {
                enum shoal_status status = divide(tree, c, error);
                if (status)
                    return status;
            }
        }
        if (tree->count == end)
            return SHOAL_OK;
    }
}

static void widen(const double *points, size_t count, double least[2], double most[2])
{
    for (size_t i = 0; i < 2 * count; i++) {
        least[i % 2] = fmin(least[i % 2], points[i]);
        most[i % 2] = fmax(most[i % 2], points[i]);
    }
}

enum shoal_status fmm_tree_build(struct fmm_tree *tree, const struct shoal_fmm_points *points,
                                 uint32_t most_points, struct shoal_error *error)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    widen(points->sources, points->source_count, least, most);
    if (points->targets)
        widen(points->targets, points->target_count, least, most);
    set_square(tree, least, most);
    enum shoal_status status =
        sort_points(tree, points->sources, points->source_count, &tree->sources, error);
    tree->same = !points->targets;
    if (!status && points->targets)
        status = sort_points(tree, points->targets, points->target_count, &tree->targets, error);
    if (tree->same)
        tree->targets = tree->sources;
    return status ? status : make_cells(tree, most_points, error);
}
