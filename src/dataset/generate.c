/* Data sets made by rules. All numbers derive from integers of Philox, or from operations that IEEE 754
 * rounds exactly, so they are the same on every machine. */
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "dataset/dataset.h"

#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 4096, MOST_PARITY = 20, NET_BITS = 8, LAST_DRAW = INT32_MIN };
enum kind { KIND_XOR, KIND_PARITY, KIND_SPIRALS, KIND_RANDOM, KIND_TEACHER, KINDS };

/* Default sizes of each kind of data set; SIZE_MAX: the kind has no such size. */
static const struct {
    const char *name;
    size_t rows, inputs, hidden, classes;
} kinds[KINDS] = {{"xor", 4, SIZE_MAX, SIZE_MAX, SIZE_MAX},
                  {"parity", 0, 8, SIZE_MAX, SIZE_MAX},
                  {"spirals", 194, SIZE_MAX, SIZE_MAX, SIZE_MAX},
                  {"random", 15360, 120, SIZE_MAX, 120},
                  {"teacher", 20000, 64, 63, 26}};

struct generator {
    enum kind kind;
    size_t rows, inputs, hidden, classes;
    bool is_drawn; /* parity: rows are random; otherwise there is a row for each combination */
    uint64_t seed;
    uint64_t wrong; /* share of rows with a wrong class, in parts of 2^32 */
    /* the teacher's weights: input_weights [hidden][inputs], output_weights [classes][hidden] */
    int32_t *input_weights, *output_weights;
    int32_t *signs, *sums;
};

void shoal_dataset_generator_init(struct shoal_dataset_generator *generator)
{
    if (!generator)
        return;
    *generator = (struct shoal_dataset_generator){.size = sizeof *generator, .seed = 1};
}

static uint32_t word_of(const struct generator *generator, uint32_t stream, uint64_t row, uint32_t draw,
                        unsigned place)
{
    const struct shoal_words words =
        shoal_random_words(generator->seed, stream, (uint32_t)(row >> 32), (uint32_t)row, draw);
    const uint32_t word[4] = {words.x, words.y, words.z, words.w};
    return word[place];
}

/* A random number below `limit`. The relative difference of the probabilities of two numbers is at most limit
 * / 2^32. */
static uint32_t below(uint32_t word, size_t limit)
{
    return (uint32_t)((uint64_t)word * limit >> 32);
}

/* Rows --------------------------------------------------------------------------------------------------- */

static void draw_bits(const struct generator *generator, size_t row, double *out)
{
    for (size_t k = 0; k < generator->inputs; k++) {
        const uint32_t word =
            word_of(generator, SHOAL_STREAM_DATASET_ROW, row, (uint32_t)(k / 128), k / 32 % 4);
        out[k] = word >> k % 32 & 1;
    }
}

static void fill_parity(const struct generator *generator, size_t row, double *out)
{
    const size_t inputs = generator->inputs;
    unsigned parity = 0;
    if (generator->is_drawn)
        draw_bits(generator, row, out);
    for (size_t k = 0; k < inputs; k++) {
        if (!generator->is_drawn)
            out[k] = row >> (inputs - 1 - k) & 1;
        parity ^= out[k] > 0;
    }
    out[inputs] = parity;
}

/* Sine and cosine of u quarters of a turn, 0 <= u <= 1/2, by their series: the terms left out are below
 * 2^-60. */
static void sine_of_quarter(double u, double *sine, double *cosine)
{
    enum { TERMS = 10 };
    const double angle = u * 1.5707963267948966, square = angle * angle;
    double s = 0, c = 0;
    for (int k = TERMS; k > 0; k--) {
        const double step_s = square / (2 * k * (2 * k + 1)), step_c = square / (2 * k * (2 * k - 1));
        s = step_s * (1 - s);
        c = step_c * (1 - c);
    }
    *sine = angle * (1 - s);
    *cosine = 1 - c;
}

/* Sine and cosine of an angle of t turns, t >= 0. */
static void sine_of_turns(double t, double *sine, double *cosine)
{
    const double quarters = 4 * (t - floor(t)), whole = floor(quarters), u = quarters - whole;
    double s, c;
    if (u <= 0.5)
        sine_of_quarter(u, &s, &c);
    else
        sine_of_quarter(1 - u, &c, &s);
    const double sines[4] = {s, c, -s, -c}, cosines[4] = {c, -s, -c, s};
    *sine = sines[(int)whole] + 0.0; /* no negative zero */
    *cosine = cosines[(int)whole] + 0.0;
}

