#include "tsp/model/form.h"

#include "base/error.h"
#include "tsp/model/farthest.h"
#include "tsp/model/problem.h"
#include "tsp/model/rules.clh"
#include "tsp/model/sphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* WIDE_FROM: from this distance on, differences of sums of three distances need 64 bits. LARGE_FROM: from
 * this difference of integer coordinates on, squares need 64 bits. INEXACT_FROM: from this distance on,
 * TSPLIB's formulas in doubles may differ from the exact root. EUCLID_LIMIT: bound of all distances in the
 * unit that EUCLID chooses. */
#define WIDE_FROM       0x1p29
#define LARGE_FROM      0x1p21
#define INEXACT_FROM    0x1p25
#define EUCLID_LIMIT    0x1p30
#define MOST_DISTANCE   2147483647
#define EARTH_RADIUS_CM 637100880.0

static int rule_of(enum shoal_tsp_metric metric)
{
    switch (metric) {
    case SHOAL_TSP_EUC_2D:
    case SHOAL_TSP_EUC_3D:
    case SHOAL_TSP_EUCLID:
        return RULE_NEAREST;
    case SHOAL_TSP_CEIL_2D:
        return RULE_CEIL;
    case SHOAL_TSP_MAN_2D:
    case SHOAL_TSP_MAN_3D:
        return RULE_MANHATTAN;
    case SHOAL_TSP_MAX_2D:
    case SHOAL_TSP_MAX_3D:
        return RULE_MAXIMUM;
    case SHOAL_TSP_ATT:
        return RULE_ATT;
    case SHOAL_TSP_GEO:
        return RULE_GEO;
    case SHOAL_TSP_HAVERSINE:
        return RULE_SPHERE;
    case SHOAL_TSP_GEOM:
        return RULE_GEOM;
    default:
        return RULE_MATRIX;
    }
}

/* Allocates `dim` coordinates for each city of the input; the form owns them. */
static double *own_places(struct tsp_problem *problem, unsigned dim)
{
    double *places = malloc((size_t)problem->n * dim * sizeof *places);
    problem->form.places = places;
    problem->form.owns_places = true;
    problem->form.dim = dim;
    return places;
}

/* The matrix ------------------------------------------------------------------------------------------- */

static void look_at_matrix(struct tsp_problem *problem)
{
    const size_t n = problem->n;
    int32_t least = 0, most = 0;
    for (size_t i = 0; i < n * n; i++) {
        if (i % (n + 1) == 0)
            continue;
        least = problem->matrix[i] < least ? problem->matrix[i] : least;
        most = problem->matrix[i] > most ? problem->matrix[i] : most;
    }
    problem->form.is_wide = least < 0 || most >= WIDE_FROM;
}

/* Places in the plane and in space --------------------------------------------------------------------- */

/* Returns x / 10^exponent. Powers of ten up to 10^22 are exact as doubles. */
static double scaled(double x, int exponent)
{
    return exponent < 0 ? x * pow(10, -exponent) : x / pow(10, exponent);
}

/* Returns the least exponent for which `length` is below 2^30 in units of 10^exponent. */
static int unit_exponent(double length)
{
    int exponent = length > 0 ? (int)floor(log10(length) - log10(EUCLID_LIMIT)) - 1 : 0;
    if (exponent < -300)
        exponent = -300;
    while (rint(scaled(length, exponent)) >= EUCLID_LIMIT)
        exponent++;
    return exponent;
}

/* If all coordinates are integers up to rounding errors, rounds them to these integers. Coordinates that have
 * no more decimals than the unit are integers in this unit, except for errors of binary rounding and of
 * scaling. */
static void put_right(double *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabs(places[i] - rint(places[i])) > 0x1p-50 * fabs(places[i]))
            return;
    for (size_t i = 0; i < count; i++)
        places[i] = rint(places[i]);
}

