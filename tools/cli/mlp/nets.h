/* The nets of a set one by one, beside the report of one of them. */
#ifndef SHOAL_TOOLS_CLI_MLP_NETS_H
#define SHOAL_TOOLS_CLI_MLP_NETS_H

#include "cli/mlp/rows.h"

/* Prints the nets of a set to standard output; of many nets the ones with the least losses. A run with one
 * net prints nothing. */
void mlp_nets_print(const struct mlp_rows *rows);
void mlp_nets_json(cJSON *object, const struct mlp_rows *rows);

/* Figures of a net that have a name; "test_accuracy". NaN: not known. */
enum { MLP_NET_FIGURES = 2 + SHOAL_MLP_PARTS };
struct mlp_net_figure {
    char name[24];
    double value;
};
void mlp_net_figures(const struct mlp_rows *rows, const struct shoal_mlp_net *net,
                     struct mlp_net_figure out[MLP_NET_FIGURES]);

#endif
