/* Private: a search algorithm described as data. */
#ifndef SHOAL_SEARCH_ALGORITHM_H
#define SHOAL_SEARCH_ALGORITHM_H

#include <shoal/error.h>
#include <shoal/search.h>
#include <stdbool.h>

struct checkpoint;
struct search_device_ops;
struct search_host_ops;
struct search_problem;
struct search_spread;
struct search_summary;
struct shoal_solver;

/* Numbers of an algorithm whose islands lose members from step to step. */
struct search_shrinking {
    /* Number of members of an island that make a point each in step `step`: the first ones. Step 0 has all
     * members, a later step at most as many as the step before. */
    size_t (*members)(const struct search_problem *problem, uint64_t step);
    /* Evaluations of an island in the steps 0 .. `steps`, and the first step after which an island has made
     * `evaluations`. */
    double (*evaluations)(const struct shoal_search_params *params, uint64_t steps);
    uint64_t (*steps)(const struct shoal_search_params *params, uint64_t evaluations);
};

struct search_algorithm {
    const char *name; /* name of the algorithm and of its workload */
    /* Option names of the number of members in an island ("population") and of islands in a run ("islands"),
     * and the word for members in messages ("individuals"). */
    const char *members, *islands, *member_name;
    const char *dividing_method; /* name of a method by which devices can share the members of an island */
    size_t members_offset;       /* offset of the number of members (a uint64_t) in the parameters of the
                                  * algorithm */
    /* Number of points that an island makes in each step after step 0; NULL: as many points as members. */
    uint64_t (*points)(const struct shoal_search_params *params);
    /* Number of points that an island sends in an exchange; NULL: one point, the champion. */
    uint64_t (*migrants)(const struct shoal_search_params *params);
    /* For an algorithm whose islands lose members; a lost member has the value NaN. NULL: islands keep all.
     */
    const struct search_shrinking *shrinking;
    uint64_t stagnation; /* steps without improvement that end a run for which no other limit is given */
    /* Computes the default of stagnation from other parameters; NULL: `stagnation` above is the default. */
    uint64_t (*stagnation_of)(const struct shoal_search_params *params);
    /* Sets the parameters whose defaults follow from the genes and the objective; NULL: no parameter does. */
    void (*resolve)(struct search_problem *problem);
    /* Does a local search evaluate more points than the steps make? NULL: no. */
    bool (*has_moves)(const struct shoal_search_params *params);
    bool takes_genes; /* true: genes of every kind; false: the algorithm searches reals alone */
    /* The algorithm also searches whole numbers, choices and bits: as reals, which are rounded down where the
     * objective is evaluated. */
    bool rounds;
    /* extra_words: how many words a search keeps behind the genes of each member, NULL: none; set_extra: sets
     * these words of a member whose genes are a start point. */
    size_t (*extra_words)(const struct search_problem *problem);
    void (*set_extra)(const struct search_problem *problem, double *member);
    /* Sets the parameters of the algorithm for the polish of a result by a simplex. NULL: it is no such
     * search. */
    void (*set_polish)(struct shoal_search_params *params);
    bool places_start;   /* the algorithm takes the start points itself when it draws its first members */
    bool has_population; /* results have the spread of the members' values */
    /* The warning that the spread of the last population deserves; NULL: no warning. */
    const char *(*warning)(const struct search_problem *problem, const struct search_spread *spread);
    /* Creates the algorithm's problem, whose first member is struct search_problem. */
    size_t problem_size;
    enum shoal_status (*problem_create)(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error);
    /* Frees the members of the algorithm's problem behind struct search_problem; accepts zeros. NULL: nothing
     * to free. */
    void (*problem_destroy)(struct search_problem *problem);
    /* save_state adds the algorithm's own sections about the problem to a checkpoint; check_state checks
     * these and the words that solvers use as indices, before a checkpoint is loaded. NULL: there are none.
     */
    void (*save_state)(const struct search_problem *problem, struct checkpoint *checkpoint);
    enum shoal_status (*check_state)(const struct search_problem *problem,
                                     const struct checkpoint *checkpoint, struct shoal_error *error);
    /* The problem of a solver whose state is no struct search_host and no struct search_device, and the
     * summary of its last result; NULL: the state of this solver is one of these. NULL: it always is. */
    const struct search_problem *(*look_into)(const struct shoal_solver *solver,
                                              const struct search_summary **summary);
    const struct search_host_ops *host;
    const struct search_device_ops *device;
    /* Key in older tuning files, which kept the number of an evaluator; NULL: no older files have one. */
    const char *old_evaluator;
};

/* All algorithms; NULL ends the list. */
extern const struct search_algorithm *const search_algorithms[];
/* The algorithm with this name, in a text that ends or in `length` bytes; NULL: there is none. */
const struct search_algorithm *search_algorithm_find(const char *name);
const struct search_algorithm *search_algorithm_in(const char *name, size_t length);

/* Writes the names of the algorithms that take genes of every kind, "A or B", for messages; returns `names`.
 * rounded: also those that take genes which can be rounded reals. */
enum { SEARCH_NAMES = 120 };
const char *search_takers_of_genes(bool rounded, char names[SEARCH_NAMES]);

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params);

static inline uint64_t search_members(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params)
{
    return *(const uint64_t *)(const void *)((const char *)params + algorithm->members_offset);
}

#endif
