/* Preparations and prepared rows. Figures are worked out by hand beside each case. */
#include "fixture.h"

#include "dataset/prepare/prepared.h"

#include <math.h>
#include <unistd.h>

static const uint32_t first_rows[] = {0, 1, 2, 3, 4, 5, 6, 7};

static struct preparation *learn(const struct shoal_dataset *dataset, size_t count,
                                 const struct prepare_rules *rules)
{
    struct preparation *preparation = NULL;
    assert_ok(prepare_create(dataset, first_rows, count, rules, &preparation, &test_error));
    return preparation;
}

static void refuse(const char *text, const char *columns, size_t count, struct prepare_rules rules,
                   enum shoal_status wanted, const char *message)
{
    struct shoal_dataset *dataset = open_csv(text, "y", columns);
    struct preparation *preparation = NULL;
    test_label("%s", message);
    assert_status(prepare_create(dataset, first_rows, count, &rules, &preparation, &test_error), wanted);
    assert_contains(test_error.message, message);
    assert_null(preparation);
    shoal_dataset_destroy(&dataset);
}

/* Preparations ------------------------------------------------------------------------------------------- */

static const char table[] = "size,colour,flag,y\n"
                            "1,red,0,dog\n"
                            "3,blue,1,cat\n"
                            "5,red,1,dog\n"
                            "7,red,0,cat\n"
                            "100,green,1,cat\n"
                            "4,blue,0,bird\n";

static void check_rows(const struct prepared *prepared, const double *wanted, size_t rows)
{
    double row[16];
    for (size_t i = 0; i < rows; i++) {
        assert_ok(prepared_rows(prepared, i, 1, row, &test_error));
        for (size_t k = 0; k < prepared->inputs; k++)
            assert_near(row[k], wanted[i * prepared->inputs + k], 1e-15);
    }
}

