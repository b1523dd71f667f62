/* Matrix products against sums in double precision. */
#include "harness.h"
#include "mlp/methods/gemm.h"

#include <float.h>
#include <string.h>

struct size {
    uint32_t m, n, k, parts;
};

/* Tails in every direction, one number, thin and flat shapes, several tiles, slices and parts. */
static const struct size sizes[] = {
    {1, 1, 1, 1},     {5, 3, 7, 1},    {33, 31, 17, 1},   {64, 64, 16, 1}, {67, 130, 45, 1},
    {1, 129, 300, 3}, {130, 1, 65, 1}, {200, 70, 513, 4}, {31, 40, 16, 3}, {260, 300, 40, 1},
};
enum { LARGEST = 520, PARTS = 4, GUARD = 8 };

struct form {
    bool is_double, transposed_a, transposed_b, is_aligned;
    enum mlp_gemm_text text;
};

struct operand {
    double *exact;
    struct mlp_matrix matrix;
};

static uint32_t pitch_of(const struct form *form, uint32_t columns)
{
    return form->is_aligned ? (columns + 3) / 4 * 4 + 4 : columns + 3;
}

/* Random numbers behind a few that are NaN, as is all that pads the rows: what a product may not read shows.
 */
static struct operand make(const struct form *form, uint32_t rows, uint32_t columns, uint32_t stream)
{
    const uint32_t pitch = pitch_of(form, columns);
    const size_t count = GUARD + (size_t)rows * pitch;
    struct operand operand = {harness_memory(count * 8), {NULL, GUARD, pitch}};
    float *narrow = harness_memory(count * 4);
    uint32_t *words = harness_memory(count * 4);
    harness_words(words, count, stream);
    for (size_t i = 0; i < count; i++) {
        const bool is_inside = i >= GUARD && (i - GUARD) % pitch < columns;
        const float value = shoal_uniform_float(words[i]) - 0.5f;
        narrow[i] = is_inside ? value : NAN;
        operand.exact[i] = (double)narrow[i];
    }
    operand.matrix.buffer =
        form->is_double ? harness_upload(operand.exact, count * 8) : harness_upload(narrow, count * 4);
    return operand;
}

static double number(const struct operand *operand, bool is_transposed, uint32_t row, uint32_t column)
{
    const size_t r = is_transposed ? column : row, c = is_transposed ? row : column;
    return operand->exact[operand->matrix.place + r * operand->matrix.pitch + c];
}

static double result(const void *numbers, const struct form *form, size_t index)
{
    return form->is_double ? ((const double *)numbers)[index] : (double)((const float *)numbers)[index];
}

static void check_size(struct mlp_gemm *gemm, const struct form *form, const struct size *size)
{
    const bool ta = form->transposed_a, tb = form->transposed_b;
    const struct operand a = make(form, ta ? size->k : size->m, ta ? size->m : size->k, 1),
                         b = make(form, tb ? size->n : size->k, tb ? size->k : size->n, 2);
    const uint32_t pitch = pitch_of(form, size->n), padded = (size->n + 3) / 4 * 4;
    const size_t bytes = form->is_double ? 8 : 4, count = GUARD + (size_t)size->m * pitch + GUARD;
    const struct mlp_matrix c = {harness_buffer(count * bytes), GUARD, pitch};
    const struct mlp_gemm_args args = {a.matrix, b.matrix, c, size->m, size->n, size->k, size->parts};
    unsigned char *got = harness_memory(count * bytes), *again = harness_memory(count * bytes);
    assert_ok(mlp_gemm_run(gemm, harness.queue, &args, &test_error));
    harness_read(c.buffer, got, count * bytes);
    const double epsilon = form->is_double ? DBL_EPSILON : (double)FLT_EPSILON;
    for (size_t i = 0; i < count; i++) {
        const size_t row = i < GUARD ? size->m : (i - GUARD) / pitch,
                     column = i < GUARD ? 0 : (i - GUARD) % pitch;
        if (row < size->m && column < size->n) {
            double sum = 0, magnitude = 0;
            for (uint32_t k = 0; k < size->k; k++) {
                const double term = number(&a, ta, (uint32_t)row, k) * number(&b, tb, k, (uint32_t)column);
                sum += term;
                magnitude += fabs(term);
            }
            /* Rounding errors of a sum in any order grow like its length at most; they do like its root. */
            const double tolerance = 2 * sqrt(size->k + 1.0) * epsilon * magnitude;
            const double value = result(got, form, i);
            if (!(fabs(value - sum) <= tolerance))
                fail_msg("%u x %u x %u, row %zu, column %zu: %.17g, not %.17g", (unsigned)size->m,
                         (unsigned)size->n, (unsigned)size->k, row, column, value, sum);
        } else if (row >= size->m || column >= (form->is_aligned ? padded : size->n)) {
            for (size_t byte = 0; byte < bytes; byte++)
                assert_int_equal(got[i * bytes + byte], 0xA5);
        }
    }
    assert_ok(mlp_gemm_run(gemm, harness.queue, &args, &test_error));
    harness_read(c.buffer, again, count * bytes);
    for (uint32_t row = 0; row < size->m; row++)
        assert_memory_equal(got + (GUARD + (size_t)row * pitch) * bytes,
                            again + (GUARD + (size_t)row * pitch) * bytes, size->n * bytes);
    harness_release();
}

