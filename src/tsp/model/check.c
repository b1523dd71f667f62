#include "tsp/model/check.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/decimal.h"
#include "tsp/model/leaders.h"
#include "tsp/model/neighbours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest allowed absolute value of a coordinate. Squares of larger values may exceed the range of double. */
#define MOST_COORDINATE 1e150

unsigned tsp_metric_dim(enum shoal_tsp_metric metric)
{
    switch (metric) {
    case SHOAL_TSP_MATRIX:
        return 0;
    case SHOAL_TSP_EUC_3D:
    case SHOAL_TSP_MAN_3D:
    case SHOAL_TSP_MAX_3D:
        return 3;
    default:
        return 2;
    }
}

const char *tsp_metric_name(enum shoal_tsp_metric metric)
{
    static const char *const names[] = {"auto",   "EUC_2D",    "EUC_3D", "CEIL_2D", "MAN_2D",
                                        "MAN_3D", "MAX_2D",    "MAX_3D", "ATT",     "GEO",
                                        "euclid", "haversine", "matrix", "GEOM"};
    return names[metric];
}

const char *tsp_place_fault(enum shoal_tsp_metric metric, unsigned dim, const double *place)
{
    const bool is_globe = tsp_is_globe(metric);
    if (is_globe && fabs(place[0]) > 90)
        return "a latitude is beyond 90 degrees: latitude comes before longitude";
    if (is_globe && fabs(place[1]) > 360)
        return "a longitude is beyond 360 degrees";
    for (unsigned k = 0; k < dim; k++)
        if (!(fabs(place[k]) <= MOST_COORDINATE))
            return isfinite(place[k]) ? "a coordinate is beyond 1e150" : "a coordinate is not finite";
    return NULL;
}

double tsp_unit(double greatest)
{
    char digits[16];
    double unit = 1;
    if (!(greatest > 0))
        return unit;
    /* Whether a distance is below 2^30 is decided after rounding to an integer. So powers are tried in
     * ascending order, from one that is certainly too small. */
    int power = (int)floor(log10(greatest)) - 9;
    power = power > -290 ? power - 1 : -290;
    for (bool fits = false; !fits; power++) {
        snprintf(digits, sizeof digits, "1e%d", power);
        decimal_read(digits, &unit);
        fits = greatest / unit < 0x1p30 - 1;
    }
    return unit;
}

enum shoal_status tsp_allocate_matrix(struct tsp_problem *problem, struct shoal_error *error)
{
    const size_t n = problem->n;
    char what[64];
    snprintf(what, sizeof what, "the matrix of %zu cities", n);
    enum shoal_status status =
        check_host_memory((double)n * (double)n * sizeof *problem->matrix, what, "give points", error);
    if (status)
        return status;
    problem->matrix = calloc(n * n, sizeof *problem->matrix);
    problem->owns_matrix = true;
    return problem->matrix ? SHOAL_OK : fail_host_memory(error);
}

/* Parameters ------------------------------------------------------------------------------------------- */

enum shoal_status tsp_check_metric(const struct shoal_tsp_params *params, enum shoal_tsp_metric metric,
                                   const char *name, struct shoal_error *error)
{
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)params->metric;
    if (asked == SHOAL_TSP_AUTO || asked == metric)
        return SHOAL_OK;
    if (metric == SHOAL_TSP_MATRIX)
        return fail(error, SHOAL_INVALID, "%s holds a matrix of distances: leave out --metric", name);
    if (asked == SHOAL_TSP_MATRIX)
        return fail(error, SHOAL_INVALID, "%s holds points, no matrix: leave out --metric", name);
    const unsigned has = tsp_metric_dim(metric), needs = tsp_metric_dim(asked);
    if (has != needs && asked != SHOAL_TSP_EUCLID)
        return fail(error, SHOAL_INVALID, "%s holds points of %u coordinates, --metric %s takes %u", name,
                    has, tsp_metric_name(asked), needs);
    return SHOAL_OK;
}

