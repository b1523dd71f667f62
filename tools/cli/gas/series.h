/* Observations of a gas other than its samples, as columns of numbers for files, JSON and charts. */
#ifndef SHOAL_TOOLS_GAS_SERIES_H
#define SHOAL_TOOLS_GAS_SERIES_H

#include <cjson/cJSON.h>
#include <shoal/gas.h>

enum gas_series_kind {
    GAS_SERIES_RDF,
    GAS_SERIES_SPEEDS,
    GAS_SERIES_PROFILE,
    GAS_SERIES_MSD,
    GAS_SERIES_STRUCTURE,
    GAS_SERIES_VACF,
    GAS_SERIES_CLUSTERS,
    GAS_SERIES_G6,
    GAS_SERIES_KINDS
};

/* r, g of all particles, and g of each two species */
enum {
    GAS_SERIES_PAIRS = SHOAL_GAS_MOST_SPECIES * (SHOAL_GAS_MOST_SPECIES + 1) / 2,
    GAS_SERIES_COLUMNS = 2 + GAS_SERIES_PAIRS
};

/* Series of one kind. All zeros: the run has no series of this kind. */
struct gas_series {
    enum gas_series_kind kind;
    const char *names[GAS_SERIES_COLUMNS]; /* names of the columns in files, and JSON keys */
    double *columns[GAS_SERIES_COLUMNS];   /* columns with `rows` numbers each */
    char pairs[GAS_SERIES_PAIRS][40];      /* names of the columns of two species */
    size_t column_count, rows;
    /* histograms: number of samples of the mean; else number of samples in the rows */
    uint64_t samples;
    double diffusion, diffusion_error; /* diffusion constant from the mean-square displacement, and its error;
                                        * NaN: not known */
};

SHOAL_MUST_CHECK enum shoal_status gas_series_take(struct shoal_solver *solver,
                                                   const struct shoal_gas_params *params,
                                                   enum gas_series_kind kind, struct gas_series *series,
                                                   struct shoal_error *error);
void gas_series_clear(struct gas_series *series); /* accepts zeros */

/* Adds an object with the name of the kind: the number of samples, an array for each column, and for the
 * mean-square displacement the diffusion constant. */
void gas_series_json(cJSON *object, const struct gas_series *series);

/* Checks before the run that `path` can be written and ends in .csv or .json. gas_series_check and
 * gas_series_write return an exit code. */
int gas_series_check(const char *option, const char *path);
/* Writes CSV: a line of names, then a line for each row, with all digits, or nothing where a number is not
 * known. */
int gas_series_write(const char *option, const char *path, const struct gas_series *series);

#endif
