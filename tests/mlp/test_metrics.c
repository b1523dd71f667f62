/* Figures of predictions against those of scikit-learn 1.9, SciPy (Wilson's interval) and NumPy. */
#include "unit.h"

#include "mlp/observe/metrics.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 100, MOST_CLASSES = 6 };

/* A few hundred sums of rounded terms of about size 1. */
static const double tolerance = 1e-12;

struct expected {
    size_t rows;
    uint32_t classes, present; /* present: those that occur */
    bool one_output, weighted;
    double confusion[MOST_CLASSES * MOST_CLASSES];
    double precision[MOST_CLASSES], recall[MOST_CLASSES], f1[MOST_CLASSES], auc[MOST_CLASSES];
    double top[SHOAL_MLP_TOP], bins[SHOAL_MLP_BINS];
    double accuracy, low, high, balanced, mean_f1, mean_auc, log_loss, brier, calibration;
};

static const struct expected expected[] = {
    {.rows = 40,
     .classes = 5,
     .present = 5,
     .one_output = false,
     .weighted = false,
     .confusion = {7, 0, 1, 0, 0, 3, 7, 2, 0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 6, 0, 0, 1, 1, 0, 6},
     .precision = {0.5833333333333334, 0.7777777777777778, 0.2857142857142857, 1, 1},
     .recall = {0.875, 0.5833333333333334, 0.6666666666666666, 0.6666666666666666, 0.75},
     .f1 = {0.7, 0.6666666666666666, 0.4, 0.8, 0.8571428571428571},
     .auc = {0.921875, 0.8913690476190476, 0.8738738738738738, 0.931899641577061, 0.9609375},
     .top = {0.7, 0.925, 1, 1, 1},
     .bins = {0, 0, 12, 19, 6, 3, 0, 0, 0, 0},
     .accuracy = 0.7,
     .low = 0.5456998118185507,
     .high = 0.8192515477025347,
     .balanced = 0.7083333333333333,
     .mean_f1 = 0.6847619047619047,
     .mean_auc = 0.9159910126139964,
     .log_loss = 1.146746570484185,
     .brier = 0.594808265202999,
     .calibration = 0.3589446690791971},
    {.rows = 97,
     .classes = 6,
     .present = 4,
     .one_output = false,
     .weighted = true,
     .confusion = {51, 6, 1, 2,  1, 4, 2, 26, 0, 4, 0, 0, 5, 11, 39, 3, 5, 1,
                   8,  2, 2, 18, 2, 0, 0, 0,  0, 0, 0, 0, 0, 0,  0,  0, 0, 0},
     .precision = {0.7727272727272727, 0.5777777777777777, 0.9285714285714286, 0.6666666666666666, 0, 0},
     .recall = {0.7846153846153846, 0.8125, 0.609375, 0.5625, NAN, NAN},
     .f1 = {0.7786259541984732, 0.6753246753246753, 0.7358490566037735, 0.6101694915254238, 0, 0},
     .auc = {0.93359375, 0.9485636645962733, 0.9044937015503877, 0.8472437888198757, NAN, NAN},
     .top = {0.6943005181347151, 0.8031088082901554, 0.9378238341968912, 1, 1},
     .bins = {0, 0, 112, 62, 19, 0, 0, 0, 0, 0},
     .accuracy = 0.6943005181347151,
     .low = 0.5884025662394412,
     .high = 0.7830006437389343,
     .balanced = 0.6922475961538461,
     .mean_f1 = 0.4666615296087244,
     .mean_auc = 0.9084737262416341,
     .log_loss = 1.305294294837422,
     .brier = 0.6479092852190115,
     .calibration = 0.3974664398960057},
    {.rows = 33,
     .classes = 2,
     .present = 2,
     .one_output = true,
     .weighted = false,
     .confusion = {14, 8, 3, 8},
     .precision = {0.8235294117647058, 0.5},
     .recall = {0.6363636363636364, 0.7272727272727273},
     .f1 = {0.717948717948718, 0.5925925925925926},
     .auc = {0.6942148760330579, 0.6942148760330579},
     .top = {0.6666666666666666, 1},
     .bins = {0, 0, 0, 0, 0, 3, 7, 7, 8, 8},
     .accuracy = 0.6666666666666666,
     .low = 0.4960789442780561,
     .high = 0.8024977232077931,
     .balanced = 0.6818181818181819,
     .mean_f1 = 0.6552706552706553,
     .mean_auc = 0.6942148760330579,
     .log_loss = 0.7250127033774744,
     .brier = 0.5331439393939394,
     .calibration = 0.375},
    {.rows = 64,
     .classes = 2,
     .present = 2,
     .one_output = true,
     .weighted = true,
     .confusion = {57, 28, 14, 28},
     .precision = {0.8028169014084507, 0.5},
     .recall = {0.6705882352941176, 0.6666666666666666},
     .f1 = {0.7307692307692307, 0.5714285714285714},
     .auc = {0.6705882352941177, 0.6705882352941176},
     .top = {0.6692913385826772, 1},
     .bins = {0, 0, 0, 0, 0, 21, 21, 21, 42, 22},
     .accuracy = 0.6692913385826772,
     .low = 0.5371237379897199,
     .high = 0.7792316742953528,
     .balanced = 0.6686274509803921,
     .mean_f1 = 0.651098901098901,
     .mean_auc = 0.6705882352941177,
     .log_loss = 0.7874864583451066,
     .brier = 0.5735728346456693,
     .calibration = 0.3927165354330709},
};

