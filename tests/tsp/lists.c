#include "lists.h"

#include "base/integer.h"

#include <stdlib.h>

static const struct lists_case cases[] = {
    {"uniform", UNIFORM, SHOAL_TSP_EUC_2D, 2},
    {"clustered", CLUSTERED, SHOAL_TSP_EUC_2D, 2},
    {"duplicates", DUPLICATES, SHOAL_TSP_EUC_2D, 2},
    {"line", LINE, SHOAL_TSP_EUC_2D, 2},
    {"one place", ONE_PLACE, SHOAL_TSP_EUC_2D, 2},
    {"real", REAL_NUMBERS, SHOAL_TSP_EUC_2D, 2},
    {"space", UNIFORM, SHOAL_TSP_EUC_3D, 3},
    {"duplicates in space", DUPLICATES, SHOAL_TSP_EUC_3D, 3},
    {"real in space", REAL_NUMBERS, SHOAL_TSP_EUC_3D, 3},
    {"ceil", CLUSTERED, SHOAL_TSP_CEIL_2D, 2},
    {"att", CLUSTERED, SHOAL_TSP_ATT, 2},
    {"real att", REAL_NUMBERS, SHOAL_TSP_ATT, 2},
    {"manhattan", CLUSTERED, SHOAL_TSP_MAN_2D, 2},
    {"real maximum", REAL_NUMBERS, SHOAL_TSP_MAX_2D, 2},
    {"maximum in space", DUPLICATES, SHOAL_TSP_MAX_3D, 3},
    {"geo", UNIFORM, SHOAL_TSP_GEO, 2},
    {"geo, one place", ONE_PLACE, SHOAL_TSP_GEO, 2},
    {"geom", UNIFORM, SHOAL_TSP_GEOM, 2},
    {"haversine", UNIFORM, SHOAL_TSP_HAVERSINE, 2},
    {"haversine, line", LINE, SHOAL_TSP_HAVERSINE, 2},
    {"euclid", UNIFORM, SHOAL_TSP_EUCLID, 2},
    {"real euclid", REAL_NUMBERS, SHOAL_TSP_EUCLID, 2},
};

size_t lists_case_count(void)
{
    return COUNT(cases);
}

const struct lists_case *lists_case_at(size_t index)
{
    return &cases[index];
}

void lists_open_special(struct lists_special *special, size_t index)
{
    static const char *const names[LISTS_SPECIALS] = {
        "path", "path between two", "fixed edges", "matrix", "asymmetric and forbidden", "asymmetric path"};
    static const uint32_t fixed[][2] = {{3, 70}, {70, 9}, {20, 21}};
    enum { N = 100 };
    uint64_t random = index + 1;
    *special = (struct lists_special){.name = names[index]};
    if (index < 3) {
        special->points = malloc(2 * N * sizeof *special->points);
        assert_non_null(special->points);
        cities_make_points(CLUSTERED, SHOAL_TSP_EUC_2D, 2, special->points, N);
        cities_open(&special->cities, SHOAL_TSP_EUC_2D, 2, special->points, N);
    } else {
        special->matrix = malloc(N * N * sizeof *special->matrix);
        assert_non_null(special->matrix);
        for (uint32_t i = 0; i < N * N; i++) {
            const uint32_t row = i / N, column = i % N;
            const int32_t weight = (int32_t)(cities_random(&random) % 50);
            special->matrix[i] = row == column                ? 0
                                 : index == 3 && column < row ? special->matrix[column * N + row]
                                 : index == 4 && weight == 49 ? SHOAL_TSP_FORBIDDEN
                                                              : weight;
        }
        cities_open_matrix(&special->cities, special->matrix, N);
    }
    const bool is_path = index < 2 || index == 5;
    if (index != 3)
        assert_ok(cities_change(&special->cities, is_path, index == 1 ? 7 : SHOAL_TSP_NONE,
                                index == 1 || index == 5 ? 9 : SHOAL_TSP_NONE, fixed,
                                index == 2 || index == 5 ? COUNT(fixed) - (index == 5) : 0));
}

void lists_close_special(struct lists_special *special)
{
    cities_close(&special->cities);
    free(special->points);
    free(special->matrix);
}

struct near {
    int64_t distance;
    uint32_t city;
};

static int compare(const void *a, const void *b)
{
    const struct near *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return (p->city > q->city) - (p->city < q->city);
}

/* Quadrant of the city seen from another one; -1: cities that the form sets apart. */
static int part_of(const struct tsp_problem *problem, uint32_t from, const struct near *near)
{
    const struct tsp_form *form = &problem->form;
    if (near->distance < 0 || near->city >= problem->n || from >= problem->n)
        return -1;
    int part = 0;
    for (unsigned d = 0; d < form->dim; d++)
        if (form->places[near->city * form->dim + d] < form->places[from * form->dim + d])
            part |= 1 << d;
    return part;
}

/* First those set apart, then the same number of each quadrant, then the nearest of the rest. */
static uint32_t choose(const struct tsp_problem *problem, uint32_t from, struct near *all, uint32_t found,
                       uint32_t count)
{
    const int parts = 1 << problem->form.dim;
    bool *taken = calloc(found ? found : 1, sizeof *taken);
    assert_non_null(taken);
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < found && chosen < count; i++)
        if (part_of(problem, from, &all[i]) < 0)
            chosen += taken[i] = true;
    const uint32_t each = (count - chosen) / (uint32_t)parts;
    for (int part = 0; part < parts; part++) {
        uint32_t of_part = 0;
        for (uint32_t i = 0; i < found && of_part < each; i++)
            if (!taken[i] && part_of(problem, from, &all[i]) == part) {
                chosen += taken[i] = true;
                of_part++;
            }
    }
    for (uint32_t i = 0; i < found && chosen < count; i++)
        if (!taken[i])
            chosen += taken[i] = true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found; i++)
        if (taken[i])
            all[kept++] = all[i];
    free(taken);
    return kept;
}

void lists_on_host(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind,
                   int threads, uint32_t *lists)
{
    const struct tsp_listing listing = {.count = count, .kind = kind, .threads = threads};
    assert_ok(tsp_neighbours(problem, &listing, lists, &test_error));
}

void lists_reference(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind,
                     uint32_t *lists)
{
    const struct tsp_form *form = &problem->form;
    const bool quadrants = kind == TSP_QUADRANT && form->dim;
    struct near *all = malloc(form->n * sizeof *all);
    assert_non_null(all);
    for (uint32_t a = 0; a < form->n; a++) {
        uint32_t found = 0;
        for (uint32_t b = 0; b < form->n; b++)
            if (b != a && tsp_distance(problem, a, b) != TSP_FAR)
                all[found++] = (struct near){tsp_distance(problem, a, b), b};
        qsort(all, found, sizeof *all, compare);
        if (quadrants)
            found = choose(problem, a, all, found, count);
        for (uint32_t i = 0; i < count; i++)
            lists[(size_t)a * count + i] = i < found ? all[i].city : SHOAL_TSP_NONE;
    }
    free(all);
}
