/* --best: the distinct points that the runs of a search found. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_BEST_H
#define SHOAL_TOOLS_CLI_SEARCH_BEST_H

#include "cli/cli.h"

/* Copies of points, since the solver is destroyed before the points are printed. */
struct best_points {
    size_t count, dim;
    uint64_t first_seed;
    uint64_t *run, *found_by; /* [count] */
    double *value, *x;        /* value: [count]; x: [count][dim] */
};

/* Sets --runs by --best where --runs is not given. */
int best_complete(struct cli *cli, struct cli_groups *groups);
/* Takes up to `most` points from the result of a row. Returns an exit code. */
int best_take(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
              uint64_t most, struct best_points *best);
/* best_print, best_json and best_free accept a struct of zeros. */
void best_print(const struct best_points *best);
void best_json(cJSON *object, const struct best_points *best);
void best_free(struct best_points *best);

#endif
