/* Texts of objectives through NVRTC: built-in functions and formulas compile without a word in the log, do no
 * fp64 arithmetic in fp32, and a formula costs no more than the built-in function that it is. In quick those
 * of test_is_of_quick. Skipped (77) without NVRTC. */
#include "test.h"

#include "compute/cuda/compile.h"
#include "compute/program/source.h"
#include "objective/objective.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static struct nvrtc nvrtc;
static struct shoal_error error;

/* One dimension of one point. */
static const char text[] = "#include \"objective/objective.clh\"\n"
                           "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                           "void terms_of(__global const real *x, __global real *y, uint dim)\n"
                           "{\n"
                           "    const uint d = (uint)get_global_id(0);\n"
                           "    terms sum = terms_none();\n"
                           "    int k;\n"
                           "    for (k = 0; k < SINGLES; k++)\n"
                           "        sum.a[TERMS + k] = x[single_dimension(k, dim)];\n"
                           "    sum = terms_add(sum, x[d], x[d + 1u], d, dim);\n"
                           "    for (k = 0; k < TERMS; k++)\n"
                           "        y[d * TERMS + k] = sum.a[k];\n"
                           "}\n"
                           "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                           "void value_of(__global const real *x, __global real *y, uint dim)\n"
                           "{\n"
                           "    terms sum;\n"
                           "    int k;\n"
                           "    for (k = 0; k < TERMS + SINGLES; k++)\n"
                           "        sum.a[k] = x[k];\n"
                           "    y[0] = terms_value(sum, dim);\n"
                           "}\n";

static const struct twin {
    const char *name, *formula;
} twins[] = {
    {"sphere", "sum(x[i]^2)"},
    {"rosenbrock", "sum(100*(x[i+1] - x[i]^2)^2 + (1 - x[i])^2)"},
    {"rastrigin", "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)"},
    {"ackley", "20 + e - 20*exp(-0.2*sqrt(sum(x[i]^2)/D)) - exp(sum(cos(2*pi*x[i]))/D)"},
    {"griewank", "1 + sum(x[i]^2)/4000 - prod(cos(x[i]/sqrt(i)))"},
    {"ellipsoid", "sum(10^(6*(i - 1)/(D - 1))*x[i]^2)"},
    {"schwefel", "sum(418.9828872724338 - x[i]*sin(sqrt(abs(x[i]))))"},
    {"styblinski-tang", "sum(x[i]^4 - 16*x[i]^2 + 5*x[i])/2"},
    {"f1", "sum(sin(x[i]) + sin(2*x[i]/3))"},
    {"f2", "sum(sin(x[i] + x[i+1]) + sin(2*x[i]*x[i+1]/3))"},
    {"michalewicz", "-sum(sin(x[i])*sin(i*x[i]^2/pi)^20)"},
    {"griewank-100", "1 + sum((x[i] - 100)^2/4000) - prod(cos((x[i] - 100)/sqrt(i)))"},
};

/* Formulas with coordinates of their own, in sums of neighbours and without sums. */
static const char *const singles[] = {"(x[1]-1)^2 + x[4]*sum(x[2]*x[i+1] - x[i])", "x[3]*cos(x[2]) - x[1]"};

enum { MOST_DEFINES = 4 };

/* Text of the PTX, NULL where it does not compile; with less than MOST_DEFINES defines in `params`. */
static char *compile_file(const char *file, const struct shoal_program_params *params, const char *what,
                          int real)
{
    char words[MOST_DEFINES][24], *flat, *log;
    const char *const defines[] = {words[0], words[1], words[2], words[3]};
    struct cuda_image image;
    if (source_flatten(NULL, file, params, &flat, &error)) {
        printf("%s: %s\n", what, error.message);
        return NULL;
    }
    snprintf(words[0], sizeof *words, "REAL=%d", real);
    for (size_t i = 0; i < params->define_count; i++)
        snprintf(words[i + 1], sizeof *words, "%s=%d", params->defines[i].name,
                 (int)params->defines[i].value);
    const struct build_input input = {
        .text = flat, .name = file, .defines = defines, .define_count = 1 + params->define_count};
    const struct cuda_target target = {.architecture = 90, .ptx = true};
    enum shoal_status status = cuda_compile(&nvrtc, target, &input, &image, &log, &error);
    if (status || log)
        printf("%s, fp%d: %s\n%s\n", what, real, status ? error.message : "the log is not empty",
               log ? log : error.log);
    const bool good = !status && !log;
    if (!status && log)
        free(image.data);
    free(log);
    free(flat);
    return good ? image.data : NULL;
}

