/* Private: the interface of the rules by which a polish finds its points, in pattern.c and simplex.c. */
#ifndef SHOAL_SEARCH_POLISH_RULE_H
#define SHOAL_SEARCH_POLISH_RULE_H

#include "search/refine/polish.h"

/* Functions of a rule. create and destroy are called for all runs together, all others for a single run. */
struct polish_rule {
    size_t size; /* bytes of the rule's struct, whose first member is a struct search_polish */
    /* Starts each run at polish->position, with the value polish->best. */
    enum shoal_status (*create)(struct search_polish *polish, struct shoal_error *error);
    void (*destroy)(struct search_polish *polish); /* called also if create has failed */
    /* Writes the next points, at most [polish->block][dim], and returns their number; 0: the run has
     * ended. */
    size_t (*ask)(struct search_polish *polish, size_t run, double *points);
    /* Takes the values of the points of the last `ask`, and moves *values past them. */
    void (*tell)(struct search_polish *polish, size_t run, const double **values);
    /* Returns the value of the best point so far. point (NULL: not wanted): receives the point. */
    double (*best)(const struct search_polish *polish, size_t run, double *point);
    bool (*is_settled)(const struct search_polish *polish, size_t run);
    uint64_t (*used)(const struct search_polish *polish, size_t run); /* number of evaluations */
    /* Copies the state to `kept` or, if is_back, from `kept`, and returns the size of the state in bytes.
     * kept NULL: copies nothing. */
    size_t (*copy)(struct search_polish *polish, size_t run, char *kept, bool is_back);
    /* Whether the state can be the state of a run of this polish. */
    bool (*is_sound)(struct search_polish *polish, size_t run);
};

extern const struct polish_rule polish_pattern_rule, polish_simplex_rule;

struct search_polish {
    const struct polish_rule *rule;
    const struct search_problem *problem;
    enum shoal_precision precision;
    size_t dim, runs;
    uint64_t most; /* most evaluations of a run */
    size_t block;  /* most points of a run in a batch */
    double *points, *values;
    /* [runs][dim], [runs]: start of each run and, once results are asked for, its result */
    double *position, *best;
    bool *settled; /* [runs]: computed by search_polish_settled */
};

/* Most points in a phase of the pattern search. */
size_t polish_pattern_points(size_t dim);

/* Rounds a coordinate to the precision of the polish. */
static inline double polish_rounded(const struct search_polish *polish, double x)
{
    return polish->precision == SHOAL_FP32 ? (double)(float)x : x;
}

#endif
