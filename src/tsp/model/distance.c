/* Distances of cities, and lengths of tours, on the host. */
#include "lib/host.h"
#include "tsp/model/between.h"
#include "tsp/model/problem.h"

/* Returns the distance of two cities of the input by their coordinates. */
static int64_t between_places(const struct tsp_form *form, uint32_t a, uint32_t b)
{
    return tsp_between_places(form, form->places + (size_t)a * form->dim,
                              form->places + (size_t)b * form->dim);
}

int64_t tsp_input_distance(const struct tsp_problem *problem, uint32_t from, uint32_t to)
{
    if (problem->form.rule == RULE_MATRIX)
        return problem->matrix[(size_t)from * problem->n + to];
    return between_places(&problem->form, from, to);
}

/* Returns the distance of two cities of a form that has fixed edges, or an additional city of a path, or two
 * cities for each city of an asymmetric input. */
static int64_t special_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b)
{
    const struct tsp_form *form = &problem->form;
    if (tsp_form_fixes(form, a, b))
        return -TSP_FAR;
    if (form->is_asymmetric) {
        const uint32_t half = form->n / 2;
        if ((a < half) == (b < half))
            return TSP_FAR;
        const uint32_t from = (a < half ? b : a) - half;
        b = a < half ? a : b;
        a = from;
    }
    if (form->is_path && (a == problem->n || b == problem->n))
        return 0;
    const int64_t distance = tsp_input_distance(problem, a, b);
    return distance < 0 ? TSP_FAR : distance;
}

int64_t tsp_distance(const struct tsp_problem *problem, uint32_t a, uint32_t b)
{
    const struct tsp_form *form = &problem->form;
    if (tsp_form_is_plane(form)) { /* most problems: without the calls and choices of other rules */
        const double *p = form->places + 2 * (size_t)a, *q = form->places + 2 * (size_t)b;
        return tsp_plane_size(p[0] - q[0], p[1] - q[1]);
    }
    if (tsp_form_is_plain(form))
        return between_places(form, a, b);
    return special_distance(problem, a, b);
}

int64_t tsp_form_length(const struct tsp_problem *problem, const uint32_t *tour)
{
    const uint32_t n = problem->form.n;
    int64_t length = 0;
    for (uint32_t i = 0; i < n && n > 1; i++)
        length += tsp_distance(problem, tour[i], tour[i + 1 < n ? i + 1 : 0]);
    return length;
}

int64_t tsp_length(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *forbidden)
{
    const uint32_t n = problem->n, edges = problem->is_path ? n - 1 : n > 1 ? n : 0;
    int64_t length = 0;
    if (forbidden)
        *forbidden = SHOAL_TSP_NONE;
    for (uint32_t i = edges; i-- > 0;) {
        const int64_t distance = tsp_input_distance(problem, tour[i], tour[i + 1 < n ? i + 1 : 0]);
        if (distance >= 0)
            length += distance;
        else if (forbidden)
            *forbidden = i;
    }
    return length;
}
