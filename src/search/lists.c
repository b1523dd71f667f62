/* Lists of numbers for bounds and start points: from texts of constants, from tables, or from arrays of the
 * caller. */
#include "search/lists.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/params.h"
#include "objective/expression/expression.h"
#include "search/options/options.h"

#include <math.h>
#include <shoal/data.h>
#include <stdlib.h>
#include <string.h>

/* Texts ------------------------------------------------------------------------------------------------ */

/* Returns the end of the number at `text`: the next comma or semicolon outside of parentheses, or the end of
 * the text. */
static const char *number_end(const char *text)
{
    int depth = 0;
    for (; *text && (depth > 0 || (*text != ',' && *text != ';')); text++)
        depth += (*text == '(') - (*text == ')');
    return text;
}

static enum shoal_status read_number(const char *option, const char *text, size_t length, double *value,
                                     struct shoal_error *error)
{
    struct shoal_error reason;
    char *number = strndup(text, length);
    if (!number)
        return fail_host_memory(error);
    enum shoal_status status = expression_constant(number, value, &reason);
    if (status && status != SHOAL_INVALID)
        status = fail(error, status, "%s", reason.message);
    else if (status)
        status = fail(error, SHOAL_INVALID, "--%s: '%.60s' is no number: %s", option, number, reason.message);
    free(number);
    return status;
}

/* Reads numbers that are separated by commas; semicolons separate rows. */
static enum shoal_status read_text(const char *option, const char *text, struct search_numbers *numbers,
                                   struct shoal_error *error)
{
    size_t most = 1, count = 0, in_row = 0;
    for (const char *c = text; *c; c++)
        most += *c == ',' || *c == ';';
    numbers->values = malloc(most * sizeof *numbers->values);
    if (!numbers->values)
        return fail_host_memory(error);
    for (bool is_last = false; !is_last;) {
        const char *end = number_end(text);
        enum shoal_status status =
            read_number(option, text, (size_t)(end - text), &numbers->values[count], error);
        if (status)
            return status;
        count++;
        in_row++;
        is_last = *end == '\0';
        if (*end != ',' && !numbers->rows)
            numbers->columns = in_row;
        if (*end != ',' && in_row != numbers->columns)
            return fail(error, SHOAL_INVALID, "--%s: point %zu has %s, the first one %zu", option,
                        numbers->rows + 1, counted(in_row, "number").s, numbers->columns);
        if (*end != ',') {
            numbers->rows++;
            in_row = 0;
        }
        text = end + 1;
    }
    return SHOAL_OK;
}

/* Tables ----------------------------------------------------------------------------------------------- */

/* Whether the text is the name of a table: its extension is that of a table, possibly followed by .gz, or it
 * begins like a path. */
static bool names_table(const char *text)
{
    static const char *const endings[] = {".csv", ".npy", ".txt", ".tsv", ".dat"};
    static const char *const beginnings[] = {"/", "./", "../"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(text, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    size_t length = strlen(text);
    length -= length > 3 && strcmp(text + length - 3, ".gz") == 0 ? 3 : 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i]) &&
            strncmp(text + length - strlen(endings[i]), endings[i], strlen(endings[i])) == 0)
            return true;
    return false;
}

static enum shoal_status read_table(const char *option, const char *path, struct search_numbers *numbers,
                                    struct shoal_error *error)
{
    struct shoal_table *table = NULL;
    enum shoal_status status = shoal_table_open(path, NULL, &table, error);
    if (status)
        return status;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    if ((double)info->rows * (double)info->columns > SEARCH_MAX_MEMBERS)
        status = fail(error, SHOAL_INVALID, "--%s: %s has %zu rows of %zu numbers, more than %.0f numbers",
                      option, path, info->rows, info->columns, SEARCH_MAX_MEMBERS);
    numbers->rows = info->rows;
    numbers->columns = info->columns;
    if (!status)
        numbers->values = malloc(info->rows * info->columns * sizeof *numbers->values);
    if (!status && !numbers->values)
        status = fail_host_memory(error);
    if (!status && *info->notes && !lines_add(&numbers->notes, "%s", info->notes))
        status = fail_host_memory(error);
    if (!status)
        status = shoal_table_read(table, 0, info->rows, numbers->values, error);
    shoal_table_destroy(&table);
    return status;
}

/* Options ---------------------------------------------------------------------------------------------- */

static enum shoal_status read_list(const char *option, const char *text, struct search_numbers *numbers,
                                   struct shoal_error *error)
{
    return names_table(text) ? read_table(option, text, numbers, error)
                             : read_text(option, text, numbers, error);
}

/* Reads bounds: a list, or column `lower` or `upper` of a table. */
static enum shoal_status read_bounds(const char *option, const char *text, struct search_numbers *numbers,
                                     struct shoal_error *error)
{
    enum shoal_status status = read_list(option, text, numbers, error);
    if (status)
        return status;
    if (numbers->rows > 1 && numbers->columns > 1)
        return fail(error, SHOAL_INVALID,
                    "--%s has %zu rows of %zu numbers: bounds are one row, or one column of a table", option,
                    numbers->rows, numbers->columns);
    numbers->columns *= numbers->rows;
    numbers->rows = 1;
    return SHOAL_OK;
}

