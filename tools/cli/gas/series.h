/* Observations of a gas beside its samples, as columns of numbers: for files, JSON and charts. */
#ifndef SHOAL_TOOLS_GAS_SERIES_H
#define SHOAL_TOOLS_GAS_SERIES_H

#include <cjson/cJSON.h>
#include <shoal/gas.h>

enum gas_series_kind {
    GAS_SERIES_RDF,
    GAS_SERIES_SPEEDS,
    GAS_SERIES_PROFILE,
    GAS_SERIES_MSD,
    GAS_SERIES_KINDS
};

enum { GAS_SERIES_COLUMNS = 5 };

/* Zeros: the run has none of this kind. */
struct gas_series {
    enum gas_series_kind kind;
    const char *names[GAS_SERIES_COLUMNS]; /* also the JSON keys */
    double *columns[GAS_SERIES_COLUMNS];   /* columns of `rows` numbers */
    size_t column_count, rows;
    uint64_t samples;                  /* samples of which a histogram is the mean, or samples that are the
                                        * rows */
    double diffusion, diffusion_error; /* diffusion constant by the mean-square displacement, and its error;
                                        * NaN: not known */
};

SHOAL_MUST_CHECK enum shoal_status gas_series_take(struct shoal_solver *solver,
                                                   const struct shoal_gas_params *params,
                                                   enum gas_series_kind kind, struct gas_series *series,
                                                   struct shoal_error *error);
void gas_series_clear(struct gas_series *series); /* accepts zeros */

/* An object by the name of the kind: the number of samples, and an array for each column; of the
 * mean-square displacement the diffusion constant too. */
void gas_series_json(cJSON *object, const struct gas_series *series);

/* Before the run: can `path` be written? It ends in .csv or .json. Exit code, here and below. */
int gas_series_check(const char *option, const char *path);
/* CSV: a line of names, then one for each row, all digits. */
int gas_series_write(const char *option, const char *path, const struct gas_series *series);

#endif
