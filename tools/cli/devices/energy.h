/* Power and energy of the runs of a row, for --energy. */
#ifndef SHOAL_TOOLS_CLI_DEVICES_ENERGY_H
#define SHOAL_TOOLS_CLI_DEVICES_ENERGY_H

#include "bench/runner/power/window.h"

#include <cjson/cJSON.h>
#include <shoal/workload.h>

struct cli_row;

struct row_energy {
    bool is_asked;             /* --energy was given */
    bool is_measured;          /* the members below are set */
    struct power_figure power; /* with the reason, if there is no figure */
    double work;               /* units of work of the runs in the window */
    uint64_t runs;
};

/* Repeats the run of a row whose samples are complete, for power_window_seconds at least, without its files,
 * and sets row->energy. */
void row_energy_measure(struct cli_row *row, const void *params, const struct shoal_run_params *run);
/* Units of work for each joule; NaN: not known. */
double row_energy_yield(const struct row_energy *energy);
/* "350.0 W, 120.0 W at rest, 4.2 M evaluations/J (12 runs in 5.1 s)", or "-, " and the reason; NULL: nothing
 * was measured. The caller frees the text. */
char *row_energy_text(const struct cli_row *row);
/* Prints a line for each row that was measured, after an empty line. */
void row_energy_print(const struct cli_row *rows, size_t count);
/* Adds the object "energy" where --energy was given. */
void row_energy_json(const struct cli_row *row, cJSON *object);

#endif
