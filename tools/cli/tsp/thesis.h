/* shoal tsp: switches, configuration file and output of the thesis. */
#ifndef SHOAL_TOOLS_TSP_THESIS_H
#define SHOAL_TOOLS_TSP_THESIS_H

#include "cli/cli.h"

#if SHOAL_THESES

struct thesis_values {
    const char *source, *destination, *macro, *micro, *passes, *overlaps, *device, *extended, *config;
    bool output;
};

/* Rows of a table of options for the switches of the thesis; the macro FIELD of the including file gives the
 * offset of a member of `thesis`. */
#define THESIS_ALIAS(switch_, member, metavariable, text)                                                    \
    {                                                                                                        \
        .name = switch_, .type = SHOAL_OPTION_TEXT, .offset = FIELD(thesis.member), .unit = metavariable,    \
        .flags = SHOAL_OPTION_THESIS, .help = text                                                           \
    }
#define THESIS_ROWS                                                                                          \
    THESIS_ALIAS("src", source, "FILE",                                                                      \
                 "the thesis's switch for --data; this and the next ones mean --algorithm thesis"),          \
        THESIS_ALIAS("dst", destination, "FILE", "for --out, with --ext 1 for --history"),                   \
        THESIS_ALIAS("mac", macro, "N", "for --macro-cycles"),                                               \
        THESIS_ALIAS("mic", micro, "N", "for --micro-cycles"),                                               \
        THESIS_ALIAS("lsc", passes, "N", "for --passes"),                                                    \
        THESIS_ALIAS("os", overlaps, "N", "for --overlaps"),                                                 \
        THESIS_ALIAS("dev", device, "N", "for --device cuda:N"),                                             \
        THESIS_ALIAS("ext", extended, "0|1", "1: --dst receives the history"),                               \
        THESIS_ALIAS("cfg", config, "FILE",                                                                  \
                     "its configuration file, lines NAME = VALUE: source, destination, nMacroAcoCycles, "    \
                     "nMicroAcoCycles, nLocalSearchCycles, nOverlappingSteps, alpha, beta, device, "         \
                     "extendedOutput; options given win"),                                                   \
        {.name = "thesis-output",                                                                            \
         .type = SHOAL_OPTION_FLAG,                                                                          \
         .offset = FIELD(thesis.output),                                                                     \
         .unit = "",                                                                                         \
         .flags = SHOAL_OPTION_THESIS,                                                                       \
         .help = "print the lines of the thesis's program: behind ! the seconds of macro and micro level "   \
                 "and the length, behind > other lines, which --quiet leaves out"},
#define THESIS_ABSENT NULL

/* Sets the options that the given switches stand for, unless the user gave these options. Returns an exit
 * code. */
int thesis_complete(struct cli *cli, struct cli_groups *groups, const struct thesis_values *values);
/* Prints the output of the thesis; false: the user did not ask for this output. */
bool thesis_print(const struct cli *cli, const struct thesis_values *values, const struct cli_row *rows,
                  size_t count);
/* Checks that the file of --history can be written. Returns an exit code. */
int thesis_check(const struct cli *cli);
int thesis_write_history(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver);

#else

struct thesis_values {
    char none;
};
#define THESIS_ROWS
#define THESIS_ABSENT                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "src", "dst", "mac", "mic", "lsc", "os", "dev", "ext", "cfg", "thesis-output", NULL                  \
    }

static inline int thesis_complete(struct cli *cli, struct cli_groups *groups,
                                  const struct thesis_values *values)
{
    (void)cli, (void)groups, (void)values;
    return CLI_OK;
}

static inline bool thesis_print(const struct cli *cli, const struct thesis_values *values,
                                const struct cli_row *rows, size_t count)
{
    (void)cli, (void)values, (void)rows, (void)count;
    return false;
}

static inline int thesis_check(const struct cli *cli)
{
    (void)cli;
    return CLI_OK;
}

static inline int thesis_write_history(const struct cli *cli, const struct cli_row *row,
                                       struct shoal_solver *solver)
{
    (void)cli, (void)row, (void)solver;
    return CLI_OK;
}

#endif

#endif