static char *compile(const struct shoal_objective *objective, const char *what, int real)
{
    struct shoal_kernel_text snippet;
    if (objective_kernel_text(objective, &snippet, &error)) {
        printf("%s: %s\n", what, error.message);
        return NULL;
    }
    const struct shoal_program_params params = {
        .size = sizeof params, .text = text, .text_name = "probe.cl", .texts = &snippet, .text_count = 1};
    return compile_file("probe.cl", &params, what, real);
}

/* Instructions of the entry terms_of, those that do not calculate left out. */
static int count_instructions(const char *ptx)
{
    static const char *const others[] = {"ld.", "st.", "mov", "cvta", "ret", "bra", "@",
                                         ".",   "$",   "//",  "{",    "}",   "("};
    const char *line = strstr(ptx, ".entry terms_of"), *end = line ? strstr(line, "\n}") : NULL;
    int count = 0;
    for (; line && line < end; line = strchr(line, '\n') + 1) {
        while (isspace((unsigned char)*line) && *line != '\n')
            line++;
        bool counts = *line != '\n';
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            counts &= strncmp(line, others[i], strlen(others[i])) != 0;
        count += counts;
    }
    return count;
}

/* Instructions, 0 where something is wrong. */
static int check(const struct shoal_objective *objective, const char *what)
{
    char *ptx[2] = {compile(objective, what, 32), compile(objective, what, 64)};
    int count = ptx[0] && ptx[1] ? count_instructions(ptx[0]) : 0;
    for (const char *at = ptx[0]; at && (at = strstr(at, ".f64")) != NULL; at += 4)
        if (!isalnum((unsigned char)at[4])) {
            printf("%s: fp64 arithmetic in fp32\n", what);
            count = 0;
            break;
        }
    free(ptx[0]);
    free(ptx[1]);
    return count;
}

/* A cosine of turns subtracts the nearest whole number, for which a GPU has an instruction. By additions and
 * a comparison the whole step of a swarm takes 5 % more time. */
static bool turns_are_rounded_by_an_instruction(void)
{
    char *ptx = compile(shoal_objective_find("rastrigin"), "rastrigin", 32);
    const bool good = ptx && strstr(ptx, "cvt.rni.f32.f32");
    if (ptx && !good)
        printf("rastrigin: no cvt.rni.f32.f32\n");
    free(ptx);
    return good;
}

/* eval_genes of the built-in functions over genes. */
static int count_genes_that_fail(void)
{
    int failures = 0;
    for (size_t i = 0; i < shoal_objective_count(); i++) {
        const struct shoal_objective *objective = shoal_objective_at(i);
        struct shoal_kernel_text snippet;
        if (!objective->info.variables || !test_is_of_quick((unsigned)i))
            continue;
        enum shoal_status status = objective_kernel_text(objective, &snippet, &error);
        const struct shoal_program_params params = {
            .size = sizeof params, .texts = &snippet, .text_count = 1};
        for (int real = 32; real <= 64 && !status; real += 32) {
            char *ptx = compile_file("objective/eval_genes.cl", &params, objective->info.name, real);
            failures += !ptx;
            free(ptx);
        }
        failures += status != SHOAL_OK;
    }
    return failures;
}

/* Compiles a file with a function of BBOB; false where that fails, or where fp32 has fp64 arithmetic. */
static bool bbob_compiles(const char *file, const struct shoal_program_params *params, const char *name,
                          int real)
{
    char *ptx = compile_file(file, params, name, real);
    const bool has_fp64 = ptx && real == 32 && strstr(ptx, ".f64 ");
    if (has_fp64)
        printf("%s in %s: fp64 arithmetic in fp32\n", name, file);
    const bool good = ptx && !has_fp64;
    free(ptx);
    return good;
}

