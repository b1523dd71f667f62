/* Random starts by random sequential addition: the position of each particle is redrawn until it is far
 * enough from the particles placed before. A grid of boxes as wide as the least distance limits the search to
 * near particles. */
#include "base/error.h"
#include "gas/model/grid.h"
#include "gas/species/species.h"
#include "gas/start/start.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Fraction of the box that balls cover when random sequential addition jams, in 2 and 3 dimensions: Feder
 * 1980, Cooper 1988. */
static const double jammed[] = {[2] = 0.547, [3] = 0.384};
/* Fractions of `jammed` up to which particles are placed quickly (easy) and in reasonable time (possible). */
static const double easy = 0.65, possible = 0.9;

enum { MAX_ATTEMPTS = 1000000 };

static double ball_volume(size_t dim, double diameter)
{
    return dim == 2 ? pi / 4 * diameter * diameter : pi / 6 * diameter * diameter * diameter;
}

static double diameter_covering(size_t dim, double share, double density)
{
    return dim == 2 ? sqrt(4 / pi * share / density) : cbrt(6 / pi * share / density);
}

double gas_easy_distance(const struct gas_problem *problem, size_t count, double volume)
{
    const struct gas_pair *pair = &problem->pair;
    const double fitting =
        diameter_covering(problem->dim, easy * jammed[problem->dim], (double)count / volume);
    const double attraction = pair->attraction + pair->short_attraction;
    if (problem->kind == GAS_PAIR_LJ)
        return fmin(fitting,
                    pow(2, 1.0 / 6) * (problem->species ? problem->species->sigma : problem->params->sigma));
    if (pair->repulsion > 0 && attraction > 0)
        return fmin(fitting, sqrt(fmax(0, pair->repulsion / attraction - pair->softening2)));
    return fitting;
}

/* Fails if `count` balls of diameter `distance` cover more of `volume` than random sequential addition can
 * place in reasonable time. what: beginning of the message. */
static enum shoal_status check_room(size_t dim, size_t count, double volume, double distance,
                                    const char *what, struct shoal_error *error)
{
    const double most = possible * jammed[dim], density = (double)count / volume;
    const double share = density * ball_volume(dim, distance);
    if (share <= most)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "%s: density %.4g is impossible with %.4g between particles; the densest that works is %.4g, "
                "or the distance %.4g: lower one of them, or take --start lattice",
                what, density, distance, most / ball_volume(dim, distance),
                diameter_covering(dim, most, density));
}

/* The particles placed so far: a linked list for each box of the grid, whose head is the particle placed
 * last. */
struct scatter {
    struct gas_problem *problem;
    struct gas_grid grid;
    uint32_t *head, *next; /* [boxes], [n]; UINT32_MAX: end of the list */
    double distance, hole;
};

static void draw_place(const struct gas_problem *problem, size_t i, uint32_t attempt, double *x)
{
    double uniform[4] = {0};
    for (uint32_t part = 0; part < (problem->dim + 1) / 2; part++) {
        const struct shoal_words words =
            shoal_random_words(problem->params->seed, SHOAL_STREAM_GAS_POSITION, attempt, (uint32_t)i, part);
        uniform[2 * part] = shoal_uniform_double(words.x, words.y);
        uniform[2 * part + 1] = shoal_uniform_double(words.z, words.w);
    }
    for (size_t k = 0; k < problem->dim; k++)
        x[k] = uniform[k] * problem->length[k];
}

static double squared_distance(const struct gas_problem *problem, const double *a, const double *b)
{
    double d = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        const double difference = gas_image(problem, k, a[k] - b[k]);
        d += difference * difference;
    }
    return d;
}

static bool is_free(const struct scatter *scatter, const double *x)
{
    const struct gas_problem *problem = scatter->problem;
    const double place = gas_droplet_place_of(problem->params);
    double centre[GAS_MAX_DIM];
    size_t around[GAS_GRID_AROUND];
    for (size_t k = 0; k < problem->dim; k++)
        centre[k] = place * problem->length[k];
    if (squared_distance(problem, x, centre) < scatter->hole * scatter->hole)
        return false;
    if (!scatter->head)
        return true;
    const size_t count = gas_grid_around(&scatter->grid, gas_grid_box(&scatter->grid, x), around);
    for (size_t b = 0; b < count; b++)
        for (uint32_t j = scatter->head[around[b]]; j != UINT32_MAX; j = scatter->next[j])
            if (squared_distance(problem, x, problem->position + j * problem->dim) <
                scatter->distance * scatter->distance)
                return false;
    return true;
}

static enum shoal_status add(struct scatter *scatter, size_t i, size_t first, struct shoal_error *error)
{
    struct gas_problem *problem = scatter->problem;
    double *x = problem->position + i * problem->dim;
    uint32_t attempt = 0;
    do
        draw_place(problem, i, attempt, x);
    while (!is_free(scatter, x) && ++attempt < MAX_ATTEMPTS);
    if (attempt == MAX_ATTEMPTS)
        return fail(error, SHOAL_INVALID,
                    "start: only %zu of %zu particles find a place %.4g from all others: lower --density or "
                    "--start-distance, or take --start lattice",
                    i - first, problem->n - first, scatter->distance);
    if (scatter->head) {
        const size_t box = gas_grid_box(&scatter->grid, x);
        scatter->next[i] = scatter->head[box];
        scatter->head[box] = (uint32_t)i;
    }
    return SHOAL_OK;
}

enum shoal_status gas_scatter(struct gas_problem *problem, size_t first, double distance, double hole,
                              struct shoal_error *error)
{
    struct scatter scatter = {.problem = problem, .distance = distance, .hole = hole};
    enum shoal_status status = SHOAL_OK;
    if (distance > 0) {
        status = gas_grid_create(problem, NULL, distance, &scatter.grid, error);
        if (status)
            return status;
        const size_t boxes = scatter.grid.boxes[0] * scatter.grid.boxes[1] * scatter.grid.boxes[2];
        scatter.head = malloc(boxes * sizeof *scatter.head);
        scatter.next = malloc(problem->n * sizeof *scatter.next);
        if (!scatter.head || !scatter.next)
            status = fail_host_memory(error);
        for (size_t box = 0; box < boxes && !status; box++)
            scatter.head[box] = UINT32_MAX;
    }
    for (size_t i = first; i < problem->n && !status; i++)
        status = add(&scatter, i, first, error);
    free(scatter.head);
    free(scatter.next);
    gas_grid_destroy(&scatter.grid);
    return status;
}

enum shoal_status gas_place_random(struct gas_problem *problem, struct shoal_error *error)
{
    const double given = problem->params->start_distance;
    const double distance = isnan(given) ? gas_easy_distance(problem, problem->n, problem->volume) : given;
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC && given > 0.5 * problem->length[k])
            return fail(
                error, SHOAL_INVALID,
                "--start-distance %.4g is larger than half the periodic box, which is %.4g long: lower it",
                given, problem->length[k]);
    if (problem->n > 1) {
        enum shoal_status status =
            check_room(problem->dim, problem->n, problem->volume, distance, "start random", error);
        if (status)
            return status;
    }
    return gas_scatter(problem, 0, distance, 0, error);
}
