/* Which rows train, validate and test. */
#include "fixture.h"

#include "dataset/prepare/split.h"

#include <math.h>

/* A letter a row: t, v, T for training, validation and test, - for none. */
static const char *letters_of(const struct shoal_dataset *dataset, const struct split_rules *rules)
{
    static char letters[64];
    struct split split;
    memset(letters, 0, sizeof letters);
    memset(letters, '-', shoal_dataset_get_info(dataset)->rows);
    assert_ok(split_create(dataset, rules, &split, &test_error));
    for (int part = 0; part < SPLIT_PARTS; part++)
        for (size_t i = 0; i < split.count[part]; i++) {
            assert_true(!i || split.rows[part][i] > split.rows[part][i - 1]);
            assert_true(letters[split.rows[part][i]] == '-');
            letters[split.rows[part][i]] = "tvT"[part];
        }
    split_free(&split);
    return letters;
}

static size_t count_of(const char *letters, char letter)
{
    size_t count = 0;
    for (; *letters; letters++)
        count += *letters == letter;
    return count;
}

/* 30 rows: class a in the first 20, b in the others; group i / 5. */
static struct shoal_dataset *thirty_rows(void)
{
    struct text text = {0};
    text_add(&text, "x,g,y\n");
    for (int i = 0; i < 30; i++)
        text_printf(&text, "%d,g%d,%s\n", 7 * i % 11, i / 5, i < 20 ? "a" : "b");
    struct shoal_dataset *dataset = open_csv(text.data, "y", NULL);
    text_free(&text);
    return dataset;
}

static void lists_take_their_rows(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = thirty_rows();
    assert_string_equal(letters_of(dataset, &(struct split_rules){.seed = 1}),
                        "tttttttttttttttttttttttttttttt");
    assert_string_equal(letters_of(dataset, &(struct split_rules){.rows = {"1-3, 5"}}),
                        "tttTtTTTTTTTTTTTTTTTTTTTTTTTTT");
    assert_string_equal(letters_of(dataset, &(struct split_rules){.rows = {"1-3", "4", " 30 , 6 - 7"}}),
                        "tttv-TT----------------------T");
    assert_string_equal(letters_of(dataset, &(struct split_rules){.rows = {NULL, "4", "30"}}),
                        "tttvtttttttttttttttttttttttttT");
    const char *shared = letters_of(dataset, &(struct split_rules){.rows = {"1-20"}, .validation = 0.25});
    assert_int_equal(count_of(shared, 'v'), 5);
    assert_string_equal(shared + 20, "TTTTTTTTTT");
    shoal_dataset_destroy(&dataset);
}

static void shares_are_of_each_class(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = thirty_rows();
    for (uint64_t seed = 0; seed < 20; seed++) {
        test_label("seed %llu", (unsigned long long)seed);
        struct split_rules rules = {.validation = 0.2, .test = 0.3, .is_stratified = true, .seed = seed};
        char letters[64];
        snprintf(letters, sizeof letters, "%s", letters_of(dataset, &rules));
        assert_int_equal(count_of(letters + 20, 'v'), 2); /* of 10 */
        assert_int_equal(count_of(letters + 20, 'T'), 3);
        assert_int_equal(count_of(letters, 'v'), 6);
        assert_int_equal(count_of(letters, 'T'), 9);
        assert_string_equal(letters, letters_of(dataset, &rules));
        rules.seed = seed + 100;
        assert_string_not_equal(letters, letters_of(dataset, &rules));
        rules.is_stratified = false;
        const char *plain = letters_of(dataset, &rules);
        assert_int_equal(count_of(plain, 'v'), 6);
        assert_int_equal(count_of(plain, 'T'), 9);
    }
    shoal_dataset_destroy(&dataset);
}

static void few_rows_train(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = thirty_rows();
    struct split_rules rules = {.rows = {"1-4"}, .validation = 0.1, .test = 0.2, .may_train_all = true};
    struct split split;
    assert_string_equal(letters_of(dataset, &rules), "tttt--------------------------");
    assert_ok(split_create(dataset, &rules, &split, &test_error));
    assert_true(split.trains_all);
    split_free(&split);
    rules.rows[SPLIT_TRAINING] = "1-5";
    assert_ok(split_create(dataset, &rules, &split, &test_error));
    assert_false(split.trains_all);
    assert_int_equal(split.count[SPLIT_VALIDATION], 1);
    assert_int_equal(split.count[SPLIT_TEST], 1);
    split_free(&split);
    shoal_dataset_destroy(&dataset);
}

