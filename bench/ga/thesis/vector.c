/* The genetic algorithm of the thesis for the vector units of a CPU. This file is built several times, see
 * meson.build: THESIS_GA_TWIN names the result, THESIS_COMPILER its compiler and flags.
 *
 * Gene d of individual i is at d * stride + i. Every loop over individuals or pairs is vector code, except
 * the running sums of the roulette and the list of those that mutate.
 */
#include "bench/ga/thesis/cpu.h"
#include "bench/ga/thesis/random.h"

#include "thesis_build.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, FLOATS = LINE / sizeof(float), MUTATION_WORDS = 3 };

struct island {
    struct mt19937 random;
    /* sums: running sums of the roulette's fitness; during an evaluation the product */
    float *genes, *next, *value, *sums;
    /* first, second: parents of the pairs; later the individuals that mutate */
    uint32_t *words, *first, *second;
    float best;
};

struct thesis_ga {
    struct thesis_ga_problem problem;
    size_t stride; /* distance from one gene to the next */
    struct island *islands;
};

/* Points to be evaluated: gene d of point i is at d * stride + i of `x`. */
struct points {
    const float *x;
    float *value, *product;
    size_t dim, count, stride;
};

/* Is inlined for each function separately, so that no loop has to ask which function it is. */
static inline __attribute__((always_inline)) void values_of(enum thesis_ga_function function,
                                                            const struct points *points)
{
    float *restrict sum = points->value, *restrict product = points->product;
    for (size_t i = 0; i < points->count; i++) {
        sum[i] = 0;
        product[i] = 1;
    }
    for (size_t d = 0; d < points->dim; d++) {
        const float *restrict x = points->x + d * points->stride, *restrict before =
                                                                      d ? x - points->stride : x;
        const float scale = gene_scale(d);
#pragma omp simd
        for (size_t i = 0; i < points->count; i++)
            add_gene(function, x[i], before[i], d, scale, &sum[i], &product[i]);
    }
#pragma omp simd
    for (size_t i = 0; i < points->count; i++)
        sum[i] = whole_value(function, sum[i], product[i]);
}

static void evaluate_points(enum thesis_ga_function function, const struct points *points)
{
    switch (function) {
    case THESIS_GRIEWANK:
        values_of(THESIS_GRIEWANK, points);
        break;
    case THESIS_GRIEWANK_100:
        values_of(THESIS_GRIEWANK_100, points);
        break;
    case THESIS_MICHALEWICZ:
        values_of(THESIS_MICHALEWICZ, points);
        break;
    case THESIS_ROSENBROCK:
        values_of(THESIS_ROSENBROCK, points);
        break;
    }
}

static void evaluate(enum thesis_ga_function function, size_t dim, size_t count, const float *x, float *y)
{
    enum { PIECE = 1024 };
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i += PIECE) {
        float product[PIECE];
        const size_t left = count - i;
        const struct points points = {x + i, y + i, product, dim, left < PIECE ? left : PIECE, count};
        evaluate_points(function, &points);
    }
}

static void evaluate_island(const struct thesis_ga *ga, struct island *island)
{
    const struct points points = {island->genes,   island->value,          island->sums,
                                  ga->problem.dim, ga->problem.population, ga->stride};
    const float *restrict value = island->value;
    float best = island->best;
    evaluate_points(ga->problem.function, &points);
#pragma omp simd reduction(min : best)
    for (size_t i = 0; i < points.count; i++)
        best = value[i] < best ? value[i] : best;
    island->best = best;
}

/* Makes the running sums of the normalised fitness, adding one number after the other as the scalar twin
 * does. */
static void sum_fitness(const struct thesis_ga_problem *problem, struct island *island)
{
    const float *restrict value = island->value;
    float *restrict sums = island->sums;
    float best = value[0], worst = best, sum = 0;
#pragma omp simd reduction(min : best) reduction(max : worst)
    for (size_t i = 0; i < problem->population; i++) {
        best = value[i] < best ? value[i] : best;
        worst = value[i] > worst ? value[i] : worst;
    }
    const float range = worst - best;
#pragma omp simd
    for (size_t i = 0; i < problem->population; i++)
        sums[i] = range > 0 ? (worst - value[i]) / range : 1;
    for (size_t i = 0; i < problem->population; i++)
        sums[i] = sum += sums[i];
}

