/* Texts of users: what would change the kernels around them is refused with its line and name, and what is
 * left is read alike by all. */
#include "unit.h"

#include "compute/program/comments.h"
#include "compute/program/embedded.h"
#include "compute/program/kernel_names.h"
#include "compute/program/user_text.h"

#include <ctype.h>
#include <search.h>

static const char *const macros[] = {"SHAPE", "RULE", NULL};
static const char *const functions[] = {"objective_value", NULL};
static const char *const used[] = {"OPAQUE", "DIM", NULL};
static const char *const folders[] = {"lib/", NULL};
static const struct user_text_rules rules = {macros, functions, used, folders, NULL};

static struct shoal *shoal; /* NULL: the built-in kernels */

static enum shoal_status check(const char *text, char **checked)
{
    return user_text_check(shoal, text, "my.clh", &rules, checked, &test_error);
}

static void expect_refusal(const char *text, const char *message)
{
    char *checked = (char *)text;
    if (check(text, &checked) != SHOAL_INVALID ||
        strncmp(test_error.message, message, strlen(message)) != 0) {
        print_error("%s\n%s\nin place of\n%s\n", text, checked ? "(accepted)" : test_error.message, message);
        assert_true(false);
    }
    assert_null(checked);
}

static void expect_accepted(const char *text)
{
    char *checked = NULL;
    if (check(text, &checked) != SHOAL_OK)
        print_error("%s\n%s\n", text, test_error.message);
    assert_non_null(checked);
    free(checked);
}

struct refused {
    const char *text, *message;
};

/* Names. */
static const struct refused refused_names[] = {
    {"#define SHAPE OPAQUE\n#define BOUNDS 0\n",
     "my.clh:2: BOUNDS is a name of the kernels: choose another, such as MY_BOUNDS"},
    {"# define\tITEMS 64\n", "my.clh:1: ITEMS is a name of the kernels"},
    {"/* a\nb */ #define LIMITED\n", "my.clh:1: LIMITED is a name of the kernels"},
    {"#define \\\nWG \\\n8\n", "my.clh:1: WG is a name of the kernels"},
    {"#define SCALAR_\\\nRANDOM 1\n", "my.clh:1: SCALAR_RANDOM is a name of the kernels"},
    {"#de\\\nfine INITIAL_VELOCITY 1\n", "my.clh:1: INITIAL_VELOCITY is a name of the kernels"},
    {"#ifdef WG\n#endif\n", "my.clh:1: WG is a name of the kernels"},
    {"#if defined(BATCH)\n#endif\n", "my.clh:1: BATCH is a name of the kernels"},
    {"#define MY_SIZE (2 * WG)\n", "my.clh:1: WG is a name of the kernels"},
    {"real f(real x)\n{\n    real ROOT = x;\n    return ROOT;\n}\n",
     "my.clh:3: ROOT is a name of the kernels"},
    {"real f(real STEPS);\n", "my.clh:1: STEPS is a name of the kernels"},
    {"#define real float\n", "my.clh:1: the kernels use the name real, which #define would change"},
    {"#define float double\n", "my.clh:1: the kernels use the name float"},
    {"#define if while\n", "my.clh:1: the kernels use the name if"},
    {"#define dim 3\n", "my.clh:1: the kernels use the name dim"},
    {"#define exp(x) x\n", "my.clh:1: the kernels use the name exp"},
    {"#define DIM 3\n", "my.clh:1: the kernels use the name DIM"},
    {"#define R(x) x\n", "my.clh:1: the kernels use the name R"},
    {"#define MY_E __LINE__\n", "my.clh:1: __LINE__ belongs to the compiler"},
    {"#define __OPENCL_VERSION__ 1\n", "my.clh:1: __OPENCL_VERSION__ belongs to the compiler"},
    {"#define _cl_fmin(x, y) x\n", "my.clh:1: _cl_fmin belongs to the compiler"},
    {"_Pragma(1);\n", "my.clh:1: _Pragma belongs to the compiler"},
    {"int my_line = __builtin_clz(1);\n", "my.clh:1: __builtin_clz belongs to the compiler"},
    {"asm(1);\n", "my.clh:1: asm is not part of the kernel dialect"},
    {"static real shoal_mine(void);\n", "my.clh:1: shoal_mine is a name of the kernels"},
};

