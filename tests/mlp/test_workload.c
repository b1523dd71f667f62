/* The workload on the host: ends, checkpoints within an epoch, folds, sets of nets, generated data, parts and
 * their reports. */
#include "mlp/files/model.h"
#include "runs.h"

static struct shoal_mlp_outcome outcome_of(struct shoal_solver *solver, uint64_t net,
                                           enum shoal_mlp_part part)
{
    struct shoal_mlp_outcome outcome = {0};
    assert_ok(shoal_mlp_predict_part(solver, net, part, &outcome, &test_error));
    return outcome;
}

/* Checkpoints -------------------------------------------------------------------------------------------- */

/* Stopped at each update of two epochs and continued: the same bits, samples too. */
static void resumed_within_an_epoch(void **state)
{
    (void)state;
    static const int32_t optimisers[] = {SHOAL_MLP_SGD, SHOAL_MLP_MOMENTUM, SHOAL_MLP_RMSPROP,
                                         SHOAL_MLP_ADAMW, SHOAL_MLP_IRPROP_PLUS};
    for (size_t i = 0; i < sizeof optimisers / sizeof *optimisers; i++)
        for (uint64_t updates = 1; updates <= 13; updates += 3) {
            struct shoal_mlp_params params = small();
            params.optimiser = optimisers[i];
            params.decay = optimisers[i] == SHOAL_MLP_ADAMW ? 0.1 : NAN;
            params.dropout = 0.2;
            params.schedule = SHOAL_MLP_PLATEAU;
            params.rate_period = 1;
            params.nets = 2;
            params.patience = 40;
            test_label("optimiser %d, %u updates", optimisers[i], (unsigned)updates);
            struct shoal_solver *whole = run(&params);
            params.updates = updates;
            struct shoal_solver *first = run(&params);
            const char *path = test_path("a.ckpt");
            assert_near(value_of(first, "updates"), (double)updates, 0);
            assert_ok(shoal_solver_save(first, path, &test_error));
            params.updates = 0;
            struct shoal_solver *second = create(&params);
            assert_ok(shoal_solver_load(second, path, &test_error));
            (void)finish(second);
            assert_same_nets(whole, 0, second, 0);
            assert_same_nets(whole, 1, second, 1);
            assert_near(value_of(second, "validation_loss"), value_of(whole, "validation_loss"), 0);
            shoal_solver_destroy(&whole);
            shoal_solver_destroy(&first);
            shoal_solver_destroy(&second);
        }
}

