/* Minimises a function of your own, as one would with NLopt, with the algorithm that suits it.
 *
 *     cc -std=c11 optimise.c $(pkg-config --cflags --libs shoal) -lm
 */
#include <math.h>
#include <shoal/shoal.h>
#include <stdio.h>

/* Called by several threads at once, so it only reads shared data. */
static double rosenbrock(const double *x, size_t dim, void *data)
{
    const double steepness = *(const double *)data;
    double sum = 0;
    for (size_t d = 0; d + 1 < dim; d++)
        sum += steepness * pow(x[d + 1] - x[d] * x[d], 2) + pow(1 - x[d], 2);
    return sum;
}

int main(void)
{
    enum { DIM = 10 };
    struct shoal_optimiser *optimiser = NULL;
    struct shoal_error error = {0};
    double steepness = 100, x[DIM], value = 0;
    enum shoal_optimise_result result = SHOAL_OPTIMISE_FAILED;

    /* "auto" lets the problem choose; "portfolio", "cmaes", "de" and the others name one. */
    if (!shoal_optimiser_create(DIM, &optimiser, &error) &&
        !shoal_optimiser_set_algorithm(optimiser, "auto", &error) &&
        !shoal_optimiser_set_callback(optimiser, rosenbrock, &steepness, &error) &&
        !shoal_optimiser_set_box(optimiser, -5, 10, &error)) {
        /* All other parameters have defaults; <shoal/search.h> lists them. */
        struct shoal_search_params *params = shoal_optimiser_params(optimiser);
        params->evaluations = 20000;
        params->polish = 20000; /* a pattern search from the best position */
        params->target = 1e-12;
        params->seed = 42;
        result = shoal_optimise(optimiser, x, &value, &error);
    }
    if (result == SHOAL_OPTIMISE_FAILED)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%s: %s after %llu evaluations: least value %.3g at %.6f %.6f ...\n",
               shoal_optimiser_algorithm(optimiser), shoal_optimise_result_name(result),
               (unsigned long long)shoal_optimiser_evaluations(optimiser), value, x[0], x[1]);
    shoal_optimiser_destroy(&optimiser);
    return result == SHOAL_OPTIMISE_FAILED;
}