/* Returns the first place whose sum exceeds the number drawn. */
static uint32_t turn_wheel(const float *sums, uint32_t count, uint32_t word)
{
    const float drawn = uniform_of(word) * sums[count - 1];
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sums[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Number of words for a pair: two or four for its parents, one to decide whether it crosses, one for
 * where. */
static size_t pair_words(const struct thesis_ga_problem *problem)
{
    return problem->roulette ? 4 : 6;
}

static void select_parents(const struct thesis_ga_problem *problem, struct island *island)
{
    const size_t pairs = problem->population / 2;
    const uint32_t count = (uint32_t)problem->population;
    const uint32_t *restrict words = island->words;
    const float *restrict value = island->value;
    uint32_t *restrict first = island->first, *restrict second = island->second;
    if (problem->roulette) {
        sum_fitness(problem, island);
        for (size_t p = 0; p < pairs; p++) {
            first[p] = turn_wheel(island->sums, count, words[4 * p]);
            second[p] = turn_wheel(island->sums, count, words[4 * p + 1]);
        }
        return;
    }
#pragma omp simd
    for (size_t p = 0; p < pairs; p++) {
        const uint32_t a = index_of(words[6 * p], count), b = index_of(words[6 * p + 1], count),
                       c = index_of(words[6 * p + 2], count), d = index_of(words[6 * p + 3], count);
        first[p] = value[b] < value[a] ? b : a;
        second[p] = value[d] < value[c] ? d : c;
    }
}

/* Gives the pairs that do not cross the members at their own places instead of the members that were
 * selected. */
static void take_back(const struct thesis_ga_problem *problem, struct island *island)
{
    const size_t pairs = problem->population / 2, each = pair_words(problem);
    const float rate = (float)problem->crossover_rate;
    const uint32_t *restrict words = island->words + each - 2;
    uint32_t *restrict first = island->first, *restrict second = island->second;
#pragma omp simd
    for (size_t p = 0; p < pairs; p++) {
        const bool crosses = uniform_of(words[each * p]) < rate;
        first[p] = crosses ? first[p] : (uint32_t)p;
        second[p] = crosses ? second[p] : (uint32_t)(pairs + p);
    }
}

static void cross(const struct thesis_ga *ga, struct island *island)
{
    const struct thesis_ga_problem *problem = &ga->problem;
    const size_t pairs = problem->population / 2, each = pair_words(problem);
    const uint32_t inner = problem->dim > 1 ? (uint32_t)problem->dim - 1 : 0;
    const float rate = (float)problem->crossover_rate;
    const bool single_point = problem->single_point;
    const uint32_t *restrict words = island->words + each - 2, *restrict first = island->first,
                             *restrict second = island->second;
    for (uint32_t d = 0; d < problem->dim; d++) {
        const float *restrict genes = island->genes + d * ga->stride;
        float *restrict one = island->next + d * ga->stride, *restrict other = one + pairs;
#pragma omp simd
        for (size_t p = 0; p < pairs; p++) {
            const uint32_t where = words[each * p + 1];
            const bool crosses = uniform_of(words[each * p]) < rate;
            const bool swaps = crosses & single_point & (d > index_of(where, inner)) & (inner > 0);
            const float weight = (crosses & !single_point) ? uniform_of(where) : 1;
            const float a = genes[first[p]], b = genes[second[p]], mine = swaps ? b : a,
                        theirs = swaps ? a : b;
            one[p] = weight * mine + (1 - weight) * theirs;
            other[p] = (1 - weight) * mine + weight * theirs;
        }
    }
}

static void mutate(const struct thesis_ga *ga, struct island *island)
{
    const struct thesis_ga_problem *problem = &ga->problem;
    const float lower = (float)thesis_ga_lower(problem->function),
                upper = (float)thesis_ga_upper(problem->function);
    const float rate = (float)problem->mutation_rate, sigma = (float)problem->sigma;
    uint32_t *restrict words = island->words, *restrict places = island->first;
    float *restrict normals = island->sums;
    size_t count = 0;
    mt19937_fill(&island->random, words, problem->population);
    for (size_t i = 0; i < problem->population; i++) {
        places[count] = (uint32_t)i;
        count += uniform_of(words[i]) < rate;
    }
    mt19937_fill(&island->random, words, count * MUTATION_WORDS);
#pragma omp simd
    for (size_t k = 0; k < count; k++)
        normals[k] = normal_of(words[MUTATION_WORDS * k + 1], words[MUTATION_WORDS * k + 2]);
    for (size_t k = 0; k < count; k++) {
        const size_t d = index_of(words[MUTATION_WORDS * k], (uint32_t)problem->dim);
        float *gene = island->next + d * ga->stride + places[k];
        *gene += sigma * normals[k];
        *gene = *gene < lower ? lower : *gene > upper ? upper : *gene;
    }
}

static void keep_elite(const struct thesis_ga *ga, const struct island *island)
{
    size_t best = 0;
    for (size_t i = 1; i < ga->problem.population; i++)
        best = island->value[i] < island->value[best] ? i : best;
    for (size_t d = 0; d < ga->problem.dim; d++)
        island->next[d * ga->stride] = island->genes[d * ga->stride + best];
}

static void generation(const struct thesis_ga *ga, struct island *island)
{
    const struct thesis_ga_problem *problem = &ga->problem;
    mt19937_fill(&island->random, island->words, pair_words(problem) * (problem->population / 2));
    select_parents(problem, island);
    if (problem->conditional)
        take_back(problem, island);
    cross(ga, island);
    mutate(ga, island);
    if (problem->elitism)
        keep_elite(ga, island);
    float *genes = island->genes;
    island->genes = island->next;
    island->next = genes;
    evaluate_island(ga, island);
}

static void run(struct thesis_ga *ga, size_t generations)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < ga->problem.islands; k++)
        for (size_t g = 0; g < generations; g++)
            generation(ga, &ga->islands[k]);
}

