/* Radix sort against the C library's sort by (bits of the key, place). */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum fill { RANDOM, FEW, SORTED, REVERSED, EQUAL, EXTREMES, FILLS };

/* What is sorted, and how. value_bits: 0 for keys alone. */
struct form {
    enum shoal_sort_method method;
    unsigned key_bits, value_bits;
};

static void fill_keys(uint64_t *keys, size_t n, enum fill fill, unsigned key_bits)
{
    const unsigned words = key_bits / 32;
    uint32_t *random = harness_memory(words * n * sizeof *random);
    harness_words(random, words * n, 0);
    for (size_t i = 0; i < n; i++) {
        keys[i] = random[i];
        switch (fill) {
        case RANDOM:
        case FILLS:
            if (words == 2)
                keys[i] |= (uint64_t)random[n + i] << 32;
            break;
        case FEW:
            keys[i] = keys[i] % 5 * 0x0101010101010101u;
            break;
        case SORTED:
            keys[i] = i * words;
            break;
        case REVERSED:
            keys[i] = UINT64_MAX - i;
            break;
        case EQUAL:
            keys[i] = 0x8040201080402010u;
            break;
        case EXTREMES:
            keys[i] = keys[i] & 1 ? UINT64_MAX : 0;
            break;
        }
        if (words == 1)
            keys[i] &= UINT32_MAX;
    }
}

