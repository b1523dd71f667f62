/* What the tests of this folder share. */
#ifndef SHOAL_TESTS_DATASET_FIXTURE_H
#define SHOAL_TESTS_DATASET_FIXTURE_H

#include "unit.h"

#include <shoal/dataset.h>

/* A text as a file of CSV. */
static inline struct shoal_dataset *open_csv(const char *text, const char *target, const char *columns)
{
    struct shoal_dataset_params params;
    struct shoal_dataset *dataset = NULL;
    const char *path = test_path("a.csv");
    test_write_text(path, text);
    shoal_dataset_params_init(&params);
    params.path = path;
    params.target = target;
    params.columns = columns;
    assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
    return dataset;
}

#endif