/* Sets the unit of SHOAL_TSP_EUCLID: the smallest power of ten in which all distances are below 2^30. */
static enum shoal_status set_euclid(struct tsp_problem *problem, struct shoal_error *error)
{
    const size_t count = (size_t)problem->n * problem->dim;
    double *places = own_places(problem, problem->dim), size = 0;
    if (!places)
        return fail_host_memory(error);
    /* Scales coordinates by a power of two before they are squared, since the squares could overflow. */
    for (size_t i = 0; i < count; i++)
        size = fmax(size, fabs(problem->places[i]));
    int power;
    frexp(size, &power);
    for (size_t i = 0; i < count; i++)
        places[i] = ldexp(problem->places[i], -power);
    const struct tsp_extent extent = tsp_extent(places, problem->n, problem->dim);
    double least = 0;
    for (unsigned d = 0; d < problem->dim; d++)
        least = fmax(least, extent.most[d] - extent.least[d]);
    double length = sqrt(tsp_measure_of(RULE_NEAREST, problem->dim, &extent));
    /* The largest distance is between the longest side and the diagonal of the bounding box. If these two
     * give different units, the farthest pair of points decides. */
    if (unit_exponent(ldexp(least, power)) != unit_exponent(ldexp(length, power))) {
        uint32_t pair[2];
        enum shoal_status status = tsp_farthest(places, problem->n, problem->dim, RULE_NEAREST, pair, error);
        if (status)
            return status;
        double square = 0;
        for (unsigned d = 0; d < problem->dim; d++) {
            const double x = places[pair[0] * problem->dim + d] - places[pair[1] * problem->dim + d];
            square += x * x;
        }
        length = sqrt(square);
    }
    const int exponent = unit_exponent(ldexp(length, power));
    const double ten = pow(10, abs(exponent));
    for (size_t i = 0; i < count; i++)
        places[i] = exponent < 0 ? problem->places[i] * ten : problem->places[i] / ten;
    put_right(places, count);
    problem->unit = exponent < 0 ? 1 / ten : ten;
    return SHOAL_OK;
}

static bool are_whole(const double *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (places[i] != rint(places[i]) || fabs(places[i]) > 0x1p52)
            return false;
    return true;
}

static enum shoal_status check_farthest(const struct tsp_problem *problem, struct shoal_error *error)
{
    const struct tsp_form *form = &problem->form;
    uint32_t pair[2];
    enum shoal_status status = tsp_farthest(form->places, problem->n, form->dim, form->rule, pair, error);
    if (status)
        return status;
    double difference[3] = {0};
    for (unsigned d = 0; d < form->dim; d++)
        difference[d] = fabs(form->places[(size_t)pair[0] * form->dim + d] -
                             form->places[(size_t)pair[1] * form->dim + d]);
    const double measure = tsp_measure(form->rule, form->dim, difference);
    const bool is_straight = form->rule != RULE_MANHATTAN && form->rule != RULE_MAXIMUM;
    const double distance = is_straight ? sqrt(form->rule == RULE_ATT ? measure / 10 : measure) : measure;
    if ((form->rule == RULE_NEAREST || !is_straight ? floor(distance + 0.5) : ceil(distance)) <=
        MOST_DISTANCE)
        return SHOAL_OK;
    char ids[2][64];
    tsp_id(problem, pair[0], ids[0], sizeof ids[0]);
    tsp_id(problem, pair[1], ids[1], sizeof ids[1]);
    return fail(
        error, SHOAL_INVALID,
        "%s: the distance of the cities %s and %s is %.15g: at most %d is possible, scale the coordinates",
        problem->name, ids[0], ids[1], distance, MOST_DISTANCE);
}

/* Sets form->is_even. Of random points in a rectangle, 1 - exp(-2) = 86 % of the squares have one. */
static enum shoal_status set_even(struct tsp_problem *problem, const struct tsp_extent *extent,
                                  struct shoal_error *error)
{
    struct tsp_form *form = &problem->form;
    const double width = extent->most[0] - extent->least[0], height = extent->most[1] - extent->least[1];
    const double side = sqrt(width * height / (problem->n / 2.0));
    if (form->dim != 2 || problem->n <= TSP_MANY_CITIES || !(side > 0))
        return SHOAL_OK;
    const size_t columns = (size_t)(width / side) + 1, squares = columns * ((size_t)(height / side) + 1);
    if (squares > problem->n)
        return SHOAL_OK; /* all cities are nearly on a line */
    bool *has_city = calloc(squares, sizeof *has_city);
    if (!has_city)
        return fail_host_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < problem->n; i++) {
        const double x = (form->places[2 * i] - extent->least[0]) / side,
                     y = (form->places[2 * i + 1] - extent->least[1]) / side;
        bool *has = &has_city[(size_t)y * columns + (size_t)x];
        count += !*has;
        *has = true;
    }
    free(has_city);
    form->is_even = (double)count >= 0.75 * (double)squares;
    return SHOAL_OK;
}

