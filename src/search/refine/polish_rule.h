/* Private: what the rules share by which a polish finds its points: pattern.c and simplex.c. */
#ifndef SHOAL_SEARCH_POLISH_RULE_H
#define SHOAL_SEARCH_POLISH_RULE_H

#include "search/refine/polish.h"

/* Functions of a rule, each for one run. */
struct polish_rule {
    size_t size; /* bytes of the rule's own struct, whose first member is a struct search_polish */
    /* Sets up the runs from polish->position and polish->best. */
    enum shoal_status (*create)(struct search_polish *polish, struct shoal_error *error);
    void (*destroy)(struct search_polish *polish); /* also after a failed create */
    /* Writes the next points, [polish->block][dim] at most; 0: the run has come to its end. */
    size_t (*ask)(struct search_polish *polish, size_t run, double *points);
    /* Takes the values of the points of `ask`, and moves *values behind them. */
    void (*tell)(struct search_polish *polish, size_t run, const double **values);
    /* Value of the best point so far. point: receives the point; may be NULL. */
    double (*best)(const struct search_polish *polish, size_t run, double *point);
    bool (*is_settled)(const struct search_polish *polish, size_t run);
    uint64_t (*used)(const struct search_polish *polish, size_t run); /* evaluations */
    /* Copies the state to `kept`, or back; returns its bytes. kept NULL: only counts. */
    size_t (*copy)(struct search_polish *polish, size_t run, char *kept, bool is_back);
    /* Can the state be one of this problem? */
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
    double *position, *best; /* [runs][dim], [runs]: at first where the runs begin, later the results */
    bool *settled;           /* set on request, as the results are */
};

/* Most points that a phase of the pattern search has. */
size_t polish_pattern_points(size_t dim);

/* The coordinate as the precision of the polish has it. */
static inline double polish_rounded(const struct search_polish *polish, double x)
{
    return polish->precision == SHOAL_FP32 ? (double)(float)x : x;
}

#endif
