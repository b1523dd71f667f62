/* Trials on the host: F and CR, mutants, crossover. */
#include "de/host/host.h"

#include <math.h>
#include <shoal/rng.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static struct shoal_words words_of(const struct de_place *place, uint32_t stream, size_t draw)
{
    return shoal_random_words(place->seed, stream, place->step, place->index, (uint32_t)draw);
}

static uint32_t word_at(const struct shoal_words *words, size_t n)
{
    return n == 0 ? words->x : n == 1 ? words->y : n == 2 ? words->z : words->w;
}

/* uniform: a random word as a number in [0, 1). uniform_open: as a number in (0, 1). */
static double uniform(uint32_t word)
{
    return (double)word * 2.3283064365386962890625e-10;
}

static double uniform_open(uint32_t word)
{
    return ((double)word + 0.5) * 2.3283064365386962890625e-10;
}

/* Draw ------------------------------------------------------------------------------------------------- */

/* Resets archive, memory and counts of an island, when its first member is drawn. */
static void forget(struct de_host *host, size_t island)
{
    const struct de_problem *problem = &host->problem;
    const size_t archived = problem->slots * problem->search.dim;
    if (archived)
        memset(host->archive + island * archived, 0, archived * sizeof *host->archive);
    for (size_t n = 0; n < DE_COUNTS; n++)
        host->counts[island * DE_COUNTS + n] = 0;
    for (size_t cell = 0; cell < problem->cells; cell++) {
        double *means = host->memory + 2 * (island * problem->cells + cell);
        de_first_cell(problem, cell, &means[0], &means[1]);
    }
}

void de_host_draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, island = i / problem->search.members;
    const struct de_place place = de_host_place(problem, i, search->islands[island].restarts);
    struct shoal_words words = {0};
    if (i % problem->search.members == 0)
        forget(host, island);
    if (problem->has_own) {
        host->own_scale[i] = 0.5;
        host->own_rate[i] = 0.9;
    }
    for (size_t d = 0; d < dim; d++) {
        const double lower = problem->search.lower[d], upper = problem->search.upper[d];
        if (d % 4 == 0)
            words = words_of(&place, SHOAL_STREAM_DE_START, d / 4);
        search->x[i * dim + d] = fmin(lower + uniform(word_at(&words, d % 4)) * (upper - lower), upper);
    }
}

/* F and CR --------------------------------------------------------------------------------------------- */

void de_host_find_below(struct de_host *host, size_t island)
{
    const size_t cells = host->problem.cells;
    for (size_t i = island * cells; i < (island + 1) * cells; i++)
        host->below[i] = 0.5 - atan(10 * host->memory[2 * i]) / pi;
}

/* Returns a random number of the Cauchy distribution with this median and scale 0.1, given that it is
 * positive; at most 1. below: the probability that it is not positive. */
static double scale_about(double median, double below, uint32_t word)
{
    const double u = below + (1 - below) * uniform_open(word);
    return fmin(fmax(median - 0.1 * cos(pi * u) / fabs(sin(pi * u)), 0), 1);
}

/* Returns a random number of the normal distribution with this mean and deviation 0.1, clamped to 0 .. 1; 0
 * for a negative mean. */
static double rate_about(double mean, uint32_t a, uint32_t b)
{
    const double normal = sqrt(-2 * log(uniform_open(a))) * cos(2 * pi * uniform(b));
    return mean < 0 ? 0 : fmin(fmax(mean + 0.1 * normal, 0), 1);
}

/* Sets F and CR of the trial of member i. */
static void choose_rates(struct de_host *host, size_t i, const struct de_step *step,
                         const struct de_place *place)
{
    const struct de_problem *problem = &host->problem;
    const struct shoal_words words = words_of(place, SHOAL_STREAM_DE_RULE, 0);
    if (problem->has_own) {
        const bool new_scale = uniform(words.x) < 0.1, new_rate = uniform(words.z) < 0.1;
        host->scale[i] = new_scale ? 0.1 + 0.9 * uniform(words.y) : host->own_scale[i];
        host->rate[i] = new_rate ? uniform(words.w) : host->own_rate[i];
    } else if (problem->cells) {
        const size_t island = i / problem->search.members;
        const size_t cell = island * problem->cells + de_index(words.x, (uint32_t)problem->cells);
        const double *means = host->memory + 2 * cell;
        host->scale[i] = fmin(scale_about(means[0], host->below[cell], words.w), step->most_scale / 10.0);
        host->rate[i] = fmax(rate_about(means[1], words.y, words.z), step->least_rate / 10.0);
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

/* words: random words of the choice. */
static struct mutant mutant_of(const struct de_host *host, size_t i, const struct de_step *step,
                               const struct de_place *place, struct shoal_words words)
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
            best = 2 + de_index(words_of(place, SHOAL_STREAM_DE_RULE, 2).x, best - 1);
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
    return (uint32_t)fmax(ceil(rate * 65536 - 0.5), 0);
}

/* Sets takes[d] to 1 if the trial takes coordinate d from its mutant, else to 0. takes has room for whole
 * blocks. */
static void choose_coordinates(const struct crossing *crossing, const struct de_place *place, size_t dim,
                               double *takes)
{
    for (size_t d = 0; d < dim; d += BLOCK) {
        struct shoal_words words = {0};
        if (crossing->threshold)
            words = words_of(place, SHOAL_STREAM_DE_CROSS, d / BLOCK);
        for (size_t n = 0; n < BLOCK; n++) {
            const uint32_t word = word_at(&words, n / 2);
            takes[d + n] = (n % 2 ? word >> 16 : word & 0xFFFF) < crossing->threshold;
        }
    }
    for (size_t n = 0, d = crossing->start; n < crossing->length; n++, d = d + 1 < dim ? d + 1 : 0)
        takes[d] = 1;
}

/* Sets the trial. A coordinate outside of the box is replaced by the middle between the bound and the
 * coordinate of the parent. */
static void mix(const struct search_problem *problem, const struct mutant *mutant, const double *parent,
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

void de_host_move(struct search_host *search, size_t i, uint64_t number, double *scratch)
{
    struct de_host *host = de_host_of(search);
    const struct de_problem *problem = &host->problem;
    const size_t dim = problem->search.dim;
    const struct de_step *step = &host->steps[i / problem->search.members];
    const struct de_place place = de_host_place(problem, i, number);
    choose_rates(host, i, step, &place);
    const struct shoal_words words = words_of(&place, SHOAL_STREAM_DE_RULE, 1);
    const struct mutant mutant = mutant_of(host, i, step, &place, words);
    struct crossing crossing = {.start = de_index(words.w, (uint32_t)dim), .length = 1};
    if (problem->params->crossover == SHOAL_DE_EXPONENTIAL)
        crossing.length = run_length(host->rate[i], words_of(&place, SHOAL_STREAM_DE_RULE, 2).y, dim);
    else
        crossing.threshold = threshold_of(host->rate[i]);
    choose_coordinates(&crossing, &place, dim, scratch);
    mix(&problem->search, &mutant, search->p + i * dim, scratch, search->x + i * dim);
}
