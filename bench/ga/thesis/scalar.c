/* The CPU reference of the thesis: it handles one individual after the other, and the genes of each are in a
 * row. */
#include "bench/ga/thesis/cpu.h"
#include "bench/ga/thesis/random.h"

#include "thesis_build.h"

#include <stdlib.h>
#include <string.h>

struct island {
    struct mt19937 random;
    float *genes, *next; /* one individual after the other */
    float *value, *fitness;
    float best;
};

struct thesis_ga {
    struct thesis_ga_problem problem;
    struct island *islands;
};

/* The value of an individual whose genes are `stride` numbers apart. */
static float value_at(enum thesis_ga_function function, size_t dim, const float *x, size_t stride)
{
    float sum = 0, product = 1;
    for (size_t d = 0; d < dim; d++)
        add_gene(function, x[d * stride], d ? x[(d - 1) * stride] : 0, d, gene_scale(d), &sum, &product);
    return whole_value(function, sum, product);
}

static void evaluate(enum thesis_ga_function function, size_t dim, size_t count, const float *x, float *y)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        y[i] = value_at(function, dim, x + i, count);
}

static void evaluate_all(const struct thesis_ga_problem *problem, struct island *island)
{
    for (size_t i = 0; i < problem->population; i++) {
        island->value[i] = value_at(problem->function, problem->dim, island->genes + i * problem->dim, 1);
        if (island->value[i] < island->best)
            island->best = island->value[i];
    }
}

/* Normalises the fitness for the roulette: the worst individual has 0, the best 1; if all are equal, all have
 * 1. */
static void normalise(const struct thesis_ga_problem *problem, struct island *island)
{
    float best = island->value[0], worst = best;
    for (size_t i = 1; i < problem->population; i++) {
        best = island->value[i] < best ? island->value[i] : best;
        worst = island->value[i] > worst ? island->value[i] : worst;
    }
    for (size_t i = 0; i < problem->population; i++)
        island->fitness[i] = worst > best ? (worst - island->value[i]) / (worst - best) : 1;
}

static size_t turn_wheel(const struct thesis_ga_problem *problem, const struct island *island, uint32_t word)
{
    float all = 0, sum = 0;
    for (size_t i = 0; i < problem->population; i++)
        all += island->fitness[i];
    const float drawn = uniform_of(word) * all;
    for (size_t i = 0; i + 1 < problem->population; i++) {
        sum += island->fitness[i];
        if (sum > drawn)
            return i;
    }
    return problem->population - 1;
}

static size_t play_tournament(const struct thesis_ga_problem *problem, const struct island *island,
                              const uint32_t *words)
{
    const uint32_t count = (uint32_t)problem->population;
    const size_t a = index_of(words[0], count), b = index_of(words[1], count);
    return island->value[b] < island->value[a] ? b : a;
}

/* Selects a parent by the words that were drawn for it. */
static const float *parent(const struct thesis_ga_problem *problem, const struct island *island,
                           const uint32_t *words)
{
    const size_t i =
        problem->roulette ? turn_wheel(problem, island, *words) : play_tournament(problem, island, words);
    return island->genes + i * problem->dim;
}

/* Makes the children of pair p. The words of the parents are drawn in any case, so that both twins use the
 * same words. */
static void cross(const struct thesis_ga_problem *problem, struct island *island, size_t p)
{
    const size_t dim = problem->dim, pairs = problem->population / 2, each = problem->roulette ? 1 : 2;
    float *first = island->next + p * dim, *second = island->next + (pairs + p) * dim;
    uint32_t words[4];
    for (size_t w = 0; w < 2 * each; w++)
        words[w] = mt19937_word(&island->random);
    const bool crosses = uniform_of(mt19937_word(&island->random)) < (float)problem->crossover_rate;
    const uint32_t word = mt19937_word(&island->random);
    const bool selects = crosses || !problem->conditional;
    const float *a = selects ? parent(problem, island, words) : island->genes + p * dim,
                *b = selects ? parent(problem, island, words + each) : island->genes + (pairs + p) * dim;
    const size_t point =
        crosses && problem->single_point && dim > 1 ? 1 + index_of(word, (uint32_t)dim - 1) : dim;
    const float weight = crosses && !problem->single_point ? uniform_of(word) : 1;
    for (size_t d = 0; d < dim; d++) {
        const float mine = d < point ? a[d] : b[d], other = d < point ? b[d] : a[d];
        first[d] = weight * mine + (1 - weight) * other;
        second[d] = (1 - weight) * mine + weight * other;
    }
}

