/* Private: options of the algorithm lk: rows of the table in tsp/options.c, which defines OPTIONS_OF. */
#ifndef SHOAL_TSP_LK_OPTIONS_H
#define SHOAL_TSP_LK_OPTIONS_H

#define TSP_LK_ROWS                                                                                          \
    {.name = "cooling",                                                                                      \
     OPTION_UINT(cooling, "N", 0, MAX_STEPS),                                                                \
     .help = "iterations in which the threshold falls to 0, up to which longer tours are kept; default "     \
             "the iterations of the run, with --time as many as are expected",                               \
     .needs = "algorithm=lk|auto",                                                                           \
     .flags = SHOAL_OPTION_ZERO_UNSET},                                                                      \
        {.name = "cell",                                                                                     \
         OPTION_UINT(cell, "N", 0, 5000),                                                                    \
         .help =                                                                                             \
             "cities of a cell, in which lk searches; default by the number of cities, up to 5000 on the "   \
             "host; with it, and on devices, an iteration searches all cells",                               \
         .needs = "algorithm=lk",                                                                            \
         .flags = SHOAL_OPTION_ZERO_UNSET},                                                                  \
        {.name = "replicas",                                                                                 \
         OPTION_UINT(replicas, "N", 0, 4096),                                                                \
         .help = "tours that lk searches side by side and recombines; default 1, with --time by the time "   \
                 "and the number of cities",                                                                 \
         .flags = SHOAL_OPTION_ZERO_UNSET},                                                                  \
    {                                                                                                        \
        .name = "visits", OPTION_UINT(visits, "N", 0, 64),                                                   \
        .help = "iterations over which lk spreads the kicks of a cell before it divides the cities anew; "   \
                "default 4 on the host with 2 to 32 cells, on devices with --time as many as keep "          \
                "iterations short, else 1",                                                                  \
        .needs = "algorithm=lk", .flags = SHOAL_OPTION_ZERO_UNSET                                            \
    }

#endif
