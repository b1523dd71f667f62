/* Every builtin of the kernel dialect against the host, on every device: dialect.cl says what is computed. */
#include "dialect_device.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RESULTS = 40 };

int real_bits;

static char *text;

struct shoal_program *build(const struct shoal_program_desc *desc, int bits)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    const struct shoal_define real = {"REAL", bits};
    params.text = text;
    params.defines = &real;
    params.define_count = 1;
    struct shoal_program *program = NULL;
    assert_ok(shoal_program_create(harness.device, desc, &params, &program, &test_error));
    real_bits = bits;
    return program;
}

void launch(struct shoal_program *program, const char *entry, size_t groups, const struct shoal_arg *args,
            size_t count)
{
    struct shoal_kernel *kernel = NULL;
    assert_ok(shoal_kernel_create(program, entry, &kernel, &test_error));
    if (groups == 0) /* enough for the last argument, n */
        groups = shoal_kernel_groups(kernel, args[count - 1].value.u32);
    assert_ok(shoal_launch(harness.queue, kernel, groups, args, count, NULL, &test_error));
    shoal_kernel_destroy(&kernel);
}

static uint32_t group_size(const struct shoal_program *program)
{
    return (uint32_t)shoal_program_define(program, "WG");
}

size_t item_count(void)
{
    return harness.tiny ? 33 : 4001;
}

/* Integers ------------------------------------------- */

/* As in dialect.cl. */
#define PUT(value) out[place++] = (value)

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int32_t within(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static size_t expect_ints(uint32_t a, uint32_t b, uint32_t out[MAX_RESULTS])
{
    const int32_t s = (int32_t)a, t = (int32_t)b;
    const uint32_t turn = b & 31;
    size_t place = 0;
    PUT((uint32_t)((uint64_t)a * b >> 32));
    PUT((uint32_t)((int64_t)s * t >> 32));
    PUT((uint32_t)__builtin_popcount(a));
    PUT((uint32_t)__builtin_popcount(b));
    PUT(a ? (uint32_t)__builtin_clz(a) : 32);
    PUT(b ? (uint32_t)__builtin_clz(b) : 32);
    PUT(turn ? a << turn | a >> (32 - turn) : a);
    PUT(smaller(a, b));
    PUT(larger(a, b));
    PUT((uint32_t)(s < t ? s : t));
    PUT((uint32_t)(s > t ? s : t));
    PUT(smaller(larger(a, 100), 1000000));
    PUT((uint32_t)within(s, -500000, 500000));
    PUT(a & 1 ? b : a);
    PUT(b & 1 ? b : a);
    PUT(float_bits(b & 2 ? 2.0f : 1.0f));
    PUT(a & 0x3fffffff);
    PUT(a & 0x3fffffff);
    PUT(a);
    PUT(b & 0x3fffffff);
    PUT(float_bits((float)a));
    PUT(a & 0xffffff);
    PUT((uint32_t)(int32_t)((float)(s >> 8) * 0.25f));
    PUT((uint32_t)(int32_t)rintf((float)(s >> 12) * 0.25f));
    PUT(a & 0xff);
    PUT(a & 0xffff);
    PUT(a > b ? UINT32_MAX : (uint32_t)INT32_MIN);
    PUT(a < b ? (uint32_t)INT32_MAX : 0);
    return place;
}

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static size_t expect_longs(uint64_t a, uint64_t b, uint64_t out[MAX_RESULTS])
{
    const int64_t s = (int64_t)a, t = (int64_t)b;
    const uint64_t turn = b & 63, shifted = a >> turn;
    size_t place = 0;
    PUT((uint64_t)((uint128)a * b >> 64));
    PUT((uint64_t)((int128)s * t >> 64));
    PUT((uint64_t)__builtin_popcountll(a));
    PUT(shifted ? (uint64_t)__builtin_clzll(shifted) : 64);
    PUT(turn ? a << turn | a >> (64 - turn) : a);
    PUT(a < b ? a : b);
    PUT(a > b ? a : b);
    PUT((uint64_t)(s < t ? s : t));
    PUT((uint64_t)(s > t ? s : t));
    PUT(a < 100 ? 100 : a > (uint64_t)1 << 62 ? (uint64_t)1 << 62 : a);
    PUT((uint64_t)(s < -100 ? -100 : s > 100 ? 100 : s));
    PUT(a & 1 ? b : a);
    PUT(a);
    PUT((uint32_t)a);
    PUT((uint64_t)(int64_t)((float)((int32_t)a >> 8) * 0.5f));
    PUT(a > b ? UINT64_MAX : (uint64_t)INT64_MIN);
    PUT(a < b ? (uint64_t)INT64_MAX : 0);
    if (real_bits == 64) {
        PUT(a & 0x3fffffffffffffff);
        PUT(b & 0x3fffffffffffffff);
        PUT(double_bits((double)a));
        PUT((uint64_t)(int64_t)rint((double)((int32_t)a >> 4) * 0.25));
    }
    return place;
}

static void test_ints(void **state)
{
    (void)state;
    static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31, 32};
    const size_t n = item_count();
    uint32_t *a = harness_memory(n * sizeof *a), *b = harness_memory(n * sizeof *b), wanted[MAX_RESULTS];
    harness_words(a, n, 2);
    harness_words(b, n, 3);
    for (size_t i = 0; i < COUNT(edges); i++) {
        a[i] = edges[i];
        b[COUNT(edges) + i] = edges[i];
    }
    const size_t count = expect_ints(1, 2, wanted);
    uint32_t *out = harness_memory(count * n * sizeof *out);
    struct shoal_program *program = build(&dialect_program, 32);
    struct shoal_buffer *results = harness_buffer(count * n * sizeof *out);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(a, n * sizeof *a)),
                                     shoal_arg_buffer(harness_upload(b, n * sizeof *b)),
                                     shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
    launch(program, "dialect_ints", 0, args, COUNT(args));
    harness_read(results, out, count * n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        expect_ints(a[i], b[i], wanted);
        for (size_t f = 0; f < count; f++)
            if (out[f * n + i] != wanted[f])
                fail_msg("dialect_ints result %zu of %#x, %#x is %#x, not %#x", f, a[i], b[i], out[f * n + i],
                         wanted[f]);
    }
    shoal_program_destroy(&program);
}

