/* The suite thesis-ga: random numbers, tables 6.1 and 6.2 of the thesis. 2^23 numbers are written to memory
 * by as many generators as there are work-items, in groups of several sizes; the thesis gives the slowest and
 * the fastest of its sizes. The device's numbers are compared with the host's in double precision; shown are
 * the mean and the largest difference, and how many numbers are the same.
 *
 * The 13.4 G numbers a second that the thesis reports are above the roof of its card: a number takes 28
 * instructions, and the card issues 173 G instructions a second.
 */
#include "bench/ga/thesis/random.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

typedef uint32_t uint;
#include "cl/ga/thesis/hybridtaus.clh"

enum { COUNT = 1 << 23 };

enum source { HYBRIDTAUS, RAND, MERSENNE };

struct shape {
    uint32_t groups, group; /* on the host the pieces have one generator each */
    bool normal, native;
    enum source source; /* used on the host only */
};

struct numbers {
    const struct shape *shape;
    uint32_t items;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *states, *out;
    uint32_t *words; /* states of the generators */
    float *numbers;  /* on the host the result; on devices what was read back */
    double mean, mean_error, max_error, same;
};

static void destroy(struct bench *bench)
{
    struct numbers *n = bench->state;
    if (!n)
        return;
    shoal_kernel_destroy(&n->kernel);
    shoal_program_destroy(&n->program);
    shoal_buffer_destroy(&n->states);
    shoal_buffer_destroy(&n->out);
    free(n->words);
    free(n->numbers);
    free(n);
    bench->state = NULL;
}

/* Starts the generators with words above 127: no component of a generator gets stuck with such a word. */
static enum shoal_status begin(struct bench *bench, uint32_t items, struct shoal_error *error)
{
    struct numbers *n = bench->state = calloc(1, sizeof *n);
    if (n) {
        n->shape = bench->data;
        n->items = items;
        n->words = malloc((size_t)items * HYBRIDTAUS_WORDS * sizeof *n->words);
        n->numbers = malloc(COUNT * sizeof *n->numbers);
    }
    if (!n || !n->words || !n->numbers)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %d numbers", COUNT);
    for (uint32_t i = 0; i < items; i++) {
        const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_TEST, 0, i, 0);
        const uint32_t four[] = {words.x, words.y, words.z, words.w};
        for (size_t k = 0; k < HYBRIDTAUS_WORDS; k++)
            n->words[HYBRIDTAUS_WORDS * i + k] = four[k] | 128;
    }
    bench->work = COUNT;
    return SHOAL_OK;
}

static hybridtaus generator_of(const struct numbers *n, uint32_t item)
{
    const uint32_t *words = n->words + HYBRIDTAUS_WORDS * (size_t)item;
    return (hybridtaus){words[0], words[1], words[2], words[3]};
}

