/* The report of a run's predictions as text, JSON and CSV. */
#ifndef SHOAL_TOOLS_CLI_MLP_FIGURES_H
#define SHOAL_TOOLS_CLI_MLP_FIGURES_H

#include "cli/mlp/rows.h"

#include <cjson/cJSON.h>

/* A title such as "30 test rows" or "150 rows, each validated by the net of its fold"; the caller frees
 * it. */
char *mlp_rows_title(const struct mlp_rows *rows);

/* Prints the report to standard output; where there are many classes, the tables show some of them. */
void mlp_figures_print(const struct mlp_rows *rows, const struct shoal_mlp_report *report);
void mlp_figures_json(cJSON *object, const struct mlp_rows *rows, const struct shoal_mlp_report *report);
/* Figures as text, one figure a line: "figure,of,as,value". of: a class or output, true class in the
 * confusion matrix; as: predicted class in the confusion matrix, or a net and its fold. is_json: each line is
 * a JSON object. The caller frees the text; NULL: out of memory. */
char *mlp_figures_lines(const struct mlp_rows *rows, const struct shoal_mlp_report *report, bool is_json,
                        size_t *bytes);

#endif
