#include "points.h"
#include "test.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

static double uniform(uint32_t index, uint32_t draw, uint32_t step)
{
    const struct shoal_words block = shoal_random_words(1, SHOAL_STREAM_TEST, step, index, draw);
    return block.x / 4294967296.0;
}

double *fmm_places(enum places places, size_t n, uint32_t step)
{
    static const double middle[3][2] = {{300, 300}, {600, 700}, {700, 200}};
    double *points = malloc((n + 1) * 2 * sizeof *points);
    assert_non_null(points);
    for (uint32_t i = 0; i < n; i++) {
        const double u = uniform(i, 0, step), v = uniform(i, 1, step);
        double x = 1000 * u, y = 1000 * v;
        if (places == DROPLETS && i % 5 < 3) {
            const double r = 30 * sqrt(-2 * log(u + 1e-9));
            x = middle[i % 5][0] + r * cos(6.283185307 * v);
            y = middle[i % 5][1] + r * sin(6.283185307 * v);
        } else if (places == CLUSTERS) {
            x = u + (i % 2 ? 1e4 : 0);
            y = v;
        } else if (places == ON_A_LINE) {
            y = -7;
        } else if (places == IN_ONE_PLACE) {
            x = 3;
            y = 4;
        } else if (places == FAR_DROPLET) {
            const double r = 0.005 * sqrt(u);
            x = 1000 + (i % 16 ? 0.43 + r * cos(6.283185307 * v) : u);
            y = -1000 - (i % 16 ? 0.61 + r * sin(6.283185307 * v) : v);
        }
        points[2 * i] = (float)x;
        points[2 * i + 1] = (float)y;
    }
    return points;
}

double *fmm_charges(bool both_signs, size_t n)
{
    double *charges = malloc((n + 1) * sizeof *charges);
    assert_non_null(charges);
    for (size_t i = 0; i < n; i++)
        charges[i] = both_signs && i % 2 ? -1 : 1;
    return charges;
}

double fmm_error(const double *a, const double *b, size_t n)
{
    double difference = 0, whole = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        whole += b[i] * b[i];
    }
    return whole > 0 ? sqrt(difference / whole) : sqrt(difference);
}

double fmm_sum_of_forces(const double *charges, const double *field, size_t n)
{
    double x = 0, y = 0, lengths = 0;
    for (size_t i = 0; i < n; i++) {
        x += charges[i] * field[2 * i];
        y += charges[i] * field[2 * i + 1];
        lengths += hypot(field[2 * i], field[2 * i + 1]);
    }
    return lengths > 0 ? hypot(x, y) / lengths : 0;
}
