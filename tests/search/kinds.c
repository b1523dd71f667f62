#include "kinds.h"

#include <shoal/theses.h>

const char mixed[] = "x1 real -10 10, x2 integer -10 10, x3 real -10 10 gray 12, x4 choice 9";

struct shoal_optimiser *over(const char *variables)
{
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(DIM, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "ga", &test_error));
    struct shoal_ga_params *params = shoal_optimiser_ga(optimiser);
    params->search.variables = variables;
    params->search.evaluations = 900;
    params->population = 12;
    return optimiser;
}

static struct shoal_optimiser *population(size_t k)
{
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "ga", &test_error));
    assert_null(shoal_optimiser_pso(optimiser));
    struct shoal_ga_params *params = shoal_optimiser_ga(optimiser);
    assert_int_equal(params->population, 100);
    params->search.evaluations = 900;
    params->search.refine = SHOAL_REFINE_AUTO; /* who tells the values refines nothing */
    params->population = 12;
    switch (k) {
    case 0:
        params->replacement = SHOAL_GA_COMMA;
        params->children = 25;
        params->search.islands = 2;
        params->search.exchange = 3;
        params->migrants = 2;
        break;
    case 1:
        params->replacement = SHOAL_GA_STEADY;
        params->victim = SHOAL_GA_VICTIM_PARENT;
        params->children = 3;
        params->selection = SHOAL_GA_ROULETTE;
        params->search.polish = 100;
        break;
    case 2:
        params->structure = SHOAL_GA_CELLULAR_8;
        break;
    default:
        params->replacement = SHOAL_GA_PLUS;
        params->children = 30;
        params->selection = SHOAL_GA_LINEAR_RANK;
        params->search.islands = 2;
        params->search.restart = 2;
        params->search.stagnation_tolerance = 0.2;
    }
    return optimiser;
}

static struct shoal_optimiser *evolution(size_t k)
{
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "de", &test_error));
    assert_null(shoal_optimiser_ga(optimiser));
    struct shoal_de_params *params = shoal_optimiser_de(optimiser);
    params->search.evaluations = 900;
    params->search.refine = SHOAL_REFINE_AUTO;
    params->population = 20;
    params->population_end = 4;
    if (k) {
        params->adaptation = SHOAL_DE_JDE;
        params->search.islands = 2;
        params->search.exchange = 3;
        params->search.restart = 2;
        params->search.stagnation_tolerance = 0.2;
    }
    return optimiser;
}

/* Populations that begin with tiny steps end soon, so that later generations have several parts. */
static struct shoal_optimiser *distribution(size_t k)
{
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "cmaes", &test_error));
    assert_null(shoal_optimiser_pso(optimiser));
    struct shoal_cmaes_params *params = shoal_optimiser_cmaes(optimiser);
    params->search.evaluations = 900;
    params->population = 6;
    if (k) {
        params->restarts = SHOAL_CMAES_IPOP;
        params->sigma = 1e-6;
        params->form = SHOAL_CMAES_SEPARABLE;
    }
    return optimiser;
}

struct shoal_optimiser *kind(size_t k)
{
    if (k >= 12)
        return distribution(k - 12);
    if (k >= 10)
        return evolution(k - 10);
    if (k >= 8)
        return over(k == 8 ? mixed : "x1-xD order");
    if (k >= 4)
        return population(k - 4);
    struct shoal_optimiser *optimiser = make();
    struct shoal_pso_params *params = shoal_optimiser_pso(optimiser);
    params->search.evaluations = 900;
    switch (k) {
    case 0:
#if SHOAL_THESES
        params->random = SHOAL_PSO_GLOB;
#endif
        params->update = SHOAL_PSO_INERTIA;
        break;
    case 1:
        params->batch = 1;
        break;
    case 2:
        params->search.islands = 2;
        params->particles = 10;
        params->search.exchange = 3;
        params->search.restart = 4;
        params->search.polish = 300;
        break;
    default:
        params->bounds = SHOAL_PSO_INVISIBLE;
        params->update = SHOAL_PSO_CONSTRICTION;
        params->initial_velocity = SHOAL_PSO_RANGE;
    }
    return optimiser;
}

enum shoal_status load_with(struct shoal_optimiser *optimiser, const char *name,
                            void (*change)(struct checkpoint_section *section))
{
    size_t size;
    void *bytes, *changed;
    struct checkpoint checkpoint;
    assert_ok(shoal_optimiser_save_memory(optimiser, &bytes, &size, &test_error));
    assert_ok(checkpoint_parse(&checkpoint, bytes, size, "memory", &test_error));
    for (size_t i = 0; i < checkpoint.count; i++)
        if (strcmp(checkpoint.sections[i].name, name) == 0)
            change(&checkpoint.sections[i]);
    assert_ok(checkpoint_to_memory(&checkpoint, &changed, &size, &test_error));
    checkpoint_clear(&checkpoint);
    const enum shoal_status status = shoal_optimiser_load_memory(optimiser, changed, size, &test_error);
    free(bytes);
    free(changed);
    return status;
}
