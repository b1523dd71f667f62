/* shoal data info: what each command makes of a file. */
#include "cli/commands/dataset.h"
#include "cli/workload.h"

#include <shoal/data.h>
#include <shoal/gas.h>
#include <shoal/mlp_model.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>

/* What a command says of the file: what it takes it for, or why it does not. */
struct use {
    const char *command; /* with the option that takes the file */
    bool takes;
    char *text, *notes;
};

enum { USES = 6 };
struct cli_uses {
    struct use use[USES];
};

static void set(struct use *use, bool takes, char *text, const char *notes)
{
    use->takes = takes;
    use->text = text;
    use->notes = notes && *notes ? cli_strdup(notes) : NULL;
}

/* A message without the name of the file, which is the same in all. */
static char *reason(const struct shoal_error *error, const char *path)
{
    const size_t length = strlen(path);
    const bool begins =
        strncmp(error->message, path, length) == 0 && strncmp(error->message + length, ": ", 2) == 0;
    return cli_strdup(error->message + (begins ? length + 2 : 0));
}

/* The commands ------------------------------------------------------------------------------------------- */

static char *count_kinds(const struct shoal_dataset *dataset)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    size_t kinds[SHOAL_COLUMN_IGNORED + 1] = {0};
    char *text = cli_sprintf("data set of %zu rows, %zu columns:", info->rows, info->columns);
    for (size_t c = 0; c < info->columns; c++)
        kinds[shoal_dataset_column_at(dataset, c)->kind]++;
    bool is_first = true;
    for (int k = 0; k <= SHOAL_COLUMN_IGNORED; k++) {
        if (!kinds[k])
            continue;
        char *longer = cli_sprintf("%s%s %zu %s", text, is_first ? "" : ",", kinds[k], cli_column_kinds[k]);
        free(text);
        text = longer;
        is_first = false;
    }
    if (info->missing) {
        char *longer = cli_sprintf("%s; %zu values missing", text, info->missing);
        free(text);
        text = longer;
    }
    return text;
}

static void try_dataset(const struct cli_data_file *file, struct use *use)
{
    struct shoal_dataset *dataset;
    struct shoal_error error = {0};
    if (shoal_dataset_open(&file->dataset, &dataset, &error)) {
        set(use, false, reason(&error, file->dataset.path), NULL);
        return;
    }
    set(use, true, count_kinds(dataset), shoal_dataset_get_info(dataset)->notes);
    shoal_dataset_destroy(&dataset);
}

/* All rows, of which any may hold what is no number. */
static enum shoal_status read_table(struct shoal_table *table, struct shoal_error *error)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const size_t block = info->columns < 32768 ? 32768 / info->columns : 1;
    double *rows = cli_alloc(block * info->columns * sizeof *rows);
    enum shoal_status status = SHOAL_OK;
    for (size_t first = 0; first < info->rows && !status; first += block)
        status = shoal_table_read(table, first, info->rows - first < block ? info->rows - first : block, rows,
                                  error);
    free(rows);
    return status;
}

static void try_table(const struct cli_data_file *file, struct use *use)
{
    struct shoal_table *table;
    struct shoal_error error = {0};
    enum shoal_status status = shoal_table_open_with(&file->table, &table, &error);
    if (!status)
        status = shoal_table_choose(&table, NULL, file->drops_missing, &error);
    if (!status)
        status = read_table(table, &error);
    if (status) {
        set(use, false, reason(&error, file->table.path), NULL);
    } else {
        const struct shoal_table_info *info = shoal_table_get_info(table);
        set(use, true,
            cli_sprintf("table of %zu rows, %zu columns%s%s", info->rows, info->columns,
                        shoal_table_column_name(table, 0) ? " with names" : "",
                        info->leaves_index ? ", without its index" : ""),
            info->notes);
    }
    shoal_table_destroy(&table);
}

static void try_cities(const struct cli_data_file *file, struct use *use)
{
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    struct shoal_error error = {0};
    shoal_tsp_params_init(&params);
    params.data = file->table.path;
    params.header = file->table.header;
    if (shoal_tsp_open(&params, &problem, &error)) {
        set(use, false, reason(&error, file->table.path), NULL);
        return;
    }
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    set(use, true,
        info->dim ? cli_sprintf("%u cities, %u coordinates each", (unsigned)info->cities, (unsigned)info->dim)
                  : cli_sprintf("%u cities, a matrix of distances%s", (unsigned)info->cities,
                                info->is_asymmetric ? ", asymmetric" : ""),
        info->notes);
    shoal_tsp_close(&problem);
}

