/* Objectives whose text the caller gives, compiled on the host: their facts, what is refused, and compilers
 * that misbehave. */
#include "unit.h"

#include "compute/program/text_folder.h"
#include "objective/code.h"
#include "objective/objective.h"
#include "objective/rows/table.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct shoal *shoal;

static int setup(void **state)
{
    const int failed = unit_setup(state);
    /* No compiler of the developer's. */
    unsetenv("CC");
    setenv("TMPDIR", test_folder(), 1);
    shoal = failed ? NULL : unit_open();
    return failed;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    unsetenv("CC");
    unsetenv("TMPDIR");
    return unit_teardown(state);
}

/* The instance reads $CC when it is opened. */
static void open_with_compiler(const char *compiler)
{
    shoal_close(&shoal);
    setenv("CC", compiler, 1);
    shoal = unit_open();
}

static const char opaque[] = "#define SHAPE OPAQUE /* the whole */\n"
                             "#define LOWER (R(-2.5))\n"
                             "#define UPPER 4.5f // not read by kernels\n"
                             "#define MINIMUM -1e-3\n"
                             "#define MIN_DIM 3\n"
                             "static inline real objective_value(const real *x, uint dim)\n"
                             "{\n"
                             "    return x[0] + x[dim - 1];\n"
                             "}\n";

static void the_embedded_texts_give_the_textbook_values(void **state)
{
    (void)state;
    static const char *const names[] = {"ackley", "griewank",    "rosenbrock",
                                        "f2",     "michalewicz", "griewank-100"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct shoal_objective *built_in = shoal_objective_find(names[i]);
        struct shoal_kernel_text text;
        struct shoal_objective *objective = NULL;
        double x[9];
        assert_ok(objective_kernel_text(built_in, &text, &test_error));
        assert_ok(shoal_objective_from_text(shoal, text.text, names[i], &objective, &test_error));
        assert_int_equal(shoal_objective_get_info(objective)->min_dim,
                         shoal_objective_get_info(built_in)->min_dim);
        for (size_t d = 0; d < COUNT(x); d++)
            x[d] = sin(3 * (double)d + 0.5);
        for (size_t dim = 2; dim <= COUNT(x); dim++)
            assert_near(shoal_objective_value(objective, x, dim), shoal_objective_value(built_in, x, dim),
                        1e-13 * (1 + fabs(shoal_objective_value(built_in, x, dim))));
        shoal_objective_destroy(&objective);
    }
}

