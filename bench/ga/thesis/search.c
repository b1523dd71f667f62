#include "bench/ga/thesis/search.h"

#include <shoal/objective.h>

void thesis_ga_set(struct shoal_ga_params *params)
{
    params->selection = SHOAL_GA_OWN;
    params->crossover = SHOAL_GA_ARITHMETIC;
    params->crossover_rate = 0.7;
    params->mutation = SHOAL_GA_GAUSSIAN;
    params->mutation_rate = 0.05;
    params->one_gene = true;
    params->sigma = 1;
    params->sigma_unit = SHOAL_GA_SIGMA_GENE;
    params->elites = 0;
}

void thesis_ga_set_case(struct shoal_ga_params *params, const struct thesis_ga_case *of)
{
    thesis_ga_set(params);
    params->population = of->population;
    params->search.islands = of->islands;
    params->crossover_rate = of->crossover_rate;
    params->mutation_rate = of->mutation_rate;
    params->search.objective = shoal_objective_find(thesis_ga_function_name(of->function));
    params->search.dim = THESIS_GA_DIM;
    params->search.lower = thesis_ga_lower(of->function);
    params->search.upper = thesis_ga_upper(of->function);
}
