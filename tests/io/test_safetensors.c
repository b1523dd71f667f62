/* safetensors: what is written is read as the same bits, and what is broken is refused with its reason. */
#include "unit.h"

#include "base/input.h"
#include "io/tensors/safetensors.h"

#include <math.h>

/* A file of a header and `data` bytes 0, 1, 2 ...; the result lives until the next call. */
static enum shoal_status parse_with(const char *header, size_t data, struct safetensors **out)
{
    static char *content;
    const size_t length = strlen(header);
    free(content);
    content = calloc(1, 8 + length + data);
    assert_non_null(content);
    content[0] = (char)(length & 255);
    content[1] = (char)(length >> 8);
    memcpy(content + 8, header, length);
    for (size_t i = 0; i < data; i++)
        content[8 + length + i] = (char)i;
    return safetensors_parse(content, 8 + length + data, "f", out, &test_error);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    const double first[] = {1.0 / 3, -0.0, 1e300, INFINITY, 5e-324, 6}, second[] = {0.1, -2.5};
    struct tensor tensors[] = {
        {.name = (char[]){"0.weight"}, .type = TENSOR_F64, .dimensions = 2, .shape = {2, 3}, .count = 6},
        {.name = (char[]){"0.bias \"\xc3\xa9"},
         .type = TENSOR_F32,
         .dimensions = 1,
         .shape = {2},
         .count = 2},
        {.name = (char[]){"none"}, .type = TENSOR_F32, .dimensions = 1, .shape = {0}, .count = 0}};
    struct safetensors_text texts[] = {{(char[]){"shoal"}, (char[]){"{\"a\": [1, \"\\n\"]}\n"}}};
    const struct safetensors file = {tensors, 3, texts, 1};
    const double *const values[] = {first, second, NULL};
    const char *path = test_path("m.safetensors");
    assert_ok(safetensors_write(path, &file, values, &test_error));

    char *content;
    size_t bytes;
    struct safetensors *read;
    double got[6];
    assert_ok(read_input(path, "model", INPUT_DATA_MOST, &content, &bytes, &test_error));
    assert_int_equal(content[0] % 8, 0); /* the numbers are aligned */
    assert_ok(safetensors_parse(content, bytes, path, &read, &test_error));
    assert_int_equal(read->count, 3);
    assert_string_equal(safetensors_text(read, "shoal"), texts[0].value);
    assert_null(safetensors_text(read, "other"));
    assert_null(safetensors_find(read, "1.weight"));
    const struct tensor *tensor = safetensors_find(read, "0.weight");
    assert_non_null(tensor);
    assert_int_equal(tensor->dimensions, 2);
    assert_int_equal(tensor->shape[0], 2);
    assert_int_equal(tensor->shape[1], 3);
    tensor_values(tensor, got);
    assert_memory_equal(got, first, sizeof first);
    tensor_values(safetensors_find(read, tensors[1].name), got);
    assert_true(got[0] == (double)0.1f && got[1] == -2.5);
    safetensors_destroy(&read);
    assert_null(read);

