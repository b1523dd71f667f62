/* Functions of lib/power.clh against double precision, within the errors that the file states. */
#include "harness.h"

#include <math.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char text[] = "#ifndef WG\n"
                           "#define WG 64\n"
                           "#endif\n"
                           "#include \"lib/power.clh\"\n"
                           "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
                           "void power(__global const float *xs, __global float *out, uint n)\n"
                           "{\n"
                           "    const uint i = (uint)get_global_id(0);\n"
                           "    if (i < n) {\n"
                           "        out[i] = fast_log2(xs[i]);\n"
                           "        out[n + i] = fast_exp2(xs[n + i]);\n"
                           "        out[2 * n + i] = as_float(fast_round(xs[2 * n + i]));\n"
                           "    }\n"
                           "}\n";

static const struct shoal_arg_desc power_args[] = {
    {"xs", SHOAL_READ, "float", 0},
    {"out", SHOAL_READ_WRITE, "float", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_entry_desc entries[] = {{.name = "power",
                                                   .args = power_args,
                                                   .arg_count = COUNT(power_args),
                                                   .work_group = "WG",
                                                   .help = "test of power.clh"}};
static const struct shoal_define_desc defines[] = {{"WG", 64, 1, 1024, "work-items in a group"}};
static const struct shoal_program_desc power_program = {.name = "test.power",
                                                        .file = "power.cl",
                                                        .defines = defines,
                                                        .define_count = COUNT(defines),
                                                        .entries = entries,
                                                        .entry_count = COUNT(entries)};

/* xs: n positive normal numbers, n exponents, n numbers to round; results of the last are bits of integers.
 */
static const float *evaluate(const float *xs, size_t n)
{
    struct shoal_program_params params;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    float *out = harness_memory(3 * n * sizeof *out);
    shoal_program_params_init(&params);
    params.text = text;
    assert_ok(shoal_program_create(harness.device, &power_program, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "power", &kernel, &test_error));
    struct shoal_buffer *results = harness_buffer(3 * n * sizeof *out);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(xs, 3 * n * sizeof *xs)),
                                     shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, n), args, COUNT(args), NULL,
                           &test_error));
    harness_read(results, out, 3 * n * sizeof *out);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    return out;
}

static void errors_are_as_stated(void **state)
{
    (void)state;
    const size_t n = harness.tiny ? 200 : 400000;
    float *xs = harness_memory(3 * n * sizeof *xs);
    for (size_t i = 0; i < n; i++) {
        /* Positive normal numbers, half of them near 1; exponents of normal numbers. */
        const uint32_t bits = i % 2 ? (uint32_t)(0x800000 + i * (0x1.FCp30 / (double)n))
                                    : (uint32_t)(0x3f000000 + i * (0x1p24 / (double)n));
        memcpy(&xs[i], &bits, sizeof bits);
        xs[n + i] = (float)(-126 + 253 * (double)i / (double)n);
        /* multiples of a power of two, from halves and quarters up to the largest integers */
        xs[2 * n + i] = ldexpf((float)((i * 2654435761u) % 0x1000000u), (int)(i % 10) - 3) * (i % 3 ? 1 : -1);
    }
    const float *out = evaluate(xs, n);
    for (size_t i = 0; i < n; i++) {
        const double wanted = log2((double)xs[i]), power = exp2((double)xs[n + i]);
        if (!(fabs((double)out[i] - wanted) <= fmax(1.2e-7, 1.2e-7 * fabs(wanted))))
            fail_msg("fast_log2 of %a is %a, not %a", (double)xs[i], (double)out[i], wanted);
        if (!(fabs((double)out[n + i] / power - 1) <= 3e-7))
            fail_msg("fast_exp2 of %a is %a, not %a", (double)xs[n + i], (double)out[n + i], power);
        int32_t rounded;
        memcpy(&rounded, &out[2 * n + i], sizeof rounded);
        if (rounded != lrintf(xs[2 * n + i]))
            fail_msg("fast_round of %a is %d, not %ld", (double)xs[2 * n + i], (int)rounded,
                     lrintf(xs[2 * n + i]));
    }
    harness_release();
}

static void ends_of_ranges_and_halves(void **state)
{
    (void)state;
    const float xs[] = {1, 8, 0.5F, -200, -INFINITY, 200, 0.5F, -1.5F, 2.5F};
    const float *out = evaluate(xs, 3);
    assert_true(out[0] == 0 && out[1] == 3 && out[2] == -1);
    assert_true(out[3] == 0x1p-126F && out[4] == 0x1p-126F && out[5] == 0x1p127F);
    int32_t rounded[3];
    memcpy(rounded, &out[6], sizeof rounded);
    assert_true(rounded[0] == 0 && rounded[1] == -2 && rounded[2] == 2);
    harness_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_as_stated),
                                       by_turn(ends_of_ranges_and_halves)};
    return harness_main("power", tests, COUNT(tests));
}
