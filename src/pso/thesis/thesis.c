/* Determines which rules of the thesis the parameters ask for. */
#include "pso/thesis/thesis.h"
#include "pso/host/host.h"
#include "pso/thesis/xorwow.h"

#include <shoal/theses.h>

struct pso_thesis pso_thesis_of(const struct shoal_pso_params *params)
{
    struct pso_thesis thesis = {.needs_pipeline = NULL};
    const int32_t argmin = params->thesis ? params->thesis->argmin : SHOAL_PSO_ARGMIN_AUTO;
    if (argmin != SHOAL_PSO_ARGMIN_AUTO) {
        thesis.needs_pipeline = "the argmin kernels of the pipeline";
        thesis.islands = &pso_thesis_islands_program;
        thesis.argmin = argmin - SHOAL_PSO_ARGMIN_SHARED;
    }
    if (params->random >= SHOAL_PSO_GLOB) {
        thesis.needs_pipeline = "the generators glob and reg";
        thesis.move = &pso_thesis_move_program;
        thesis.pulls = pso_host_xorwow;
    }
    if (params->random == SHOAL_PSO_GLOB) {
        thesis.kept_words = PSO_XORWOW_WORDS;
        thesis.start = pso_host_xorwow_start;
    }
    return thesis;
}