static void destroy(struct thesis_ga *ga)
{
    for (size_t k = 0; ga && ga->islands && k < ga->problem.islands; k++) {
        const struct island *island = &ga->islands[k];
        void *const arrays[] = {island->genes, island->next,  island->value, island->sums,
                                island->words, island->first, island->second};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]);
    }
    if (ga)
        free(ga->islands);
    free(ga);
}

/* Allocates an array of whole cache lines. */
static void *array_of(size_t words)
{
    return aligned_alloc(LINE, (words * sizeof(float) + LINE - 1) / LINE * LINE);
}

static bool begin_island(const struct thesis_ga *ga, size_t k)
{
    const struct thesis_ga_problem *problem = &ga->problem;
    struct island *island = &ga->islands[k];
    const size_t population = problem->population, count = ga->stride * problem->dim;
    const float lower = (float)thesis_ga_lower(problem->function),
                width = (float)thesis_ga_upper(problem->function) - lower;
    island->genes = array_of(count);
    island->next = array_of(count);
    island->value = array_of(population);
    island->sums = array_of(population);
    island->words = array_of(MUTATION_WORDS * population);
    island->first = array_of(population);
    island->second = array_of(population);
    if (!island->genes || !island->next || !island->value || !island->sums || !island->words ||
        !island->first || !island->second)
        return false;
    mt19937_seed(&island->random, problem->seed + (uint32_t)k);
    for (size_t i = 0; i < population; i++)
        for (size_t d = 0; d < problem->dim; d++)
            island->genes[d * ga->stride + i] = lower + width * uniform_of(mt19937_word(&island->random));
    island->best = INFINITY;
    evaluate_island(ga, island);
    return true;
}

static struct thesis_ga *create(const struct thesis_ga_problem *problem)
{
    struct thesis_ga *ga = calloc(1, sizeof *ga);
    if (!ga)
        return NULL;
    ga->problem = *problem;
    ga->stride = (problem->population + FLOATS - 1) / FLOATS * FLOATS;
    ga->islands = calloc(problem->islands, sizeof *ga->islands);
    bool complete = ga->islands != NULL;
    for (size_t k = 0; complete && k < problem->islands; k++)
        complete = begin_island(ga, k);
    if (!complete) {
        destroy(ga);
        return NULL;
    }
    return ga;
}

static float gene(const struct thesis_ga *ga, size_t island, size_t i, size_t d)
{
    return ga->islands[island].genes[d * ga->stride + i];
}

static float value(const struct thesis_ga *ga, size_t island, size_t i)
{
    return ga->islands[island].value[i];
}

static float best(const struct thesis_ga *ga, size_t island)
{
    return ga->islands[island].best;
}

const struct thesis_ga_twin THESIS_GA_TWIN = {"vector", THESIS_COMPILER, create, destroy, run, evaluate,
                                              gene,     value,           best};