static void test_longs(void **state)
{
    (void)state;
    const size_t n = item_count();
    for (int bits = 32; bits <= (harness_has_fp64() ? 64 : 32); bits += 32) {
        struct shoal_program *program = build(&dialect_program, bits);
        uint64_t *a = harness_memory(n * sizeof *a), *b = harness_memory(n * sizeof *b), wanted[MAX_RESULTS];
        harness_words((uint32_t *)a, 2 * n, 4);
        harness_words((uint32_t *)b, 2 * n, 5);
        a[0] = a[2] = b[1] = b[2] = 0;
        a[1] = b[3] = UINT64_MAX;
        const size_t count = expect_longs(1, 2, wanted);
        uint64_t *out = harness_memory(count * n * sizeof *out);
        struct shoal_buffer *results = harness_buffer(count * n * sizeof *out);
        const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(a, n * sizeof *a)),
                                         shoal_arg_buffer(harness_upload(b, n * sizeof *b)),
                                         shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
        launch(program, "dialect_longs", 0, args, COUNT(args));
        harness_read(results, out, count * n * sizeof *out);
        for (size_t i = 0; i < n; i++) {
            expect_longs(a[i], b[i], wanted);
            for (size_t f = 0; f < count; f++)
                if (out[f * n + i] != wanted[f])
                    fail_msg("dialect_longs result %zu of %#llx, %#llx is %#llx, not %#llx", f,
                             (unsigned long long)a[i], (unsigned long long)b[i],
                             (unsigned long long)out[f * n + i], (unsigned long long)wanted[f]);
        }
        shoal_program_destroy(&program);
        harness_release();
    }
}

/* Work-items, memory, atomics ------------------------------------------- */

enum { GROUPS = 3 };

static void test_items(void **state)
{
    (void)state;
    struct shoal_program *program = build(&dialect_program, 32);
    const uint32_t wg = group_size(program), n = GROUPS * wg;
    uint32_t *out = harness_memory(6 * n * sizeof *out);
    struct shoal_buffer *results = harness_buffer(6 * n * sizeof *out);
    const struct shoal_arg args[] = {shoal_arg_buffer(results), shoal_arg_uint(n)};
    launch(program, "dialect_items", GROUPS, args, COUNT(args));
    harness_read(results, out, 6 * n * sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t wanted[] = {i, i % wg, i / wg, n, wg, GROUPS};
        for (uint32_t f = 0; f < COUNT(wanted); f++)
            assert_int_equal(out[f * n + i], wanted[f]);
    }
    shoal_program_destroy(&program);
}

