/* Private: options of the algorithm faco: rows of the table in tsp/options.c, which defines OPTIONS_OF. */
#ifndef SHOAL_TSP_FACO_OPTIONS_H
#define SHOAL_TSP_FACO_OPTIONS_H

enum { TSP_FACO_OPTIONS = 4 };

#define TSP_FACO_ROWS                                                                                        \
    {.name = "new-edges",                                                                                    \
     OPTION_UINT(faco.new_edges, "N", 0, 32),                                                                \
     .help = "edges of an ant's tour that its source does not have, at least; default 8",                    \
     .needs = "algorithm=faco",                                                                              \
     .flags = SHOAL_OPTION_ZERO_UNSET},                                                                      \
        {.name = "p-best",                                                                                   \
         OPTION_REAL(faco.p_best, "P", 1e-6, 0.999),                                                         \
         .help = "probability of the best choices, from which the least pheromone follows; default 0.1",     \
         .needs = "algorithm=faco"},                                                                         \
        {.name = "merge",                                                                                    \
         OPTION_FLAG(faco.merge),                                                                            \
         .help = "take all improving ants of an iteration that fit with each other, not the best one alone", \
         .needs = "algorithm=faco"},                                                                         \
    {                                                                                                        \
        .name = "source-share", OPTION_REAL(faco.source_share, "P", 0, 1),                                   \
        .help = "probability that the best tour so far is the next source, instead of the best one of the "  \
                "iteration; default 0.01",                                                                   \
        .needs = "algorithm=faco"                                                                            \
    }

#endif
