/* Trials on the host: F and CR, mutants, crossover. */
#include "base/vectors/log.h"
#include "base/vectors/random.h"
#include "de/host/host.h"

#include <math.h>

/* The kernel dialect defines these names, which <math.h> also defines. */
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#ifndef NAME
#define NAME de_host_move
#endif

/* Draws words of a trial together. */
static void draw_together(const struct de_place *place, uint32_t stream, size_t draw,
                          struct shoal_words words[RANDOM_TOGETHER])
{
    random_together(place->seed, stream, place->step, place->index, (uint32_t)draw, words);
}

/* Converts a random word to a number in (0, 1). */
static double uniform_open(uint32_t word)
{
    return ((double)word + 0.5) * 2.3283064365386962890625e-10;
}

/* F and CR --------------------------------------------------------------------------------------------- */

/* Returns a random number of the Cauchy distribution with this median and scale 0.1, given that it is
 * positive; at most 1. below: the probability that it is not positive. */
static double scale_about(double median, double below, uint32_t word)
{
    const double u = below + (1 - below) * uniform_open(word);
    return min(max(median - 0.1 * cos2pi(0.5 * u) / fabs(sin2pi(0.5 * u)), 0.0), 1.0);
}

/* Returns a random number of the normal distribution with this mean and deviation 0.1, clamped to 0 .. 1; 0
 * for a negative mean. */
static double rate_about(double mean, uint32_t a, uint32_t b)
{
    const double normal = sqrt(-2 * vector_log(uniform_open(a))) * cos2pi(de_host_uniform(b));
    return mean < 0 ? 0 : min(max(mean + 0.1 * normal, 0.0), 1.0);
}

/* Sets F and CR of the trial of member i. words: random words of the choice. */
static void choose_rates(struct de_host *host, size_t i, const struct de_step *step, struct shoal_words words)
{
    const struct de_problem *problem = &host->problem;
    if (problem->has_own) {
        const bool new_scale = de_host_uniform(words.x) < 0.1, new_rate = de_host_uniform(words.z) < 0.1;
        host->scale[i] = new_scale ? 0.1 + 0.9 * de_host_uniform(words.y) : host->own_scale[i];
        host->rate[i] = new_rate ? de_host_uniform(words.w) : host->own_rate[i];
    } else if (problem->cells) {
        const size_t island = i / problem->search.members;
        const size_t cell = island * problem->cells + de_index(words.x, (uint32_t)problem->cells);
        const double *means = host->memory + 2 * cell;
        host->scale[i] = min(scale_about(means[0], host->below[cell], words.w), step->most_scale / 10.0);
        host->rate[i] = max(rate_about(means[1], words.y, words.z), step->least_rate / 10.0);
    } else {
        host->scale[i] = problem->params->scale;
        host->rate[i] = problem->params->crossover_rate;
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

/* Number of coordinates of a block: two for each random word of a draw. */
enum { BLOCK = 8 };

/* Which coordinates a trial takes from its mutant: `length` successive coordinates from `start` on, and each
 * coordinate whose 16 random bits are below `threshold`. */
struct crossing {
    size_t start, length;
    uint32_t threshold; /* 0: there are no random bits */
};

/* The test is that of (bits + 1/2) / 2^16 < rate. */
static uint32_t threshold_of(double rate)
{
    return (uint32_t)max(ceil(rate * 65536 - 0.5), 0.0);
}

/* Sets takes[d] to 1 if the trial takes coordinate d from its mutant, else to 0. takes has room for whole
 * blocks. */
static void choose_coordinates(const struct crossing *crossing, const struct de_place *place, size_t dim,
                               double *takes)
{
    struct shoal_words words[RANDOM_TOGETHER] = {0};
    const uint32_t threshold = crossing->threshold;
    for (size_t d = 0, block = 0; d < dim; d += BLOCK, block++) {
        if (threshold && block % RANDOM_TOGETHER == 0)
            draw_together(place, SHOAL_STREAM_DE_CROSS, block, words);
        const struct shoal_words *own = &words[block % RANDOM_TOGETHER];
        const uint32_t four[] = {own->x, own->y, own->z, own->w};
        for (size_t n = 0; n < BLOCK; n++)
            takes[d + n] = (n % 2 ? four[n / 2] >> 16 : four[n / 2] & 0xFFFF) < threshold;
    }
    for (size_t n = 0, d = crossing->start; n < crossing->length; n++, d = d + 1 < dim ? d + 1 : 0)
        takes[d] = 1;
}

/* Sets the trial. A coordinate outside of the box is replaced by the middle between the bound and the
 * coordinate of the parent. */
static void set_trial(const struct search_problem *problem, const struct mutant *mutant, const double *parent,
                      const double *takes, double *restrict x)
{
    const double *from = mutant->from, *to = mutant->to, *a = mutant->a, *b = mutant->b,
                 *lower = problem->lower, *upper = problem->upper;
    const double pull = mutant->pull, scale = mutant->scale;
    const size_t dim = problem->dim;
    for (size_t d = 0; d < dim; d++) {
        const double v = from[d] + pull * (to[d] - from[d]) + scale * (a[d] - b[d]),
                     low = (lower[d] + parent[d]) / 2, high = (upper[d] + parent[d]) / 2,
                     inside = v < lower[d]   ? low
                              : v > upper[d] ? high
                                             : v;
        x[d] = takes[d] > 0 ? inside : parent[d];
    }
}

void NAME(struct search_host *search, size_t i, uint64_t number, double *scratch)
{
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim;
    const struct de_step *step = &host->steps[i / problem->search.members];
    const struct de_place place = de_host_place(problem, i, number);
    struct shoal_words words[RANDOM_TOGETHER];
    draw_together(&place, SHOAL_STREAM_DE_RULE, 0, words);
    choose_rates(host, i, step, words[0]);
    const struct mutant mutant = mutant_of(host, i, step, words[1], words[2]);
    struct crossing crossing = {.start = de_index(words[1].w, (uint32_t)dim), .length = 1};
    if (problem->params->crossover == SHOAL_DE_EXPONENTIAL)
        crossing.length = run_length(host->rate[i], words[2].y, dim);
    else
        crossing.threshold = threshold_of(host->rate[i]);
    choose_coordinates(&crossing, &place, dim, scratch);
    set_trial(&problem->search, &mutant, search->p + i * dim, scratch, search->x + i * dim);
}
