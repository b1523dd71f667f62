/* Kernel texts: include flattening, line markers, --kernel-dir, refused names. */
#include "unit.h"

#include "compute/program/embedded.h"
#include "compute/program/source.h"

#include <sys/stat.h>
#include <unistd.h>

static struct shoal *shoal;

static void open_dir(const char *dir)
{
    struct shoal_params params = unit_params();
    params.kernel_dir = dir;
    shoal = unit_open_with(&params);
}

static void put(const char *name, const char *text)
{
    test_write_text(test_path("%s", name), text);
}

/* Flattens a file and compares; frees the text. */
static void expect(const char *file, const char *wanted)
{
    char *text;
    assert_ok(shoal_kernel_source(shoal, file, &text, &test_error));
    assert_string_equal(text, wanted);
    free(text);
}

static void expect_failure(const char *file, enum shoal_status status, const char *part)
{
    char *text = (char *)shoal;
    assert_status(shoal_kernel_source(shoal, file, &text, &test_error), status);
    assert_null(text);
    assert_contains(test_error.message, part);
}

static void includes_are_put_in_with_markers(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("a.cl", "first\n#include \"lib/b.clh\"\nthird\n  #  include\t\"lib/c.clh\" // why\nfifth\n");
    put("lib/b.clh", "b1\n#include \"lib/c.clh\"\nb3\n");
    put("lib/c.clh", "c1\nc2");
    expect("a.cl", "#line 1 \"a.cl\"\nfirst\n"
                   "#line 1 \"lib/b.clh\"\nb1\n"
                   "#line 1 \"lib/c.clh\"\nc1\nc2\n"
                   "#line 3 \"lib/b.clh\"\nb3\n"
                   "#line 3 \"a.cl\"\nthird\n"
                   /* c was included before: only the marker keeps the count */
                   "#line 5 \"a.cl\"\nfifth\n");
    shoal_close(&shoal);
}

static void each_file_is_included_once(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("self.cl", "#include \"self.cl\"\nx\n");
    expect("self.cl", "#line 1 \"self.cl\"\n#line 2 \"self.cl\"\nx\n");
    put("one.cl", "#include \"two.cl\"\n1\n");
    put("two.cl", "#include \"one.cl\"\n2\n");
    expect("one.cl",
           "#line 1 \"one.cl\"\n#line 1 \"two.cl\"\n#line 2 \"two.cl\"\n2\n#line 2 \"one.cl\"\n1\n");
    shoal_close(&shoal);
}

static void texts_that_are_no_includes_stay(void **state)
{
    (void)state;
    static const char text[] =
        "#include <lib/b.clh>\n// #include \"none\"\n#includes \"none\"\n#include\n#include x\n"
        "#include \"\n#\n \n#pragma once\nint include = 1; \"none\"\n";
    char wanted[512];
    open_dir(test_folder());
    put("a.cl", text);
    snprintf(wanted, sizeof wanted, "#line 1 \"a.cl\"\n%s", text);
    expect("a.cl", wanted);
    put("empty.cl", "");
    expect("empty.cl", "#line 1 \"empty.cl\"\n");
    shoal_close(&shoal);
}

static void missing_includes_name_file_and_line(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("a.cl", "x\n#include \"lib/b.clh\"\n");
    put("lib/b.clh", "\n\n#include \"lib/none.clh\"\n");
    expect_failure("a.cl", SHOAL_INVALID, "lib/b.clh:3");
    assert_contains(test_error.message, "lib/none.clh");
    expect_failure("none.cl", SHOAL_INVALID, "none.cl");
    shoal_close(&shoal);
}

