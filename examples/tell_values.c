/* Tell values one by one: workers evaluate the points that the optimiser proposes, and each value is told
 * when it comes, in whatever order. The same search follows in any order.
 *
 *     cc -std=c11 tell_values.c $(pkg-config --cflags --libs shoal) -lm
 */
#include <math.h>
#include <shoal/shoal.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIM = 2, WORKERS = 4, MOST = 100 };

/* A worker is busy with one point for some time. */
struct worker {
    size_t point;
    int left; /* time left; 0: the worker is free */
};

/* A placeholder for an expensive evaluation. */
static double himmelblau(const double *x)
{
    return pow(x[0] * x[0] + x[1] - 11, 2) + pow(x[0] + x[1] * x[1] - 7, 2);
}

/* Gives the points to workers that are free, and tells each value when its worker ends. */
static enum shoal_status work(struct shoal_optimiser *optimiser, const double *points, size_t count,
                              struct shoal_error *error)
{
    struct worker workers[WORKERS] = {{0, 0}};
    size_t next = 0;
    while (shoal_optimiser_missing(optimiser, NULL, 0) > 0)
        for (size_t k = 0; k < WORKERS; k++) {
            struct worker *worker = &workers[k];
            if (worker->left > 0 && --worker->left == 0) {
                const double value = himmelblau(points + worker->point * DIM);
                enum shoal_status status = shoal_optimiser_tell_value(optimiser, worker->point, value, error);
                if (status)
                    return status;
            }
            if (worker->left == 0 && next < count)
                *worker = (struct worker){next++, 1 + rand() % 9};
        }
    return SHOAL_OK;
}

int main(void)
{
    struct shoal_optimiser *optimiser = NULL;
    struct shoal_error error = {0};
    double points[MOST * DIM], x[DIM], value;
    size_t count = 1;

    enum shoal_status status = shoal_optimiser_create(DIM, &optimiser, &error);
    if (!status)
        status = shoal_optimiser_set_algorithm(optimiser, "cmaes", &error);
    if (!status)
        status = shoal_optimiser_set_box(optimiser, -6, 6, &error);
    if (!status) {
        shoal_optimiser_params(optimiser)->evaluations = 10000;
        shoal_optimiser_params(optimiser)->target = 1e-9;
    }
    while (!status && count > 0) {
        status = shoal_optimiser_ask(optimiser, points, MOST, &count, &error);
        if (!status)
            status = work(optimiser, points, count, &error);
    }
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else if (shoal_optimiser_best(optimiser, x, &value))
        printf("%s after %llu evaluations: least value %.3g at %.6f %.6f\n",
               shoal_optimise_result_name(shoal_optimiser_state(optimiser)),
               (unsigned long long)shoal_optimiser_evaluations(optimiser), value, x[0], x[1]);
    shoal_optimiser_destroy(&optimiser);
    return status != SHOAL_OK;
}