static enum shoal_status set_straight(struct tsp_problem *problem, struct shoal_error *error)
{
    struct tsp_form *form = &problem->form;
    if (problem->metric == SHOAL_TSP_EUCLID) {
        enum shoal_status status = set_euclid(problem, error);
        if (status)
            return status;
    } else {
        form->places = problem->places;
        form->dim = problem->dim;
    }
    const struct tsp_extent extent = tsp_extent(form->places, problem->n, form->dim);
    const double diagonal = sqrt(tsp_measure_of(RULE_NEAREST, form->dim, &extent));
    const double sum = tsp_measure_of(RULE_MANHATTAN, form->dim, &extent);
    memcpy(form->origin, extent.least, sizeof form->origin);
    const bool has_root = form->rule != RULE_MANHATTAN && form->rule != RULE_MAXIMUM;
    const double most = has_root ? diagonal : form->rule == RULE_MANHATTAN ? sum : diagonal;
    form->is_wide = most >= WIDE_FROM;
    form->is_whole =
        are_whole(form->places, (size_t)problem->n * form->dim) &&
        (has_root ? problem->metric == SHOAL_TSP_EUCLID || diagonal < INEXACT_FROM : sum <= MOST_DISTANCE);
    form->is_large = form->is_whole && has_root && diagonal >= LARGE_FROM;
    form->is_exact = form->is_large && diagonal >= INEXACT_FROM;
    const enum shoal_status even = set_even(problem, &extent, error);
    if (even)
        return even;
    return most + 1 < MOST_DISTANCE ? SHOAL_OK : check_farthest(problem, error);
}

static enum shoal_status set_sphere(struct tsp_problem *problem, struct shoal_error *error)
{
    double *places = own_places(problem, 3);
    if (!places)
        return fail_host_memory(error);
    for (size_t i = 0; i < problem->n; i++)
        tsp_unit_vector(problem->form.rule, &problem->places[2 * i], &places[3 * i]);
    /* A chord is no longer than the diagonal of the bounding box of all points, and an arc no longer than pi
     * / 2 times its chord. */
    const struct tsp_extent extent = tsp_extent(places, problem->n, 3);
    const double chord = sqrt(tsp_measure_of(RULE_NEAREST, 3, &extent));
    problem->form.is_wide = problem->form.rule == RULE_SPHERE && chord * EARTH_RADIUS_CM * 1.6 >= WIDE_FROM;
    return SHOAL_OK;
}

/* Edges ------------------------------------------------------------------------------------------------ */

static void add_partner(struct tsp_form *form, uint32_t city, uint32_t partner)
{
    uint32_t *partners = &form->fixed[2 * (size_t)city];
    partners[partners[0] != SHOAL_TSP_NONE] = partner;
}

/* Adds a fixed edge, unless the form has it already, as for a path of one city, whose two ends are the same.
 * The caller has checked the edges (tsp_check_fixed). */
static void add_edge(struct tsp_form *form, uint32_t a, uint32_t b)
{
    if (form->fixed[2 * (size_t)a] == b || form->fixed[2 * (size_t)a + 1] == b)
        return;
    form->fixed_count++;
    add_partner(form, a, b);
    add_partner(form, b, a);
}

static enum shoal_status set_fixed(struct tsp_problem *problem, struct shoal_error *error)
{
    struct tsp_form *form = &problem->form;
    const uint32_t half = form->is_asymmetric ? form->n / 2 : 0, free_city = problem->n;
    const bool has_start = form->is_path && problem->start != SHOAL_TSP_NONE;
    const bool has_end = form->is_path && problem->end != SHOAL_TSP_NONE;
    form->has_fixed = form->is_asymmetric || problem->fixed_count || has_start || has_end;
    if (!form->has_fixed)
        return SHOAL_OK;
    form->is_wide = true;
    form->fixed = malloc(2 * (size_t)form->n * sizeof *form->fixed);
    if (!form->fixed)
        return fail_host_memory(error);
    memset(form->fixed, 0xff, 2 * (size_t)form->n * sizeof *form->fixed);
    for (uint32_t i = 0; i < half; i++)
        add_edge(form, i, i + half);
    if (has_start)
        add_edge(form, free_city + half, problem->start);
    if (has_end)
        add_edge(form, problem->end + half, free_city);
    for (size_t i = 0; i < problem->fixed_count; i++)
        add_edge(form, problem->fixed[i][0] + half, problem->fixed[i][1]);
    return SHOAL_OK;
}

