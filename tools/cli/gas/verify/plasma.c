#include "cli/gas/verify/plasma.h"

#include <math.h>
#include <string.h>

/* Bins in which fewer pairs are expected are left out, since the scatter of few counts is no error. */
enum { LEAST_PAIRS = 20 };

static const double pi = 3.14159265358979323846;

struct shoal_gas_params plasma_params(uint64_t n, uint64_t steps)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = n;
    params.potential = SHOAL_GAS_LOG;
    params.attraction = -2;
    params.softening = 0.02;
    params.trap = 2 * pi;
    params.width = params.height = 4 * sqrt((double)n / pi);
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.start = SHOAL_GAS_DROPLET;
    params.droplet_density = params.droplet_share = 1;
    params.temperature = 1;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    params.friction = 1;
    params.dt = 0.01;
    params.equilibration = 1000;
    params.steps = steps;
    params.frames = 100;
    return params;
}

void plasma_begin(struct plasma *plasma, struct shoal_gas_params *params)
{
    const double n = (double)params->particles, radius = sqrt(n / pi);
    *plasma = (struct plasma){.n = n,
                              .temperature = params->temperature,
                              .trap = params->trap,
                              .middle = {0.5 * params->width, 0.5 * params->height},
                              .density = params->trap / (2 * pi * params->temperature),
                              .ring = (radius + 1.5) / PLASMA_RINGS,
                              .distance = 1.5 / PLASMA_DISTANCES,
                              /* the nearest particles of centres are 1.5 from the edge, too */
                              .bulk = radius - 3,
                              .frames = params->steps / params->frames + 1};
    params->on_frame = plasma_frame;
    params->data = plasma;
}

/* Adds the neighbours of particle i. */
static void add_pairs(struct plasma *plasma, const struct shoal_gas_frame *frame, size_t i, size_t block)
{
    const double *at = frame->position + 2 * i, reach = plasma->distance * PLASMA_DISTANCES;
    plasma->centres[block]++;
    for (size_t j = 0; j < frame->particles; j++) {
        const double x = frame->position[2 * j] - at[0], y = frame->position[2 * j + 1] - at[1];
        if (j != i && x * x + y * y < reach * reach)
            plasma->pairs[block][(size_t)(sqrt(x * x + y * y) / plasma->distance)]++;
    }
}

bool plasma_frame(void *data, const struct shoal_gas_frame *frame, const char **failure)
{
    struct plasma *plasma = data;
    const size_t block = (size_t)(plasma->seen * PLASMA_BLOCKS / plasma->frames);
    (void)failure;
    plasma->seen++;
    plasma->count[block]++;
    for (size_t i = 0; i < frame->particles; i++) {
        const double r =
            hypot(frame->position[2 * i] - plasma->middle[0], frame->position[2 * i + 1] - plasma->middle[1]);
        plasma->squares[block] += r * r;
        if (r < plasma->ring * PLASMA_RINGS)
            plasma->rings[block][(size_t)(r / plasma->ring)]++;
        if (r < plasma->bulk)
            add_pairs(plasma, frame, i, block);
    }
    return false;
}

/* The ratio of the sums over the blocks of `over` and `under`, which are `stride` doubles apart in `over`,
 * and its standard error by the scatter of the blocks. */
static double ratio_of(const double *over, size_t stride, const double *under, double *error)
{
    double sum = 0, all = 0, scatter = 0;
    for (size_t b = 0; b < PLASMA_BLOCKS; b++) {
        sum += over[b * stride];
        all += under[b];
    }
    for (size_t b = 0; b < PLASMA_BLOCKS; b++) {
        const double off = over[b * stride] - sum / all * under[b];
        scatter += off * off;
    }
    *error = sqrt(scatter * PLASMA_BLOCKS / (PLASMA_BLOCKS - 1)) / all;
    return sum / all;
}

double plasma_squares(const struct plasma *plasma, double *error)
{
    return ratio_of(plasma->squares, 1, plasma->count, error);
}

double plasma_exact_squares(const struct plasma *plasma)
{
    return plasma->temperature * plasma->n * (plasma->n + 1) / plasma->trap;
}

/* The regularised upper gamma function Q(n, x) for a whole n: the probability of less than n events of a
 * Poisson process with the mean x. */
static double upper_gamma(double n, double x)
{
    double sum = x > 0 ? 0 : 1;
    for (double i = 0; i < n && x > 0; i++)
        sum += exp(i * log(x) - x - lgamma(i + 1));
    return sum;
}

/* Mean number of particles in a ring, by Simpson's rule. */
static double exact_in_ring(const struct plasma *plasma, size_t ring)
{
    enum { PARTS = 16 };
    double sum = 0;
    for (size_t i = 0; i <= PARTS; i++) {
        const double r = plasma->ring * ((double)ring + (double)i / PARTS);
        const double x = plasma->trap * r * r / (2 * plasma->temperature);
        sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * 2 * pi * r * upper_gamma(plasma->n, x);
    }
    return plasma->density * sum * plasma->ring / (3 * PARTS);
}

double plasma_density_deviation(const struct plasma *plasma)
{
    double squares = 0, rings = 0;
    for (size_t ring = 0; ring < PLASMA_RINGS; ring++) {
        double error;
        const double exact = exact_in_ring(plasma, ring);
        const double found = ratio_of(&plasma->rings[0][ring], PLASMA_RINGS, plasma->count, &error);
        if (exact < 1)
            continue;
        squares += pow((found - exact) / error, 2);
        rings++;
    }
    return sqrt(squares / rings);
}

double plasma_pair_deviation(const struct plasma *plasma)
{
    double squares = 0, bins = 0, centres = 0;
    double before = 1; /* u + exp(-u), the integral of g(r) over u = pi density r^2 */
    for (size_t b = 0; b < PLASMA_BLOCKS; b++)
        centres += plasma->centres[b];
    for (size_t d = 0; d < PLASMA_DISTANCES; d++) {
        const double r = plasma->distance * (double)(d + 1), u = pi * plasma->density * r * r;
        const double exact = u + exp(-u) - before;
        double error;
        const double found = ratio_of(&plasma->pairs[0][d], PLASMA_DISTANCES, plasma->centres, &error);
        before += exact;
        if (centres * exact < LEAST_PAIRS)
            continue;
        squares += pow((found - exact) / error, 2);
        bins++;
    }
    return sqrt(squares / bins);
}
