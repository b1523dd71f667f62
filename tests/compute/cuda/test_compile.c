/* Every kernel text through NVRTC, without a driver: it compiles for an old architecture, some for a new one,
 * without a word in the log, takes the arguments of its contract, and in fp32 does no fp64 arithmetic. Quick
 * takes the programs of test_is_of_quick. Of programs in quick, and of those that are not in the share
 * $SHOAL_TEST_TURN, the PTX of the old architecture alone is made, and one in seven of those that have both
 * precisions in fp64. Skipped (77) without NVRTC. */
#include "dialect.h"
#include "test.h"

#include "compute/cuda/compile.h"
#include "compute/program/source.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, OLD = 75, NEW = 90, MAX_DEFINES = 32, EACH = -1, SHARE = 7 };

static struct nvrtc nvrtc;
static struct shoal_error error;
static int failures, compiled;
static bool is_share;

SHOAL_PRINTF(1, 2) static void complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    failures++;
}

/* One text with its defines. */
struct variant {
    const struct shoal_program_desc *desc;
    const char *text;
    bool native;
    int real;  /* value of REAL, 0 where the file has none */
    int dim;   /* of points, 0: as the file has it */
    int group; /* value of WG, 0: as the file has it */
    bool has_pieces;
    char label[160];
    char strings[MAX_DEFINES][64];
    const char *defines[MAX_DEFINES];
    struct build_input input;
};

static const struct shoal_define_desc *find_define(const struct shoal_program_desc *desc, const char *name)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return &desc->defines[i];
    return NULL;
}

static void prepare(struct variant *variant)
{
    const struct shoal_program_desc *desc = variant->desc;
    for (uint32_t i = 0; i < desc->define_count && i < MAX_DEFINES; i++) {
        const struct shoal_define_desc *define = &desc->defines[i];
        int64_t value = strcmp(define->name, "REAL") == 0 ? variant->real : define->value;
        if (variant->dim && strcmp(define->name, "DIM") == 0)
            value = variant->dim;
        if (variant->dim && strcmp(define->name, "COLUMNS") == 0)
            value = variant->dim + 1;
        if (variant->group && strcmp(define->name, "WG") == 0)
            value = variant->group;
        if (variant->has_pieces && strcmp(define->name, "HAS_PIECES") == 0)
            value = 1;
        snprintf(variant->strings[i], sizeof variant->strings[i], "%s=%" PRId64, define->name, value);
        variant->defines[i] = variant->strings[i];
    }
    const char *file = variant->native ? desc->native : desc->file;
    snprintf(variant->label, sizeof variant->label, "%s%s", file, variant->real == 64 ? " (REAL=64)" : "");
    variant->input = (struct build_input){.text = variant->text,
                                          .name = file,
                                          .defines = variant->defines,
                                          .define_count = desc->define_count,
                                          .native = variant->native};
}

/* Compiles and returns the image, NULL where that failed. */
static char *compile(const struct variant *variant, int architecture, bool ptx)
{
    struct cuda_image image;
    char *log;
    const struct cuda_target target = {.architecture = architecture, .ptx = ptx};
    enum shoal_status status = cuda_compile(&nvrtc, target, &variant->input, &image, &log, &error);
    if (status)
        complain("%s for %d: %s\n%s", variant->label, architecture, error.message, error.log);
    else if (log)
        complain("%s for %d: the log is not empty:\n%s", variant->label, architecture, log);
    free(log);
    compiled++;
    return status ? NULL : image.data;
}

/* CUDA's own reduction of large arguments of float sin, cos and tan scales once by pi/2 2^-64 in fp64. */
#define TRIGONOMETRIC_SCALE "0d3BF921FB54442D19"

