/* Private to the commands that tune: the search for the best value of one constant. */
#ifndef SHOAL_TOOLS_TUNE_H
#define SHOAL_TOOLS_TUNE_H

#include "cli/cli.h"

enum { TUNE_TRIALS = 24 };
/* Smaller gains cannot be distinguished from noise in every run, and are not worth another build. */
extern const double tune_least_gain;

/* One value and its measurement. */
struct tune_trial {
    bool set; /* false in `before`: the device's present value, stored or by rule, which is not known */
    int64_t value;
    double figure, spread; /* NaN: not measured */
    struct shoal_error error;
};

struct tune_search {
    struct shoal_device *device;
    const char *program, *define; /* names as shoal_tuning_set takes them; owned by the caller */
    bool lower_is_better;
    /* Fills figure, spread and error of the trial, whose value is set where programs look for it. */
    void (*measure)(void *data, struct tune_search *search, struct tune_trial *trial);
    void *data;
    struct tune_trial before, trials[TUNE_TRIALS];
    size_t trial_count;
    size_t best;   /* index of the best trial, where has_best */
    bool has_best; /* a trial is better than the present value by more than the noise */
};

/* Measures the current value and each other value of `tries`, and chooses the best. Ends early, without a
 * best, if cli_stopped(), or if the current value fails for a reason independent of the value. */
void tune_search(struct tune_search *search, const int64_t *tries, size_t count);
/* Relative gain of a figure over another; NaN where one is missing. */
double tune_gain(const struct tune_search *search, const struct tune_trial *now,
                 const struct tune_trial *before);
/* Copies the values from `from` to `to`, of at most TUNE_TRIALS values, to `kept`; returns their number. */
size_t tune_within(const int64_t *tries, size_t count, uint64_t from, uint64_t to, int64_t kept[TUNE_TRIALS]);
/* Columns that tune_cells fills, behind the columns of the table's owner. */
#define TUNE_COLUMNS                                                                                         \
    {.title = "before", .stays = true, .right = true}, {.title = "", .right = true},                         \
        {.title = "best", .stays = true, .right = true}, {.title = "", .right = true},                       \
        {.title = "gain", .stays = true, .right = true, .rank = 1},                                          \
    {                                                                                                        \
        .title = ""                                                                                          \
    }
/* The previous value (NULL: the default) and the best, their figures, the gain, and whether it is stored. */
void tune_cells(struct cli_table *table, const struct tune_search *search, const int64_t *before,
                const char *unit, bool stored);
/* Was the host, which has nothing to tune, asked for rather than one of all devices? */
bool tune_names_host(const struct cli *cli);
/* "SKIN" of "SKIN dim=2 particles=4^8". */
struct cli_text tune_name(const char *define);

#endif
