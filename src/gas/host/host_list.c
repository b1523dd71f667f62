/* The neighbour list of the host solver: its build, and the forces of its pairs. The pairs of each particle
 * are added in the order of the list, so any number of threads gives the same bits. */
#include "gas/host/host_list.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "gas/observe/saved.h"
#include "gas/species/species.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 256, /* number of particles in a block */
    PAIRS = 512   /* number of pairs whose forces are computed together */
};

/* The functions with this macro are inlined, so that the compiler makes separate loops for two and three
 * dimensions, with and without borders, from one text. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

struct gas_list_block {
    /* places of the neighbours of each particle of the block, particle after particle */
    uint32_t *near;
    size_t room; /* number of entries for which `near` has room */
    size_t pairs;
};

static size_t blocks_of(const struct gas_problem *problem)
{
    return (problem->n + PLACES - 1) / PLACES;
}

static size_t end_of(const struct gas_problem *problem, size_t block)
{
    const size_t end = (block + 1) * PLACES;
    return end < problem->n ? end : problem->n;
}

/* Create ----------------------------------------------------------------------------------------------- */

bool gas_host_lists(const struct gas_problem *problem)
{
    return isfinite(problem->pair.cutoff2) && problem->kind != GAS_PAIR_REAL && !problem->rules.move;
}

/* Chooses the skin. A build costs little more than a step, so a thin skin is best, and an even thinner one in
 * three dimensions, where the volume of a skin is larger. A skin is at most half a period: beyond that the
 * nearest image of a moved particle is not known. */
static double choose_skin(const struct gas_problem *problem)
{
    const double asked = problem->params->skin;
    double skin = isnan(asked) ? (problem->dim == 2 ? 0.2 : 0.12) * problem->pair.cutoff : asked;
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC)
            skin = fmin(skin, 0.5 * problem->length[k]);
    return skin;
}

double gas_host_list_bytes(const struct gas_problem *problem)
{
    const double range = problem->pair.cutoff + choose_skin(problem), all = (double)problem->n - 1;
    const double places = (double)problem->dim * 2 * sizeof(double) + 3 * sizeof(uint32_t) + sizeof(bool);
    return (double)problem->n * (places + fmin(gas_mean_neighbours(problem, range), all) * sizeof(uint32_t));
}

static const char built_at_name[] = "list-made-at";

enum shoal_status gas_host_list_create(const struct gas_problem *problem, struct gas_host_list *list,
                                       struct shoal_error *error)
{
    *list = (struct gas_host_list){.problem = problem, .skin = choose_skin(problem)};
    const size_t numbers = problem->n * problem->dim;
    const double n = (double)problem->n, all = (double)numbers;
    const struct array arrays[] = {
        {&list->built_at, all, sizeof *list->built_at, ARRAY_SAVE, built_at_name, numbers},
        {&list->x, all, sizeof *list->x},
        {&list->counts, n, sizeof *list->counts},
        {&list->crosses, n, sizeof *list->crosses},
        {&list->species, problem->species ? n : 0, sizeof *list->species},
        {&list->blocks, (double)blocks_of(problem), sizeof *list->blocks},
    };
    ARRAYS_SET(&list->arrays, arrays);
    return arrays_create(&list->arrays, error);
}

void gas_host_list_destroy(struct gas_host_list *list)
{
    for (size_t block = 0; list->blocks && block < blocks_of(list->problem); block++)
        free(list->blocks[block].near);
    arrays_destroy(&list->arrays);
    gas_grid_destroy(&list->grid);
    *list = (struct gas_host_list){0};
}

enum shoal_status gas_host_list_check(const struct gas_host_list *list, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    return gas_check_positions(list->problem, checkpoint, built_at_name, GAS_OF_HOST, error);
}

/* Positions -------------------------------------------------------------------------------------------- */

