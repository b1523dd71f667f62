/* The vector twin: products of blocks of rows, in tiles that stay in registers. Matrices have rows padded to
 * whole tiles, by 0. */
#include "bench/mlp/thesis/cpu.h"
#include "thesis_build.h"

#include <math.h>
#include <string.h>

/* sides of a tile; number of rows of a block, a multiple of TALL */
enum { TALL = 6, BROAD = 16, BLOCK = 96 };

static size_t padded(size_t count, size_t by)
{
    return (count + by - 1) / by * by;
}

/* Places of the arrays in the work memory. */
struct layout {
    size_t in, hidden, out; /* pitches: whole tiles of BROAD columns, for `in` of TALL rows */
    float *x, *h, *o, *h_delta;
    float *first, *second, *back; /* weights, and a transposed copy of the second */
    float *first_sum, *second_sum;
    size_t numbers;
};

static struct layout layout_of(const struct thesis_mlp_net *net, float *work)
{
    struct layout at = {.in = padded(net->inputs + 1, TALL),
                        .hidden = padded(net->hidden + 1, TALL * BROAD),
                        .out = padded(net->outputs, BROAD)};
    const size_t sizes[] = {BLOCK * at.in,      BLOCK * at.hidden, BLOCK * at.out,
                            BLOCK * at.hidden,  at.in * at.hidden, at.hidden * at.out,
                            at.out * at.hidden, at.in * at.hidden, at.hidden * at.out};
    float **const to[] = {&at.x,      &at.h,    &at.o,         &at.h_delta,   &at.first,
                          &at.second, &at.back, &at.first_sum, &at.second_sum};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *to[k] = work ? work + at.numbers : NULL;
        at.numbers += sizes[k];
    }
    return at;
}

static size_t room(const struct thesis_mlp_net *net)
{
    return layout_of(net, NULL).numbers;
}

/* c[r][n] (+)= sum over k of a(r, k) b[k][n], where a(r, k) is a[r * a_row + k * a_term]. */
struct product {
    const float *a, *b;
    float *c;
    size_t a_row, a_term, b_pitch, c_pitch;
    size_t rows, columns, terms; /* rows, columns: in whole tiles */
    int adds;
};

/* A vector that may begin at any address. Compilers keep an array of vectors in registers, but not an array
 * of numbers. */
typedef float lanes __attribute__((vector_size(BROAD * sizeof(float)), aligned(sizeof(float)), may_alias));

static void tile(const struct product *p, size_t row, size_t column)
{
    lanes sum[TALL] = {{0}};
    const float *a = p->a + row * p->a_row, *b = p->b + column;
    for (size_t k = 0; k < p->terms; k++, a += p->a_term, b += p->b_pitch) {
        const lanes factor = *(const lanes *)b;
#pragma GCC unroll 6
        for (size_t r = 0; r < TALL; r++)
            sum[r] += a[r * p->a_row] * factor;
    }
#pragma GCC unroll 6
    for (size_t r = 0; r < TALL; r++) {
        lanes *const to = (lanes *)(p->c + (row + r) * p->c_pitch + column);
        if (p->adds)
            sum[r] += *to;
        *to = sum[r];
    }
}

static void multiply(struct product p)
{
    for (size_t column = 0; column < p.columns; column += BROAD)
        for (size_t row = 0; row < p.rows; row += TALL)
            tile(&p, row, column);
}

/* exp by the nearest power of two and a polynomial (S. L. Moshier, Cephes, expf): loops over it become vector
 * code. */
static inline float exponential(float v)
{
    const float x = v > 87    ? 87
                    : v < -87 ? -87
                              : v,
                shifter = 12582912; /* 1.5 2^23: adding it rounds to whole numbers */
    const float n = (x * 1.44269504F + shifter) - shifter;
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    const float p =
        ((((1.9875691500e-4F * r + 1.3981999507e-3F) * r + 8.3334519073e-3F) * r + 4.1665795894e-2F) * r +
         1.6666665459e-1F) *
            r +
        5.0000001201e-1F;
    const int bits = ((int)n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return (p * r * r + r + 1) * power;
}

static void squash(float *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = 1 / (1 + exponential(-values[k]));
}

static void load(const struct thesis_mlp_net *net, const struct layout *at, const float *inputs, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        memcpy(at->x + r * at->in, inputs + r * net->inputs, net->inputs * sizeof *inputs);
        at->x[r * at->in + net->inputs] = 1;
    }
    memset(at->x + rows * at->in, 0, (BLOCK - rows) * at->in * sizeof *at->x);
}

