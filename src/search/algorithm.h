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
    const char *name; /* of its workload, too */
    /* Its options for the members of an island and the islands of a run, "population", "islands", and what
     * members are called, "individuals". */
    const char *members, *islands, *member_name;
    size_t members_offset; /* of the number of members in its parameters, a uint64_t */
    /* Points that an island makes in a step, step 0 excepted; NULL: as many as it has members. */
    uint64_t (*points)(const struct shoal_search_params *params);
    /* Points with their values that an island sends in an exchange; NULL: one, its champion. */
    uint64_t (*migrants)(const struct shoal_search_params *params);
    uint64_t stagnation; /* steps without improvement that end a run with no other end */
    /* The same where it follows from other parameters; NULL: it does not. */
    uint64_t (*stagnation_of)(const struct shoal_search_params *params);
    /* Sets parameters of the problem that follow from its genes and its objective; NULL: there are none. */
    void (*resolve)(struct search_problem *problem);
    /* Do its evaluations outnumber the points it makes? NULL: they do not. */
    bool (*has_moves)(const struct shoal_search_params *params);
    bool takes_genes; /* of every kind; else reals alone */
    /* Words behind the genes of a member, which a search keeps there, and those of a member that is a start
     * point, from its genes; NULL: none. */
    size_t (*extra_words)(const struct search_problem *problem);
    void (*set_extra)(const struct search_problem *problem, double *member);
    bool has_population; /* results have the spread of the members' values */
    /* What a user should know of a last population with that spread; NULL: nothing. */
    const char *(*warning)(const struct search_problem *problem, const struct search_spread *spread);
    /* Its problem, of which struct search_problem is the first member. */
    size_t problem_size;
    enum shoal_status (*problem_create)(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error);
    /* Frees what that has besides struct search_problem; accepts zeros. NULL: nothing. */
    void (*problem_destroy)(struct search_problem *problem);
    const struct search_host_ops *host;
    const struct search_device_ops *device;
    /* Key of tuning files that kept the number of an evaluator; NULL: there are none. */
    const char *old_evaluator;
};

/* Ended by NULL. */
extern const struct search_algorithm *const search_algorithms[];
const struct search_algorithm *search_algorithm_find(const char *name); /* NULL: none */

uint64_t search_points(const struct search_algorithm *algorithm, const struct shoal_search_params *params);

static inline uint64_t search_members(const struct search_algorithm *algorithm,
                                      const struct shoal_search_params *params)
{
    return *(const uint64_t *)(const void *)((const char *)params + algorithm->members_offset);
}

#endif