static void options_come_back_from_a_checkpoint(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small(), back;
    params.validation_rows = "1-9,12";
    params.validation = NAN;
    params.no_stratify = true;
    params.activation = "leaky-relu";
    params.slope = 0.05;
    params.dropout = 0.25;
    params.loss = SHOAL_MLP_LOSS_E;
    params.start = SHOAL_MLP_START_ORTHOGONAL;
    params.output_bias = -0.5;
    params.class_weights = "balanced";
    params.scale = SHOAL_MLP_MIN_MAX;
    params.nets = 2;
    params.seed = 18446744073709551615u;
    params.target_loss = 1e-3;
    struct shoal_solver *solver = run(&params);
    assert_ok(shoal_solver_save(solver, test_path("a.ckpt"), &test_error));
    struct shoal_checkpoint *checkpoint;
    assert_ok(shoal_checkpoint_open(test_path("a.ckpt"), &checkpoint, &test_error));
    assert_ptr_equal(shoal_checkpoint_workload(checkpoint), mlp);
    assert_true(shoal_checkpoint_is_of_host(checkpoint));
    shoal_mlp_params_init(&back);
    assert_ok(shoal_checkpoint_params(checkpoint, NULL, &back, &test_error));
    assert_ok(shoal_checkpoint_match(checkpoint, true, &back, &test_error));
    assert_string_equal(back.validation_rows, "1-9,12");
    assert_true(isnan(back.validation) && back.slope == 0.05 && back.seed == params.seed && back.no_stratify);
    struct shoal_solver *again = create(&back); /* these texts are the checkpoint's */
    assert_ok(shoal_solver_load(again, test_path("a.ckpt"), &test_error));
    assert_same_nets(solver, 1, again, 1);
    shoal_solver_destroy(&again);
    back.hidden = "7";
    assert_status(shoal_checkpoint_match(checkpoint, true, &back, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--hidden \"6\", not \"7\"");
    shoal_checkpoint_close(&checkpoint);
    shoal_solver_destroy(&solver);
}

/* Ends --------------------------------------------------------------------------------------------------- */

static void ends_of_a_run(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_solver *solver = create(&params);
    assert_int_equal(finish(solver), 5);
    assert_near(value_of(solver, "updates"), 30, 0);
    const double loss = value_of(solver, "validation_loss");
    shoal_solver_destroy(&solver);

    params.updates = 8; /* within the second epoch */
    solver = create(&params);
    assert_int_equal(finish(solver), 1);
    assert_near(value_of(solver, "updates"), 8, 0);
    shoal_solver_destroy(&solver);

    params.epochs = 0; /* updates alone */
    params.updates = 61;
    solver = create(&params);
    assert_int_equal(finish(solver), 10);
    assert_near(value_of(solver, "updates"), 61, 0);
    shoal_solver_destroy(&solver);

    params = small();
    params.target_loss = loss * 1.0001;
    params.epochs = 50;
    solver = create(&params);
    assert_int_equal(finish(solver), 5);
    shoal_solver_destroy(&solver);

    params.target_loss = NAN;
    params.target_accuracy = 0; /* any */
    solver = create(&params);
    assert_int_equal(finish(solver), 1);
    shoal_solver_destroy(&solver);
}

/* Classes at random cannot be learned: the loss of the validation rises, and the best parameters are those
 * of the epoch before. */
static void patience_ends_and_the_best_is_kept(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    params.epochs = 400;
    params.patience = 4;
    params.rate = 0.05;
    struct shoal_solver *solver = create(&params);
    const uint64_t epochs = finish(solver);
    assert_true(epochs > 4 && epochs < 400);
    params.patience = 0;
    params.epochs = epochs - 4;
    struct shoal_solver *best = run(&params);
    assert_same_nets(solver, 0, best, 0);
    /* Losses are those of these parameters, not of the epoch that ended last. */
    assert_near(value_of(solver, "validation_loss"), value_of(best, "validation_loss"), 0);
    assert_near(value_of(solver, "loss"), value_of(best, "loss"), 0);
    shoal_solver_destroy(&best);
    shoal_solver_destroy(&solver);
}

static void time_ends_a_run(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_report report = {0};
    params.epochs = 1000000;
    params.time = 0.02;
    assert_ok(shoal_run(mlp, host, &params, NULL, &report, &test_error));
    assert_true(report.timed_out && report.result.steps > 0 && report.result.steps < 1000000);
    shoal_report_clear(&report);
}

static bool count_samples(void *data, const void *sample, const char **failure)
{
    const struct shoal_mlp_sample *at = sample;
    uint64_t *count = data;
    ++*count;
    *failure = "";
    assert_int_equal(at->step, 2 * *count);
    assert_int_equal(at->updates, 12 * *count);
    assert_true(at->loss > 0 && at->validation_loss > 0 && at->score >= 0 && at->validation_score <= 1);
    assert_true(at->samples_per_second > 0 && at->rate > 0);
    return false;
}

static void samples_of_a_run(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    uint64_t count = 0;
    params.trace = 2;
    params.epochs = 9;
    struct shoal_solver *solver = create(&params);
    shoal_solver_on_sample(solver, count_samples, &count);
    (void)finish(solver);
    assert_int_equal(count, 4);
    shoal_solver_destroy(&solver);
}

/* Sets of nets and folds --------------------------------------------------------------------------------- */

static void a_set_holds_the_nets_of_its_seeds(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    const double rates[] = {0.001, 0.01, 0.1};
    params.nets = 3;
    params.rates = rates;
    struct shoal_solver *set = run(&params);
    assert_int_equal(shoal_mlp_nets(set), 3);
    params.nets = 1;
    for (uint64_t net = 0; net < 3; net++) {
        test_label("net %u", (unsigned)net);
        params.rates = &rates[net];
        params.seed = 1 + net;
        struct shoal_solver *alone = run(&params);
        assert_same_nets(set, net, alone, 0);
        shoal_solver_destroy(&alone);
    }
    double few[4];
    size_t count;
    assert_status(shoal_mlp_parameters(set, 3, few, 4, &count, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_parameters(set, 0, few, 4, &count, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "room for 4 numbers, the net has ");
    assert_int_equal(shoal_mlp_nets(NULL), 0);
    shoal_solver_destroy(&set);
}

/* Rates of which the last is too low to learn by, and the first breaks a net. */
static void the_best_net_of_a_set(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    const double rates[] = {1e300, 0.01, 1e-9};
    struct shoal_mlp_net nets[3] = {0};
    struct shoal_result result = {0};
    uint64_t best = 9;
    params.nets = 3;
    params.rates = rates;
    struct shoal_solver *set = create(&params);
    assert_ok(shoal_mlp_net_at(set, 1, &nets[1], &test_error));
    assert_true(isnan(nets[1].loss) && isnan(nets[1].scores[SHOAL_MLP_TEST]) && nets[1].updates == 0);
    assert_ok(shoal_solver_run(set, params.epochs, &test_error));
    assert_ok(shoal_solver_result(set, &result, &test_error));
    for (uint64_t k = 0; k < 3; k++) {
        assert_ok(shoal_mlp_net_at(set, k, &nets[k], &test_error));
        assert_true(nets[k].size == sizeof nets[k] && nets[k].fold == 0 && nets[k].number == k);
        assert_true(nets[k].seed == params.seed + k && nets[k].rate == rates[k]);
        assert_int_equal(nets[k].has_failed, k == 0);
    }
    assert_true(isnan(nets[0].scores[SHOAL_MLP_TEST]));
    assert_true(nets[1].validation_loss < nets[2].validation_loss);
    assert_ok(shoal_mlp_best_net(set, &best, &test_error));
    assert_int_equal(best, 1);
    assert_status(shoal_mlp_net_at(set, 3, &nets[0], &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_net_at(set, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_best_net(set, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_best_net(NULL, &best, &test_error), SHOAL_INVALID);

    /* It is what training keeps. */
    struct shoal_mlp *kept;
    double score, *parameters = calloc(2000, sizeof *parameters);
    size_t count;
    assert_non_null(parameters);
    assert_ok(shoal_mlp_parameters(set, best, parameters, 2000, &count, &test_error));
    assert_ok(shoal_mlp_create(host, &params, &kept, &test_error));
    assert_status(shoal_mlp_train(kept, &score, &test_error), SHOAL_CHECK_FAILED); /* of the first net */
    assert_memory_equal(shoal_mlp_trained(kept)->parameters, parameters, count * sizeof *parameters);
    assert_true(score == nets[1].scores[SHOAL_MLP_TEST]);
    free(parameters);
    shoal_mlp_destroy(&kept);
    shoal_solver_destroy(&set);
}

/* True from the call on whose number `data` has. */
static bool stop_at(void *data)
{
    uint64_t *left = data;
    return *left == 0 || --*left == 0;
}

static void a_training_that_is_stopped(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_mlp *net;
    double score = NAN, whole, outputs[4];
    const double row[8] = {0};
    params.epochs = 1000000;
    assert_ok(shoal_mlp_create(host, &params, &net, &test_error));
    for (uint64_t calls = 1; calls <= 4; calls += 3) {
        uint64_t left = calls;
        shoal_mlp_set_stop(net, stop_at, &left);
        assert_status(shoal_mlp_train(net, &score, &test_error), SHOAL_STOPPED);
        assert_int_equal(left, 0);
        assert_non_null(shoal_mlp_trained(net));
        assert_ok(shoal_mlp_predict(net, row, 1, outputs, &test_error));
        assert_true(score >= 0 && score <= 1);
    }
    shoal_mlp_destroy(&net);
    params.epochs = 5;
    assert_ok(shoal_mlp_create(host, &params, &net, &test_error));
    uint64_t left = 1;
    shoal_mlp_set_stop(net, stop_at, &left);
    assert_status(shoal_mlp_train(net, &score, &test_error), SHOAL_STOPPED);
    /* None stops it: it begins anew, and ends as if it had not been stopped. */
    shoal_mlp_set_stop(net, NULL, NULL);
    assert_ok(shoal_mlp_train(net, &score, &test_error));
    struct shoal_solver *solver = run(&params);
    whole = value_of(solver, "test_accuracy");
    assert_true(score == whole);
    shoal_solver_destroy(&solver);
    shoal_mlp_destroy(&net);
    shoal_mlp_set_stop(NULL, stop_at, NULL);
}

static void a_trained_net_is_saved(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct shoal_mlp_model_file file = SHOAL_MLP_MODEL_FILE(.path = test_path("net.safetensors"));
    struct shoal_mlp_model *model;
    struct shoal_mlp *net;
    double own[4] = {0}, read[4] = {0};
    const double row[8] = {0};
    assert_ok(shoal_mlp_create(host, &params, &net, &test_error));
    assert_status(shoal_mlp_save(net, file.path, &test_error), SHOAL_INVALID);
    assert_ok(shoal_mlp_train(net, NULL, &test_error));
    assert_ok(shoal_mlp_save(net, file.path, &test_error));
    assert_ok(shoal_mlp_model_open(&file, &model, &test_error));
    assert_ok(shoal_mlp_predict(net, row, 1, own, &test_error));
    assert_ok(shoal_mlp_model_predict(model, row, 1, read, &test_error));
    /* the file holds parameters in single precision; outputs are of the order of 1 */
    for (size_t k = 0; k < 4; k++)
        assert_true(fabs(own[k] - read[k]) < 1e-6);
    assert_true(fabs(own[0]) > 1e-3);
    shoal_mlp_model_destroy(&model);
    shoal_mlp_destroy(&net);
}

static void each_row_is_validated_by_one_fold(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    uint32_t seen[ROWS] = {0};
    params.validation = params.test = NAN;
    params.folds = 4;
    params.nets = 2;
    struct shoal_solver *solver = run(&params);
    assert_int_equal(shoal_mlp_nets(solver), 8);
    for (uint64_t fold = 0; fold < 4; fold++) {
        uint32_t here[ROWS] = {0};
        struct shoal_mlp_outcome outcome = outcome_of(solver, 2 * fold, SHOAL_MLP_VALIDATION);
        assert_true(outcome.rows >= ROWS / 4 - 4 && outcome.rows <= ROWS / 4 + 4);
        for (size_t i = 0; i < outcome.rows; i++) {
            seen[outcome.number[i]]++;
            here[outcome.number[i]]++;
        }
        outcome = outcome_of(solver, 2 * fold, SHOAL_MLP_TRAINING);
        for (size_t i = 0; i < outcome.rows; i++)
            here[outcome.number[i]]++;
        for (size_t i = 0; i < ROWS; i++)
            assert_int_equal(here[i], 1);
        assert_int_equal(outcome_of(solver, 2 * fold, SHOAL_MLP_TEST).rows, 0);
    }
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(seen[i], 1);
    shoal_solver_destroy(&solver);
}

/* Data --------------------------------------------------------------------------------------------------- */

static void generated_sets(void **state)
{
    (void)state;
    static const struct {
        const char *generate, *hidden;
        uint64_t epochs;
        double accuracy; /* of all rows, which train */
    } cases[] = {{"xor", "16", 200, 1},
                 {"parity", "32", 100, 0.95},
                 {"spirals", "48,48", 150, 0.65}, /* chance: 0.5 */
                 {"random:60", "40", 40, 1},
                 {"teacher:300", "40", 20, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_mlp_params params;
        shoal_mlp_params_init(&params);
        params.generate = cases[i].generate;
        params.hidden = cases[i].hidden;
        params.epochs = cases[i].epochs;
        params.validation = params.test = 0;
        params.optimiser = SHOAL_MLP_ADAM;
        params.rate = 0.01;
        test_label("%s", cases[i].generate);
        struct shoal_solver *solver = run(&params);
        assert_true(value_of(solver, "training_accuracy") >= cases[i].accuracy);
        shoal_solver_destroy(&solver);
    }
    struct shoal_mlp_params params = small();
    params.data = params.target = NULL;
    static const struct {
        const char *generate, *message;
    } refused[] = {{"teacher:", "is not of the form KIND"},
                   {"teacher:5:6:7", "is not of the form KIND"},
                   {"teacher:-5", "is not of the form KIND"},
                   {"teacher:5x", "is not of the form KIND"},
                   {"nothing", "nothing"},
                   {"spirals:5", "even number"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        test_label("%s", refused[i].generate);
        params.generate = refused[i].generate;
        refuse(&params, SHOAL_INVALID, refused[i].message);
    }
}

/* A data set of the caller, a file, and rows of three files. */
static void where_rows_come_from(void **state)
{
    (void)state;
    char text[2000] = "x,y,z\n", part[2000] = "y,x,z\n";
    for (int i = 0; i < 60; i++) {
        char line[40];
        snprintf(line, sizeof line, "%d,%d,%.1f\n", i % 8, i % 5, (i % 8) * 0.5 - i % 5);
        strcat(text, line);
        snprintf(line, sizeof line, "%d,%d,%.1f\n", i % 5, i % 8, (i % 8) * 0.5 - i % 5);
        strcat(part, line);
    }
    test_write_text(test_path("a.csv"), text);
    test_write_text(test_path("b.csv"), part);
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.data = test_path("a.csv");
    params.target = "z";
    params.epochs = 30;
    struct shoal_solver *file = run(&params);
    struct shoal_dataset_params of;
    struct shoal_dataset *dataset;
    shoal_dataset_params_init(&of);
    of.path = params.data;
    of.target = "z";
    assert_ok(shoal_dataset_open(&of, &dataset, &test_error));
    params.data = NULL;
    params.dataset = dataset;
    struct shoal_solver *given = run(&params);
    assert_same_nets(file, 0, given, 0);
    /* The truth is what the file has, whatever scale the net is trained with. */
    struct shoal_mlp_outcome outcome = outcome_of(given, 0, SHOAL_MLP_TEST);
    assert_int_equal(outcome.classes, 0);
    assert_string_equal(outcome.names[0], "z");
    for (size_t i = 0; i < outcome.rows; i++) {
        const int row = (int)outcome.number[i];
        assert_near(outcome.truth[i], (row % 8) * 0.5 - row % 5, 0);
    }
    shoal_solver_destroy(&given);
    shoal_dataset_destroy(&dataset);
    shoal_solver_destroy(&file);

    params.dataset = NULL;
    params.data = test_path("a.csv");
    params.test_data = test_path("b.csv"); /* columns by name */
    struct shoal_solver *two = run(&params);
    assert_int_equal(outcome_of(two, 0, SHOAL_MLP_TEST).rows, 60);
    assert_true(value_of(two, "test_r2") > 0.9);
    shoal_solver_destroy(&two);
    params.test = 0.5;
    refuse(&params, SHOAL_INVALID, "test rows come from a file of their own");
    params.test = NAN;
    params.generate = "xor";
    refuse(&params, SHOAL_INVALID, "--generate does not go with --data");
}

static void rules_between_parameters(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    params.folds = 1;
    refuse(&params, SHOAL_INVALID, "leaves none to train");
    params.folds = 3;
    refuse(&params, SHOAL_INVALID, "each fold validates in turn");
    params = small();
    params.validation = params.test = 0.5;
    refuse(&params, SHOAL_INVALID, "leave no rows to train");
    params = small();
    params.hidden = "6,x";
    refuse(&params, SHOAL_INVALID, "hidden: 'x' is no number of units");
    params.hidden = "6,0";
    refuse(&params, SHOAL_INVALID, "hidden: '0' is no number of units");
    params = small();
    params.activation = "tanh,relu";
    refuse(&params, SHOAL_INVALID, "activation");
    params = small();
    params.class_weights = "1,2";
    refuse(&params, SHOAL_INVALID, "class weights: 2 are given");
    params = small();
    params.rows = "1-200";
    refuse(&params, SHOAL_INVALID, "rows: 1 to 200 are no rows of");
}

/* A loss that is no number ends the run, the update is named, and the result is finite. */
static void a_loss_without_bounds(void **state)
{
    (void)state;
    test_write_text(test_path("a.csv"), "x,y\n1,2\n2,4\n3,7\n4,1\n5,5\n6,0\n7,3\n8,1\n9,9\n10,2\n");
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.data = test_path("a.csv");
    params.target = "y";
    params.optimiser = SHOAL_MLP_SGD;
    params.rate = 1e12;
    params.epochs = 50;
    params.batch = 2;
    struct shoal_report report = {0};
    assert_status(shoal_run(mlp, host, &params, NULL, &report, &test_error), SHOAL_CHECK_FAILED);
    assert_contains(test_error.message, "the loss of update ");
    assert_contains(test_error.message, "is no finite number; lower the rate");
    assert_false(report.result.check_passed);
    double learned[MOST];
    const size_t count = parameters_of(report.solver, 0, learned);
    for (size_t i = 0; i < count; i++)
        assert_true(isfinite(learned[i]));
    shoal_report_clear(&report);
}

/* A step of plain gradient descent by hand equals that of the run. */
static void the_gradient_is_that_of_an_update(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    double start[MOST], after[MOST], gradient[MOST], loss, other;
    params.optimiser = SHOAL_MLP_SGD;
    params.decay = NAN;
    params.rate = 0.25;
    params.l2 = 0.01;
    params.full_batch = true;
    params.batch = 0;
    params.updates = 1;
    struct shoal_solver *solver = create(&params);
    const size_t count = parameters_of(solver, 0, start);
    assert_ok(shoal_mlp_gradient(solver, 0, start, &loss, gradient, &test_error));
    assert_ok(shoal_mlp_gradient(solver, 0, start, &other, NULL, &test_error));
    assert_near(loss, other, 0);
    (void)finish(solver);
    size_t numbers;
    assert_ok(shoal_solver_state(solver, after, MOST, &numbers, &test_error));
    assert_int_equal(numbers, count);
    for (size_t i = 0; i < count; i++)
        assert_near(after[i], start[i] - 0.25 * gradient[i], 1e-15);
    assert_status(shoal_mlp_gradient(solver, 1, start, &loss, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_gradient(solver, 0, NULL, &loss, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_gradient(NULL, 0, start, &loss, NULL, &test_error), SHOAL_INVALID);
    shoal_solver_destroy(&solver);
}

/* Reports ------------------------------------------------------------------------------------------------ */

static void weights_of_classes_are_for_training_alone(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    params.class_weights = "balanced";
    struct shoal_solver *solver = run(&params);
    struct shoal_mlp_outcome outcome = outcome_of(solver, 0, SHOAL_MLP_TRAINING);
    struct shoal_mlp_report *report;
    size_t right = 0;
    assert_null(outcome.weights);
    assert_ok(shoal_mlp_evaluate(&outcome, &report, &test_error));
    for (size_t i = 0; i < outcome.rows; i++) {
        const double *y = outcome.predicted + i * outcome.outputs;
        uint32_t guess = 0;
        for (uint32_t k = 1; k < outcome.outputs; k++)
            guess = y[k] > y[guess] ? k : guess;
        right += guess == outcome.class_of[i];
    }
    assert_near(report->of_classes.accuracy, (double)right / (double)outcome.rows, 1e-15);
    assert_near(report->of_classes.weight, (double)outcome.rows, 0);
    assert_near(value_of(solver, "training_accuracy"), report->of_classes.accuracy, 1e-15);
    shoal_mlp_report_destroy(&report);
    assert_null(report);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(resumed_within_an_epoch),
        HOST_TEST(options_come_back_from_a_checkpoint),
        HOST_TEST(ends_of_a_run),
        HOST_TEST(patience_ends_and_the_best_is_kept),
        HOST_TEST(time_ends_a_run),
        HOST_TEST(samples_of_a_run),
        HOST_TEST(a_set_holds_the_nets_of_its_seeds),
        HOST_TEST(the_best_net_of_a_set),
        HOST_TEST(a_training_that_is_stopped),
        HOST_TEST(a_trained_net_is_saved),
        HOST_TEST(each_row_is_validated_by_one_fold),
        HOST_TEST(generated_sets),
        HOST_TEST(where_rows_come_from),
        HOST_TEST(rules_between_parameters),
        HOST_TEST(a_loss_without_bounds),
        HOST_TEST(the_gradient_is_that_of_an_update),
        HOST_TEST(weights_of_classes_are_for_training_alone),
    };
    return cmocka_run_group_tests_name("mlp workload", tests, NULL, NULL);
}