/* Devices ---------------------------------------------------------------------------------------------- */

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct numbers *n = bench->state;
    const struct shoal_arg args[] = {shoal_arg_buffer(n->states), shoal_arg_buffer(n->out),
                                     shoal_arg_uint(n->items), shoal_arg_uint(COUNT)};
    return shoal_launch(bench->queue, n->kernel, n->shape->groups, args, sizeof args / sizeof *args, NULL,
                        error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct shape *shape = bench->data;
    const struct shoal_define defines[] = {
        {"WG", shape->group}, {"NORMAL", shape->normal}, {"NATIVE", shape->native}};
    const size_t bytes = sizeof(uint32_t) * HYBRIDTAUS_WORDS * shape->groups * shape->group;
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = sizeof defines / sizeof *defines;
    params.variant = bench->variant;
    enum shoal_status status = begin(bench, shape->groups * shape->group, error);
    if (status != SHOAL_OK)
        return status;
    struct numbers *n = bench->state;
    bench->roof_work = sizeof(float) * (double)COUNT;
    status = shoal_program_create(bench->device, bench_program("ga.numbers"), &params, &n->program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(n->program, "ga_numbers", &n->kernel, error);
    if (status != SHOAL_OK)
        return status;
    bench_uses(bench, n->program);
    if (shoal_kernel_work_group(n->kernel) != shape->group)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the device has no groups of %u", shape->group);
    status = shoal_buffer_create(bench->device, bytes, &n->states, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, n->states, 0, n->words, bytes, error);
    return status == SHOAL_OK ? shoal_buffer_create(bench->device, COUNT * sizeof(float), &n->out, error)
                              : status;
}

/* Numbers i and i + items as the functions in double precision give them from the generator's words, which
 * are rounded as on the device. */
static void wanted_pair(const struct numbers *n, hybridtaus *generator, double wanted[2])
{
    const float first = (float)hybridtaus_next(generator), second = (float)hybridtaus_next(generator);
    wanted[0] = (double)first * 0x1p-32;
    wanted[1] = (double)second * 0x1p-32;
    if (n->shape->normal) {
        const float u = (first + 0.5f) * 0x1p-32f, angle = 6.2831853f * (second * 0x1p-32f);
        const double radius = sqrt(-2 * log((double)u));
        wanted[0] = radius * sin((double)angle);
        wanted[1] = radius * cos((double)angle);
    }
}

static void compare(struct numbers *n)
{
    double sum = 0, errors = 0, largest = 0, same = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, errors, same) reduction(max : largest)
    for (uint32_t item = 0; item < n->items; item++) {
        hybridtaus generator = generator_of(n, item);
        for (uint32_t i = item; i < COUNT; i += 2 * n->items) {
            double wanted[2];
            wanted_pair(n, &generator, wanted);
            for (uint32_t k = 0; k < 2 && i + k * n->items < COUNT; k++) {
                const float number = n->numbers[i + k * n->items];
                const double difference = fabs((double)number - wanted[k]);
                const double off = isnan(difference) ? (double)INFINITY : difference;
                sum += (double)number;
                errors += off;
                same += number == (float)wanted[k];
                largest = fmax(largest, off);
            }
        }
    }
    n->mean = sum / COUNT;
    n->mean_error = errors / COUNT;
    n->max_error = largest;
    n->same = same / COUNT;
}

/* The device's fast functions have absolute errors; that of a small logarithm grows under the square root. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct numbers *n = bench->state;
    if (bench->queue) {
        enum shoal_status status =
            shoal_buffer_read(bench->queue, n->out, 0, n->numbers, COUNT * sizeof *n->numbers, error);
        if (status != SHOAL_OK)
            return status;
    }
    compare(n);
    check->error = n->max_error;
    check->passed = n->max_error <= (n->shape->native ? 1e-2 : n->shape->normal ? 5e-6 : 0);
    snprintf(check->detail, sizeof check->detail, "a number is off by %.3g", n->max_error);
    return SHOAL_OK;
}

static void figures(struct bench *bench, double seconds)
{
    const struct numbers *n = bench->state;
    (void)seconds;
    bench_add_figure(bench, "mean", "", n->mean);
    bench_add_figure(bench, "mean error", "", n->mean_error);
    bench_add_figure(bench, "largest error", "", n->max_error);
    bench_add_figure(bench, "identical", "", n->same);
}

/* Host: a generator for each thread -------------------------------------------------------------------- */

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    /* rand() has one generator. */
    if (((const struct shape *)bench->data)->source == RAND)
        bench->threads = 1;
    return begin(bench, bench->threads, error);
}

static void fill_hybridtaus(const struct numbers *n, uint32_t item)
{
    hybridtaus generator = generator_of(n, item);
    for (uint32_t i = item; i < COUNT; i += 2 * n->items) {
        const float first = (float)hybridtaus_next(&generator), second = (float)hybridtaus_next(&generator);
        float pair[2] = {first * 0x1p-32f, second * 0x1p-32f};
        if (n->shape->normal) {
            const float radius = sqrtf(-2 * logf((first + 0.5f) * 0x1p-32f)), angle = 6.2831853f * pair[1];
            pair[0] = radius * sinf(angle);
            pair[1] = radius * cosf(angle);
        }
        for (uint32_t k = 0; k < 2 && i + k * n->items < COUNT; k++)
            n->numbers[i + k * n->items] = pair[k];
    }
}

static void fill_mersenne(const struct numbers *n, uint32_t item)
{
    const size_t first = (size_t)COUNT * item / n->items, end = (size_t)COUNT * (item + 1) / n->items;
    struct mt19937 mt;
    uint32_t words[1024];
    mt19937_seed(&mt, item + 1);
    for (size_t i = first; i < end;) {
        const size_t count = end - i < 1024 ? end - i : 1024;
        mt19937_fill(&mt, words, count);
        for (size_t k = 0; k < count; k++)
            n->numbers[i + k] = uniform_of(words[k]);
        i += count;
    }
}