static void texts_tell_their_facts(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    const double x[] = {1, 2, 3, 4};
    assert_ok(shoal_objective_from_text(shoal, opaque, "folder/my own.cl", &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_string_equal(info->name, "folder/my own.cl");
    assert_int_equal(info->shape, SHOAL_OPAQUE);
    assert_true(info->lower == -2.5 && info->upper == 4.5 && info->minimum == -1e-3);
    assert_int_equal(info->min_dim, 3);
    assert_true(shoal_objective_value(objective, x, 4) == 5);
    assert_true(shoal_objective_value(objective, x, 3) == 4);
    shoal_objective_destroy(&objective);
    /* Nothing stays behind. */
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
}

/* The bilinear form of the table, the first coordinate with the last row. */
static const char reader[] =
    "#define SHAPE OPAQUE\n"
    "#define TABLE\n"
    "static inline real entry(__global const real *table, uint row, uint column)\n"
    "{\n"
    "    return ELEMENT(table, TABLE_ROWS - 1u - row, column);\n"
    "}\n"
    "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
    "{\n"
    "    real sum = R(0.0);\n"
    "    for (uint row = 0; row < min(dim, (uint)TABLE_ROWS); row++)\n"
    "        for (uint column = 0; column < COLUMNS; column++)\n"
    "            sum += x[row] * entry(table, row, column) * (real)(column + 1u);\n"
    "    return sum;\n"
    "}\n";

static void texts_read_a_table(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4, 5, 6};
    const double x[] = {10, 100, 1000};
    double bad[] = {1, 2, 3, NAN, 5, 6};
    struct shoal_objective *objective = NULL;
    assert_ok(
        shoal_objective_from_text_table(shoal, reader, "form.cl", values, 3, 2, &objective, &test_error));
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_int_equal(info->shape, SHOAL_OPAQUE);
    assert_int_equal(info->min_dim, 1);
    assert_true(shoal_objective_value(objective, x, 3) == 10 * 17 + 100 * 11 + 1000 * 5);
    assert_true(shoal_objective_value(objective, x, 1) == 10 * 17);
    shoal_objective_destroy(&objective);
    assert_ok(shoal_objective_from_text_table(shoal, reader, NULL, values, 1, 6, &objective, &test_error));
    assert_true(shoal_objective_value(objective, x, 3) == 10 * 91);
    shoal_objective_destroy(&objective);

    assert_status(
        shoal_objective_from_text_table(shoal, reader, "form.cl", bad, 3, 2, &objective, &test_error),
        SHOAL_INVALID);
    assert_string_equal(test_error.message, "form.cl: row 2, column 2: NaN is not finite");
    assert_status(
        shoal_objective_from_text_table(shoal, reader, "form.cl", values, 0, 2, &objective, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "form.cl: the table has no rows");
    assert_status(
        shoal_objective_from_text_table(shoal, NULL, "form.cl", values, 3, 2, &objective, &test_error),
        SHOAL_INVALID);
    assert_status(
        shoal_objective_from_text_table(shoal, opaque, "my.cl", values, 3, 2, &objective, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "my.cl: the text reads no table: add a line #define TABLE");
    assert_status(shoal_objective_from_text(shoal, reader, "form.cl", &objective, &test_error),
                  SHOAL_INVALID);
    assert_string_equal(test_error.message, "form.cl: it has a line #define TABLE: give it a table (--data)");
    const struct shoal_rows rows = {
        .size = sizeof rows, .values = values, .rows = 3, .columns = 2, .text = reader, .name = "form.cl"};
    assert_status(shoal_objective_from_rows(shoal, &rows, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "one that is OPAQUE to shoal_objective_from_text_table");
    assert_null(objective);
}

static void tables_of_texts_are_read_from_files(void **state)
{
    (void)state;
    const char *path = test_path("form.csv");
    const double x[] = {10, 100, 1000};
    struct objective_file file = {.path = path, .text = reader, .name = "form.clh", .dim = 3};
    struct shoal_objective *objective = NULL;
    test_write_text(path, "1,2\n3,4\n5,6\n");
    assert_ok(objective_from_table_file(shoal, &file, &objective, &test_error));
    assert_string_equal(shoal_objective_get_info(objective)->name, "form.clh");
    assert_int_equal(shoal_objective_get_info(objective)->min_dim, 1);
    assert_true(shoal_objective_value(objective, x, 3) == 10 * 17 + 100 * 11 + 1000 * 5);
    /* It is in memory once, as the text reads it. */
    for (size_t i = 0; i < 6; i++)
        assert_true(objective->table->tiles[i] == (double)i + 1);
    shoal_objective_destroy(&objective);
    file.squared = true;
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "squared belongs to the built-in residual");
    file.squared = false;
    file.text = opaque;
    /* Faults of the text are those of its file. */
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "form.clh: the text reads no table");
    file.text = "#define SHAPE NONE\n";
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_IO);
    file.text = "#define SHAPE DATA_ROWS\n#define MIN_DIM 3\nobjective_residual();\n";
    file.dim = 2;
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "form.clh: takes dim 3 to 1048576, not 2");
    file.dim = 0;
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "form.clh: the dim of x does not follow from the table");
    file.text = reader;
    test_write_text(path, "1,2\n3,inf\n");
    assert_status(objective_from_table_file(shoal, &file, &objective, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "form.csv: row 2 (line 2), column 2: 'inf' is not finite");
    assert_null(objective);
}

static void rows_are_summed(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE DATA_ROWS\n"
                               "#define RULE(r) fabs(r)\n"
                               "static inline real objective_residual(const real *x, const real *row)\n"
                               "{\n"
                               "    real rest = row[COLUMNS - 1];\n"
                               "    for (int d = 0; d < DIM; d++)\n"
                               "        rest -= x[d] * row[d];\n"
                               "    return rest;\n"
                               "}\n";
    static const double rows[] = {1, 2, 5, 3, 4, 6}, x[] = {1, 1};
    const struct code_params params = {.text = text, .name = "rows.cl", .dim = 2, .columns = 3};
    struct objective_code *code = NULL;
    struct text_facts facts;
    char *checked = NULL;
    assert_ok(text_read(shoal, text, "rows.cl", &checked, &facts, &test_error));
    free(checked);
    assert_int_equal(facts.shape, SHOAL_DATA_ROWS);
    assert_ok(code_create(shoal, &params, &code, &test_error));
    assert_true(code_value(code, x, 2, rows, 2) == 3);
    code_destroy(&code);
    assert_null(code);
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, text, "rows.cl", &objective, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message,
                        "rows.cl: its SHAPE is DATA_ROWS: give it a table of rows (--data)");
}

