/* shoal bench bbob: reads the options and runs the suite. */
#include "base/clock.h"
#include "base/input/ranges.h"
#include "cli/bbob/bbob.h"
#include "cli/charts/chart.h"
#include "cli/search/optimise.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *functions, *dims, *instances, *algorithm, *with, *plot, *coco, *name;
    double budget, success;
    uint64_t seed, parallel;
};

static const struct shoal_option options[] = {
    {"functions", SHOAL_OPTION_TEXT, offsetof(struct values, functions), "LIST", 0, 0, NULL,
     "numbers of the functions, 1 to 24, such as 1-5,15", .flags = SHOAL_OPTION_MAIN},
    {"dims", SHOAL_OPTION_TEXT, offsetof(struct values, dims), "LIST", 0, 0, NULL,
     "dimensions, 2 to 40; those of the benchmark are 2,3,5,10,20,40", .flags = SHOAL_OPTION_MAIN},
    {"instances", SHOAL_OPTION_TEXT, offsetof(struct values, instances), "LIST", 0, 0, NULL,
     "numbers of the instances, 1 to 200000; those of the benchmark are 1-15", .flags = SHOAL_OPTION_MAIN},
    {"budget", SHOAL_OPTION_REAL, offsetof(struct values, budget), "EVALUATIONS", 1, 1e12, NULL,
     "evaluations of a trial for each dimension; a search that ends earlier starts again with another seed",
     .flags = SHOAL_OPTION_MAIN},
    {"success", SHOAL_OPTION_REAL, offsetof(struct values, success), "DIFFERENCE", 1e-12, 100, NULL,
     "a trial ends where the value is so near to the minimum", .flags = SHOAL_OPTION_MAIN},
    {"algorithm", SHOAL_OPTION_TEXT, offsetof(struct values, algorithm), "NAME", 0, 0, NULL,
     "an algorithm of shoal optimise, or auto", .flags = SHOAL_OPTION_MAIN},
    {"with", SHOAL_OPTION_TEXT, offsetof(struct values, with), "OPTION=VALUE ...", 0, 0, NULL,
     "options of the algorithm, separated by blanks: 'restarts=ipop population=20'",
     .flags = SHOAL_OPTION_MAIN, .needs = "algorithm"},
    {"seed", SHOAL_OPTION_UINT, offsetof(struct values, seed), "", 0, 9e18, NULL,
     "seed, from which the seeds of all trials and restarts follow"},
    {"parallel", SHOAL_OPTION_UINT, offsetof(struct values, parallel), "TRIALS", 0, 1024, NULL,
     "trials at the same time, on a device those of so many dimensions where runs share launches; 0: as many "
     "as the host has threads"},
    {"plot", SHOAL_OPTION_TEXT, offsetof(struct values, plot), "FILE", 0, 0, NULL,
     "draw the share of functions, instances and levels that are reached (.svg)",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN},
    {"coco", SHOAL_OPTION_TEXT, offsetof(struct values, coco), "DIR", 0, 0, NULL,
     "write the data files of COCO to a new or empty folder, which cocopp reads", .flags = SHOAL_OPTION_MAIN},
    {"name", SHOAL_OPTION_TEXT, offsetof(struct values, name), "TEXT", 0, 0, NULL,
     "name of the algorithm in the files of COCO (default shoal and the algorithm)", .needs = "coco"},
};