/* Functions, types and variables. */
static const struct refused refused_definitions[] = {
    {"static inline real scan_sums(real x) { return x; }\n",
     "my.clh:1: scan_sums is a name of the kernels: choose another, such as my_scan_sums"},
    {"static inline real swarm_best\n(real x) { return x; }\n", "my.clh:1: swarm_best is a name"},
    {"struct island { real x; };\n", "my.clh:1: island is a name of the kernels"},
    {"__constant real spread = 1;\n", "my.clh:1: spread is a name of the kernels"},
    {"static inline real mad(real x) { return x; }\n", "my.clh:1: mad belongs to the kernel dialect"},
    {"real f(real x) { return draw(x); }\n", "my.clh:1: draw is a name of the kernels"},
    {"#define MY(name) real name(real x) { return x; }\nMY(spread)\n", "my.clh:2: spread is a name"},
    {"#define MY_NAME spread\n", "my.clh:1: spread is a name of the kernels"},
    {"static real (spread)(real x);\n", "my.clh:1: a declaration that cannot be checked"},
    {"static real *(spread)(real x);\n", "my.clh:1: a declaration that cannot be checked"},
    {"#define MY_OPEN (\n", "my.clh:1: the brackets of macro MY_OPEN do not close"},
    {"#define MY_OPEN )(\n", "my.clh:1: the brackets of macro MY_OPEN do not close"},
    {"#if 1\nreal f(real x)\n{\n#else\nreal f(real y)\n{\n#endif\n}\nreal spread;\n",
     "my.clh:9: spread is a name"},
    {"#define MY_JOIN(a, b) a##b\n", "my.clh:1: # and ## make names"},
    {"#define MY_TEXT(a) #a\n", "my.clh:1: # and ## make names"},
};

/* A macro that the kernels expand among their own variables. */
static const struct refused refused_expansions[] = {
    {"#define RULE(r) ((r) * residual)\n",
     "my.clh:1: RULE is expanded in the kernels, where residual is a name of theirs"},
    {"#define MY_W (residual + 1)\n\n#define RULE(r) ((r) * MY_W)\n",
     "my.clh:1: RULE is expanded in the kernels, where residual is a name"},
    {"#define RULE(r) ({ real my = 0; my + r; })\n", "my.clh:1: a block within brackets"},
};

