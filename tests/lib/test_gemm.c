/* Matrix products against sums in double precision. */
#include "harness.h"

#include <float.h>
#include <string.h>

struct size {
    size_t m, n, k;
};

/* Tails in every direction, one number, thin and flat shapes, several tiles, slices and parts, no terms. */
static const struct size sizes[] = {
    {1, 1, 1}, {5, 3, 7},      {33, 31, 17}, {64, 64, 16},   {67, 130, 45}, {1, 129, 300}, {130, 1, 65},
    {7, 9, 0}, {200, 70, 513}, {31, 40, 16}, {129, 33, 129}, {32, 36, 64},  {33, 30, 700}, {260, 300, 40},
};
enum { LARGEST = 700, GUARD = 8, SCALARS = 6 };

/* What a run multiplies by; without a factor, what it belongs to holds NaN and must not be read. */
static const struct scalars {
    double alpha, beta;
    bool has_bias;
} scalars[SCALARS] = {{1, 0, false},   {1, 1, true},    {0, 1, false},
                      {-0.5, 0, true}, {2, -1.5, true}, {0, 0, true}};

struct form {
    bool is_double, transposed_a, transposed_b;
    enum shoal_gemm_method method;
    enum shoal_gemm_activation activation;
};

/* A matrix in a buffer, behind a few numbers that are NaN, as are those between its rows. */
struct operand {
    double *exact;
    struct shoal_buffer *buffer;
    size_t offset, ld, count;
};

static struct operand make(const struct form *form, const struct size *lies, bool is_aligned, bool is_nan,
                           uint32_t stream)
{
    const size_t ld = is_aligned ? (lies->n + 3) / 4 * 4 + 4 : lies->n + 3, offset = is_aligned ? GUARD : 5;
    const size_t count = offset + lies->m * ld + GUARD;
    struct operand operand = {harness_memory(count * 8), NULL, offset, ld, count};
    float *narrow = harness_memory(count * 4);
    uint32_t *words = harness_memory(count * 4);
    harness_words(words, count, stream);
    for (size_t i = 0; i < count; i++) {
        const bool is_inside = i >= offset && i < offset + lies->m * ld && (i - offset) % ld < lies->n;
        narrow[i] = is_inside && !is_nan ? shoal_uniform_float(words[i]) - 0.5f : NAN;
        operand.exact[i] = (double)narrow[i];
    }
    operand.buffer =
        form->is_double ? harness_upload(operand.exact, count * 8) : harness_upload(narrow, count * 4);
    return operand;
}

static double number(const struct operand *operand, bool is_transposed, size_t row, size_t column)
{
    const size_t r = is_transposed ? column : row, c = is_transposed ? row : column;
    return operand->exact[operand->offset + r * operand->ld + c];
}

static double activated(enum shoal_gemm_activation activation, double v)
{
    switch (activation) {
    case SHOAL_GEMM_LOGISTIC:
        return 1 / (1 + exp(-v));
    case SHOAL_GEMM_TANH:
        return tanh(v);
    case SHOAL_GEMM_RELU:
        return fmax(v, 0);
    case SHOAL_GEMM_LEAKY_RELU:
        return v > 0 ? v : 0.25 * v;
    case SHOAL_GEMM_GELU:
        return v * (1 + erf(v / sqrt(2))) / 2;
    case SHOAL_GEMM_GELU_TANH:
        return v * (1 + tanh(sqrt(2 / acos(-1)) * (v + 0.044715 * v * v * v))) / 2;
    case SHOAL_GEMM_SILU:
        return v / (1 + exp(-v));
    case SHOAL_GEMM_LINEAR:
        break;
    }
    return v;
}

/* One product: its operands, and C before it. */
struct product {
    const struct form *form;
    struct size size;
    struct scalars scalars;
    struct operand a, b, c, bias;
};

static struct product make_product(const struct form *form, const struct size *size,
                                   const struct scalars *with, bool is_aligned)
{
    const bool ta = form->transposed_a, tb = form->transposed_b, has_terms = with->alpha != 0;
    const struct size a = {ta ? size->k : size->m, ta ? size->m : size->k, 0},
                      b = {tb ? size->n : size->k, tb ? size->k : size->n, 0}, bias = {1, size->n, 0};
    return (struct product){.form = form,
                            .size = *size,
                            .scalars = *with,
                            .a = make(form, &a, is_aligned, !has_terms, 1),
                            .b = make(form, &b, is_aligned, !has_terms, 2),
                            .c = make(form, size, is_aligned, with->beta == 0, 3),
                            .bias = make(form, &bias, is_aligned, false, 4)};
}