static void check_no_double(const struct variant *variant, const char *ptx)
{
    int operations = 0, trigonometric = 0;
    for (const char *at = ptx; (at = strstr(at, ".f64")); at++) {
        const char *line = at;
        while (line > ptx && line[-1] != '\n')
            line--;
        const char *end = strchr(at, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (isalnum((unsigned char)at[4]) || memmem(line, length, ".reg", 4))
            continue;
        operations++;
        trigonometric += memmem(line, length, TRIGONOMETRIC_SCALE, sizeof TRIGONOMETRIC_SCALE - 1) != NULL;
    }
    /* A conversion to fp64, the product, a conversion back. */
    if (operations != 3 * trigonometric)
        complain("%s: %d operations in fp64", variant->label, operations - 3 * trigonometric);
}

/* ".param .u64 .ptr .global .align 4 NAME_param_0" or ".param .align 8 .b8 NAME_param_3[24]" */
static uint32_t parameter_bytes(const char *start, const char *end)
{
    static const char *const types[] = {".u64", ".s64", ".b64", ".f64", ".u32", ".s32", ".b32", ".f32"};
    const char *bracket = memchr(start, '[', (size_t)(end - start));
    if (bracket)
        return (uint32_t)strtoul(bracket + 1, NULL, 10);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(start, (size_t)(end - start), types[i], 4))
            return i < 4 ? 8 : 4;
    return 0;
}

static void check_entry(const struct variant *variant, const struct shoal_entry_desc *entry, const char *ptx)
{
    char start[128];
    snprintf(start, sizeof start, ".entry %s(", entry->name);
    const char *at = strstr(ptx, start);
    if (!at) {
        complain("%s has no kernel %s", variant->label, entry->name);
        return;
    }
    const char *end = strchr(at, ')');
    uint32_t count = 0;
    while ((at = strstr(at, ".param ")) && at < end) {
        const char *next = at + strcspn(at, ",)");
        uint32_t bytes = parameter_bytes(at, next);
        if (count < entry->arg_count && bytes != arg_desc_bytes(&entry->args[count], variant->real == 64))
            complain("%s: argument %u (%s) of %s has %u bytes, the contract says %u", variant->label, count,
                     entry->args[count].name, entry->name, bytes,
                     arg_desc_bytes(&entry->args[count], variant->real == 64));
        count++;
        at = next;
    }
    if (count != entry->arg_count)
        complain("%s: %s has %u arguments, the contract says %u", variant->label, entry->name, count,
                 entry->arg_count);
    snprintf(start, sizeof start, ".maxntid %" PRId64 ",",
             find_define(variant->desc, entry->work_group)->value);
    const char *body = strchr(end, '{');
    if (!body || !memmem(end, (size_t)(body - end), start, strlen(start)))
        complain("%s: %s is not bound to its work-group size", variant->label, entry->name);
}

static bool is_dialect(const struct variant *variant)
{
    return variant->desc == &dialect_program || variant->desc == &dialect64_program;
}

/* What an old GPU lacks is found where its machine code is made, and only assembly can ask for it: that of a
 * text, or that of the prelude, all of which the text of the dialect uses. */
static bool may_ask_for_more(const struct variant *variant)
{
    return strstr(variant->text, "asm") || is_dialect(variant);
}

/* Is machine code made, too? Its assembler takes longer than all else, and finds mistakes of assembly and of
 * native texts. It is made of the dialect in both precisions, which calls all of the prelude, and of such
 * texts in fp32; of all others one in six. */
static bool has_machine_code(const struct variant *variant)
{
    static unsigned others;
    const bool is_likely = may_ask_for_more(variant) || variant->native;
    return !is_share && (is_dialect(variant) || (is_likely && variant->real != 64) || others++ % 6 == 0);
}

static void check_variant(struct variant *variant)
{
    prepare(variant);
    if (has_machine_code(variant)) {
        if (may_ask_for_more(variant))
            free(compile(variant, OLD, false));
        free(compile(variant, NEW, false));
    }
    char *ptx = compile(variant, OLD, true);
    if (!ptx)
        return;
    for (uint32_t i = 0; i < variant->desc->entry_count; i++)
        check_entry(variant, &variant->desc->entries[i], ptx);
    if (variant->real != 64 && !(variant->desc->needs & SHOAL_NEEDS_FP64))
        check_no_double(variant, ptx);
    free(ptx);
}

/* `text` in place of the library's, NULL: the library's. fp64: also compile a program that has both
 * precisions in fp64. */
static void check_program(const struct shoal_program_desc *desc, const char *text, bool fp64)
{
    const struct shoal_define_desc *real = find_define(desc, "REAL");
    const int64_t most_bits = real && fp64 ? real->max : 32;
    for (int native = 0; native <= (desc->native != NULL && !text); native++) {
        char *flat = NULL;
        const struct shoal_program_params params = {
            .size = sizeof params, .text = text, .text_name = desc->file};
        if (source_flatten(NULL, native ? desc->native : desc->file, &params, &flat, &error)) {
            complain("%s: %s", desc->name, error.message);
            continue;
        }
        for (int bits = 32; bits <= most_bits; bits += 32) {
            struct variant variant = {.desc = desc, .text = flat, .native = native, .real = real ? bits : 0};
            check_variant(&variant);
        }
        free(flat);
    }
}

