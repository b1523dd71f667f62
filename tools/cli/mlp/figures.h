/* The report of a run's predictions as text, JSON and CSV. */
#ifndef SHOAL_TOOLS_CLI_MLP_FIGURES_H
#define SHOAL_TOOLS_CLI_MLP_FIGURES_H

#include "cli/mlp/rows.h"

#include <cjson/cJSON.h>

/* "30 test rows", "150 rows, each validated by the net of its fold"; free(). */
char *mlp_rows_title(const struct mlp_rows *rows);

/* To standard output: the tables of many classes show some of them. */
void mlp_figures_print(const struct mlp_rows *rows, const struct shoal_mlp_report *report);
void mlp_figures_json(cJSON *object, const struct mlp_rows *rows, const struct shoal_mlp_report *report);
/* A figure a line: "figure,of,as,value", where `of` is a class or output, and `as`, of the confusion matrix,
 * the class that its rows were taken for, or a net and its fold; with is_json as objects. malloc'ed; NULL:
 * out of memory. */
char *mlp_figures_lines(const struct mlp_rows *rows, const struct shoal_mlp_report *report, bool is_json,
                        size_t *bytes);

#endif
