/* Tuned values: a text file in the cache folder, with a line "device|driver|program|name=value" for each
 * value.
 *
 * A value may be for problems of some size. Its name then ends with a class of sizes: "SKIN dim=2
 * neighbours=2^3 particles=4^8". A size that is written as a power stands for the numbers from that power up
 * to the next power of the base; everything else in a class must be equal. A problem takes the value of its
 * own class; or else the value of the nearest class within TUNING_REACH factors of 2, summed over the sizes
 * (of two equally near classes the one with smaller sizes); or else the value without a class; or else a
 * value by rule. Parts of a device have values of their own, by their number of compute units; if there is
 * none, a part takes the value of the whole device.
 */
#ifndef SHOAL_COMPUTE_TUNE_H
#define SHOAL_COMPUTE_TUNE_H

#include "base/text.h"

#include <shoal/program.h>

enum { TUNING_REACH = 4, TUNING_CLASS_SIZE = 256 };

struct tuning_row {
    char *key;
    int64_t value;
    char *name; /* the value, if it is a name; NULL: the value is the number `value` */
    int64_t tried;
    bool is_stored;  /* `value` was read from the file, or was stored in an instance without a cache folder */
    bool is_tried;   /* `tried`, set by shoal_tuning_try, replaces the value */
    bool is_refused; /* a message that the value is out of range was logged */
};

/* A value that was chosen since the call of shoal_tuning_watch. */
struct tuning_note {
    const struct shoal_device *device;
    char *name; /* name of the define or value, with its class */
    struct shoal_tunable tunable;
};

struct tuning {
    struct tuning_row *rows;
    size_t count, capacity;
    bool is_watched;
    struct tuning_note *notes;
    size_t note_count, note_capacity;
};

/* Reads rows from the text of a file. Lines that are no rows are skipped and counted in *bad_lines. False:
 * there is no memory. */
bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines);
/* Appends the lines of all stored values to `text`. */
void tuning_print(const struct tuning *tuning, struct text *text);
void tuning_free(struct tuning *tuning);
/* Reads the file in the cache folder; without a file there are no values. */
void tuning_load(struct shoal *shoal);

/* tuning_get_name and tuning_set_name do what shoal_tuning_get and shoal_tuning_set do, for values that are
 * names (of small letters, digits and '-') instead of numbers. */
enum { TUNING_NAME_SIZE = 32 };
bool tuning_get_name(struct shoal_device *device, const char *program, const char *define,
                     char name[TUNING_NAME_SIZE]);
SHOAL_MUST_CHECK enum shoal_status tuning_set_name(struct shoal_device *device, const char *program,
                                                   const char *define, const char *name,
                                                   struct shoal_error *error);

/* Exponent of the largest power of `base` (2 or 4) that is not above `value`; 0 for values below 1. */
unsigned tuning_power(unsigned base, double value);

/* Describes a value to be chosen for problems of one class of sizes. */
struct tuning_question {
    const char *program, *name;
    const char *sizes;    /* class of sizes */
    int64_t value;        /* value by rule */
    int64_t min, max;     /* limits: a stored value outside of them is ignored */
    const int64_t *tries; /* [try_count]: the values that `shoal tune` measures, ascending; not owned */
    size_t try_count;
    bool needs_class; /* a stored value without a class is ignored */
    /* the value is a work-group size: a stored value that is no power of two is ignored */
    bool is_work_group;
};
int64_t tuning_ask(struct shoal_device *device, const struct tuning_question *question);

/* Finds the tuned value of a define of a contract. A value out of the define's range is ignored with a
 * message. False: there is no value. */
bool tuning_get_define(struct shoal_device *device, const struct shoal_program_desc *desc, const char *name,
                       int64_t *value);
/* Returns a define with the tuned value or, if there is none, with `value`. */
struct shoal_define choose_define(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *name, int64_t value);

/* Returns the question for a define of a contract, with the range of the define. tries: [try_count], values
 * to measure. */
struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count);

#endif