static enum shoal_status check_arrays(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const enum shoal_tsp_metric metric = (enum shoal_tsp_metric)params->metric;
    if (params->count < 1 || params->count > TSP_MOST_CITIES)
        return fail(error, SHOAL_INVALID, "count: %llu is not between 1 and %lu",
                    (unsigned long long)params->count, (unsigned long)TSP_MOST_CITIES);
    if (params->matrix && metric != SHOAL_TSP_AUTO && metric != SHOAL_TSP_MATRIX)
        return fail(error, SHOAL_INVALID, "metric: a matrix has no metric but auto");
    if (!params->points)
        return SHOAL_OK;
    if (params->dim != 2 && params->dim != 3)
        return fail(error, SHOAL_INVALID, "dim: points have 2 or 3 coordinates, not %llu",
                    (unsigned long long)params->dim);
    if (metric == SHOAL_TSP_MATRIX)
        return fail(error, SHOAL_INVALID, "metric: points are no matrix");
    if (metric != SHOAL_TSP_AUTO && metric != SHOAL_TSP_EUCLID && tsp_metric_dim(metric) != params->dim)
        return fail(error, SHOAL_INVALID, "metric: %s takes points of %u coordinates, not %llu",
                    tsp_metric_name(metric), tsp_metric_dim(metric), (unsigned long long)params->dim);
    return SHOAL_OK;
}

static enum shoal_status check_lists(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const bool is_given = params->list_file || params->neighbour_lists;
    if (params->lists < SHOAL_TSP_LISTS_AUTO || params->lists > SHOAL_TSP_LISTS_ALPHA)
        return fail(error, SHOAL_INVALID, "lists: %ld is none", (long)params->lists);
    if (params->list_file && params->neighbour_lists)
        return fail(error, SHOAL_INVALID, "list_file and neighbour_lists are both given: give one of them");
    if (params->lists == SHOAL_TSP_LISTS_GIVEN && !is_given)
        return fail(error, SHOAL_INVALID, "--lists file: name the file by --list-file");
    if (is_given && params->lists != SHOAL_TSP_LISTS_AUTO && params->lists != SHOAL_TSP_LISTS_GIVEN)
        return fail(error, SHOAL_INVALID, "%s to --lists file: leave out one of the two",
                    params->list_file ? "--list-file belongs" : "neighbour_lists belong");
    return SHOAL_OK;
}

enum shoal_status tsp_check_params(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const int sources = !!params->data + !!params->generate + !!params->points + !!params->matrix;
    if (sources > 1)
        return fail(error, SHOAL_INVALID,
                    "a problem is one of data, generate, points and matrix: give one of them");
    if (params->metric < SHOAL_TSP_AUTO || params->metric > SHOAL_TSP_GEOM)
        return fail(error, SHOAL_INVALID, "metric: %ld is none", (long)params->metric);
    enum shoal_status status = check_lists(params, error);
    if (status)
        return status;
    if (params->tour && params->start_tour)
        return fail(error, SHOAL_INVALID, "tour and start_tour are both given: give one of them");
    if (!params->neighbour_lists != !params->neighbours)
        return fail(error, SHOAL_INVALID,
                    "neighbour_lists and neighbours belong together: give both or none");
    if (params->neighbours > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "neighbours: at most %d are possible", TSP_MOST_NEIGHBOURS);
    if (!(isnan(params->optimum) || (params->optimum >= 0 && isfinite(params->optimum))))
        return fail(error, SHOAL_INVALID, "optimum: %g is no length", params->optimum);
    return params->points || params->matrix ? check_arrays(params, error) : SHOAL_OK;
}

/* Edges ------------------------------------------------------------------------------------------------ */

static const char *show_city(const struct tsp_problem *problem, uint32_t city, char text[64])
{
    tsp_id(problem, city, text, 64);
    return text;
}

static bool is_forbidden(const struct tsp_problem *problem, size_t from, size_t to)
{
    return problem->matrix && problem->matrix[from * problem->n + to] == SHOAL_TSP_FORBIDDEN;
}

/* Fixed edges, as a graph of the cities. A path has an additional city, joined to its start and its end, with
 * which the path becomes a closed tour. */
struct joints {
    uint32_t n;
    uint32_t *leader; /* [cities]: parent of each city in a union-find forest of the joined cities */
    /* [cities]: the two cities to which each city is joined; in an asymmetric problem, the city before it and
     * the city after it */
    uint32_t (*joined)[2];
    uint32_t edges;
};

/* Adds an edge. If the edge cannot be in a tour with the edges added before, returns the reason, as a part of
 * a message; otherwise NULL. *is_known: the same edge was added before. */
