/* Trials on the host: F and CR, mutants, crossover. */
#include "base/vectors/log.h"
#include "base/vectors/random.h"
#include "de/host/host.h"

#include <math.h>
#include <string.h>

/* The kernel dialect defines these names, which <math.h> also defines. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#ifndef NAME
#define NAME de_host_move
#endif

/* The members whose trials are made together: `count` of them, from member `first` on. */
struct group {
    struct de_place place; /* of the first member */
    size_t first, count;
    const struct de_step *step;
};

/* Random words of the rule for each member of a group. */
struct rule {
    struct shoal_words choice[DE_HOST_TOGETHER], points[DE_HOST_TOGETHER], more[DE_HOST_TOGETHER];
};

/* Draws the words of a draw for each member of a group, and behind its last member. */
static void draw_words(const struct group *group, uint32_t stream, size_t draw,
                       struct shoal_words words[DE_HOST_TOGETHER])
{
    const struct de_place *place = &group->place;
    _Static_assert(DE_HOST_TOGETHER == 2 * RANDOM_TOGETHER, "the words of a group are drawn together");
    random_of_indices(place->seed, stream, place->step, place->index, (uint32_t)draw, words);
}

/* Converts a random word to a number in (0, 1). */
static double uniform_open(uint32_t word)
{
    return (random_number(word) + 0.5) * 0x1p-32;
}

/* F and CR --------------------------------------------------------------------------------------------- */

/* Numbers of the members of a group. The loops over them become vector code. */
typedef double numbers[DE_HOST_TOGETHER];

/* Sets u to random numbers of the Cauchy distribution with these medians and scale 0.1, given that they are
 * positive; at most 1. u: uniform numbers; below: the probabilities that a number is not positive. */
static void draw_scales(const numbers median, const numbers below, numbers u)
{
    for (size_t q = 0; q < DE_HOST_TOGETHER; q++) {
        /* the tangent by cos2pi and sin2pi of an angle in (0, 1/2] */
        const double angle = 0.5 * (below[q] + (1 - below[q]) * u[q]),
                     sine = sin_quarter_turns(4 * (angle > 0.25 ? 0.5 - angle : angle)),
                     number = median[q] - 0.1 * sin_quarter_turns(1 - 4 * angle) / sine;
        u[q] = number > 0 ? number < 1 ? number : 1 : 0;
    }
}

/* Sets u to random numbers of the normal distribution with these means and deviation 0.1, clamped to 0 .. 1;
 * 0 for a negative mean. u, v: uniform numbers, u above 0. */
static void draw_rates(const numbers mean, const numbers v, numbers u)
{
    for (size_t q = 0; q < DE_HOST_TOGETHER; q++)
        u[q] = -2 * vector_log(u[q]);
    for (size_t q = 0; q < DE_HOST_TOGETHER; q++)
        u[q] = sqrt(u[q]);
    for (size_t q = 0; q < DE_HOST_TOGETHER; q++) {
        const double normal = u[q] * cos2pi(v[q]), number = mean[q] + 0.1 * normal;
        u[q] = number > 0 && mean[q] >= 0 ? number < 1 ? number : 1 : 0;
    }
}

/* Sets F and CR of the members by the memory of the island. */
static void draw_from_memory(struct de_host *host, const struct group *group, const struct rule *rule)
{
    const size_t island = group->first / host->problem.search.members, cells = host->problem.cells;
    const double most_scale = group->step->most_scale / 10.0, least_rate = group->step->least_rate / 10.0;
    numbers median, below, mean, scale, rate, turn;
    for (size_t q = 0; q < DE_HOST_TOGETHER; q++) {
        const struct shoal_words words = rule->choice[q];
        const size_t cell = island * cells + de_index(words.x, (uint32_t)cells);
        median[q] = host->memory[2 * cell];
        mean[q] = host->memory[2 * cell + 1];
        below[q] = host->below[cell];
        scale[q] = uniform_open(words.w);
        rate[q] = uniform_open(words.y);
        turn[q] = random_uniform(words.z);
    }
    draw_scales(median, below, scale);
    draw_rates(mean, turn, rate);
    for (size_t q = 0; q < group->count; q++) {
        host->scale[group->first + q] = min(scale[q], most_scale);
        host->rate[group->first + q] = max(rate[q], least_rate);
    }
}

