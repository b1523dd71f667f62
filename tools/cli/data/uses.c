/* shoal data info: how each command can use a file. */
#include "cli/data/uses.h"

#include "base/counted.h"

#include "cli/data/dataset.h"
#include "cli/workload.h"

#include <shoal/data.h>
#include <stdlib.h>
#include <string.h>

/* How a command can use the file, or the reason why it cannot. */
struct use {
    const char *command;
    bool takes;
    char *text, *notes;
};

enum { USES_MOST = 16 };
struct cli_uses {
    const char *path;
    struct use use[USES_MOST];
    size_t count;
    bool is_dataset, is_table;
};

static void add(struct cli_uses *uses, const struct use *use)
{
    if (uses->count < USES_MOST)
        uses->use[uses->count++] = *use;
}

void cli_uses_add(struct cli_uses *uses, const char *command, char *text, const char *notes)
{
    add(uses, &(struct use){.command = command,
                            .takes = true,
                            .text = text,
                            .notes = notes && *notes ? cli_strdup(notes) : NULL});
}

void cli_uses_refuse(struct cli_uses *uses, const char *command, const struct shoal_error *error)
{
    /* The message without the name of the file, which is the same in all messages. */
    const size_t length = strlen(uses->path);
    const bool begins =
        strncmp(error->message, uses->path, length) == 0 && strncmp(error->message + length, ": ", 2) == 0;
    add(uses,
        &(struct use){.command = command, .text = cli_strdup(error->message + (begins ? length + 2 : 0))});
}

/* The commands ------------------------------------------------------------------------------------------- */

static char *count_kinds(const struct shoal_dataset *dataset)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    size_t kinds[SHOAL_COLUMN_IGNORED + 1] = {0};
    char *text =
        cli_sprintf("data set of %s, %s:", counted(info->rows, "row").s, counted(info->columns, "column").s);
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
        char *longer = cli_sprintf("%s; %s missing", text, counted(info->missing, "value").s);
        free(text);
        text = longer;
    }
    return text;
}

static void try_dataset(const struct cli_data_file *file, struct cli_uses *uses)
{
    struct shoal_dataset *dataset;
    struct shoal_error error = {0};
    if (shoal_dataset_open(&file->dataset, &dataset, &error)) {
        cli_uses_refuse(uses, "mlp --data", &error);
        return;
    }
    uses->is_dataset = true;
    cli_uses_add(uses, "mlp --data", count_kinds(dataset), shoal_dataset_get_info(dataset)->notes);
    shoal_dataset_destroy(&dataset);
}

/* Reads all rows, since any row may hold a word that is no number. */
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

static void try_table(const struct cli_data_file *file, struct cli_uses *uses)
{
    struct shoal_table *table;
    struct shoal_error error = {0};
    enum shoal_status status = shoal_table_open_with(&file->table, &table, &error);
    if (!status)
        status = shoal_table_choose(&table, NULL, file->drops_missing, &error);
    if (!status)
        status = read_table(table, &error);
    if (status) {
        cli_uses_refuse(uses, "pso --data", &error);
    } else {
        const struct shoal_table_info *info = shoal_table_get_info(table);
        uses->is_table = true;
        cli_uses_add(uses, "pso --data",
                     cli_sprintf("table of %s, %s%s%s", counted(info->rows, "row").s,
                                 counted(info->columns, "column").s,
                                 shoal_table_column_name(table, 0) ? " with names" : "",
                                 info->leaves_index ? ", without its index" : ""),
                     info->notes);
    }
    shoal_table_destroy(&table);
}

static void try_checkpoint(const struct cli_data_file *file, struct cli_uses *uses)
{
    struct shoal_checkpoint *checkpoint;
    struct shoal_error error = {0};
    if (shoal_checkpoint_open(file->table.path, &checkpoint, &error)) {
        cli_uses_refuse(uses, "--resume", &error);
        return;
    }
    cli_uses_add(uses, "--resume",
                 cli_sprintf("checkpoint of shoal %s", shoal_checkpoint_workload(checkpoint)->name), NULL);
    shoal_checkpoint_close(&checkpoint);
}

/* All ---------------------------------------------------------------------------------------------------- */

struct cli_uses *cli_uses_find(const struct cli_data_file *file)
{
    struct cli_uses *uses = cli_alloc(sizeof *uses);
    uses->path = file->table.path;
    try_dataset(file, uses);
    try_table(file, uses);
    for (const struct report *const *report = cli_reports; *report; report++)
        if ((*report)->uses)
            (*report)->uses(file, uses);
    try_checkpoint(file, uses);
    return uses;
}

bool cli_uses_dataset(const struct cli_uses *uses)
{
    return uses->is_dataset;
}

bool cli_uses_table(const struct cli_uses *uses)
{
    return uses->is_table;
}

bool cli_uses_any(const struct cli_uses *uses)
{
    bool any = false;
    for (size_t i = 0; i < uses->count; i++)
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
    for (size_t i = 0; i < uses->count; i++) {
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
    for (size_t i = 0; uses && i < uses->count; i++) {
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
    for (size_t i = 0; *uses && i < (*uses)->count; i++) {
        free((*uses)->use[i].text);
        free((*uses)->use[i].notes);
    }
    free(*uses);
    *uses = NULL;
}