/* Copies the positions into list->x, unwrapped relative to the last build. Returns whether the list is still
 * valid: no particle has moved by more than half the skin since the build, less a margin for rounding. */
static bool take_positions(struct gas_host_list *list, const double *position)
{
    const struct gas_problem *problem = list->problem;
    const size_t n = problem->n, dim = problem->dim;
    const double allowed2 = (1 - 1e-6) * 0.25 * list->skin * list->skin;
    double period[GAS_MAX_DIM], half[GAS_MAX_DIM];
    for (size_t k = 0; k < dim; k++) {
        const bool periodic = problem->boundary[k] == SHOAL_GAS_PERIODIC;
        period[k] = periodic ? problem->length[k] : 0;
        half[k] = periodic ? 0.5 * problem->length[k] : INFINITY;
    }
    size_t astray = 0;
#pragma omp parallel num_threads(thread_choice_threads(problem->choice)) reduction(+ : astray)
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t place = 0; place < n; place++) {
            const size_t i = list->grid.order[place];
            double d = 0;
            for (size_t k = 0; k < dim; k++) {
                const double built_at = list->built_at[i * dim + k];
                double x = position[i * dim + k];
                x = x - built_at > half[k] ? x - period[k] : x - built_at < -half[k] ? x + period[k] : x;
                d += (x - built_at) * (x - built_at);
                list->x[k * n + place] = x;
            }
            astray += !(d <= allowed2);
        }
        thread_choice_work(problem->choice, start);
    }
    return astray == 0;
}

/* Build ------------------------------------------------------------------------------------------------ */

/* Ranges of places that hold the particles of a box and of the boxes around it; boxes whose places are
 * adjacent form one range. places: number of places in all ranges. */
struct pieces {
    uint32_t first[GAS_GRID_AROUND], end[GAS_GRID_AROUND];
    size_t count, places;
};

static void find_pieces(const struct gas_grid *grid, size_t box, struct pieces *pieces)
{
    size_t around[GAS_GRID_AROUND];
    const size_t count = gas_grid_around(grid, box, around);
    pieces->count = pieces->places = 0;
    for (size_t b = 0; b < count; b++) {
        const uint32_t first = grid->first[around[b]], end = grid->first[around[b] + 1];
        pieces->places += end - first;
        if (pieces->count && pieces->end[pieces->count - 1] == first) {
            pieces->end[pieces->count - 1] = end;
            continue;
        }
        pieces->first[pieces->count] = first;
        pieces->end[pieces->count++] = end;
    }
}

static bool make_room(struct gas_list_block *block, size_t more)
{
    if (block->pairs + more <= block->room)
        return true;
    const size_t room = block->pairs + more + block->room / 2;
    uint32_t *near = realloc(block->near, room * sizeof *near);
    if (!near)
        return false;
    block->near = near;
    block->room = room;
    return true;
}

/* The periods by which difference_along computes differences of nearest images, for positions less than three
 * halves of a period apart. The arguments `dim` and `crosses` of the functions are compile-time constants at
 * each call. */
struct metric {
    double period[GAS_MAX_DIM]; /* infinity: the axis is not periodic */
};

static struct metric metric_of(const struct gas_problem *problem)
{
    struct metric metric;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        metric.period[k] =
            k < problem->dim && problem->boundary[k] == SHOAL_GAS_PERIODIC ? problem->length[k] : INFINITY;
    return metric;
}

ALWAYS_INLINE double difference_along(const struct metric *metric, size_t axis, bool crosses, double plain)
{
    if (!crosses)
        return plain;
    const double period = metric->period[axis], half = 0.5 * period;
    return plain - (plain > half ? period : 0) + (plain < -half ? period : 0);
}

/* Appends the neighbours of the particle at `place` to the block: the particles of `pieces` within cutoff +
 * skin. The block must have room for all particles of `pieces`. */
