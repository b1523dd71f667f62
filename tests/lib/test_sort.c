/* Radix sort against the C library's sort by (bits of the key, place). */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum fill { RANDOM, FEW, SORTED, REVERSED, EQUAL, EXTREMES, FILLS };

static void fill_keys(uint32_t *keys, size_t n, enum fill fill)
{
    harness_words(keys, n, 0);
    for (size_t i = 0; i < n; i++)
        switch (fill) {
        case RANDOM:
        case FILLS:
            break;
        case FEW:
            keys[i] = keys[i] % 5 * 0x01010101u;
            break;
        case SORTED:
            keys[i] = (uint32_t)i;
            break;
        case REVERSED:
            keys[i] = UINT32_MAX - (uint32_t)i;
            break;
        case EQUAL:
            keys[i] = 0x80402010u;
            break;
        case EXTREMES:
            keys[i] = keys[i] & 1 ? UINT32_MAX : 0;
            break;
        }
}

struct pair {
    uint32_t digits, place;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->digits != y->digits)
        return x->digits < y->digits ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

struct bits {
    unsigned first, end;
};

/* Places of the input in sorted order. As every value is another word, comparing values shows whether the
 * sort is stable. */
static void sorted_places(const uint32_t *keys, size_t n, struct bits bits, struct pair *pairs)
{
    for (size_t i = 0; i < n; i++) {
        pairs[i].digits = (uint32_t)(((uint64_t)keys[i] & ((1ull << bits.end) - 1)) >> bits.first);
        pairs[i].place = (uint32_t)i;
    }
    qsort(pairs, n, sizeof *pairs, compare_pairs);
}

static uint32_t value_at(size_t i)
{
    return (uint32_t)i ^ 0x5a5a0000u;
}

enum { ROOM = 3 };

static void check(struct shoal_sort *sort, enum fill fill, size_t n, struct bits bits, bool in_place)
{
    if (!harness_takes_case())
        return;
    const size_t bytes = (n + ROOM) * 4;
    uint32_t *keys = harness_memory(bytes), *values = harness_memory(bytes), *got = harness_memory(bytes),
             *wanted = harness_memory(bytes);
    struct pair *pairs = harness_memory(n * sizeof *pairs);
    memset(keys, 0xA5, bytes);
    memset(values, 0xA5, bytes);
    memset(wanted, 0xA5, bytes);
    fill_keys(keys, n, fill);
    for (size_t i = 0; i < n; i++)
        values[i] = value_at(i);
    sorted_places(keys, n, bits, pairs);
    struct shoal_buffer *keys_in = harness_upload(keys, bytes), *values_in = harness_upload(values, bytes);
    struct shoal_buffer *keys_out = in_place ? keys_in : harness_buffer(bytes);
    struct shoal_buffer *values_out = in_place ? values_in : harness_buffer(bytes);
    const struct shoal_sort_args args = {keys_in, values_in, keys_out, values_out, n, bits.first, bits.end};
    assert_ok(shoal_sort_run(sort, harness.queue, &args, &test_error));
    for (size_t i = 0; i < n; i++)
        wanted[i] = keys[pairs[i].place];
    harness_read(keys_out, got, bytes);
    assert_words(got, wanted, n + ROOM);
    for (size_t i = 0; i < n; i++)
        wanted[i] = values[pairs[i].place];
    harness_read(values_out, got, bytes);
    assert_words(got, wanted, n + ROOM);
    if (!in_place) {
        harness_read(keys_in, got, bytes);
        assert_words(got, keys, n + ROOM);
        harness_read(values_in, got, bytes);
        assert_words(got, values, n + ROOM);
    }
    harness_release();
}

static struct shoal_sort *create(size_t max_n, enum shoal_sort_method method)
{
    struct shoal_sort *sort = NULL;
    assert_ok(shoal_sort_create(harness.device, max_n, method, harness.variant, &sort, &test_error));
    return sort;
}

static void all_bits(enum shoal_sort_method method)
{
    const struct bits all = {0, 32};
    struct shoal_sort *sort = create(1000003, method);
    check(sort, RANDOM, 0, all, true);
    for (const size_t *n = harness_sizes(); *n; n++)
        for (int fill = 0; fill < (harness.tiny ? SORTED : FILLS); fill++)
            check(sort, (enum fill)fill, *n, all, fill % 2);
    shoal_sort_destroy(&sort);
}

static void ranges_of_bits(enum shoal_sort_method method)
{
    static const struct bits ranges[] = {{0, 0}, {32, 32}, {0, 1},  {31, 32}, {0, 4}, {3, 8},
                                         {0, 8}, {24, 32}, {4, 20}, {5, 31},  {7, 28}};
    const size_t n = harness.tiny ? 140 : 20011;
    struct shoal_sort *sort = create(n, method);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i += harness.tiny ? 2 : 1) {
        check(sort, RANDOM, n, ranges[i], false);
        check(sort, RANDOM, n, ranges[i], true);
    }
    shoal_sort_destroy(&sort);
}

static void blocks(void **state)
{
    (void)state;
    all_bits(SHOAL_SORT_BLOCKS);
    ranges_of_bits(SHOAL_SORT_BLOCKS);
}

static void serial(void **state)
{
    (void)state;
    all_bits(SHOAL_SORT_SERIAL);
    ranges_of_bits(SHOAL_SORT_SERIAL);
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_sort *sort = NULL;
    assert_status(shoal_sort_create(harness.device, 0, SHOAL_SORT_AUTO, harness.variant, &sort, &test_error),
                  SHOAL_INVALID);
    assert_status(
        shoal_sort_create(harness.device, 8, (enum shoal_sort_method)9, harness.variant, &sort, &test_error),
        SHOAL_INVALID);
    assert_null(sort);
    sort = create(8, SHOAL_SORT_AUTO);
    struct shoal_buffer *a = harness_buffer(32), *b = harness_buffer(32), *c = harness_buffer(32),
                        *d = harness_buffer(28);
    const struct shoal_sort_args wrong[] = {
        {a, b, a, b, 9, 0, 32}, {a, b, c, d, 8, 0, 32}, {a, b, a, c, 8, 0, 32}, {a, b, b, a, 8, 0, 32},
        {a, a, a, a, 8, 0, 32}, {a, b, a, b, 8, 9, 8},  {a, b, a, b, 8, 0, 33}, {a, NULL, a, b, 8, 0, 32},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_status(shoal_sort_run(sort, harness.queue, &wrong[i], &test_error), SHOAL_INVALID);
    assert_status(shoal_sort_run(sort, harness.queue, NULL, &test_error), SHOAL_INVALID);
    assert_non_null(shoal_sort_program(sort, 0));
    assert_non_null(shoal_sort_program(sort, 1));
    assert_null(shoal_sort_program(sort, 2));
    shoal_sort_destroy(&sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),
        cmocka_unit_test(serial),
        cmocka_unit_test(wrong_arguments),
    };
    return harness_main("sort", tests, sizeof tests / sizeof *tests);
}
