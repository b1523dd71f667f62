/* Pictures on the host: the reference for the kernels of cl/gas/device/picture.cl. */
#include "gas/host/host.h"
#include "base/error.h"
#include "gas/picture/picture.h"

#include <stdlib.h>

void gas_picture_add(const struct gas_drawing *drawing, const struct gas_point *point, uint32_t *planes)
{
    const unsigned square =
        point->square < PICTURE_SQUARES ? (unsigned)point->square : (unsigned)PICTURE_SQUARES;
    const unsigned level = drawing->colouring == SHOAL_GAS_BY_SPECIES ? point->kind : picture_root(square);
    for (unsigned lane = 0; lane < drawing->view.lanes; lane++)
        picture_particle(&drawing->view, planes, point->at[0], point->at[1], point->at[2], level, lane);
}

void gas_picture_finish(const struct gas_drawing *drawing, const uint32_t *planes, uint32_t *pixels)
{
    const unsigned width = drawing->view.width, height = drawing->view.height;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            pixels[(size_t)y * width + x] = picture_pixel(&drawing->view, planes, drawing->palette, x, y);
}

/* The square of the length of a vector, by the operations of the kernels. */
static double exact_square(const double *v, size_t dim)
{
    double square = fma(v[0], v[0], v[1] * v[1]);
    return dim == 3 ? fma(v[2], v[2], square) : square;
}

static void add_all(const struct gas_host *host, const struct gas_drawing *drawing, const double *vectors,
                    size_t parts, uint32_t *planes)
{
    const struct gas_problem *problem = &host->problem;
    const double inverse = gas_drawing_inverse(drawing);
    const uint8_t *kinds = problem->species ? problem->species->of : NULL;
    for (size_t i = 0; i < problem->n; i++) {
        struct gas_point point = {.square = exact_square(vectors + i * parts, parts) * inverse,
                                  .kind = kinds ? kinds[i] : 0};
        for (size_t k = 0; k < problem->dim; k++)
            point.at[k] = gas_grid_steps(problem, k, host->x[i * problem->dim + k]);
        gas_picture_add(drawing, &point, planes);
    }
}

/* The mean squared speed between steps. */
static double mean_square(const struct gas_host *host)
{
    const size_t dim = host->problem.dim;
    double sum = 0;
    for (size_t i = 0; i < host->problem.n; i++)
        sum += exact_square(host->v + i * dim, dim);
    return sum / (double)host->problem.n;
}

enum shoal_status gas_host_draw(struct shoal_solver *solver, struct gas_drawing *drawing,
                                const uint32_t **pixels, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const bool by_hexatic = drawing->colouring == SHOAL_GAS_BY_HEXATIC;
    const size_t words = gas_drawing_words(drawing);
    double(*psi)[2] = by_hexatic ? calloc(host->problem.n, sizeof *psi) : NULL;
    uint32_t *planes = malloc(words * sizeof *planes);
    free(host->picture);
    host->picture = malloc(gas_drawing_pixels(drawing) * sizeof *host->picture);
    enum shoal_status status =
        planes && host->picture && (psi || !by_hexatic) ? SHOAL_OK : fail_host_memory(error);
    if (!status && by_hexatic)
        status = gas_host_psi(host, psi, error);
    if (!status) {
        if (isnan(drawing->brightest))
            gas_drawing_expose(drawing, mean_square(host));
        for (size_t at = 0; at < words; at++)
            planes[at] = gas_drawing_empty(drawing);
        add_all(host, drawing, psi ? *psi : host->v, psi ? 2 : host->problem.dim, planes);
        gas_picture_finish(drawing, planes, host->picture);
        *pixels = host->picture;
    }
    free(planes);
    free(psi);
    return status;
}