static void check_form(const struct form *form)
{
    if (!harness_takes_case())
        return;
    const struct mlp_gemm_setup setup = {.device = harness.device,
                                         .variant = harness.variant,
                                         .is_double = form->is_double,
                                         .transposed_a = form->transposed_a,
                                         .transposed_b = form->transposed_b,
                                         .is_aligned = form->is_aligned,
                                         .m = LARGEST,
                                         .n = LARGEST,
                                         .k = LARGEST,
                                         .max_parts = PARTS,
                                         .text = form->text};
    struct mlp_gemm *gemm = NULL;
    assert_ok(mlp_gemm_create(&setup, &gemm, &test_error));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!harness.tiny || sizes[i].m * sizes[i].n * sizes[i].k < 20000)
            check_size(gemm, form, &sizes[i]);
    mlp_gemm_destroy(&gemm);
}

static void use_tile(const char *name, int64_t value)
{
    assert_ok(shoal_tuning_try(harness.device, "mlp.gemm", name, &value, &test_error));
}

/* The tiled text: small tiles where a simulator or a compiler for CPUs has to go through them. */
static void tiles(void **state)
{
    (void)state;
    if (harness.info->is_cpu || harness.tiny) {
        use_tile("WG", harness.info->max_work_group < 16 ? harness.info->max_work_group : 16);
        use_tile("BM", 32);
        use_tile("BN", 32);
        use_tile("BK", 8);
    }
    for (int form = 0; form < 16; form++) {
        const bool is_double = form & 8;
        if (!is_double || harness_has_fp64())
            check_form(&(struct form){is_double, form & 1, form & 2, form & 4, MLP_GEMM_TILED});
    }
}

/* The layout of a tile of 256 work-items, as GPUs have it: exchanged quads, 4 x 8 neighbours. */
static void large_groups(void **state)
{
    (void)state;
    if (harness.tiny || harness.info->max_work_group < 256)
        skip();
    use_tile("WG", 256);
    use_tile("BM", 64);
    use_tile("BN", 128);
    for (int slice = 8; slice <= 32; slice *= 2) {
        use_tile("BK", slice);
        check_form(&(struct form){false, false, true, true, MLP_GEMM_TILED});
    }
    /* Columns that are no multiple of 64: 8 work-items beside each other. */
    use_tile("BM", 128);
    use_tile("BN", 160);
    use_tile("BK", 8);
    check_form(&(struct form){false, false, true, true, MLP_GEMM_TILED});
}

static void serial(void **state)
{
    (void)state;
    for (int form = 0; form < 8; form++) {
        const bool is_double = form & 4;
        if (!is_double || harness_has_fp64())
            check_form(&(struct form){is_double, form & 1, form & 2, false, MLP_GEMM_SERIAL});
    }
}

/* The text, the tile and the vectors that the library takes for the device. */
static void by_device(void **state)
{
    (void)state;
    if (!harness.tiny)
        check_form(&(struct form){false, false, true, true, MLP_GEMM_AUTO});
}

/* The CPUs' text without vectors of OpenCL C. */
static void narrow(void **state)
{
    (void)state;
    const int64_t off = 0, columns = 16;
    assert_ok(shoal_tuning_try(harness.device, "mlp.gemm-serial", "WIDE", &off, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "mlp.gemm-serial", "NR", &columns, &test_error));
    check_form(&(struct form){false, false, true, false, MLP_GEMM_SERIAL});
    assert_ok(shoal_tuning_try(harness.device, "mlp.gemm-serial", "WIDE", NULL, &test_error));
    assert_ok(shoal_tuning_try(harness.device, "mlp.gemm-serial", "NR", NULL, &test_error));
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct mlp_gemm_setup setup = {
        .device = harness.device, .variant = harness.variant, .is_aligned = true, .m = 8, .n = 8, .k = 0};
    struct mlp_gemm *gemm = NULL;
    assert_status(mlp_gemm_create(&setup, &gemm, &test_error), SHOAL_INVALID);
    assert_null(gemm);
    setup.k = 8;
    assert_ok(mlp_gemm_create(&setup, &gemm, &test_error));
    struct shoal_buffer *a = harness_buffer(64 * 4), *b = harness_buffer(64 * 4), *c = harness_buffer(64 * 4);
    const struct mlp_gemm_args good = {{a, 0, 8}, {b, 0, 8}, {c, 0, 8}, 8, 8, 8, 1};
    struct mlp_gemm_args args[8];
    for (size_t i = 0; i < 8; i++)
        args[i] = good;
    args[0].m = 9;
    args[1].k = 0;
    args[2].parts = 2;
    args[3].a.pitch = 9;
    args[4].b.place = 2;
    args[5].b.place = 4;
    args[6].c.buffer = a;
    args[7].a.buffer = NULL;
    for (size_t i = 0; i < 8; i++)
        assert_status(mlp_gemm_run(gemm, harness.queue, &args[i], &test_error), SHOAL_INVALID);
    mlp_gemm_destroy(&gemm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_device), cmocka_unit_test(serial),       cmocka_unit_test(narrow),
        cmocka_unit_test(tiles),     cmocka_unit_test(large_groups), cmocka_unit_test(wrong_arguments),
    };
    return harness_main("gemm", tests, sizeof tests / sizeof *tests);
}