/* Directives. */
static const struct refused refused_directives[] = {
    {"#undef WG\n", "my.clh:1: #undef WG: a text undefines only macros of its own"},
    {"#define SHAPE OPAQUE\n#undef SHAPE\n", "my.clh:2: #undef SHAPE: a text undefines only"},
    {"#line 7\n", "my.clh:1: #line is not a directive for texts"},
    {"#pragma OPENCL FP_CONTRACT OFF\n", "my.clh:1: #pragma OPENCL would apply to the kernels too"},
    {"#pragma push_macro(WG)\n", "my.clh:1: #pragma push_macro would apply to the kernels too"},
    {"#include <math.h>\n",
     "my.clh:1: a text includes kernel files by name, as #include \"lib/trig.clh\", not <math.h>"},
    {"#define MY_FILE 1\n#include MY_FILE\n", "my.clh:2: a text includes kernel files by name"},
    {"#include \"lib/trig.clh\" MORE\n", "my.clh:1: a text includes kernel files by name"},
    {"#include \"lib/tr\\\nig.clh\"\n#include \"/etc/passwd\"\n",
     "my.clh:3: there is no kernel file \"/etc/passwd\""},
    {"#inc\\\nlude \"/etc/passwd\"\n", "my.clh:1: there is no kernel file \"/etc/passwd\""},
    {"# /* c */ include /* c */ \"../a.h\"\n", "my.clh:1: there is no kernel file \"../a.h\""},
    {"#include \"pso/model/rule.clh\"\n",
     "my.clh:1: \"pso/model/rule.clh\" is a part of the kernels: a text includes .clh files of lib/"},
    {"#include \"lib/host.h\"\n", "my.clh:1: \"lib/host.h\" is a part of the kernels"},
    {"#include \"lib/sort/sort.cl\"\n", "my.clh:1: \"lib/sort/sort.cl\" is a part of the kernels"},
    {"#include_next \"lib/trig.clh\"\n", "my.clh:1: #include_next is not a directive for texts"},
    {"#import \"lib/trig.clh\"\n", "my.clh:1: #import is not a directive for texts"},
    {"%:define WG 1\n", "my.clh:1: %: stands for another character"},
    {"real f(void) <% return 1; %>\n", "my.clh:1: <% stands for another character"},
    {"?"
     "?=define WG 1\n",
     "my.clh:1: ?"
     "?= stands for another character"},
    {"// comment ?"
     "?/\n#define WG 1\n",
     "my.clh:1: ?"
     "?/ stands for another character"},
    {"// one\r#define WG 1\n", "my.clh:1: a control character (code 13)"},
    {"\f#define WG 1\n", "my.clh:1: a control character (code 12)"},
    {"real f = '1';\n", "my.clh:1: strings and characters are not part"},
    {"\n#error \"no\"\n", "my.clh:2: strings and characters are not part"},
    {"real W\\u0047;\n", "my.clh:1: a character that is not part of the kernel dialect (code 92)"},
    {"real a$b;\n", "my.clh:1: a character that is not part of the kernel dialect (code 36)"},
    {"real \xc3\xa4;\n", "my.clh:1: a character that is not part of the kernel dialect (code 195)"},
};

/* Ends. */
static const struct refused refused_ends[] = {
    {"#endif\n", "my.clh:1: #endif without an #if in this text"},
    {"#else\n", "my.clh:1: #else without an #if in this text"},
    {"real f;\n#if 1\n", "my.clh:2: an #if without its #endif"},
    {"real f;\n/* open", "my.clh:2: the text ends within a comment"},
    {"real f;\nconst", "my.clh:2: the text ends within a declaration"},
    {"real f;\nreal g(real x)\n{\n    if (x) {\n    return x;\n}\n",
     "my.clh:3: the { of this line is not closed"},
    /* The function that lacks it, not the one behind it. */
    {"real f(real x)\n{\n    return x;\n\nreal g(real x)\n{\n    return x;\n}\n",
     "my.clh:2: the { of this line is not closed"},
    {"real f(real x)\n{\n    return x;\n}\n}\nreal g;\n", "my.clh:5: this } closes nothing"},
};

#define EXPECT_REFUSALS(list)                                                                                \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                               \
    expect_refusal((list)[i].text, (list)[i].message)

static void texts_are_refused(void **state)
{
    (void)state;
    EXPECT_REFUSALS(refused_names);
    EXPECT_REFUSALS(refused_definitions);
    EXPECT_REFUSALS(refused_expansions);
    EXPECT_REFUSALS(refused_directives);
    EXPECT_REFUSALS(refused_ends);
}