static enum shoal_status copy_points(const struct shoal_search_params *params, struct search_numbers *numbers,
                                     struct shoal_error *error)
{
    const size_t dim = (size_t)params->dim;
    if (!dim)
        return fail(error, SHOAL_INVALID, "start_points are given without dim, on which their size depends");
    if (params->start_count > SIZE_MAX / sizeof *numbers->values / dim)
        return fail(error, SHOAL_INVALID, "%llu start points are more than memory holds",
                    (unsigned long long)params->start_count);
    const size_t count = (size_t)params->start_count * dim;
    numbers->values = malloc(count * sizeof *numbers->values);
    if (!numbers->values)
        return fail_host_memory(error);
    memcpy(numbers->values, params->start_points, count * sizeof *numbers->values);
    numbers->rows = (size_t)params->start_count;
    numbers->columns = dim;
    return SHOAL_OK;
}

/* Sets lists->dim to the count of numbers in a row of the list. If an earlier list, *from, has set it, fails
 * unless both counts are equal. what: name of the list in messages. */
static enum shoal_status take_dim(struct search_lists *lists, const char *what,
                                  const struct search_numbers *numbers, const char **from,
                                  struct shoal_error *error)
{
    const size_t count = numbers->columns;
    if (!numbers->values || lists->dim == count)
        return SHOAL_OK;
    if (lists->dim)
        return fail(error, SHOAL_INVALID, "%s has %zu number%s, %s %zu: give one for each dimension", what,
                    count, count == 1 ? "" : "s", *from, lists->dim);
    lists->dim = count;
    *from = what;
    return SHOAL_OK;
}

static enum shoal_status choose_dim(const struct shoal_search_params *params, struct search_lists *lists,
                                    struct shoal_error *error)
{
    const char *from = "--dim is";
    enum shoal_status status = SHOAL_OK;
    lists->dim = (size_t)params->dim;
    /* A single bound is used for every dimension. */
    if (lists->lower.columns > 1)
        status = take_dim(lists, "--lower", &lists->lower, &from, error);
    if (!status && lists->upper.columns > 1)
        status = take_dim(lists, "--upper", &lists->upper, &from, error);
    return status ? status : take_dim(lists, "a point of --start", &lists->start, &from, error);
}

enum shoal_status search_lists_read(const struct shoal_search_params *params, struct search_lists *lists,
                                    struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *lists = (struct search_lists){.dim = 0};
    if (params->lower_list)
        status = read_bounds("lower", params->lower_list, &lists->lower, error);
    if (!status && params->upper_list)
        status = read_bounds("upper", params->upper_list, &lists->upper, error);
    if (!status && params->start)
        status = read_list("start", params->start, &lists->start, error);
    else if (!status && params->start_count)
        status = copy_points(params, &lists->start, error);
    if (!status)
        status = choose_dim(params, lists, error);
    if (status)
        search_lists_free(lists);
    return status;
}

static enum shoal_status fill_side(const char *option, const struct search_numbers *list, const double *each,
                                   double one, size_t dim, double *out, struct shoal_error *error)
{
    if (list->columns > 1 && list->columns != dim)
        return fail(error, SHOAL_INVALID, "--%s has %s for %s", option, counted(list->columns, "number").s,
                    counted(dim, "dimension").s);
    if (list->columns > 1)
        each = list->values;
    else if (list->values)
        one = *list->values;
    for (size_t d = 0; d < dim; d++)
        out[d] = each ? each[d] : one;
    return SHOAL_OK;
}

enum shoal_status search_lists_bounds(const struct search_lists *lists,
                                      const struct shoal_search_params *params, size_t dim, double *lower,
                                      double *upper, struct shoal_error *error)
{
    enum shoal_status status =
        fill_side("lower", &lists->lower, params->lower_bounds, params->lower, dim, lower, error);
    return status ? status
                  : fill_side("upper", &lists->upper, params->upper_bounds, params->upper, dim, upper, error);
}

enum shoal_status shoal_search_bounds(const struct shoal_search_params *params, size_t dim, double *lower,
                                      double *upper, struct shoal_error *error)
{
    struct search_lists lists = {.dim = 0};
    struct shoal_search_params own;
    if (!NEED(error, params, lower, upper))
        return SHOAL_INVALID;
    search_params_init(&own, sizeof own);
    enum shoal_status status = SHOAL_OK;
    if (params->size > sizeof own)
        own = *params; /* the size is that of the algorithm's struct, which begins with these parameters */
    else
        status = params_take(__func__, params, "the init function of the algorithm", &own, sizeof own, error);
    if (!status)
        status = search_lists_read(&own, &lists, error);
    if (!status)
        status = search_lists_bounds(&lists, &own, dim, lower, upper, error);
    search_lists_free(&lists);
    return status;
}

void search_lists_free(struct search_lists *lists)
{
    struct search_numbers *const all[] = {&lists->lower, &lists->upper, &lists->start};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->values);
        free(all[i]->notes);
    }
    *lists = (struct search_lists){.dim = 0};
}
