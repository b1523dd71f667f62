#include "naive.h"

#include <math.h>
#include <shoal/rng.h>
#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word_of(struct shoal_words words, size_t k)
{
    const uint32_t all[] = {words.x, words.y, words.z, words.w};
    return all[k];
}

static uint32_t word(const struct naive *swarm, enum shoal_stream stream, uint32_t step, size_t i,
                     size_t draw, size_t k)
{
    return word_of(
        shoal_random_words(swarm->params.search.seed, (uint32_t)stream, step, (uint32_t)i, (uint32_t)draw),
        k);
}

static double u32(uint32_t w)
{
    return w / 4294967296.0;
}

/* Parameters with their defaults, as the page lists them. */
static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static double pull_default(const struct naive *swarm)
{
    switch (swarm->params.update) {
    case SHOAL_PSO_INERTIA:
        return 1.49618;
    case SHOAL_PSO_LINEAR:
        return 2;
    case SHOAL_PSO_SPSO2011:
        return 0.5 + log(2);
    default:
        return 2.05;
    }
}

static double cognitive(const struct naive *swarm)
{
    return given(swarm->params.cognitive, pull_default(swarm));
}

static double social(const struct naive *swarm)
{
    return given(swarm->params.social, pull_default(swarm));
}

static double chi(const struct naive *swarm)
{
    const double phi = cognitive(swarm) + social(swarm);
    return 2 / fabs(2 - phi - sqrt(phi * (phi - 4)));
}

static double inertia(const struct naive *swarm, uint32_t step)
{
    const struct shoal_pso_params *params = &swarm->params;
    switch (params->update) {
    case SHOAL_PSO_INERTIA:
        return given(params->inertia, 0.7298);
    case SHOAL_PSO_LINEAR: {
        const double from = given(params->inertia, 0.9), to = given(params->inertia_end, 0.4);
        return from + (to - from) * (step - 1.0) / ((double)params->search.iterations - 1);
    }
    case SHOAL_PSO_SPSO2011:
        return given(params->inertia, 1 / (2 * log(2)));
    default:
        return chi(swarm);
    }
}

/* Neighbourhoods --------------------------------------------------------------------------------------- */

static void draw_links(struct naive *swarm, uint32_t step)
{
    const size_t s = swarm->params.particles, count = swarm->params.neighbours ? swarm->params.neighbours : 3;
    memset(swarm->links, 0, sizeof swarm->links);
    for (size_t j = 0; j < s; j++) {
        swarm->links[j][j] = true;
        for (size_t k = 0; k < 8 * count; k++) {
            const uint32_t w = word(swarm, SHOAL_STREAM_PSO_LINKS, step, j, k / 4, k % 4);
            if (w % 8 == 0)
                swarm->links[j][(size_t)floor((double)w * (double)s / 4294967296.0)] = true;
        }
    }
}

static size_t torus_rows(size_t s)
{
    size_t rows = 1;
    for (size_t r = 1; r * r <= s; r++)
        if (s % r == 0)
            rows = r;
    return rows;
}

/* Cluster of a particle, and its number there. */
static size_t cluster_of(size_t s, size_t i, size_t *number)
{
    size_t cluster = 0;
    while ((cluster + 1) * s / 4 <= i)
        cluster++;
    *number = i - cluster * s / 4;
    return cluster;
}

/* Particles a, b, c of each cluster are linked to the next cluster, the one after and the one before: each
 * pair of clusters by one link. */
static void list_clustered(size_t s, size_t i, size_t list[NAIVE_MOST], size_t *count)
{
    size_t number, own;
    const size_t cluster = cluster_of(s, i, &own);
    for (size_t j = 0; j < s; j++)
        if (j != i && cluster_of(s, j, &number) == cluster)
            list[(*count)++] = j;
    for (size_t j = 0; j < s; j++) {
        const size_t other = cluster_of(s, j, &number), ahead = (other + 4 - cluster) % 4;
        if (ahead && own == ahead - 1 && number == 4 - ahead - 1)
            list[(*count)++] = j;
    }
}

/* Places of the pyramid by their distances from its four corners; neighbours differ by one in two of these.
 */