static enum shoal_status run_host(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    const struct numbers *n = bench->state;
    if (n->shape->source == RAND) {
        for (size_t i = 0; i < COUNT; i++)
            n->numbers[i] = (float)rand() / ((float)RAND_MAX + 1);
        return SHOAL_OK;
    }
#pragma omp parallel for schedule(static)
    for (uint32_t item = 0; item < n->items; item++) {
        if (n->shape->source == MERSENNE)
            fill_mersenne(n, item);
        else
            fill_hybridtaus(n, item);
    }
    return SHOAL_OK;
}

/* Numbers of HYBRIDTAUS are compared one by one; for other sources the mean must be within five of its
 * standard errors. */
static enum shoal_status check_host(struct bench *bench, struct bench_check *checked,
                                    struct shoal_error *error)
{
    const struct numbers *n = bench->state;
    double sum = 0;
    if (n->shape->source == HYBRIDTAUS)
        return check(bench, checked, error);
    for (size_t i = 0; i < COUNT; i++)
        sum += (double)n->numbers[i];
    checked->error = fabs(sum / COUNT - 0.5);
    checked->passed = checked->error <= 5 * sqrt(1.0 / 12 / COUNT);
    snprintf(checked->detail, sizeof checked->detail, "the mean is off by %.3g", checked->error);
    return SHOAL_OK;
}

static void figures_host(struct bench *bench, double seconds)
{
    if (((const struct shape *)bench->data)->source == HYBRIDTAUS)
        figures(bench, seconds);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures},
                              host_ops = {create_host, NULL, run_host, check_host, destroy, figures_host};

#define NUMBERS(n_case, text, mega, on, ...)                                                                 \
    {                                                                                                        \
        .name = "thesis-ga.numbers." n_case, .help = text, .unit = "numbers/s", .precision = "fp32",         \
        .roof = SHOAL_ROOF_COPY_BYTES, .clock = BENCH_DEVICE_TIME, .published = (mega)*1e6,                  \
        .published_on = on, .data = &(const struct shape)                                                    \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }
#define ON_HOST(n_case, text, mega, one_row, ...)                                                            \
    NUMBERS(n_case, "2^23 numbers on the host, " text, mega, "Core i7 920, 1 core", __VA_ARGS__),            \
        .host = &host_ops, .all_threads = one_row                                                            \
    }
#define UNIFORM(G, W, mega, on)                                                                              \
    NUMBERS("uniform-" #G "x" #W, "2^23 uniform numbers, " #G " groups of " #W, mega, on, .groups = G,       \
            .group = W),                                                                                     \
        .device = &ops                                                                                       \
    }
#define NORMAL(G, W, mega, fast)                                                                             \
    NUMBERS("normal-" #G "x" #W, "2^23 normal numbers, " #G " groups of " #W, mega, "8800 GTX", .groups = G, \
            .group = W, .normal = true),                                                                     \
        .device = &ops                                                                                       \
    }                                                                                                        \
    ,                                                                                                        \
        NUMBERS("normal-" #G "x" #W "-native", "the same with fast functions of the device", fast,           \
                "8800 GTX", .groups = G, .group = W, .normal = true, .native = true),                        \
        .device = &ops                                                                                       \
    }

static const struct bench_case cases[] = {
    ON_HOST("rand", "rand()", 114, true, .source = RAND),
    ON_HOST("mersenne-twister", "MT19937", 270, false, .source = MERSENNE),
    ON_HOST("hybridtaus", "the generator of the thesis", 220, false, .source = HYBRIDTAUS),
    ON_HOST("box-muller", "normal ones of the generator of the thesis", 12, false, .normal = true),
    UNIFORM(1, 32, 10, "8800 GTX, its slowest size"),
    UNIFORM(16, 32, 0, ""),
    UNIFORM(16, 256, 0, ""),
    UNIFORM(128, 64, 0, ""),
    UNIFORM(128, 256, 0, ""),
    UNIFORM(1024, 256, 13400, "8800 GTX, above its roof"),
    UNIFORM(4096, 256, 13400, "8800 GTX, above its roof"),
    NORMAL(16, 256, 0, 0),
    NORMAL(128, 256, 0, 0),
    NORMAL(1024, 256, 3004, 8933),
    NORMAL(4096, 256, 3004, 8933),
};

const struct bench_case_list bench_thesis_ga_number_cases = {cases, sizeof cases / sizeof *cases};
