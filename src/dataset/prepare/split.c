/* Decides which rows train, validate and test. */
#include "dataset/prepare/split.h"
#include "base/error.h"
#include "dataset/dataset.h"

#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { PART_NONE = SPLIT_PARTS, MOST_FOLDS = 1 << 16 };
static const char *const list_names[SPLIT_PARTS] = {"rows", "validation rows", "test rows"};

enum {
    ENOUGH_ROWS = 5
}; /* fewest rows to divide: the default share for validation, a tenth of 5 rows, is
    * half a row */

struct work {
    const struct shoal_dataset *dataset;
    const struct split_rules *rules;
    double validation, test; /* shares that are taken */
    unsigned char *parts;    /* part of each row: enum split_part or PART_NONE */
    uint32_t *pool;          /* rows that shares and folds divide */
    size_t count;            /* number of rows in `pool` */
    struct shoal_error *error;
};

enum shoal_status split_find_column(const struct shoal_dataset *dataset, const char *name, const char *option,
                                    size_t *column, struct shoal_error *error)
{
    *column = dataset_find_name(dataset, name);
    if (*column != SIZE_MAX)
        return SHOAL_OK;
    char *end;
    const unsigned long long number = *name >= '0' && *name <= '9' ? strtoull(name, &end, 10) : 0;
    if (number < 1 || *end || number > dataset->info.columns)
        return fail(error, SHOAL_INVALID, "%s: %s has no column '%.60s'", option, dataset->name, name);
    *column = (size_t)number - 1;
    return SHOAL_OK;
}

/* Lists -------------------------------------------------------------------------------------------------- */

static bool take_number(const char **at, size_t *number)
{
    const char *c = *at;
    *number = 0;
    for (; *c >= '0' && *c <= '9'; c++)
        if (*number <= UINT32_MAX) /* larger numbers are no rows of any file */
            *number = 10 * *number + (size_t)(*c - '0');
    const bool is_number = c > *at;
    while (*c == ' ')
        c++;
    *at = c;
    return is_number;
}

static enum shoal_status take_range(struct work *work, int part, size_t first, size_t last)
{
    const size_t rows = work->dataset->info.rows;
    if (first < 1 || last < first || last > rows)
        return fail(work->error, SHOAL_INVALID, "%s: %zu to %zu are no rows of %s, which are 1 to %zu",
                    list_names[part], first, last, work->dataset->name, rows);
    for (size_t row = first - 1; row < last; row++) {
        if (work->parts[row] != PART_NONE && work->parts[row] != part)
            return fail(work->error, SHOAL_INVALID, "%s: row %zu is among the %s, too", list_names[part],
                        row + 1, list_names[work->parts[row]]);
        work->parts[row] = (unsigned char)part;
    }
    return SHOAL_OK;
}

static enum shoal_status take_list(struct work *work, int part)
{
    const char *at = work->rules->rows[part];
    enum shoal_status status = SHOAL_OK;
    for (bool has_more = true; has_more && !status;) {
        size_t first, last;
        while (*at == ' ')
            at++;
        bool is_range = take_number(&at, &first);
        last = first;
        if (is_range && *at == '-') {
            at++;
            while (*at == ' ')
                at++;
            is_range = take_number(&at, &last);
        }
        has_more = *at == ',';
        if (!is_range || (*at && !has_more))
            return fail(work->error, SHOAL_INVALID, "%s: '%.60s' is no list of rows such as 1-15360, 15400",
                        list_names[part], work->rules->rows[part]);
        at += has_more;
        status = take_range(work, part, first, last);
    }
    return status;
}

/* Order -------------------------------------------------------------------------------------------------- */

