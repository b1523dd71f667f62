/* The search for the best value of one constant. */
#include "cli/commands/tune.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 2 };
const double tune_least_gain = 0.02;

double tune_gain(const struct tune_search *search, const struct tune_trial *now,
                 const struct tune_trial *before)
{
    return search->lower_is_better ? before->figure / now->figure - 1 : now->figure / before->figure - 1;
}

struct cli_text tune_name(const char *define)
{
    struct cli_text name;
    snprintf(name.s, sizeof name.s, "%.*s", (int)strcspn(define, " "), define);
    return name;
}

bool tune_names_host(const struct cli *cli)
{
    return cli->device_count == 1 || (cli->common.device && strcasestr(cli->common.device, "host"));
}

size_t tune_within(const int64_t *tries, size_t count, uint64_t from, uint64_t to, int64_t kept[TUNE_TRIALS])
{
    size_t kept_count = 0;
    for (size_t i = 0; i < count && kept_count < TUNE_TRIALS; i++)
        if (tries[i] >= (int64_t)from && tries[i] <= (int64_t)to)
            kept[kept_count++] = tries[i];
    return kept_count;
}

/* Sets the value of a trial, measures, and removes the value. */
static void run_trial(struct tune_search *search, struct tune_trial *trial)
{
    struct shoal_error ignored;
    trial->figure = NAN;
    trial->error = (struct shoal_error){.status = SHOAL_OK};
    if (trial->set && shoal_tuning_try(search->device, search->program, search->define, &trial->value,
                                       &trial->error) != SHOAL_OK)
        return;
    search->measure(search->data, search, trial);
    /* Removing the value needs no memory, so that it does not fail. */
    if (trial->set &&
        shoal_tuning_try(search->device, search->program, search->define, NULL, &ignored) != SHOAL_OK)
        trial->error = ignored;
}

static bool find_fastest(const struct tune_search *search, size_t *fastest)
{
    bool found = false;
    for (size_t i = 0; i < search->trial_count; i++)
        if (isfinite(search->trials[i].figure) &&
            (!found || tune_gain(search, &search->trials[i], &search->trials[*fastest]) > 0)) {
            *fastest = i;
            found = true;
        }
    return found;
}

/* Measures a trial again, and keeps the better one of the two measurements. is_first: there is no earlier
 * measurement to keep. */
static void measure_again(struct tune_search *search, struct tune_trial *trial, bool is_first)
{
    const struct tune_trial last = *trial;
    run_trial(search, trial);
    if (!is_first && !(tune_gain(search, trial, &last) > 0))
        *trial = last;
}

/* Chooses the fastest value if its gain over the previous value is large enough. The fastest measurement may
 * be an outlier, and machines drift, so the gain follows from further measurements of these two values in
 * turn. */
static void choose(struct tune_search *search)
{
    if (!find_fastest(search, &search->best))
        return;
    struct tune_trial *best = &search->trials[search->best];
    if (isfinite(search->before.figure)) {
        if (!(tune_gain(search, best, &search->before) > tune_least_gain))
            return;
        for (int repeat = 0; repeat < REPEATS && !cli_stopped(NULL); repeat++) {
            measure_again(search, best, repeat == 0);
            measure_again(search, &search->before, repeat == 0);
        }
        if (!(tune_gain(search, best, &search->before) >
              fmax(tune_least_gain, best->spread + search->before.spread)))
            return;
    }
    search->has_best = !cli_stopped(NULL);
}

void tune_search(struct tune_search *search, const int64_t *tries, size_t count)
{
    search->trial_count = 0;
    search->has_best = false;
    run_trial(search, &search->before);
    const enum shoal_status status = search->before.error.status;
    if (status == SHOAL_UNSUPPORTED || status == SHOAL_OUT_OF_DEVICE_MEMORY)
        return;
    for (size_t i = 0; i < count && search->trial_count < TUNE_TRIALS && !cli_stopped(NULL); i++) {
        if (search->before.set && tries[i] == search->before.value)
            continue;
        struct tune_trial *trial = &search->trials[search->trial_count++];
        *trial = (struct tune_trial){.set = true, .value = tries[i]};
        run_trial(search, trial);
    }
    if (!cli_stopped(NULL))
        choose(search);
}

void tune_cells(struct cli_table *table, const struct tune_search *search, const int64_t *before,
                const char *unit, bool stored)
{
    const struct tune_trial *best = search->has_best ? &search->trials[search->best] : NULL;
    const struct cli_text name = tune_name(search->define);
    if (before)
        cli_table_cell(table, "%s %lld", name.s, (long long)*before);
    else
        cli_table_cell(table, "%s default", name.s);
    cli_table_cell(table, "%s", cli_figure(search->before.figure, unit).s);
    if (!best) {
        cli_table_cell(table, "the same");
        if (!stored)
            return;
        cli_table_cell(table, "%s", "");
        cli_table_cell(table, "%s", "");
    } else {
        cli_table_cell(table, "%s %lld", name.s, (long long)best->value);
        cli_table_cell(table, "%s", cli_figure(best->figure, unit).s);
        cli_table_cell(table, "%.1f %%", 100 * tune_gain(search, best, &search->before));
    }
    cli_table_cell(table, stored ? "stored" : "not stored");
}
