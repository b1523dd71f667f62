/* Private: options of the thesis, for the tables of options; empty in builds without theses. */
#ifndef SHOAL_MLP_THESIS_OPTIONS_H
#define SHOAL_MLP_THESIS_OPTIONS_H

#include <shoal/theses.h>

#if SHOAL_THESES

struct mlp_method;
struct shoal_program_desc;
struct thesis_params;

extern const struct shoal_program_desc mlp_v1_program, mlp_v2_program, mlp_thesis_update_program;
extern const struct mlp_method mlp_v1_method, mlp_v2_method;
extern const struct thesis_params mlp_thesis_params;
extern const char *const mlp_thesis_layout_names[], *const mlp_thesis_place_names[];
#define MLP_THESIS_METHODS      &mlp_v1_method, &mlp_v2_method,
#define MLP_THESIS_METHOD_NAMES "v1", "v2",
#define MLP_THESIS_METHOD_HELP  ", or the two methods of the thesis, for one hidden layer and --full-batch"
#define MLP_THESIS_PROGRAMS     &mlp_v1_program, &mlp_v2_program, &mlp_thesis_update_program,
#define MLP_THESIS_PARAMS       &mlp_thesis_params
#define MLP_THESIS_SIZE         sizeof(struct shoal_mlp_thesis)

/* Offset of a member of the thesis's struct in a block of parameters, where this struct follows the
 * workload's struct. */
#define MLP_THESIS_FIELD(name) sizeof(struct shoal_mlp_params) + offsetof(struct shoal_mlp_thesis, name)

enum { MLP_THESIS_OPTIONS = 8 };

/* clang-format off */
#define MLP_THESIS_OPTION_ROWS \
    {.name = "blocks", .group = "Thesis", \
     .max = 1 << 20, \
     .type = SHOAL_OPTION_UINT, \
     .offset = MLP_THESIS_FIELD(blocks), \
     .unit = "B", \
     .help = "work-groups that share the rows; default two for each compute unit of the device", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v1|v2"}, \
    {.name = "block-threads", \
     .max = 1024, \
     .type = SHOAL_OPTION_UINT, \
     .offset = MLP_THESIS_FIELD(threads), \
     .unit = "T", \
     .help = "work-items of each work-group; default by the device, for v2 the neurons of the widest layer", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v1|v2"}, \
    {.name = "interleave", \
     .max = 16, \
     .type = SHOAL_OPTION_UINT, \
     .offset = MLP_THESIS_FIELD(interleave), \
     .unit = "Q", \
     .help = "rows that a work-group of v2 takes at a time; default 4, as in the thesis", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v2"}, \
    {.name = "values-layout", \
     .choices = mlp_thesis_layout_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = MLP_THESIS_FIELD(values), \
     .unit = "NAME", \
     .help = "layout of the values of neurons of v1: block after block (A, the layout of the thesis), or " \
             "side by side for all threads (B)", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1"}, \
    {.name = "deltas-layout", \
     .choices = mlp_thesis_layout_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = MLP_THESIS_FIELD(deltas), \
     .unit = "NAME", \
     .help = "layout of the derivatives of threads (v1, in the thesis B) or blocks (v2, in the thesis A): " \
             "block after block (A), or side by side for each weight (B)", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"}, \
    {.name = "deltas-stored", \
     .type = SHOAL_OPTION_FLAG, \
     .offset = MLP_THESIS_FIELD(stores), \
     .unit = "", \
     .help = "a thread of v1 stores the derivatives of its first row, so that they need not be cleared before", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1"}, \
    {.name = "sum-on", \
     .choices = mlp_thesis_place_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = MLP_THESIS_FIELD(sum), \
     .unit = "PLACE", \
     .help = "place where the derivatives of threads or blocks are added; in the thesis the device for " \
             "v1, the host for v2", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"}, \
    {.name = "update-on", \
     .choices = mlp_thesis_place_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = MLP_THESIS_FIELD(update), \
     .unit = "PLACE", \
     .help = "place where the parameters are updated; in the thesis the host", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"},
/* clang-format on */
#define MLP_THESIS_ABSENT NULL

#else

enum { MLP_THESIS_OPTIONS = 0 };
#define MLP_THESIS_METHODS
#define MLP_THESIS_METHOD_NAMES
#define MLP_THESIS_METHOD_HELP ""
#define MLP_THESIS_PROGRAMS
#define MLP_THESIS_PARAMS NULL
#define MLP_THESIS_SIZE   0
#define MLP_THESIS_OPTION_ROWS
#define MLP_THESIS_ABSENT                                                                                    \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "method=v1", "method=v2", "blocks", "block-threads", "interleave", "values-layout", "deltas-layout", \
            "deltas-stored", "sum-on", "update-on", NULL                                                     \
    }

#endif

#endif
