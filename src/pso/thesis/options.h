/* Private: options of the thesis in the tables of options. Without theses the macros are empty. */
#ifndef SHOAL_PSO_THESIS_OPTIONS_H
#define SHOAL_PSO_THESIS_OPTIONS_H

#include <shoal/theses.h>

#if SHOAL_THESES
/* Choices of --random, in the order of enum shoal_pso_thesis_random. */
#define PSO_THESIS_RANDOM_NAMES "glob", "reg",

enum { PSO_THESIS_OPTIONS = 1 };

/* Offset of a member of struct shoal_pso_thesis in a block of parameters. In this block the struct of the
 * thesis follows the struct of the workload. */
#define PSO_THESIS_FIELD(name) sizeof(struct shoal_pso_params) + offsetof(struct shoal_pso_thesis, name)

extern const char *const pso_thesis_argmin_names[];

/* clang-format off */
#define PSO_THESIS_OPTION_ROWS \
    {.name = "argmin", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = PSO_THESIS_FIELD(argmin), \
     .unit = "NAME", \
     .choices = pso_thesis_argmin_names, \
     .help = "reduction by which the pipeline finds the best particle; with --method auto this option " \
             "chooses the pipeline", \
     .flags = SHOAL_OPTION_THESIS},
/* clang-format on */
#define PSO_THESIS_ABSENT    NULL
#define PSO_THESIS_REMAINING NULL
#else
enum { PSO_THESIS_OPTIONS = 0 };
#define PSO_THESIS_RANDOM_NAMES
#define PSO_THESIS_OPTION_ROWS
#define PSO_THESIS_REMAINING                                                                                 \
    (const struct shoal_option[])                                                                            \
    {                                                                                                        \
        REMAINS("argmin", "auto"),                                                                           \
        {                                                                                                    \
            .name = NULL                                                                                     \
        }                                                                                                    \
    }
#define PSO_THESIS_ABSENT                                                                                    \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "random=glob", "random=reg", "argmin=shared", "argmin=shfl", "argmin=vol", "argmin=warp-first", NULL \
    }
#endif

#endif