enum shoal_status tsp_form_create(struct tsp_problem *problem, struct shoal_error *error)
{
    struct tsp_form *form = &problem->form;
    *form = (struct tsp_form){.rule = rule_of(problem->metric),
                              .is_path = problem->is_path,
                              .is_asymmetric = problem->is_asymmetric,
                              .n = problem->n + problem->is_path};
    if (problem->is_asymmetric)
        form->n *= 2;
    enum shoal_status status = SHOAL_OK;
    if (form->rule == RULE_MATRIX)
        look_at_matrix(problem);
    else if (IS_ON_SPHERE(form->rule))
        status = set_sphere(problem, error);
    else
        status = set_straight(problem, error);
    return status ? status : set_fixed(problem, error);
}

void tsp_form_destroy(struct tsp_form *form)
{
    if (form->owns_places)
        free((void *)(uintptr_t)form->places);
    free(form->fixed);
    *form = (struct tsp_form){0};
}

/* Tours ------------------------------------------------------------------------------------------------ */

void tsp_form_enter(const struct tsp_problem *problem, const uint32_t *tour, uint32_t *form_tour)
{
    const struct tsp_form *form = &problem->form;
    const uint32_t cities = problem->n + form->is_path;
    for (uint32_t i = 0; i < cities; i++) {
        const uint32_t city = i < problem->n ? tour[i] : problem->n;
        if (form->is_asymmetric) {
            form_tour[2 * i] = city;
            form_tour[2 * i + 1] = city + cities;
        } else {
            form_tour[i] = city;
        }
    }
}

static bool keeps_edges(const struct tsp_problem *problem, const uint32_t *form_tour)
{
    const uint32_t n = problem->form.n, edges = n > 2 ? n : n - 1;
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < edges; i++) {
        const int64_t distance = tsp_distance(problem, form_tour[i], form_tour[i + 1 < n ? i + 1 : 0]);
        if (distance == TSP_FAR)
            return false;
        fixed += distance == -TSP_FAR;
    }
    return fixed == problem->form.fixed_count;
}

/* Returns the index in a tour of the form at which the tour of the input begins: the index of the additional
 * city of a path, or of the start city of a closed tour; 0 if any city may be first. *backwards: the tour of
 * the form goes in the opposite direction. */
static uint32_t first_place(const struct tsp_problem *problem, const uint32_t *form_tour, bool *backwards)
{
    const struct tsp_form *form = &problem->form;
    const uint32_t n = form->n, half = n / 2;
    uint32_t place = 0;
    const uint32_t first = form->is_path ? problem->n : problem->start;
    while (first != SHOAL_TSP_NONE && form_tour[place] != first)
        place++;
    const uint32_t next = form_tour[place + 1 < n ? place + 1 : 0],
                   before = form_tour[place ? place - 1 : n - 1];
    if (form->is_asymmetric)
        /* A city of an asymmetric input is two cities of the form, an entry and an exit. The tour is read in
         * the direction in which the entry comes before the exit. */
        *backwards =
            form_tour[place] < half ? next != form_tour[place] + half : next == form_tour[place] - half;
    else
        *backwards = form->is_path && ((problem->start != SHOAL_TSP_NONE && next != problem->start) ||
                                       (problem->end != SHOAL_TSP_NONE && before != problem->end));
    return place;
}

bool tsp_form_leave(const struct tsp_problem *problem, const uint32_t *form_tour, uint32_t *tour)
{
    const struct tsp_form *form = &problem->form;
    const uint32_t n = form->n, half = n / 2;
    if (!tsp_form_is_plain(form) && !keeps_edges(problem, form_tour))
        return false;
    bool backwards;
    const uint32_t place = first_place(problem, form_tour, &backwards);
    uint32_t count = 0;
    if (tsp_form_is_plain(form)) {
        memcpy(tour, form_tour + place, (n - place) * sizeof *tour);
        memcpy(tour + (n - place), form_tour, place * sizeof *tour);
        return true;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = backwards ? (place < i ? place + n - i : place - i) : (place + i) % n;
        const uint32_t city = form_tour[k];
        if ((form->is_asymmetric && city >= half) || (form->is_path && city == problem->n))
            continue;
        tour[count++] = city;
    }
    return true;
}