/* With 97 points, point i of a spiral has the angle i pi / 16 and the radius 6.5 (104 - i) / 104. Other
 * numbers of points are spread over the same curve. */
static void fill_spirals(const struct generator *generator, size_t row, double *out)
{
    const size_t points = generator->rows / 2;
    const double i = (double)(row / 2) * 96 / (double)(points - 1), radius = 6.5 * (104 - i) / 104;
    const double side = row % 2 ? -1 : 1;
    double sine, cosine;
    sine_of_turns(i / 32, &sine, &cosine);
    out[0] = side * (radius * sine) + 0.0;
    out[1] = side * (radius * cosine) + 0.0;
    out[2] = row % 2 == 0;
}

static void fill_random(const struct generator *generator, size_t row, double *out)
{
    for (size_t k = 0; k < generator->inputs; k++)
        out[k] = ldexp(word_of(generator, SHOAL_STREAM_DATASET_ROW, row, (uint32_t)(k / 4), k % 4), -32);
    out[generator->inputs] =
        below(word_of(generator, SHOAL_STREAM_DATASET_ROW, row, (uint32_t)LAST_DRAW, 0), generator->classes);
}

/* Returns the class that the teacher net gives to a row: the output with the largest sum; of equal sums, the
 * first. */
static size_t teach(const struct generator *generator, const double *bits)
{
    const size_t inputs = generator->inputs, hidden = generator->hidden;
    int32_t root = 1;
    size_t best = 0;
    int64_t greatest = INT64_MIN;
    while ((size_t)(root + 1) * (size_t)(root + 1) <= inputs)
        root++;
    const int32_t limit = root << NET_BITS;
    for (size_t i = 0; i < inputs; i++)
        generator->signs[i] = bits[i] > 0 ? 1 : -1;
    for (size_t j = 0; j < hidden; j++) {
        const int32_t *weights = generator->input_weights + j * inputs;
        int32_t sum = 0;
        for (size_t i = 0; i < inputs; i++)
            sum += weights[i] * generator->signs[i];
        generator->sums[j] = sum < -limit ? -limit : sum > limit ? limit : sum;
    }
    for (size_t k = 0; k < generator->classes; k++) {
        const int32_t *weights = generator->output_weights + k * hidden;
        int64_t sum = 0;
        for (size_t j = 0; j < hidden; j++)
            sum += (int64_t)weights[j] * generator->sums[j];
        if (sum > greatest) {
            greatest = sum;
            best = k;
        }
    }
    return best;
}

static void fill_teacher(const struct generator *generator, size_t row, double *out)
{
    const size_t classes = generator->classes;
    draw_bits(generator, row, out);
    size_t label = teach(generator, out);
    if (word_of(generator, SHOAL_STREAM_DATASET_WRONG, row, 0, 0) < generator->wrong)
        label = (label + 1 + below(word_of(generator, SHOAL_STREAM_DATASET_WRONG, row, 0, 1), classes - 1)) %
                classes;
    out[generator->inputs] = (double)label;
}

static void fill_row(const struct generator *generator, size_t row, double *out)
{
    switch (generator->kind) {
    case KIND_XOR:
        fill_parity(generator, row % 4, out);
        break;
    case KIND_PARITY:
        fill_parity(generator, row, out);
        break;
    case KIND_SPIRALS:
        fill_spirals(generator, row, out);
        break;
    case KIND_RANDOM:
        fill_random(generator, row, out);
        break;
    default:
        fill_teacher(generator, row, out);
    }
}

/* The teacher's net ---------------------------------------------------------------------------------------
 */

/* Draws out[units][count], the weights of layer `layer` (0 or 1) of the teacher net: odd numbers from -255 to
 * 255. */
static void draw_weights(const struct generator *generator, uint64_t layer, size_t units, size_t count,
                         int32_t *out)
{
    for (size_t to = 0; to < units; to++)
        for (size_t from = 0; from < count; from++) {
            const uint32_t word = word_of(generator, SHOAL_STREAM_DATASET_NET, layer << 32 | to,
                                          (uint32_t)(from / 4), from % 4);
            out[to * count + from] = 2 * (int32_t)(word >> (32 - NET_BITS)) - 255;
        }
}