static double probabilities[MOST_ROWS * MOST_CLASSES], weights[MOST_ROWS];
static uint32_t truth[MOST_ROWS];

/* Small whole numbers over their sum: many are equal. */
static struct metrics_guesses make(const struct expected *wanted)
{
    const uint32_t outputs = wanted->one_output ? 1 : wanted->classes;
    for (uint32_t r = 0; r < wanted->rows; r++) {
        double sum = 0;
        truth[r] = (r * r + r / 3) % wanted->present;
        weights[r] = 1 + r % 3;
        for (uint32_t c = 0; c < outputs; c++)
            sum += probabilities[r * outputs + c] =
                (r * 37 + c * 11 + r * c % 7) % 8 + 1 + (c == truth[r] ? 4 : 0);
        for (uint32_t c = 0; c < outputs; c++)
            probabilities[r * outputs + c] /= sum;
        if (wanted->one_output)
            probabilities[r] = (r * 5 + truth[r] * 3) % 9 / 8.0;
    }
    return (struct metrics_guesses){.rows = wanted->rows,
                                    .classes = wanted->classes,
                                    .outputs = outputs,
                                    .probabilities = probabilities,
                                    .truth = truth,
                                    .weights = wanted->weighted ? weights : NULL};
}

/* Both may be undefined. */
static void same(double got, double wanted, const char *what)
{
    test_label("%s: %.17g instead of %.17g", what, got, wanted);
    if (isnan(wanted))
        assert_true(isnan(got));
    else
        assert_near(got, wanted, tolerance);
}

static void test_classes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct expected *wanted = expected + i;
        const struct metrics_guesses guesses = make(wanted);
        struct shoal_mlp_classes got;
        assert_ok(metrics_of_classes(&guesses, &got, &test_error));
        for (uint32_t k = 0; k < wanted->classes * wanted->classes; k++)
            assert_true(got.confusion[k] == wanted->confusion[k]);
        for (uint32_t k = 0; k < wanted->classes; k++) {
            same(got.of[k].precision, wanted->precision[k], "precision");
            same(got.of[k].recall, wanted->recall[k], "recall");
            same(got.of[k].f1, wanted->f1[k], "F1");
            same(got.of[k].auc, wanted->auc[k], "AUC");
        }
        assert_int_equal(got.top_count, wanted->classes < 5 ? wanted->classes : 5);
        for (uint32_t k = 0; k < got.top_count; k++)
            same(got.top[k], wanted->top[k], "top");
        for (size_t k = 0; k < SHOAL_MLP_BINS; k++)
            same(got.bins[k].weight, wanted->bins[k], "bin");
        same(got.accuracy, wanted->accuracy, "accuracy");
        same(got.accuracy_low, wanted->low, "low end");
        same(got.accuracy_high, wanted->high, "high end");
        same(got.recall, wanted->balanced, "balanced accuracy");
        same(got.f1, wanted->mean_f1, "mean F1");
        same(got.auc, wanted->mean_auc, "mean AUC");
        same(got.log_loss, wanted->log_loss, "log loss");
        same(got.brier, wanted->brier, "Brier");
        same(got.calibration_error, wanted->calibration, "calibration");
        metrics_classes_destroy(&got);
    }
}