/* Sets F and CR of the trials of a group. */
static void choose_rates(struct de_host *host, const struct group *group, const struct rule *rule)
{
    const struct de_problem *problem = &host->problem;
    if (problem->cells && !problem->has_own) {
        draw_from_memory(host, group, rule);
        return;
    }
    for (size_t q = 0; q < group->count; q++) {
        const struct shoal_words words = rule->choice[q];
        const size_t i = group->first + q;
        const bool new_scale = random_uniform(words.x) < 0.1, new_rate = random_uniform(words.z) < 0.1;
        host->scale[i] = !problem->has_own ? problem->params->scale
                         : new_scale       ? 0.1 + 0.9 * random_uniform(words.y)
                                           : host->own_scale[i];
        host->rate[i] = !problem->has_own ? problem->params->crossover_rate
                        : new_rate        ? random_uniform(words.w)
                                          : host->own_rate[i];
    }
}

/* Mutants ---------------------------------------------------------------------------------------------- */

/* The points from which a mutant is made: v = from + pull (to - from) + F (a - b). */
struct mutant {
    const double *from, *to, *a, *b;
    double pull, scale;
};

/* words, more: random words of the choice. */
static struct mutant mutant_of(const struct de_host *host, size_t i, const struct de_step *step,
                               struct shoal_words words, struct shoal_words more)
{
    const struct de_problem *problem = &host->problem;
    const struct search_host *search = &host->search;
    const size_t dim = problem->search.dim, island = i / problem->search.members,
                 first = island * problem->search.members;
    const uint32_t own = (uint32_t)(i - first), members = step->members;
    const double *p = search->p + first * dim;
    const uint32_t a = de_other_than_1(words.y, members, own);
    struct mutant mutant = {.from = p + own * dim, .scale = host->scale[i]};
    mutant.to = mutant.from;
    if (problem->params->strategy == SHOAL_DE_CURRENT_TO_PBEST_1) {
        const uint32_t archived = host->counts[island * DE_COUNTS + COUNT_ARCHIVED];
        const uint32_t b = de_other_than_2(words.z, members + archived, own, a);
        uint32_t best = step->best;
        if (problem->params->adaptation == SHOAL_DE_SHADE && best > 2)
            best = 2 + de_index(more.x, best - 1);
        mutant.to = p + host->order[first + de_index(words.x, best)] * dim;
        mutant.pull =
            problem->params->adaptation == SHOAL_DE_JSO ? step->pull * mutant.scale / 10 : mutant.scale;
        mutant.a = p + a * dim;
        mutant.b = b < members ? p + b * dim : host->archive + (island * problem->slots + b - members) * dim;
    } else {
        const uint32_t b = de_other_than_2(words.z, members, own, a);
        const bool is_best = problem->params->strategy == SHOAL_DE_BEST_1;
        const uint32_t c =
            is_best ? (uint32_t)search->islands[island].leader : de_other_than_3(words.x, members, own, a, b);
        mutant.from = mutant.to = p + c * dim;
        mutant.a = p + a * dim;
        mutant.b = p + b * dim;
    }
    return mutant;
}

/* Number of successive coordinates that exponential crossover takes from the mutant: 1, and 1 more with
 * probability CR each time, up to dim. */
static size_t run_length(double rate, uint32_t word, size_t dim)
{
    const double length = rate >= 1   ? (double)dim
                          : rate <= 0 ? 1
                                      : 1 + floor(log(uniform_open(word)) / log(rate));
    return length < (double)dim ? (size_t)length : dim;
}

/* Sets for each member of a group and each coordinate the 16 random bits by which the coordinate is taken
 * from the mutant. bits: rows of whole blocks. */
static void draw_bits(const struct group *group, size_t dim, double *bits)
{
    const size_t row = de_host_padded(dim);
    for (size_t d = 0; d < dim; d += DE_HOST_BLOCK) {
        struct shoal_words words[DE_HOST_TOGETHER];
        draw_words(group, SHOAL_STREAM_DE_CROSS, d / DE_HOST_BLOCK, words);
        for (size_t q = 0; q < group->count; q++) {
            const uint32_t four[] = {words[q].x, words[q].y, words[q].z, words[q].w};
            for (size_t n = 0; n < DE_HOST_BLOCK; n++)
                bits[q * row + d + n] = (int32_t)(n % 2 ? four[n / 2] >> 16 : four[n / 2] & 0xFFFF);
        }
    }
}