/* Element (row, column) of the result, and by how much rounding may move it. */
static double expected(const struct product *product, size_t row, size_t column, double *tolerance)
{
    const struct form *form = product->form;
    const double epsilon = form->is_double ? DBL_EPSILON : (double)FLT_EPSILON;
    double sum = 0, magnitude = 0, rest = 0;
    for (size_t k = 0; k < product->size.k && product->scalars.alpha != 0; k++) {
        const double term = product->scalars.alpha * number(&product->a, form->transposed_a, row, k) *
                            number(&product->b, form->transposed_b, k, column);
        sum += term;
        magnitude += fabs(term);
    }
    if (product->scalars.beta != 0)
        rest += product->scalars.beta * number(&product->c, false, row, column);
    if (product->scalars.has_bias)
        rest += number(&product->bias, false, 0, column);
    /* Rounding errors of a sum in any order grow like its length at most; they do like its root. What is
     * added then is below 2 each time. */
    *tolerance = epsilon * (2 * sqrt((double)product->size.k + 1) * magnitude + 4);
    /* The slope of an activation is 1.13 at most, its own errors in OpenCL C up to 16 units in the last place
     * of numbers that are below 2 where they matter. */
    if (form->activation != SHOAL_GEMM_LINEAR)
        *tolerance = 1.13 * *tolerance + 32 * epsilon * (1 + fabs(sum + rest));
    return activated(form->activation, sum + rest);
}

static void run(struct shoal_gemm *gemm, const struct product *product)
{
    const struct size *size = &product->size;
    const struct shoal_gemm_args args =
        SHOAL_GEMM_ARGS(.a = product->a.buffer, .b = product->b.buffer, .c = product->c.buffer,
                        .a_offset = product->a.offset, .b_offset = product->b.offset,
                        .c_offset = product->c.offset, .lda = product->a.ld, .ldb = product->b.ld,
                        .ldc = product->c.ld, .m = size->m, .n = size->n, .k = size->k,
                        .alpha = product->scalars.alpha, .beta = product->scalars.beta,
                        .bias = product->scalars.has_bias ? product->bias.buffer : NULL,
                        .bias_offset = product->bias.offset);
    assert_ok(shoal_gemm_run(gemm, harness.queue, &args, &test_error));
}

static double number_at(const void *numbers, bool is_double, size_t index)
{
    return is_double ? ((const double *)numbers)[index] : (double)((const float *)numbers)[index];
}

/* The elements of C; all else in its buffer is NaN, as before. */
static void check_result(const struct product *product, const void *got)
{
    const struct size *size = &product->size;
    const struct operand *c = &product->c;
    for (size_t i = 0; i < c->count; i++) {
        const size_t row = i < c->offset ? size->m : (i - c->offset) / c->ld,
                     column = i < c->offset ? 0 : (i - c->offset) % c->ld;
        const double value = number_at(got, product->form->is_double, i);
        double tolerance;
        if (row >= size->m || column >= size->n) {
            if (!isnan(value))
                fail_msg("%zu x %zu x %zu: %.17g at %zu, outside C", size->m, size->n, size->k, value, i);
            continue;
        }
        const double wanted = expected(product, row, column, &tolerance);
        if (!(fabs(value - wanted) <= tolerance))
            fail_msg("%zu x %zu x %zu, alpha %g, beta %g, row %zu, column %zu: %.17g, not %.17g", size->m,
                     size->n, size->k, product->scalars.alpha, product->scalars.beta, row, column, value,
                     wanted);
    }
}

static void check_size(struct shoal_gemm *gemm, const struct form *form, const struct size *size,
                       const struct scalars *with, bool is_aligned)
{
    struct product product = make_product(form, size, with, is_aligned);
    const size_t bytes = product.c.count * (form->is_double ? 8 : 4);
    void *got = harness_memory(bytes), *again = harness_memory(bytes);
    run(gemm, &product);
    harness_read(product.c.buffer, got, bytes);
    check_result(&product, got);
    if (!harness.tiny) { /* a simulator has the same bits again, and takes as long again */
        product = make_product(form, size, with, is_aligned);
        run(gemm, &product);
        harness_read(product.c.buffer, again, bytes);
        assert_memory_equal(got, again, bytes);
    }
    harness_release();
}

