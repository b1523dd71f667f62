/* Defaults and names of the common parameters. */
#include "search/options/options.h"

#include <math.h>
#include <string.h>

const char *const search_precision_names[] = {[SHOAL_FP32] = "fp32", [SHOAL_FP64] = "fp64", NULL};
const char *const search_exchange_names[] = {"ring", "all", "torus", "hypercube", "random", "edges", NULL};

const char *const search_repair_names[] = {[SHOAL_REPAIR_NONE] = "none",
                                           [SHOAL_REPAIR_WRITTEN_BACK] = "written-back",
                                           [SHOAL_REPAIR_VALUE_ONLY] = "value-only",
                                           NULL};

const char *const search_refine_names[] = {"auto", "none", "least-squares", "all", NULL};
const char *const search_polish_names[] = {
    [SHOAL_POLISH_PATTERN] = "pattern", [SHOAL_POLISH_NELDER_MEAD] = "nelder-mead", NULL};
const char *const search_missing_names[] = {
    [SHOAL_SEARCH_MISSING_REFUSE] = "refuse", [SHOAL_SEARCH_MISSING_DROP] = "drop", NULL};
const char *const search_loss_names[] = {
    [SHOAL_LOSS_SQUARES] = "squares", [SHOAL_LOSS_ABSOLUTE] = "absolute", [SHOAL_LOSS_HUBER] = "huber", NULL};

static int32_t default_function(void)
{
    int32_t index = 0;
    while (strcmp(objective_real_names[index], "rastrigin") != 0)
        index++;
    return index;
}

void search_params_init(struct shoal_search_params *params, size_t size)
{
    *params = (struct shoal_search_params){.size = size,
                                           .function = default_function(),
                                           .precision = SHOAL_FP32,
                                           .lower = NAN,
                                           .upper = NAN,
                                           .constraint_tolerance = 1e-4,
                                           .shift = NAN,
                                           .huber_delta = 1,
                                           .repair = SHOAL_REPAIR_WRITTEN_BACK,
                                           .seed = 1,
                                           .islands = 1,
                                           .runs = 1,
                                           .success = 1e-8,
                                           .target = NAN,
                                           .stagnation_tolerance = NAN,
                                           .x_tolerance = NAN,
                                           .time = NAN};
}