static bool create_net(struct generator *generator)
{
    const size_t inputs = generator->inputs, hidden = generator->hidden, classes = generator->classes;
    generator->input_weights = malloc(hidden * inputs * sizeof(int32_t));
    generator->output_weights = malloc(classes * hidden * sizeof(int32_t));
    generator->signs = malloc(inputs * sizeof(int32_t));
    generator->sums = malloc(hidden * sizeof(int32_t));
    if (!generator->input_weights || !generator->output_weights || !generator->signs || !generator->sums)
        return false;
    draw_weights(generator, 0, hidden, inputs, generator->input_weights);
    draw_weights(generator, 1, classes, hidden, generator->output_weights);
    return true;
}

static void free_net(struct generator *generator)
{
    free(generator->input_weights);
    free(generator->output_weights);
    free(generator->signs);
    free(generator->sums);
}

/* Sizes ----------------------------------------------------------------------------------------------------
 */

static enum shoal_status resolve_size(const char *kind, const char *what, size_t given, size_t usual,
                                      size_t least, size_t *out, struct shoal_error *error)
{
    *out = given ? given : usual == SIZE_MAX ? 0 : usual;
    if (given && usual == SIZE_MAX)
        return fail(error, SHOAL_INVALID, "%s: %s has no such size", what, kind);
    if (given && (given < least || given > MOST_SIZE))
        return fail(error, SHOAL_INVALID, "%s: %zu is not between %zu and %d", what, given, least, MOST_SIZE);
    return SHOAL_OK;
}

/* The default number of classes. A data set of the kind `random` with few rows has fewer classes, so that
 * each class has rows to train on. */
static size_t usual_classes(int kind, size_t rows)
{
    enum { ROWS_OF_CLASS = 20 };
    const size_t most = kinds[kind].classes, wanted = rows / ROWS_OF_CLASS;
    if (kind != KIND_RANDOM || !rows || wanted > most)
        return most;
    return wanted < 2 ? 2 : wanted;
}

static enum shoal_status resolve_rows(const struct shoal_dataset_generator *given,
                                      struct generator *generator, struct shoal_error *error)
{
    generator->rows = given->rows ? given->rows : kinds[generator->kind].rows;
    generator->is_drawn = generator->kind == KIND_PARITY && given->rows;
    if (generator->kind == KIND_PARITY && !given->rows) {
        if (generator->inputs > MOST_PARITY)
            return fail(error, SHOAL_INVALID,
                        "rows: %zu bits have too many combinations; say how many rows to draw",
                        generator->inputs);
        generator->rows = (size_t)1 << generator->inputs;
    }
    if (generator->kind == KIND_SPIRALS && (generator->rows % 2 || generator->rows < 4))
        return fail(error, SHOAL_INVALID, "rows: two spirals take an even number from 4 on, not %zu",
                    generator->rows);
    return SHOAL_OK;
}

static enum shoal_status resolve(const struct shoal_dataset_generator *given, struct generator *generator,
                                 struct shoal_error *error)
{
    int kind = 0;
    while (kind < KINDS && !(given->kind && strcmp(given->kind, kinds[kind].name) == 0))
        kind++;
    if (kind == KINDS)
        return fail(error, SHOAL_INVALID,
                    "generate: '%.20s' is none of xor, parity, spirals, random, teacher",
                    given->kind ? given->kind : "");
    *generator = (struct generator){.kind = (enum kind)kind, .seed = given->seed};
    const char *name = kinds[kind].name;
    enum shoal_status status =
        resolve_size(name, "inputs", given->inputs, kinds[kind].inputs, 1, &generator->inputs, error);
    if (!status)
        status =
            resolve_size(name, "hidden", given->hidden, kinds[kind].hidden, 1, &generator->hidden, error);
    if (!status)
        status = resolve_size(name, "classes", given->classes, usual_classes(kind, given->rows), 2,
                              &generator->classes, error);
    if (!status && given->wrong != 0 && kind != KIND_TEACHER)
        status = fail(error, SHOAL_INVALID, "wrong: %s has no wrong labels", name);
    if (!status && !(given->wrong >= 0 && given->wrong <= 1))
        status = fail(error, SHOAL_INVALID, "wrong: %g is not between 0 and 1", given->wrong);
    if (status)
        return status;
    generator->wrong = (uint64_t)(given->wrong * 4294967296.0);
    if (kind == KIND_XOR || kind == KIND_SPIRALS)
        generator->inputs = 2;
    status = resolve_rows(given, generator, error);
    if (status)
        return status;
    /* Most columns take a byte for each row while rows are drawn. */
    return check_host_memory((double)generator->rows * ((double)generator->inputs + 1), "the data set",
                             "lower rows", error);
}