/* The checks above must be able to fail, and options to have their effect. */
static const struct shoal_arg_desc probe_args[] = {{"x", SHOAL_READ_WRITE, "float", 0},
                                                   {"n", SHOAL_VALUE, "ulong", 0}};
static const struct shoal_entry_desc probe_entries[] = {
    {.name = "probe", .args = probe_args, .arg_count = 2, .work_group = "WG", .help = "probe"}};
static const struct shoal_define_desc probe_defines[] = {{"WG", 32, 32, 32, "work-items"}};
static const struct shoal_program_desc probe_desc = {.name = "probe",
                                                     .file = "probe.cl",
                                                     .defines = probe_defines,
                                                     .define_count = 1,
                                                     .entries = probe_entries,
                                                     .entry_count = 1};

#define PROBE(arguments, body)                                                                               \
    "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"                                             \
    "void probe(__global float *x" arguments ")\n"                                                           \
    "{\n    const uint i = (uint)get_global_id(0);\n    " body "\n}\n"

/* `problems`: EACH: one for each compilation. */
static void must_fail(const char *text, int problems)
{
    const int before = failures, compiled_before = compiled;
    check_program(&probe_desc, text, false);
    if (problems == EACH)
        problems = compiled - compiled_before;
    const int found = failures - before;
    failures = before;
    if (found != problems)
        complain("%d problems in place of %d were found in\n%s", found, problems, text);
}

static void check_options(void)
{
    static const char text[] = PROBE(", ulong n", "x[i] = sqrt(x[i]) / x[n] + x[i] * x[i + 1];");
    struct variant variant = {.desc = &probe_desc, .text = text};
    prepare(&variant);
    char *loose = compile(&variant, NEW, true);
    variant.input.flush_subnormals = true;
    char *flushing = compile(&variant, NEW, true);
    variant.input.flush_subnormals = false;
    variant.input.without_contraction = true;
    char *separate = compile(&variant, NEW, true);
    variant.input.strict_fp = true;
    char *strict = compile(&variant, NEW, true);
    if (!loose || !strstr(loose, "sqrt.approx") || !strstr(loose, "div.full") || !strstr(loose, "fma.rn"))
        complain("the default floating point is not OpenCL's");
    if (!strict || !strstr(strict, "sqrt.rn") || !strstr(strict, "div.rn") || strstr(strict, "fma.rn"))
        complain("strict floating point is not strict");
    if (!separate || !strstr(separate, "sqrt.approx") || strstr(separate, "fma.rn"))
        complain("operations are fused, or more is changed");
    if (!loose || strstr(loose, ".ftz") || !flushing || !strstr(flushing, "sqrt.approx.ftz"))
        complain("subnormal numbers are not flushed where asked for, or where not");
    free(flushing);
    free(loose);
    free(separate);
    free(strict);
}

static const struct shoal_program_desc *find_program(const char *name)
{
    for (size_t i = 0; i < shoal_program_desc_count(); i++)
        if (strcmp(shoal_program_desc_at(i)->name, name) == 0)
            return shoal_program_desc_at(i);
    complain("there is no program %s", name);
    return NULL;
}

/* A warp that makes an ant exchanges values without local memory and barriers of groups. */
static void check_warps(void)
{
    const struct shoal_program_desc *desc = find_program("tsp.faco-ants");
    const struct shoal_program_params params = {.size = sizeof params};
    char *flat = NULL;
    if (!desc)
        return;
    if (source_flatten(NULL, desc->file, &params, &flat, &error)) {
        complain("%s: %s", desc->name, error.message);
        return;
    }
    for (int pieces = 0; pieces < 2; pieces++) {
        struct variant variant = {
            .desc = desc, .text = flat, .real = 32, .group = 32, .has_pieces = pieces > 0};
        prepare(&variant);
        char *ptx = compile(&variant, NEW, true);
        if (!ptx || !strstr(ptx, "vote.sync.ballot") || !strstr(ptx, "shfl.sync") || strstr(ptx, "bar.sync"))
            complain("%s: a team of 32 is no warp", variant.label);
        free(ptx);
    }
    free(flat);
}

