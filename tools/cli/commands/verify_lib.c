/* Checks the kernel library, <shoal/primitives.h>, on a device against plain C. */
#include "cli/cli.h"
#include "cli/commands/verify.h"

#include <math.h>
#include <shoal/primitives.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

/* Number of elements: odd, and larger than any work-group. */
enum { COUNT = 100003 };
static const struct shoal_random_counter counter = {.seed = 0x0123456789abcdef, .stream = SHOAL_STREAM_TEST};

struct fixture {
    struct shoal_device *device;
    enum shoal_variant variant;
    struct shoal_queue *queue;
    struct shoal_buffer *a, *b;          /* [COUNT] words each */
    struct shoal_buffer *result, *index; /* buffers of 8 and of 4 bytes */
    int method;                          /* method of a scan or sort, or kind of a reduction */
    uint32_t *words, *back;              /* [COUNT] each; words: random words, generated on the host */
    uint32_t *extra;                     /* [COUNT] */
};

/* A check: fills deviation, tolerance and `what` of the row. A status other than SHOAL_OK ends the check. */
typedef enum shoal_status (*check_fn)(struct fixture *fixture, struct verify_row *row,
                                      struct shoal_error *error);

static uint32_t host_word(uint32_t element, uint32_t step)
{
    struct shoal_words four = shoal_random_words(counter.seed, counter.stream, step, element / 4, 0);
    const uint32_t words[] = {four.x, four.y, four.z, four.w};
    return words[element % 4];
}

static size_t different(const uint32_t *a, const uint32_t *b)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++)
        count += a[i] != b[i];
    return count;
}

/* Judges exact results: the deviation is the fraction of elements that differ. */
static void exact(struct verify_row *row, size_t wrong, const char *what)
{
    row->what = what;
    row->deviation = (double)wrong / COUNT;
    row->tolerance = 0;
}

static enum shoal_status read_words(struct fixture *fixture, struct shoal_buffer *buffer, uint32_t *words,
                                    struct shoal_error *error)
{
    return shoal_buffer_read(fixture->queue, buffer, 0, words, COUNT * sizeof *words, error);
}

/* Converts the words to uniform numbers, whose bits are kept in `extra`. */
static void make_uniform(const struct fixture *fixture)
{
    for (size_t i = 0; i < COUNT; i++) {
        float value = shoal_uniform_float(fixture->words[i]);
        memcpy(&fixture->extra[i], &value, sizeof value);
    }
}

enum { WORDS, UNIFORM, NORMAL };

/* Draws random numbers on the device and reads them into `back`. */
static enum shoal_status draw(struct fixture *fixture, struct shoal_error *error)
{
    struct shoal_random *random = NULL;
    struct shoal_queue *queue = fixture->queue;
    struct shoal_buffer *to = fixture->a;
    enum shoal_status status =
        shoal_random_create(fixture->device, SHOAL_TYPE_FLOAT, fixture->variant, &random, error);
    if (status == SHOAL_OK && fixture->method == WORDS)
        status = shoal_random_fill_words(random, queue, to, COUNT, &counter, error);
    if (status == SHOAL_OK && fixture->method == UNIFORM)
        status = shoal_random_fill_uniform(random, queue, to, COUNT, &counter, 0, 1, error);
    if (status == SHOAL_OK && fixture->method == NORMAL)
        status = shoal_random_fill_normal(random, queue, to, COUNT, &counter, 0, 1, error);
    if (status == SHOAL_OK)
        status = read_words(fixture, to, fixture->back, error);
    shoal_random_destroy(&random);
    return status;
}

/* Checks random words and uniform numbers. Uniform numbers are exact, too, since they are a conversion and a
 * product with a power of two. */
static enum shoal_status check_words(struct fixture *fixture, struct verify_row *row,
                                     struct shoal_error *error)
{
    const enum shoal_status status = draw(fixture, error);
    make_uniform(fixture);
    if (status == SHOAL_OK && fixture->method == WORDS)
        exact(row, different(fixture->words, fixture->back), "random words");
    if (status == SHOAL_OK && fixture->method == UNIFORM)
        exact(row, different(fixture->extra, fixture->back), "uniform numbers");
    return status;
}