static void names_stay_in_the_folder(void **state)
{
    (void)state;
    put("secret.cl", "outside\n");
    put("kernels/ok.cl", "x\n");
    open_dir(test_path("kernels"));
    static const char *const wrong[] = {
        "/etc/passwd", "../secret.cl", "lib/../../secret.cl", "..", "a b.cl", "a\\b.cl", "$HOME/x.cl", "",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_failure(wrong[i], SHOAL_INVALID, "relative");
        char text[128];
        snprintf(text, sizeof text, "x\n#include \"%s\"\n", wrong[i]);
        put("kernels/a.cl", text);
        expect_failure("a.cl", SHOAL_INVALID, "a.cl:2");
    }
    expect("ok.cl", "#line 1 \"ok.cl\"\nx\n");
    shoal_close(&shoal);
}

static void endless_chains_end(void **state)
{
    (void)state;
    open_dir(test_folder());
    for (int i = 0; i < 200; i++) {
        char text[64];
        snprintf(text, sizeof text, "#include \"f%d.clh\"\n", i + 1);
        test_write_text(test_path("f%d.clh", i), text);
    }
    expect_failure("f0.clh", SHOAL_INVALID, "more than");
    /* Two spellings of one name are not a way round. */
    put("loop.cl", "#include \"./loop.cl\"\n");
    put("a/loop.cl", "#include \"a/./loop.cl\"\n");
    char *text = NULL;
    enum shoal_status status = shoal_kernel_source(shoal, "loop.cl", &text, &test_error);
    assert_true(status == SHOAL_OK || status == SHOAL_INVALID);
    free(text);
    shoal_close(&shoal);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    open_dir(test_folder());
    mkdir(test_path("folder.cl"), 0700);
    expect_failure("folder.cl", SHOAL_IO, "folder.cl");
    test_write_file(test_path("nul.cl"), "a\0b\n", 4);
    expect_failure("nul.cl", SHOAL_IO, "nul.cl");
    if (geteuid() != 0) {
        put("locked.cl", "x\n");
        chmod(test_path("locked.cl"), 0);
        expect_failure("locked.cl", SHOAL_IO, "locked.cl");
    }
    char *text;
    assert_status(shoal_kernel_source(NULL, "a.cl", &text, &test_error), SHOAL_INVALID);
    assert_status(shoal_kernel_source(shoal, NULL, &text, &test_error), SHOAL_INVALID);
    assert_status(shoal_kernel_source(shoal, "a.cl", NULL, &test_error), SHOAL_INVALID);
    shoal_close(&shoal);
}

static void embedded_files_are_complete(void **state)
{
    (void)state;
    open_dir(NULL);
    size_t count = 0;
    for (const struct embedded_file *file = embedded_files; file->name; file++) {
        if (file > embedded_files)
            assert_true(strcmp(file[-1].name, file->name) < 0);
        assert_ptr_equal(source_embedded(file->name), file->text);
        char *text;
        assert_ok(shoal_kernel_source(shoal, file->name, &text, &test_error));
        char marker[300];
        snprintf(marker, sizeof marker, "#line 1 \"%s\"\n", file->name);
        assert_int_equal(strncmp(text, marker, strlen(marker)), 0);
        assert_lacks(text, "\n#include \"");
        free(text);
        count++;
    }
    assert_true(count > 0);
    assert_null(source_embedded("none.cl"));
    assert_null(source_embedded(""));
    /* Every contract has its text. */
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        assert_non_null(source_embedded(desc->file));
        if (desc->native)
            assert_non_null(source_embedded(desc->native));
    }
    shoal_close(&shoal);
}

