/* Files of bench/quality*.py: how good the results of programs are, rather than how fast they come. */
#include "cli/report/quality.h"
#include "cli/report/html.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text of the JSON object; "": there is none. */
static const char *text_of(const cJSON *json, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, key));
    return text ? text : "";
}

/* The text of a cell; the caller frees it. Lists of words are joined; of other lists the length is shown, of
 * an object its mean. */
static char *cell_text(const cJSON *item)
{
    if (cJSON_IsObject(item))
        item = cJSON_GetObjectItemCaseSensitive(item, "mean");
    if (cJSON_IsString(item))
        return cli_strdup(item->valuestring);
    if (cJSON_IsNumber(item))
        return cli_strdup(cli_number(item->valuedouble).s);
    if (!cJSON_IsArray(item))
        return cli_strdup(cJSON_IsBool(item) ? cJSON_IsTrue(item) ? "yes" : "no" : "-");
    if (!cJSON_IsString(item->child))
        return cli_sprintf("%d values", cJSON_GetArraySize(item));
    char *text = cli_strdup("");
    const cJSON *word;
    cJSON_ArrayForEach(word, item)
    {
        char *longer =
            cli_sprintf("%s%s%s", text, *text ? " " : "", cJSON_IsString(word) ? word->valuestring : "-");
        free(text);
        text = longer;
    }
    return text;
}

/* Adds the keys of a row to the columns: rows may have keys that the first one lacks. */
static void take_titles(struct report_quality *quality, const cJSON *cell, char ***left_out)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cell)
    {
        bool is_new = item->string != NULL;
        for (size_t c = 0; c < quality->column_count && is_new; c++)
            is_new = strcmp(quality->titles[c], item->string) != 0;
        for (size_t c = 0; c < quality->left_out && is_new; c++)
            is_new = strcmp((*left_out)[c], item->string) != 0;
        if (is_new && quality->column_count < QUALITY_COLUMNS) {
            quality->titles[quality->column_count++] = cli_strdup(item->string);
        } else if (is_new) {
            *left_out = cli_realloc(*left_out, (quality->left_out + 1) * sizeof **left_out);
            (*left_out)[quality->left_out++] = item->string;
        }
    }
}

bool quality_read(struct report_quality *quality, const char *text, const char *path)
{
    cJSON *json = cJSON_Parse(text);
    const cJSON *cells = cJSON_GetObjectItemCaseSensitive(json, "cells"), *cell;
    char **left_out = NULL; /* keys in the JSON object */
    *quality = (struct report_quality){.path = path};
    if (!*text_of(json, "kind") || !cJSON_IsArray(cells) || !cJSON_IsObject(cells->child)) {
        cJSON_Delete(json);
        return false;
    }
    const cJSON *device = cJSON_GetObjectItemCaseSensitive(json, "device");
    quality->kind = cli_strdup(text_of(json, "kind"));
    quality->about =
        cli_sprintf("%.10s%s%s%s%s", text_of(json, "date"), *text_of(json, "commit") ? ", commit " : "",
                    text_of(json, "commit"), device ? ", " : "",
                    cJSON_IsString(device) ? device->valuestring : text_of(device, "name"));
    cJSON_ArrayForEach(cell, cells) take_titles(quality, cell, &left_out);
    free((void *)left_out);
    cJSON_ArrayForEach(cell, cells)
    {
        const size_t columns = quality->column_count;
        quality->cells =
            cli_realloc(quality->cells, (quality->row_count + 1) * (columns + 1) * sizeof(char *));
        for (size_t c = 0; c < columns; c++)
            quality->cells[quality->row_count * columns + c] =
                cell_text(cJSON_GetObjectItemCaseSensitive(cell, quality->titles[c]));
        quality->row_count++;
    }
    cJSON_Delete(json);
    return true;
}

void quality_free(struct report_quality *quality)
{
    for (size_t i = 0; i < quality->row_count * quality->column_count; i++)
        free(quality->cells[i]);
    for (size_t c = 0; c < quality->column_count; c++)
        free(quality->titles[c]);
    free((void *)quality->cells);
    free(quality->kind);
    free(quality->about);
}

/* Whether all cells of a column are equal, so that they are named once above the table. */
static bool is_common(const struct report_quality *quality, size_t column)
{
    bool common = quality->row_count > 1;
    for (size_t r = 1; r < quality->row_count && common; r++)
        common = strcmp(quality->cells[r * quality->column_count + column], quality->cells[column]) == 0;
    return common;
}

void quality_write(FILE *out, const struct report_quality *quality)
{
    const char *titles[QUALITY_COLUMNS + 1] = {NULL};
    size_t columns[QUALITY_COLUMNS], count = 0;
    char *common = NULL;
    for (size_t c = 0; c < quality->column_count; c++) {
        if (!is_common(quality, c)) {
            titles[count] = quality->titles[c];
            columns[count++] = c;
            continue;
        }
        char *longer = cli_sprintf("%s%s%s: %s", common ? common : "In all rows: ", common ? "; " : "",
                                   quality->titles[c], quality->cells[c]);
        free(common);
        common = longer;
    }
    struct html_table table = {.out = out, .titles = titles, .first_number = count};
    html_element(out, "h3", quality->kind);
    html_element(out, "p", quality->about);
    html_element(out, "p", quality->path);
    if (common)
        html_element(out, "p", common);
    free(common);
    if (quality->left_out) {
        char *text = cli_sprintf("%zu further columns of the file are not shown.", quality->left_out);
        html_element(out, "p", text);
        free(text);
    }
    if (!count)
        return;
    html_table_begin(&table);
    for (size_t r = 0; r < quality->row_count; r++) {
        html_row_begin(&table);
        for (size_t c = 0; c < count; c++)
            html_cell(&table, quality->cells[r * quality->column_count + columns[c]]);
        html_row_end(&table);
    }
    html_table_end(&table);
}
