/* The public table functions: they open tables by name, check the arguments of reads, and select columns. */
#include "io/table.h"
#include "base/error.h"
#include "base/input.h"
#include "base/packed/pack.h"
#include "base/params.h"
#include "io/csv/choice.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const table_header_names[] = {
    [SHOAL_HEADER_AUTO] = "auto", [SHOAL_HEADER_NO] = "no", [SHOAL_HEADER_YES] = "yes", NULL};

struct shoal_table *table_new(const char *name)
{
    struct shoal_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->file = -1;
    table->name = strdup(name);
    if (!table->name) {
        free(table);
        return NULL;
    }
    table->info = (struct shoal_table_info){.size = sizeof table->info, .name = table->name, .notes = ""};
    return table;
}

static enum shoal_status open_file(struct shoal_table *table, struct shoal_error *error)
{
    struct stat about;
    table->file = input_open(table->name);
    if (table->file < 0 || fstat(table->file, &about) != 0)
        return fail_call(error, SHOAL_IO, "open", errno, "%s: cannot be opened: %s", table->name,
                         input_reason(errno));
    table->bytes = (uint64_t)about.st_size;
    return SHOAL_OK;
}

enum shoal_status table_unpack(struct shoal_table *table, struct shoal_error *error)
{
    char magic[2];
    if (table->bytes < sizeof magic)
        return SHOAL_OK;
    enum shoal_status status = table_read_bytes(table, 0, magic, sizeof magic, error);
    if (status || !input_is_packed(magic, sizeof magic))
        return status;
    size_t bytes = (size_t)table->bytes;
    char *content = bytes > INPUT_DATA_MOST ? NULL : malloc(bytes + 1);
    if (!content)
        return fail_host_memory(error);
    status = table_read_bytes(table, 0, content, bytes, error);
    if (status)
        free(content);
    else
        status = input_unpack(table->name, &content, &bytes, error);
    if (status)
        return status;
    table->content = content;
    table->bytes = bytes;
    return SHOAL_OK;
}

static bool ends_in(const char *name, const char *const *suffixes)
{
    while (*suffixes && !pack_has_ending(name, *suffixes))
        suffixes++;
    return *suffixes != NULL;
}

static enum shoal_status open_format(struct shoal_table *table, const struct shoal_table_params *params,
                                     struct shoal_error *error)
{
    static const char *const texts[] = {".csv", ".txt", ".tsv", ".dat", NULL}, *const npy[] = {".npy", NULL};
    char magic[6] = "";
    if (params->layout)
        return table_open_raw(table, params->layout, error);
    if (table->bytes >= sizeof magic) {
        enum shoal_status status = table_read_bytes(table, 0, magic, sizeof magic, error);
        if (status)
            return status;
    }
    if (ends_in(table->name, npy) || memcmp(magic, "\x93NUMPY", sizeof magic) == 0)
        return table_open_npy(table, error);
    if (ends_in(table->name, texts) || strcmp(table->name, "-") == 0)
        return table_open_csv(table, params, error);
    return fail(
        error, SHOAL_INVALID,
        "%s: name a file .npy or .csv, or give the layout of its raw numbers, such as f8:1000x5: --layout in "
        "'shoal data', --data-layout in a search",
        table->name);
}

void shoal_table_params_init(struct shoal_table_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_table_params){.size = sizeof *params};
}

enum shoal_status table_open_whole(const struct shoal_table_params *params, struct shoal_table **out,
                                   struct shoal_error *error)
{
    *out = NULL;
    struct shoal_table *table = table_new(params->path);
    if (!table)
        return fail_host_memory(error);
    enum shoal_status status = open_file(table, error);
    if (!status)
        status = table_unpack(table, error);
    if (!status)
        status = open_format(table, params, error);
    if (!status && strcmp(table->info.format, "csv") != 0 &&
        (params->missing_values || params->header == SHOAL_HEADER_YES))
        status = fail(error, SHOAL_INVALID, "%s: it belongs to CSV, and %s is %s: leave it out",
                      params->missing_values ? "missing_values" : "header", params->path, table->info.format);
    if (!status && (!table->info.rows || !table->info.columns))
        status = fail(error, SHOAL_IO, "%s: has no %s", params->path, table->info.rows ? "columns" : "rows");
    if (status)
        shoal_table_destroy(&table);
    else
        table->info.notes = table->notes ? table->notes : "";
    *out = table;
    return status;
}

