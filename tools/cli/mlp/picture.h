/* Pictures of the report as SVG: the confusion matrix, or predicted over true numbers. */
#ifndef SHOAL_TOOLS_CLI_MLP_PICTURE_H
#define SHOAL_TOOLS_CLI_MLP_PICTURE_H

#include "cli/mlp/rows.h"

/* Draws the picture to `path`. Returns an exit code; a failure is reported in a line that names `option`. */
int mlp_draw(const char *option, const char *path, const char *title, const struct mlp_rows *rows,
             const struct shoal_mlp_report *report);

#endif