static void try_particles(const struct cli_data_file *file, struct use *use)
{
    struct shoal_gas_params params;
    struct shoal_error error = {0};
    shoal_gas_params_init(&params);
    params.start_file = file->table.path;
    params.start = SHOAL_GAS_FILE;
    const bool takes = !shoal_workload_validate(NULL, shoal_workload_find("gas"), &params, &error);
    set(use, takes, takes ? cli_strdup("particles to start from") : reason(&error, file->table.path), NULL);
}

static void try_net(const struct cli_data_file *file, struct use *use)
{
    struct shoal_mlp_model_file of;
    struct shoal_mlp_model *model;
    struct shoal_error error = {0};
    shoal_mlp_model_file_init(&of);
    of.path = file->table.path;
    if (shoal_mlp_model_open(&of, &model, &error)) {
        set(use, false, reason(&error, of.path), NULL);
        return;
    }
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    set(use, true,
        cli_sprintf("net of %zu columns, %zu inputs, %zu layers, %zu outputs%s", info->columns, info->inputs,
                    info->layers, info->outputs, info->classes ? " of classes" : ""),
        NULL);
    shoal_mlp_model_destroy(&model);
}

static void try_checkpoint(const struct cli_data_file *file, struct use *use)
{
    struct shoal_checkpoint *checkpoint;
    struct shoal_error error = {0};
    if (shoal_checkpoint_open(file->table.path, &checkpoint, &error)) {
        set(use, false, reason(&error, file->table.path), NULL);
        return;
    }
    set(use, true, cli_sprintf("checkpoint of shoal %s", shoal_checkpoint_workload(checkpoint)->name), NULL);
    shoal_checkpoint_close(&checkpoint);
}

/* All ---------------------------------------------------------------------------------------------------- */

struct cli_uses *cli_uses_find(const struct cli_data_file *file)
{
    static const struct {
        const char *command;
        void (*try)(const struct cli_data_file *file, struct use *use);
    } tries[USES] = {{"mlp --data", try_dataset}, {"pso --data", try_table},
                     {"tsp --data", try_cities},  {"gas --start-file", try_particles},
                     {"mlp --load", try_net},     {"--resume", try_checkpoint}};
    struct cli_uses *uses = cli_alloc(sizeof *uses);
    for (size_t i = 0; i < USES; i++) {
        uses->use[i].command = tries[i].command;
        tries[i].try(file, &uses->use[i]);
    }
    return uses;
}

bool cli_uses_dataset(const struct cli_uses *uses)
{
    return uses->use[0].takes;
}

bool cli_uses_table(const struct cli_uses *uses)
{
    return uses->use[1].takes;
}

bool cli_uses_any(const struct cli_uses *uses)
{
    bool any = false;
    for (size_t i = 0; i < USES; i++)
        any = any || uses->use[i].takes;
    return any;
}

void cli_uses_print(const struct cli_uses *uses)
{
    static const struct cli_column columns[] = {{.title = "command", .stays = true},
                                                {.title = "takes it", .stays = true},
                                                {.title = "as, or why not"}};
    if (!uses)
        return;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < USES; i++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", uses->use[i].command);
        cli_table_cell(table, "%s", uses->use[i].takes ? "yes" : "no");
        cli_table_cell(table, "%s", uses->use[i].text);
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

void cli_uses_json(const struct cli_uses *uses, cJSON *json)
{
    cJSON *list = cli_json_array(json, "uses");
    for (size_t i = 0; uses && i < USES; i++) {
        cJSON *object = cli_json_object(list, NULL);
        cli_json_text(object, "command", uses->use[i].command);
        cli_json_bool(object, "takes", uses->use[i].takes);
        cli_json_text(object, "as", uses->use[i].takes ? uses->use[i].text : NULL);
        cli_json_text(object, "why_not", uses->use[i].takes ? NULL : uses->use[i].text);
        cli_json_text(object, "notes", uses->use[i].notes);
    }
}

void cli_uses_free(struct cli_uses **uses)
{
    for (size_t i = 0; *uses && i < USES; i++) {
        free((*uses)->use[i].text);
        free((*uses)->use[i].notes);
    }
    free(*uses);
    *uses = NULL;
}