static enum shoal_status check_normal(struct fixture *fixture, struct verify_row *row,
                                      struct shoal_error *error)
{
    const enum shoal_status status = draw(fixture, error);
    row->what = "normal numbers";
    /* A normal number is the root of a logarithm times a sine or cosine, up to 6.8. OpenCL allows 3 + 4 + 4
     * units in the last place (6e-8, relative) for root, logarithm and sine, and one unit for the product: on
     * host and device together 24 units of numbers up to 6.8. */
    row->tolerance = 24 * 6.8 * 0x1p-24;
    for (uint32_t i = 0; status == SHOAL_OK && i < COUNT; i += 2) {
        float wanted[2], got[2];
        shoal_normal_float(fixture->words[i], i + 1 < COUNT ? fixture->words[i + 1] : host_word(i + 1, 0),
                           &wanted[0], &wanted[1]);
        for (uint32_t k = 0; k < 2 && i + k < COUNT; k++) {
            memcpy(&got[k], &fixture->back[i + k], sizeof got[k]);
            double difference = fabs((double)got[k] - (double)wanted[k]);
            row->deviation = difference <= row->deviation ? row->deviation : difference;
        }
    }
    return status;
}

static enum shoal_status upload(struct fixture *fixture, struct shoal_buffer *buffer, const void *data,
                                struct shoal_error *error)
{
    return shoal_buffer_write(fixture->queue, buffer, 0, data, COUNT * sizeof(uint32_t), error);
}

/* Reduces the uniform numbers; with SHOAL_TYPE_UINT the words. */
static enum shoal_status reduce(struct fixture *fixture, enum shoal_type type, struct shoal_error *error)
{
    const enum shoal_reduction reduction = (enum shoal_reduction)fixture->method;
    struct shoal_reduce *object = NULL;
    const struct shoal_reduce_args args = {
        .data = fixture->a,
        .n = COUNT,
        .result = fixture->result,
        .index = reduction == SHOAL_ARGMIN ? fixture->index : NULL,
    };
    make_uniform(fixture);
    enum shoal_status status =
        upload(fixture, fixture->a, type == SHOAL_TYPE_UINT ? fixture->words : fixture->extra, error);
    if (status == SHOAL_OK)
        status =
            shoal_reduce_create(fixture->device, reduction, type, COUNT, fixture->variant, &object, error);
    if (status == SHOAL_OK)
        status = shoal_reduce_run(object, fixture->queue, &args, error);
    if (status == SHOAL_OK)
        status = shoal_queue_finish(fixture->queue, error);
    shoal_reduce_destroy(&object);
    return status;
}