static void check_form(const struct form *form)
{
    if (!harness_takes_case())
        return;
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = LARGEST, .max_n = LARGEST, .max_k = LARGEST,
                          .real = form->is_double ? SHOAL_TYPE_DOUBLE : SHOAL_TYPE_FLOAT,
                          .transposed_a = form->transposed_a, .transposed_b = form->transposed_b,
                          .activation = form->activation, .slope = 0.25, .method = form->method,
                          .variant = harness.variant);
    struct shoal_gemm *gemm = NULL;
    assert_ok(shoal_gemm_create(harness.device, &params, &gemm, &test_error));
    /* A simulator: each small size once, by turns with and without gaps that are whole vectors. */
    const size_t turn = harness.cases;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < 4; k++)
            if (!harness.tiny || (k == (i + turn) % 2 && sizes[i].m * sizes[i].n * sizes[i].k < 20000))
                check_size(gemm, form, &sizes[i], &scalars[(i + k) % SCALARS], k % 2);
    shoal_gemm_destroy(&gemm);
}

static void check_method(enum shoal_gemm_method method)
{
    for (int form = 0; form < 8; form++) {
        const bool is_double = form & 4;
        if (!is_double || harness_has_fp64())
            check_form(&(struct form){is_double, form & 1, form & 2, method, SHOAL_GEMM_LINEAR});
    }
}

static void use(const char *program, const char *name, const int64_t *value)
{
    assert_ok(shoal_tuning_try(harness.device, program, name, value, &test_error));
}

static void tiled(void **state)
{
    (void)state;
    check_method(SHOAL_GEMM_TILED);
}

static void serial(void **state)
{
    (void)state;
    check_method(SHOAL_GEMM_SERIAL);
}

/* The method, the tile and the vectors that the library takes for the device. */
static void by_device(void **state)
{
    (void)state;
    check_form(&(struct form){false, false, true, SHOAL_GEMM_AUTO, SHOAL_GEMM_LINEAR});
}

static void activations(void **state)
{
    (void)state;
    for (int method = SHOAL_GEMM_TILED; method <= SHOAL_GEMM_SERIAL; method++)
        for (int activation = SHOAL_GEMM_LOGISTIC; activation <= SHOAL_GEMM_SILU; activation++)
            check_form(&(struct form){false, false, false, (enum shoal_gemm_method)method,
                                      (enum shoal_gemm_activation)activation});
}

/* The tiles of GPUs, 3 digits each for rows, columns and terms of a slice: exchanged quads, grids of 16 and 8
 * columns. */
static void tiles(void **state)
{
    (void)state;
    static const int64_t numbers[] = {64064016,  256160008, 128128016, 32032032,
                                      128064016, 128128008, 256128008, 256128016};
    if (harness.tiny || harness.info->max_work_group < 256)
        skip();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        use("lib.gemm", "TILE", &numbers[i]);
        check_form(&(struct form){false, false, true, SHOAL_GEMM_TILED, SHOAL_GEMM_LINEAR});
        use("lib.gemm", "TILE", NULL);
    }
}

/* The kernels for CPUs without vectors of OpenCL C. */
static void narrow(void **state)
{
    (void)state;
    const int64_t off = 0, columns = 16;
    use("lib.gemm-serial", "WIDE", &off);
    use("lib.gemm-serial", "NR", &columns);
    check_form(&(struct form){false, false, true, SHOAL_GEMM_SERIAL, SHOAL_GEMM_LINEAR});
    use("lib.gemm-serial", "WIDE", NULL);
    use("lib.gemm-serial", "NR", NULL);
}