/* A text without SINGLES that is otherwise whole. */
#define SINGLE "#define SHAPE PER_DIMENSION\n#define TERMS 1\nobjective_terms(); objective_finish();\n\n"

/* A dimension outside the point is its last one. */
static void terms_use_single_coordinates(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE PER_DIMENSION\n"
        "#define TERMS 1\n"
        "#define SINGLES 2\n"
        "#define MIN_DIM 2\n"
        "static inline uint objective_single(int j) { return j == 0 ? 1u : 100u; }\n"
        "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
        "{\n"
        "    term[0] = x * term[TERMS];\n"
        "}\n"
        "static inline real objective_finish(const real *sum, uint dim)\n"
        "{\n"
        "    return sum[0] + R(100.0) * sum[TERMS] + R(1000.0) * sum[TERMS + 1];\n"
        "}\n";
    const double x[] = {1, 2, 3};
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_text(shoal, text, "singles.cl", &objective, &test_error));
    assert_int_equal(objective->singles, 2);
    assert_int_equal(shoal_objective_get_info(objective)->min_dim, 2);
    assert_true(shoal_objective_value(objective, x, 3) == 12 + 200 + 3000);
    assert_true(shoal_objective_value(objective, x, 2) == 6 + 200 + 2000);
    shoal_objective_destroy(&objective);
}

static void texts_are_refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "my.cl: an objective needs a line #define SHAPE"},
        {"/* #define SHAPE OPAQUE */\n// #define SHAPE OPAQUE\n",
         "my.cl: an objective needs a line #define SHAPE"},
        {"\n# define\tSHAPE ROUND\n", "my.cl:2: SHAPE is PER_DIMENSION, DATA_ROWS or OPAQUE, not \"ROUND\""},
        {"#define SHAPE PER_DIMENSION\n",
         "my.cl: the text has no function static inline void objective_terms("},
        {"#define SHAPE PER_DIMENSION\nobjective_terms();",
         "no function static inline real objective_finish("},
        {"#define SHAPE DATA_ROWS", "no function static inline real objective_residual("},
        {"#define SHAPE OPAQUE\nmy_objective_value();", "no function static inline real objective_value("},
        {"#define SHAPE PER_DIMENSION\nobjective_terms(); objective_finish();",
         "needs a line #define TERMS with a number from 1 to 4"},
        {"#define SHAPE PER_DIMENSION\n#define TERMS 5\nobjective_terms(); objective_finish();",
         "my.cl:2: TERMS is a number from 1 to 4, not \"5\""},
        {SINGLE "#define SINGLES 65\n", "my.cl:5: SINGLES is a number from 1 to 64, not \"65\""},
        {SINGLE "#define SINGLES 2\n",
         "my.cl:5: SINGLES needs a function static inline uint objective_single(int j)"},
        {SINGLE "#define SINGLES 2\nobjective_single();\n",
         "my.cl:5: SINGLES needs a line #define MIN_DIM: objective_single is below it"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define SINGLES 1\n",
         "my.cl:3: SINGLES is for PER_DIMENSION"},
        {SINGLE "#define TABLE\n", "my.cl:5: TABLE is for OPAQUE"},
        {SINGLE "TABLE_ROWS;\n", "my.cl:5: TABLE_ROWS is for OPAQUE with a line #define TABLE"},
        {SINGLE "COLUMNS;\n", "my.cl:5: COLUMNS is for DATA_ROWS, and for OPAQUE with a line #define TABLE"},
        {"#define SHAPE OPAQUE\nobjective_value();\nTABLE_ROWS;\n", "my.cl:3: TABLE_ROWS is for OPAQUE with"},
        {"#define SHAPE DATA_ROWS\nobjective_residual();\n1 + TABLE_ROWS;\n",
         "my.cl:3: TABLE_ROWS is for OPAQUE with"},
        {"#define SHAPE OPAQUE\n#define TABLE\n", "no function static inline real objective_value(const real "
                                                  "*x, __global const real *table, uint dim)"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define LOWER low\n",
         "my.cl:3: LOWER must be a number, not \"low\""},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define UPPER\n",
         "my.cl:3: UPPER must be a number, not \"\""},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define LOWER 2\n#define UPPER 2\n",
         "my.cl: LOWER 2 is not less than UPPER 2"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define MIN_DIM 0\n",
         "my.cl:3: a dimension is a whole number"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define MAX_DIM 1.5\n",
         "my.cl:3: a dimension is a whole number"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define MIN_DIM 4\n#define MAX_DIM 3\n",
         "my.cl: it takes dim 4 to 3, which is no dimension"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#if DIM > 2\n#endif\n", "my.cl:3: a condition on DIM"},
        {"#define SHAPE PER_DIMENSION\n#define TERMS 1\nobjective_terms(); objective_finish();\nx / DIM;\n",
         "my.cl:4: DIM is not for PER_DIMENSION: use the argument dim"},
        {"#define SHAPE OPAQUE\n\n#include \"no/such.clh\"\n",
         "my.cl:3: there is no kernel file \"no/such.clh\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = (void *)&cases;
        assert_status(shoal_objective_from_text(shoal, cases[i].text, "my.cl", &objective, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(objective);
    }
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, NULL, "my.cl", &objective, &test_error), SHOAL_INVALID);
}

