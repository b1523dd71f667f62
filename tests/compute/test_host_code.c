/* Texts compiled for the host: every option reaches the compiler, and addresses in the code have a name while
 * it is loaded. */
#include "unit.h"

#include "compute/program/host/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 40 };

typedef double (*value_fn)(const double *x, unsigned dim, const double *rows, unsigned long row_count,
                           unsigned columns);

static double value_of(const struct host_code *code)
{
    const double x = 0;
    value_fn value;
    assert_ok(host_code_find(code, "shoal_host_value", &value, &test_error));
    return value(&x, 1, NULL, 0, 1);
}

/* The sum of D0 to D39, which are 1 to 40. */
static struct host_code *compile(const char *name)
{
    static char options[MANY][16];
    const char *defines[MANY + 4] = {"-DCOLUMNS=1", "-DTABLE_ROWS=1", "-DUNCHECKED"};
    char text[1024] = "static inline real objective_value(const real *x, uint dim)\n{\n    return R(0.0)";
    for (int i = 0; i < MANY; i++) {
        const size_t length = strlen(text);
        snprintf(options[i], sizeof options[i], "-DD%d=%d", i, i + 1);
        snprintf(text + length, sizeof text - length, " + (real)D%d", i);
        defines[3 + i] = options[i];
    }
    strcat(text, ";\n}\n");
    struct host_code *code;
    const struct host_code_params params = {.text = text,
                                            .name = name,
                                            .file = "objective/host.h",
                                            .replaced = "objective/snippet.clh",
                                            .defines = defines};
    assert_ok(host_code_create(NULL, &params, &code, &test_error));
    return code;
}

static void every_option_reaches_the_compiler(void **state)
{
    (void)state;
    struct host_code *code = compile("many.clh");
    assert_true(value_of(code) == MANY * (MANY + 1) / 2.0);
    host_code_destroy(&code);
}

/* A compiler of many words: an environment that is set for it alone. */
static void every_word_of_the_compiler_counts(void **state)
{
    (void)state;
    char command[1024] = "env";
    for (int i = 0; i < MANY; i++) {
        const size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " SHOAL_WORD_%d=%d", i, i);
    }
    strcat(command, " cc");
    setenv("CC", command, 1);
    struct shoal *shoal = unit_open();
    unsetenv("CC");
    const struct host_code_params code_params = {
        .text = "static inline real objective_value(const real *x, uint dim)\n{\n    return R(3.0);\n}\n",
        .name = "words.clh",
        .file = "objective/host.h",
        .replaced = "objective/snippet.clh",
        .defines = (const char *const[]){"-DCOLUMNS=1", "-DTABLE_ROWS=1", "-DUNCHECKED", NULL}};
    struct host_code *code;
    assert_ok(host_code_create(shoal, &code_params, &code, &test_error));
    assert_true(value_of(code) == 3);
    host_code_destroy(&code);
    shoal_close(&shoal);
}

static void addresses_have_a_name_while_the_code_is_loaded(void **state)
{
    (void)state;
    const void *address = NULL;
    assert_null(shoal_host_text_at(&address));
    for (int turn = 0; turn < 3; turn++) {
        struct host_code *code = compile(turn == 1 ? "second.clh" : "first.clh");
        assert_ok(host_code_find(code, "shoal_host_value", &address, &test_error));
        assert_string_equal(shoal_host_text_at(address), turn == 1 ? "second.clh" : "first.clh");
        host_code_destroy(&code);
        assert_null(shoal_host_text_at(address));
    }
    struct host_code *codes[] = {compile("a.clh"), compile("b.clh")};
    for (int i = 0; i < 2; i++) {
        assert_ok(host_code_find(codes[i], "shoal_host_value", &address, &test_error));
        assert_string_equal(shoal_host_text_at(address), i ? "b.clh" : "a.clh");
    }
    host_code_destroy(&codes[0]);
    assert_string_equal(shoal_host_text_at(address), "b.clh");
    host_code_destroy(&codes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(every_option_reaches_the_compiler),
                                       UNIT_TEST(every_word_of_the_compiler_counts),
                                       UNIT_TEST(addresses_have_a_name_while_the_code_is_loaded)};
    return cmocka_run_group_tests_name("host-code", tests, NULL, NULL);
}