static enum shoal_status check_sum(struct fixture *fixture, struct verify_row *row, struct shoal_error *error)
{
    float got = NAN;
    double wanted = 0;
    enum shoal_status status = reduce(fixture, SHOAL_TYPE_FLOAT, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(fixture->queue, fixture->result, 0, &got, sizeof got, error);
    for (size_t i = 0; i < COUNT; i++)
        wanted += (double)shoal_uniform_float(fixture->words[i]);
    row->what = "sum of floats";
    row->deviation = fabs((double)got - wanted) / wanted;
    /* An element takes part in fewer than 100 additions: log2 n levels, and consecutive elements of a
     * work-item. Each addition rounds by at most 2^-24 of a partial sum, which does not exceed the whole sum.
     */
    row->tolerance = 100 * 0x1p-24;
    return status;
}

static enum shoal_status check_whole_sum(struct fixture *fixture, struct verify_row *row,
                                         struct shoal_error *error)
{
    uint64_t got = 0, wanted = 0;
    enum shoal_status status = reduce(fixture, SHOAL_TYPE_UINT, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(fixture->queue, fixture->result, 0, &got, sizeof got, error);
    for (size_t i = 0; i < COUNT; i++)
        wanted += fixture->words[i];
    exact(row, got == wanted ? 0 : COUNT, "sum of whole numbers");
    return status;
}

/* Checks SHOAL_MIN, or SHOAL_ARGMIN with its index. */
static enum shoal_status check_least(struct fixture *fixture, struct verify_row *row,
                                     struct shoal_error *error)
{
    const bool has_index = fixture->method == SHOAL_ARGMIN;
    uint32_t got = UINT32_MAX, wanted = 0;
    float value = NAN, least = shoal_uniform_float(fixture->words[0]);
    enum shoal_status status = reduce(fixture, SHOAL_TYPE_FLOAT, error);
    if (status == SHOAL_OK && has_index)
        status = shoal_buffer_read(fixture->queue, fixture->index, 0, &got, sizeof got, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(fixture->queue, fixture->result, 0, &value, sizeof value, error);
    for (uint32_t i = 1; i < COUNT; i++)
        if (shoal_uniform_float(fixture->words[i]) < least) {
            least = shoal_uniform_float(fixture->words[i]);
            wanted = i;
        }
    exact(row, (got == wanted || !has_index) && value == least ? 0 : COUNT,
          has_index ? "minimum and its index" : "minimum");
    return status;
}

static enum shoal_status check_scan(struct fixture *fixture, struct verify_row *row,
                                    struct shoal_error *error)
{
    struct shoal_scan *scan = NULL;
    uint32_t sum = 0;
    enum shoal_status status = upload(fixture, fixture->a, fixture->words, error);
    if (status == SHOAL_OK)
        status = shoal_scan_create(fixture->device, COUNT, (enum shoal_scan_method)fixture->method,
                                   fixture->variant, &scan, error);
    if (status == SHOAL_OK)
        status = shoal_scan_run(scan, fixture->queue, fixture->a, 0, fixture->b, 0, COUNT, error);
    if (status == SHOAL_OK)
        status = read_words(fixture, fixture->b, fixture->back, error);
    for (size_t i = 0; i < COUNT; i++) {
        fixture->extra[i] = sum;
        sum += fixture->words[i];
    }
    if (status == SHOAL_OK)
        exact(row, different(fixture->extra, fixture->back), "prefix sums");
    shoal_scan_destroy(&scan);
    return status;
}

/* Few distinct keys, so that an unstable sort is detected. */
static uint32_t sort_key(const struct fixture *fixture, size_t element)
{
    return fixture->words[element] % 1000 * 4294967u;
}

static enum shoal_status check_sort(struct fixture *fixture, struct verify_row *row,
                                    struct shoal_error *error)
{
    struct shoal_sort *sort = NULL;
    const struct shoal_sort_args args = {
        .keys = fixture->a,
        .values = fixture->b,
        .keys_out = fixture->a,
        .values_out = fixture->b,
        .n = COUNT,
        .end_bit = 32,
    };
    size_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        fixture->extra[i] = sort_key(fixture, i);
        fixture->back[i] = i;
    }
    enum shoal_status status = upload(fixture, fixture->a, fixture->extra, error);
    if (status == SHOAL_OK)
        status = upload(fixture, fixture->b, fixture->back, error);
    if (status == SHOAL_OK)
        status = shoal_sort_create(fixture->device, COUNT, (enum shoal_sort_method)fixture->method,
                                   fixture->variant, &sort, error);
    if (status == SHOAL_OK)
        status = shoal_sort_run(sort, fixture->queue, &args, error);
    if (status == SHOAL_OK)
        status = read_words(fixture, fixture->a, fixture->extra, error);
    if (status == SHOAL_OK)
        status = read_words(fixture, fixture->b, fixture->back, error);
    /* Three conditions determine the result: keys are in order, each value has its own key, equal keys keep
     * their order. */
    for (size_t i = 0; status == SHOAL_OK && i < COUNT; i++) {
        bool own = fixture->back[i] < COUNT && sort_key(fixture, fixture->back[i]) == fixture->extra[i];
        bool ordered =
            i == 0 || fixture->extra[i - 1] < fixture->extra[i] ||
            (fixture->extra[i - 1] == fixture->extra[i] && fixture->back[i - 1] < fixture->back[i]);
        wrong += !own || !ordered;
    }
    if (status == SHOAL_OK)
        exact(row, wrong, "stable sort of pairs");
    shoal_sort_destroy(&sort);
    return status;
}

/* Checks a product with odd sizes, alpha, beta, bias and activation against a product in double precision. */
static enum shoal_status check_gemm(struct fixture *fixture, struct verify_row *row,
                                    struct shoal_error *error)
{
    enum { M = 211, N = 131, K = 173, A = 0, B = M * K, C = B + N * K, BIAS = C + M * N };
    struct shoal_gemm *gemm = NULL;
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = M, .max_n = N, .max_k = K, .transposed_b = true,
                          .activation = SHOAL_GEMM_RELU, .method = (enum shoal_gemm_method)fixture->method,
                          .variant = fixture->variant);
    const struct shoal_gemm_args args =
        SHOAL_GEMM_ARGS(.a = fixture->a, .b = fixture->a, .c = fixture->a, .a_offset = A, .b_offset = B,
                        .c_offset = C, .m = M, .n = N, .k = K, .alpha = 2, .beta = -0.5, .bias = fixture->a,
                        .bias_offset = BIAS);
    make_uniform(fixture);
    enum shoal_status status = upload(fixture, fixture->a, fixture->extra, error);
    if (status == SHOAL_OK)
        status = shoal_gemm_create(fixture->device, &params, &gemm, error);
    if (status == SHOAL_OK)
        status = shoal_gemm_run(gemm, fixture->queue, &args, error);
    if (status == SHOAL_OK)
        status = read_words(fixture, fixture->a, fixture->back, error);
    const float *before = (const float *)(const void *)fixture->extra,
                *after = (const float *)(const void *)fixture->back;
    row->what = "matrix product";
    row->compared = M * N;
    /* Relative error of a sum of K terms with the same sign: rounding errors grow as the root of K. */
    row->tolerance = 2 * sqrt((double)K) * 0x1p-23;
    for (size_t i = 0; status == SHOAL_OK && i < M * N; i++) {
        double sum = -0.5 * (double)before[C + i] + (double)before[BIAS + i % N];
        for (size_t k = 0; k < K; k++)
            sum += 2 * (double)before[A + i / N * K + k] * (double)before[B + i % N * K + k];
        const double difference = fabs((double)after[C + i] - sum) / sum;
        row->deviation = difference <= row->deviation ? row->deviation : difference;
    }
    shoal_gemm_destroy(&gemm);
    return status;
}

static void fixture_close(struct fixture *fixture)
{
    shoal_buffer_destroy(&fixture->a);
    shoal_buffer_destroy(&fixture->b);
    shoal_buffer_destroy(&fixture->result);
    shoal_buffer_destroy(&fixture->index);
    shoal_queue_destroy(&fixture->queue);
    free(fixture->words);
    free(fixture->back);
    free(fixture->extra);
}

static enum shoal_status fixture_open(struct fixture *fixture, struct shoal_error *error)
{
    fixture->words = cli_alloc(COUNT * sizeof *fixture->words);
    fixture->back = cli_alloc(COUNT * sizeof *fixture->back);
    fixture->extra = cli_alloc(COUNT * sizeof *fixture->extra);
    for (uint32_t i = 0; i < COUNT; i++)
        fixture->words[i] = host_word(i, 0);
    enum shoal_status status = shoal_queue_create(fixture->device, 0, &fixture->queue, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(fixture->device, COUNT * sizeof(uint32_t), &fixture->a, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(fixture->device, COUNT * sizeof(uint32_t), &fixture->b, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(fixture->device, sizeof(uint64_t), &fixture->result, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(fixture->device, sizeof(uint32_t), &fixture->index, error);
    return status;
}

static const struct check {
    const char *name;
    check_fn run;
    int method;
} checks[] = {{"lib.random words", check_words, WORDS},
              {"lib.random uniform", check_words, UNIFORM},
              {"lib.random normal", check_normal, NORMAL},
              {"lib.reduce sum", check_sum, SHOAL_SUM},
              {"lib.reduce sum of whole numbers", check_whole_sum, SHOAL_SUM},
              {"lib.reduce min", check_least, SHOAL_MIN},
              {"lib.reduce argmin", check_least, SHOAL_ARGMIN},
              {"lib.scan look-back", check_scan, SHOAL_SCAN_LOOKBACK},
              {"lib.scan blocks", check_scan, SHOAL_SCAN_BLOCKS},
              {"lib.scan serial", check_scan, SHOAL_SCAN_SERIAL},
              {"lib.sort blocks", check_sort, SHOAL_SORT_BLOCKS},
              {"lib.sort serial", check_sort, SHOAL_SORT_SERIAL},
              {"lib.sort sweep", check_sort, SHOAL_SORT_SWEEP},
              {"lib.gemm tiled", check_gemm, SHOAL_GEMM_TILED},
              {"lib.gemm serial", check_gemm, SHOAL_GEMM_SERIAL}};

static void run_check(struct verify *verify, struct fixture *fixture, const struct check *check)
{
    const char *name = check->name;
    struct verify_row row = {.name = name, .what = "", .compared = COUNT};
    cli_progress_show("%s  %s", name, shoal_device_get_info(fixture->device)->id);
    fixture->method = check->method;
    row.error.status = check->run(fixture, &row, &row.error);
    if (row.error.status == SHOAL_OK && !(row.deviation <= row.tolerance)) {
        row.error.status = SHOAL_CHECK_FAILED;
        snprintf(row.error.message, sizeof row.error.message,
                 "%s: %s differ from plain C by %.3g, %.3g is allowed", name, row.what, row.deviation,
                 row.tolerance);
    }
    verify_add(verify, fixture->device, &row);
}

void verify_primitives(struct verify *verify, struct shoal_device *device)
{
    struct fixture fixture = {.device = device, .variant = verify->variant};
    struct verify_row row = {.name = "lib", .what = ""};
    bool any = false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        any = any || verify_wants(verify, checks[i].name);
    if (!any)
        return;
    row.error.status = fixture_open(&fixture, &row.error);
    if (row.error.status != SHOAL_OK)
        verify_add(verify, device, &row);
    for (size_t i = 0; row.error.status == SHOAL_OK && i < sizeof checks / sizeof *checks; i++)
        if (!cli_stopped(NULL) && verify_wants(verify, checks[i].name))
            run_check(verify, &fixture, &checks[i]);
    fixture_close(&fixture);
}