/* eval_whole of the functions of BBOB in five dimensions, for tables of a size that does not matter here;
 * those in double precision are the same text, of which one in four is compiled. One in six is also compiled
 * for groups that compute the values of eight points together. */
static int count_bbob_that_fail(void)
{
    enum { SINGLE = 2, TOGETHER = 3 };
    static const struct shoal_define sizes[] = {{"DIM", 5}, {"COLUMNS", 5}, {"TEAM_POINTS", 8}};
    int failures = 0;
    for (int f = 1; f <= 24; f++) {
        struct shoal_kernel_text snippet;
        char name[16];
        if (!test_is_of_quick((unsigned)f))
            continue;
        snprintf(name, sizeof name, "bbob-f%d", f);
        enum shoal_status status = objective_kernel_text(shoal_objective_find(name), &snippet, &error);
        struct shoal_program_params params = {.size = sizeof params,
                                              .texts = &snippet,
                                              .text_count = 1,
                                              .defines = sizes,
                                              .define_count = SINGLE};
        for (int real = 32; real <= (f % 4 ? 32 : 64) && !status; real += 32)
            failures += !bbob_compiles("objective/eval_whole.cl", &params, name, real);
        params.define_count = TOGETHER;
        for (int real = 32; real <= 64 && f % 6 == 3 && !status; real += 32)
            failures += !bbob_compiles("cmaes/methods/onchip.cl", &params, name, real);
        failures += status != SHOAL_OK;
    }
    return failures;
}

/* eval_whole of a text that reads a table. */
static bool whole_texts_compile(void)
{
    static const char reader[] =
        "#define SHAPE OPAQUE\n"
        "#define TABLE\n"
        "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
        "{\n"
        "    return x[dim - 1u] * ELEMENT(table, TABLE_ROWS - 1, COLUMNS - 1);\n"
        "}\n";
    const struct shoal_kernel_text snippet = {"objective/snippet.clh", reader, "reader.clh"};
    const struct shoal_program_params params = {.size = sizeof params, .texts = &snippet, .text_count = 1};
    char *ptx[] = {compile_file("objective/eval_whole.cl", &params, "reader.clh", 32),
                   compile_file("objective/eval_whole.cl", &params, "reader.clh", 64)};
    const bool good = ptx[0] && ptx[1];
    free(ptx[0]);
    free(ptx[1]);
    return good;
}

int main(void)
{
    char reason[LOAD_REASON_SIZE];
    int failures = 0;
    if (!nvrtc_load(&nvrtc, 0, reason)) {
        printf("skipped: %s\n", reason);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        struct shoal_objective *objective = NULL;
        if (!test_is_of_quick((unsigned)i))
            continue;
        if (shoal_objective_from_expression(twins[i].formula, &objective, &error)) {
            printf("%s\n", error.message);
            return 1;
        }
        const int by_hand = check(shoal_objective_find(twins[i].name), twins[i].name);
        const int formula = check(objective, twins[i].formula);
        printf("%-16s %3d instructions, its formula %3d\n", twins[i].name, by_hand, formula);
        /* Indices and sizes cost the formula a few. */
        failures += !by_hand || !formula || formula > by_hand * 1.1 + 4;
        shoal_objective_destroy(&objective);
    }
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        struct shoal_objective *objective = NULL;
        if (shoal_objective_from_expression(singles[i], &objective, &error)) {
            printf("%s\n", error.message);
            return 1;
        }
        failures += !check(objective, singles[i]);
        shoal_objective_destroy(&objective);
    }
    failures += !turns_are_rounded_by_an_instruction();
    failures += !whole_texts_compile();
    failures += count_bbob_that_fail();
    failures += count_genes_that_fail();
    nvrtc_unload(&nvrtc);
    return failures ? 1 : 0;
}
