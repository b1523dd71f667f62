/* Private: rows for the tables of options, with the options of the thesis. In a build without theses the
 * macros are empty. */
#ifndef SHOAL_TSP_THESIS_OPTIONS_H
#define SHOAL_TSP_THESIS_OPTIONS_H

#include <shoal/theses.h>

#if SHOAL_THESES

struct shoal_program_desc;
struct thesis_params;
struct tsp_algorithm;

extern const struct tsp_algorithm tsp_thesis;
extern const struct shoal_program_desc tsp_thesis_macro_program, tsp_thesis_micro_program;
extern const struct thesis_params tsp_thesis_params;
#define TSP_THESIS_ALGORITHM      , &tsp_thesis
#define TSP_THESIS_ALGORITHM_NAME "thesis",
#define TSP_THESIS_PROGRAMS       &tsp_thesis_macro_program, &tsp_thesis_micro_program,
#define TSP_THESIS_CASES          {"thesis", "generate=uniform:200:1 algorithm=thesis", SHOAL_CASE_VERIFY},
#define TSP_THESIS_PARAMS         &tsp_thesis_params
#define TSP_THESIS_SIZE           sizeof(struct shoal_tsp_thesis)

/* Offset of a member of struct shoal_tsp_thesis in a block of parameters that has struct shoal_tsp_params
 * first and struct shoal_tsp_thesis directly after it. */
#define TSP_THESIS_FIELD(name) sizeof(struct shoal_tsp_params) + offsetof(struct shoal_tsp_thesis, name)

/* Names of choices, each array in the order of an enum of <shoal/theses.h>, with a final NULL. */
extern const char *const thesis_rewinding_names[],
    *const thesis_choice_names[], *const thesis_scan_names[], *const thesis_memory_names[];

enum { TSP_THESIS_OPTIONS = 15 };

/* clang-format off */
#define TSP_THESIS_OPTION_ROWS \
    {.name = "macro-cycles", .group = "Thesis", \
     .min = 0, \
     .max = 65536, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(macro_cycles), \
     .unit = "N", \
     .help = "number of ant cycles over all cities", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "micro-cycles", \
     .min = 0, \
     .max = 65536, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(micro_cycles), \
     .unit = "N", \
     .help = "number of ant cycles over each piece of the tour", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "passes", \
     .min = 0, \
     .max = 65536, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(passes), \
     .unit = "N", \
     .help = "most passes of 2-opt over the tour of an ant in a piece", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "overlaps", \
     .min = 0, \
     .max = 65536, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(overlaps), \
     .unit = "N", \
     .help = "number of times that the tour is cut into pieces and improved, each time half a piece " \
             "further", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_FREE_ON_RESUME, \
     .needs = "algorithm=thesis"}, \
    {.name = "piece", \
     .min = 4, \
     .max = 256, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(piece), \
     .unit = "CITIES", \
     .help = "most cities of a piece", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "macro-starts", \
     .min = 1, \
     .max = 65536, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(starts), \
     .unit = "N", \
     .help = "most ants over all cities, each with a start of its own", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "macro-squad", \
     .min = 0, \
     .max = 1024, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(macro_squad), \
     .unit = "ITEMS", \
     .help = "work-items of an ant over all cities; default by the device", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "algorithm=thesis"}, \
    {.name = "micro-squad", \
     .min = 0, \
     .max = 64, \
     .type = SHOAL_OPTION_UINT, \
     .offset = TSP_THESIS_FIELD(micro_squad), \
     .unit = "ITEMS", \
     .help = "work-items of the 2-opt of an ant in a piece; default by the device", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_ZERO_UNSET, \
     .needs = "algorithm=thesis"}, \
    {.name = "rewinding", \
     .choices = thesis_rewinding_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = TSP_THESIS_FIELD(rewinding), \
     .unit = "NAME", \
     .help = "time at which the tour of an ant in a piece is rotated to begin at the end of the piece; " \
             "the result is the same", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "choice", \
     .choices = thesis_choice_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = TSP_THESIS_FIELD(choice), \
     .unit = "NAME", \
     .help = "choice of the next city: the city of the largest weight, or a city drawn with whole weights", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "macro-scan", \
     .choices = thesis_scan_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = TSP_THESIS_FIELD(scan), \
     .unit = "NAME", \
     .help = "cities that an ant over all cities looks at in each step: the near cities if they are " \
             "sufficient, or all; the result is the same", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "piece-memory", \
     .choices = thesis_memory_names, \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = TSP_THESIS_FIELD(memory), \
     .unit = "NAME", \
     .help = "memory for the matrix of a piece on a device: global memory, or local memory as a square, " \
             "as a square with rotated rows, or with each pair once", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "one-by-one", \
     .type = SHOAL_OPTION_FLAG, \
     .offset = TSP_THESIS_FIELD(one_by_one), \
     .unit = "", \
     .help = "launch the pieces one after the other", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "micro-device", \
     .type = SHOAL_OPTION_TEXT, \
     .offset = TSP_THESIS_FIELD(micro_device), \
     .unit = "DEVICE", \
     .help = "device for the pieces; default the device of the run", \
     .flags = SHOAL_OPTION_THESIS, \
     .needs = "algorithm=thesis"}, \
    {.name = "history", \
     .type = SHOAL_OPTION_TEXT, \
     .offset = TSP_THESIS_FIELD(history), \
     .unit = "FILE", \
     .help = "write the tours of each cycle as XML", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_WRITES, \
     .needs = "algorithm=thesis"},
/* clang-format on */
#define TSP_THESIS_ABSENT NULL

#else

enum { TSP_THESIS_OPTIONS = 0 };
#define TSP_THESIS_ALGORITHM
#define TSP_THESIS_ALGORITHM_NAME
#define TSP_THESIS_PROGRAMS
#define TSP_THESIS_CASES
#define TSP_THESIS_PARAMS NULL
#define TSP_THESIS_SIZE   0
#define TSP_THESIS_OPTION_ROWS
#define TSP_THESIS_ABSENT                                                                                    \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "algorithm=thesis", "macro-cycles", "micro-cycles", "passes", "overlaps", "piece", "macro-starts",   \
            "macro-squad", "micro-squad", "rewinding", "choice", "macro-scan", "piece-memory", "one-by-one", \
            "micro-device", "history", NULL                                                                  \
    }

#endif

#endif