static const struct shoal_example examples[] = {
    {"shoal bench bbob --dims 5", "all functions in five dimensions, on the host"},
    {"shoal bench bbob --dims 2,3,5,10,20,40 --budget 1e5 --algorithm cmaes --device gpu --coco bipop",
     "the whole benchmark on a device, as files of COCO"},
    {"shoal bench bbob --functions 8,15 --dims 5 --algorithm de --with 'population=50' --plot de.svg",
     "two functions, an option of the algorithm, a picture"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->functions = "1-24";
    values->dims = "2,3,5";
    values->instances = "1-15";
    values->algorithm = "auto";
    values->with = "";
    values->budget = 10000;
    values->success = 1e-8;
    values->seed = 1;
}

/* Lists ------------------------------------------------------------------------------------------------ */

struct list {
    uint64_t *numbers;
    size_t count;
};

static int wrong_list(const char *option, const char *text, uint64_t least, uint64_t most)
{
    return cli_error(CLI_USAGE, "--%s: '%s' is no list of numbers from %llu to %llu, such as %llu-%llu,%llu",
                     option, text, (unsigned long long)least, (unsigned long long)most,
                     (unsigned long long)least, (unsigned long long)least + 2, (unsigned long long)least + 5);
}

/* Reads a list of numbers such as "1-5,15". Each number must be in least .. most and occur once. Returns an
 * exit code. */
static int read_list(const char *option, const char *given, uint64_t least, uint64_t most, struct list *list)
{
    uint64_t twice = 0;
    switch (ranges_read(given, least, most, &list->numbers, &list->count, &twice)) {
    case RANGES_OK:
        return CLI_OK;
    case RANGES_TWICE:
        return cli_error(CLI_USAGE, "--%s: '%s' has the number %llu twice", option, given,
                         (unsigned long long)twice);
    case RANGES_NO_MEMORY:
        return cli_error(CLI_FAILURE, "--%s: out of memory", option);
    case RANGES_WRONG:
        break;
    }
    return wrong_list(option, given, least, most);
}

/* The algorithm ---------------------------------------------------------------------------------------- */

/* The options of the algorithm, read by the parser of its command. The texts live as long as the process. */
struct algorithm {
    struct cli cli;
    struct cli_groups groups;
    bool is_open;
};

/* Options of the algorithm that --with refuses, since the benchmark sets them. */
static const char *const set_here[] = {"function",   "dim",  "instance",  "evaluations",
                                       "iterations", "runs", "trace",     "target",
                                       "precision",  "seed", "objective", "expr"};

static bool is_set_here(const char *word)
{
    for (size_t i = 0; i < sizeof set_here / sizeof *set_here; i++)
        if (strncmp(word, set_here[i], strlen(set_here[i])) == 0 && word[strlen(set_here[i])] == '=')
            return true;
    return false;
}

static int read_options(struct algorithm *algorithm, const struct cli_command *command, const char *with)
{
    enum { MOST = 32 };
    char *words[MOST + 1] = {(char *)command->name}, *rest = (char *)cli_keep(with), *word;
    int count = 1;
    while ((word = strtok_r(rest, " ", &rest))) {
        if (count > MOST || !strchr(word, '='))
            return cli_error(CLI_USAGE, "--with: '%s' is not of the form OPTION=VALUE", word);
        if (is_set_here(word))
            return cli_error(CLI_USAGE, "--with: the benchmark sets '%.*s' itself", (int)strcspn(word, "="),
                             word);
        char *option = cli_sprintf("--%s", word);
        words[count++] = (char *)cli_keep(option);
        free(option);
    }
    algorithm->cli = (struct cli){.argc = count, .argv = words};
    cli_groups_init(&algorithm->groups, &algorithm->cli, command);
    algorithm->is_open = true;
    return cli_parse(&algorithm->cli, &algorithm->groups, count, words);
}

static int find_algorithm(const struct values *values, struct algorithm *algorithm, struct bbob_run *run)
{
    const struct shoal_workload *workload = shoal_workload_find(values->algorithm);
    run->algorithm = values->algorithm;
    run->with = values->with;
    if (strcmp(values->algorithm, "auto") == 0)
        return CLI_OK;
    if (!workload || !optimise_is_search(workload)) {
        const char *names[32] = {"auto"};
        size_t count = 1;
        for (; count < 32 && shoal_optimiser_algorithm_at(count - 1); count++)
            names[count] = shoal_optimiser_algorithm_at(count - 1)->name;
        return cli_not_one_of("--algorithm", values->algorithm, names, count);
    }
    const int code = read_options(algorithm, cli_command_find(workload->name), values->with);
    run->suite.workload = workload;
    run->suite.params = algorithm->cli.params;
    return code;
}

/* The run ---------------------------------------------------------------------------------------------- */

static void show(void *data, size_t done, size_t count)
{
    (void)data;
    cli_progress_show("trial %zu of %zu", done, count);
}

/* Reports the first trial that failed, which does not affect the other trials. */
static int report_failures(const struct suite *suite)
{
    for (size_t i = 0; i < suite->trial_count; i++) {
        const struct suite_trial *trial = &suite->trials[i];
        if (trial->error.status == SHOAL_OK || trial->error.status == SHOAL_STOPPED)
            continue;
        char *where = cli_sprintf("f%d, D %zu, instance %llu", trial->function, trial->dim,
                                  (unsigned long long)trial->instance);
        const int code = cli_fail(where, &trial->error);
        free(where);
        return code;
    }
    return CLI_OK;
}

static int run_suite(const struct values *values, struct bbob_run *run)
{
    struct shoal_error error;
    struct suite *suite = &run->suite;
    int code = values->plot ? chart_check("--plot", values->plot) : CLI_OK;
    if (code == CLI_OK && values->coco)
        code = bbob_coco_check("--coco", values->coco);
    if (code == CLI_OK)
        code = cli_select(run->cli, "host", 0);
    if (code == CLI_OK && run->cli->device_count > 1)
        code =
            cli_error(CLI_USAGE, "--device: the benchmark takes one device, not %zu", run->cli->device_count);
    if (code != CLI_OK)
        return code;
    suite->device = run->cli->devices[0];
    suite->parallel = values->parallel ? (unsigned)values->parallel : (unsigned)omp_get_max_threads();
    const double begin = clock_seconds();
    const enum shoal_status status = suite_run(suite, &error);
    run->seconds = clock_seconds() - begin;
    cli_progress_end();
    if (status != SHOAL_OK)
        return cli_fail(NULL, &error);
    code = cli_first_failure(cli_stop_code(), report_failures(suite));
    if (values->plot)
        code = cli_first_failure(code, bbob_plot(run, "--plot", values->plot));
    if (values->coco && !cli_stopped(NULL)) {
        char *name = values->name ? cli_strdup(values->name) : cli_sprintf("shoal-%s", run->algorithm);
        code = cli_first_failure(code, bbob_coco_write(run, "--coco", values->coco, name));
        free(name);
    }
    if (run->cli->common.json)
        return cli_first_failure(code, bbob_print_json(run));
    bbob_print(run);
    return cli_first_failure(code, cli_flush());
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct list functions = {0}, dims = {0}, instances = {0};
    struct algorithm algorithm = {.is_open = false};
    struct bbob_run run = {.cli = cli,
                           .suite = {.budget = values->budget,
                                     .success = values->success,
                                     .seed = values->seed,
                                     .variant = (enum shoal_variant)cli->common.variant,
                                     .stop = cli_stopped,
                                     .progress = show}};
    int code = read_list("functions", values->functions, 1, SUITE_FUNCTIONS, &functions);
    if (code == CLI_OK)
        code = read_list("dims", values->dims, SUITE_LEAST_DIM, SUITE_MOST_DIM, &dims);
    if (code == CLI_OK)
        code = read_list("instances", values->instances, 1, 200000, &instances);
    if (code == CLI_OK)
        code = find_algorithm(values, &algorithm, &run);
    run.suite.functions = functions.numbers;
    run.suite.function_count = functions.count;
    run.suite.dims = dims.numbers;
    run.suite.dim_count = dims.count;
    run.suite.instances = instances.numbers;
    run.suite.instance_count = instances.count;
    if (code == CLI_OK)
        code = run_suite(values, &run);
    suite_clear(&run.suite);
    if (algorithm.is_open)
        cli_groups_free(&algorithm.groups, &algorithm.cli);
    free(functions.numbers);
    free(dims.numbers);
    free(instances.numbers);
    return code;
}

const struct cli_command *bbob_command(void)
{
    static const struct cli_command command = {
        .name = "bench bbob",
        .summary = "the benchmark BBOB for an algorithm of searches",
        .description =
            "Searches the minimum of each function of the Black-Box Optimization Benchmark on each instance, "
            "and counts the evaluations up to a difference from the minimum. A table has the average run "
            "time "
            "for several differences: the evaluations of all trials up to the difference, or to their ends, "
            "divided by the number of trials that reached it.\nTrials run at the same time; each is the same "
            "with any number of them. On the host every evaluation is seen; on a device the counts are up to "
            "2 % too high.",
        .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .values_size = sizeof(struct values),
        .values_init = values_init,
        .examples = examples,
        .example_count = sizeof examples / sizeof *examples,
        .run = run};
    return &command;
}