static void other_texts_are_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "#define SHAPE OPAQUE\r\n",
        "#ifndef MY_CLH\n#define MY_CLH\n#endif\n",
        "#define MY_A 1\n#undef MY_A\n",
        "#if DIM > 2 && REAL == 64\n#pragma unroll\n#pragma unroll 4\n#error a text of its own\n#endif\n",
        "#define RULE(r) (fabs(r) <= R(1.0) ? R(0.5) * (r) * (r) : fabs(r) - R(0.5))\n",
        "#define MY_W(r) ((r) * M_PI)\n#define RULE(r) MY_W(r)\n",
        "#include \"lib/trig.clh\"\n#include\"lib/trig.clh\" // again\n",
        /* Braces that branches of a condition share with the text behind it, or that are never seen. */
        "#if 1\nreal f(real x)\n{\n#else\nreal f(real y)\n{\n#endif\n}\n",
        "#ifdef MY_A\nreal f(real x) {\n#endif\nreal g;\n#ifdef MY_A\n}\n#endif\n",
        "#if 0\n}\n#endif\n",
        /* Names of the kernels' functions and variables, where they are those of a block. */
        "static inline real objective_value(const real *x, uint dim)\n{\n    real squared = x[0], sum = 0;\n"
        "    uint draw, step;\n    for (draw = 0; draw < dim; draw++)\n        sum += squared * x[draw];\n"
        "    return sum + sin2pi(x[0]) + fmin(sum, squared);\n}\n",
        "__constant real my_weights[2] = {R(1.0), R(2.0)};\n",
        "__constant real my_turn = R(2.0) * M_PI, my_end = -INFINITY;\n",
        "struct my_pair {\n    real spread;\n} my_value;\n",
        "typedef real my_vector[3];\n",
        "/* \"quotes', #define WG, \xc3\xa4\n * draw() */ real my_value; // it's #define WG\n",
    };
    const size_t count = sizeof texts / sizeof *texts;
    for (size_t i = 0; i < count; i++)
        expect_accepted(texts[i]);
}

/* False: a text may define the name. */
static bool expect_reserved(const char *name, unsigned flags)
{
    char text[300], start[300];
    if (strcmp(name, "SHAPE") == 0 || strcmp(name, "RULE") == 0)
        return false;
    snprintf(text, sizeof text, "#define %s 1\n", name);
    expect_refusal(text, "my.clh:1: ");
    assert_non_null(strstr(test_error.message, name));
    if (!(flags & NAME_DEFINED) || strcmp(name, "objective_value") == 0 || *name == '_')
        return false;
    snprintf(start, sizeof start, "my.clh:2: %s is a name of the kernels", name);
    snprintf(text, sizeof text, "\nstatic inline real %s(real x);\n", name);
    expect_refusal(text, start);
    return true;
}

static size_t reserved;

/* Of twalk: each node once. */
static void expect_node_reserved(const void *node, VISIT visit, int depth)
{
    (void)depth;
    const struct kernel_name *found = *(const struct kernel_name *const *)node;
    char name[100];
    if (visit != postorder && visit != leaf)
        return;
    snprintf(name, sizeof name, "%.*s", (int)found->word.length, found->word.at);
    reserved += expect_reserved(name, found->flags);
}

/* Every name of the kernels that is not shared. */
static void no_name_of_the_kernels_can_be_defined(void **state)
{
    (void)state;
    struct kernel_names names;
    assert_ok(kernel_names_create(NULL, &names, &test_error));
    reserved = 0;
    twalk(names.built_in, expect_node_reserved);
    kernel_names_free(&names);
    assert_true(reserved > 100);
    for (size_t i = 0; i < embedded_word_count; i++) {
        if (i > 0)
            assert_true(strcmp(embedded_words[i - 1].name, embedded_words[i].name) < 0);
        expect_reserved(embedded_words[i].name, 0);
    }
    assert_true(embedded_word_count > 100);
}

static void put(const char *name, const char *text)
{
    test_write_text(test_path("%s", name), text);
}

