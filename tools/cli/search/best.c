#include "cli/search/best.h"

#include "cli/search/fit.h"

#include <inttypes.h>
#include <shoal/search.h>
#include <stdlib.h>

int best_complete(struct cli *cli, struct cli_groups *groups)
{
    static const uint64_t runs_of_point = 4;
    const uint64_t best = ((const struct search_values *)cli->values)->files.best;
    if (!best || cli_is_given(cli, "runs") || cli->resumed)
        return CLI_OK;
    char *values = cli_sprintf("runs=%" PRIu64, runs_of_point * best);
    const int code = cli_take_values(cli, groups, values);
    free(values);
    return code;
}

int best_take(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
              uint64_t most, struct best_points *best)
{
    const struct shoal_field *values = shoal_result_find(&row->result, "run_values");
    const struct shoal_search_params *params = cli->params;
    struct shoal_error error = {0};
    const size_t room = (size_t)(most < params->runs ? most : params->runs);
    best->dim = shoal_result_find(&row->result, "position")->count;
    best->first_seed = params->seed;
    best->run = cli_alloc(room * sizeof *best->run);
    best->found_by = cli_alloc(room * sizeof *best->found_by);
    best->value = cli_alloc(room * sizeof *best->value);
    best->x = cli_alloc(room * best->dim * sizeof *best->x);
    enum shoal_status status =
        shoal_search_distinct(solver, room, best->run, best->found_by, &best->count, &error);
    for (size_t i = 0; i < best->count && !status; i++) {
        status = shoal_search_run_position(solver, best->run[i], best->x + i * best->dim, best->dim, &error);
        best->value[i] = values ? values->reals[best->run[i]] : row->result.value;
    }
    if (!status && best->count < most)
        cli_note(cli, "the runs found %zu distinct point%s, not %" PRIu64 ": more --runs may find more",
                 best->count, best->count == 1 ? "" : "s", most);
    return status ? cli_fail("--best", &error) : CLI_OK;
}

static char *position_text(const double *x, size_t dim)
{
    enum { SHOWN = 8 };
    char *text = cli_strdup("");
    for (size_t d = 0; d < dim && d < SHOWN; d++) {
        char *longer = cli_sprintf("%s%s%s", text, d ? " " : "", cli_number(x[d]).s);
        free(text);
        text = longer;
    }
    if (dim <= SHOWN)
        return text;
    char *longer = cli_sprintf("%s ... (%zu values)", text, dim);
    free(text);
    return longer;
}

void best_print(const struct best_points *best)
{
    const struct cli_column columns[] = {{.title = "point", .right = true},
                                         {.title = "value", .stays = true, .right = true},
                                         {.title = "runs", .stays = true, .right = true},
                                         {.title = "seed", .stays = true, .right = true},
                                         {.title = "position", .stays = true, .wraps = true}};
    if (!best->count)
        return;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < best->count; i++) {
        char *position = position_text(best->x + i * best->dim, best->dim);
        cli_table_row(table);
        cli_table_cell(table, "%zu", i + 1);
        cli_table_cell(table, "%s", cli_exact(best->value[i], false).s);
        cli_table_cell(table, "%" PRIu64, best->found_by[i]);
        cli_table_cell(table, "%" PRIu64, best->first_seed + best->run[i]);
        cli_table_cell(table, "%s", position);
        free(position);
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

void best_json(cJSON *object, const struct best_points *best)
{
    if (!best->run)
        return;
    cJSON *array = cli_json_array(object, "best_points");
    for (size_t i = 0; i < best->count; i++) {
        char seed[24];
        cJSON *point = cli_json_object(array, NULL);
        snprintf(seed, sizeof seed, "%" PRIu64, best->first_seed + best->run[i]);
        cli_json_real(point, "value", best->value[i]);
        cli_json_uint(point, "runs", best->found_by[i]);
        cli_json_text(point, "seed", seed); /* may be too large for a number in JSON */
        cli_json_reals(point, "position", best->x + i * best->dim, best->dim);
    }
}

void best_free(struct best_points *best)
{
    free(best->run);
    free(best->found_by);
    free(best->value);
    free(best->x);
    *best = (struct best_points){.count = 0};
}
