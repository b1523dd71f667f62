/* Ask and tell: the optimiser proposes points, the caller evaluates them, on a cluster, with a simulator or
 * by measurement. Half-way the search is saved and continues in another optimiser, as after a restart of the
 * program.
 *
 *     cc -std=c11 ask_tell.c $(pkg-config --cflags --libs shoal) -lm
 */
#include <math.h>
#include <shoal/shoal.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIM = 2, PARTICLES = 20, STEPS = 100 };

/* A placeholder for an expensive evaluation. */
static double himmelblau(const double *x)
{
    return pow(x[0] * x[0] + x[1] - 11, 2) + pow(x[0] + x[1] * x[1] - 7, 2);
}

/* Settings are not saved with a search: both optimisers need the same. */
static enum shoal_status make(struct shoal_optimiser **optimiser, struct shoal_error *error)
{
    enum shoal_status status = shoal_optimiser_create(DIM, optimiser, error);
    if (!status)
        status = shoal_optimiser_set_box(*optimiser, -6, 6, error);
    if (status)
        return status;
    struct shoal_pso_params *params = shoal_optimiser_pso(*optimiser);
    params->particles = PARTICLES;
    params->search.iterations = STEPS;
    params->search.evaluations = 0;
    return SHOAL_OK;
}

/* Evaluates up to `batches` batches of points; fewer if the search ends. */
static enum shoal_status search(struct shoal_optimiser *optimiser, int batches, struct shoal_error *error)
{
    double points[PARTICLES * DIM], values[PARTICLES];
    size_t count = 1;
    while (batches-- > 0 && count > 0) {
        enum shoal_status status = shoal_optimiser_ask(optimiser, points, PARTICLES, &count, error);
        for (size_t i = 0; i < count && !status; i++)
            values[i] = himmelblau(points + i * DIM);
        if (!status && count)
            status = shoal_optimiser_tell(optimiser, values, count, error);
        if (status)
            return status;
    }
    return SHOAL_OK;
}

int main(void)
{
    struct shoal_optimiser *first = NULL, *second = NULL;
    struct shoal_error error = {0};
    double x[DIM], value;
    void *state = NULL;
    size_t size = 0;

    enum shoal_status status = make(&first, &error);
    if (!status)
        status = search(first, STEPS / 2, &error);
    if (!status)
        status = shoal_optimiser_save_memory(first, &state, &size, &error);
    if (!status)
        status = make(&second, &error);
    if (!status)
        status = shoal_optimiser_load_memory(second, state, size, &error);
    if (!status)
        status = search(second, 2 * STEPS, &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else if (shoal_optimiser_best(second, x, &value))
        printf("%s after %llu evaluations: least value %.3g at %.6f %.6f\n",
               shoal_optimise_result_name(shoal_optimiser_state(second)),
               (unsigned long long)shoal_optimiser_evaluations(second), value, x[0], x[1]);
    free(state);
    shoal_optimiser_destroy(&first);
    shoal_optimiser_destroy(&second);
    return status != SHOAL_OK;
}
