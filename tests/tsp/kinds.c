#include "kinds.h"

#include <shoal/rng.h>

#include <stdlib.h>
#include <string.h>

static uint32_t word(uint32_t a, uint32_t b)
{
    const struct shoal_words words = shoal_random_words(7, SHOAL_STREAM_TEST, a, b, 0);
    return words.x;
}

const char *kind_name(enum kind kind)
{
    static const char *const names[] = {"whole",  "shared", "large", "fractions", "sphere",
                                        "matrix", "fixed",  "path",  "asymmetric"};
    return names[kind];
}

static double *make_places(enum kind kind, uint32_t n)
{
    double *places = malloc(2 * (size_t)n * sizeof *places);
    for (uint32_t i = 0; i < 2 * n; i++) {
        const uint32_t random = word(i, kind);
        places[i] = random % (kind == SHARED ? 7u : 3000u);
        if (kind == LARGE)
            places[i] = random % 100000000u;
        else if (kind == FRACTIONS)
            places[i] = random % 3000000u / 997.0;
        else if (kind == SPHERE)
            places[i] = (i % 2 ? 180.0 : 90.0) * (random % 2000001u / 1e6 - 1);
    }
    return places;
}

static int32_t *make_matrix(enum kind kind, uint32_t n)
{
    int32_t *matrix = malloc((size_t)n * n * sizeof *matrix);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const bool turned = kind == MATRIX && j < i;
            const uint32_t random = word(turned ? j : i, 100 + (turned ? i : j));
            matrix[(size_t)i * n + j] = i == j ? 0 : (int32_t)(random % 1000);
            if (kind == ASYMMETRIC && i != j && (j + n - i) % n > 2 && random % 11 == 0)
                matrix[(size_t)i * n + j] = SHOAL_TSP_FORBIDDEN;
        }
    return matrix;
}

/* Candidates of a city, nearest first; fixed edges are at no distance at all, forbidden ones are left out. */
static void list_neighbours(const struct tsp_problem *problem, uint32_t city, uint32_t count, uint32_t *list)
{
    uint32_t listed = 0;
    for (uint32_t other = 0; other < problem->form.n; other++) {
        const int64_t distance = tsp_distance(problem, city, other);
        if (other == city || distance >= TSP_FAR)
            continue;
        if (listed == count && distance >= tsp_distance(problem, city, list[count - 1]))
            continue;
        uint32_t at = listed < count ? listed++ : count - 1;
        for (; at > 0 && tsp_distance(problem, city, list[at - 1]) > distance; at--)
            list[at] = list[at - 1];
        list[at] = other;
    }
    for (; listed < count; listed++)
        list[listed] = SHOAL_TSP_NONE;
}

static const struct shoal_tsp_params no_params = {0};

void kind_open(enum kind kind, uint32_t n, uint32_t neighbours, struct kind_problem *out)
{
    const bool is_matrix = kind == MATRIX || kind == ASYMMETRIC;
    struct tsp_problem *problem = &out->problem;
    *out = (struct kind_problem){.neighbours = neighbours};
    problem->params = &no_params;
    problem->n = n;
    problem->metric = is_matrix ? SHOAL_TSP_MATRIX : kind == SPHERE ? SHOAL_TSP_HAVERSINE : SHOAL_TSP_EUC_2D;
    problem->dim = is_matrix ? 0 : 2;
    problem->is_asymmetric = kind == ASYMMETRIC;
    problem->is_path = kind == PATH;
    problem->start = problem->end = SHOAL_TSP_NONE;
    if (kind == PATH)
        problem->start = n / 2;
    problem->places = is_matrix ? NULL : make_places(kind, n);
    problem->matrix = is_matrix ? make_matrix(kind, n) : NULL;
    if (kind == FIXED) {
        problem->fixed_count = n / 4;
        problem->fixed = malloc(problem->fixed_count * sizeof *problem->fixed);
        for (uint32_t i = 0; i < n / 4; i++) {
            /* Some in a row, some alone. */
            problem->fixed[i][0] = i % 3 == 2 ? 4 * i - 3 : 4 * i;
            problem->fixed[i][1] = 4 * i + 1;
        }
    }
    assert_ok(tsp_form_create(problem, &test_error));
    if (out->neighbours > problem->form.n - 1)
        out->neighbours = problem->form.n - 1;
    out->lists = malloc((size_t)problem->form.n * out->neighbours * sizeof *out->lists);
    for (uint32_t i = 0; i < problem->form.n; i++)
        list_neighbours(problem, i, out->neighbours, out->lists + (size_t)i * out->neighbours);
}

void kind_close(struct kind_problem *kind)
{
    tsp_form_destroy(&kind->problem.form);
    free(kind->problem.places);
    free(kind->problem.matrix);
    free(kind->problem.fixed);
    free(kind->lists);
}

void kind_tour(const struct kind_problem *kind, uint32_t number, uint32_t *tour)
{
    const struct tsp_form *form = &kind->problem.form;
    uint32_t *order = malloc(form->n * sizeof *order), count = 0;
    bool *used = calloc(form->n, sizeof *used);
    for (uint32_t i = 0; i < form->n; i++)
        order[i] = i;
    for (uint32_t i = form->n - 1; i > 0; i--) {
        const uint32_t j = word(i, 1000 + number) % (i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    /* Fixed edges are followed: first the chains from their ends, then what is left, single cities. */
    for (uint32_t i = 0; i < form->n; i++) {
        uint32_t city = order[i], before = SHOAL_TSP_NONE;
        /* An asymmetric tour enters each city by its first one. */
        if (used[city] || (form->fixed && form->fixed[2 * city + 1] != SHOAL_TSP_NONE) ||
            (form->is_asymmetric && city >= form->n / 2))
            continue;
        while (city != SHOAL_TSP_NONE) {
            used[city] = true;
            tour[count++] = city;
            const uint32_t *joined = form->fixed ? form->fixed + 2 * city : NULL;
            const uint32_t next = !joined ? SHOAL_TSP_NONE : joined[0] != before ? joined[0] : joined[1];
            before = city;
            city = next;
        }
    }
    assert_int_equal(count, form->n);
    free(order);
    free(used);
}

void assert_tour(const struct tsp_problem *problem, const uint32_t *tour)
{
    bool *seen = calloc(problem->form.n, sizeof *seen);
    for (uint32_t i = 0; i < problem->form.n; i++) {
        assert_in_range(tour[i], 0, problem->form.n - 1);
        assert_false(seen[tour[i]]);
        seen[tour[i]] = true;
    }
    free(seen);
}
