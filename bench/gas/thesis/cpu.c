/* Code shared by all builds of the ladder: making the particles, the pass that moves them, the reference; and
 * finding the build for this processor. */
#include "bench/gas/thesis/cpu.h"

#include "bench/runner/level.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

extern const struct thesis_gas_build thesis_gas_baseline, thesis_gas_v3, thesis_gas_v4;

static const struct thesis_gas_build *const builds[] = {THESIS_BUILDS(thesis_gas)};

const struct thesis_gas_build *thesis_gas_build_at(size_t index)
{
    return index < thesis_levels() ? builds[index] : NULL;
}

const struct thesis_gas_build *thesis_gas_build(void)
{
    return builds[thesis_levels() - 1];
}

const struct thesis_gas_variant *thesis_gas_variant(const struct thesis_gas_build *build, const char *name)
{
    for (size_t i = 0; i < build->count; i++)
        if (strcmp(build->variants[i].name, name) == 0)
            return &build->variants[i];
    return NULL;
}

static float *zeros(size_t count)
{
    const size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
    float *array = aligned_alloc(64, bytes ? bytes : 64);
    if (array)
        memset(array, 0, bytes ? bytes : 64);
    return array;
}

bool thesis_gas_create(struct thesis_gas *gas, size_t n, size_t threads, size_t slots)
{
    const size_t padded = (n + THESIS_GAS_PAD - 1) / THESIS_GAS_PAD * THESIS_GAS_PAD;
    /* The thesis does not state its box, softening, attraction and time step; none of them changes the amount
     * of work. */
    *gas = (struct thesis_gas){.n = n,
                               .padded = padded,
                               .attraction = 1,
                               .softening2 = 1,
                               .dt = 1e-4f,
                               .width = 1000,
                               .height = 1000,
                               .threads = threads,
                               .stride = 1,
                               .slots = slots};
    float **const arrays[] = {&gas->x, &gas->y, &gas->vx, &gas->vy};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        *arrays[a] = zeros(padded);
    gas->copies = zeros(threads * 2 * padded * slots);
    gas->factors = zeros(threads * 2 * padded);
    if (!gas->x || !gas->y || !gas->vx || !gas->vy || !gas->copies || !gas->factors) {
        thesis_gas_destroy(gas);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0);
        gas->x[i] = gas->width * (float)(words.x >> 8) * 0x1p-24f;
        gas->y[i] = gas->height * (float)(words.y >> 8) * 0x1p-24f;
    }
    return true;
}

void thesis_gas_destroy(struct thesis_gas *gas)
{
    free(gas->x);
    free(gas->y);
    free(gas->vx);
    free(gas->vy);
    free(gas->copies);
    free(gas->factors);
    *gas = (struct thesis_gas){0};
}

/* Moves particles along one axis: a particle outside the box that moves further out turns round. */
static inline void move_along(float *restrict x, float *restrict v, float dt, float length)
{
    *x += *v * dt;
    if ((*x < 0 && *v < 0) || (*x > length && *v > 0))
        *v = -*v;
}

void thesis_gas_move(struct thesis_gas *gas)
{
#pragma omp parallel for num_threads((int)gas->threads) schedule(static)
    for (size_t i = 0; i < gas->n; i++) {
        move_along(&gas->x[i], &gas->vx[i], gas->dt, gas->width);
        move_along(&gas->y[i], &gas->vy[i], gas->dt, gas->height);
    }
}

void thesis_gas_direct(const struct thesis_gas *gas, size_t i, double *ax, double *ay)
{
    double x = 0, y = 0;
    for (size_t j = 0; j < gas->n; j++) {
        const double dx = (double)gas->x[i] - (double)gas->x[j], dy = (double)gas->y[i] - (double)gas->y[j];
        const double w = -(double)gas->attraction / (dx * dx + dy * dy + (double)gas->softening2);
        x += dx * w;
        y += dy * w;
    }
    *ax = x;
    *ay = y;
}