static void mutate(const struct thesis_ga_problem *problem, struct island *island, float *x)
{
    const float lower = (float)thesis_ga_lower(problem->function),
                upper = (float)thesis_ga_upper(problem->function);
    float *gene = x + index_of(mt19937_word(&island->random), (uint32_t)problem->dim);
    const uint32_t radius = mt19937_word(&island->random), angle = mt19937_word(&island->random);
    *gene += (float)problem->sigma * normal_of(radius, angle);
    *gene = *gene < lower ? lower : *gene > upper ? upper : *gene;
}

static void keep_elite(const struct thesis_ga_problem *problem, const struct island *island)
{
    size_t best = 0;
    for (size_t i = 1; i < problem->population; i++)
        if (island->value[i] < island->value[best])
            best = i;
    memcpy(island->next, island->genes + best * problem->dim, problem->dim * sizeof(float));
}

static void generation(const struct thesis_ga_problem *problem, struct island *island)
{
    const size_t pairs = problem->population / 2, dim = problem->dim;
    if (problem->roulette)
        normalise(problem, island);
    for (size_t p = 0; p < pairs; p++)
        cross(problem, island, p);
    /* All decisions come before the mutations: this is the order of the vector twin. */
    for (size_t i = 0; i < problem->population; i++)
        island->fitness[i] = uniform_of(mt19937_word(&island->random));
    for (size_t i = 0; i < problem->population; i++)
        if (island->fitness[i] < (float)problem->mutation_rate)
            mutate(problem, island, island->next + i * dim);
    if (problem->elitism)
        keep_elite(problem, island);
    float *genes = island->genes;
    island->genes = island->next;
    island->next = genes;
    evaluate_all(problem, island);
}

static void run(struct thesis_ga *ga, size_t generations)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < ga->problem.islands; k++)
        for (size_t g = 0; g < generations; g++)
            generation(&ga->problem, &ga->islands[k]);
}

static void destroy(struct thesis_ga *ga)
{
    for (size_t k = 0; ga && ga->islands && k < ga->problem.islands; k++) {
        free(ga->islands[k].genes);
        free(ga->islands[k].next);
        free(ga->islands[k].value);
        free(ga->islands[k].fitness);
    }
    if (ga)
        free(ga->islands);
    free(ga);
}

static bool begin_island(const struct thesis_ga_problem *problem, size_t k, struct island *island)
{
    const size_t population = problem->population, count = population * problem->dim;
    const float lower = (float)thesis_ga_lower(problem->function),
                width = (float)thesis_ga_upper(problem->function) - lower;
    island->genes = malloc(count * sizeof(float));
    island->next = malloc(count * sizeof(float));
    island->value = malloc(population * sizeof(float));
    island->fitness = malloc(population * sizeof(float));
    if (!island->genes || !island->next || !island->value || !island->fitness)
        return false;
    mt19937_seed(&island->random, problem->seed + (uint32_t)k);
    for (size_t i = 0; i < count; i++)
        island->genes[i] = lower + width * uniform_of(mt19937_word(&island->random));
    island->best = INFINITY;
    evaluate_all(problem, island);
    return true;
}

static struct thesis_ga *create(const struct thesis_ga_problem *problem)
{
    struct thesis_ga *ga = calloc(1, sizeof *ga);
    if (!ga)
        return NULL;
    ga->problem = *problem;
    ga->islands = calloc(problem->islands, sizeof *ga->islands);
    bool complete = ga->islands != NULL;
    for (size_t k = 0; complete && k < problem->islands; k++)
        complete = begin_island(problem, k, &ga->islands[k]);
    if (!complete) {
        destroy(ga);
        return NULL;
    }
    return ga;
}

static float gene(const struct thesis_ga *ga, size_t island, size_t i, size_t d)
{
    return ga->islands[island].genes[i * ga->problem.dim + d];
}

static float value(const struct thesis_ga *ga, size_t island, size_t i)
{
    return ga->islands[island].value[i];
}

static float best(const struct thesis_ga *ga, size_t island)
{
    return ga->islands[island].best;
}

const struct thesis_ga_twin thesis_ga_scalar = {"scalar", THESIS_COMPILER, create, destroy, run, evaluate,
                                                gene,     value,           best};
