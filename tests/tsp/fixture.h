/* Problems of texts, for the tests of tsp. */
#ifndef SHOAL_TESTS_TSP_FIXTURE_H
#define SHOAL_TESTS_TSP_FIXTURE_H

#include "unit.h"

#include "base/text.h"
#include "tsp/files/files.h"

#include <math.h>

static inline struct shoal_tsp_params tsp_fixture_params(void)
{
    return (struct shoal_tsp_params){.size = sizeof(struct shoal_tsp_params), .optimum = NAN};
}

/* The problem of a file of that name and content in the test's folder. `params` without data is kept as long
 * as the problem. */
static inline enum shoal_status tsp_fixture_read(struct shoal_tsp_params *params, const char *name,
                                                 const char *content, struct tsp_problem *problem)
{
    params->data = test_path("%s", name);
    test_write_text(params->data, content);
    return tsp_problem_create(params, problem, &test_error);
}

#endif
