/* Private: options of the algorithm faco: rows for the table in tsp/options.c, which defines OPTIONS_OF. */
#ifndef SHOAL_TSP_FACO_OPTIONS_H
#define SHOAL_TSP_FACO_OPTIONS_H

enum { TSP_FACO_OPTIONS = 5 };

#define TSP_FACO_ROWS                                                                                        \
    {.name = "new-edges",                                                                                    \
     OPTION_UINT(faco.new_edges, "N", 0, 32),                                                                \
     .help = "least number of edges of an ant's tour that its source tour does not have; default 8",         \
     .needs = "algorithm=faco|auto",                                                                         \
     .flags = SHOAL_OPTION_ZERO_UNSET},                                                                      \
        {.name = "p-best",                                                                                   \
         OPTION_REAL(faco.p_best, "P", 1e-6, 0.999),                                                         \
         .help = "probability that an ant makes all best choices, which sets the least pheromone; default "  \
                 "0.1",                                                                                      \
         .needs = "algorithm=faco|auto"},                                                                    \
        {.name = "merge",                                                                                    \
         OPTION_FLAG(faco.merge),                                                                            \
         .help = "combine the changes of all improving ants of an iteration that fit with each other, "      \
                 "instead of taking the best ant only",                                                      \
         .needs = "algorithm=faco|auto"},                                                                    \
        {.name = "pieces",                                                                                   \
         OPTION_UINT(pieces, "P", 0, 65536),                                                                 \
         .help = "pieces of a source tour; each has ants of its own, and all pieces change at once, by the " \
                 "ants that fit with each other; for large problems; default no pieces",                     \
         .needs = "algorithm=faco|auto",                                                                     \
         .flags = SHOAL_OPTION_ZERO_UNSET},                                                                  \
    {                                                                                                        \
        .name = "source-share", OPTION_REAL(faco.source_share, "P", 0, 1),                                   \
        .help = "probability that the next source tour is the best tour so far instead of the best tour "    \
                "of the iteration; default 0.01",                                                            \
        .needs = "algorithm=faco|auto"                                                                       \
    }

#endif