static void test_memory(void **state)
{
    (void)state;
    static const uint32_t table[4] = {3, 1, 4, 1};
    struct shoal_program *program = build(&dialect_program, 32);
    const uint32_t wg = group_size(program), n = GROUPS * wg;
    float *wide = harness_memory(4 * n * sizeof *wide);
    uint32_t *pairs = harness_memory(2 * n * sizeof *pairs), *out = harness_memory(15 * n * sizeof *out);
    for (uint32_t i = 0; i < 4 * n; i++)
        wide[i] = (float)(i % 13);
    harness_words(pairs, 2 * n, 6);
    const struct dialect_mixed mixed = {.big = (uint64_t)21 << 32, .wide = 22, .small = 23, .real32 = 24.5f};
    struct shoal_buffer *results = harness_buffer(15 * n * sizeof *out);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(wide, 4 * n * sizeof *wide)),
                                     shoal_arg_buffer(harness_upload(pairs, 2 * n * sizeof *pairs)),
                                     shoal_arg_buffer(results),
                                     shoal_arg_struct(&mixed, sizeof mixed),
                                     shoal_arg_int(-25),
                                     shoal_arg_uint(26),
                                     shoal_arg_long(-((int64_t)27 << 32)),
                                     shoal_arg_ulong((uint64_t)28 << 32),
                                     shoal_arg_float(29.75f),
                                     shoal_arg_uint(n)};
    launch(program, "dialect_memory", GROUPS, args, COUNT(args));
    harness_read(results, out, 15 * n * sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t mirror = i / wg * wg + wg - 1 - i % wg;
        const float *v = wide + 4 * i;
        const uint32_t wanted[] = {mirror * mirror,
                                   wg * (wg - 1) / 2,
                                   (uint32_t)(v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3]),
                                   pairs[2 * i],
                                   pairs[2 * i + 1],
                                   table[i % 4],
                                   21,
                                   22,
                                   23,
                                   24,
                                   (uint32_t)-25,
                                   26,
                                   (uint32_t)-27,
                                   28,
                                   29};
        for (uint32_t f = 0; f < COUNT(wanted); f++)
            if (out[f * n + i] != wanted[f])
                fail_msg("dialect_memory result %u of item %u is %#x, not %#x", f, i, out[f * n + i],
                         wanted[f]);
    }
    shoal_program_destroy(&program);
}

static void test_atomics(void **state)
{
    (void)state;
    struct shoal_program *program = build(&dialect_program, 32);
    const uint32_t n = group_size(program), sum = n * (n - 1) / 2;
    uint32_t words[16 + 1024] = {100, 100000, 7, 5000, 1000, 3, UINT32_MAX, 0, 0x55};
    int32_t signs[11] = {5, 5, -3, 3, 0, -100, 1, 0, -1, 0, 0};
    float reals[1024];
    uint32_t all = 0, parity = 0, *out = harness_memory(9 * n * sizeof *out);
    assert_true(n <= 1024);
    for (uint32_t i = 0; i < n; i++) {
        words[16 + i] = 1000 + i;
        reals[i] = 0.25f * (float)i;
        all |= 1u << (i & 31);
        parity ^= i;
    }
    struct shoal_buffer *results = harness_buffer(9 * n * sizeof *out);
    struct shoal_buffer *word_buffer = harness_upload(words, sizeof words);
    struct shoal_buffer *sign_buffer = harness_upload(signs, sizeof signs);
    const struct shoal_arg args[] = {shoal_arg_buffer(word_buffer), shoal_arg_buffer(sign_buffer),
                                     shoal_arg_buffer(harness_upload(reals, sizeof reals)),
                                     shoal_arg_buffer(results), shoal_arg_uint(n)};
    launch(program, "dialect_atomics", 1, args, COUNT(args));
    harness_read(results, out, 9 * n * sizeof *out);
    harness_read(word_buffer, words, sizeof words);
    harness_read(sign_buffer, signs, sizeof signs);
    const uint32_t wanted_words[] = {100 + sum, 100000 - sum, 7 + n, 5000 - n, 5, n - 1 > 3 ? n - 1 : 3, ~all,
                                     all,       0x55 ^ parity};
    assert_words(words, wanted_words, COUNT(wanted_words));
    const int32_t s = (int32_t)sum, last = (int32_t)n - 1;
    const int32_t wanted_signs[] = {5 - s, 5 - s, -3 + last + 1,  3 - last - 1, -last, last - 5, 7, -8,
                                    -2,    8,     (int32_t)parity};
    assert_words((const uint32_t *)signs, (const uint32_t *)wanted_signs, COUNT(wanted_signs));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t wanted[] = {
            sum, n, 0, n - 1, 1000 + i, i + 1, i + 2, i + 2, float_bits(0.25f * (float)i)};
        for (uint32_t f = 0; f < COUNT(wanted); f++)
            assert_int_equal(out[f * n + i], wanted[f]);
        assert_int_equal(words[16 + i], i + 2);
    }
    shoal_program_destroy(&program);
}

