/* shoal gas --replicas and --sweep: independent gases in one run, and a table of their means. */
#ifndef SHOAL_TOOLS_GAS_REPLICAS_H
#define SHOAL_TOOLS_GAS_REPLICAS_H

#include "cli/workload.h"

#include <shoal/replicas.h>

/* The first values of `shoal gas`. */
struct replicas_values {
    struct workload_values common; /* must be first: the options of every workload */
    uint64_t count;                /* replicas of each state; 0: the option is not given */
    const char *sweep, *file, *diagram;
};

#define REPLICAS_ROWS                                                                                        \
    {.name = "replicas",                                                                                     \
     .group = "Replicas",                                                                                    \
     .type = SHOAL_OPTION_UINT,                                                                              \
     .offset = offsetof(struct replicas_values, count),                                                      \
     .unit = "N",                                                                                            \
     .min = 1,                                                                                               \
     .max = SHOAL_GAS_REPLICAS_MOST,                                                                         \
     .flags = SHOAL_OPTION_ZERO_UNSET,                                                                       \
     .help = "run N independent gases at once, with successive seeds, and print a table of their means; "    \
             "default with --sweep 1 for each state"},                                                       \
        {.name = "sweep",                                                                                    \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct replicas_values, sweep),                                                  \
         .unit = "NAME=VALUES",                                                                              \
         .flags = SHOAL_OPTION_REPEATS,                                                                      \
         .help = "replicas with several values of temperature or density, FIRST:LAST:COUNT or "              \
                 "VALUE,VALUE,...: temperature=0.4:1.4:11; with both, each temperature at each density"},    \
        {.name = "replicas-file",                                                                            \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct replicas_values, file),                                                   \
         .unit = "FILE",                                                                                     \
         .flags = SHOAL_OPTION_WRITES,                                                                       \
         .help = "write the means of all replicas as numbers: .csv or .json",                                \
         .needs = "replicas or sweep"},                                                                      \
    {                                                                                                        \
        .name = "phase-diagram", .type = SHOAL_OPTION_TEXT,                                                  \
        .offset = offsetof(struct replicas_values, diagram), .unit = "FILE", .flags = SHOAL_OPTION_WRITES,   \
        .help = "draw the pressure against the density for each temperature of a sweep: .svg",               \
        .needs = "sweep"                                                                                     \
    }

/* The rows of all replicas: by temperature, then by density, then by seed. */
struct gas_replicas_table {
    const struct shoal_gas_replica *rows; /* [temperatures][densities][each] */
    size_t temperatures, densities, each;
};

extern const struct json_field gas_replicas_fields[];

/* Checks the options, and refuses those that replicas cannot have beside them. Returns an exit code. */
int gas_replicas_check(const struct cli *cli);
/* Member `instead` of struct report. */
bool gas_replicas_instead(struct cli *cli, int *code);

/* Defined in diagram.c. Draws the isotherms. Returns an exit code. */
int gas_replicas_diagram(const char *path, const struct gas_replicas_table *table);

#endif