/* What objective/eval_data.cl says of READ_ONLY. */
static void check_read_only_loads(void)
{
    const struct shoal_program_desc *desc = find_program("objective.data");
    const struct shoal_kernel_text snippet = {.file = "objective/snippet.clh",
                                              .text = "#include \"objective/least_squares.clh\"\n"};
    const struct shoal_kernel_text plain = {.file = snippet.file,
                                            .text = "#undef READ_ONLY\n#define READ_ONLY 0\n"
                                                    "#include \"objective/least_squares.clh\"\n"};
    for (int read_only = 0; desc && read_only < 2; read_only++) {
        const struct shoal_program_params params = {
            .size = sizeof params, .texts = read_only ? &snippet : &plain, .text_count = 1};
        char *flat = NULL;
        if (source_flatten(NULL, desc->file, &params, &flat, &error)) {
            complain("%s: %s", desc->name, error.message);
            return;
        }
        struct variant variant = {.desc = desc, .text = flat, .real = 64, .dim = 4};
        prepare(&variant);
        char *ptx = compile(&variant, NEW, true);
        if (!ptx || read_only != (strstr(ptx, "ld.global.nc") != NULL))
            complain("%s: READ_ONLY %d has%s read-only loads", variant.label, read_only,
                     read_only ? " no" : "");
        free(ptx);
        free(flat);
    }
}

static void check_error_place(void)
{
    static const char text[] = "#line 1 \"lib/thing.clh\"\n\nstatic int broken(void) { return absent; }\n";
    struct variant variant = {.desc = &probe_desc, .text = text};
    prepare(&variant);
    struct cuda_image image;
    char *log;
    enum shoal_status status =
        cuda_compile(&nvrtc, (struct cuda_target){.architecture = NEW}, &variant.input, &image, &log, &error);
    if (status != SHOAL_BUILD_FAILED || image.data || !strstr(error.log, "lib/thing.clh(2): error"))
        complain("an error is not reported in its place: %s\n%s", error.message, error.log);
    free(log);
}

static void check_checks(void)
{
    printf("texts that must be refused:\n");
    must_fail(PROBE(", ulong n", "x[i] = (float)n;"), 0);
    must_fail(PROBE(", ulong n", "x[i] = sin(x[i]) + tan(x[n]);"), 0);
    must_fail(PROBE(", ulong n", "x[i] = (float)n * 0.1;"), 1);
    must_fail(PROBE(", uint n", "x[i] = (float)n;"), 1);
    must_fail(PROBE("", "x[i] = 0.0f;"), 1);
    must_fail(PROBE(", ulong n", "x[i] = absent(n);"), EACH);
    must_fail("#warning a word\n" PROBE(", ulong n", "x[i] = (float)n;"), EACH);
    must_fail("__kernel void probe(__global float *x, ulong n) { x[n] = 1.0f; }\n", 1);
    must_fail("__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
              "void other(__global float *x, ulong n) { x[n] = 1.0f; }\n",
              1);
}

int main(void)
{
    char reason[LOAD_REASON_SIZE];
    const bool is_quick = getenv("SHOAL_TEST_SHARE") != NULL;
    const struct test_share turn = test_read_share("SHOAL_TEST_TURN");
    if (!nvrtc_load(&nvrtc, 0, reason)) {
        printf("skipped: %s\n", reason);
        return SKIPPED;
    }
    char *dialect = dialect_text();
    if (!dialect)
        return 1;
    check_checks();
    check_options();
    check_error_place();
    check_read_only_loads();
    check_warps();
    printf("kernel files:\n");
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        is_share = is_quick || !test_is_of_mixed(turn, (unsigned)i);
        if (test_is_of_quick((unsigned)i))
            check_program(shoal_program_desc_at(i), NULL, !is_share || i % SHARE == 0);
    }
    is_share = is_quick;
    check_program(&dialect_program, dialect, true);
    check_program(&dialect64_program, dialect, true);
    printf("NVRTC %d.%d: %d compilations, %d failures\n", nvrtc.major, nvrtc.minor, compiled, failures);
    free(dialect);
    nvrtc_unload(&nvrtc);
    return failures ? 1 : 0;
}
