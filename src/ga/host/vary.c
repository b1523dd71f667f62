/* The children of the host solver: crossover, mutation and bounds of the texts that the kernels have too. */
#include "ga/host/host.h"

#include "ga/host/model.h"

/* A pair of children that are made. */
struct pair {
    struct ga_place place;
    uint32_t index; /* of the first child */
    size_t entry;   /* of the rates */
    double *children[2];
};

static double lower_of(const struct ga_problem *problem, size_t d)
{
    return problem->search.lower[d];
}

static double upper_of(const struct ga_problem *problem, size_t d)
{
    return problem->search.upper[d];
}

static struct shoal_words draw_words(const struct pair *pair, uint32_t stream, uint32_t index, uint32_t draw)
{
    return shoal_random_words(pair->place.seed, stream, pair->place.step, index, draw);
}

void ga_host_draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    const struct ga_problem *problem = &ga_host_of(search)->problem;
    const size_t dim = problem->search.dim, island = i / problem->search.width;
    const struct ga_place place = ga_host_place(problem, island, search->islands[island].restarts);
    const uint32_t index = place.first + (uint32_t)(i % problem->search.width);
    struct shoal_words words = {0};
    for (size_t d = 0; d < dim; d++) {
        if (d % 4 == 0)
            words = shoal_random_words(place.seed, SHOAL_STREAM_GA_START, place.step, index, (uint32_t)d / 4);
        const double width = upper_of(problem, d) - lower_of(problem, d);
        search->x[i * dim + d] =
            min(lower_of(problem, d) + uniform(word_at(words, (uint)d % 4)) * width, upper_of(problem, d));
    }
}

/* Crossover --------------------------------------------------------------------------------------------- */

static cross_shape cross_shape_of(const struct ga_problem *problem)
{
    const double power = problem->params->crossover_eta + 1;
    return (cross_shape){power, 1 / power, problem->alpha};
}

/* The word of gene d, `words` being those of the block before or the same. */
static uint32_t gene_word(const struct pair *pair, enum cross_words kind, size_t d, struct shoal_words *words)
{
    const size_t word = kind == CROSS_BITS ? d / 32 : d, genes = kind == CROSS_BITS ? 128 : 4;
    if (kind == CROSS_NO_WORDS)
        return 0;
    if (d % genes == 0)
        *words = draw_words(pair, SHOAL_STREAM_GA_CROSS_GENE, pair->index, (uint32_t)word / 4);
    return word_at(*words, (uint)word % 4);
}

static void cross(const struct ga_problem *problem, const struct pair *pair, const double *a, const double *b,
                  int a_is_better)
{
    const struct shoal_ga_params *params = problem->params;
    const size_t dim = problem->search.dim;
    const uint kind = (uint)params->crossover, bounds = (uint)params->bounds;
    const cross_shape shape = cross_shape_of(problem);
    const uint32_t threshold = problem->rates[pair->entry * RATE_WORDS(dim) + RATE_CROSS];
    const struct shoal_words own = draw_words(pair, SHOAL_STREAM_GA_PAIR, pair->index, 0);
    const uint32_t second =
        kind == CROSS_TWO_POINT ? draw_words(pair, SHOAL_STREAM_GA_PAIR, pair->index, 1).x : 0;
    const crossing c =
        crossing_of(kind, own.z, own.w, second, threshold, (uint)dim, shape.alpha, a_is_better);
    const bool is_bounded = crossover_leaves_box(kind);
    struct shoal_words words = {0};
    if (!c.crosses) {
        memcpy(pair->children[0], a, dim * sizeof *a);
        memcpy(pair->children[1], b, dim * sizeof *b);
        return;
    }
    for (size_t d = 0; d < dim; d++) {
        const double lower = lower_of(problem, d), upper = upper_of(problem, d);
        const gene_pair parents = {a[d], b[d]};
        gene_pair children = crossed(kind, parents, c, (uint)d, gene_word(pair, cross_words(kind), d, &words),
                                     lower, upper, shape, a_is_better);
        if (is_bounded) {
            children.a = bounded(bounds, children.a, lower, upper);
            children.b = bounded(bounds, children.b, lower, upper);
        }
        pair->children[0][d] = children.a;
        pair->children[1][d] = children.b;
    }
}