/* Those of files that replace built-in ones, and of what they include. */
static void names_of_a_kernel_folder_are_reserved_too(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "#define MY_SIZE 4\n", "#define my_place 4\n", "static inline real my_own(real x);\n",
        "real f(real x) { return MY_OTHER * x; }\n", "static inline real my_other(real x);\n"};
    static const char *const free_texts[] = {
        "#define MY_UNUSED 4\n", "#define my_guest 4\n", "static inline real my_residual(real x);\n",
        "real f(real x) { real my_own = x; return my_helper(my_own); }\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_accepted(texts[i]);
    struct shoal_params params = unit_params();
    params.kernel_dir = test_folder();
    shoal = unit_open_with(&params);
    put("pso/methods/fused.cl",
        "#include \"my/other.clh\"\n#include \"../none.clh\"\n"
        "#error the folder's own\n#define \\\nMY_SIZE 3 /* MY_UNUSED */\n"
        "static inline real my_own(real x)\n{\n    real my_place = x;\n}\n"
        /* As kernels --dump writes it, with the text of an objective. */
        "#line 1 \"objective/snippet.clh\"\n#define SHAPE OPAQUE\n"
        "static inline real my_residual(real x);\n#line 9 \"pso/methods/fused.cl\"\n");
    put("my/other.clh", "#include \"my/other.clh\"\n#define MY_OTHER 1\nenum my_kind {\n    my_other\n};\n");
    put("lib/trig.clh", "static inline real my_helper(real x);\n");
    put("my/unused.clh", "#define my_guest 1\n");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_refusal(texts[i], "my.clh:1: ");
    for (size_t i = 0; i < sizeof free_texts / sizeof *free_texts; i++)
        expect_accepted(free_texts[i]);
    expect_reserved("scan_sums", NAME_DEFINED); /* of a file that is not replaced */
    /* One that cannot be read is the fault of programs that use it. */
    test_write_file(test_path("lib/scan.clh"), "a\0b", 3);
    expect_accepted("real x;\n");
    expect_refusal(texts[0], "my.clh:1: ");
    shoal_close(&shoal);
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *c = text; (c = strstr(c, word)) != NULL; c += length)
        if ((c == text || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) &&
            !isalnum((unsigned char)c[length]) && c[length] != '_')
            return true;
    return false;
}

/* A #define of a text that the kernels do not read would change them where they use the name for something
 * else. */
static void what_texts_define_is_free_in_the_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *name, *reader;
    } cases[] = {{"LOWER", ""},   {"UPPER", ""},   {"MINIMUM", ""},
                 {"MIN_DIM", ""}, {"MAX_DIM", ""}, {"CUTOFF", "gas/host.h"}};
    for (const struct embedded_file *file = embedded_files; file->name; file++) {
        bool open;
        char *bare = text_without_comments(file->text, &open);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (!strstr(bare, "#define SHAPE") && strcmp(file->name, cases[i].reader) != 0 &&
                has_word(bare, cases[i].name)) {
                print_error("%s uses %s\n", file->name, cases[i].name);
                assert_true(false);
            }
        free(bare);
    }
}

static void comments_and_continuations_go_and_lines_stay(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bare;
    } cases[] = {
        {"a /* b */ c // d\ne\n", "a   c  \ne\n"},
        {"a /* b\nc\n*/ d\ne\n", "a   d\n\n\ne\n"},
        {"a\\\nb\n/\\\n/ c\n\\\n\nd", "ab\n\n \n\n\n\nd"},
        {"a \\ \t\r\nb\r\nc", "a b\n\nc"},
        {"// a \\\nb\nc\n", " \n\nc\n"},
        {"\"/* a\" b\n'//' c\n\"\\\"// d\"\n", "\"/* a\" b\n'//' c\n\"\\\"// d\"\n"},
        {"a / * b *\\\n/ c", "a / * b */ c\n"},
        {"/* a *\\\n/ c", "  c\n"},
        {"a /* b\n\n*/", "a  \n\n"},
        {"/*/ a */ b /***/ c", "  b   c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool open = true;
        char *bare = text_without_comments(cases[i].text, &open);
        assert_string_equal(bare, cases[i].bare);
        assert_false(open);
        free(bare);
    }
    static const char *const unfinished[] = {"/*", "a /* b *", "/*/", "/* a *\\\n"};
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++) {
        bool open = false;
        free(text_without_comments(unfinished[i], &open));
        assert_true(open);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_refused),
        cmocka_unit_test(other_texts_are_taken),
        cmocka_unit_test(no_name_of_the_kernels_can_be_defined),
        UNIT_TEST(names_of_a_kernel_folder_are_reserved_too),
        cmocka_unit_test(what_texts_define_is_free_in_the_kernels),
        cmocka_unit_test(comments_and_continuations_go_and_lines_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
