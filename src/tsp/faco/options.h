/* Private: options of the algorithm faco: rows of the table in tsp/options.c, where FIELD is defined. */
#ifndef SHOAL_TSP_FACO_OPTIONS_H
#define SHOAL_TSP_FACO_OPTIONS_H

enum { TSP_FACO_OPTIONS = 4 };

#define TSP_FACO_ROWS                                                                                        \
    {.name = "new-edges",                                                                                    \
     .type = SHOAL_OPTION_UINT,                                                                              \
     .offset = FIELD(faco.new_edges),                                                                        \
     .unit = "N",                                                                                            \
     .max = 32,                                                                                              \
     .help = "edges of an ant's tour that its source does not have, at least; default 8",                    \
     .needs = "algorithm=faco",                                                                              \
     .flags = SHOAL_OPTION_ZERO_UNSET},                                                                      \
        {.name = "p-best",                                                                                   \
         .type = SHOAL_OPTION_REAL,                                                                          \
         .offset = FIELD(faco.p_best),                                                                       \
         .unit = "P",                                                                                        \
         .min = 1e-6,                                                                                        \
         .max = 0.999,                                                                                       \
         .help = "probability of the best choices, from which the least pheromone follows; default 0.1",     \
         .needs = "algorithm=faco"},                                                                         \
        {.name = "merge",                                                                                    \
         .type = SHOAL_OPTION_FLAG,                                                                          \
         .offset = FIELD(faco.merge),                                                                        \
         .unit = "",                                                                                         \
         .help = "take all improving ants of an iteration that fit with each other, not the best one alone", \
         .needs = "algorithm=faco"},                                                                         \
    {                                                                                                        \
        .name = "source-share", .type = SHOAL_OPTION_REAL, .offset = FIELD(faco.source_share), .unit = "P",  \
        .min = 0, .max = 1,                                                                                  \
        .help = "probability that the best tour so far is the next source, instead of the best one of the "  \
                "iteration; default 0.01",                                                                   \
        .needs = "algorithm=faco"                                                                            \
    }

#endif
