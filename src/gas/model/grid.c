/* The grid of boxes for particles on the host. */
#include "gas/model/grid.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

void gas_fit_cells(const double fitting[GAS_MAX_DIM], double most, size_t cells[GAS_MAX_DIM])
{
    size_t order[GAS_MAX_DIM] = {0, 1, 2};
    for (size_t i = 1; i < GAS_MAX_DIM; i++)
        for (size_t k = i; k > 0 && fitting[order[k]] < fitting[order[k - 1]]; k--) {
            const size_t axis = order[k];
            order[k] = order[k - 1];
            order[k - 1] = axis;
        }
    for (size_t i = 0; i < GAS_MAX_DIM; i++) {
        double total = 1;
        for (size_t k = i; k < GAS_MAX_DIM; k++)
            total *= fitting[order[k]];
        const double shrink = total > most ? pow(most / total, 1 / (double)(GAS_MAX_DIM - i)) : 1;
        /* The factor prevents that rounding down loses a cell. */
        const double count = fmax(1, floor(fitting[order[i]] * shrink * (1 + 1e-12)));
        cells[order[i]] = (size_t)count;
        most /= count;
    }
}

/* Chooses the number of boxes along each axis: boxes at least `reach` wide, but no more than about one box
 * for each particle. */
static void choose_boxes(struct gas_grid *grid)
{
    const struct gas_problem *problem = grid->problem;
    const double dim = (double)problem->dim, along = ceil(pow((double)problem->n, 1 / dim));
    double fitting[GAS_MAX_DIM] = {1, 1, 1};
    for (size_t k = 0; k < problem->dim; k++)
        fitting[k] = fmax(1, floor(problem->length[k] / grid->reach));
    gas_fit_cells(fitting, pow(along, dim), grid->boxes);
}

/* Returns the index along an axis of the box that holds x. A position outside the grid belongs to the box at
 * that border. */
static size_t box_along(const struct gas_grid *grid, size_t axis, double x)
{
    const double boxes = (double)grid->boxes[axis];
    const double box = floor(x / grid->problem->length[axis] * boxes);
    return box >= boxes ? grid->boxes[axis] - 1 : box > 0 ? (size_t)box : 0;
}

size_t gas_grid_box(const struct gas_grid *grid, const double *x)
{
    size_t box = 0;
    for (size_t k = grid->problem->dim; k-- > 0;)
        box = box * grid->boxes[k] + box_along(grid, k, x[k]);
    return box;
}

static size_t box_of(const struct gas_grid *grid, size_t i)
{
    return gas_grid_box(grid, grid->position + i * grid->problem->dim);
}

enum shoal_status gas_grid_create(const struct gas_problem *problem, const double *position, double reach,
                                  struct gas_grid *grid, struct shoal_error *error)
{
    *grid = (struct gas_grid){.problem = problem, .position = position, .reach = reach};
    choose_boxes(grid);
    const size_t boxes = grid->boxes[0] * grid->boxes[1] * grid->boxes[2];
    grid->first = calloc(boxes + 2, sizeof *grid->first);
    grid->order = calloc(problem->n, sizeof *grid->order);
    if (!grid->first || !grid->order) {
        gas_grid_destroy(grid);
        return fail_host_memory(error);
    }
    /* Counting sort. The particles of box b are counted in first[b + 2]. The running sums make first[b + 1]
     * the next free index of box b, which increases with each particle until it is the index of the first
     * particle of box b + 1. */
    for (size_t i = 0; i < problem->n && position; i++)
        grid->first[box_of(grid, i) + 2]++;
    for (size_t box = 2; box < boxes + 2; box++)
        grid->first[box] += grid->first[box - 1];
    for (size_t i = 0; i < problem->n && position; i++)
        grid->order[grid->first[box_of(grid, i) + 1]++] = (uint32_t)i;
    return SHOAL_OK;
}

void gas_grid_destroy(struct gas_grid *grid)
{
    free(grid->first);
    free(grid->order);
    *grid = (struct gas_grid){0};
}

/* Finds the boxes along an axis that are at most one box away from box `centre`, each once, and returns their
 * number. */
static size_t boxes_around(const struct gas_grid *grid, size_t axis, size_t centre, size_t around[3])
{
    const size_t boxes = grid->boxes[axis];
    size_t count = 0;
    if (axis >= grid->problem->dim || boxes == 1) {
        around[count++] = 0;
    } else if (grid->problem->boundary[axis] == SHOAL_GAS_PERIODIC) {
        around[count++] = (centre + boxes - 1) % boxes;
        around[count++] = centre;
        if (boxes > 2)
            around[count++] = (centre + 1) % boxes;
    } else {
        for (size_t box = centre ? centre - 1 : 0; box <= centre + 1 && box < boxes; box++)
            around[count++] = box;
    }
    return count;
}

static double squared_distance(const struct gas_grid *grid, size_t i, size_t j)
{
    const size_t dim = grid->problem->dim;
    double d = 0;
    for (size_t k = 0; k < dim; k++) {
        const double difference =
            gas_image(grid->problem, k, grid->position[i * dim + k] - grid->position[j * dim + k]);
        d += difference * difference;
    }
    return d;
}

size_t gas_grid_around(const struct gas_grid *grid, size_t box, size_t around[GAS_GRID_AROUND])
{
    size_t along[GAS_MAX_DIM][3], counts[GAS_MAX_DIM], found = 0;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        counts[k] = boxes_around(grid, k, box % grid->boxes[k], along[k]);
        box /= grid->boxes[k];
    }
    for (size_t z = 0; z < counts[2]; z++)
        for (size_t y = 0; y < counts[1]; y++)
            for (size_t x = 0; x < counts[0]; x++)
                around[found++] = (along[2][z] * grid->boxes[1] + along[1][y]) * grid->boxes[0] + along[0][x];
    return found;
}

void gas_grid_visit(const struct gas_grid *grid, size_t i, void (*visit)(void *data, size_t j, double d),
                    void *data)
{
    size_t around[GAS_GRID_AROUND];
    const size_t count = gas_grid_around(grid, box_of(grid, i), around);
    for (size_t b = 0; b < count; b++)
        for (uint32_t place = grid->first[around[b]]; place < grid->first[around[b] + 1]; place++) {
            const size_t j = grid->order[place];
            const double d = j == i ? INFINITY : squared_distance(grid, i, j);
            if (d < grid->reach * grid->reach)
                visit(data, j, d);
        }
}