static void errors_of_the_compiler_name_the_line(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE OPAQUE\n"
                               "static inline real objective_value(const real *x, uint dim)\n"
                               "{\n"
                               "    return x[0] * unknown + missing(dim);\n"
                               "}\n";
    struct shoal_objective *objective = NULL;
    assert_status(shoal_objective_from_text(shoal, text, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_contains(test_error.message, "my.cl does not compile: my.cl:4: ");
    assert_contains(test_error.log, "my.cl:4:");
    assert_contains(test_error.log, "unknown");
    assert_contains(test_error.log, "missing");
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 0);
}

static void a_machine_without_a_compiler_is_told(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    open_with_compiler("/nonexistent/cc -O1");
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_contains(test_error.message,
                    "there is no program \"/nonexistent/cc -O1\": correct CC or unset it");
    open_with_compiler("   ");
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                  SHOAL_BUILD_FAILED);
    open_with_compiler("");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    const enum shoal_status status =
        shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, SHOAL_BUILD_FAILED);
    assert_contains(test_error.message, "finds no cc, gcc or clang: install gcc");
}

/* A program in place of the compiler. */
static void compiler_script(const char *body)
{
    const char *script = test_path("compiler");
    test_write_text(script, body);
    assert_int_equal(chmod(script, 0700), 0);
    open_with_compiler(script);
}

static void compilers_that_misbehave_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"#!/bin/sh\nexit 3\n", "failed with status 3 without a message"},
        {"#!/bin/sh\nkill -9 $$\n", "was ended by signal 9"},
        {"#!/bin/sh\necho here we stop\nexit 1\n", "my.cl does not compile: here we stop"},
        {"#!/bin/sh\nexit 0\n", "its machine code cannot be loaded"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = NULL;
        compiler_script(cases[i].script);
        assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_contains(test_error.message, cases[i].message);
    }
}

static void a_compiler_without_the_processor_option_is_used_without(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    compiler_script("#!/bin/sh\n"
                    "case \"$*\" in *-march*) echo bad value for -march= >&2; exit 1;; esac\n"
                    "exec cc \"$@\"\n");
    assert_ok(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error));
    shoal_objective_destroy(&objective);
}

static void a_folder_that_cannot_be_used_is_passed_over(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    shoal_close(&shoal);
    setenv("TMPDIR", "/proc/nowhere", 1);
    shoal = unit_open();
    unit_log_clear();
    for (int i = 0; i < 2; i++) { /* one line */
        assert_ok(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error));
        shoal_objective_destroy(&objective);
    }
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "my.cl: cannot be compiled in /proc/nowhere: ");
    assert_contains(unit_log(), "; compiled in /tmp instead");
}

static void folders_of_ended_processes_are_removed(void **state)
{
    (void)state;
    struct text_folder mine, other;
    assert_int_equal(text_folder_create("/proc/nowhere", &mine), ENOENT);
    char *parent = strdup(test_path("parent")), *abandoned = strdup(test_path("parent/shoal-text-123456")),
         *file = strdup(test_path("parent/shoal-text-123456/text.so"));
    assert_int_equal(text_folder_create(parent, &mine), 0);
    assert_int_equal(mkdir(abandoned, 0700), 0);
    test_write_text(file, "code");
    assert_int_equal(text_folder_create(parent, &other), 0);
    assert_int_equal(access(abandoned, F_OK), -1);
    assert_int_equal(access(mine.path, F_OK), 0);
    text_folder_remove(&mine);
    text_folder_remove(&other);
    assert_int_equal(rmdir(parent), 0);
    free(file);
    free(abandoned);
    free(parent);
}