static void list_of_pyramid(size_t s, size_t i, size_t list[NAIVE_MOST], size_t *count)
{
    int places[NAIVE_MOST][4];
    size_t filled = 0;
    for (int layer = 0; filled < s; layer++)
        for (int row = 0; row <= layer; row++)
            for (int column = 0; column <= row && filled < s; column++, filled++) {
                const int place[4] = {column, row - column, layer - row, -layer};
                memcpy(places[filled], place, sizeof place);
            }
    for (size_t j = 0; j < s; j++) {
        int apart = 0;
        for (int k = 0; k < 4; k++)
            apart += abs(places[i][k] - places[j][k]);
        if (apart == 2)
            list[(*count)++] = j;
    }
}

/* Neighbours of i besides itself in their order; returns how many. */
static size_t list_neighbours(const struct naive *swarm, size_t i, size_t list[NAIVE_MOST])
{
    const size_t s = swarm->params.particles;
    size_t count = 0;
    switch (swarm->params.topology) {
    case SHOAL_PSO_GLOBAL:
        for (size_t j = 0; j < s; j++)
            if (j != i)
                list[count++] = j;
        break;
    case SHOAL_PSO_RING: {
        const int half = (int)(swarm->params.neighbours ? swarm->params.neighbours : 2) / 2;
        for (int q = -half; q <= half; q++)
            if (q)
                list[count++] = (size_t)((int)i + q + (int)s) % s;
        break;
    }
    case SHOAL_PSO_VON_NEUMANN: {
        const size_t rows = torus_rows(s), columns = s / rows, r = i / columns, c = i % columns;
        list[count++] = (r + rows - 1) % rows * columns + c;
        list[count++] = r * columns + (c + columns - 1) % columns;
        list[count++] = r * columns + (c + 1) % columns;
        list[count++] = (r + 1) % rows * columns + c;
        break;
    }
    case SHOAL_PSO_CLUSTERS:
        list_clustered(s, i, list, &count);
        break;
    case SHOAL_PSO_PYRAMID:
        list_of_pyramid(s, i, list, &count);
        break;
    default:
        for (size_t j = 0; j < s; j++)
            if (j != i && swarm->links[j][i])
                list[count++] = j;
    }
    return count;
}

static size_t goal_of(const struct naive *swarm, const double best[NAIVE_MOST], size_t i)
{
    size_t list[NAIVE_MOST], goal = i;
    const size_t count = list_neighbours(swarm, i, list);
    for (size_t q = 0; q < count; q++)
        if (best[list[q]] < best[goal] || (best[list[q]] == best[goal] && list[q] < goal))
            goal = list[q];
    return goal;
}

/* Random numbers of a move ----------------------------------------------------------------------------- */

static uint32_t xorwow_next(uint32_t s[6])
{
    uint32_t t = s[0] ^ (s[0] >> 2);
    memmove(s, s + 1, 4 * sizeof *s);
    t ^= t << 1;
    s[4] = s[4] ^ (s[4] << 4) ^ t;
    s[5] += 362437;
    return s[4] + s[5];
}

static void xorwow_start(const struct naive *swarm, size_t i, uint32_t step, uint32_t s[6])
{
    for (size_t k = 0; k < 6; k++)
        s[k] = word(swarm, SHOAL_STREAM_PSO_MOVE, step, i, k / 4, k % 4);
    s[4] |= 1;
}

static void pulls(struct naive *swarm, size_t i, uint32_t step, double r1[NAIVE_DIM], double r2[NAIVE_DIM])
{
    const struct shoal_pso_params *params = &swarm->params;
    uint32_t *state = swarm->xorwow[i];
    if (params->random == SHOAL_PSO_REG)
        xorwow_start(swarm, i, step, state);
    for (size_t d = 0; d < params->search.dim; d++) {
        if (params->scalar_random && d > 0) {
            r1[d] = r1[0];
            r2[d] = r2[0];
        } else if (params->random == SHOAL_PSO_PHILOX) {
            r1[d] = u32(word(swarm, SHOAL_STREAM_PSO_MOVE, step, i, d / 2, d % 2 * 2));
            r2[d] = u32(word(swarm, SHOAL_STREAM_PSO_MOVE, step, i, d / 2, d % 2 * 2 + 1));
        } else if (params->random == SHOAL_PSO_PHILOX16) {
            const uint32_t both = word(swarm, SHOAL_STREAM_PSO_MOVE, step, i, d / 4, d % 4);
            r1[d] = (both % 65536 + 0.5) / 65536;
            r2[d] = (both / 65536 + 0.5) / 65536;
        } else {
            r1[d] = u32(xorwow_next(state));
            r2[d] = u32(xorwow_next(state));
        }
    }
}