struct pair {
    uint64_t digits;
    uint32_t place;
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
static void sorted_places(const uint64_t *keys, size_t n, struct bits bits, struct pair *pairs)
{
    const uint64_t below_end = bits.end == 64 ? UINT64_MAX : (1ull << bits.end) - 1;
    for (size_t i = 0; i < n; i++) {
        pairs[i].digits = bits.first == bits.end ? 0 : (keys[i] & below_end) >> bits.first;
        pairs[i].place = (uint32_t)i;
    }
    qsort(pairs, n, sizeof *pairs, compare_pairs);
}

static uint64_t value_at(size_t i)
{
    return (uint64_t)i ^ 0x5a5a00005a5a0000u;
}

enum { ROOM = 3 };

/* The numbers as words of `bits` bits, with room behind them that a sort must not write. */
static uint32_t *packed(const uint64_t *numbers, size_t n, unsigned bits, size_t *bytes)
{
    *bytes = (n + ROOM) * (bits / 8);
    uint32_t *words = harness_memory(*bytes);
    memset(words, 0xA5, *bytes);
    for (size_t i = 0; i < n; i++)
        memcpy((char *)words + i * (bits / 8), &numbers[i], bits / 8); /* the lower half comes first */
    return words;
}

/* Buffers of keys or of values. */
struct column {
    uint32_t *before, *wanted;
    size_t bytes;
    struct shoal_buffer *in, *out;
};

static struct column column(const uint64_t *numbers, const struct pair *pairs, size_t n, unsigned bits,
                            bool in_place)
{
    struct column column = {0};
    uint64_t *sorted = harness_memory(n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = numbers[pairs[i].place];
    column.before = packed(numbers, n, bits, &column.bytes);
    column.wanted = packed(sorted, n, bits, &column.bytes);
    column.in = harness_upload(column.before, column.bytes);
    column.out = in_place ? column.in : harness_buffer(column.bytes);
    return column;
}

static void check_column(const struct column *column)
{
    uint32_t *got = harness_memory(column->bytes);
    harness_read(column->out, got, column->bytes);
    assert_words(got, column->wanted, column->bytes / 4);
    if (column->in == column->out)
        return;
    harness_read(column->in, got, column->bytes);
    assert_words(got, column->before, column->bytes / 4);
}

static void check(struct shoal_sort *sort, struct form form, enum fill fill, size_t n, struct bits bits,
                  bool in_place)
{
    if (!harness_takes_case())
        return;
    uint64_t *keys = harness_memory(n * sizeof *keys), *values = harness_memory(n * sizeof *values);
    struct pair *pairs = harness_memory(n * sizeof *pairs);
    fill_keys(keys, n, fill, form.key_bits);
    for (size_t i = 0; i < n; i++)
        values[i] = value_at(i);
    sorted_places(keys, n, bits, pairs);
    const struct column key = column(keys, pairs, n, form.key_bits, in_place);
    struct column value = {0};
    if (form.value_bits)
        value = column(values, pairs, n, form.value_bits, in_place);
    const struct shoal_sort_args args = {key.in, value.in, key.out, value.out, n, bits.first, bits.end};
    assert_ok(shoal_sort_run(sort, harness.queue, &args, &test_error));
    check_column(&key);
    if (form.value_bits)
        check_column(&value);
    harness_release();
}

static struct shoal_sort *create(size_t max_n, struct form form)
{
    struct shoal_sort *sort = NULL;
    const struct shoal_sort_params params =
        SHOAL_SORT_PARAMS(.max_n = max_n, .key_bits = form.key_bits, .value_bits = form.value_bits,
                          .method = form.method, .variant = harness.variant);
    assert_ok(shoal_sort_create_with(harness.device, &params, &sort, &test_error));
    return sort;
}

/* The product of work-items and words, or pairs, of a work-item, is the size of a tile. */
static size_t tile_of(struct shoal_sort *sort, struct form form)
{
    const struct shoal_program *program = shoal_sort_program(sort, 0);
    const int64_t words = form.key_bits == 64 || form.value_bits == 64 ? 2 : 1;
    return form.method == SHOAL_SORT_SERIAL ? 4096
                                            : (size_t)(shoal_program_define(program, "WG") *
                                                       (shoal_program_define(program, "ITEMS") / words));
}

static void sizes_and_fills(struct form form)
{
    const struct bits all = {0, form.key_bits};
    struct shoal_sort *sort = create(1000003, form);
    const size_t tile = tile_of(sort, form), tiles[] = {tile - 1, tile, tile + 1, 7 * tile + 1};
    check(sort, form, RANDOM, 0, all, true);
    for (const size_t *n = harness_sizes(); *n; n++)
        for (int fill = 0; fill < (harness.tiny ? SORTED : FILLS); fill++)
            check(sort, form, (enum fill)fill, *n, all, fill % 2);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        if (!harness.tiny || tiles[i] < 1000)
            check(sort, form, i % 2 ? RANDOM : EXTREMES, tiles[i], all, i / 2);
    shoal_sort_destroy(&sort);
}

static void ranges_of_bits(struct form form)
{
    static const struct bits ranges[] = {{0, 0},   {32, 32}, {0, 1},  {31, 32}, {0, 4},   {3, 8}, {0, 8},
                                         {24, 32}, {4, 20},  {5, 31}, {7, 28},  {30, 35}, {1, 64}};
    const size_t n = harness.tiny ? 140 : 20011;
    struct shoal_sort *sort = create(n, form);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i += harness.tiny ? 2 : 1) {
        if (ranges[i].end > form.key_bits)
            continue;
        check(sort, form, RANDOM, n, ranges[i], false);
        check(sort, form, RANDOM, n, ranges[i], true);
    }
    shoal_sort_destroy(&sort);
}

static void pairs(enum shoal_sort_method method)
{
    const struct form form = {method, 32, 32};
    sizes_and_fills(form);
    ranges_of_bits(form);
}

/* Keys and values of other sizes: a few cases of each, since the kernels are compiled anew. */
static void other_types(enum shoal_sort_method method)
{
    static const struct form forms[] = {{.key_bits = 32, .value_bits = 0},
                                        {.key_bits = 64, .value_bits = 0},
                                        {.key_bits = 64, .value_bits = 32},
                                        {.key_bits = 32, .value_bits = 64},
                                        {.key_bits = 64, .value_bits = 64}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct form form = forms[i];
        form.method = method;
        const struct bits all = {0, form.key_bits}, some = {3, form.key_bits - 2};
        const size_t n = harness.tiny ? 140 : 20011;
        struct shoal_sort *sort = create(n, form);
        check(sort, form, RANDOM, n, all, false);
        check(sort, form, FEW, n - 1, all, true);
        check(sort, form, RANDOM, n, some, true);
        check(sort, form, RANDOM, 1, all, false);
        shoal_sort_destroy(&sort);
        if (form.key_bits == 64 && form.value_bits == 32)
            ranges_of_bits(form);
    }
}

static void blocks(void **state)
{
    (void)state;
    pairs(SHOAL_SORT_BLOCKS);
}

static void serial(void **state)
{
    (void)state;
    pairs(SHOAL_SORT_SERIAL);
    other_types(SHOAL_SORT_SERIAL);
}

static void sweep(void **state)
{
    (void)state;
    pairs(SHOAL_SORT_SWEEP);
    other_types(SHOAL_SORT_SWEEP);
}

/* An object is used again and again, with runs of other sizes between. */
static void repeated(void **state)
{
    (void)state;
    const struct form form = {SHOAL_SORT_SWEEP, 32, 32};
    const size_t n = harness.tiny ? 200 : 30011;
    struct shoal_sort *sort = create(n, form);
    for (size_t i = 0; i < 3; i++) {
        check(sort, form, RANDOM, n, (struct bits){0, 24}, true);
        check(sort, form, RANDOM, n / 7, (struct bits){0, 32}, false);
    }
    shoal_sort_destroy(&sort);
}

static void wrong_params(void **state)
{
    (void)state;
    static const struct {
        struct shoal_sort_params params;
        enum shoal_status wanted;
        const char *message;
    } wrong[] = {
        {{.max_n = 0, .key_bits = 32}, SHOAL_INVALID, "max_n"},
        {{.max_n = 8, .key_bits = 16}, SHOAL_INVALID, "keys of 16 bits"},
        {{.max_n = 8, .key_bits = 64, .value_bits = 8}, SHOAL_INVALID, "values of 8 bits"},
        {{.max_n = 8, .key_bits = 32, .method = (enum shoal_sort_method)9}, SHOAL_INVALID, "no method 9"},
        {{.max_n = 8, .key_bits = 64, .value_bits = 32, .method = SHOAL_SORT_BLOCKS},
         SHOAL_UNSUPPORTED,
         "SHOAL_SORT_BLOCKS sorts"},
        {{.max_n = 8, .key_bits = 32, .method = SHOAL_SORT_BLOCKS},
         SHOAL_UNSUPPORTED,
         "SHOAL_SORT_BLOCKS sorts"},
    };
    struct shoal_sort *sort = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shoal_sort_params params = wrong[i].params;
        params.size = sizeof params;
        assert_status(shoal_sort_create_with(harness.device, &params, &sort, &test_error), wrong[i].wanted);
        assert_non_null(strstr(test_error.message, wrong[i].message));
        assert_null(sort);
    }
    const struct shoal_sort_params forgotten = {0};
    assert_status(shoal_sort_create_with(harness.device, &forgotten, &sort, &test_error), SHOAL_INVALID);
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_sort *sort = create(8, (struct form){SHOAL_SORT_AUTO, 32, 32});
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
    assert_null(shoal_sort_program(sort, 2));
    shoal_sort_destroy(&sort);
    sort = create(4, (struct form){SHOAL_SORT_AUTO, 64, 0});
    const struct shoal_sort_args wrong_keys[] = {
        {a, b, a, b, 4, 0, 64}, {a, NULL, a, NULL, 4, 0, 65}, {d, NULL, d, NULL, 4, 0, 64}};
    for (size_t i = 0; i < sizeof wrong_keys / sizeof *wrong_keys; i++)
        assert_status(shoal_sort_run(sort, harness.queue, &wrong_keys[i], &test_error), SHOAL_INVALID);
    shoal_sort_destroy(&sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),   cmocka_unit_test(serial),       cmocka_unit_test(sweep),
        cmocka_unit_test(repeated), cmocka_unit_test(wrong_params), cmocka_unit_test(wrong_arguments),
    };
    return harness_main("sort", tests, sizeof tests / sizeof *tests);
}
