/* A preparation learns from the training rows: categories, what fills missing values, scales of inputs. */
#include "base/error.h"
#include "base/text.h"
#include "dataset/prepare/values.h"

#include <stdlib.h>
#include <string.h>

struct learner {
    const struct shoal_dataset *dataset;
    const uint32_t *rows;
    size_t count;
    const struct prepare_rules *rules;
    struct preparation *preparation;
    struct prepare_match match;
    struct shoal_error *error;
};

/* Columns ------------------------------------------------------------------------------------------------ */

/* Finds a column by name; `*column` SIZE_MAX: no name is given. */
static enum shoal_status find_column(const struct learner *learner, const char *name, const char *option,
                                     size_t *column)
{
    *column = SIZE_MAX;
    return name ? split_find_column(learner->dataset, name, option, column, learner->error) : SHOAL_OK;
}

/* Whether a column is an input: it is not ignored, not a target, and neither the column of groups nor the
 * column of weights. */
static bool is_input(const struct shoal_dataset *dataset, size_t c, size_t group, size_t weight)
{
    const struct column *column = &dataset->columns[c];
    return column->choice != CHOICE_IGNORED && !column->face.is_target && c != group && c != weight;
}

static enum shoal_status learn_weight(const struct learner *learner, size_t weight)
{
    const struct column *column = &learner->dataset->columns[weight];
    if (column->choice == CHOICE_IGNORED || column->face.is_target || !column_is_number(column))
        return fail(learner->error, SHOAL_INVALID, "weight: column '%s' of %s is %s, no column of numbers",
                    column->name, learner->dataset->name,
                    column->choice == CHOICE_IGNORED ? "ignored"
                    : column->face.is_target         ? "a target"
                                                     : "one of words");
    learner->preparation->weight = strdup(column->name);
    return learner->preparation->weight ? SHOAL_OK : fail_host_memory(learner->error);
}

static enum shoal_status learn_inputs(struct learner *learner)
{
    const struct shoal_dataset *dataset = learner->dataset;
    struct preparation *preparation = learner->preparation;
    size_t group, weight;
    enum shoal_status status = find_column(learner, learner->rules->group, "group", &group);
    if (!status)
        status = find_column(learner, learner->rules->weight, "weight", &weight);
    if (!status && group != SIZE_MAX) {
        preparation->group = strdup(dataset->columns[group].name);
        status = preparation->group ? SHOAL_OK : fail_host_memory(learner->error);
    }
    if (!status && weight != SIZE_MAX)
        status = learn_weight(learner, weight);
    preparation->inputs = calloc(dataset->info.columns + 1, sizeof *preparation->inputs);
    if (!status && !preparation->inputs)
        status = fail_host_memory(learner->error);
    for (size_t c = 0; c < dataset->info.columns && !status; c++)
        if (is_input(dataset, c, group, weight))
            status = learn_column(dataset, learner->rows, learner->count, c,
                                  &preparation->inputs[preparation->input_columns++], learner->error);
    if (!status && !preparation->input_columns)
        status = fail(learner->error, SHOAL_INVALID, "%s: has no column that is an input", dataset->name);
    return status;
}

/* Missing values ----------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* The median of sorted values. If two values are in the middle: their mean if is_plain is set (the number
 * itself is the input), otherwise the lower value. */
static double median_of(const double *values, size_t count, bool is_plain)
{
    const double low = values[(count - 1) / 2];
    return is_plain ? low + (values[count / 2] - low) / 2 : low;
}

/* The most frequent of sorted category numbers; of several that are equally frequent, the lowest number. */
static double most_frequent(const double *values, size_t count)
{
    double best = values[0];
    size_t most = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && values[end] == values[first]; end++)
            ;
        if (end - first > most) {
            most = end - first;
            best = values[first];
        }
    }
    return best;
}

static void encode_column(const struct prepare_column *column, double value, double *out)
{
    dataset_encode_value(column->encoding, column->width, column->least, value, out);
}

static void mean_encoded(const struct prepare_column *column, const double *values, size_t count, double *out,
                         double *scratch)
{
    for (size_t k = 0; k < column->width; k++)
        out[k] = 0;
    for (size_t i = 0; i < count; i++) {
        encode_column(column, values[i], scratch);
        for (size_t k = 0; k < column->width; k++)
            out[k] += scratch[k] / (double)count;
    }
}

/* Learns the numbers that fill missing values of a column. values: the column's numbers in the training rows,
 * without missing values; the call may sort them. */
