/* Local search of children on the host: docs/ga.md, "Local search". */
#include "ga/host/host.h"
#include "ga/model/tours.h"
#include "objective/variables/variables.h"
#include "search/space.h"

#include <string.h>

#include "ga/host/model.h"

/* The local search of one child. */
struct climb {
    const struct ga_problem *problem;
    struct search_host *search;
    size_t thread;
    struct ga_place place;
    uint32_t index; /* index of the child in the counters of random numbers */
    double *x;      /* the child after the last move */
    double *genes;  /* bits or order of the child */
    double *point;  /* point of the child, from which the objective computes changes of the value */
    double *best;   /* bits or order with the best value so far */
    uint32_t *until;
    double value, least;
    uint64_t evaluated; /* number of moves evaluated */
};

static void apply(const struct climb *climb, gene_move move)
{
    double *genes = climb->genes;
    const double gene = genes[move.i];
    switch (climb->problem->improve.moves) {
    case MOVES_FLIP:
        genes[move.i] = 1 - gene;
        break;
    case MOVES_SWAP:
        genes[move.i] = genes[move.j];
        genes[move.j] = gene;
        break;
    default:
        genes_insert(genes, move.i, move.j);
    }
}

static void take_back(const struct climb *climb, gene_move move)
{
    apply(climb, climb->problem->improve.moves == MOVES_INSERTION ? (gene_move){move.j, move.i} : move);
}

/* Returns the value that the search compares after a move. */
static double value_behind(const struct climb *climb, gene_move move)
{
    const struct search_problem *search = &climb->problem->search;
    double value;
    if (climb->problem->improve.by_change) {
        value = climb->value + search_change(search, climb->x, climb->point, move.i, move.j);
        return isfinite(value) ? value : INFINITY;
    }
    apply(climb, move);
    value = search_value_in_step(search, climb->x, climb->place.step, climb->point);
    take_back(climb, move);
    return value;
}

static tabu_entries entries_of(const struct climb *climb, gene_move move, bool is_behind)
{
    const struct ga_improve *improve = &climb->problem->improve;
    const uint p = (uint)climb->genes[move.i];
    const uint q = improve->moves == MOVES_SWAP ? (uint)climb->genes[move.j] : 0;
    return is_behind && improve->moves == MOVES_SWAP
               ? tabu_entries_of(improve->moves, improve->genes, move, q, p)
               : tabu_entries_of(improve->moves, improve->genes, move, p, q);
}

static bool is_tabu(const struct climb *climb, gene_move move, uint32_t step)
{
    const tabu_entries entries = entries_of(climb, move, true);
    return step < climb->until[entries.a] && step < climb->until[entries.b];
}

static void forbid(const struct climb *climb, gene_move move, uint32_t step, struct shoal_words words)
{
    const uint32_t tenure = climb->problem->improve.tenure;
    const tabu_entries entries = entries_of(climb, move, false);
    climb->until[entries.b] = step + 1 + tenure_of(tenure, words.z);
    climb->until[entries.a] = step + 1 + tenure_of(tenure, words.y);
}

/* Finds the move of a step. Returns false if there is none. */
static bool find_move(struct climb *climb, uint32_t step, uint32_t first, gene_move *found, double *value)
{
    const struct ga_improve *improve = &climb->problem->improve;
    const bool has_tabu = improve->search == SHOAL_GA_TABU;
    bool is_found = false;
    *value = has_tabu ? INFINITY : climb->value;
    if (improve->by_change)
        search_to_point(&climb->problem->search, climb->x, climb->point);
    for (uint32_t rank = 0; rank < improve->count && !search_host_is_cut(climb->search); rank++) {
        const gene_move move =
            move_at(improve->moves, improve->genes, move_number(rank, first, improve->count));
        const double behind = value_behind(climb, move);
        climb->evaluated++;
        search_host_worked(climb->search, climb->thread, SEARCH_MOVE);
        if (!(behind < *value) || (has_tabu && is_tabu(climb, move, step) && !(behind < climb->least)))
            continue;
        *found = move;
        *value = behind;
        is_found = true;
        if (improve->search == SHOAL_GA_FIRST_IMPROVEMENT)
            break;
    }
    return is_found;
}

