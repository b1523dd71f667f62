/* A droplet: some particles are on the sites of a triangular or face-centred cubic lattice nearest to the
 * centre of the droplet, and the other particles at random outside of it. */
#include "base/error.h"
#include "gas/start/start.h"

#include <math.h>
#include <stdlib.h>

struct site {
    double d; /* squared distance from the centre */
    double x[GAS_MAX_DIM];
};

/* Compares sites by distance from the centre, and sites of equal distance by position, so that their order is
 * unique. */
static int compare_sites(const void *a, const void *b)
{
    const struct site *p = a, *q = b;
    if (fabs(p->d - q->d) > 1e-9 * (p->d + q->d))
        return p->d < q->d ? -1 : 1;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        if (p->x[k] != q->x[k])
            return p->x[k] < q->x[k] ? -1 : 1;
    return 0;
}

/* A unit cell of a lattice of density 1. edge: lengths of its edges; member: positions of its `members`
 * sites, in units of the edges. */
struct cell {
    size_t members;
    double edge[GAS_MAX_DIM], member[4][GAS_MAX_DIM];
};

static struct cell cell_of(size_t dim)
{
    const double a = sqrt(2 / sqrt(3)), c = cbrt(4);
    if (dim == 2)
        return (struct cell){2, {a, sqrt(3) * a, 1}, {{0}, {0.5, 0.5, 0}}};
    return (struct cell){4, {c, c, c}, {{0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
}

/* Returns all sites of a lattice of density 1 within `radius` of the centre, which the caller frees, and sets
 * *count; NULL: there is no memory. */
static struct site *sites_within(size_t dim, double radius, size_t *count)
{
    const struct cell cell = cell_of(dim);
    long most[GAS_MAX_DIM];
    size_t room = cell.members;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        most[k] = k < dim ? (long)ceil(radius / cell.edge[k]) + 1 : 0;
        room *= (size_t)(2 * most[k] + 1);
    }
    struct site *sites = malloc(room * sizeof *sites);
    *count = 0;
    for (long z = -most[2]; z <= most[2] && sites; z++)
        for (long y = -most[1]; y <= most[1]; y++)
            for (long x = -most[0]; x <= most[0]; x++)
                for (size_t m = 0; m < cell.members; m++) {
                    const double at[GAS_MAX_DIM] = {(double)x, (double)y, (double)z};
                    struct site *site = &sites[*count];
                    site->d = 0;
                    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
                        site->x[k] = k < dim ? (at[k] + cell.member[m][k]) * cell.edge[k] : 0;
                        site->d += site->x[k] * site->x[k];
                    }
                    *count += site->d <= radius * radius;
                }
    return sites;
}

/* Wraps a coordinate into the box along a periodic axis. */
static double inside_box(const struct gas_problem *problem, size_t axis, double x)
{
    const double length = problem->length[axis];
    if (problem->boundary[axis] != SHOAL_GAS_PERIODIC || (x >= 0 && x < length))
        return x;
    const double wrapped = x < 0 ? x + length : x - length;
    return wrapped < length ? wrapped : 0; /* the rounded sum may be equal to the length */
}

/* Puts the first `inside` particles on the sites nearest to the centre. *radius: receives the largest
 * distance of these particles from the centre. */
static enum shoal_status place_inside(struct gas_problem *problem, size_t inside, double *radius,
                                      struct shoal_error *error)
{
    const size_t dim = problem->dim;
    const double scale = pow(gas_droplet_density_of(problem->params), -1 / (double)dim);
    /* Radius of a circle or sphere that holds about `inside` sites. */
    const double ball =
        dim == 2 ? sqrt((double)inside / 3.141592653589793) : cbrt(0.75 * (double)inside / 3.141592653589793);
    const double place = gas_droplet_place_of(problem->params);
    size_t count;
    struct site *sites = sites_within(dim, ball + 2, &count);
    if (!sites)
        return fail_host_memory(error);
    qsort(sites, count, sizeof *sites, compare_sites);
    *radius = sqrt(sites[inside - 1].d) * scale;
    for (size_t i = 0; i < inside; i++)
        for (size_t k = 0; k < dim; k++)
            problem->position[i * dim + k] =
                inside_box(problem, k, place * problem->length[k] + scale * sites[i].x[k]);
    free(sites);
    return SHOAL_OK;
}

/* Fails if a droplet of this radius crosses a border that is not periodic. */
static enum shoal_status check_place(const struct gas_problem *problem, double radius,
                                     struct shoal_error *error)
{
    const double place = gas_droplet_place_of(problem->params);
    for (size_t k = 0; k < problem->dim; k++) {
        const double length = problem->length[k], most = 0.5 - radius / length;
        if (problem->boundary[k] != SHOAL_GAS_PERIODIC && fabs(place - 0.5) > fmax(most, 0))
            return fail(error, SHOAL_INVALID,
                        "the droplet, of radius %.4g, would pass the border of the box, which is %.4g long "
                        "along %c: give --droplet-place %.4g to %.4g",
                        radius, length, "xyz"[k], 0.5 - fmax(most, 0), 0.5 + fmax(most, 0));
    }
    return SHOAL_OK;
}

enum shoal_status gas_place_droplet(struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const size_t dim = problem->dim,
                 inside = (size_t)llround(gas_droplet_share_of(params) * (double)problem->n);
    const size_t outside = problem->n - inside;
    double radius = 0, shortest = problem->length[0];
    enum shoal_status status = inside ? place_inside(problem, inside, &radius, error) : SHOAL_OK;
    if (status)
        return status;
    for (size_t k = 1; k < dim; k++)
        shortest = fmin(shortest, problem->length[k]);
    const double layer = pow(gas_droplet_density_of(params), -1 / (double)dim);
    if (inside && 2 * radius + layer > shortest)
        return fail(error, SHOAL_INVALID,
                    "the droplet of %zu particles is %.4g wide, the box %.4g: lower --density or "
                    "--droplet-share, or raise --droplet-density",
                    inside, 2 * radius + layer, shortest);
    if (inside)
        status = check_place(problem, radius + 0.5 * layer, error);
    if (status)
        return status;
    if (!outside)
        return SHOAL_OK;
    /* The distance from the droplet to the other particles is the spacing of its layers. */
    const double hole = inside ? radius + layer : 0;
    const double pi = 3.14159265358979323846;
    const double taken = dim == 2 ? pi * hole * hole : 4 * pi / 3 * hole * hole * hole;
    const double volume = fmax(problem->volume - taken, 0.01 * problem->volume);
    const double distance = gas_easy_distance(problem, outside, volume);
    return gas_scatter(problem, inside, distance, hole, error);
}
