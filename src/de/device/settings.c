/* Passes a problem to kernels: the -D values and the settings. */
#include "cl/de/choices.clh"
#include "de/device/device.h"

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(ADAPT_NONE, SHOAL_DE_NONE);
SAME(ADAPT_JDE, SHOAL_DE_JDE);
SAME(ADAPT_JADE, SHOAL_DE_JADE);
SAME(ADAPT_SHADE, SHOAL_DE_SHADE);
SAME(ADAPT_LSHADE, SHOAL_DE_LSHADE);
SAME(ADAPT_JSO, SHOAL_DE_JSO);
SAME(RAND_1, SHOAL_DE_RAND_1);
SAME(BEST_1, SHOAL_DE_BEST_1);
SAME(CURRENT_TO_PBEST_1, SHOAL_DE_CURRENT_TO_PBEST_1);
SAME(BINOMIAL, SHOAL_DE_BINOMIAL);
SAME(EXPONENTIAL, SHOAL_DE_EXPONENTIAL);

void de_rule_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct de_device *device = de_device_of(solver);
    const struct shoal_de_params *params = device->problem.params;
    define_add(defines, "ADAPTATION", params->adaptation);
    define_add(defines, "BOX", search_box_define(&device->problem.search));
    define_add(defines, "CROSSOVER", params->crossover);
    define_add(defines, "REAL", device->search.precision == SHOAL_FP64 ? 64 : 32);
    define_add(defines, "STRATEGY", params->strategy);
}

SAME(SET_OWN, SET_SCALE);
_Static_assert((int)SET_LEVEL < (int)SET_BOX, "room for the settings of the algorithm");

void de_fill_settings(const struct search_problem *search, double *settings)
{
    const struct de_problem *problem = (const struct de_problem *)search;
    settings[SET_SCALE] = problem->params->scale;
    settings[SET_RATE] = problem->params->crossover_rate;
    settings[SET_LEVEL] = de_level_most(problem);
}