static bool has_atomics64(void)
{
    if (!harness.info->int64_atomics)
        print_message("%s has no 64-bit atomics: left out\n", harness.info->id);
    return harness.info->int64_atomics;
}

static void test_atomics64(void **state)
{
    (void)state;
    if (!has_atomics64())
        return;
    struct shoal_program *program = build(&dialect64_program, 32);
    const uint32_t n = group_size(program);
    const uint64_t sum = (uint64_t)n * (n - 1) / 2 << 33, most = (uint64_t)(n - 1) << 33;
    uint64_t words[16 + 1024] = {100, 1, 7, 3, UINT64_MAX, 3, UINT64_MAX, 0, 0x55};
    uint64_t all = 0, parity = 0, *out = harness_memory(4 * n * sizeof *out);
    assert_true(n <= 1024);
    for (uint32_t i = 0; i < n; i++) {
        words[16 + i] = (uint64_t)i << 40;
        all |= (uint64_t)1 << (i & 63);
        parity ^= (uint64_t)i << 33;
    }
    struct shoal_buffer *results = harness_buffer(4 * n * sizeof *out);
    struct shoal_buffer *word_buffer = harness_upload(words, sizeof words);
    const struct shoal_arg args[] = {shoal_arg_buffer(word_buffer), shoal_arg_buffer(results),
                                     shoal_arg_uint(n)};
    launch(program, "dialect_atomics64", 1, args, COUNT(args));
    harness_read(results, out, 4 * n * sizeof *out);
    harness_read(word_buffer, words, sizeof words);
    const uint64_t wanted_words[] = {100 + sum,           1 - sum, 7 + n, 3 - (uint64_t)n, 5,
                                     most > 3 ? most : 3, ~all,    all,   0x55 ^ parity};
    assert_memory_equal(words, wanted_words, sizeof wanted_words);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t far = (uint64_t)i << 33, wanted[] = {(uint64_t)i << 40, far, far + 2, far + 2};
        for (uint32_t f = 0; f < COUNT(wanted); f++)
            assert_true(out[f * n + i] == wanted[f]);
        assert_true(words[16 + i] == far + 2);
    }
    shoal_program_destroy(&program);
}

static void test_chain(void **state)
{
    (void)state;
    enum { LINKS = 500 };
    if (!has_atomics64())
        return;
    if (harness.tiny) {
        print_message("the simulator takes the volatile load for a race: left out\n");
        return;
    }
    struct shoal_program *program = build(&dialect64_program, 32);
    static const uint64_t none[LINKS];
    uint32_t out[LINKS];
    struct shoal_buffer *results = harness_buffer(sizeof out);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(none, sizeof(uint32_t))),
                                     shoal_arg_buffer(harness_upload(none, sizeof none)),
                                     shoal_arg_buffer(results)};
    launch(program, "dialect_chain", LINKS, args, COUNT(args));
    harness_read(results, out, sizeof out);
    for (uint32_t i = 0; i < LINKS; i++)
        assert_int_equal(out[i], i * (i + 1) / 2);
    shoal_program_destroy(&program);
}

int main(void)
{
    text = dialect_text();
    if (!text)
        return 1;
    const struct CMUnitTest tests[] = {
        by_turn(test_reals),     by_turn(test_native), by_turn(test_constants), by_turn(test_ints),
        by_turn(test_longs),     by_turn(test_items),  by_turn(test_memory),    by_turn(test_atomics),
        by_turn(test_atomics64), by_turn(test_chain),
    };
    int failed = harness_main("dialect", tests, COUNT(tests));
    free(text);
    return failed;
}