/* True once the compiler has said, by a file, that its helper runs. */
static bool stop_when_it_runs(void *data)
{
    return access(data, F_OK) == 0;
}

/* Within seconds. Whoever takes orphans may leave them as zombies for long. */
static bool has_ended(int process)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    for (int i = 0; i < 500; i++) {
        FILE *file = fopen(path, "r");
        const bool is_there = file && fgets(line, sizeof line, file);
        if (file)
            fclose(file);
        if (!is_there || strstr(line, ") Z ") || strstr(line, ") X "))
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

static void a_compiler_is_ended_with_what_it_started(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    char *script = strdup(test_path("compiler")), *running = strdup(test_path("running"));
    char body[400];
    snprintf(body, sizeof body,
             "#!/bin/sh\necho > \"$TMPDIR/left\"\nsleep 1000 & echo $! > '%s.new'\nmv '%s.new' '%s'\nwait\n",
             running, running, running);
    test_write_text(script, body);
    assert_int_equal(chmod(script, 0700), 0);
    setenv("CC", script, 1);
    setenv("TMPDIR", test_path("temporary"), 1);
    shoal_close(&shoal);
    struct shoal_params params = unit_params();
    params.stop = stop_when_it_runs;
    params.stop_data = running;
    shoal = unit_open_with(&params);
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error), SHOAL_STOPPED);
    assert_contains(test_error.message, "my.cl: stopped while it was compiled");
    assert_int_equal(rmdir(test_path("temporary")), 0); /* it is empty */
    FILE *file = fopen(running, "r");
    int helper = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &helper), 1);
    fclose(file);
    assert_true(has_ended(helper));
    free(running);
    free(script);
}

/* A program that takes no note of processes that end learns the same. */
static void the_end_of_a_compiler_may_be_unseen(void **state)
{
    struct shoal_objective *objective = NULL;
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction before;
    assert_int_equal(sigaction(SIGCHLD, &ignored, &before), 0);
    errors_of_the_compiler_name_the_line(state);
    assert_ok(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error));
    shoal_objective_destroy(&objective);
    a_machine_without_a_compiler_is_told(state);
    assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

static bool stop_at_once(void *data)
{
    (void)data;
    return true;
}

static void ignore_it_in_a_handler(int number)
{
    (void)number;
}

/* The program handles the signal that ends the compiler, also in the process between the two. */
static void a_compiler_that_begins_after_the_stop_is_ended(void **state)
{
    (void)state;
    struct shoal_objective *objective = NULL;
    char *ended = strdup(test_path("ended"));
    char body[400];
    snprintf(body, sizeof body, "#!/bin/sh\nsleep 2\necho > '%s'\n", ended);
    compiler_script(body);
    shoal_close(&shoal);
    struct shoal_params params = unit_params();
    params.stop = stop_at_once;
    shoal = unit_open_with(&params);
    const struct sigaction action = {.sa_handler = ignore_it_in_a_handler};
    struct sigaction before, after;
    assert_int_equal(sigaction(SIGTERM, &action, &before), 0);
    assert_status(shoal_objective_from_text(shoal, opaque, "my.cl", &objective, &test_error), SHOAL_STOPPED);
    assert_int_equal(access(ended, F_OK), -1);
    assert_int_equal(sigaction(SIGTERM, &before, &after), 0);
    assert_ptr_equal(after.sa_handler, ignore_it_in_a_handler);
    free(ended);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_embedded_texts_give_the_textbook_values),
        TEST(texts_tell_their_facts),
        TEST(texts_read_a_table),
        TEST(tables_of_texts_are_read_from_files),
        TEST(rows_are_summed),
        TEST(terms_use_single_coordinates),
        TEST(texts_are_refused_with_file_and_line),
        TEST(errors_of_the_compiler_name_the_line),
        TEST(a_machine_without_a_compiler_is_told),
        TEST(compilers_that_misbehave_are_told),
        TEST(a_compiler_without_the_processor_option_is_used_without),
        TEST(a_folder_that_cannot_be_used_is_passed_over),
        TEST(folders_of_ended_processes_are_removed),
        TEST(a_compiler_is_ended_with_what_it_started),
        TEST(the_end_of_a_compiler_may_be_unseen),
        TEST(a_compiler_that_begins_after_the_stop_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
