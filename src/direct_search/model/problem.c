/* The problem of a direct search: its rule, and the table of the box that the rules read. */
#include "base/error.h"
#include "direct_search/direct_search.h"

#include <stdlib.h>
#include <string.h>

extern const struct search_algorithm nelder_mead_algorithm, pattern_algorithm;

struct direct_rule direct_rule_of(const struct search_problem *problem)
{
    const void *params = problem->params;
    if (problem->algorithm == &nelder_mead_algorithm) {
        const struct shoal_nelder_mead_params *own = params;
        return (struct direct_rule){NELDER_MEAD, own->edge, own->method};
    }
    if (problem->algorithm == &pattern_algorithm) {
        const struct shoal_pattern_params *own = params;
        return (struct direct_rule){PATTERN, own->width, own->method};
    }
    return (struct direct_rule){RANDOM_POINTS, 0, ((const struct shoal_random_params *)params)->method};
}

enum shoal_status direct_search_problem_create(struct shoal *shoal, const struct search_algorithm *algorithm,
                                               const struct shoal_search_params *params,
                                               struct search_problem *problem, struct shoal_error *error)
{
    enum shoal_status status = search_problem_create(shoal, algorithm, params, problem, error);
    if (status)
        return status;
    const size_t dim = problem->dim;
    double *settings = problem->tables = calloc(SET_BOX + 2 * dim, sizeof *settings);
    if (!settings) {
        search_problem_destroy(problem);
        return fail_host_memory(error);
    }
    memcpy(settings + SET_BOX, problem->lower, dim * sizeof *settings);
    memcpy(settings + SET_BOX + dim, problem->upper, dim * sizeof *settings);
    return SHOAL_OK;
}

double direct_search_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    return (double)problem->dim * (double)(precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}
