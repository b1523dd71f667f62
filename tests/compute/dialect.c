#include "dialect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ENTRY(kernel, list)                                                                                  \
    {                                                                                                        \
        .name = #kernel, .args = list, .arg_count = COUNT(list), .work_group = "WG", .help = "dialect test"  \
    }

static const struct shoal_arg_desc reals[] = {
    {"xs", SHOAL_READ, "real", 0},
    {"ys", SHOAL_READ, "real", 0},
    {"out", SHOAL_READ_WRITE, "real", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc floats[] = {
    {"xs", SHOAL_READ, "float", 0},
    {"ys", SHOAL_READ, "float", 0},
    {"out", SHOAL_READ_WRITE, "float", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc constants[] = {{"out", SHOAL_READ_WRITE, "real", 0}};
static const struct shoal_arg_desc ints[] = {
    {"as", SHOAL_READ, "uint", 0},
    {"bs", SHOAL_READ, "uint", 0},
    {"out", SHOAL_READ_WRITE, "uint", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc longs[] = {
    {"as", SHOAL_READ, "ulong", 0},
    {"bs", SHOAL_READ, "ulong", 0},
    {"out", SHOAL_READ_WRITE, "ulong", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc items[] = {
    {"out", SHOAL_READ_WRITE, "uint", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc memory[] = {
    {"wide", SHOAL_READ, "float4", 0},
    {"pairs", SHOAL_READ, "uint2", 0},
    {"out", SHOAL_READ_WRITE, "uint", 0},
    {"mixed", SHOAL_VALUE, "struct dialect_mixed", sizeof(struct dialect_mixed)},
    {"an_int", SHOAL_VALUE, "int", 0},
    {"a_uint", SHOAL_VALUE, "uint", 0},
    {"a_long", SHOAL_VALUE, "long", 0},
    {"a_ulong", SHOAL_VALUE, "ulong", 0},
    {"a_float", SHOAL_VALUE, "float", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc atomics[] = {
    {"words", SHOAL_READ_WRITE, "uint", 0},
    {"signs", SHOAL_READ_WRITE, "int", 0},
    {"real32", SHOAL_READ_WRITE, "float", 0},
    {"out", SHOAL_READ_WRITE, "uint", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc atomics64[] = {
    {"words", SHOAL_READ_WRITE, "ulong", 0},
    {"out", SHOAL_READ_WRITE, "ulong", 0},
    {"n", SHOAL_VALUE, "uint", 0},
};
static const struct shoal_arg_desc chain[] = {
    {"ticket", SHOAL_READ_WRITE, "uint", 0},
    {"state", SHOAL_READ_WRITE, "ulong", 0},
    {"out", SHOAL_READ_WRITE, "uint", 0},
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(dialect_one, reals),           ENTRY(dialect_more, reals),    ENTRY(dialect_native, floats),
    ENTRY(dialect_constants, constants), ENTRY(dialect_ints, ints),     ENTRY(dialect_longs, longs),
    ENTRY(dialect_items, items),         ENTRY(dialect_memory, memory), ENTRY(dialect_atomics, atomics),
};
static const struct shoal_entry_desc entries64[] = {
    ENTRY(dialect_atomics64, atomics64),
    ENTRY(dialect_chain, chain),
};

static const struct shoal_define_desc defines[] = {
    {"WG", 64, 1, 1024, "work-items in a group"},
    {"REAL", 32, 32, 64, "bits of a real"},
    {"ATOMICS64", 0, 0, 0, "64-bit atomics"},
};
static const struct shoal_define_desc defines64[] = {
    {"WG", 64, 1, 1024, "work-items in a group"},
    {"REAL", 32, 32, 32, "bits of a real"},
    {"ATOMICS64", 1, 1, 1, "64-bit atomics"},
};

const struct shoal_program_desc dialect_program = {.name = "test.dialect",
                                                   .file = "dialect.cl",
                                                   .defines = defines,
                                                   .define_count = COUNT(defines),
                                                   .entries = entries,
                                                   .entry_count = COUNT(entries)};
const struct shoal_program_desc dialect64_program = {.name = "test.dialect64",
                                                     .file = "dialect.cl",
                                                     .needs = SHOAL_NEEDS_INT64_ATOMICS,
                                                     .defines = defines64,
                                                     .define_count = COUNT(defines64),
                                                     .entries = entries64,
                                                     .entry_count = COUNT(entries64)};

char *dialect_text(void)
{
    const char *path = getenv("SHOAL_TEST_DIALECT");
    if (!path)
        path = "tests/compute/dialect.cl";
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t bytes = 0;
    if (!file || getdelim(&text, &bytes, '\0', file) < 0) {
        fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}
