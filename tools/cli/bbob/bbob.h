/* shoal bench bbob: the benchmark BBOB for the algorithms of searches. */
#ifndef SHOAL_TOOLS_CLI_BBOB_H
#define SHOAL_TOOLS_CLI_BBOB_H

#include "bench/bbob/suite.h"
#include "cli/cli.h"

const struct cli_command *bbob_command(void);

/* A run of the suite, and texts that describe the run. */
struct bbob_run {
    struct cli *cli;
    struct suite suite;
    const char *algorithm; /* name of the algorithm, "auto" included */
    const char *with;      /* options of the algorithm; "": none */
    double seconds;
};

/* Numbers of target differences for which average run times are shown: BBOB_SHOWN in the table, BBOB_TARGETS
 * in the JSON document. */
enum { BBOB_SHOWN = 6, BBOB_TARGETS = 10 };

void bbob_print(const struct bbob_run *run);
int bbob_print_json(const struct bbob_run *run);
/* Draws the share of the targets (triples of function, instance and level) that were reached, over the number
 * of evaluations. Returns an exit code. */
int bbob_plot(const struct bbob_run *run, const char *option, const char *path);

/* Checks before the run that files can be written to the folder, which must be new or empty. Returns an exit
 * code. */
int bbob_coco_check(const char *option, const char *folder);
/* Writes the data files of COCO. name: the algorithm as COCO shows it. Returns an exit code. */
int bbob_coco_write(const struct bbob_run *run, const char *option, const char *folder, const char *name);

#endif
