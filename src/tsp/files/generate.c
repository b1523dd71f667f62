/* Random problems of the DIMACS challenge (D. S. Johnson and L. A. McGeoch, 2002): family E has uniform
 * points, family C has clustered points. The coordinates are equal to those of the challenge's generators. */
#include "base/error.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 1000000, CITIES_OF_CENTRE = 100 };
#define WORDS 1000000000

/* Subtractive lagged Fibonacci generator, x[k] = x[k - 55] - x[k - 24] mod 10^9 (D. E. Knuth, The Art of
 * Computer Programming, section 3.2.2). */
struct generator {
    int32_t words[55];
    unsigned a, b;
    bool has_normal;
    double normal; /* second number of the last pair of normal numbers, if has_normal is set */
};

static int32_t draw(struct generator *generator)
{
    generator->a = generator->a ? generator->a - 1 : 54;
    generator->b = generator->b ? generator->b - 1 : 54;
    int32_t *word = &generator->words[generator->a];
    *word -= generator->words[generator->b];
    *word += *word < 0 ? WORDS : 0;
    return *word;
}

static void begin(struct generator *generator, int32_t seed)
{
    enum { DISCARDED = 165 };
    int32_t last = seed, next = 1;
    *generator = (struct generator){.b = 24};
    generator->words[0] = seed;
    for (unsigned i = 1; i < 55; i++) {
        const unsigned j = 21 * i % 55;
        generator->words[j] = next;
        next = last - next;
        next += next < 0 ? WORDS : 0;
        last = generator->words[j];
    }
    for (unsigned i = 0; i < DISCARDED; i++)
        draw(generator);
}

/* Returns a uniform random number in [0, 1). */
static double uniform(struct generator *generator)
{
    return (double)draw(generator) / WORDS;
}

/* Returns a normal random number by the polar method (Knuth, section 3.4.1, algorithm P). The method computes
 * pairs; the second number of a pair is returned first. */
static double normal(struct generator *generator)
{
    double v1, v2, sum;
    if (generator->has_normal) {
        generator->has_normal = false;
        return generator->normal;
    }
    do {
        v1 = 2.0 * (double)draw(generator) / WORDS - 1;
        v2 = 2.0 * (double)draw(generator) / WORDS - 1;
        const double square1 = v1 * v1, square2 = v2 * v2;
        sum = square1 + square2;
    } while (sum >= 1);
    const double factor = sqrt(-2 * log(sum) / sum);
    generator->has_normal = true;
    generator->normal = v1 * factor;
    return v2 * factor;
}

static void fill_uniform(struct generator *generator, uint32_t n, double *places)
{
    for (size_t i = 0; i < 2 * (size_t)n; i++)
        places[i] = (double)(draw(generator) / (WORDS / SIDE));
}

static enum shoal_status fill_clustered(struct generator *generator, uint32_t n, double *places,
                                        struct shoal_error *error)
{
    const uint32_t count = n / CITIES_OF_CENTRE;
    const double scale = 1 / sqrt((double)n);
    double *centres = malloc(2 * (size_t)count * sizeof *centres);
    if (!centres)
        return fail_host_memory(error);
    for (size_t i = 0; i < 2 * (size_t)count; i++)
        centres[i] = trunc(uniform(generator) * SIDE);
    for (size_t i = 0; i < n; i++) {
        const size_t centre = (size_t)(uniform(generator) * count);
        for (size_t k = 0; k < 2; k++)
            places[2 * i + k] = centres[2 * centre + k] + trunc(normal(generator) * scale * SIDE);
    }
    free(centres);
    return SHOAL_OK;
}

/* Names ------------------------------------------------------------------------------------------------ */

struct request {
    bool is_clustered;
    uint64_t n, seed;
};

static const struct {
    const char *size;
    uint32_t n;
    /* number of instances of this size in the challenge, with uniform and with clustered points */
    unsigned uniform, clustered;
} sizes[] = {{"1k", 1000, 10, 10},  {"3k", 3162, 5, 5},     {"10k", 10000, 3, 3},
             {"31k", 31623, 2, 2},  {"100k", 100000, 2, 2}, {"316k", 316228, 1, 1},
             {"1M", 1000000, 1, 0}, {"3M", 3162278, 1, 0},  {"10M", 10000000, 1, 0}};