/* Rows that are all in order have an area of 1, whatever their number. */
static void test_area_of_all(void **state)
{
    (void)state;
    struct metrics_guesses guesses = {
        .classes = 2, .outputs = 1, .probabilities = probabilities, .truth = truth, .weights = NULL};
    for (guesses.rows = 2; guesses.rows <= MOST_ROWS; guesses.rows++) {
        struct shoal_mlp_classes got;
        for (uint32_t r = 0; r < guesses.rows; r++) {
            truth[r] = r % 3 == 0;
            probabilities[r] = truth[r] ? 0.75 + 0.001 * r : 0.25 + 0.001 * r;
        }
        assert_ok(metrics_of_classes(&guesses, &got, &test_error));
        assert_true(got.of[0].auc == 1 && got.of[1].auc == 1 && got.auc == 1);
        metrics_classes_destroy(&got);
    }
}

/* Two columns say the same as one. */
static void test_one_output(void **state)
{
    (void)state;
    struct metrics_guesses guesses = make(expected + 2);
    static double both[2 * MOST_ROWS];
    struct shoal_mlp_classes one, two;
    for (size_t r = 0; r < guesses.rows; r++) {
        both[2 * r] = 1 - probabilities[r];
        both[2 * r + 1] = probabilities[r];
    }
    assert_ok(metrics_of_classes(&guesses, &one, &test_error));
    guesses.outputs = 2;
    guesses.probabilities = both;
    assert_ok(metrics_of_classes(&guesses, &two, &test_error));
    assert_memory_equal(one.confusion, two.confusion, 4 * sizeof *one.confusion);
    assert_true(one.auc == two.auc && one.brier == two.brier && one.log_loss == two.log_loss);
    metrics_classes_destroy(&one);
    metrics_classes_destroy(&two);
}

/* A weight of 2 is the row twice, 0 no row; but for the interval, only ratios of weights matter. */
static void test_weights(void **state)
{
    (void)state;
    struct metrics_guesses guesses = make(expected);
    struct shoal_mlp_classes twice, scaled, without, fewer;
    for (size_t r = 0; r < guesses.rows; r++)
        weights[r] = 0x1p-700;
    guesses.weights = weights;
    assert_ok(metrics_of_classes(&guesses, &scaled, &test_error));
    guesses.weights = NULL;
    assert_ok(metrics_of_classes(&guesses, &twice, &test_error));
    same(scaled.auc, twice.auc, "AUC");
    same(scaled.accuracy_low, twice.accuracy_low, "low end");
    same(scaled.calibration_error, twice.calibration_error, "calibration");
    for (size_t r = 0; r < guesses.rows; r++)
        weights[r] = r < 30;
    guesses.weights = weights;
    assert_ok(metrics_of_classes(&guesses, &without, &test_error));
    guesses.weights = NULL;
    guesses.rows = 30;
    assert_ok(metrics_of_classes(&guesses, &fewer, &test_error));
    same(without.auc, fewer.auc, "AUC");
    same(without.accuracy_high, fewer.accuracy_high, "high end");
    metrics_classes_destroy(&twice);
    metrics_classes_destroy(&scaled);
    metrics_classes_destroy(&without);
    metrics_classes_destroy(&fewer);
}