static enum shoal_status learn_fill(struct learner *learner, struct prepare_column *column, double *values,
                                    size_t count)
{
    const enum prepare_missing missing = learner->preparation->missing;
    const bool is_number = column->kind == SHOAL_COLUMN_NUMBER,
               is_plain = is_number && column->encoding == SHOAL_ENCODING_PLAIN;
    double *scratch = malloc((column->width + 1) * sizeof *scratch);
    column->fill = calloc(column->width + 1, sizeof *column->fill);
    if (!scratch || !column->fill) {
        free(scratch);
        return fail_host_memory(learner->error);
    }
    if (missing == PREPARE_MEDIAN) {
        qsort(values, count, sizeof *values, compare_doubles);
        encode_column(column, is_number ? median_of(values, count, is_plain) : most_frequent(values, count),
                      column->fill);
    } else if (missing == PREPARE_MEAN || is_number) {
        mean_encoded(column, values, count, column->fill, scratch);
    }
    for (size_t k = 0; k < column->width; k++)
        column->fill[k] = (double)(float)column->fill[k];
    free(scratch);
    return SHOAL_OK;
}

static enum shoal_status learn_missing(struct learner *learner, size_t slot, double *values)
{
    struct preparation *preparation = learner->preparation;
    struct prepare_column *column = &preparation->inputs[slot];
    const bool is_filled = preparation->missing != PREPARE_REFUSE && preparation->missing != PREPARE_DROP;
    size_t count = 0, missing = 0;
    if (!is_filled && !learner->dataset->columns[column->place].face.missing)
        return SHOAL_OK;
    for (size_t i = 0; i < learner->count; i++) {
        const enum value_state state = value_at(&learner->match, slot, learner->rows[i], &values[count]);
        count += state == VALUE_THERE;
        missing += state != VALUE_THERE;
        if (state != VALUE_THERE && !is_filled)
            return value_fail(
                &learner->match, slot, learner->rows[i], state,
                "; --missing says what becomes of missing values: mean, median, indicator or drop",
                learner->error);
    }
    column->has_indicator = preparation->missing == PREPARE_INDICATOR && missing;
    return is_filled ? learn_fill(learner, column, values, count) : SHOAL_OK;
}

static enum shoal_status learn_all_missing(struct learner *learner)
{
    struct preparation *preparation = learner->preparation;
    double *values = malloc((learner->count + 1) * sizeof *values);
    enum shoal_status status = values ? SHOAL_OK : fail_host_memory(learner->error);
    for (size_t i = 0; i < preparation->input_columns && !status; i++) {
        struct prepare_column *column = &preparation->inputs[i];
        status = learn_missing(learner, i, values);
        column->first = preparation->input_width;
        preparation->input_width += column->width + column->has_indicator;
    }
    free(values);
    if (!status && !preparation->input_width)
        status = fail(learner->error, SHOAL_IO, "%s: its inputs are all constant in the training rows",
                      learner->dataset->name);
    return status;
}

/* Scale -------------------------------------------------------------------------------------------------- */

/* Computes statistics[4 * width]: mean, least, greatest, and sum of squared deviations of each encoded
 * input. */
static enum shoal_status find_statistics(struct learner *learner, double *statistics, double *row)
{
    const size_t width = learner->preparation->input_width;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < width; k++) {
        statistics[4 * k + 1] = INFINITY;
        statistics[4 * k + 2] = -INFINITY;
    }
    for (size_t i = 0; i < learner->count && !status; i++) {
        status = prepare_row(&learner->match, learner->rows[i], row, learner->error);
        for (size_t k = 0; k < width && !status; k++) {
            double *of = statistics + 4 * k;
            of[0] += row[k];
            of[1] = row[k] < of[1] ? row[k] : of[1];
            of[2] = row[k] > of[2] ? row[k] : of[2];
        }
    }
    for (size_t k = 0; k < width; k++)
        statistics[4 * k] /= (double)learner->count;
    for (size_t i = 0; i < learner->count && !status; i++) {
        status = prepare_row(&learner->match, learner->rows[i], row, learner->error);
        for (size_t k = 0; k < width && !status; k++) {
            const double deviation = row[k] - statistics[4 * k];
            statistics[4 * k + 3] += deviation * deviation;
        }
    }
    return status;
}

/* Adds one sentence on all columns whose inputs are constant. */
static bool note_constants(struct preparation *preparation, const double *statistics)
{
    enum { NAMED = 3 };
    size_t count = 0;
    struct text names = {0};
    for (size_t i = 0; i < preparation->input_columns; i++) {
        const struct prepare_column *column = &preparation->inputs[i];
        bool is_constant = true;
        for (size_t k = column->first; k < column->first + column->width && is_constant; k++)
            is_constant = !(statistics[4 * k + 2] > statistics[4 * k + 1]);
        if (is_constant && count++ < NAMED)
            text_printf(&names, "%s'%.60s'", count > 1 ? ", " : "", column->name);
    }
    if (count > NAMED)
        text_printf(&names, " and %zu more", count - NAMED);
    const bool has_memory =
        !names.failed && (!count || lines_add(&preparation->notes,
                                              "constant in the training rows, so of no use: %s", names.data));
    text_free(&names);
    return has_memory;
}

