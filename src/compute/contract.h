/* Private: macros for the tables of contracts. Arguments, work-group sizes and defaults come from the kernel
 * files, through contracts.h, which tools/embed.py writes. A struct argument has the size of the host's
 * struct of the same name, whose header must be included before the table. The argument `file` of the macros
 * is, for example, lib_scan for cl/lib/scan.cl. */
#ifndef SHOAL_COMPUTE_CONTRACT_H
#define SHOAL_COMPUTE_CONTRACT_H

#include "base/integer.h"
#include "contracts.h"

#include <shoal/program.h>
#include <string.h>

/* Makes a struct shoal_define_desc. */
#define DEFINE(file, define, least, largest, text)                                                           \
    {                                                                                                        \
        .name = #define, .value = CL_DEFAULT_##file##_##define, .min = least, .max = largest, .help = text   \
    }
/* Makes a struct shoal_define_desc for a define that `shoal tune` measures. order: position among the defines
 * to tune. */
#define TUNED_DEFINE(file, define, least, largest, order, text)                                              \
    {                                                                                                        \
        .name = #define, .value = CL_DEFAULT_##file##_##define, .min = least, .max = largest, .help = text,  \
        .tune_order = order                                                                                  \
    }
/* Begins a struct shoal_entry_desc; the other members follow as arguments. */
#define ENTRY(file, entry, ...)                                                                              \
    {                                                                                                        \
        CL_ENTRY_##file##_##entry, __VA_ARGS__                                                               \
    }
/* Makes a struct shoal_program_desc. */
#define PROGRAM(program, file, need, define_table, entry_table)                                              \
    {                                                                                                        \
        .name = program, CL_FILE_##file, .needs = need, .defines = define_table,                             \
        .define_count = COUNT(define_table), .entries = entry_table, .entry_count = COUNT(entry_table)       \
    }

/* Whether a define is the work-group size of an entry. */
static inline bool program_is_work_group(const struct shoal_program_desc *desc, const char *define)
{
    for (uint32_t i = 0; i < desc->entry_count; i++)
        if (desc->entries[i].work_group && strcmp(desc->entries[i].work_group, define) == 0)
            return true;
    return false;
}

#endif
