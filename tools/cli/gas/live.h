/* The live view of a gas: what it shows and its keys. */
#ifndef SHOAL_TOOLS_GAS_LIVE_H
#define SHOAL_TOOLS_GAS_LIVE_H

#include "cli/workload.h"

/* Values of the options. */
struct gas_live_values {
    int32_t screen;     /* index in gas_live_names; 0: no view */
    const char *record; /* file for the changes by keys; NULL: none */
};

extern const char *const gas_live_names[]; /* the screens, ended by NULL */

#define GAS_LIVE_ROWS(member)                                                                                \
    {.name = "live",                                                                                         \
     .group = "Live view",                                                                                   \
     .type = SHOAL_OPTION_CHOICE,                                                                            \
     .offset = FIELD(member.screen),                                                                         \
     .unit = "NAME",                                                                                         \
     .choices = gas_live_names,                                                                              \
     .flags = SHOAL_OPTION_STAGE,                                                                            \
     .help = "show the gas while it runs, and take keys: pause, single steps, temperature, piston, colour, " \
             "zoom, save a picture, end; window: needs SDL2 and a display; terminal: needs libchafa"},       \
    {                                                                                                        \
        .name = "record", .type = SHOAL_OPTION_TEXT, .offset = FIELD(member.record), .unit = "FILE",         \
        .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE, .needs = "live",                                  \
        .help = "write the changes by keys as a file for --schedule, with which a run of the same options "  \
                "has the same bits"                                                                          \
    }

/* Prepares the parameters of a run for changes by keys, if there is a view. */
void gas_live_imply(struct cli *cli, const struct gas_live_values *values);
/* Checks the options and opens the screen, if there is a view. gas_live_check and gas_live_begin return an
 * exit code. */
int gas_live_check(struct cli *cli, const struct gas_live_values *values);
/* Begins the view of the run of `row`, which calls it between steps. */
struct gas_live;
int gas_live_begin(struct cli *cli, struct cli_row *row, const struct gas_live_values *values,
                   struct gas_live **out);
/* Ends the view, and writes the file of changes. Accepts NULL. Returns an exit code. */
int gas_live_end(const struct cli *cli, const struct cli_row *row, struct gas_live **live);

#endif
