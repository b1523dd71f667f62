/* cos2pi and sin2pi of lib/trig.clh against long double: 2 ulp over all finite numbers, exact where the value
 * is a whole number. */
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char text[] = "#ifndef WG\n"
                           "#define WG 64\n"
                           "#endif\n"
                           "#include \"lib/trig.clh\"\n"
                           "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
                           "void trig(__global const real *xs, __global real *out, uint n)\n"
                           "{\n"
                           "    const uint i = (uint)get_global_id(0);\n"
                           "    if (i < n) {\n"
                           "        out[i] = cos2pi(xs[i]);\n"
                           "        out[n + i] = sin2pi(xs[i]);\n"
                           "        out[2u * n + i] = sin_pi_squared(xs[i]);\n"
                           "    }\n"
                           "}\n";

static const struct shoal_arg_desc trig_args[] = {
    {"xs", SHOAL_READ, "real", 0},
    {"out", SHOAL_READ_WRITE, "real", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_entry_desc entries[] = {{.name = "trig",
                                                   .args = trig_args,
                                                   .arg_count = COUNT(trig_args),
                                                   .work_group = "WG",
                                                   .help = "test of trig.clh"}};
static const struct shoal_define_desc defines[] = {
    {"WG", 64, 1, 1024, "work-items in a group"},
    {"REAL", 32, 32, 64, "bits of a real"},
};
static const struct shoal_program_desc trig_program = {.name = "test.trig",
                                                       .file = "trig.cl",
                                                       .defines = defines,
                                                       .define_count = COUNT(defines),
                                                       .entries = entries,
                                                       .entry_count = COUNT(entries)};

static const long double pi = 3.14159265358979323846264338327950288L;

/* Values at x, and their largest errors in ulp. The square of a value within 2 ulp is within 5. */
enum { FUNCTIONS = 3 };
static const double bounds[FUNCTIONS] = {2, 2, 5};

static void expect(long double x, long double out[FUNCTIONS])
{
    /* All differences are exact, or of numbers whose cosine is near 1. */
    const long double turn = x - rintl(x), part = fabsl(turn);
    const long double sine = part > 0.25L ? sinl(2 * pi * (0.5L - part)) : sinl(2 * pi * part),
                      half = sinl(pi * part);
    out[0] = part < 0.125L ? cosl(2 * pi * part) : sinl(2 * pi * (0.25L - part));
    out[1] = turn < 0 ? -sine : sine;
    out[2] = half * half;
}

static double ulps(long double got, long double wanted, int digits, int least_exponent)
{
    int exponent;
    frexpl(wanted, &exponent);
    if (exponent < least_exponent)
        exponent = least_exponent;
    return (double)(fabsl(got - wanted) / ldexpl(1, exponent - digits));
}

/* Points of either precision, as doubles. */
struct points {
    double *x;
    size_t count, room;
};

static void add(struct points *points, double x)
{
    if (points->count < points->room)
        points->x[points->count++] = x;
}

static double step_up(double x, bool is_float, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++)
        x = is_float ? (double)nextafterf((float)x, INFINITY) : nextafter(x, INFINITY);
    return x;
}

static double step_down(double x, bool is_float, unsigned steps)
{
    return -step_up(-x, is_float, steps);
}

/* Zeros, crests, the seams of the reduction and their neighbours, from small numbers to the last with a
 * fraction. */
static void add_seams(struct points *points, bool is_float)
{
    const double last = is_float ? 0x1p24 : 0x1p53;
    const unsigned around = harness.tiny ? 1 : 60;
    for (double size = 0.0625; size <= last; size *= harness.tiny ? 64 : 2)
        for (int eighth = 0; eighth < 17; eighth++) {
            const double exact = size + eighth * 0.0625, x = is_float ? (double)(float)exact : exact;
            for (unsigned steps = 0; steps <= around; steps++) {
                add(points, step_up(x, is_float, steps));
                add(points, -step_down(x, is_float, steps));
            }
        }
    const double ends[] = {0,
                           -0.0,
                           is_float ? (double)FLT_MAX : DBL_MAX,
                           is_float ? (double)FLT_MIN : DBL_MIN,
                           is_float ? 0x1p-149 : 0x1p-1074,
                           is_float ? 0x1p-30 : 0x1p-60};
    for (size_t i = 0; i < COUNT(ends); i++) {
        add(points, ends[i]);
        add(points, -ends[i]);
    }
}

/* Every 61st float up to 2^24, or doubles with random digits over the same range; fewer of both where shares
 * of cases are asked for. */
static void add_sweep(struct points *points, bool is_float)
{
    if (is_float) {
        for (uint32_t bits = 0x2f800000; bits < 0x4b800000;
             bits += harness.tiny ? 1000003 : 61 * harness.taken.of) {
            float x;
            memcpy(&x, &bits, sizeof x);
            add(points, (double)(bits & 1 ? x : -x));
        }
        return;
    }
    const size_t count = harness.tiny ? 200 : 1000000 / harness.taken.of;
    uint32_t *words = harness_memory(4 * count * sizeof *words);
    harness_words(words, 4 * count, 20);
    for (size_t i = 0; i < 2 * count; i++) {
        const double fraction = shoal_uniform_double(words[2 * i], words[2 * i + 1]);
        /* Half of them within a turn, the others anywhere. */
        add(points, i % 2 ? fraction - 0.5 : ldexp(fraction, (int)(i / 2 % 80) - 40));
    }
}

static struct points make_points(bool is_float)
{
    struct points points = {.room = harness.tiny ? 4000 : 8500000};
    points.x = harness_memory(points.room * sizeof *points.x);
    add_seams(&points, is_float);
    add_sweep(&points, is_float);
    assert_true(points.count < points.room);
    return points;
}

/* Results function by function, as doubles. */
static double *evaluate(const struct points *points, bool is_float)
{
    const size_t n = points->count, size = is_float ? sizeof(float) : sizeof(double);
    const struct shoal_define real = {"REAL", is_float ? 32 : 64};
    struct shoal_program_params params;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    float *narrow = harness_memory(FUNCTIONS * n * sizeof *narrow);
    double *out = harness_memory(FUNCTIONS * n * sizeof *out);
    shoal_program_params_init(&params);
    params.text = text;
    params.defines = &real;
    params.define_count = 1;
    for (size_t i = 0; i < n; i++)
        narrow[i] = (float)points->x[i];
    assert_ok(shoal_program_create(harness.device, &trig_program, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "trig", &kernel, &test_error));
    struct shoal_buffer *results = harness_buffer(FUNCTIONS * n * size);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(harness_upload(is_float ? (void *)narrow : points->x, n * size)),
        shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, n), args, COUNT(args), NULL,
                           &test_error));
    harness_read(results, is_float ? (void *)narrow : out, FUNCTIONS * n * size);
    for (size_t i = 0; is_float && i < FUNCTIONS * n; i++)
        out[i] = (double)narrow[i];
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    return out;
}