static enum shoal_status learn_input_scale(struct learner *learner)
{
    struct preparation *preparation = learner->preparation;
    const size_t width = preparation->input_width;
    double *statistics = calloc(4 * width, sizeof *statistics), *row = malloc(width * sizeof *row);
    preparation->shift = calloc(width, sizeof *preparation->shift);
    preparation->factor = calloc(width, sizeof *preparation->factor);
    enum shoal_status status = statistics && row && preparation->shift && preparation->factor
                                   ? find_statistics(learner, statistics, row)
                                   : fail_host_memory(learner->error);
    for (size_t k = 0; k < width && !status; k++)
        learn_scale(preparation->scale, statistics + 4 * k, learner->count, &preparation->shift[k],
                    &preparation->factor[k]);
    if (!status && !note_constants(preparation, statistics))
        status = fail_host_memory(learner->error);
    free(statistics);
    free(row);
    return status;
}

/* All ---------------------------------------------------------------------------------------------------- */

static enum shoal_status learn(struct learner *learner)
{
    const struct shoal_dataset *dataset = learner->dataset;
    struct preparation *preparation = learner->preparation;
    enum shoal_status status = SHOAL_OK;
    if (!dataset->info.targets)
        return fail(learner->error, SHOAL_INVALID, "target: %s does not say what is to be predicted; name %s",
                    dataset->name,
                    strcmp(dataset->info.format, "idx") == 0 ? "the file of its labels" : "a column of it");
    if (!learner->count)
        return fail(learner->error, SHOAL_INVALID, "split: no row of %s is left for training", dataset->name);
    status = learn_inputs(learner);
    if (!status)
        status = learn_targets(preparation, dataset, learner->rows, learner->count, learner->rules,
                               learner->error);
    if (!status)
        status = prepare_match(preparation, dataset, true, &learner->match, learner->error);
    if (!status)
        status = learn_all_missing(learner);
    if (!status)
        status = learn_input_scale(learner);
    if (!status)
        status = learn_class_weights(preparation, &learner->match, learner->rows, learner->count,
                                     learner->rules->class_weights, learner->error);
    prepare_match_free(&learner->match);
    return status;
}

enum shoal_status prepare_create(const struct shoal_dataset *dataset, const uint32_t *rows, size_t count,
                                 const struct prepare_rules *rules, struct preparation **out,
                                 struct shoal_error *error)
{
    struct preparation *preparation = calloc(1, sizeof *preparation);
    *out = NULL;
    if (!preparation)
        return fail_host_memory(error);
    preparation->scale = rules->scale;
    preparation->target_scale = rules->target_scale;
    preparation->missing = rules->missing;
    preparation->has_names = dataset->has_names;
    preparation->file_columns = dataset->info.columns;
    struct learner learner = {.dataset = dataset,
                              .rows = rows,
                              .count = count,
                              .rules = rules,
                              .preparation = preparation,
                              .error = error};
    enum shoal_status status = learn(&learner);
    if (status)
        prepare_destroy(&preparation);
    *out = preparation;
    return status;
}

static void free_columns(struct prepare_column *columns, size_t count)
{
    for (size_t i = 0; columns && i < count; i++) {
        for (size_t k = 0; columns[i].categories && k < columns[i].category_count; k++)
            free(columns[i].categories[k]);
        free(columns[i].categories);
        free(columns[i].name);
        free(columns[i].fill);
    }
    free(columns);
}

void prepare_destroy(struct preparation **preparation)
{
    struct preparation *old = preparation ? *preparation : NULL;
    if (!old)
        return;
    free_columns(old->inputs, old->input_columns);
    free_columns(old->targets, old->target_columns);
    for (size_t k = 0; old->classes && k < old->class_count; k++)
        free(old->classes[k]);
    free(old->classes);
    free(old->shift);
    free(old->factor);
    free(old->target_shift);
    free(old->target_factor);
    free(old->class_weights);
    free(old->weight);
    free(old->group);
    free(old->notes);
    free(old);
    *preparation = NULL;
}

enum shoal_status prepare_drop(const struct shoal_dataset *dataset, const struct prepare_rules *rules,
                               struct split *split, size_t *dropped, struct shoal_error *error)
{
    size_t group = SIZE_MAX, removed = 0;
    enum shoal_status status =
        rules->group ? split_find_column(dataset, rules->group, "group", &group, error) : SHOAL_OK;
    for (int part = 0; part < SPLIT_PARTS && !status; part++) {
        size_t kept = 0;
        for (size_t i = 0; i < split->count[part]; i++) {
            const uint32_t row = split->rows[part][i];
            bool misses = false;
            for (size_t c = 0; c < dataset->info.columns && !misses; c++)
                misses = c != group && dataset->columns[c].choice != CHOICE_IGNORED &&
                         column_misses(&dataset->columns[c], row);
            if (!misses)
                split->rows[part][kept++] = row;
        }
        removed += split->count[part] - kept;
        split->count[part] = kept;
    }
    if (dropped)
        *dropped = removed;
    if (!status && !split->count[SPLIT_TRAINING])
        status =
            fail(error, SHOAL_IO, "%s: every training row misses a value, so none is left", dataset->name);
    return status;
}