static void forward(const struct thesis_mlp_net *net, const struct layout *at)
{
    const size_t broad = padded(net->hidden, BROAD);
    multiply((struct product){at->x, at->first, at->h, at->in, 1, at->hidden, at->hidden, BLOCK, broad,
                              net->inputs + 1, 0});
    for (size_t r = 0; r < BLOCK; r++) {
        squash(at->h + r * at->hidden, broad);
        memset(at->h + r * at->hidden + net->hidden, 0, (at->hidden - net->hidden) * sizeof *at->h);
        at->h[r * at->hidden + net->hidden] = 1;
    }
    multiply((struct product){at->h, at->second, at->o, at->hidden, 1, at->out, at->out, BLOCK, at->out,
                              net->hidden + 1, 0});
}

/* Turns outputs into derivatives; those of rows beyond `rows` become 0. */
static void lose(const struct thesis_mlp_net *net, const struct layout *at, const float *targets, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        float *const o = at->o + r * at->out;
        squash(o, at->out);
        for (size_t k = 0; k < net->outputs; k++)
            o[k] = (targets[r * net->outputs + k] - o[k]) * o[k] * (1 - o[k]);
        memset(o + net->outputs, 0, (at->out - net->outputs) * sizeof *o);
    }
    memset(at->o + rows * at->out, 0, (BLOCK - rows) * at->out * sizeof *at->o);
}

static void backward(const struct thesis_mlp_net *net, const struct layout *at)
{
    const size_t broad = padded(net->hidden, BROAD), tall = padded(net->hidden + 1, TALL);
    multiply((struct product){at->o, at->back, at->h_delta, at->out, 1, at->hidden, at->hidden, BLOCK, broad,
                              net->outputs, 0});
    for (size_t r = 0; r < BLOCK; r++)
        for (size_t j = 0; j < broad; j++) {
            const float h = at->h[r * at->hidden + j];
            at->h_delta[r * at->hidden + j] *= h * (1 - h);
        }
    multiply((struct product){at->x, at->h_delta, at->first_sum, 1, at->in, at->hidden, at->hidden, at->in,
                              broad, BLOCK, 1});
    multiply((struct product){at->h, at->o, at->second_sum, 1, at->hidden, at->out, at->out, tall, at->out,
                              BLOCK, 1});
}

static void add(const struct thesis_mlp_net *net, const float *weights, const float *inputs,
                const float *targets, size_t rows, float *work, float *gradient)
{
    const struct layout at = layout_of(net, work);
    const float *const second = weights + (net->inputs + 1) * net->hidden;
    float *const second_gradient = gradient + (net->inputs + 1) * net->hidden;
    for (size_t i = 0; i <= net->inputs; i++)
        memcpy(at.first + i * at.hidden, weights + i * net->hidden, net->hidden * sizeof *weights);
    for (size_t j = 0; j <= net->hidden; j++)
        for (size_t k = 0; k < net->outputs; k++) {
            at.second[j * at.out + k] = second[j * net->outputs + k];
            if (j < net->hidden)
                at.back[k * at.hidden + j] = second[j * net->outputs + k];
        }
    memset(at.first_sum, 0, at.in * at.hidden * sizeof *at.first_sum);
    memset(at.second_sum, 0, at.hidden * at.out * sizeof *at.second_sum);
    for (size_t n = 0; n < rows; n += BLOCK) {
        const size_t count = rows - n < BLOCK ? rows - n : BLOCK;
        load(net, &at, inputs + n * net->inputs, count);
        forward(net, &at);
        lose(net, &at, targets + n * net->outputs, count);
        backward(net, &at);
    }
    for (size_t i = 0; i <= net->inputs; i++)
        for (size_t j = 0; j < net->hidden; j++)
            gradient[i * net->hidden + j] += at.first_sum[i * at.hidden + j];
    for (size_t j = 0; j <= net->hidden; j++)
        for (size_t k = 0; k < net->outputs; k++)
            second_gradient[j * net->outputs + k] += at.second_sum[j * at.out + k];
}

const struct thesis_mlp_twin THESIS_MLP_TWIN = {THESIS_COMPILER, room, add};