/* A file of the kernel folder replaces the embedded one, also where another includes it. */
static void the_kernel_folder_overrides(void **state)
{
    (void)state;
    const char *name = embedded_files[0].name;
    char include[300], wanted[700];
    snprintf(include, sizeof include, "#include \"%s\"\n", name);
    put("mine.cl", include);

    open_dir(test_folder());
    char *embedded;
    assert_ok(shoal_kernel_source(shoal, name, &embedded, &test_error));
    char *text;
    assert_ok(shoal_kernel_source(shoal, "mine.cl", &text, &test_error));
    assert_contains(text, embedded);
    free(text);
    free(embedded);
    test_write_text(test_path("%s", name), "replaced\n");
    snprintf(wanted, sizeof wanted, "#line 1 \"mine.cl\"\n#line 1 \"%s\"\nreplaced\n#line 2 \"mine.cl\"\n",
             name);
    expect("mine.cl", wanted);
    shoal_close(&shoal);

    /* From the environment too; the parameter wins. */
    setenv("SHOAL_KERNEL_DIR", test_folder(), 1);
    open_dir(NULL);
    expect("mine.cl", wanted);
    shoal_close(&shoal);
    open_dir("");
    expect_failure("mine.cl", SHOAL_INVALID, "mine.cl");
    shoal_close(&shoal);

    /* Built-in kernels never stand in for a folder that is not there. */
    struct shoal_params params;
    shoal_params_init(&params);
    params.host_only = true;
    params.kernel_dir = test_path("nowhere");
    assert_status(shoal_open(&shoal, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "/nowhere: there is no such folder of kernels");
    assert_null(shoal);
    params.kernel_dir = test_path("%s", name);
    assert_status(shoal_open(&shoal, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, ": is no folder: give one that holds kernels");
    params.kernel_dir = NULL;
    setenv("SHOAL_KERNEL_DIR", test_path("nowhere"), 1);
    assert_status(shoal_open(&shoal, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "SHOAL_KERNEL_DIR: ");
    setenv("SHOAL_KERNEL_DIR", "", 1);
    open_dir(NULL);
    expect_failure("mine.cl", SHOAL_INVALID, "mine.cl");
    shoal_close(&shoal);
}

static enum shoal_status flatten(const char *file, const char *text, const char *name, char **out)
{
    const struct shoal_program_params params = {.size = sizeof params, .text = text, .text_name = name};
    return source_flatten(shoal, file, &params, out, &test_error);
}

/* Text of the caller: may include our files, its own name is in the markers. */
static void texts_of_callers_are_flattened(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("lib/c.clh", "c1\n");
    char *text;
    assert_ok(flatten("pso/pso.cl", "a\n#include \"lib/c.clh\"\nb", "user/wave.cl", &text));
    assert_string_equal(
        text, "#line 1 \"user/wave.cl\"\na\n#line 1 \"lib/c.clh\"\nc1\n#line 3 \"user/wave.cl\"\nb\n");
    free(text);
    assert_ok(flatten("pso/pso.cl", "a\n", NULL, &text));
    assert_string_equal(text, "#line 1 \"pso/pso.cl\"\na\n");
    free(text);
    /* A name that could break a marker is cut down to a plain one. */
    static const char *const names[] = {"/abs/path/wave.cl", "..",          "a\"\n#error", "",
                                        "dir/../wave.cl",    "w\xc3\xb6.cl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(flatten("pso/pso.cl", "a\n", names[i], &text));
        const char *end = strchr(text, '\n');
        assert_int_equal(strncmp(text, "#line 1 \"", 9), 0);
        assert_string_equal(end, "\na\n");
        assert_lacks(text, "..");
        assert_lacks(text, "/");
        free(text);
    }
    assert_status(flatten("x.cl", "\n#include \"none.clh\"\n", "wave.cl", &text), SHOAL_INVALID);
    assert_contains(test_error.message, "wave.cl:2");
    shoal_close(&shoal);
}

/* A text of the caller in place of an included file, under its own name in the markers. */
static void texts_stand_for_files(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("pso/pso.cl", "a\n#include \"lib/c.clh\"\nb\n");
    put("lib/c.clh", "c1\n");
    const struct shoal_kernel_text texts[] = {{"lib/d.clh", "d1\n", NULL},
                                              {"lib/c.clh", "#include \"lib/d.clh\"\nmine\n", "my/own.cl"}};
    const struct shoal_program_params params = {.size = sizeof params, .texts = texts, .text_count = 2};
    char *text;
    assert_ok(source_flatten(shoal, "pso/pso.cl", &params, &text, &test_error));
    assert_string_equal(text, "#line 1 \"pso/pso.cl\"\na\n#line 1 \"my/own.cl\"\n#line 1 \"lib/d.clh\"\nd1\n"
                              "#line 2 \"my/own.cl\"\nmine\n#line 3 \"pso/pso.cl\"\nb\n");
    free(text);
    /* Also where the file was flattened before, with what stood there then and its own includes. */
    put("pso/pso.cl", "#line 1 \"pso/pso.cl\"\na\n#line 1 \"lib/c.clh\"\nc1\n#line 1 \"lib/e.clh\"\ne1\n"
                      "#line 3 \"lib/c.clh\"\nc3\n#line 3 \"pso/pso.cl\"\nb\n");
    assert_ok(source_flatten(shoal, "pso/pso.cl", &params, &text, &test_error));
    assert_string_equal(text, "#line 1 \"pso/pso.cl\"\n#line 1 \"pso/pso.cl\"\na\n#line 1 \"my/own.cl\"\n"
                              "#line 1 \"lib/d.clh\"\nd1\n#line 2 \"my/own.cl\"\nmine\n"
                              "#line 3 \"pso/pso.cl\"\nb\n");
    free(text);
    put("pso/pso.cl", "#line 1 \"lib/c.clh\"\nc1");
    assert_ok(source_flatten(shoal, "pso/pso.cl", &params, &text, &test_error));
    assert_lacks(text, "c1");
    free(text);
    shoal_close(&shoal);
}

static void windows_line_ends_are_taken(void **state)
{
    (void)state;
    open_dir(test_folder());
    put("a.cl", "x\r\n#include \"c.clh\"\r\ny\r\n");
    put("c.clh", "c\r\n");
    expect("a.cl", "#line 1 \"a.cl\"\nx\r\n#line 1 \"c.clh\"\nc\r\n#line 3 \"a.cl\"\ny\r\n");
    shoal_close(&shoal);
}

/* For compilers that count the lines of the whole text. */
static void lines_of_the_whole_text_are_located(void **state)
{
    (void)state;
    static const char text[] =
        "#line 1 \"a.cl\"\nfirst\n#line 1 \"lib/b.clh\"\nb1\nb2\n#line 3 \"a.cl\"\nthird";
    const struct {
        unsigned long physical, line;
        const char *name;
    } places[] = {{2, 1, "a.cl"}, {4, 1, "lib/b.clh"}, {5, 2, "lib/b.clh"}, {7, 3, "a.cl"}};
    const char *name = NULL;
    int length = 0;
    unsigned long line = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_true(source_locate(text, places[i].physical, &name, &length, &line));
        assert_int_equal(line, places[i].line);
        assert_int_equal(length, strlen(places[i].name));
        assert_memory_equal(name, places[i].name, (size_t)length);
    }
    assert_false(source_locate(text, 8, &name, &length, &line));
    assert_false(source_locate(text, 0, &name, &length, &line));
    assert_false(source_locate("no marker\n", 1, &name, &length, &line));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(includes_are_put_in_with_markers),
        UNIT_TEST(each_file_is_included_once),
        UNIT_TEST(texts_that_are_no_includes_stay),
        UNIT_TEST(missing_includes_name_file_and_line),
        UNIT_TEST(names_stay_in_the_folder),
        UNIT_TEST(endless_chains_end),
        UNIT_TEST(files_that_cannot_be_read_are_named),
        UNIT_TEST(embedded_files_are_complete),
        UNIT_TEST(the_kernel_folder_overrides),
        UNIT_TEST(texts_of_callers_are_flattened),
        UNIT_TEST(texts_stand_for_files),
        UNIT_TEST(windows_line_ends_are_taken),
        UNIT_TEST(lines_of_the_whole_text_are_located),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