static void check(bool is_float)
{
    const struct points points = make_points(is_float);
    const double *out = evaluate(&points, is_float);
    const int digits = is_float ? FLT_MANT_DIG : DBL_MANT_DIG, least = is_float ? FLT_MIN_EXP : DBL_MIN_EXP;
    double worst[FUNCTIONS] = {0};
    for (size_t i = 0; i < points.count; i++) {
        long double wanted[FUNCTIONS];
        expect((long double)points.x[i], wanted);
        for (size_t f = 0; f < FUNCTIONS; f++) {
            const double got = out[f * points.count + i],
                         error = ulps((long double)got, wanted[f], digits, least);
            worst[f] = fmax(worst[f], error);
            if (!(error <= bounds[f]) || fabs(got) > 1)
                fail_msg("function %zu of %a is %a, %g ulp off", f, points.x[i], got, error);
            const bool whole = fabsl(wanted[f]) == 0 || fabsl(wanted[f]) == 1;
            if (whole && (long double)got != wanted[f] && points.x[i] * 4 == rint(points.x[i] * 4))
                fail_msg("function %zu of %a is %a, not %Lg", f, points.x[i], got, wanted[f]);
        }
    }
    print_message("fp%d, %zu points: cos2pi %.2f, sin2pi %.2f, sin_pi_squared %.2f ulp\n", is_float ? 32 : 64,
                  points.count, worst[0], worst[1], worst[2]);
    harness_release();
}

static void single_precision_is_within_two_ulp(void **state)
{
    (void)state;
    check(true);
}

static void double_precision_is_within_two_ulp(void **state)
{
    (void)state;
    if (harness_has_fp64())
        check(false);
}

static void no_number_gives_nan(void **state)
{
    (void)state;
    double x[] = {INFINITY, -INFINITY, NAN};
    const struct points points = {.x = x, .count = COUNT(x)};
    for (int is_float = 1; is_float >= !harness_has_fp64(); is_float--) {
        const double *out = evaluate(&points, is_float);
        for (size_t i = 0; i < FUNCTIONS * COUNT(x); i++)
            assert_true(isnan(out[i]));
        harness_release();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision_is_within_two_ulp),
        by_turn(double_precision_is_within_two_ulp),
        cmocka_unit_test(no_number_gives_nan),
    };
    return harness_main("trig", tests, COUNT(tests));
}