/* Chooses the coordinates that trial i takes from its mutant: those whose bits are below the number that is
 * returned. The test is that of (bits + 1/2) / 2^16 < rate. words: random words of the points, more: the next
 * ones. */
static double choose_coordinates(const struct de_host *host, size_t i, struct shoal_words words,
                                 struct shoal_words more, double *bits)
{
    const size_t dim = host->problem.search.dim;
    const bool is_run = host->problem.params->crossover == SHOAL_DE_EXPONENTIAL;
    const size_t length = is_run ? run_length(host->rate[i], more.y, dim) : 1;
    for (size_t n = 0, d = de_index(words.w, (uint32_t)dim); n < length; n++, d = d + 1 < dim ? d + 1 : 0)
        bits[d] = -1;
    return is_run ? 0 : max(ceil(host->rate[i] * 65536 - 0.5), 0.0);
}

/* Sets `count` coordinates of a trial from coordinate d on, in vector code if `count` is a constant of the
 * caller. A coordinate outside of the box is replaced by the middle between the bound and the coordinate of
 * the parent. */
static inline void set_coordinates(const struct search_problem *problem, const struct mutant *mutant,
                                   const double *parent, const double *bits, double threshold, size_t d,
                                   size_t count, double *restrict x)
{
    const double *from = mutant->from + d, *to = mutant->to + d, *a = mutant->a + d, *b = mutant->b + d,
                 *lower = problem->lower + d, *upper = problem->upper + d;
    const double pull = mutant->pull, scale = mutant->scale;
#pragma omp simd
    for (size_t k = 0; k < count; k++) {
        const double v = from[k] + pull * (to[k] - from[k]) + scale * (a[k] - b[k]),
                     low = (lower[k] + parent[d + k]) / 2, high = (upper[k] + parent[d + k]) / 2,
                     inside = v < lower[k]   ? low
                              : v > upper[k] ? high
                                             : v;
        x[d + k] = bits[d + k] < threshold ? inside : parent[d + k];
    }
}

/* Sets the trial. The last vector ends with the last coordinate, and may have coordinates of the one before
 * again. */
static void set_trial(const struct search_problem *problem, const struct mutant *mutant, const double *parent,
                      const double *bits, double threshold, double *restrict x)
{
    enum { VECTOR = 4 };
    const size_t dim = problem->dim;
    size_t d = 0;
    for (; d + VECTOR < dim; d += VECTOR)
        set_coordinates(problem, mutant, parent, bits, threshold, d, VECTOR, x);
    if (dim >= VECTOR)
        set_coordinates(problem, mutant, parent, bits, threshold, dim - VECTOR, VECTOR, x);
    else
        set_coordinates(problem, mutant, parent, bits, threshold, 0, dim, x);
}

/* Makes the trials of a group with its first member; those of other members were made before. */
void NAME(struct search_host *search, size_t i, uint64_t number, double *scratch)
{
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, members = problem->search.members,
                 island = search_host_part(i, members), own = i - island * members, row = de_host_padded(dim);
    const struct de_step *step = &host->steps[island];
    if (own % DE_HOST_TOGETHER)
        return;
    const size_t left = step->members - own, count = left < DE_HOST_TOGETHER ? left : DE_HOST_TOGETHER;
    const struct group group = {de_host_place(problem, i, number), i, count, step};
    struct rule rule;
    draw_words(&group, SHOAL_STREAM_DE_RULE, 0, rule.choice);
    draw_words(&group, SHOAL_STREAM_DE_RULE, 1, rule.points);
    draw_words(&group, SHOAL_STREAM_DE_RULE, 2, rule.more);
    choose_rates(host, &group, &rule);
    if (problem->params->crossover == SHOAL_DE_EXPONENTIAL)
        memset(scratch, 0, count * row * sizeof *scratch);
    else
        draw_bits(&group, dim, scratch);
    for (size_t q = 0; q < count; q++) {
        const struct mutant mutant = mutant_of(host, i + q, step, rule.points[q], rule.more[q]);
        const double threshold =
            choose_coordinates(host, i + q, rule.points[q], rule.more[q], scratch + q * row);
        set_trial(&problem->search, &mutant, search->p + (i + q) * dim, scratch + q * row, threshold,
                  search->x + (i + q) * dim);
    }
}