/* Finds an instance by its name. Instance 0 of a size has the number of cities as its seed; the seed of
 * instance k > 0 is ten times the number of cities, plus k. */
static bool find_instance(const char *name, struct request *request)
{
    const char *dot = strchr(name, '.');
    if ((*name != 'E' && *name != 'C') || !dot || dot[1] < '0' || dot[1] > '9' || dot[2])
        return false;
    const unsigned k = (unsigned)(dot[1] - '0');
    request->is_clustered = *name == 'C';
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strlen(sizes[i].size) == (size_t)(dot - name) - 1 &&
            memcmp(sizes[i].size, name + 1, strlen(sizes[i].size)) == 0) {
            request->n = sizes[i].n;
            request->seed = k ? 10 * (uint64_t)sizes[i].n + k : sizes[i].n;
            return k < (request->is_clustered ? sizes[i].clustered : sizes[i].uniform);
        }
    return false;
}

bool tsp_find_instance(const char *name, uint64_t *n, uint64_t *seed)
{
    struct request request;
    const bool is_there = find_instance(name, &request);
    *n = is_there ? request.n : 0;
    *seed = is_there ? request.seed : 0;
    return is_there;
}

static bool take_number(const char **text, char end, uint64_t *number)
{
    const char *const begin = *text;
    *number = 0;
    for (; **text >= '0' && **text <= '9' && *number < WORDS; ++*text)
        *number = 10 * *number + (uint64_t)(**text - '0');
    return *text > begin && *(*text)++ == end;
}

static bool find_family(const char *name, struct request *request)
{
    static const char *const families[] = {"uniform:", "clustered:"};
    for (int i = 0; i < 2; i++) {
        const char *rest = name + strlen(families[i]);
        request->is_clustered = i == 1;
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            return take_number(&rest, ':', &request->n) && take_number(&rest, '\0', &request->seed);
    }
    return false;
}

enum shoal_status tsp_generate(struct tsp_problem *problem, struct shoal_error *error)
{
    const char *name = problem->params->generate ? problem->params->generate : "E1k.0";
    struct request request;
    struct generator generator;
    if (!find_instance(name, &request) && !find_family(name, &request))
        return fail(
            error, SHOAL_INVALID,
            "generate '%.60s': give uniform:N:SEED, clustered:N:SEED or an instance of the DIMACS challenge: "
            "E1k.0 to E1k.9, E3k.0 to E3k.4, E10k.0 to E10k.2, E31k.0, E31k.1, E100k.0, E100k.1, E316k.0, "
            "E1M.0, E3M.0, E10M.0, and C1k.0 ... C316k.0 alike",
            name);
    const uint64_t least = request.is_clustered ? CITIES_OF_CENTRE : 1;
    if (request.n < least || request.n > TSP_MOST_CITIES)
        return fail(error, SHOAL_INVALID, "generate '%.60s': %llu to %lu cities are possible", name,
                    (unsigned long long)least, (unsigned long)TSP_MOST_CITIES);
    if (request.seed >= WORDS)
        return fail(error, SHOAL_INVALID, "generate '%.60s': seeds are 0 to %d", name, WORDS - 1);
    problem->n = (uint32_t)request.n;
    problem->name = strdup(name);
    problem->places = malloc(2 * (size_t)problem->n * sizeof *problem->places);
    problem->owns_places = true;
    problem->dim = 2;
    enum shoal_status status = problem->name && problem->places ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = tsp_check_metric(problem->params, SHOAL_TSP_EUC_2D, name, error);
    if (status)
        return status;
    const enum shoal_tsp_metric metric = (enum shoal_tsp_metric)problem->params->metric;
    problem->metric = metric == SHOAL_TSP_AUTO ? SHOAL_TSP_EUC_2D : metric;
    begin(&generator, (int32_t)request.seed);
    if (request.is_clustered)
        return fill_clustered(&generator, problem->n, problem->places, error);
    fill_uniform(&generator, problem->n, problem->places);
    return SHOAL_OK;
}