ALWAYS_INLINE void append_near(const struct gas_host_list *list, const struct metric *metric, size_t dim,
                               bool crosses, size_t place, const struct pieces *pieces,
                               struct gas_list_block *block)
{
    const double range = list->problem->pair.cutoff + list->skin, range2 = range * range;
    const double *x = list->x;
    const size_t n = list->problem->n;
    uint32_t *near = block->near + block->pairs;
    size_t found = 0;
    for (size_t p = 0; p < pieces->count; p++)
        for (uint32_t other = pieces->first[p]; other < pieces->end[p]; other++) {
            double d = 0;
            for (size_t k = 0; k < dim; k++) {
                const double along =
                    difference_along(metric, k, crosses, x[k * n + place] - x[k * n + other]);
                d += along * along;
            }
            near[found] = other;
            found += (size_t)(d < range2) & (size_t)(other != place);
        }
    list->counts[place] = (uint32_t)found;
    block->pairs += found;
}

/* Whether a neighbour of the particle at `place` may have its nearest image across a periodic border. */
static bool is_near_border(const struct gas_host_list *list, size_t place)
{
    const struct gas_problem *problem = list->problem;
    const double range = problem->pair.cutoff + list->skin;
    for (size_t k = 0; k < problem->dim; k++) {
        const double x = list->x[k * problem->n + place];
        /* The range is increased a little, as a margin for rounding. */
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC &&
            !(x > 1.001 * range && x < problem->length[k] - 1.001 * range))
            return true;
    }
    return false;
}

/* Finds the neighbours of the particles of block `at`. False: there is no memory. */
static bool make_block(struct gas_host_list *list, size_t at)
{
    const struct gas_problem *problem = list->problem;
    const struct gas_grid *grid = &list->grid;
    const struct metric metric = metric_of(problem);
    struct gas_list_block *block = &list->blocks[at];
    struct pieces pieces;
    size_t box = gas_grid_box(grid, list->built_at + grid->order[at * PLACES] * problem->dim);
    find_pieces(grid, box, &pieces);
    block->pairs = 0;
    for (size_t place = at * PLACES; place < end_of(problem, at); place++) {
        if (place >= grid->first[box + 1]) {
            while (place >= grid->first[box + 1])
                box++;
            find_pieces(grid, box, &pieces);
        }
        if (!make_room(block, pieces.places))
            return false;
        const bool crosses = list->crosses[place] = is_near_border(list, place);
        if (problem->dim == 2 && !crosses)
            append_near(list, &metric, 2, false, place, &pieces, block);
        else if (problem->dim == 2)
            append_near(list, &metric, 2, true, place, &pieces, block);
        else if (!crosses)
            append_near(list, &metric, 3, false, place, &pieces, block);
        else
            append_near(list, &metric, 3, true, place, &pieces, block);
    }
    return true;
}

/* Builds the list for the positions in list->built_at. */
static enum shoal_status make(struct gas_host_list *list, struct shoal_error *error)
{
    const struct gas_problem *problem = list->problem;
    const double start = clock_seconds();
    int failures = 0;
    gas_grid_destroy(&list->grid);
    list->is_built = false;
    enum shoal_status status =
        gas_grid_create(problem, list->built_at, problem->pair.cutoff + list->skin, &list->grid, error);
    if (status)
        return status;
    (void)take_positions(list, list->built_at);
    for (size_t place = 0; place < problem->n && list->species; place++)
        list->species[place] = problem->species->of[list->grid.order[place]];
#pragma omp parallel num_threads(thread_choice_threads(problem->choice)) reduction(+ : failures)
    {
        const double work_start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
        for (size_t block = 0; block < blocks_of(problem); block++)
            failures += !long_step_look(problem->long_step) && !make_block(list, block);
        thread_choice_work(problem->choice, work_start);
    }
    list->is_built = !failures && !long_step_is_cut(problem->long_step);
    list->make_s += clock_seconds() - start;
    return failures ? fail_host_memory(error) : long_step_status(problem->long_step, error);
}