static const char *join(struct joints *joints, bool is_directed, const uint32_t edge[2], bool *is_known)
{
    const uint32_t a = edge[0], b = edge[1];
    uint32_t *of_a = joints->joined[a], *of_b = joints->joined[b];
    *is_known = is_directed ? of_a[1] == b : of_a[0] == b || of_a[1] == b;
    if (*is_known)
        return NULL;
    if (is_directed && of_a[1] != SHOAL_TSP_NONE)
        return "leaves a city that another fixed edge leaves";
    if (is_directed && of_b[0] != SHOAL_TSP_NONE)
        return "enters a city that another fixed edge enters";
    if (of_a[1] != SHOAL_TSP_NONE || (is_directed ? of_b[0] : of_b[1]) != SHOAL_TSP_NONE)
        return "meets two others in a city";
    const uint32_t first = tsp_leader(joints->leader, a), second = tsp_leader(joints->leader, b);
    joints->edges++;
    if (first == second && joints->edges < joints->n)
        return "closes a cycle before all cities are in it";
    joints->leader[first] = second;
    of_a[is_directed || of_a[0] != SHOAL_TSP_NONE] = b;
    of_b[!is_directed && of_b[0] != SHOAL_TSP_NONE] = a;
    return NULL;
}

/* Joins the additional city to each end of the path that the caller has chosen. */
static void join_ends(const struct tsp_problem *problem, struct joints *joints)
{
    const uint32_t between = problem->n;
    const uint32_t edges[2][2] = {{between, problem->start}, {problem->end, between}};
    bool is_known;
    for (int i = 0; i < 2 && problem->n > 1 && problem->is_path; i++)
        if (edges[i][!i] != SHOAL_TSP_NONE)
            join(joints, problem->is_asymmetric, edges[i], &is_known);
}

static enum shoal_status check_edges(struct tsp_problem *problem, struct joints *joints,
                                     struct shoal_error *error)
{
    size_t kept = 0;
    char a[64], b[64];
    join_ends(problem, joints);
    for (size_t i = 0; i < problem->fixed_count; i++) {
        uint32_t *edge = problem->fixed[i];
        bool is_known;
        const char *fault = join(joints, problem->is_asymmetric, edge, &is_known);
        if (fault)
            return fail(error, SHOAL_INVALID, "%s: the fixed edge from %s to %s %s", problem->name,
                        show_city(problem, edge[0], a), show_city(problem, edge[1], b), fault);
        if (!is_known)
            memmove(problem->fixed[kept++], edge, 2 * sizeof *edge);
    }
    problem->fixed_count = kept;
    return SHOAL_OK;
}

enum shoal_status tsp_check_fixed(struct tsp_problem *problem, struct shoal_error *error)
{
    struct joints joints = {.n = problem->n + problem->is_path};
    if (!problem->fixed_count)
        return SHOAL_OK;
    joints.leader = malloc((size_t)joints.n * sizeof *joints.leader);
    joints.joined = malloc((size_t)joints.n * sizeof *joints.joined);
    enum shoal_status status = joints.leader && joints.joined ? SHOAL_OK : fail_host_memory(error);
    for (uint32_t i = 0; i < joints.n && !status; i++) {
        joints.leader[i] = i;
        joints.joined[i][0] = joints.joined[i][1] = SHOAL_TSP_NONE;
    }
    if (!status)
        status = check_edges(problem, &joints, error);
    free(joints.leader);
    free(joints.joined);
    return status;
}

/* Rounded distances ------------------------------------------------------------------------------------ */

void tsp_note_rounding(struct tsp_problem *problem)
{
    enum { FEW = 64 };
    const enum shoal_tsp_metric metric = problem->metric;
    const uint32_t n = problem->n, step = (n + FEW - 1) / FEW;
    uint32_t pairs = 0, short_ones = 0;
    if (metric == SHOAL_TSP_MATRIX || metric == SHOAL_TSP_EUCLID || metric == SHOAL_TSP_HAVERSINE)
        return;
    /* If there are many cities, only distances between every step-th of them are examined. */
    for (uint32_t a = 0; a < n; a += step)
        for (uint32_t b = 0; b < a; b += step) {
            const int64_t distance = tsp_input_distance(problem, a, b);
            pairs++;
            short_ones += distance <= 1;
        }
    if (2 * short_ones > pairs)
        tsp_note(problem,
                 "%s: %s rounds to whole numbers, and most distances are 0 or 1: tours that differ have the "
                 "same length%s",
                 problem->name, tsp_metric_name(metric),
                 tsp_is_globe(metric) ? "" : "; --metric euclid does not round");
}