/* One class only, all right, and certain of what is wrong. */
static void test_extremes(void **state)
{
    (void)state;
    static const double certain[] = {1, 0, 1, 0, 1, 0};
    static const uint32_t first[] = {0, 0, 0}, second[] = {1, 1, 1};
    struct metrics_guesses guesses = {
        .rows = 3, .classes = 2, .outputs = 2, .probabilities = certain, .truth = first};
    struct shoal_mlp_classes got;
    assert_ok(metrics_of_classes(&guesses, &got, &test_error));
    assert_true(got.accuracy == 1 && got.accuracy_high == 1 && got.log_loss == 0 && got.brier == 0);
    assert_near(got.accuracy_low, 1 / (1 + 3.841458820694124 / 3), tolerance); /* 1 / (1 + z^2 / n) */
    assert_true(isnan(got.auc) && isnan(got.of[1].recall) && isnan(got.of[1].f1) && got.recall == 1);
    assert_true(isnan(got.bins[0].accuracy) && got.bins[SHOAL_MLP_BINS - 1].accuracy == 1);
    metrics_classes_destroy(&got);
    guesses.truth = second;
    assert_ok(metrics_of_classes(&guesses, &got, &test_error));
    assert_true(got.accuracy == 0 && got.accuracy_low == 0 && got.brier == 2 && got.calibration_error == 1);
    assert_near(got.log_loss, -log(DBL_EPSILON), tolerance);
    metrics_classes_destroy(&got);
}

