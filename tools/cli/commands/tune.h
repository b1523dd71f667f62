/* Private to the commands that tune: the search for the best value of one constant. */
#ifndef SHOAL_TOOLS_TUNE_H
#define SHOAL_TOOLS_TUNE_H

#include "cli/cli.h"

enum { TUNE_TRIALS = 24 };
/* Least relative gain that counts: smaller gains drown in noise and are not worth another build. */
extern const double tune_least_gain;

/* One value and its measurement. */
struct tune_trial {
    bool set; /* false for the trial `before`: the value that the device uses now, stored or by rule, which is
               * not known */
    int64_t value;
    double figure, spread; /* NaN: not measured */
    struct shoal_error error;
};

struct tune_search {
    struct shoal_device *device;
    const char *program, *define; /* names in the form of shoal_tuning_set; owned by the caller */
    bool lower_is_better;
    /* Measures a trial, after its value was set where programs look for it: fills figure, spread and
     * error. */
    void (*measure)(void *data, struct tune_search *search, struct tune_trial *trial);
    void *data;
    struct tune_trial before, trials[TUNE_TRIALS];
    size_t trial_count;
    size_t best;   /* index of the best trial; valid if has_best */
    bool has_best; /* a trial is better than the present value by more than the noise */
};

/* Measures the present value and all other values of `tries`, and chooses the best. Ends early, without a
 * best, on cli_stopped(), or if the present value fails for a reason that does not depend on the value. */
void tune_search(struct tune_search *search, const int64_t *tries, size_t count);
/* Relative gain of one figure over another; NaN where one is missing. */
double tune_gain(const struct tune_search *search, const struct tune_trial *now,
                 const struct tune_trial *before);
/* Copies the values from `from` to `to`, of at most TUNE_TRIALS values, to `kept`; returns their number. */
size_t tune_within(const int64_t *tries, size_t count, uint64_t from, uint64_t to, int64_t kept[TUNE_TRIALS]);
/* The columns that tune_cells fills, after those of the table's owner. */
#define TUNE_COLUMNS                                                                                         \
    {.title = "before", .stays = true, .right = true}, {.title = "", .right = true},                         \
        {.title = "best", .stays = true, .right = true}, {.title = "", .right = true},                       \
        {.title = "gain", .stays = true, .right = true, .rank = 1},                                          \
    {                                                                                                        \
        .title = ""                                                                                          \
    }
/* Fills the cells: the previous value (NULL: the default) and the best value, their figures, the gain, and
 * whether the best is stored. */
void tune_cells(struct cli_table *table, const struct tune_search *search, const int64_t *before,
                const char *unit, bool stored);
/* Whether the user named the host, which has nothing to tune, instead of all devices. */
bool tune_names_host(const struct cli *cli);
/* The name of the constant: "SKIN" for "SKIN dim=2 particles=4^8". */
struct cli_text tune_name(const char *define);

#endif
