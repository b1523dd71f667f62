#include "bench/fmm/places.h"

#include <math.h>
#include <shoal/rng.h>

void bench_fmm_place(bool droplets, size_t i, double *place)
{
    static const double middle[3][2] = {{300, 300}, {600, 700}, {700, 200}};
    const double deviation = 30, pi = 3.14159265358979323846;
    const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_FILL, 0, (uint32_t)i, 0);
    const double u = (double)shoal_uniform_float(words.x), v = (double)shoal_uniform_float(words.y);
    place[0] = 1000 * u;
    place[1] = 1000 * v;
    if (droplets && i % 5 < 3) {
        const double r = deviation * sqrt(-2 * log(1 - u));
        place[0] = middle[i % 5][0] + r * cos(2 * pi * v);
        place[1] = middle[i % 5][1] + r * sin(2 * pi * v);
    }
}
