/* Tuned values: one text file in the cache folder, a line "device|driver|program|name=value" each.
 *
 * A value may be for problems of one size: its name then ends with a class of sizes, "SKIN dim=2
 * neighbours=2^3 particles=4^8". A size written as a power, base and exponent, covers the numbers from that
 * power up to the next; everything else of a class must be equal. A problem uses the value of its own class,
 * or else the value of the nearest class within TUNING_REACH factors of 2, summed over the sizes (of two
 * equally near classes the class of smaller problems), or else the value without a class, or else a value by
 * rule. Parts of a device have their own values, by their number of compute units; without such a value a
 * part takes the value of the whole device.
 */
#ifndef SHOAL_COMPUTE_TUNE_H
#define SHOAL_COMPUTE_TUNE_H

#include "base/text.h"

#include <shoal/program.h>

enum { TUNING_REACH = 4, TUNING_CLASS_SIZE = 256 };

struct tuning_row {
    char *key;
    int64_t value;
    char *name; /* name to use instead of the number `value`; NULL: the number itself */
    int64_t tried;
    bool is_stored;  /* `value` comes from the file, or was stored in an instance without a cache folder */
    bool is_tried;   /* overridden by `tried`, which shoal_tuning_try sets */
    bool is_refused; /* a message about its wrong range was already logged */
};

/* A value that was chosen since shoal_tuning_watch. */
struct tuning_note {
    const struct shoal_device *device;
    char *name; /* name with its class */
    struct shoal_tunable tunable;
};

struct tuning {
    struct tuning_row *rows;
    size_t count, capacity;
    bool is_watched;
    struct tuning_note *notes;
    size_t note_count, note_capacity;
};

/* Reads the rows of a file's text. Lines that are no rows are skipped and counted. */
bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines);
/* Prints the lines of all stored values. */
void tuning_print(const struct tuning *tuning, struct text *text);
void tuning_free(struct tuning *tuning);
/* Loads from the cache folder; a missing file is an empty store. */
void tuning_load(struct shoal *shoal);

/* Get and set values that are names (of small letters, digits and '-') instead of numbers; otherwise like
 * shoal_tuning_get and shoal_tuning_set. */
enum { TUNING_NAME_SIZE = 32 };
bool tuning_get_name(struct shoal_device *device, const char *program, const char *define,
                     char name[TUNING_NAME_SIZE]);
SHOAL_MUST_CHECK enum shoal_status tuning_set_name(struct shoal_device *device, const char *program,
                                                   const char *define, const char *name,
                                                   struct shoal_error *error);

/* Exponent of the largest power of `base`, 2 or 4, that is not above the value; 0 for values below 1. */
unsigned tuning_power(unsigned base, double value);

/* A tunable value for problems of one class of sizes. */
struct tuning_question {
    const char *program, *name;
    const char *sizes;    /* class of sizes */
    int64_t value;        /* value by rule */
    int64_t min, max;     /* limits: a stored value outside of these is ignored */
    const int64_t *tries; /* candidates that `shoal tune` measures: constants, ascending */
    size_t try_count;
    bool needs_class;   /* ignore a stored value without a class */
    bool is_work_group; /* the value is a work-group size: values that are no powers of two are ignored */
};
int64_t tuning_ask(struct shoal_device *device, const struct tuning_question *question);

/* The tuned value of a define of a contract. A value outside the define's range is ignored with a message. */
bool tuning_get_define(struct shoal_device *device, const struct shoal_program_desc *desc, const char *name,
                       int64_t *value);
/* The value of a macro: the tuned value, else a default that depends on the device. */
struct shoal_define choose_define(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *name, int64_t value);

/* Makes the question for a define of a contract, within its range. tries: values worth measuring. */
struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count);

#endif
