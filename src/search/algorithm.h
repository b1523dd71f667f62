/* Private: the table that describes a search algorithm. */
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

/* Functions of an algorithm whose islands lose members from step to step. */
struct search_shrinking {
    /* Returns how many members of an island each make a point in step `step`: the first members of the
     * island. In step 0 all members make points, in a later step at most as many as in the step before. */
    size_t (*members)(const struct search_problem *problem, uint64_t step);
    /* evaluations: returns the number of evaluations that an island makes in the steps 0 .. `steps`. steps:
     * returns the first step after which an island has made at least `evaluations` evaluations. */
    double (*evaluations)(const struct shoal_search_params *params, uint64_t steps);
    uint64_t (*steps)(const struct shoal_search_params *params, uint64_t evaluations);
};

struct search_algorithm {
    const char *name; /* name of the algorithm and of its workload */
    /* Names of the options for the number of members in an island ("population") and of islands in a run
     * ("islands"), and the word for members in messages ("individuals"). */
    const char *members, *islands, *member_name;
    /* name of a method by which several devices can share the members of one island, for messages */
    const char *dividing_method;
    /* offset, in the parameters of the algorithm, of the number of members in an island, a uint64_t */
    size_t members_offset;
    /* Number of points that an island makes in each step after step 0; NULL: the number of members. */
    uint64_t (*points)(const struct shoal_search_params *params);
    /* Number of points that an island sends in an exchange; NULL: one, the champion. */
    uint64_t (*migrants)(const struct shoal_search_params *params);
    /* Functions for an algorithm whose islands lose members; a lost member has the value NaN. NULL: islands
     * keep all members. */
    const struct search_shrinking *shrinking;
    /* default of stagnation (number of steps without improvement that end a run) for runs without any other
     * limit */
    uint64_t stagnation;
    /* Computes the default of stagnation from other parameters; NULL: the default is `stagnation`. */
    uint64_t (*stagnation_of)(const struct shoal_search_params *params);
    /* Sets parameters whose defaults depend on the genes and the objective. NULL: no default does. */
    void (*resolve)(struct search_problem *problem);
    /* Whether a local search evaluates points in addition to those of the steps; NULL: it never does. */
    bool (*has_moves)(const struct shoal_search_params *params);
    bool takes_genes; /* the algorithm takes genes of every kind; false: it searches reals only */
    /* the algorithm also searches integers, choices and bits: as reals, which are rounded down only for the
     * evaluation */
    bool rounds;
    /* extra_words: number of words that a search stores after the genes of each member, NULL: none.
     * set_extra: sets these words for a member whose genes are a start point. */
    size_t (*extra_words)(const struct search_problem *problem);
    void (*set_extra)(const struct search_problem *problem, double *member);
    /* Sets the parameters with which the algorithm polishes a result. NULL: the algorithm cannot polish
     * results. */
    void (*set_polish)(struct shoal_search_params *params);
    bool places_start; /* the algorithm itself uses the start points when it draws its first members */
    /* a point from outside of the search that replaces a member guides the further search */
    bool takes_points;
    bool has_population; /* results include the spread of the members' values */
    /* Returns a warning about the spread of the last population; NULL if there is nothing to warn of. The
     * pointer itself is NULL for algorithms without such warnings. */
    const char *(*warning)(const struct search_problem *problem, const struct search_spread *spread);
    /* Size of the algorithm's problem, whose first member is struct search_problem, and the function that
     * sets its further members. */
    size_t problem_size;
    enum shoal_status (*problem_create)(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error);
    /* Frees the members of the algorithm's problem after struct search_problem; accepts a struct of zeros.
     * NULL: there is nothing to free. */
    void (*problem_destroy)(struct search_problem *problem);
    /* save_state: adds the algorithm's sections about the problem to a checkpoint. check_state: checks these
     * sections, and those words of solvers that are used as indices, before a checkpoint is loaded. NULL: the
     * algorithm has no such sections. */
    void (*save_state)(const struct search_problem *problem, struct checkpoint *checkpoint);
    enum shoal_status (*check_state)(const struct search_problem *problem,
                                     const struct checkpoint *checkpoint, struct shoal_error *error);
    /* For solvers whose state is neither a struct search_host nor a struct search_device: returns the problem
     * of the solver, and sets *summary to the summary of its last result. Returns NULL for any other solver.
     * NULL: the algorithm has no such solvers. */
    const struct search_problem *(*look_into)(const struct shoal_solver *solver,
                                              const struct search_summary **summary);
    const struct search_host_ops *host;
    const struct search_device_ops *device;
    /* Key of the method in old tuning files, which held the number of an evaluator; NULL: no old file has
     * such a key. */
    const char *old_evaluator;
};

/* All algorithms; the last element is NULL. */
extern const struct search_algorithm *const search_algorithms[];
/* Return the algorithm with a name; NULL: there is none. search_algorithm_find takes a string,
 * search_algorithm_in `length` bytes. */
const struct search_algorithm *search_algorithm_find(const char *name);
const struct search_algorithm *search_algorithm_in(const char *name, size_t length);

/* Writes the names of the algorithms that take genes of every kind, such as "A or B", for messages; returns
 * `names`. rounded: also the algorithms that round reals. */
enum { SEARCH_NAMES = 120 };
const char *search_takers_of_genes(bool rounded, char names[SEARCH_NAMES]);
/* Writes the names of the algorithms with `takes_points`, in the form of search_takers_of_genes; returns
 * `names`. */
const char *search_takers_of_points(char names[SEARCH_NAMES]);

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params);

static inline uint64_t search_members(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params)
{
    return *(const uint64_t *)(const void *)((const char *)params + algorithm->members_offset);
}

#endif
