/* Private to the commands that tune: the search for the best value of one constant. */
#ifndef SHOAL_TOOLS_TUNE_H
#define SHOAL_TOOLS_TUNE_H

#include "cli/cli.h"

enum { TUNE_TRIALS = 24 };
/* Least relative gain that counts: smaller gains drown in noise and are not worth another build. */
extern const double tune_least_gain;

/* One value and its measurement. */
struct tune_trial {
    /* false for the trial `before`, which measures the value in use, stored or by rule: `value` is then not
     * known */
    bool set;
    int64_t value;
    double figure, spread; /* NaN: not measured */
    struct shoal_error error;
};

struct tune_search {
    struct shoal_device *device;
    const char *program, *define; /* as in shoal_tuning_set; owned by the caller */
    bool lower_is_better;
    /* Measures a trial whose value was set by shoal_tuning_try: fills figure, spread and error. */
    void (*measure)(void *data, struct tune_search *search, struct tune_trial *trial);
    void *data;
    struct tune_trial before, trials[TUNE_TRIALS];
    size_t trial_count;
    size_t best;   /* index of the best trial; valid if has_best */
    bool has_best; /* the best trial is better than `before` by more than tune_least_gain */
};

/* Measures the value in use and all values of `tries`, and chooses the best. Ends early, without a best
 * value, on cli_stopped(), or if the value in use fails for a reason that does not depend on the value. */
void tune_search(struct tune_search *search, const int64_t *tries, size_t count);
/* Relative gain of the figure of `now` over the figure of `before`; NaN: a figure is missing. */
double tune_gain(const struct tune_search *search, const struct tune_trial *now,
                 const struct tune_trial *before);
/* Copies the values of `tries` in from .. to, at most TUNE_TRIALS, to `kept`; returns the number of values
 * copied. */
size_t tune_within(const int64_t *tries, size_t count, uint64_t from, uint64_t to, int64_t kept[TUNE_TRIALS]);
/* The last columns of a table, which tune_cells fills. */
#define TUNE_COLUMNS                                                                                         \
    {.title = "before", .stays = true, .right = true}, {.title = "", .right = true},                         \
        {.title = "best", .stays = true, .right = true}, {.title = "", .right = true},                       \
        {.title = "gain", .stays = true, .right = true, .rank = 1},                                          \
    {                                                                                                        \
        .title = ""                                                                                          \
    }
/* Fills the cells of TUNE_COLUMNS. before: the previous value; NULL: the default. stored: whether the best
 * value is stored. */
void tune_cells(struct cli_table *table, const struct tune_search *search, const int64_t *before,
                const char *unit, bool stored);
/* Whether --device selects the host alone, which has nothing to tune. */
bool tune_names_host(const struct cli *cli);
/* The name of a constant without its class of sizes: "SKIN" for "SKIN dim=2 particles=4^8". */
struct cli_text tune_name(const char *define);

#endif
