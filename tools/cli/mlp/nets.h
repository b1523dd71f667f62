/* Output about each net of a set; the report describes only one of the nets. */
#ifndef SHOAL_TOOLS_CLI_MLP_NETS_H
#define SHOAL_TOOLS_CLI_MLP_NETS_H

#include "cli/mlp/rows.h"

/* Prints the nets of a set to standard output; of many nets, the nets with the least losses. For a run with
 * one net nothing is printed. */
void mlp_nets_print(const struct mlp_rows *rows);
void mlp_nets_json(cJSON *object, const struct mlp_rows *rows);

/* Figures of a net by name, such as "test_accuracy". NaN: not known. */
enum { MLP_NET_FIGURES = 2 + SHOAL_MLP_PARTS };
struct mlp_net_figure {
    char name[24];
    double value;
};
void mlp_net_figures(const struct mlp_rows *rows, const struct shoal_mlp_net *net,
                     struct mlp_net_figure out[MLP_NET_FIGURES]);

#endif