enum shoal_status gas_host_list_follow(struct gas_host_list *list, const double *position,
                                       struct shoal_error *error)
{
    const struct gas_problem *problem = list->problem;
    enum shoal_status status = SHOAL_OK;
    const bool is_kept = list->rebuilds && !list->is_void;
    if (is_kept && !list->is_built)
        status = make(list, error);
    if (status || (is_kept && take_positions(list, position)))
        return status;
    list->is_void = false;
    memcpy(list->built_at, position, problem->n * problem->dim * sizeof *position);
    status = make(list, error);
    /* A build that was cut counts, too: the next call repeats it for the same positions without counting it.
     */
    list->rebuilds += !status || status == SHOAL_STOPPED;
    return status;
}

double gas_host_list_mean(const struct gas_host_list *list)
{
    size_t pairs = 0;
    for (size_t block = 0; list->is_built && block < blocks_of(list->problem); block++)
        pairs += list->blocks[block].pairs;
    return list->is_built ? (double)pairs / (double)list->problem->n : NAN;
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Pairs of a block whose forces are computed together: coordinate differences, squared distance d, force
 * divided by distance, and energy. */
struct batch {
    double difference[GAS_MAX_DIM][PAIRS], d[PAIRS], force[PAIRS], energy[PAIRS];
    const struct gas_pair *pairs[PAIRS]; /* constants of each pair, with several species */
};

/* A point in the pairs of a block: `left` pairs of the particle at `place` are still to come. */
struct walk {
    size_t place;
    uint32_t left;
};

/* Pairs first .. end - 1 of a batch, which are pairs of the particle at `place`. */
struct run {
    size_t place, first, end;
};

/* Returns the next pairs of a particle, which are the pairs of the batch from `first` on, before `end`. */
static inline struct run next_run(const struct gas_host_list *list, struct walk *walk, size_t first,
                                  size_t end)
{
    while (!walk->left)
        walk->left = list->counts[++walk->place];
    const size_t count = walk->left < end - first ? walk->left : end - first;
    walk->left -= (uint32_t)count;
    return (struct run){walk->place, first, first + count};
}

ALWAYS_INLINE void find_differences(const struct gas_host_list *list, const struct metric *metric, size_t dim,
                                    bool crosses, struct run run, const uint32_t *near, struct batch *batch)
{
    const double *x = list->x;
    const size_t n = list->problem->n;
    for (size_t c = run.first; c < run.end; c++) {
        double d = 0;
        for (size_t k = 0; k < dim; k++) {
            const double along =
                difference_along(metric, k, crosses, x[k * n + run.place] - x[k * n + near[c]]);
            batch->difference[k][c] = along;
            d += along * along;
        }
        batch->d[c] = d;
    }
}

static void find_pairs(const struct gas_host_list *list, struct run run, const uint32_t *near,
                       struct batch *batch)
{
    const struct gas_pair *pairs = list->problem->species->pair[list->species[run.place]];
    for (size_t c = run.first; c < run.end; c++)
        batch->pairs[c] = &pairs[list->species[near[c]]];
}

static void fill(const struct gas_host_list *list, const struct metric *metric, struct walk *walk,
                 const uint32_t *near, size_t pairs, struct batch *batch)
{
    for (size_t at = 0; at < pairs;) {
        const struct run run = next_run(list, walk, at, pairs);
        const bool crosses = list->crosses[run.place];
        if (list->problem->dim == 2 && !crosses)
            find_differences(list, metric, 2, false, run, near, batch);
        else if (list->problem->dim == 2)
            find_differences(list, metric, 2, true, run, near, batch);
        else if (!crosses)
            find_differences(list, metric, 3, false, run, near, batch);
        else
            find_differences(list, metric, 3, true, run, near, batch);
        if (list->species)
            find_pairs(list, run, near, batch);
        at = run.end;
    }
}

/* Sums over the pairs of each particle of a block: force, energy, virial. */
struct sums {
    double force[PLACES][GAS_MAX_DIM], energy[PLACES], virial[PLACES];
};

ALWAYS_INLINE void add_forces(const struct batch *batch, size_t dim, struct run run, double *force)
{
    double sum[GAS_MAX_DIM];
    for (size_t k = 0; k < dim; k++)
        sum[k] = force[k];
    for (size_t c = run.first; c < run.end; c++)
        for (size_t k = 0; k < dim; k++)
            sum[k] += batch->force[c] * batch->difference[k][c];
    for (size_t k = 0; k < dim; k++)
        force[k] = sum[k];
}

static void add_up(const struct gas_host_list *list, struct walk *walk, size_t begin, size_t pairs,
                   const struct batch *batch, bool energies, struct sums *sums)
{
    for (size_t at = 0; at < pairs;) {
        const struct run run = next_run(list, walk, at, pairs);
        const size_t target = run.place - begin;
        at = run.end;
        for (size_t c = run.first; energies && c < run.end; c++) {
            sums->energy[target] += batch->energy[c];
            sums->virial[target] += batch->force[c] * batch->d[c];
        }
        if (energies)
            continue;
        if (list->problem->dim == 2)
            add_forces(batch, 2, run, sums->force[target]);
        else
            add_forces(batch, 3, run, sums->force[target]);
    }
}

static void sum_block(const struct gas_host_list *list, size_t at, bool energies, struct sums *sums)
{
    const struct gas_list_block *block = &list->blocks[at];
    const struct metric metric = metric_of(list->problem);
    const size_t begin = at * PLACES;
    struct walk filled = {begin, list->counts[begin]}, added = filled;
    struct batch batch;
    memset(sums, 0, sizeof *sums);
    for (size_t first = 0; first < block->pairs; first += PAIRS) {
        const size_t pairs = block->pairs - first < PAIRS ? block->pairs - first : PAIRS;
        fill(list, &metric, &filled, block->near + first, pairs, &batch);
        if (list->species)
            gas_host_mixed_pairs(list->problem, pairs, batch.pairs, batch.d, batch.force,
                                 energies ? batch.energy : NULL);
        else
            gas_host_pairs(list->problem, pairs, batch.d, batch.force, energies ? batch.energy : NULL);
        add_up(list, &added, begin, pairs, &batch, energies, sums);
    }
}

void gas_host_list_forces(const struct gas_host_list *list, double *acceleration)
{
    const struct gas_problem *problem = list->problem;
#pragma omp parallel num_threads(thread_choice_threads(problem->choice))
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
        for (size_t block = 0; block < blocks_of(problem); block++) {
            struct sums sums;
            if (long_step_look(problem->long_step))
                continue;
            sum_block(list, block, false, &sums);
            for (size_t place = block * PLACES; place < end_of(problem, block); place++) {
                const size_t i = list->grid.order[place];
                const double mass = gas_mass(problem, i);
                for (size_t k = 0; k < problem->dim; k++)
                    acceleration[i * problem->dim + k] = sums.force[place % PLACES][k] / mass;
            }
        }
        thread_choice_work(problem->choice, start);
    }
}

void gas_host_list_energies(const struct gas_host_list *list, double *energy, double *virial)
{
    const struct gas_problem *problem = list->problem;
#pragma omp parallel for num_threads(thread_choice_threads(problem->choice)) schedule(dynamic)
    for (size_t block = 0; block < blocks_of(problem); block++) {
        struct sums sums;
        sum_block(list, block, true, &sums);
        for (size_t place = block * PLACES; place < end_of(problem, block); place++) {
            energy[list->grid.order[place]] = 0.5 * sums.energy[place % PLACES];
            virial[list->grid.order[place]] = 0.5 * sums.virial[place % PLACES];
        }
    }
}