/* Shuffles the rows; every order has the same probability, except for rounding in 32 bits. */
static void shuffle(uint32_t *items, size_t count, uint64_t seed)
{
    for (size_t i = count; i > 1; i--) {
        const struct shoal_words words =
            shoal_random_words(seed, SHOAL_STREAM_DATASET_SPLIT, 0, (uint32_t)i, 0);
        const size_t j = (size_t)((uint64_t)words.x * i >> 32);
        const uint32_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

/* Returns the class of a row: its category in the only target column or, if there are several target columns,
 * the index among them of the column with the greatest value. Returns `classes` if the values are missing. */
static size_t class_at(const struct shoal_dataset *dataset, size_t target, size_t classes, size_t row)
{
    const struct column *columns = dataset->columns;
    if (dataset->info.targets == 1)
        return column_misses(&columns[target], row) ? classes
                                                    : (size_t)dataset_value(dataset, &columns[target], row);
    size_t best = classes, number = 0;
    double greatest = -INFINITY;
    for (size_t c = target; c < dataset->info.columns; c++) {
        if (!columns[c].face.is_target)
            continue;
        const double value =
            column_misses(&columns[c], row) ? -INFINITY : dataset_value(dataset, &columns[c], row);
        if (value > greatest) {
            greatest = value;
            best = number;
        }
        number++;
    }
    return best;
}

/* Sorts the pool by class, keeping the order within a class, and finds the end of each class in the pool.
 * Rows without a class form a further, last class. *count: number of classes, including this last one. */
static enum shoal_status sort_classes(struct work *work, size_t **ends, size_t *count)
{
    const struct shoal_dataset *dataset = work->dataset;
    size_t target = 0;
    while (target < dataset->info.columns && !dataset->columns[target].face.is_target)
        target++;
    const size_t classes =
        dataset->info.targets == 1 ? dataset->columns[target].face.category_count : dataset->info.targets;
    if (!classes)
        return fail(work->error, SHOAL_INVALID, "stratified: %s has no target of classes", dataset->name);
    uint32_t *sorted = malloc((work->count + 1) * sizeof *sorted);
    *ends = calloc(classes + 2, sizeof **ends);
    *count = classes + 1;
    if (!sorted || !*ends) {
        free(sorted);
        return fail_host_memory(work->error);
    }
    for (size_t i = 0; i < work->count; i++)
        (*ends)[class_at(dataset, target, classes, work->pool[i]) + 1]++;
    for (size_t k = 0; k < classes; k++)
        (*ends)[k + 1] += (*ends)[k];
    for (size_t i = 0; i < work->count; i++)
        sorted[(*ends)[class_at(dataset, target, classes, work->pool[i])]++] = work->pool[i];
    free(work->pool);
    work->pool = sorted;
    return SHOAL_OK;
}

/* Divides rows into shares and folds. For each class, the number of rows that a part has from this class and
 * all classes before it is rounded; so the share of a part is exact within one row in each class, and within
 * half a row in all. */
static enum shoal_status divide_rows(struct work *work)
{
    const struct split_rules *rules = work->rules;
    size_t whole = work->count, *ends = NULL, classes = 1, validated = 0, begin = 0;
    shuffle(work->pool, work->count, rules->seed);
    enum shoal_status status = rules->is_stratified ? sort_classes(work, &ends, &classes) : SHOAL_OK;
    for (size_t k = 0; k < classes && !status; k++) {
        const size_t end = ends ? ends[k] : whole;
        size_t test =
            (size_t)(floor(work->test * (double)end + 0.5) - floor(work->test * (double)begin + 0.5));
        size_t validation = (size_t)(floor(work->validation * (double)end + 0.5) -
                                     floor(work->validation * (double)begin + 0.5));
        for (size_t i = begin; i < end; i++) {
            unsigned char *part = &work->parts[work->pool[i]];
            if (test) {
                *part = SPLIT_TEST;
                test--;
            } else if (rules->folds > 1) {
                *part = validated++ % rules->folds == rules->fold ? SPLIT_VALIDATION : SPLIT_TRAINING;
            } else {
                *part = validation ? SPLIT_VALIDATION : SPLIT_TRAINING;
                validation -= validation > 0;
            }
        }
        begin = end;
    }
    free(ends);
    return status;
}

/* Groups ------------------------------------------------------------------------------------------------- */

struct member {
    double value;
    uint32_t row;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *first = a, *second = b;
    if (first->value != second->value)
        return first->value < second->value ? -1 : 1;
    return first->row < second->row ? -1 : first->row > second->row;
}

/* A group: rows with equal values. rank: position of the group in the shuffled order. */
struct group {
    size_t begin, end;
    uint32_t rank;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct group *first = a, *second = b;
    return first->rank < second->rank ? -1 : 1;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct group *first = a, *second = b;
    const size_t one = first->end - first->begin, other = second->end - second->begin;
    return one != other ? (one > other ? -1 : 1) : compare_ranks(a, b);
}

static void put_group(struct work *work, const struct member *members, const struct group *group, int part)
{
    for (size_t i = group->begin; i < group->end; i++)
        work->parts[members[i].row] = (unsigned char)part;
}

/* Assigns groups to the parts. The test and the validation part take groups in shuffled order as long as each
 * group brings the part's number of rows closer to its share. Folds then take the other groups from the
 * largest to the smallest; each group goes to the fold with the fewest rows. */
static enum shoal_status place_groups(struct work *work, const struct member *members, struct group *groups,
                                      size_t count)
{
    const struct split_rules *rules = work->rules;
    const double whole = (double)work->count;
    size_t tested = 0, validated = 0, left = 0;
    qsort(groups, count, sizeof *groups, compare_ranks);
    for (size_t g = 0; g < count; g++) {
        const size_t size = groups[g].end - groups[g].begin;
        if ((double)tested + (double)size / 2 <= work->test * whole) {
            put_group(work, members, &groups[g], SPLIT_TEST);
            tested += size;
        } else if ((double)validated + (double)size / 2 <= work->validation * whole) {
            put_group(work, members, &groups[g], SPLIT_VALIDATION);
            validated += size;
        } else {
            put_group(work, members, &groups[g], SPLIT_TRAINING);
            groups[left++] = groups[g];
        }
    }
    if (rules->folds < 2)
        return SHOAL_OK;
    size_t *rows = calloc(rules->folds, sizeof *rows);
    if (!rows)
        return fail_host_memory(work->error);
    qsort(groups, left, sizeof *groups, compare_sizes);
    for (size_t g = 0; g < left; g++) {
        uint32_t fold = 0;
        for (uint32_t k = 1; k < rules->folds; k++)
            fold = rows[k] < rows[fold] ? k : fold;
        rows[fold] += groups[g].end - groups[g].begin;
        if (fold == rules->fold)
            put_group(work, members, &groups[g], SPLIT_VALIDATION);
    }
    free(rows);
    return SHOAL_OK;
}

static enum shoal_status find_members(struct work *work, size_t c, struct member *members)
{
    const struct column *column = &work->dataset->columns[c];
    if (column->choice == CHOICE_IGNORED)
        return fail(work->error, SHOAL_INVALID,
                    "group: column '%s' is ignored, so its values are not there; it is no input anyway",
                    column->name);
    for (size_t i = 0; i < work->count; i++) {
        const uint32_t row = work->pool[i];
        if (column_misses(column, row))
            return fail(work->error, SHOAL_IO, "%s: row %zu, column %zu ('%s') names no group",
                        work->dataset->name, (size_t)row + 1, c + 1, column->name);
        members[i] = (struct member){dataset_value(work->dataset, column, row), row};
    }
    qsort(members, work->count, sizeof *members, compare_members);
    return SHOAL_OK;
}

static enum shoal_status divide_groups(struct work *work)
{
    size_t column, count = 0;
    struct member *members = malloc((work->count + 1) * sizeof *members);
    struct group *groups = malloc((work->count + 1) * sizeof *groups);
    uint32_t *ranks = malloc((work->count + 1) * sizeof *ranks);
    enum shoal_status status =
        members && groups && ranks
            ? split_find_column(work->dataset, work->rules->group, "group", &column, work->error)
            : fail_host_memory(work->error);
    if (!status)
        status = find_members(work, column, members);
    for (size_t i = 0; i < work->count && !status; i++) {
        if (!i || members[i].value != members[i - 1].value) {
            ranks[count] = (uint32_t)count;
            groups[count++].begin = i;
        }
        groups[count - 1].end = i + 1;
    }
    if (!status) {
        shuffle(ranks, count, work->rules->seed);
        for (size_t g = 0; g < count; g++)
            groups[g].rank = ranks[g];
        status = place_groups(work, members, groups, count);
    }
    free(members);
    free(groups);
    free(ranks);
    return status;
}

/* The split ---------------------------------------------------------------------------------------------- */

static enum shoal_status check_rules(const struct split_rules *rules, struct shoal_error *error)
{
    if (!(rules->validation >= 0 && rules->test >= 0 && rules->validation + rules->test < 1))
        return fail(error, SHOAL_INVALID,
                    "split: shares of %g for validation and %g for test are not two shares from 0 on whose "
                    "sum is below 1",
                    rules->validation, rules->test);
    if (rules->folds == 1 || rules->folds > MOST_FOLDS)
        return fail(error, SHOAL_INVALID, "folds: %u is none of 0 and 2 to %d", rules->folds, MOST_FOLDS);
    if (rules->folds && rules->fold >= rules->folds)
        return fail(error, SHOAL_INVALID, "fold: %u is none of the %u folds from 1 on", rules->fold + 1,
                    rules->folds);
    if (rules->folds && (rules->validation > 0 || rules->rows[SPLIT_VALIDATION]))
        return fail(error, SHOAL_INVALID,
                    "folds: a fold validates; leave out the share or list of validation rows");
    if (rules->validation > 0 && rules->rows[SPLIT_VALIDATION])
        return fail(error, SHOAL_INVALID, "validation: give a list of rows or a share, not both");
    if (rules->test > 0 && rules->rows[SPLIT_TEST])
        return fail(error, SHOAL_INVALID, "test: give a list of rows or a share, not both");
    if (rules->group && rules->is_stratified)
        return fail(
            error, SHOAL_INVALID,
            "group: groups are kept whole, so classes cannot have equal shares; leave out stratified");
    return SHOAL_OK;
}

static enum shoal_status divide(struct work *work)
{
    const struct split_rules *rules = work->rules;
    const size_t rows = work->dataset->info.rows;
    const unsigned char source = rules->rows[SPLIT_TRAINING] ? SPLIT_TRAINING : PART_NONE;
    const bool tests_rest = source == SPLIT_TRAINING && !rules->rows[SPLIT_TEST] && !(rules->test > 0);
    enum shoal_status status = SHOAL_OK;
    for (int part = 0; part < SPLIT_PARTS && !status; part++)
        if (rules->rows[part])
            status = take_list(work, part);
    for (size_t row = 0; row < rows && !status; row++) {
        if (work->parts[row] == source)
            work->pool[work->count++] = (uint32_t)row;
        else if (work->parts[row] == PART_NONE && tests_rest)
            work->parts[row] = SPLIT_TEST;
    }
    if (status)
        return status;
    if (rules->may_train_all && work->count < ENOUGH_ROWS)
        work->validation = work->test = 0;
    if (rules->folds > work->count)
        return fail(work->error, SHOAL_INVALID, "folds: %u are more than the %zu rows to divide",
                    rules->folds, work->count);
    return rules->group ? divide_groups(work) : divide_rows(work);
}

static enum shoal_status collect(const struct work *work, struct split *split)
{
    const struct split_rules *rules = work->rules;
    for (size_t row = 0; row < work->dataset->info.rows; row++)
        if (work->parts[row] < SPLIT_PARTS)
            split->count[work->parts[row]]++;
    if (!split->count[SPLIT_TRAINING])
        return fail(work->error, SHOAL_INVALID, "split: no row of %s is left for training",
                    work->dataset->name);
    split->trains_all = work->validation < rules->validation || work->test < rules->test;
    const bool validates = !(rules->folds || work->validation > 0) || split->count[SPLIT_VALIDATION],
               tests = !(work->test > 0) || split->count[SPLIT_TEST];
    if (!validates || !tests)
        return fail(work->error, SHOAL_INVALID,
                    "split: the %s part of %s gets none of the %zu rows to divide; give a greater share, or "
                    "0 for none",
                    validates ? "test" : "validation", work->dataset->name, work->count);
    for (int part = 0; part < SPLIT_PARTS; part++) {
        if (!split->count[part])
            continue;
        split->rows[part] = malloc(split->count[part] * sizeof *split->rows[part]);
        if (!split->rows[part])
            return fail_host_memory(work->error);
        size_t next = 0;
        for (size_t row = 0; row < work->dataset->info.rows; row++)
            if (work->parts[row] == part)
                split->rows[part][next++] = (uint32_t)row;
    }
    return SHOAL_OK;
}

enum shoal_status split_create(const struct shoal_dataset *dataset, const struct split_rules *rules,
                               struct split *split, struct shoal_error *error)
{
    const size_t rows = dataset->info.rows;
    struct work work = {.dataset = dataset,
                        .rules = rules,
                        .validation = rules->validation,
                        .test = rules->test,
                        .error = error};
    *split = (struct split){.trains_all = false};
    enum shoal_status status = check_rules(rules, error);
    if (!status && rows > UINT32_MAX)
        status = fail(error, SHOAL_INVALID, "split: %s has %zu rows, more than can be counted in 32 bits",
                      dataset->name, rows);
    if (status)
        return status;
    work.parts = malloc(rows);
    work.pool = malloc(rows * sizeof *work.pool);
    if (work.parts && work.pool) {
        memset(work.parts, PART_NONE, rows);
        status = divide(&work);
        if (!status)
            status = collect(&work, split);
    } else {
        status = fail_host_memory(error);
    }
    free(work.parts);
    free(work.pool);
    if (status)
        split_free(split);
    return status;
}

void split_free(struct split *split)
{
    for (int part = 0; part < SPLIT_PARTS; part++)
        free(split->rows[part]);
    *split = (struct split){.trains_all = false};
}
