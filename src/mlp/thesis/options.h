/* Private: the parameters of the thesis's methods as rows of the table of options, which has FIELD. */
#ifndef SHOAL_MLP_THESIS_OPTIONS_H
#define SHOAL_MLP_THESIS_OPTIONS_H

#include <shoal/workload.h>

static const char *const thesis_layout_names[] = {"thesis", "block", "thread", NULL};
static const char *const thesis_place_names[] = {"thesis", "device", "host", NULL};

enum { MLP_THESIS_OPTIONS = 8 };

/* clang-format off */
#define MLP_THESIS_OPTION_ROWS \
    {.name = "blocks", .group = "Thesis", \
     .max = 1 << 20, \
     .type = SHOAL_OPTION_UINT, \
     .offset = FIELD(thesis.blocks), \
     .unit = "B", \
     .help = "work-groups that share the rows; default two for each unit of the device", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v1|v2"}, \
    {.name = "block-threads", \
     .max = 1024, \
     .type = SHOAL_OPTION_UINT, \
     .offset = FIELD(thesis.threads), \
     .unit = "T", \
     .help = "work-items of each; default by the device, of v2 as the widest layer has neurons", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v1|v2"}, \
    {.name = "interleave", \
     .max = 16, \
     .type = SHOAL_OPTION_UINT, \
     .offset = FIELD(thesis.interleave), \
     .unit = "Q", \
     .help = "rows that a work-group of v2 takes at a time; default 4, as in the thesis", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "method=v2"}, \
    {.name = "values-layout", \
     .choices = thesis_layout_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = FIELD(thesis.values), \
     .unit = "NAME", \
     .help = "where v1 has the values of neurons: block after block (layout A, that of the thesis), or side by side for all threads (B)", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1"}, \
    {.name = "deltas-layout", \
     .choices = thesis_layout_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = FIELD(thesis.deltas), \
     .unit = "NAME", \
     .help = "where the derivatives of each thread (v1, thesis: B) or block (v2, thesis: A) are: block after block (A), or side by side for each weight (B)", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"}, \
    {.name = "deltas-stored", \
     .type = SHOAL_OPTION_FLAG, \
     .offset = FIELD(thesis.stores), \
     .unit = "", \
     .help = "a thread of v1 stores the derivatives of its first row, so that they need not be cleared before", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1"}, \
    {.name = "sum-on", \
     .choices = thesis_place_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = FIELD(thesis.sum), \
     .unit = "PLACE", \
     .help = "where the derivatives of threads or blocks are added: of the thesis's v1 on the device, of its v2 on the host", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"}, \
    {.name = "update-on", \
     .choices = thesis_place_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = FIELD(thesis.update), \
     .unit = "PLACE", \
     .help = "where the parameters are updated: in the thesis on the host", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "method=v1|v2"},
/* clang-format on */

#endif
