/* Tuned defines: one text file in the cache folder, a line "device|driver|program|define=value" each. */
#ifndef SHOAL_COMPUTE_TUNE_H
#define SHOAL_COMPUTE_TUNE_H

#include "compute/backend.h"

struct tuning_row {
    char *key;
    int64_t value;
};

struct tuning {
    struct tuning_row *rows;
    size_t count, capacity;
};

/* Reads the rows of a file's text; lines that are not rows are left out and counted. */
bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines);
void tuning_free(struct tuning *tuning);
/* Loads from the cache folder; a missing file is an empty store. */
void tuning_load(struct shoal *shoal);

#endif