static void each_row_validates_in_one_fold(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = thirty_rows();
    for (int kind = 0; kind < 3; kind++) {
        int validated[30] = {0};
        for (uint32_t fold = 0; fold < 4; fold++) {
            const struct split_rules rules = {.folds = 4,
                                              .fold = fold,
                                              .seed = 5,
                                              .is_stratified = kind == 1,
                                              .group = kind == 2 ? "g" : NULL};
            const char *letters = letters_of(dataset, &rules);
            size_t of_b = 0;
            for (int i = 0; i < 30; i++) {
                validated[i] += letters[i] == 'v';
                of_b += i >= 20 && letters[i] == 'v';
                assert_true(kind < 2 || letters[i] == letters[i / 5 * 5]);
            }
            assert_true(kind == 2 || (count_of(letters, 'v') - 7) < 2); /* 7 or 8 of 30 */
            assert_true(kind != 1 || of_b == 2 || of_b == 3);
            assert_true(kind != 2 || count_of(letters, 'v') % 5 == 0);
        }
        for (int i = 0; i < 30; i++)
            assert_int_equal(validated[i], 1);
    }
    shoal_dataset_destroy(&dataset);
}

static void groups_stay_together(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = thirty_rows();
    for (uint64_t seed = 0; seed < 10; seed++) {
        const char *letters = letters_of(
            dataset, &(struct split_rules){.validation = 0.2, .test = 0.3, .group = "2", .seed = seed});
        for (int i = 0; i < 30; i++)
            assert_int_equal(letters[i], letters[i / 5 * 5]);
        assert_int_equal(count_of(letters, 'T'), 10); /* 5, then 10 where 12.5 are as near to 9 */
        assert_int_equal(count_of(letters, 'v'), 5);
    }
    shoal_dataset_destroy(&dataset);
}

static void splits_that_cannot_be(void **state)
{
    (void)state;
    static const struct {
        struct split_rules rules;
        const char *message;
    } cases[] = {
        {{.rows = {"1-31"}}, "rows: 1 to 31 are no rows of"},
        {{.rows = {"0"}}, "are no rows of"},
        {{.rows = {"7-3"}}, "7 to 3 are no rows"},
        {{.rows = {"99999999999999999999999"}}, "are no rows of"},
        {{.rows = {"1,"}}, "'1,' is no list of rows"},
        {{.rows = {"a"}}, "'a' is no list of rows"},
        {{.rows = {""}}, "'' is no list of rows"},
        {{.rows = {"1-5", "5"}}, "validation rows: row 5 is among the rows, too"},
        {{.rows = {NULL, "1-30"}}, "no row of"},
        {{.validation = 0.5, .test = 0.5}, "whose sum is below 1"},
        {{.validation = -0.1}, "whose sum is below 1"},
        {{.test = NAN}, "whose sum is below 1"},
        {{.validation = 0.001}, "the validation part of"},
        {{.test = 0.001}, "the test part of"},
        {{.rows = {"1-3"}, .validation = 0.1}, "gets none of the 3 rows to divide"},
        {{.folds = 1}, "folds: 1 is none of 0 and 2"},
        {{.folds = 31}, "folds: 31 are more than the 30 rows"},
        {{.folds = 3, .fold = 3}, "fold: 4 is none of the 3"},
        {{.folds = 3, .validation = 0.1}, "a fold validates"},
        {{.rows = {NULL, "1"}, .validation = 0.1}, "a list of rows or a share"},
        {{.rows = {NULL, NULL, "1"}, .test = 0.1}, "a list of rows or a share"},
        {{.group = "h", .test = 0.1}, "group: "},
        {{.group = "4", .test = 0.1}, "has no column '4'"},
        {{.group = "g", .test = 0.1, .is_stratified = true}, "leave out stratified"},
    };
    struct shoal_dataset *dataset = thirty_rows();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct split split;
        test_label("case %zu", i);
        assert_status(split_create(dataset, &cases[i].rules, &split, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(split.rows[0]);
    }
    shoal_dataset_destroy(&dataset);
    dataset = open_csv("x,g,y\n1,1,2.5\n2,,3\n3,3,4\n", "y", NULL);
    struct split split;
    assert_status(
        split_create(dataset, &(struct split_rules){.test = 0.4, .is_stratified = true}, &split, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "has no target of classes");
    assert_status(
        split_create(dataset, &(struct split_rules){.test = 0.4, .group = "g"}, &split, &test_error),
        SHOAL_IO);
    assert_contains(test_error.message, "row 2, column 2 ('g') names no group");
    shoal_dataset_destroy(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(lists_take_their_rows), UNIT_TEST(shares_are_of_each_class),
        UNIT_TEST(few_rows_train),        UNIT_TEST(each_row_validates_in_one_fold),
        UNIT_TEST(groups_stay_together),  UNIT_TEST(splits_that_cannot_be),
    };
    return cmocka_run_group_tests_name("splits", tests, NULL, NULL);
}