/* Replaces a table by a table without its first column, which is an index, and adds a note on this. */
static enum shoal_status leave_index(struct shoal_table **table, struct shoal_error *error)
{
    const size_t count = (*table)->info.columns - 1;
    struct shoal_table *rest = NULL;
    char *notes = (*table)->notes ? strdup((*table)->notes) : NULL;
    size_t *columns = malloc((count + 1) * sizeof *columns);
    if (!columns || ((*table)->notes && !notes) ||
        !lines_add(
            &notes,
            "%s: its first column has no name and numbers the rows: it is left out; --columns takes it, "
            "by number 1",
            (*table)->name)) {
        free(columns);
        free(notes);
        return fail_host_memory(error);
    }
    for (size_t c = 0; c < count; c++)
        columns[c] = c + 1;
    enum shoal_status status = table_select(table, columns, count, &rest, error);
    free(columns);
    if (status) {
        free(notes);
        return status;
    }
    rest->notes = notes;
    rest->info.notes = notes;
    rest->info.leaves_index = true;
    *table = rest;
    return SHOAL_OK;
}

enum shoal_status shoal_table_open_with(const struct shoal_table_params *params, struct shoal_table **out,
                                        struct shoal_error *error)
{
    struct shoal_table_params own;
    error_reset(error);
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_table_params_init, &own, error);
    if (status)
        return status;
    if (!NEED_MEMBER(error, params, own, path))
        return SHOAL_INVALID;
    if (own.header < SHOAL_HEADER_AUTO || own.header > SHOAL_HEADER_YES)
        return fail(error, SHOAL_INVALID, "header: %d is none of its values", own.header);
    status = table_open_whole(&own, out, error);
    if (!status && (*out)->has_index)
        status = leave_index(out, error);
    if (status)
        shoal_table_destroy(out);
    return status;
}

enum shoal_status shoal_table_open(const char *path, const char *layout, struct shoal_table **out,
                                   struct shoal_error *error)
{
    const struct shoal_table_params params = {.size = sizeof params, .path = path, .layout = layout};
    return shoal_table_open_with(&params, out, error);
}

const struct shoal_table_info *shoal_table_get_info(const struct shoal_table *table)
{
    return table ? &table->info : NULL;
}

const char *shoal_table_column_name(const struct shoal_table *table, size_t column)
{
    return table && table->names && column < table->info.columns ? table->names[column] : NULL;
}

enum shoal_status shoal_table_read(const struct shoal_table *table, size_t first, size_t count, double *out,
                                   struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, table, out))
        return SHOAL_INVALID;
    const size_t rows = table->info.rows, columns = table->info.columns;
    if (first > rows || count > rows - first)
        return fail(error, SHOAL_INVALID, "%s: rows %zu to %zu of %zu do not exist", table->name, first + 1,
                    first + count, rows);
    enum shoal_status status = table->read(table, first, count, out, error);
    if (status)
        return status;
    bool finite = true;
    for (size_t i = 0; i < count * columns; i++)
        finite &= isfinite(out[i]) != 0;
    for (size_t i = 0; !finite && i < count * columns; i++)
        if (!isfinite(out[i]) && (!table->used || table->used[i % columns]))
            return fail(error, SHOAL_IO, "%s: row %zu, column %zu: %s is not finite", table->name,
                        first + i / columns + 1, i % columns + 1, isnan(out[i]) ? "NaN" : "an infinity");
    return SHOAL_OK;
}

void shoal_table_destroy(struct shoal_table **table)
{
    if (!table || !*table)
        return;
    if ((*table)->close)
        (*table)->close(*table);
    else
        free((*table)->state);
    if ((*table)->file >= 0)
        close((*table)->file);
    for (size_t c = 0; (*table)->names && c < (*table)->info.columns; c++)
        free((*table)->names[c]);
    for (size_t c = 0; c < (*table)->entry_count; c++)
        free((*table)->entries[c]);
    free((*table)->names);
    free((*table)->entries);
    free((*table)->notes);
    free((*table)->used);
    free((*table)->content);
    free((*table)->name);
    free(*table);
    *table = NULL;
}

/* Some columns ----------------------------------------------------------------------------------------- */

struct selection {
    struct shoal_table *source;
    size_t columns[];
};

static enum shoal_status read_selection(const struct shoal_table *table, size_t first, size_t count,
                                        double *out, struct shoal_error *error)
{
    const struct selection *selection = table->state;
    const size_t width = selection->source->info.columns, columns = table->info.columns;
    const size_t block = table_block_rows(width);
    double *rows = malloc((count < block ? count : block) * width * sizeof *rows);
    enum shoal_status status = rows || !count ? SHOAL_OK : fail_host_memory(error);
    for (size_t done = 0; done < count && !status;) {
        const size_t some = count - done < block ? count - done : block;
        status = shoal_table_read(selection->source, first + done, some, rows, error);
        for (size_t j = 0; j < some && !status; j++)
            for (size_t c = 0; c < columns; c++)
                out[(done + j) * columns + c] = rows[j * width + selection->columns[c]];
        done += some;
    }
    free(rows);
    return status;
}

static enum shoal_status drop_from_selection(struct shoal_table *table, struct shoal_error *error)
{
    struct shoal_table *source = ((struct selection *)table->state)->source;
    enum shoal_status status = source->drop_missing(source, error);
    table->info.rows = source->info.rows;
    table->info.dropped = source->info.dropped;
    return status;
}

