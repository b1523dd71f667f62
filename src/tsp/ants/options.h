/* Private: options of the algorithms as, eas, ras, mmas, bwas and acs: rows for the table in tsp/options.c,
 * which defines OPTIONS_OF. Names and defaults are those of ACOTSP 1.03. */
#ifndef SHOAL_TSP_ANTS_OPTIONS_H
#define SHOAL_TSP_ANTS_OPTIONS_H

enum { TSP_ANTS_OPTIONS = 7 };

#define TSP_ANTS_NEED "algorithm=as|eas|ras|mmas|bwas|acs"

#define TSP_ANTS_ROWS                                                                                        \
    {.name = "pheromone",                                                                                    \
     OPTION_CHOICE(colony.pheromone, "WHERE", tsp_ants_pheromones),                                          \
     .help = "edges that hold pheromone: candidates (n times --candidates values) or full (n times n)",      \
     .needs = TSP_ANTS_NEED},                                                                                \
        {.name = "localsearch",                                                                              \
         OPTION_UINT(colony.local_search, "0..4", 0, 4),                                                     \
         .help = "local search of each tour: 0: none, 1: 2-opt, 2: 2.5-opt, 3: 3-opt, 4: 2-opt and Or-opt",  \
         .needs = TSP_ANTS_NEED,                                                                             \
         .flags = SHOAL_OPTION_MAIN},                                                                        \
        {.name = "nnls",                                                                                     \
         OPTION_UINT(colony.local_neighbours, "K", 0, TSP_MOST_NEIGHBOURS),                                  \
         .help = "nearest cities that local search tries; default 20",                                       \
         .needs = "localsearch>0",                                                                           \
         .flags = SHOAL_OPTION_ZERO_UNSET},                                                                  \
        {.name = "dlb",                                                                                      \
         OPTION_UINT(colony.look_bits, "0|1", 0, 1),                                                         \
         .help = "local search with don't-look bits (1), or until no city has a move (0)",                   \
         .needs = "localsearch>0"},                                                                          \
        {.name = "q0",                                                                                       \
         OPTION_REAL(colony.q0, "P", 0, 1),                                                                  \
         .help = "probability that an ant takes the best candidate; default for acs 0.9 (0.98 with local "   \
                 "search), else 0",                                                                          \
         .needs = TSP_ANTS_NEED},                                                                            \
        {.name = "elitistants",                                                                              \
         OPTION_UINT(colony.elitists, "E", 0, 16777216),                                                     \
         .help = "weight of the best tour so far; default the number of cities, with local search 25",       \
         .needs = "algorithm=eas",                                                                           \
         .flags = SHOAL_OPTION_ZERO_UNSET},                                                                  \
    {                                                                                                        \
        .name = "rasranks", OPTION_UINT(colony.ranks, "R", 0, 100),                                          \
        .help = "weight of the best tour so far; the R - 1 best tours of the iteration have the weights R "  \
                "- 1, R - 2 ... 1; default 6",                                                               \
        .needs = "algorithm=ras", .flags = SHOAL_OPTION_ZERO_UNSET                                           \
    }

#endif
