/* shoal bench bbob: the benchmark BBOB for the algorithms of searches. */
#ifndef SHOAL_TOOLS_CLI_BBOB_H
#define SHOAL_TOOLS_CLI_BBOB_H

#include "bench/bbob/suite.h"
#include "cli/cli.h"

const struct cli_command *bbob_command(void);

/* A run of the suite and its labels. */
struct bbob_run {
    struct cli *cli;
    struct suite suite;
    const char *algorithm; /* name of the algorithm, "auto" included */
    const char *with;      /* its options; "": none */
    double seconds;
};

/* The differences whose average run times the table shows, and the document has. */
enum { BBOB_SHOWN = 6, BBOB_TARGETS = 10 };

void bbob_print(const struct bbob_run *run);
int bbob_print_json(const struct bbob_run *run);
/* Draws the share of functions, instances and levels that were reached over the evaluations for each
 * dimension. Exit code. */
int bbob_plot(const struct bbob_run *run, const char *option, const char *path);

/* Looks whether files can be written to the folder, before the run; it must be new or empty. Exit code. */
int bbob_coco_check(const char *option, const char *folder);
/* Writes the data files of COCO. name: the algorithm as COCO shows it. Exit code. */
int bbob_coco_write(const struct bbob_run *run, const char *option, const char *folder, const char *name);

#endif