static void refuse(const struct metrics_guesses *guesses, const char *part)
{
    struct shoal_mlp_classes got;
    assert_status(metrics_of_classes(guesses, &got, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, part);
    metrics_classes_destroy(&got); /* as the header allows */
}

static void test_refused(void **state)
{
    (void)state;
    struct metrics_guesses guesses = make(expected + 1);
    probabilities[3 * 6 + 1] = NAN;
    refuse(&guesses, "row 4: output 2 is");
    probabilities[3 * 6 + 1] = 1.5;
    refuse(&guesses, "no probability");
    guesses = make(expected + 1);
    truth[96] = 6;
    refuse(&guesses, "row 97: class 6 of 6");
    guesses = make(expected + 1);
    weights[7] = -1;
    refuse(&guesses, "row 8: the weight -1");
    memset(weights, 0, sizeof weights);
    refuse(&guesses, "97 rows add up to 0");
    guesses.rows = 0;
    refuse(&guesses, "no rows");
    guesses = make(expected + 1);
    guesses.outputs = 1;
    refuse(&guesses, "1 output cannot tell 6 classes apart");
}

struct expected_numbers {
    bool weighted;
    double rmse[2], mae[2], r2[2];
    struct shoal_mlp_number_figures mean;
};

static const struct expected_numbers expected_numbers[] = {
    {.weighted = false,
     .rmse = {0.3535533905932738, 1.698784731864927},
     .mae = {0.3043478260869565, 1.434782608695652},
     .r2 = {0.9528520499108735, 0.8453894065221795},
     .mean = {1.0261690612291, 0.8695652173913043, 0.8991207282165266}},
    {.weighted = true,
     .rmse = {0.3496029493900505, 1.70293863659264},
     .mae = {0.3, 1.433333333333333},
     .r2 = {0.9562798092209857, 0.8403083700440528},
     .mean = {1.026270792991345, 0.8666666666666667, 0.8982940896325192}},
};

static void test_numbers(void **state)
{
    (void)state;
    enum { ROWS = 23 };
    double targets[2 * ROWS], predictions[2 * ROWS];
    struct shoal_mlp_number_figures of[2], mean;
    for (int r = 0; r < ROWS; r++) {
        targets[2 * r] = r * 7 % 11 * 0.5 - 2;
        targets[2 * r + 1] = 1000 + r * r % 13;
        predictions[2 * r] = targets[2 * r] + (r * 3 % 5 - 2) * 0.25;
        predictions[2 * r + 1] = targets[2 * r + 1] + (r * 5 % 7 - 2) * 0.75;
        weights[r] = 1 + r % 3;
    }
    struct metrics_numbers numbers = {
        .rows = ROWS, .outputs = 2, .predictions = predictions, .targets = targets};
    for (size_t i = 0; i < 2; i++) {
        const struct expected_numbers *wanted = expected_numbers + i;
        numbers.weights = wanted->weighted ? weights : NULL;
        assert_ok(metrics_of_numbers(&numbers, of, &mean, &test_error));
        for (int k = 0; k < 2; k++) {
            same(of[k].rmse, wanted->rmse[k], "RMSE");
            same(of[k].mae, wanted->mae[k], "MAE");
            same(of[k].r2, wanted->r2[k], "R2");
        }
        same(mean.rmse, wanted->mean.rmse, "mean RMSE");
        same(mean.mae, wanted->mean.mae, "mean MAE");
        same(mean.r2, wanted->mean.r2, "mean R2");
    }
    /* A constant target, whose mean is rounded. */
    numbers.weights = NULL;
    for (int r = 0; r < ROWS; r++)
        targets[2 * r] = 0.1;
    assert_ok(metrics_of_numbers(&numbers, of, &mean, &test_error));
    assert_true(isnan(of[0].r2) && mean.r2 == of[1].r2);
    predictions[5] = INFINITY;
    assert_status(metrics_of_numbers(&numbers, of, &mean, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 3: output 2 is inf");
}

/* The public report over these figures. */
static void test_reports(void **state)
{
    (void)state;
    static const char *const names[] = {"no", "yes", "other"};
    const double one[] = {0.9, 0.2, 0.6, 1.0000001}, wide[] = {-3, 5, 0, 2, 1, 0, 0, 0, 9, 7, 8, -1};
    const uint32_t of_one[] = {1, 0, 0, 1}, of_wide[] = {1, 0, 2, 0};
    struct shoal_mlp_outcome outcome = {
        .rows = 4, .outputs = 1, .classes = 2, .names = names, .predicted = one, .class_of = of_one};
    struct shoal_mlp_report *report;
    assert_ok(shoal_mlp_evaluate(&outcome, &report, &test_error));
    assert_true(report->are_probabilities);
    assert_near(report->of_classes.accuracy, 0.75, 0);
    assert_near(report->of_classes.confusion[1], 1, 0); /* no taken for yes */
    assert_string_equal(report->names[1], "yes");
    shoal_mlp_report_destroy(&report);

    outcome.outputs = outcome.classes = 3;
    outcome.predicted = wide;
    outcome.class_of = of_wide;
    assert_ok(shoal_mlp_evaluate(&outcome, &report, &test_error));
    assert_false(report->are_probabilities);
    assert_near(report->of_classes.accuracy, 0.75, 0); /* the last is taken for class 1 */
    assert_true(isnan(report->of_classes.log_loss) && isnan(report->of_classes.brier));
    shoal_mlp_report_destroy(&report);

    /* One output of a linear layer: 0.5 tells the classes apart. */
    const double beyond[] = {-4, 0.4, 0.6, 30};
    const uint32_t is[] = {0, 0, 1, 1};
    outcome.outputs = 1;
    outcome.classes = 2;
    outcome.predicted = beyond;
    outcome.class_of = is;
    assert_ok(shoal_mlp_evaluate(&outcome, &report, &test_error));
    assert_near(report->of_classes.accuracy, 1, 0);
    assert_near(report->of_classes.auc, 1, 0);
    shoal_mlp_report_destroy(&report);

    const double broken[] = {0.5, NAN, 0, 1};
    outcome.predicted = broken;
    assert_status(shoal_mlp_evaluate(&outcome, &report, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 2: output 1 is ");
    outcome.predicted = NULL;
    assert_status(shoal_mlp_evaluate(&outcome, &report, &test_error), SHOAL_INVALID);
    outcome.predicted = beyond;
    outcome.rows = 0;
    assert_status(shoal_mlp_evaluate(&outcome, &report, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_evaluate(&outcome, NULL, &test_error), SHOAL_INVALID);
    report = NULL;
    shoal_mlp_report_destroy(&report);
    shoal_mlp_report_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_classes, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_area_of_all, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_one_output, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_weights, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_extremes, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_refused, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_numbers, unit_setup, unit_teardown),
        cmocka_unit_test_setup_teardown(test_reports, unit_setup, unit_teardown),
    };
    return cmocka_run_group_tests_name("mlp-metrics", tests, NULL, NULL);
}
