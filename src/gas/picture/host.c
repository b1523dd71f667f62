/* Pictures on the host: the reference for the kernels of cl/gas/device/picture.cl. */
#include "gas/host/host.h"
#include "base/error.h"
#include "gas/picture/picture.h"

#include <stdlib.h>

void gas_picture_add(const struct gas_scene *scene, const struct gas_sitter *sitter, uint32_t *planes)
{
    const unsigned square =
        sitter->square < PICTURE_SQUARES ? (unsigned)sitter->square : (unsigned)PICTURE_SQUARES;
    const unsigned level = scene->colouring == SHOAL_GAS_BY_SPECIES ? sitter->kind : picture_root(square);
    for (unsigned lane = 0; lane < scene->view.lanes; lane++)
        picture_particle(&scene->view, planes, sitter->at[0], sitter->at[1], sitter->at[2], level, lane);
}

void gas_picture_finish(const struct gas_scene *scene, const uint32_t *planes, uint32_t *pixels)
{
    const unsigned width = scene->view.width, height = scene->view.height;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            pixels[(size_t)y * width + x] = picture_pixel(&scene->view, planes, scene->palette, x, y);
}

/* The square of the length of a vector, by the operations of the kernels. */
static double exact_square(const double *v, size_t dim)
{
    double square = fma(v[0], v[0], v[1] * v[1]);
    return dim == 3 ? fma(v[2], v[2], square) : square;
}

static void add_all(const struct gas_host *host, const struct gas_scene *scene, const double *vectors,
                    size_t parts, uint32_t *planes)
{
    const struct gas_problem *problem = &host->problem;
    const double inverse = gas_scene_inverse(scene);
    const uint8_t *kinds = problem->species ? problem->species->of : NULL;
    for (size_t i = 0; i < problem->n; i++) {
        struct gas_sitter sitter = {.square = exact_square(vectors + i * parts, parts) * inverse,
                                    .kind = kinds ? kinds[i] : 0};
        for (size_t k = 0; k < problem->dim; k++)
            sitter.at[k] = gas_grid_steps(problem, k, host->x[i * problem->dim + k]);
        gas_picture_add(scene, &sitter, planes);
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

enum shoal_status gas_host_draw(struct shoal_solver *solver, struct gas_scene *scene, const uint32_t **pixels,
                                struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const bool by_hexatic = scene->colouring == SHOAL_GAS_BY_HEXATIC;
    const size_t words = gas_scene_words(scene);
    double(*psi)[2] = by_hexatic ? calloc(host->problem.n, sizeof *psi) : NULL;
    uint32_t *planes = malloc(words * sizeof *planes);
    free(host->picture);
    host->picture = malloc(gas_scene_pixels(scene) * sizeof *host->picture);
    enum shoal_status status =
        planes && host->picture && (psi || !by_hexatic) ? SHOAL_OK : fail_host_memory(error);
    if (!status && by_hexatic)
        status = gas_host_psi(host, psi, error);
    if (!status) {
        if (isnan(scene->brightest))
            gas_scene_expose(scene, mean_square(host));
        for (size_t at = 0; at < words; at++)
            planes[at] = gas_scene_empty(scene);
        add_all(host, scene, psi ? *psi : host->v, psi ? 2 : host->problem.dim, planes);
        gas_picture_finish(scene, planes, host->picture);
        *pixels = host->picture;
    }
    free(planes);
    free(psi);
    return status;
}