/* Rows without a gap, which leading dimensions of 0 stand for, and blocks of one matrix. */
static void defaults(void **state)
{
    (void)state;
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = 3, .max_n = 2, .max_k = 2, .variant = harness.variant);
    const float numbers[] = {1, 2, 3, 4, 5, 6, 1, 10, 100, 1000, 0, 0, 0, 0, 0, 0};
    static const float wanted[] = {201, 2010, 403, 4030, 605, 6050};
    float got[16];
    struct shoal_gemm *gemm = NULL;
    assert_ok(shoal_gemm_create(harness.device, &params, &gemm, &test_error));
    struct shoal_buffer *all = harness_upload(numbers, sizeof numbers);
    const struct shoal_gemm_args args =
        SHOAL_GEMM_ARGS(.a = all, .b = all, .c = all, .b_offset = 6, .c_offset = 10, .m = 3, .n = 2, .k = 2);
    assert_ok(shoal_gemm_run(gemm, harness.queue, &args, &test_error));
    harness_read(all, got, sizeof got);
    assert_memory_equal(got, numbers, 10 * sizeof *got);
    assert_memory_equal(got + 10, wanted, sizeof wanted);
    shoal_gemm_destroy(&gemm);
}

static void wrong_params(void **state)
{
    (void)state;
    struct shoal_gemm_params params[9];
    for (size_t i = 0; i < 9; i++)
        params[i] = SHOAL_GEMM_PARAMS(.max_m = 8, .max_n = 8, .max_k = 8);
    params[0].max_m = 0;
    params[1].max_k = SHOAL_GEMM_MAX + 1;
    params[2].real = SHOAL_TYPE_UINT;
    params[3].activation = (enum shoal_gemm_activation)(SHOAL_GEMM_SILU + 1);
    params[4].method = (enum shoal_gemm_method)(SHOAL_GEMM_SERIAL + 1);
    params[5].slope = INFINITY;
    params[6].activation = (enum shoal_gemm_activation) - 1;
    params[7].size = 0;
    params[8].max_n = SIZE_MAX;
    struct shoal_gemm *gemm = NULL;
    for (size_t i = 0; i < 9; i++) {
        assert_status(shoal_gemm_create(harness.device, &params[i], &gemm, &test_error), SHOAL_INVALID);
        assert_null(gemm);
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    enum { WRONG = 15 };
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = 8, .max_n = 8, .max_k = 8, .variant = harness.variant);
    struct shoal_gemm *gemm = NULL;
    assert_ok(shoal_gemm_create(harness.device, &params, &gemm, &test_error));
    struct shoal_buffer *a = harness_buffer(64 * 4), *b = harness_buffer(64 * 4), *c = harness_buffer(64 * 4);
    const struct shoal_gemm_args good = SHOAL_GEMM_ARGS(.a = a, .b = b, .c = c, .m = 8, .n = 8, .k = 8);
    assert_ok(shoal_gemm_run(gemm, harness.queue, &good, &test_error));
    struct shoal_gemm_args args[WRONG];
    for (size_t i = 0; i < WRONG; i++)
        args[i] = good;
    args[0].m = 9;
    args[1].n = SIZE_MAX;
    args[2].k = 9;
    args[3].lda = 9;
    args[4].ldb = 7;
    args[5].ldc = SHOAL_GEMM_MAX + 1;
    args[6].b_offset = 1;
    args[7].c_offset = SIZE_MAX;
    args[8].c = a;
    args[9].a = NULL;
    args[10].alpha = NAN;
    args[11].beta = INFINITY;
    args[12].bias = c;
    args[13].bias = b;
    args[13].bias_offset = 57;
    args[14].alpha = 1e39; /* no number of single precision */
    for (size_t i = 0; i < WRONG; i++)
        assert_status(shoal_gemm_run(gemm, harness.queue, &args[i], &test_error), SHOAL_INVALID);
    struct shoal_gemm_args nothing = good;
    nothing.m = 0;
    assert_ok(shoal_gemm_run(gemm, harness.queue, &nothing, &test_error));
    assert_non_null(shoal_gemm_program(gemm, 0));
    assert_null(shoal_gemm_program(gemm, 2));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    shoal_gemm_destroy(&gemm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_device),   cmocka_unit_test(serial),       by_turn(tiled),
        cmocka_unit_test(activations), cmocka_unit_test(tiles),        cmocka_unit_test(narrow),
        cmocka_unit_test(defaults),    cmocka_unit_test(wrong_params), cmocka_unit_test(wrong_arguments),
    };
    return harness_main("gemm", tests, sizeof tests / sizeof *tests);
}
