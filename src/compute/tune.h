/* Tuned values: one text file in the cache folder, a line "device|driver|program|name=value" each.
 *
 * A value may hold for problems of one size: its name then ends with a class of sizes,
 * "SKIN dim=2 neighbours=2^3 particles=4^8". What is written as a power, base and exponent, stands for the
 * numbers from it up to the next power; all else of a class must be the same. Where there is no value of a
 * problem's own class that of the nearest one is taken, at most TUNING_REACH steps of 2 away in all, of two
 * as near the one of smaller problems; else the value without a class; else what a rule says.
 */
#ifndef SHOAL_COMPUTE_TUNE_H
#define SHOAL_COMPUTE_TUNE_H

#include "compute/backend.h"

enum { TUNING_REACH = 4, TUNING_CLASS_SIZE = 128 };

struct tuning_row {
    char *key;
    int64_t value;
    int64_t tried;
    bool is_stored; /* `value` is one of the file, or was stored without one */
    bool is_tried;  /* `tried` stands for it: shoal_tuning_try */
};

/* What was taken since shoal_tuning_watch. */
struct tuning_note {
    const struct shoal_device *device;
    char *name; /* class included */
    struct shoal_tunable tunable;
};

struct tuning {
    struct tuning_row *rows;
    size_t count, capacity;
    bool is_watched;
    struct tuning_note *notes;
    size_t note_count, note_capacity;
};

/* Reads the rows of a file's text; lines that are not rows are left out and counted. */
bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines);
void tuning_free(struct tuning *tuning);
/* Loads from the cache folder; a missing file is an empty store. */
void tuning_load(struct shoal *shoal);

/* Exponent of the largest power of `base`, 2 or 4, that is no more than the value; 0 for what is below. */
unsigned tuning_power(unsigned base, double value);

/* A value that is worth measuring for problems of one size. */
struct tuning_question {
    const char *program, *name;
    const char *sizes;    /* their class */
    int64_t value;        /* by rule */
    int64_t min, max;     /* what is stored and is not between them is no answer */
    const int64_t *tries; /* constants, rising: what `shoal tune` measures */
    size_t try_count;
    bool needs_class; /* a value without a class is no answer */
};
int64_t tuning_ask(struct shoal_device *device, const struct tuning_question *question);

/* A define whose value depends on the device, unless it was tuned. */
struct shoal_define choose_define(struct shoal_device *device, const char *program, const char *name,
                                  int64_t value);

/* The same for problems of one size. `tries`: what is worth measuring. */
struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count);
struct shoal_define choose_define_for(struct shoal_device *device, const struct shoal_program_desc *desc,
                                      const char *name, const char *sizes, int64_t value,
                                      const int64_t *tries, size_t try_count);

#endif
