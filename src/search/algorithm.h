/* Private: an algorithm of searches, as data. */
#ifndef SHOAL_SEARCH_ALGORITHM_H
#define SHOAL_SEARCH_ALGORITHM_H

#include <shoal/error.h>
#include <shoal/search.h>
#include <stdbool.h>

struct search_device_ops;
struct search_host_ops;
struct search_problem;
struct search_spread;

struct search_algorithm {
    const char *name; /* name of the algorithm and of its workload */
    /* The names of its options for the members of an island and the islands of a run: "population",
     * "islands"; and its word for members: "individuals". */
    const char *members, *islands, *member_name;
    size_t members_offset; /* offset in its parameters of the number of members, a uint64_t */
    /* Points that an island makes in each step but step 0; NULL: as many as it has members. */
    uint64_t (*points)(const struct shoal_search_params *params);
    /* Points that an island sends in an exchange; NULL: one point, its champion. */
    uint64_t (*migrants)(const struct shoal_search_params *params);
    uint64_t stagnation; /* steps without improvement that end a run for which no other limit is given */
    /* That number of steps where it follows from other parameters; NULL: `stagnation` is the number. */
    uint64_t (*stagnation_of)(const struct shoal_search_params *params);
    /* Sets the parameters that follow from the genes and the objective of the problem; NULL: no parameter
     * does. */
    void (*resolve)(struct search_problem *problem);
    /* Does the algorithm evaluate more points than its steps make? NULL: no. */
    bool (*has_moves)(const struct shoal_search_params *params);
    bool takes_genes; /* the algorithm takes genes of every kind; false: reals alone */
    /* Words that a search keeps behind the genes of each member, and the call that makes these words of the
     * genes of a start point; NULL: no such words. */
    size_t (*extra_words)(const struct search_problem *problem);
    void (*set_extra)(const struct search_problem *problem, double *member);
    bool has_population; /* its results have the spread of the members' values */
    /* Warns a user of a last population with such a spread; NULL: no warning. */
    const char *(*warning)(const struct search_problem *problem, const struct search_spread *spread);
    /* Creates the algorithm's problem, whose first member is struct search_problem. */
    size_t problem_size;
    enum shoal_status (*problem_create)(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error);
    /* Frees the members of the algorithm's problem behind struct search_problem; accepts zeros. NULL: nothing
     * to free. */
    void (*problem_destroy)(struct search_problem *problem);
    const struct search_host_ops *host;
    const struct search_device_ops *device;
    /* Key in older tuning files, which kept the number of an evaluator; NULL: no older files have one. */
    const char *old_evaluator;
};

/* All algorithms; NULL ends the list. */
extern const struct search_algorithm *const search_algorithms[];
const struct search_algorithm *search_algorithm_find(const char *name); /* NULL: no algorithm has the name */

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params);

static inline uint64_t search_members(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params)
{
    return *(const uint64_t *)(const void *)((const char *)params + algorithm->members_offset);
}

#endif
