/* Checks the words of populations in a checkpoint, which the rules use as indices and as counts. */
#include "base/error.h"
#include "cmaes/model/problem.h"
#include "workload/checkpoint/checkpoint.h"

#include <string.h>

/* Largest stride of the history: with it, the history has room for all steps of a run. */
enum { MOST_STRIDE = 1 << 25 };

static bool is_sound(const struct cmaes_problem *problem, const uint32_t *words)
{
    static const uint32_t unborn[CMA_WORDS]; /* words of a population that has not begun */
    const uint64_t most = problem->params->doublings;
    if (memcmp(words, unborn, sizeof unborn) == 0)
        return true;
    return words[CMA_DOUBLINGS] <= most && words[CMA_LARGE] <= most &&
           words[CMA_PART] < UINT32_C(1) << words[CMA_DOUBLINGS] && words[CMA_RECORDS] < CMA_HISTORY &&
           words[CMA_STRIDE] > 0 && words[CMA_STRIDE] <= MOST_STRIDE && words[CMA_IS_SMALL] <= 1 &&
           words[CMA_IS_SPENT] <= 1;
}

/* The section may hold only the words of some runs, if devices share the runs. A missing section is reported
 * later, when the section is read. */
enum shoal_status cmaes_check_state(const struct search_problem *search, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    const struct cmaes_problem *problem = (const struct cmaes_problem *)search;
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "counts");
    if (search->constrained && problem->params->constraint_rule == SHOAL_CMAES_LAGRANGIAN &&
        !checkpoint_find(checkpoint, "lagrangian"))
        return fail(error, SHOAL_INVALID,
                    "checkpoint %s was made with --constraint-rule deb: give this rule to resume it",
                    checkpoint->path);
    const size_t record = CMA_WORDS * sizeof(uint32_t);
    for (size_t k = 0; section && k < section->bytes / record; k++) {
        uint32_t words[CMA_WORDS];
        memcpy(words, (const char *)section->data + k * record, record);
        if (!is_sound(problem, words))
            return checkpoint_damaged(checkpoint, error);
    }
    return SHOAL_OK;
}