/* Forbidden edges -------------------------------------------------------------------------------------- */

/* Returns how many cities can be reached from city 0 by allowed edges; if is_backwards, from how many cities
 * city 0 can be reached. `queue`: scratch memory for n cities. reached: whether each city was counted. */
static uint32_t count_reached(const struct tsp_problem *problem, bool is_backwards, uint32_t *queue,
                              bool *reached)
{
    uint32_t begin = 0, end = 1;
    memset(reached, 0, problem->n * sizeof *reached);
    queue[0] = 0;
    reached[0] = true;
    for (; begin < end; begin++)
        for (uint32_t to = 0; to < problem->n; to++) {
            const uint32_t from = queue[begin];
            if (!reached[to] &&
                !(is_backwards ? is_forbidden(problem, to, from) : is_forbidden(problem, from, to))) {
                reached[to] = true;
                queue[end++] = to;
            }
        }
    return end;
}

/* Counts the allowed edges from a city (*out) and to the city (*in). */
static void count_allowed(const struct tsp_problem *problem, uint32_t city, uint32_t *out, uint32_t *in)
{
    *out = *in = 0;
    for (uint32_t other = 0; other < problem->n; other++) {
        *out += other != city && !is_forbidden(problem, city, other);
        *in += other != city && !is_forbidden(problem, other, city);
    }
}

static enum shoal_status check_each_city(const struct tsp_problem *problem, struct shoal_error *error)
{
    const uint32_t least = problem->is_asymmetric || problem->is_path || problem->n == 2 ? 1 : 2;
    char text[64];
    for (uint32_t city = 0; city < problem->n; city++) {
        uint32_t out, in;
        count_allowed(problem, city, &out, &in);
        const bool is_closed = !problem->is_path;
        const bool lacks = is_closed ? out < least || in < least : out + in < 1;
        if (lacks)
            return fail(
                error, SHOAL_INVALID,
                "%s: no tour exists: of the edges of city %s all but %lu are forbidden, a tour needs %lu",
                problem->name, show_city(problem, city, text), (unsigned long)(out < in ? out : in),
                (unsigned long)least);
    }
    return SHOAL_OK;
}

static enum shoal_status check_connected(const struct tsp_problem *problem, struct shoal_error *error)
{
    uint32_t *queue = malloc(problem->n * sizeof *queue);
    bool *reached = malloc(problem->n * sizeof *reached);
    char text[2][64];
    enum shoal_status status = queue && reached ? SHOAL_OK : fail_host_memory(error);
    /* In an asymmetric problem a path may leave a city to which no allowed edges lead back, so neither
     * direction is checked. */
    const int directions = problem->is_asymmetric ? problem->is_path ? 0 : 2 : 1;
    for (int i = 0; i < directions && !status; i++) {
        if (count_reached(problem, i == 1, queue, reached) == problem->n)
            continue;
        uint32_t city = 0;
        while (reached[city])
            city++;
        status = fail(error, SHOAL_INVALID, "%s: no tour exists: forbidden edges part city %s from %s",
                      problem->name, show_city(problem, i == 1 ? city : 0, text[0]),
                      show_city(problem, i == 1 ? 0 : city, text[1]));
    }
    free(queue);
    free(reached);
    return status;
}

enum shoal_status tsp_check_forbidden(const struct tsp_problem *problem, struct shoal_error *error)
{
    const size_t n = problem->n;
    char text[2][64];
    bool any = false;
    for (size_t i = 0; problem->matrix && i < n * n && !any; i++)
        any = problem->matrix[i] == SHOAL_TSP_FORBIDDEN && i / n != i % n;
    if (!any)
        return SHOAL_OK;
    for (size_t i = 0; i < problem->fixed_count; i++)
        if (is_forbidden(problem, problem->fixed[i][0], problem->fixed[i][1]))
            return fail(error, SHOAL_INVALID,
                        "%s: the fixed edge from %s to %s is forbidden, its weight is inf", problem->name,
                        show_city(problem, problem->fixed[i][0], text[0]),
                        show_city(problem, problem->fixed[i][1], text[1]));
    enum shoal_status status = check_each_city(problem, error);
    return status ? status : check_connected(problem, error);
}