/* One particle ----------------------------------------------------------------------------------------- */

static void draw(struct naive *swarm, size_t i)
{
    const struct shoal_pso_params *params = &swarm->params;
    int velocity = params->initial_velocity;
    if (velocity == SHOAL_PSO_VELOCITY_BY_UPDATE)
        velocity = params->update == SHOAL_PSO_SPSO2011 ? SHOAL_PSO_DIFFERENCE : SHOAL_PSO_HALF_DIFFERENCE;
    for (size_t d = 0; d < params->search.dim; d++) {
        const double width = swarm->upper[d] - swarm->lower[d];
        const double a = u32(word(swarm, SHOAL_STREAM_PSO_POSITION, 0, i, d / 2, d % 2 * 2));
        const double b = u32(word(swarm, SHOAL_STREAM_PSO_VELOCITY, 0, i, d / 2, d % 2 * 2));
        const double x = swarm->lower[d] + a * width, to = swarm->lower[d] + b * width;
        swarm->x[i][d] = x;
        swarm->v[i][d] = velocity == SHOAL_PSO_HALF_DIFFERENCE ? (to - x) / 2
                         : velocity == SHOAL_PSO_DIFFERENCE    ? to - x
                         : velocity == SHOAL_PSO_RANGE         ? (2 * b - 1) * width
                                                               : 0;
    }
    xorwow_start(swarm, i, 0, swarm->xorwow[i]);
}

static void ball(struct naive *swarm, size_t i, size_t goal, uint32_t step, double p[][NAIVE_DIM])
{
    const size_t dim = swarm->params.search.dim;
    double centre[NAIVE_DIM], normal[NAIVE_DIM], length = 0, radius = 0;
    for (size_t d = 0; d < dim; d++) {
        const double x = swarm->x[i][d], beyond_p = x + cognitive(swarm) * (p[i][d] - x);
        const double beyond_l = x + social(swarm) * (p[goal][d] - x);
        centre[d] = goal == i ? (x + beyond_p) / 2 : (x + beyond_p + beyond_l) / 3;
        radius += pow(centre[d] - x, 2);
        const double a = word(swarm, SHOAL_STREAM_PSO_SPHERE, step, i, d / 4, d % 4 / 2 * 2);
        const double turn = u32(word(swarm, SHOAL_STREAM_PSO_SPHERE, step, i, d / 4, d % 4 / 2 * 2 + 1));
        const double angle = 2 * acos(-1) * turn;
        normal[d] = sqrt(-2 * log((a + 0.5) / 4294967296.0)) * (d % 2 ? sin(angle) : cos(angle));
        length += normal[d] * normal[d];
    }
    radius = sqrt(radius) * u32(word(swarm, SHOAL_STREAM_PSO_SPHERE, step, i, 2147483648u, 0));
    for (size_t d = 0; d < dim; d++)
        swarm->v[i][d] = inertia(swarm, step) * swarm->v[i][d] + centre[d] +
                         radius * normal[d] / sqrt(length) - swarm->x[i][d];
}

static void informed(struct naive *swarm, size_t i, uint32_t step, double p[][NAIVE_DIM])
{
    const size_t dim = swarm->params.search.dim;
    size_t list[NAIVE_MOST] = {i}, count = list_neighbours(swarm, i, list);
    if (count == 0) {
        list[0] = i;
        count = 1;
    }
    const double phi = cognitive(swarm) + social(swarm);
    for (size_t d = 0; d < dim; d++) {
        double sum = 0;
        for (size_t q = 0; q < count; q++) {
            const size_t draw_of_q = q * ((dim + 3) / 4) + d / 4;
            const double u = u32(word(swarm, SHOAL_STREAM_PSO_FIPS, step, i, draw_of_q, d % 4));
            sum += phi * u * (p[list[q]][d] - swarm->x[i][d]);
        }
        swarm->v[i][d] = chi(swarm) * (swarm->v[i][d] + sum / (double)count);
    }
}

