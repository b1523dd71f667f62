/* What a preparation says of itself. Figures are worked out by hand beside each case. */
#include "runs.h"

#include <shoal/mlp_preparation.h>

static const char text[] = "size,colour,flag,share,home,price\n"
                           "1,red,0,1,a,10\n"
                           "3,blue,1,2,a,20\n"
                           ",red,1,1,b,30\n"
                           "5,green,0,2,b,40\n"
                           "100,red,1,1,c,50\n"
                           "7,blue,0,2,c,60\n";

/* The first four rows train. */
static struct shoal_mlp_params numbers(void)
{
    struct shoal_mlp_params params = small();
    params.data = test_path("numbers.csv");
    test_write_text(params.data, text);
    params.target = "price";
    params.validation = 0;
    params.test = NAN;
    params.rows = "1-4";
    params.missing = SHOAL_MLP_INDICATOR;
    params.weight = "share";
    params.group = "home";
    return params;
}

static void columns_of_numbers(void **state)
{
    (void)state;
    const struct shoal_mlp_params params = numbers();
    struct shoal_mlp_preparation *of;
    assert_ok(shoal_mlp_preparation_create(&params, 0, &of, &test_error));
    const struct shoal_mlp_preparation_info *info = shoal_mlp_preparation_get_info(of);
    assert_true(info->size == sizeof *info && info->columns == 6 && info->inputs == 6 && info->outputs == 1);
    assert_true(info->rows[SHOAL_MLP_TRAINING] == 4 && info->rows[SHOAL_MLP_TEST] == 2);
    assert_true(info->classes == 0 && info->dropped == 0 && info->missing == SHOAL_MLP_INDICATOR);
    assert_string_equal(info->form, "fp32"); /* as fills are */
    assert_contains(info->notes,
                    "the target 'price' has whole numbers, 10 to 60, which are taken for numbers");

    /* 1, 3, 3 for the missing one, 5: mean 3, variance 8 / 4; the indicator 0, 0, 1, 0. */
    const struct shoal_mlp_preparation_column *column = shoal_mlp_preparation_column_at(of, 0);
    assert_string_equal(column->name, "size");
    assert_true(column->use == SHOAL_MLP_USE_INPUT && column->kind == SHOAL_COLUMN_NUMBER);
    assert_true(column->first == 0 && column->width == 2 && column->has_indicator && column->missing == 1);
    assert_near(column->fill[0], 3, 0);
    assert_near(column->shift[0], 3, 1e-15);
    assert_near(column->factor[0], 1 / sqrt(2), 1e-15);
    assert_near(column->shift[1], 0.25, 1e-15);
    assert_near(column->factor[1], 1 / sqrt(0.1875), 1e-14);

    /* Three categories train, each an input. */
    column = shoal_mlp_preparation_column_at(of, 1);
    assert_true(column->encoding == SHOAL_ENCODING_ONE_HOT && column->first == 2 && column->width == 3);
    assert_int_equal(column->category_count, 3);
    assert_string_equal(column->categories[2], "red");
    assert_near(column->shift[2], 0.5, 1e-15);
    assert_near(column->fill[2], 0, 0);
    assert_int_equal(shoal_mlp_preparation_column_at(of, 3)->use, SHOAL_MLP_USE_WEIGHT);
    assert_int_equal(shoal_mlp_preparation_column_at(of, 4)->use, SHOAL_MLP_USE_GROUP);
    column = shoal_mlp_preparation_column_at(of, 5);
    assert_true(column->use == SHOAL_MLP_USE_TARGET && column->first == 0 && column->width == 1);
    assert_near(column->shift[0], 25, 0);
    assert_near(column->factor[0], 1 / sqrt(125), 1e-15);
    assert_null(column->fill);
    assert_null(shoal_mlp_preparation_column_at(of, 6));
    shoal_mlp_preparation_destroy(&of);
    assert_null(of);
    shoal_mlp_preparation_destroy(&of);
}

static void classes_of_a_fold(void **state)
{
    (void)state;
    struct shoal_mlp_params params = numbers();
    struct shoal_mlp_preparation *of;
    /* Each row three times, of which every fold validates one. */
    char thrice[3 * sizeof text];
    const char *const rows = strchr(text, '\n') + 1;
    snprintf(thrice, sizeof thrice, "%s%s%s", text, rows, rows);
    test_write_text(params.data, thrice);
    params.target = "colour";
    params.rows = params.weight = params.group = NULL;
    params.columns = "home ignored";
    params.missing = SHOAL_MLP_DROP_ROWS;
    params.folds = 3;
    params.scale = SHOAL_MLP_UNSCALED;
    params.class_weights = "1,2,3";
    for (uint64_t fold = 0; fold < 3; fold++) {
        assert_ok(shoal_mlp_preparation_create(&params, fold, &of, &test_error));
        const struct shoal_mlp_preparation_info *info = shoal_mlp_preparation_get_info(of);
        const size_t training = info->rows[SHOAL_MLP_TRAINING];
        assert_int_equal(training + info->rows[SHOAL_MLP_VALIDATION], 15);
        assert_true(info->dropped == 3 && info->classes == 3 && info->outputs == 3);
        assert_true(info->class_rows[0] == 4 && info->class_rows[1] == 2);
        assert_int_equal(info->class_rows[2], training - 6);
        assert_near(info->class_weights[1], 2, 0);
        const struct shoal_mlp_preparation_column *target = shoal_mlp_preparation_column_at(of, 1);
        assert_true(target->use == SHOAL_MLP_USE_TARGET && target->width == 3 && !target->shift);
        assert_int_equal(shoal_mlp_preparation_column_at(of, 4)->use, SHOAL_MLP_UNUSED);
        assert_true(shoal_mlp_preparation_column_at(of, 0)->factor[0] == 1);
        shoal_mlp_preparation_destroy(&of);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    struct shoal_mlp_params params = numbers();
    struct shoal_mlp_preparation *of;
    assert_status(shoal_mlp_preparation_create(NULL, 0, &of, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_preparation_create(&params, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_preparation_create(&params, 1, &of, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "fold 1 of 1");
    params.missing = SHOAL_MLP_REFUSE;
    assert_status(shoal_mlp_preparation_create(&params, 0, &of, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 3, column 1 ('size') has no value");
    assert_null(of);
}

static void categories_that_training_did_not_see(void **state)
{
    (void)state;
    struct shoal_mlp_params params = numbers();
    struct shoal_mlp_preparation *of;
    params.group = NULL;
    params.rows = "1-3"; /* green is among the others alone */
    params.columns = "home ignored";
    assert_ok(shoal_mlp_preparation_create(&params, 0, &of, &test_error));
    assert_contains(shoal_mlp_preparation_get_info(of)->notes,
                    "column 'colour': 1 row has a category that training did not see ('green'): it is filled "
                    "as missing values are");
    shoal_mlp_preparation_destroy(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {HOST_TEST(columns_of_numbers), HOST_TEST(classes_of_a_fold),
                                       HOST_TEST(categories_that_training_did_not_see),
                                       HOST_TEST(what_is_refused)};
    return cmocka_run_group_tests_name("mlp preparation", tests, NULL, NULL);
}