/* Replaces a table that leave_index made by its source, which has the index; other tables stay as they
 * are. */
static void take_index(struct shoal_table **table)
{
    if (!(*table)->info.leaves_index)
        return;
    struct selection *selection = (*table)->state;
    struct shoal_table *source = selection->source;
    selection->source = NULL;
    shoal_table_destroy(table);
    free(source->used);
    source->used = NULL;
    *table = source;
}

static void close_selection(struct shoal_table *table)
{
    struct selection *selection = table->state;
    shoal_table_destroy(&selection->source);
    free(selection);
}

/* Copies the names of the chosen columns; false: there is no memory. */
static bool take_names(const struct shoal_table *source, const size_t *columns, size_t count,
                       struct shoal_table *table)
{
    if (!source->names)
        return true;
    table->names = calloc(count, sizeof *table->names);
    bool has_memory = table->names != NULL;
    for (size_t c = 0; c < count && has_memory; c++) {
        table->names[c] = strdup(source->names[columns[c]]);
        has_memory = table->names[c] != NULL;
    }
    return has_memory;
}

enum shoal_status table_select(struct shoal_table **source, const size_t *columns, size_t count,
                               struct shoal_table **out, struct shoal_error *error)
{
    struct shoal_table *table = table_new((*source)->name);
    struct selection *selection = malloc(sizeof *selection + count * sizeof *columns);
    (*source)->used = calloc((*source)->info.columns, sizeof *(*source)->used);
    *out = NULL;
    if (table)
        table->info.columns = count;
    if (!table || !selection || !(*source)->used || !take_names(*source, columns, count, table)) {
        shoal_table_destroy(&table);
        shoal_table_destroy(source);
        free(selection);
        return fail_host_memory(error);
    }
    memcpy(selection->columns, columns, count * sizeof *columns);
    for (size_t c = 0; c < count; c++)
        (*source)->used[columns[c]] = true;
    selection->source = *source;
    enum shoal_status status = (*source)->use ? (*source)->use(*source, error) : SHOAL_OK;
    table->info = (*source)->info;
    table->info.name = table->name;
    table->info.columns = count;
    table->read = read_selection;
    table->drop_missing = selection->source->drop_missing ? drop_from_selection : NULL;
    table->close = close_selection;
    table->state = selection;
    *source = NULL;
    if (status)
        shoal_table_destroy(&table);
    *out = table;
    return status;
}

/* Finds the indices of the columns that a list names, in the order of the list; the caller frees the
 * array. */
static enum shoal_status find_columns(const struct shoal_table *table, const char *text, size_t **columns,
                                      size_t *count, struct shoal_error *error)
{
    const size_t all = table->info.columns;
    const struct column_names names = {.file = table->name,
                                       .count = all,
                                       .names = (const char *const *)table->names,
                                       .entries = (const char *const *)table->entries,
                                       .entry_count = table->entry_count};
    struct column_list list = {.at = text, .option = "columns", .error = error};
    size_t *places = malloc(all * sizeof *places), first, end;
    bool *seen = calloc(all, sizeof *seen);
    struct word shown;
    enum shoal_status status = places && seen ? SHOAL_OK : fail_host_memory(error);
    *count = 0;
    do {
        if (!status)
            status = column_list_entry(&list, &names, &shown, &first, &end);
        for (size_t c = first = status ? 0 : first; !status && c < end; c++) {
            if (seen[c])
                status = fail(error, SHOAL_INVALID, "columns: column %zu of %s is there twice", c + 1,
                              table->name);
            else
                places[(*count)++] = c;
            seen[c] = true;
        }
        if (!status)
            status = column_list_end_entry(&list);
    } while (!status && column_list_next(&list));
    free(seen);
    if (status)
        free(places);
    else
        *columns = places;
    return status;
}

enum shoal_status shoal_table_choose(struct shoal_table **table, const char *columns, bool drop_missing,
                                     struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, table))
        return SHOAL_INVALID;
    struct shoal_table *chosen;
    size_t *places, count;
    enum shoal_status status = SHOAL_OK;
    if (columns) {
        take_index(table);
        status = find_columns(*table, columns, &places, &count, error);
        if (!status) {
            status = table_select(table, places, count, &chosen, error);
            *table = chosen;
            free(places);
        }
    }
    if (!status && drop_missing && !(*table)->drop_missing)
        status = fail(error, SHOAL_INVALID,
                      "%s: is %s, and --missing drop is for text: save it without the rows that have NaN",
                      (*table)->name, (*table)->info.format);
    if (!status && drop_missing)
        status = (*table)->drop_missing(*table, error);
    if (!status && !(*table)->info.rows)
        status = fail(error, SHOAL_IO, "%s: a value is missing in each of its rows", (*table)->name);
    if (status)
        shoal_table_destroy(table);
    return status;
}