/* Step 4 of the page, and whether the particle is evaluated. */
static bool confine(struct naive *swarm, size_t i, uint32_t step)
{
    bool inside = true;
    for (size_t d = 0; d < swarm->params.search.dim; d++) {
        const double lower = swarm->lower[d], upper = swarm->upper[d], width = upper - lower;
        double *x = &swarm->x[i][d], *v = &swarm->v[i][d];
        if (*x >= lower && *x <= upper)
            continue;
        const double face = *x < lower ? lower : upper;
        switch (swarm->params.bounds) {
        case SHOAL_PSO_REFLECT:
            *x = face - (*x - face);
            *x = *x < lower ? lower : *x > upper ? upper : *x;
            *v = -*v;
            break;
        case SHOAL_PSO_CLAMP:
            *x = face;
            break;
        case SHOAL_PSO_ABSORB:
            *x = face;
            *v = 0;
            break;
        case SHOAL_PSO_BOUNCE:
            *x = face;
            *v = -*v / 2;
            break;
        case SHOAL_PSO_PERIODIC:
            *x = lower + fmod(fmod(*x - lower, width) + width, width);
            break;
        case SHOAL_PSO_REENTRY:
            *x = lower + u32(word(swarm, SHOAL_STREAM_PSO_REENTRY, step, i, d / 4, d % 4)) * width;
            break;
        case SHOAL_PSO_INVISIBLE:
            inside = false;
            break;
        default:
            break;
        }
    }
    return inside;
}

/* best, p: what the others have told so far. */
static bool move(struct naive *swarm, size_t i, uint32_t step, const double best[NAIVE_MOST],
                 double p[][NAIVE_DIM])
{
    const size_t dim = swarm->params.search.dim, goal = goal_of(swarm, best, i);
    double r1[NAIVE_DIM], r2[NAIVE_DIM];
    const double factor = swarm->params.update == SHOAL_PSO_CONSTRICTION ? chi(swarm) : 1;
    if (swarm->params.update == SHOAL_PSO_SPSO2011)
        ball(swarm, i, goal, step, p);
    else if (swarm->params.update == SHOAL_PSO_FIPS)
        informed(swarm, i, step, p);
    else
        pulls(swarm, i, step, r1, r2);
    for (size_t d = 0; d < dim; d++) {
        double *x = &swarm->x[i][d], *v = &swarm->v[i][d];
        if (swarm->params.update <= SHOAL_PSO_CONSTRICTION)
            *v = inertia(swarm, step) * *v + factor * (cognitive(swarm) * r1[d] * (p[i][d] - *x) +
                                                       social(swarm) * r2[d] * (p[goal][d] - *x));
        const double most = swarm->params.velocity_limit * (swarm->upper[d] - swarm->lower[d]);
        if (!isnan(most))
            *v = *v > most ? most : *v < -most ? -most : *v;
        *x += *v;
    }
    return confine(swarm, i, step);
}

static void settle(struct naive *swarm, size_t i, bool inside, bool drawn)
{
    double y = INFINITY;
    if (inside) {
        y = swarm->f(swarm->x[i], swarm->params.search.dim, NULL) * (swarm->params.search.maximise ? -1 : 1);
        if (!isfinite(y)) {
            y = INFINITY;
            swarm->not_finite++;
        }
    }
    if (drawn || y < swarm->best[i]) {
        swarm->best[i] = y;
        memcpy(swarm->p[i], swarm->x[i], sizeof swarm->x[i]);
    }
}

void naive_start(struct naive *swarm, const struct shoal_pso_params *params,
                 double (*f)(const double *x, size_t dim, void *data), double lower, double upper)
{
    memset(swarm, 0, sizeof *swarm);
    swarm->params = *params;
    swarm->f = f;
    for (size_t d = 0; d < params->search.dim; d++) {
        swarm->lower[d] = lower;
        swarm->upper[d] = upper;
    }
}

void naive_step(struct naive *swarm, uint32_t step)
{
    const size_t s = swarm->params.particles, batch = swarm->params.batch ? swarm->params.batch : s;
    if (swarm->params.topology == SHOAL_PSO_RANDOM && step && !swarm->improved)
        draw_links(swarm, step);
    for (size_t first = 0; first < s; first += batch) {
        double best[NAIVE_MOST], p[NAIVE_MOST][NAIVE_DIM];
        memcpy(best, swarm->best, sizeof best);
        memcpy(p, swarm->p, sizeof p);
        for (size_t i = first; i < s && i < first + batch; i++) {
            bool inside = true;
            if (step)
                inside = move(swarm, i, step, best, p);
            else
                draw(swarm, i);
            settle(swarm, i, inside, step == 0);
        }
    }
    double goal = INFINITY;
    for (size_t i = 0; i < s; i++)
        goal = fmin(goal, swarm->best[i]);
    swarm->improved = step > 0 && goal < swarm->goal;
    swarm->goal = goal;
}