    /* Cut anywhere, it is refused. */
    for (size_t cut = 0; cut < bytes; cut++) {
        test_label("cut at %zu", cut);
        assert_status(safetensors_parse(content, cut, "f", &read, &test_error), SHOAL_IO);
        assert_null(read);
    }
    free(content);
    assert_status(safetensors_write("/dev/full", &file, values, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "cannot write /dev/full");
    assert_status(safetensors_write(test_path("no/such/m"), &file, values, &test_error), SHOAL_IO);
}

/* Whatever a caller gives: other programs refuse a header that is not UTF-8. */
static void headers_are_utf8(void **state)
{
    (void)state;
    struct tensor tensor = {
        .name = (char[]){"gr\xf6\xdf"}, .type = TENSOR_F32, .dimensions = 1, .shape = {1}, .count = 1};
    struct safetensors_text text = {(char[]){"\x80"}, (char[]){"\xe9 \xc3\xa9"}};
    const struct safetensors file = {&tensor, 1, &text, 1};
    const double value = 1, *const values[] = {&value};
    const char *path = test_path("latin.safetensors");
    char *content;
    size_t bytes;
    struct safetensors *read;
    assert_ok(safetensors_write(path, &file, values, &test_error));
    assert_ok(read_input(path, "model", INPUT_DATA_MOST, &content, &bytes, &test_error));
    assert_ok(safetensors_parse(content, bytes, path, &read, &test_error));
    assert_non_null(safetensors_find(read, "gr\xc3\xb6\xc3\x9f"));
    assert_string_equal(safetensors_text(read, "\xe2\x82\xac"), "\xc3\xa9 \xc3\xa9");
    safetensors_destroy(&read);
    free(content);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
#define F32(name, shape, begin, end)                                                                         \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"
    static const struct {
        const char *header;
        size_t data;
        const char *message; /* NULL: it is a file */
    } cases[] = {
        {"{" F32("a", "[2]", 0, 8) "}  ", 8, NULL},
        {"{" F32("b", "[]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 8, NULL},
        {"{}", 0, NULL},
        {"[]", 0, "does not begin with such a header"},
        {"{" F32("a", "[2]", 0, 8) "}x", 8, "not an object of JSON"},
        {"{" F32("a", "[2]", 0, 8), 8, "not an object of JSON"},
        {"{" F32("a", "[2]", 0, 8) "}", 7, "is cut: tensor 'a' ends at byte 8"},
        {"{" F32("a", "[2]", 0, 8) "}", 9, "1 bytes follow"},
        {"{" F32("a", "[2]", 0, 8) "," F32("b", "[2]", 4, 12) "}", 12, "tensor 'b' overlaps"},
        {"{" F32("a", "[1]", 0, 4) "," F32("b", "[1]", 8, 12) "}", 12, "tensor 'b' follows a gap"},
        {"{" F32("a", "[1]", 0, 4) "," F32("a", "[1]", 4, 8) "}", 8, "tensor 'a' is there twice"},
        /* Not in the order of the data, and wrong at the first, the middle or the last place. */
        {"{" F32("c", "[1]", 8, 12) "," F32("b", "[1]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 12, NULL},
        {"{" F32("c", "[1]", 8, 12) "," F32("b", "[1]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 8,
         "is cut: tensor 'c' ends at byte 12 of the data, of which there are 8"},
        {"{" F32("c", "[1]", 8, 12) "," F32("b", "[1]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 2,
         "is cut: tensor 'a' ends at byte 4 of the data, of which there are 2"},
        {"{" F32("c", "[1]", 8, 12) "," F32("b", "[1]", 4, 8) "}", 12, "tensor 'b' follows a gap"},
        {"{" F32("c", "[1]", 12, 16) "," F32("b", "[1]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 16,
         "tensor 'c' follows a gap"},
        {"{" F32("c", "[1]", 8, 12) "," F32("b", "[2]", 2, 10) "," F32("a", "[1]", 0, 4) "}", 12,
         "tensor 'b' overlaps another one"},
        {"{" F32("c", "[1]", 8, 12) "," F32("c", "[1]", 4, 8) "," F32("a", "[1]", 0, 4) "}", 12,
         "tensor 'c' is there twice"},
        {"{" F32("a", "[3]", 0, 8) "}", 8, "does not fit its data_offsets"},
        {"{" F32("a", "[4294967296,4294967296,4]", 0, 8) "}", 8, "shape that is too large"},
        {"{" F32("a", "[4611686018427387904,1]", 0, 0) "}", 0, "no list of sizes"},
        {"{" F32("a", "[-1]", 0, 8) "}", 8, "no list of sizes"},
        {"{" F32("a", "[1.5]", 0, 6) "}", 6, "no list of sizes"},
        {"{" F32("a", "[1,1,1,1,1,1,1,1,1]", 0, 4) "}", 4, "more than 8 dimensions"},
        {"{" F32("a", "[1]", 4, 0) "}", 4, "not begin and end"},
        {"{" F32("a\\n\\u0007", "[3]", 0, 8) "}", 8, "tensor 'a?\?'"},
        {"{\"a\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]}}", 2, "neither F32 nor F64"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "lacks dtype, shape or data_offsets"},
        {"{\"a\":3}", 4, "lacks dtype"},
        {"{\"__metadata__\":[]}", 0, "__metadata__ is not an object"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "something other than strings"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ is there twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct safetensors *file;
        test_label("%s", cases[i].header);
        if (cases[i].message) {
            assert_status(parse_with(cases[i].header, cases[i].data, &file), SHOAL_IO);
            assert_contains(test_error.message, cases[i].message);
        } else {
            assert_ok(parse_with(cases[i].header, cases[i].data, &file));
        }
        safetensors_destroy(&file);
    }
    struct safetensors *file;
    assert_status(safetensors_parse("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, "f", &file, &test_error),
                  SHOAL_IO);
    assert_contains(test_error.message, "not a safetensors file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(what_is_written_is_read),
        UNIT_TEST(headers_are_utf8),
        UNIT_TEST(broken_files_are_refused),
    };
    return cmocka_run_group_tests_name("safetensors", tests, NULL, NULL);
}
