/* Models over the columns of a file. Only the columns that the model uses are read. */
#include "base/error.h"
#include "io/table.h"
#include "objective/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the names of the file's columns, since they are needed longer than the table. Columns without names
 * are called c1, c2, ... The names are in one block that the caller frees. NULL: there is no memory. */
static const char **column_names(const struct shoal_table *table)
{
    enum { LENGTH = 24 };
    const size_t count = table->info.columns;
    size_t bytes = count * (sizeof(char *) + LENGTH);
    for (size_t c = 0; c < count && table->names; c++)
        bytes += strlen(table->names[c]) + 1;
    const char **names = malloc(bytes);
    char *text = (char *)names + count * sizeof *names;
    for (size_t c = 0; c < count && names; c++) {
        const size_t length = table->names ? strlen(table->names[c]) : LENGTH;
        names[c] = text;
        if (table->names)
            memcpy(text, table->names[c], length + 1);
        else
            snprintf(text, LENGTH, "c%zu", c + 1);
        text += length + 1;
    }
    return names;
}

/* Fails if the file has no names of columns, but its first line contains the name of the target: this line
 * probably has the names. */
static enum shoal_status find_in_first_line(const struct shoal_table *table, const char *target,
                                            struct shoal_error *error)
{
    for (size_t c = 0; c < table->entry_count && !table->names; c++)
        if (strcmp(table->entries[c], target) == 0)
            return fail(
                error, SHOAL_INVALID,
                "target: the columns of %s have no names, and its first line has '%.60s': give --header "
                "yes if that has the names",
                table->name, target);
    return SHOAL_OK;
}

/* Creates the objective, and takes ownership of the table `source`. */
static enum shoal_status make(const struct model_plan *plan, struct shoal_table *source, bool drops_missing,
                              struct shoal_objective **out, struct shoal_error *error)
{
    struct shoal_table *selected;
    struct objective_table *table;
    enum shoal_status status = table_select(&source, plan->used, plan->used_count, &selected, error);
    if (!status)
        status = shoal_table_choose(&selected, NULL, drops_missing, error);
    if (!status)
        status = table_create(selected, plan->given->parameter_count, table_memory_limit(), &table, error);
    return status ? status : model_objective(plan, table, out, error);
}

enum shoal_status model_objective_from_file(const struct model_file *file, struct shoal_objective **out,
                                            struct shoal_error *error)
{
    struct model_list list = {.count = 0};
    struct shoal_table *source = NULL;
    const char **names = NULL;
    struct model_plan *plan = calloc(1, sizeof *plan);
    *out = NULL;
    enum shoal_status status = plan ? model_list_read(file->ranges, &list, error) : fail_host_memory(error);
    if (!status)
        status = table_open_whole(&(struct shoal_table_params){.path = file->path,
                                                               .layout = file->layout,
                                                               .header = file->header,
                                                               .missing_values = file->missing_values},
                                  &source, error);
    if (!status)
        status = find_in_first_line(source, file->target, error);
    if (!status) {
        names = column_names(source);
        status = names ? SHOAL_OK : fail_host_memory(error);
    }
    if (!status) {
        const struct shoal_model given = {.size = sizeof given,
                                          .formula = file->formula,
                                          .parameters = list.parameters,
                                          .parameter_count = list.count,
                                          .columns = names,
                                          .column_count = source->info.columns,
                                          .target = file->target,
                                          .weights = file->weights,
                                          .loss = file->loss,
                                          .delta = file->delta};
        status = model_plan_make(&given, plan, error);
        if (!status) {
            status = make(plan, source, file->drops_missing, out, error);
            source = NULL;
        }
    }
    shoal_table_destroy(&source);
    model_list_free(&list);
    if (plan)
        free(plan->used);
    free(plan);
    free(names);
    return status;
}