/* The data set ---------------------------------------------------------------------------------------------
 */

/* Names the columns: inputs x1, x2, ..., and the target `class`. */
static enum shoal_status declare(struct shoal_dataset *dataset, const struct generator *generator)
{
    const size_t target = generator->inputs;
    char name[32];
    enum shoal_status status = dataset_declare(dataset, target + 1);
    for (size_t c = 0; c < target && !status; c++) {
        const int length = snprintf(name, sizeof name, "x%zu", c + 1);
        status = dataset_name(dataset, c, (struct word){name, name + length});
    }
    if (!status)
        status = dataset_name(dataset, target, (struct word){&"class"[0], &"class"[5]});
    if (status || !generator->classes)
        return status;
    struct column *column = &dataset->columns[target];
    const int digits = snprintf(name, sizeof name, "%zu", generator->classes - 1);
    column->choice = CHOICE_CATEGORY;
    column->is_declared = true;
    status = dataset_use_categories(dataset, target);
    for (size_t k = 0; k < generator->classes && !status; k++) {
        const int length = snprintf(name, sizeof name, "c%0*zu", digits, k);
        if (categories_add(column->categories, (struct word){name, name + length}) == NO_CATEGORY)
            status = fail_host_memory(dataset->error);
    }
    return status;
}

static enum shoal_status add_rows(struct shoal_dataset *dataset, const struct generator *generator)
{
    enum shoal_status status = SHOAL_OK;
    double *row = malloc((generator->inputs + 1) * sizeof *row);
    if (!row)
        return fail_host_memory(dataset->error);
    for (size_t i = 0; i < generator->rows && !status; i++) {
        fill_row(generator, i, row);
        status = dataset_add_row(dataset, row);
    }
    free(row);
    return status;
}

static enum shoal_status create(const struct shoal_dataset_generator *given,
                                const struct generator *generator, struct shoal_dataset **out,
                                struct shoal_error *error)
{
    char name[200];
    int length = snprintf(name, sizeof name, "%s rows=%zu inputs=%zu", kinds[generator->kind].name,
                          generator->rows, generator->inputs);
    if (generator->kind == KIND_TEACHER)
        length += snprintf(name + length, sizeof name - (size_t)length, " hidden=%zu wrong=%g",
                           generator->hidden, given->wrong);
    if (generator->classes)
        length += snprintf(name + length, sizeof name - (size_t)length, " classes=%zu", generator->classes);
    if (generator->classes || generator->is_drawn)
        snprintf(name + length, sizeof name - (size_t)length, " seed=%llu",
                 (unsigned long long)generator->seed);
    return dataset_create(name, out, error);
}

enum shoal_status shoal_dataset_generate(const struct shoal_dataset_generator *generator,
                                         struct shoal_dataset **out, struct shoal_error *error)
{
    struct shoal_dataset_generator own;
    struct generator plan = {.rows = 0};
    error_reset(error);
    if (!NEED(error, generator, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(generator, shoal_dataset_generator_init, &own, error);
    if (status)
        return status;
    status = resolve(&own, &plan, error);
    if (!status)
        status = create(&own, &plan, out, error);
    if (status)
        return status;
    (*out)->info.format = "generated";
    status = declare(*out, &plan);
    if (!status) {
        (*out)->columns[plan.inputs].face.is_target = true;
        if (plan.kind == KIND_TEACHER && !create_net(&plan))
            status = fail_host_memory(error);
    }
    if (!status)
        status = add_rows(*out, &plan);
    if (!status)
        status = dataset_close(*out);
    free_net(&plan);
    if (status)
        shoal_dataset_destroy(out);
    return status;
}