/* Mutation ---------------------------------------------------------------------------------------------- */

static void mutate_gene(const struct ga_problem *problem, double *x, size_t d, double number)
{
    const struct shoal_ga_params *params = problem->params;
    const double lower = lower_of(problem, d), upper = upper_of(problem, d), power = params->mutation_eta + 1;
    const mutate_shape shape = {power, 1 / power, params->sigma};
    const uint kind = (uint)params->mutation;
    x[d] = mutated(kind, x[d], number, lower, upper, shape, params->sigma_unit == SHOAL_GA_SIGMA_BOX);
    if (mutation_leaves_box(kind))
        x[d] = bounded((uint)params->bounds, x[d], lower, upper);
}

/* The genes of a child behind its first mutated one, gene d. */
static void mutate_further(const struct ga_problem *problem, const struct pair *pair, uint32_t child,
                           size_t d)
{
    const size_t dim = problem->search.dim;
    const uint32_t *next = problem->rates + pair->entry * RATE_WORDS(dim) + RATE_TABLES + dim;
    for (uint32_t draw = 1; next[dim - 1] > 0; draw++) {
        const struct shoal_words words = draw_words(pair, SHOAL_STREAM_GA_MUTATE, pair->index + child, draw);
        double numbers[2];
        mutation_numbers((uint)problem->params->mutation, words.z, words.w, &numbers[0], &numbers[1]);
        for (uint32_t i = 0; i < 2; i++) {
            d += 1 + first_threshold(next, (uint)dim, word_at(words, i) >> 1);
            if (d >= dim)
                return;
            mutate_gene(problem, pair->children[child], d, numbers[i]);
        }
    }
}

static void mutate(const struct ga_problem *problem, const struct pair *pair, uint32_t count)
{
    const size_t dim = problem->search.dim;
    const uint32_t *first = problem->rates + pair->entry * RATE_WORDS(dim) + RATE_TABLES;
    if (problem->params->mutation == SHOAL_GA_NO_MUTATION)
        return;
    const struct shoal_words words = draw_words(pair, SHOAL_STREAM_GA_MUTATE, pair->index, 0);
    double numbers[2];
    mutation_numbers((uint)problem->params->mutation, words.z, words.w, &numbers[0], &numbers[1]);
    for (uint32_t child = 0; child < count; child++) {
        const size_t d = first_threshold(first, (uint)dim, word_at(words, child) >> 1);
        if (d >= dim)
            continue;
        mutate_gene(problem, pair->children[child], d, numbers[child]);
        mutate_further(problem, pair, child, d);
    }
}

/* Children 2p and 2p + 1 are made together, with the first one. */
void ga_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct ga_host *host = ga_host_of(search);
    const struct ga_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, island = i / problem->search.width;
    const size_t child = i % problem->search.width;
    if (!problem->is_cellular && child % 2)
        return;
    const bool is_alone = problem->is_cellular || child + 1 == problem->search.points;
    const size_t number = problem->is_cellular ? child : child / 2;
    const struct ga_parents parents = ga_host_select(host, island, number, step);
    const struct ga_place place = ga_host_place(problem, island, step);
    const size_t first = island * problem->search.members;
    const double *values = search->best + first;
    const struct pair pair = {
        .place = place,
        .index = place.first + (uint32_t)child,
        .entry = problem->rate_entries > 1 ? island % problem->search.run_islands : 0,
        .children = {search->x + i * dim, is_alone ? scratch : search->x + (i + 1) * dim}};
    cross(problem, &pair, search->p + (first + parents.a) * dim, search->p + (first + parents.b) * dim,
          precedes(values[parents.a], parents.a, values[parents.b], parents.b));
    mutate(problem, &pair, is_alone ? 1 : 2);
}