static void run(struct climb *climb)
{
    const struct ga_improve *improve = &climb->problem->improve;
    const bool has_tabu = improve->search == SHOAL_GA_TABU;
    const size_t bytes = improve->genes * sizeof *climb->best;
    if (has_tabu)
        memset(climb->until, 0, tabu_count(improve->moves, improve->genes) * sizeof *climb->until);
    memcpy(climb->best, climb->genes, bytes);
    for (uint32_t step = 0; step < improve->steps && improve->count && !search_host_is_cut(climb->search);
         step++) {
        const struct shoal_words words = shoal_random_words(climb->place.seed, SHOAL_STREAM_GA_LOCAL,
                                                            climb->place.step, climb->index, step);
        gene_move move;
        double value;
        if (!find_move(climb, step, index_of(words.x, improve->count), &move, &value)) {
            if (has_tabu)
                continue;
            break;
        }
        if (has_tabu)
            forbid(climb, move, step, words);
        apply(climb, move);
        climb->value = value;
        if (value < climb->least) {
            climb->least = value;
            memcpy(climb->best, climb->genes, bytes);
        }
    }
    memcpy(climb->genes, climb->best, bytes);
}

/* Whether a child is among the best `chosen` children of its island. The count ends when `chosen` better
 * children are found, so most children need few comparisons. */
static bool is_among(const double *values, size_t count, size_t child, uint32_t chosen)
{
    uint32_t better = 0;
    for (size_t c = 0; c < count && better < chosen; c++)
        better += (uint32_t)precedes(values[c], (uint)c, values[child], (uint)child);
    return better < chosen;
}

/* Improves a child that is a tour. The local search measures distances as integers, so the objective then
 * computes the value of the child again. */
static void improve_tour(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    /* number of rounds, of about 10 us each, after which the search checks whether the run must end */
    enum { ROUNDS = 64 };
    const struct ga_tours *tours = ga_host_of(search)->problem.improve.tours;
    const size_t thread = search_host_thread_of(search, scratch);
    uint32_t *tour = (uint32_t *)(void *)scratch;
    double *x = search->x + i * search->problem->dim;
    struct tsp_improver *improver = ga_tours_enter(tours, thread, x, tour);
    while (!search_host_is_cut(search) && !tsp_improver_advance(improver, ROUNDS))
        search_host_worked(search, thread, SEARCH_MOVE);
    ga_tours_leave(tours, tour, x);
    search->y[i] = search_value_in_step(search->problem, x, step, scratch);
}

static void improve_child(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct ga_host *host = ga_host_of(search);
    const struct ga_problem *problem = &host->problem;
    const struct ga_improve *improve = &problem->improve;
    const size_t island = i / search->problem->width, child = i % search->problem->width;
    if (search->outside[i] || search_host_is_drawing(search, island) || search_host_is_cut(search))
        return;
    if (improve->chosen < search->problem->points &&
        !is_among(host->judged + i - child, search->problem->points, child, improve->chosen))
        return;
    uint64_t *moves = &search->moves[island / search->problem->run_islands];
    if (improve->tours) {
        improve_tour(search, i, step, scratch);
#pragma omp atomic
        ++*moves;
        return;
    }
    const struct ga_place place = ga_host_place(problem, island, step);
    double *x = search->x + i * search->problem->dim;
    struct climb climb = {.problem = problem,
                          .search = search,
                          .thread = search_host_thread_of(search, scratch),
                          .place = place,
                          .index = place.first + (uint32_t)child,
                          .x = x,
                          .genes = x + improve->first,
                          .point = scratch,
                          .best = scratch + search->problem->dim,
                          .until = (uint32_t *)(void *)(scratch + search->problem->dim + improve->genes),
                          .value = search->y[i],
                          .least = search->y[i]};
    run(&climb);
    /* A value that was updated by changes has their rounding errors, unless values are integers. So the child
     * is evaluated again. */
    search->y[i] = improve->by_change && !search->problem->info->whole_values
                       ? search_value_in_step(search->problem, x, step, scratch)
                       : climb.least;
#pragma omp atomic
    *moves += climb.evaluated;
}

void ga_host_improve(struct search_host *search, size_t run, struct search_team team)
{
    const struct ga_host *host = ga_host_of(search);
    const size_t count = search->problem->run_islands * search->problem->width;
    if (host->problem.improve.search == SHOAL_GA_NO_LOCAL_SEARCH)
        return;
    memcpy(host->judged + run * count, search->y + run * count, count * sizeof *host->judged);
    search_host_for_batch(search, run, 0, team, improve_child);
}

size_t ga_host_improve_numbers(const struct ga_problem *problem)
{
    const struct ga_improve *improve = &problem->improve;
    if (improve->search == SHOAL_GA_NO_LOCAL_SEARCH)
        return 0;
    const size_t entries = improve->search == SHOAL_GA_TABU ? tabu_count(improve->moves, improve->genes) : 0;
    return problem->search.dim + improve->genes + (entries + 1) / 2;
}