static void training_rows_alone_decide(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv(table, "y", NULL);
    struct preparation *preparation = learn(dataset, 4, &(struct prepare_rules){.scale = PREPARE_STANDARD});
    assert_int_equal(preparation->task, PREPARE_CLASSES);
    assert_int_equal(preparation->class_count, 2);
    assert_string_equal(preparation->classes[0], "cat");
    assert_string_equal(preparation->classes[1], "dog");
    assert_int_equal(preparation->input_width, 4); /* size, blue, red, flag */
    assert_string_equal(preparation->inputs[1].categories[1], "red");
    assert_near(preparation->shift[0], 4, 0);
    assert_near(preparation->factor[0], 1 / sqrt(5), 1e-16); /* of 1 3 5 7: (9 + 1 + 1 + 9) / 4 */
    assert_near(preparation->shift[1], 0.25, 0);
    assert_near(preparation->factor[1], 1 / sqrt(0.1875), 1e-15);
    assert_null(preparation->notes);
    const struct prepared_source source = {.dataset = dataset, .rows = first_rows, .count = 4};
    struct prepared *prepared = NULL;
    assert_ok(prepared_create(preparation, &source, 1, true, &prepared, &test_error));
    assert_int_equal(prepared->storage, STORAGE_U8);
    assert_int_equal(prepared->row_bytes, 4);
    assert_memory_equal(prepared->data, ((unsigned char[]){1, 0, 1, 0, 3, 1, 0, 1, 5, 0, 1, 1, 7, 0, 1, 0}),
                        16);
    assert_words(prepared->classes, ((uint32_t[]){1, 0, 1, 0}), 4);
    assert_null(prepared->weights);
    const double a = 1 / sqrt(5), b = 1 / sqrt(0.1875);
    check_rows(prepared,
               (double[]){-3 * a, -0.25 * b, 0.25 * b, -1, -a, 0.75 * b, -0.75 * b, 1, a, -0.25 * b, 0.25 * b,
                          1, 3 * a, -0.25 * b, 0.25 * b, -1},
               4);
    double target[2];
    prepared_targets(prepared, 0, target);
    assert_true(target[0] == 0 && target[1] == 1);
    prepared_destroy(&prepared);
    /* Row 5 has a colour, row 6 a class that no training row has. */
    const uint32_t strangers[] = {4, 5};
    const struct prepared_source other = {.dataset = dataset, .rows = strangers, .count = 1};
    assert_status(prepared_create(preparation, &other, 1, true, &prepared, &test_error), SHOAL_IO);
    assert_contains(test_error.message,
                    "row 5, column 2 ('colour'): 'green' is no category of the training rows");
    const struct prepared_source last = {.dataset = dataset, .rows = strangers + 1, .count = 1};
    assert_status(prepared_create(preparation, &last, 1, true, &prepared, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 6, column 4 ('y'): 'bird' is no class of the training rows");
    assert_null(prepared);
    assert_ok(prepared_create(preparation, &last, 1, false, &prepared, &test_error));
    assert_null(prepared->classes);
    prepared_destroy(&prepared);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void scales(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv("a,b,y\n1,5,2\n3,5,4\n5,5,9\n", "y", NULL);
    struct prepare_rules rules = {.scale = PREPARE_MIN_MAX, .target_scale = PREPARE_STANDARD};
    struct preparation *preparation = learn(dataset, 3, &rules);
    assert_int_equal(preparation->task, PREPARE_NUMBERS);
    assert_near(preparation->shift[0], 1, 0);
    assert_near(preparation->factor[0], 0.25, 0);
    assert_near(preparation->factor[1], 0, 0);
    assert_string_equal(preparation->notes, "constant in the training rows, so of no use: 'b'");
    assert_near(preparation->target_shift[0], 5, 1e-15);
    assert_near(preparation->target_factor[0], 1 / sqrt(26.0 / 3), 1e-15); /* 9 + 1 + 16 */
    double outputs[1] = {-1};
    prepare_unscale_targets(preparation, outputs);
    assert_near(outputs[0], 5 - sqrt(26.0 / 3), 1e-14);
    prepare_destroy(&preparation);
    rules.scale = PREPARE_NONE;
    preparation = learn(dataset, 3, &rules);
    assert_near(preparation->factor[1], 1, 0);
    assert_near(preparation->shift[1], 0, 0);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static const char holes[] = "a,c,y\n"
                            "1,p,0\n"
                            "?,q,1\n"
                            "3,?,0\n"
                            "5,p,1\n"
                            "8,q,0\n"
                            "?,z,1\n";

static void check_missing(enum prepare_missing missing, size_t width, const double *wanted)
{
    struct shoal_dataset *dataset = open_csv(holes, "y", NULL);
    const struct prepare_rules rules = {.scale = PREPARE_NONE, .missing = missing};
    struct preparation *preparation = learn(dataset, 4, &rules);
    const struct prepared_source source = {.dataset = dataset, .count = 6};
    struct prepared *prepared;
    assert_int_equal(preparation->input_width, width);
    assert_ok(prepared_create(preparation, &source, 1, true, &prepared, &test_error));
    check_rows(prepared, wanted, 6);
    assert_contains(prepared->notes,
                    "column 'c': 1 row has a category that training did not see ('z'): it is "
                    "filled as missing values are");
    prepared_destroy(&prepared);
    const struct prepared_source known = {.dataset = dataset, .count = 5};
    assert_ok(prepared_create(preparation, &known, 1, true, &prepared, &test_error));
    assert_null(prepared->notes);
    prepared_destroy(&prepared);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Four rows train: a is 1, 3, 5, c is p, q, p. Rows 5 and 6 do not count, z is unknown. */
static void missing_values_are_filled(void **state)
{
    (void)state;
    const double third = (double)(float)(1.0 / 3), two_thirds = (double)(float)(2.0 / 3);
    check_missing(PREPARE_MEAN, 3,
                  (double[]){1, 1, 0, 3, 0, 1, 3, two_thirds, third, 5, 1, 0, 8, 0, 1, 3, two_thirds, third});
    check_missing(PREPARE_MEDIAN, 3, (double[]){1, 1, 0, 3, 0, 1, 3, 1, 0, 5, 1, 0, 8, 0, 1, 3, 1, 0});
    check_missing(PREPARE_INDICATOR, 5, (double[]){1, 0, 1, 0, 0, 3, 1, 0, 1, 0, 3, 0, 0, 0, 1,
                                                   5, 0, 1, 0, 0, 8, 0, 0, 1, 0, 3, 1, 0, 0, 1});
}

static void rows_with_missing_values_are_dropped(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv(holes, "y", NULL);
    const struct prepare_rules rules = {.missing = PREPARE_DROP};
    struct split split;
    size_t dropped;
    assert_ok(split_create(dataset, &(struct split_rules){.rows = {"1-4"}}, &split, &test_error));
    assert_ok(prepare_drop(dataset, &rules, &split, &dropped, &test_error));
    assert_int_equal(dropped, 3);
    assert_words(split.rows[SPLIT_TRAINING], ((uint32_t[]){0, 3}), 2);
    assert_int_equal(split.count[SPLIT_TEST], 1);
    struct preparation *preparation;
    assert_ok(prepare_create(dataset, split.rows[0], split.count[0], &rules, &preparation, &test_error));
    assert_int_equal(preparation->inputs[1].category_count, 1);
    prepare_destroy(&preparation);
    split_free(&split);
    assert_ok(split_create(dataset, &(struct split_rules){.rows = {"2-3"}}, &split, &test_error));
    assert_status(prepare_drop(dataset, &rules, &split, NULL, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "every training row misses a value");
    split_free(&split);
    shoal_dataset_destroy(&dataset);
}

static void preparations_that_cannot_be(void **state)
{
    (void)state;
    refuse(holes, NULL, 4, (struct prepare_rules){0}, SHOAL_IO,
           "row 2, column 1 ('a') has no value; --missing says");
    refuse("a,y\n1,p\n2,p\n3,q\n", NULL, 2, (struct prepare_rules){0}, SHOAL_IO,
           "all training rows are of the class 'p'");
    refuse("a,y\n1,1\n2,1\n3,0\n", NULL, 2, (struct prepare_rules){0}, SHOAL_IO,
           "all training rows are of the class '1'");
    refuse("a,y\n1,7\n2,7\n3,9\n", NULL, 2, (struct prepare_rules){0}, SHOAL_IO,
           "the target, column 2 ('y'), is 7 in all training rows");
    refuse("a,y\n1,7\n2,\n", NULL, 2, (struct prepare_rules){0}, SHOAL_IO,
           "row 2, column 2 ('y'): a target has no value");
    refuse("a,y\n?,7\n?,8\n2,3\n", NULL, 2, (struct prepare_rules){.missing = PREPARE_MEAN}, SHOAL_IO,
           "column 1 ('a') has no value in the training rows");
    refuse("a,y\n1,7\n2,8\n", "a ignored", 2, (struct prepare_rules){0}, SHOAL_INVALID,
           "has no column that is an input");
    refuse("a,y\n1,7\n2,8\n", NULL, 0, (struct prepare_rules){0}, SHOAL_INVALID, "no row of");
    refuse("a,y\n1,7\n2,8\n", NULL, 2, (struct prepare_rules){.weight = "w"}, SHOAL_INVALID, "weight: ");
    refuse("a,w,y\n1,p,7\n2,q,8\n", NULL, 2, (struct prepare_rules){.weight = "w"}, SHOAL_INVALID,
           "weight: column 'w'");
    refuse("a,y\n1,7\n2,8\n", NULL, 2, (struct prepare_rules){.class_weights = "balanced"}, SHOAL_INVALID,
           "are numbers, no classes");
    refuse("a,y\n1,p\n2,q\n", NULL, 2, (struct prepare_rules){.class_weights = "1,2,3"}, SHOAL_INVALID,
           "3 are given, there are 2 classes");
    refuse("a,y\n1,p\n2,q\n", NULL, 2, (struct prepare_rules){.class_weights = "1,-2"}, SHOAL_INVALID,
           "neither balanced nor a list");
    refuse("a,y\n1,p\n2,q\n", NULL, 2, (struct prepare_rules){.class_weights = "0,0"}, SHOAL_INVALID,
           "all of them are 0");
    refuse("a,y\n1,p\n2,q\n3,r\n", NULL, 3, (struct prepare_rules){.is_one_output = true}, SHOAL_INVALID,
           "has 3 classes, and one output tells two apart; give cross-entropy");
    refuse("a,y\n1,p\n2,q\n", NULL, 2, (struct prepare_rules){.task = SHOAL_TASK_REGRESS}, SHOAL_INVALID,
           "task: the target 'y' of ");
    struct preparation *preparation;
    struct shoal_dataset *dataset = open_csv("a,k,y\n1,p,7.5\n2,q,8\n", "2-3", NULL);
    assert_status(
        prepare_create(dataset, first_rows, 2, &(struct prepare_rules){0}, &preparation, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "target: 'k' of ");
    assert_contains(test_error.message, "has classes and 'y' numbers");
    shoal_dataset_destroy(&dataset);
    dataset = open_csv("a,k,y\n1,3,7.5\n2,4,8\n", "2-3", NULL);
    assert_status(prepare_create(dataset, first_rows, 2, &(struct prepare_rules){.task = SHOAL_TASK_CLASSIFY},
                                 &preparation, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "task: the targets of ");
    shoal_dataset_destroy(&dataset);
    dataset = open_csv("a,b\n1,2\n3,4\n", NULL, NULL);
    assert_status(
        prepare_create(dataset, first_rows, 2, &(struct prepare_rules){0}, &preparation, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "does not say what is to be predicted");
    shoal_dataset_destroy(&dataset);
}

static void columns_of_one_and_zero_are_classes(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv("a,p,q,r\n1,1,0,0\n2,0,1,0\n3,1,0,0\n4,0,1,1\n", "2-4", NULL);
    struct preparation *preparation = learn(dataset, 3, &(struct prepare_rules){0});
    const struct prepared_source source = {.dataset = dataset, .count = 3},
                                 all = {.dataset = dataset, .count = 4};
    struct prepared *prepared;
    assert_int_equal(preparation->task, PREPARE_CLASSES);
    assert_int_equal(preparation->class_count, 3);
    assert_string_equal(preparation->classes[1], "q");
    assert_string_equal(preparation->notes, "no training row is of the class 'r'");
    assert_ok(prepared_create(preparation, &source, 1, true, &prepared, &test_error));
    assert_words(prepared->classes, ((uint32_t[]){0, 1, 0}), 3);
    prepared_destroy(&prepared);
    assert_status(prepared_create(preparation, &all, 1, true, &prepared, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 4: its targets name no class");
    prepare_destroy(&preparation);
    preparation = learn(dataset, 4, &(struct prepare_rules){.target_scale = PREPARE_NONE});
    assert_int_equal(preparation->task, PREPARE_NUMBERS);
    assert_int_equal(preparation->target_width, 3);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void weights_of_rows(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv("a,w,y\n1,2,p\n2,1,q\n3,0.5,p\n4,1,p\n5,-1,p\n", "y", NULL);
    struct prepare_rules rules = {.weight = "w", .class_weights = "balanced", .is_one_output = true};
    struct preparation *preparation = learn(dataset, 4, &rules);
    const struct prepared_source source = {.dataset = dataset, .count = 4},
                                 all = {.dataset = dataset, .count = 5};
    struct prepared *prepared;
    assert_int_equal(preparation->task, PREPARE_BINARY);
    assert_int_equal(preparation->input_width, 1);
    assert_int_equal(preparation->target_width, 1);
    assert_ok(prepared_create(preparation, &source, 1, true, &prepared, &test_error));
    const double wanted[] = {2 * 4 / 6.0, 2, 0.5 * 4 / 6.0, 4 / 6.0}; /* 4 rows / (2 classes x 3 or 1) */
    double target;
    for (int i = 0; i < 4; i++)
        assert_near(prepared->weights[i], wanted[i], 1e-15);
    prepared_targets(prepared, 1, &target);
    assert_near(target, 1, 0);
    prepared_destroy(&prepared);
    assert_status(prepared_create(preparation, &all, 1, true, &prepared, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 5, column 2 ('w'): a weight is a number from 0 on");
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Prepared rows ------------------------------------------------------------------------------------------ */

static void forms_are_the_smallest(void **state)
{
    (void)state;
    static const struct {
        const char *text, *columns;
        enum storage storage;
        size_t row_bytes;
    } cases[] = {{"a,b,y\n1,0,p\n0,1,q\n", NULL, STORAGE_BITS, 4},
                 {"a,b,y\n10,3,p\n0,15,q\n", "1-2 bits:4", STORAGE_BITS, 4},
                 {"a,b,y\n10,3,p\n0,15,q\n", NULL, STORAGE_U8, 4},
                 {"a,b,y\n0.5,3,p\n0,15,q\n", NULL, STORAGE_FP32, 8},
                 {"a,b,y\n0.1,3,p\n0,15,q\n", NULL, STORAGE_FP64, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        struct shoal_dataset *dataset = open_csv(cases[i].text, "y", cases[i].columns);
        struct preparation *preparation = learn(dataset, 2, &(struct prepare_rules){0});
        const struct prepared_source sources[] = {{.dataset = dataset, .count = 2},
                                                  {.dataset = dataset, .rows = first_rows + 1, .count = 1}};
        struct prepared *prepared;
        assert_ok(prepared_create(preparation, sources, 2, true, &prepared, &test_error));
        assert_int_equal(prepared->rows, 3);
        assert_int_equal(prepared->storage, cases[i].storage);
        assert_int_equal(prepared->row_bytes, cases[i].row_bytes);
        assert_memory_equal(prepared->data + prepared->row_bytes, prepared->data + 2 * prepared->row_bytes,
                            prepared->row_bytes);
        double scaled[2];
        assert_status(prepared_rows(prepared, 3, 1, scaled, &test_error), SHOAL_INVALID);
        if (i == 1)
            assert_int_equal(*(uint32_t *)(void *)prepared->data,
                             0xc5); /* 1010, 0011, the first bit lowest */
        assert_ok(prepared_narrow(prepared, &test_error));
        assert_int_equal(prepared->is_scaled, i == 4);
        if (i == 4) {
            assert_ok(prepared_rows(prepared, 0, 1, scaled, &test_error));
            assert_true(((float *)(void *)prepared->data)[0] == (float)scaled[0]);
            assert_near(scaled[0], 1, 1e-15);
        }
        prepared_destroy(&prepared);
        prepare_destroy(&preparation);
        shoal_dataset_destroy(&dataset);
    }
}

/* JSON and other files ----------------------------------------------------------------------------------- */

static struct preparation *reread(struct preparation *preparation)
{
    struct preparation *again = NULL;
    char *json = prepare_to_json(preparation);
    assert_ok(prepare_from_json(json, "the model", &again, &test_error));
    char *second = prepare_to_json(again);
    assert_string_equal(json, second);
    free(json);
    free(second);
    prepare_destroy(&preparation);
    return again;
}

static void a_model_file_keeps_all(void **state)
{
    (void)state;
    struct shoal_dataset *dataset =
        open_csv("a,\"b \"\"x\"\"\",k,t,w,g,y\n0.1,p,3,5,1,1,cat\n,q,9,9,2,1,dog\n0.7,p,0,7,1,2,\"c,\"\n",
                 "y", "k bits:4, t thermometer");
    const struct prepare_rules rules = {
        .missing = PREPARE_INDICATOR, .weight = "w", .group = "g", .class_weights = "1,0.1,3"};
    struct preparation *preparation = learn(dataset, 3, &rules);
    const struct prepared_source source = {.dataset = dataset, .count = 3};
    struct prepared *old, *new;
    assert_int_equal(preparation->input_width, 2 + 1 + 4 + 4);
    struct preparation *again = reread(preparation);
    preparation = learn(dataset, 3, &rules);
    assert_ok(prepared_create(preparation, &source, 1, true, &old, &test_error));
    assert_ok(prepared_create(again, &source, 1, true, &new, &test_error));
    assert_int_equal(old->row_bytes, new->row_bytes);
    assert_memory_equal(old->data, new->data, 3 * old->row_bytes);
    assert_memory_equal(preparation->shift, again->shift, 11 * sizeof(double));
    assert_memory_equal(preparation->factor, again->factor, 11 * sizeof(double));
    assert_memory_equal(old->weights, new->weights, 3 * sizeof(double));
    /* A raw row has the numbers of the file's. */
    double raw[11], row[11];
    assert_ok(prepare_raw(again, (double[]){NAN, 1, 9, 9}, raw, &test_error));
    prepare_scale(again, raw);
    assert_ok(prepared_rows(new, 1, 1, row, &test_error));
    assert_memory_equal(raw, row, sizeof row);
    assert_status(prepare_raw(again, (double[]){1, 2, 9, 9}, raw, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "is no number of a category");
    assert_status(prepare_raw(again, (double[]){1, 1, 16, 9}, raw, &test_error), SHOAL_INVALID);
    assert_status(prepare_raw(again, (double[]){1, 1, NAN, 9}, raw, &test_error), SHOAL_OK);
    prepared_destroy(&old);
    prepared_destroy(&new);
    prepare_destroy(&preparation);
    prepare_destroy(&again);
    shoal_dataset_destroy(&dataset);
}

static void damaged_json(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv(table, "y", NULL);
    struct preparation *preparation = learn(dataset, 4, &(struct prepare_rules){0}), *again;
    char *json = prepare_to_json(preparation);
    static const char *const keys[] = {"task",  "scale",  "missing",    "file_columns", "inputs", "targets",
                                       "shift", "factor", "classes",    "name",         "kind",   "encoding",
                                       "place", "width",  "categories", "target_scale"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char quoted[32], *copy = strdup(json);
        test_label("%s", keys[i]);
        snprintf(quoted, sizeof quoted, "\"%s\"", keys[i]);
        char *place = strstr(copy, quoted);
        assert_non_null(place);
        place[1] = '_';
        assert_status(prepare_from_json(copy, "m.safetensors", &again, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "m.safetensors: its preparation of columns is damaged");
        assert_null(again);
        free(copy);
    }
    const size_t length = strlen(json);
    for (size_t cut = 0; cut < length; cut += 7) {
        char *copy = strndup(json, cut);
        assert_status(prepare_from_json(copy, "m", &again, &test_error), SHOAL_IO);
        free(copy);
    }
    free(json);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void check_predict(const struct preparation *preparation, const char *text, const char *columns,
                          const double *wanted, const char *message)
{
    struct shoal_dataset *dataset = open_csv(text, NULL, columns);
    const struct prepared_source source = {.dataset = dataset, .count = 1};
    struct prepared *prepared;
    test_label("%s", text);
    const enum shoal_status status = prepared_create(preparation, &source, 1, false, &prepared, &test_error);
    assert_int_equal(status, message ? SHOAL_IO : SHOAL_OK);
    if (message)
        assert_contains(test_error.message, message);
    else
        check_rows(prepared, wanted, 1);
    prepared_destroy(&prepared);
    shoal_dataset_destroy(&dataset);
}

static void new_files_are_matched(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_csv(table, "y", NULL);
    struct preparation *preparation =
        reread(learn(dataset, 4, &(struct prepare_rules){.scale = PREPARE_NONE}));
    const double row[] = {2, 0, 1, 1};
    check_predict(preparation, "flag,id,colour,size\n1,x1,red,2\n", NULL, row, NULL);
    check_predict(preparation, "size,colour,flag,y\n2,red,1,cow\n", NULL, row, NULL);
    check_predict(preparation, "2,red,1\n3,red,0\n", NULL, row, NULL);
    check_predict(preparation, "2,red,1,dog\n3,red,0,cow\n", NULL, row, NULL);
    check_predict(preparation, "flag,colour,length\n1,red,2\n", NULL, NULL,
                  "has no column 'size', an input of the model");
    check_predict(preparation, "size,colour,flag\n2,red,1\n", "size ignored", NULL, "has no column 'size'");
    check_predict(preparation, "size,colour,flag\nbig,red,1\n", NULL, NULL,
                  "column 1 ('size') holds words such as 'big'; the model takes numbers");
    check_predict(preparation, "size,colour,flag\n2,mauve,1\n", NULL, NULL,
                  "row 1, column 2 ('colour'): 'mauve' is no category");
    check_predict(preparation, "size,colour,flag\n2,17,1\n", NULL, NULL,
                  "row 1, column 2 ('colour'): '17' is no category");
    check_predict(preparation, "size,colour,flag\n2,,1\n", NULL, NULL,
                  "row 1, column 2 ('colour') has no value, and the model fills none in");
    check_predict(preparation, "1,2\n2,3\n", NULL, NULL,
                  "has 2 columns; the model knows 4, or its 3 inputs alone");
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
    /* Categories that are numbers, of which a small file holds one. */
    dataset = open_csv("k,y\n10,1\n20,2\n30,4\n", "y", "k category");
    preparation = learn(dataset, 3, &(struct prepare_rules){.scale = PREPARE_NONE});
    check_predict(preparation, "k\n20\n", NULL, (double[]){0, 1, 0}, NULL);
    check_predict(preparation, "k\n25\n", NULL, NULL, "'25' is no category of the training rows");
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Files of this machine ---------------------------------------------------------------------------------- */

/* FANN's and Fashion-MNIST's files, where Debian's packages are: what becomes of them without options. */
static void sets_of_debian(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum prepare_task task;
        size_t inputs, outputs;
        enum storage storage;
    } cases[] = {{"mushroom.train", PREPARE_CLASSES, 125, 2, STORAGE_BITS},
                 {"soybean.train", PREPARE_CLASSES, 82, 19, STORAGE_FP64},
                 {"gene.train", PREPARE_CLASSES, 120, 3, STORAGE_BITS},
                 {"thyroid.train", PREPARE_CLASSES, 21, 3, STORAGE_FP64},
                 {"diabetes.train", PREPARE_CLASSES, 8, 2, STORAGE_FP64},
                 {"building.train", PREPARE_NUMBERS, 14, 3, STORAGE_FP64}};
    static const char folder[] = "/usr/share/doc/libfann-dev/examples/datasets";
    size_t seen = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[256];
        for (int packed = 0; packed < 2; packed++) {
            struct shoal_dataset_params params;
            struct shoal_dataset *dataset;
            struct preparation *preparation;
            struct split split;
            snprintf(path, sizeof path, "%s/%s%s", folder, cases[i].path, packed ? ".gz" : "");
            if (access(path, R_OK))
                continue;
            seen++;
            test_label("%s", path);
            shoal_dataset_params_init(&params);
            params.path = path;
            assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
            assert_ok(split_create(dataset, &(struct split_rules){.test = 0}, &split, &test_error));
            assert_ok(prepare_create(dataset, split.rows[0], split.count[0], &(struct prepare_rules){0},
                                     &preparation, &test_error));
            assert_int_equal(preparation->task, cases[i].task);
            assert_int_equal(preparation->input_width, cases[i].inputs);
            assert_int_equal(preparation->target_width, cases[i].outputs);
            const struct prepared_source source = {
                .dataset = dataset, .rows = split.rows[0], .count = split.count[0]};
            struct prepared *prepared;
            assert_ok(prepared_create(preparation, &source, 1, true, &prepared, &test_error));
            assert_int_equal(prepared->storage, cases[i].storage);
            prepared_destroy(&prepared);
            split_free(&split);
            prepare_destroy(&preparation);
            shoal_dataset_destroy(&dataset);
        }
    }
    if (!seen) {
        print_message("libfann-doc is not installed\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(training_rows_alone_decide),
        UNIT_TEST(scales),
        UNIT_TEST(missing_values_are_filled),
        UNIT_TEST(rows_with_missing_values_are_dropped),
        UNIT_TEST(preparations_that_cannot_be),
        UNIT_TEST(columns_of_one_and_zero_are_classes),
        UNIT_TEST(weights_of_rows),
        UNIT_TEST(forms_are_the_smallest),
        UNIT_TEST(a_model_file_keeps_all),
        UNIT_TEST(damaged_json),
        UNIT_TEST(new_files_are_matched),
        UNIT_TEST(sets_of_debian),
    };
    return cmocka_run_group_tests_name("preparations", tests, NULL, NULL);
}
