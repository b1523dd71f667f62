#include "cli/mlp/nets.h"

#include "cli/output/json.h"
#include "cli/output/tables/layout.h"
#include "cli/output/tables/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SHOWN = 30, BEST = 10 };

static size_t count_of(const struct mlp_rows *rows)
{
    return rows->all ? (size_t)(rows->nets * (rows->folds ? rows->folds : 1)) : 0;
}

void mlp_net_figures(const struct mlp_rows *rows, const struct shoal_mlp_net *net,
                     struct mlp_net_figure out[MLP_NET_FIGURES])
{
    const char *const score = rows->outcome.classes ? "accuracy" : "r2";
    out[0] = (struct mlp_net_figure){"loss", net->loss};
    out[1] = (struct mlp_net_figure){"validation_loss", net->validation_loss};
    for (int part = 0; part < SHOAL_MLP_PARTS; part++) {
        out[2 + part].value = net->scores[part];
        snprintf(out[2 + part].name, sizeof out->name, "%s_%s", mlp_part_name((enum shoal_mlp_part)part),
                 score);
    }
}

static double judged(const struct shoal_mlp_net *net)
{
    const double loss = isnan(net->validation_loss) ? net->loss : net->validation_loss;
    return net->has_failed || isnan(loss) ? INFINITY : loss;
}

static int by_loss(const void *a, const void *b)
{
    const struct shoal_mlp_net *x = *(const struct shoal_mlp_net *const *)a,
                               *y = *(const struct shoal_mlp_net *const *)b;
    return x->has_failed != y->has_failed ? x->has_failed - y->has_failed
           : judged(x) != judged(y)       ? (judged(x) > judged(y)) - (judged(x) < judged(y))
                                          : (x > y) - (x < y);
}

static void add_net(struct cli_table *table, const struct mlp_rows *rows, const struct shoal_mlp_net *net)
{
    struct mlp_net_figure figures[MLP_NET_FIGURES];
    mlp_net_figures(rows, net, figures);
    cli_table_row(table);
    cli_table_cell(table, "%" PRIu64, net->number + 1);
    if (rows->folds)
        cli_table_cell(table, "%" PRIu64, net->fold + 1);
    else
        cli_table_cell(table, "-");
    cli_table_cell(table, "%" PRIu64, net->seed);
    for (int k = 0; k < MLP_NET_FIGURES; k++)
        if (isnan(figures[k].value))
            cli_table_cell(table, "-");
        else if (k < 2)
            cli_table_cell(table, "%s", cli_number(figures[k].value).s);
        else if (figures[k].value < 1 && figures[k].value >= 0.99995)
            cli_table_cell(table, "%s", cli_share(figures[k].value, 4).s);
        else
            cli_table_cell(table, "%.4f", figures[k].value);
    cli_table_cell(table, "%s", net->has_failed ? "failed" : "-");
}

void mlp_nets_print(const struct mlp_rows *rows)
{
    static const struct cli_column columns[] = {{.title = "net", .right = true},
                                                {.title = "fold", .stays = true, .right = true},
                                                {.title = "seed", .stays = true, .right = true},
                                                {.title = "loss", .stays = true, .right = true},
                                                {.title = "valid. loss", .stays = true, .right = true},
                                                {.title = "training", .stays = true, .right = true},
                                                {.title = "validation", .stays = true, .right = true},
                                                {.title = "test", .stays = true, .right = true},
                                                {.title = "", .stays = true}};
    const size_t count = count_of(rows), shown = count > SHOWN ? BEST : count;
    if (!count)
        return;
    const struct shoal_mlp_net **order = cli_alloc(count * sizeof *order);
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++)
        order[i] = &rows->all[i];
    if (shown < count)
        qsort(order, count, sizeof *order, by_loss);
    for (size_t i = 0; i < shown; i++)
        add_net(table, rows, order[i]);
    cli_print("\n%s, %s of the rows of each part%s\n", shown < count ? "The best nets" : "Nets",
              rows->outcome.classes ? "accuracy" : "R2", shown < count ? "; --json has all" : "");
    cli_table_print(table, stdout);
    cli_table_free(&table);
    free(order);
}

void mlp_nets_json(cJSON *object, const struct mlp_rows *rows)
{
    const size_t count = count_of(rows);
    struct mlp_net_figure figures[MLP_NET_FIGURES];
    if (!count)
        return;
    cli_json_uint(object, "net", rows->net + 1);
    cJSON *array = cli_json_array(object, "nets");
    for (size_t i = 0; i < count; i++) {
        const struct shoal_mlp_net *net = &rows->all[i];
        cJSON *one = cli_json_object(array, NULL);
        cli_json_uint(one, "net", net->number + 1);
        if (rows->folds)
            cli_json_uint(one, "fold", net->fold + 1);
        char seed[24];
        snprintf(seed, sizeof seed, "%" PRIu64, net->seed);
        cli_json_text(one, "seed", seed); /* may be too large for a number in JSON */
        cli_json_real(one, "rate", net->rate);
        cli_json_real(one, "decay", net->decay);
        cli_json_real(one, "lack_of_fit", net->lack_of_fit);
        cli_json_uint(one, "updates", net->updates);
        cli_json_bool(one, "failed", net->has_failed);
        mlp_net_figures(rows, net, figures);
        for (int k = 0; k < MLP_NET_FIGURES; k++)
            cli_json_real(one, figures[k].name, figures[k].value);
    }
}
