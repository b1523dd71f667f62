#include "cli/search/optimise.h"

#include "cli/cli.h"
#include "cli/ranks.h"
#include "cli/workload.h"

#include <math.h>
#include <shoal/optimise.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char command_name[] = "optimise", algorithm_option[] = "algorithm";

/* The commands ----------------------------------------------------------------------------------------- */

static const struct shoal_example examples[] = {
    {"shoal optimise --function rastrigin --dim 10",
     "the algorithm that suits the function, and the minimum"},
    {"shoal optimise --expr 'sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)' --lower -5.12 --upper 5.12 --dim 5",
     "a formula"},
    {"shoal optimise --function shubert --dim 2 --runs 200 --best 10",
     "ten distinct points, and how many runs found each"},
    {"shoal optimise --algorithm ga --function griewank --dim 10 --evaluations 100000 --population 200",
     "an algorithm with an option of its own"},
    {"shoal tune optimise --function rastrigin --dim 30 --evaluations 1000000",
     "the fastest method of each algorithm for such a problem"},
    {"shoal tune optimise --algorithm de --device all", "for a range of sizes, on every device"},
};

static void init_params(void *params)
{
    shoal_optimise_params_init(params);
}

/* A workload that is never run: its options are the options that all algorithms share. */
static const struct shoal_workload *front(void)
{
    static struct shoal_workload workload;
    if (workload.size)
        return &workload;
    size_t count;
    const struct shoal_option *options = shoal_optimise_options(&count);
    workload = (struct shoal_workload){.size = sizeof workload,
                                       .name = command_name,
                                       .summary = "minimise a function with the algorithm that suits it",
                                       .params_size = sizeof(struct shoal_optimise_params),
                                       .params_init = init_params,
                                       .options = options,
                                       .option_count = count,
                                       .examples = examples,
                                       .example_count = sizeof examples / sizeof *examples,
                                       .sampling = shoal_optimiser_algorithm_at(0)->sampling};
    return &workload;
}

static char *list_algorithms(void)
{
    const struct shoal_workload *algorithm;
    char *list = cli_strdup("");
    for (size_t i = 0; (algorithm = shoal_optimiser_algorithm_at(i)); i++) {
        char *longer = cli_sprintf("%s\n  %-12s %s", list, algorithm->name, algorithm->summary);
        free(list);
        list = longer;
    }
    return list;
}

const struct cli_command *optimise_command(void)
{
    static struct cli_command command;
    if (command.name)
        return &command;
    cli_workload_command(front(), &command);
    command.description =
        "Minimises a function with the algorithm of --algorithm, or with the one that suits the problem, and "
        "checks the result on the host in double precision. Where nothing else ends the search, it makes "
        "several runs and ends after 10 s at the latest; 'agree' counts the runs that found the best value.\n"
        "Options of a single algorithm go with its name: --algorithm NAME. 'shoal NAME' is the same command. "
        "'shoal optimise --help NAME' shows the options of an algorithm:";
    command.details = list_algorithms;
    return &command;
}

/* The choice of "auto", which a command makes at most once. */
static struct shoal_optimise_choice choice;

static int complete(struct cli *cli, struct cli_groups *groups)
{
    int code = workload_complete(cli, groups);
    if (code != CLI_OK || !choice.workload)
        return code;
    char *text = cli_sprintf("%s, since %s", choice.workload->name, choice.reason);
    cli->choice = cli_keep(text);
    free(text);
    return cli_take_values(cli, groups, choice.values);
}

/* The command of an algorithm, under the name `optimise` and with the option --algorithm added. */
static const struct cli_command *algorithm_command(const struct shoal_workload *workload)
{
    struct cli_command *command = cli_keep_bytes(sizeof *command);
    cli_workload_command(workload, command);
    const size_t count = command->option_count;
    struct shoal_option *options = cli_keep_bytes((count + 1) * sizeof *options);
    memcpy(options, command->options, count * sizeof *options);
    options[count] = *cli_option_find(front(), algorithm_option);
    options[count].offset = offsetof(struct workload_values, algorithm);
    options[count].group = NULL;
    command->name = command_name;
    command->options = options;
    command->option_count = count + 1;
    command->complete = complete;
    return command;
}

bool optimise_is_search(const struct shoal_workload *workload)
{
    const struct shoal_workload *algorithm;
    for (size_t i = 0; (algorithm = shoal_optimiser_algorithm_at(i)); i++)
        if (algorithm == workload)
            return true;
    return workload == front();
}

static const struct shoal_workload *find(const char *name)
{
    const struct shoal_workload *algorithm;
    for (size_t i = 0; (algorithm = shoal_optimiser_algorithm_at(i)); i++)
        if (strcasecmp(algorithm->name, name) == 0)
            return algorithm;
    return NULL;
}

bool optimise_is_meant(const char *operand, const char *workload)
{
    return strcmp(operand, workload) == 0 || (strcmp(operand, command_name) == 0 && find(workload));
}

const struct cli_command *optimise_topic(const struct cli_command *command, const char *topic)
{
    const struct shoal_workload *algorithm = command == optimise_command() ? find(topic) : NULL;
    return algorithm ? cli_command_find(algorithm->name) : NULL;
}

const char *optimise_topic_at(const struct cli_command *command, size_t index)
{
    const struct shoal_workload *algorithm =
        command == optimise_command() ? shoal_optimiser_algorithm_at(index) : NULL;
    return algorithm ? algorithm->name : NULL;
}

/* One problem for several algorithms -------------------------------------------------------------------- */

bool optimise_is_given(const struct cli *cli, const struct cli_groups *groups)
{
    const struct shoal_option *algorithm = cli_option_find(front(), algorithm_option);
    bool any = false;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; groups->group[g].values == cli->params && i < groups->group[g].count; i++)
            any = any || (groups->group[g].given[i] && &groups->group[g].options[i] != algorithm);
    return any;
}

/* Turns the parameters of `shoal optimise` into parameters of an algorithm. Options that only the algorithm
 * has get their defaults. Shared options that are not given get the default of the algorithm, if the default
 * depends on the algorithm. */
static void *params_for(const struct cli *cli, const struct shoal_workload *algorithm)
{
    const struct shoal_optimise_params *given = cli->params;
    struct shoal_search_params *params = cli_keep_bytes(algorithm->params_size);
    algorithm->params_init(params);
    const struct shoal_search_params own = *params;
    *params = given->search;
    params->size = own.size;
    if (!cli_is_given(cli, "precision"))
        params->precision = own.precision;
    if (!cli_is_given(cli, "refine"))
        params->refine = own.refine;
    return params;
}

int optimise_problems(const struct cli *cli, const struct optimise_problem **out, size_t *count)
{
    enum { MOST = 64 };
    struct optimise_problem *problems = cli_keep_bytes(MOST * sizeof *problems);
    const struct shoal_optimise_params *params = cli->params;
    const struct shoal_workload *algorithm;
    struct shoal_error first = {0};
    *out = problems;
    *count = 0;
    if (cli->command->workload != front()) {
        problems[(*count)++] = (struct optimise_problem){cli->command->workload, cli->params};
        return cli_validate(cli, NULL, cli->command->workload, cli->params);
    }
    char *left_out = cli_strdup("");
    for (size_t i = 0; (algorithm = shoal_optimiser_algorithm_at(i)) && *count < MOST; i++) {
        struct shoal_error error = {0};
        const bool is_named = params->algorithm == (int32_t)i + 1;
        if (params->algorithm && !is_named)
            continue;
        if (!cli_method_option(algorithm)) {
            if (!is_named)
                continue;
            free(left_out);
            return cli_error(CLI_USAGE, "--algorithm: %s has a single method", algorithm->name);
        }
        problems[*count] = (struct optimise_problem){algorithm, params_for(cli, algorithm)};
        if (!shoal_workload_validate(cli->shoal, algorithm, problems[*count].params, &error)) {
            ++*count;
            continue;
        }
        if (is_named) {
            free(left_out);
            return cli_fail(NULL, &error);
        }
        char *longer = cli_sprintf("%s%s is left out: %s\n", left_out, algorithm->name, error.message);
        free(left_out);
        left_out = longer;
        first = first.status ? first : error;
    }
    if (*count)
        cli_notes(cli, left_out);
    free(left_out);
    return *count ? CLI_OK : cli_fail("no algorithm takes this problem", &first);
}

/* Messages --------------------------------------------------------------------------------------------- */

static bool has_option(const struct cli_command *command, const char *name)
{
    const struct shoal_workload *workload = command->workload;
    bool has = cli_option_find(workload, name) != NULL;
    for (size_t i = 0; i < command->option_count && !has; i++)
        has = cli_option_is(&command->options[i], name);
    return has;
}

char *optimise_owners(const struct cli_command *command, const char *option)
{
    const struct shoal_workload *algorithm;
    char *owners = NULL;
    if (!command->workload || !optimise_is_search(command->workload))
        return NULL;
    for (size_t i = 0; (algorithm = shoal_optimiser_algorithm_at(i)); i++) {
        if (!has_option(cli_command_find(algorithm->name), option))
            continue;
        char *longer = cli_sprintf("%s%s%s", owners ? owners : "", owners ? ", " : "", algorithm->name);
        free(owners);
        owners = longer;
    }
    return owners;
}

void optimise_not_here(const struct cli_command *command, const char *option, const char *owners)
{
    if (command == optimise_command())
        cli_error(CLI_USAGE, "--%s is an option of %s: name the algorithm, --algorithm %.*s", option, owners,
                  (int)strcspn(owners, ","), owners);
    else if (command->workload == front())
        cli_error(CLI_USAGE, "--%s is an option of %s: %.*s %.*s takes it", option, owners,
                  (int)(strlen(command->name) - strlen(command_name) - 1), command->name,
                  (int)strcspn(owners, ","), owners);
    else
        cli_error(CLI_USAGE, "--%s is an option of %s, not of %s", option, owners, command->workload->name);
}

/* Which algorithm the words mean ----------------------------------------------------------------------- */

/* Whether `word`, whose `length` characters are NAME in "--NAME=VALUE", means the option `name`. As in the
 * parser, an abbreviation counts if it begins no other option. Options of single algorithms are not
 * considered, since the algorithm is not known yet. */
static bool is_meant(const char *word, size_t length, const char *name)
{
    const struct cli_command *command = optimise_command();
    size_t meant = 0;
    if (length < 1 || strncmp(word, name, length) != 0)
        return false;
    if (strlen(name) == length)
        return true;
    for (size_t i = 0; i < command->workload->option_count; i++)
        meant += strncmp(command->workload->options[i].name, word, length) == 0;
    for (size_t i = 0; i < command->option_count; i++)
        meant += strncmp(command->options[i].name, word, length) == 0;
    return meant <= 1;
}

/* The value of an option among the words, "--NAME VALUE" or "--NAME=VALUE". The last occurrence counts. NULL:
 * the option is not given. */
static const char *value_of(int argc, char **argv, const char *name)
{
    const char *value = NULL;
    for (int i = 1; i < argc; i++) {
        const size_t length = strncmp(argv[i], "--", 2) == 0 ? strcspn(argv[i] + 2, "=") : 0;
        if (!is_meant(argv[i] + 2 * (length > 0), length, name))
            continue;
        if (argv[i][2 + length])
            value = argv[i] + 2 + length + 1;
        else if (i + 1 < argc)
            value = argv[i + 1];
    }
    return value;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-h") == 0 || strncmp(argv[i], "--help", strlen("--help")) == 0)
            return true;
    return false;
}

/* Finds the algorithm that section [optimise] of a configuration file names; *out NULL: none, or auto.
 * Returns an exit code. */
static int algorithm_in(const char *path, const struct shoal_workload **out)
{
    struct shoal_optimise_params params;
    shoal_optimise_params_init(&params);
    const int code = cli_config_params(path, front(), &params);
    *out = params.algorithm ? shoal_optimiser_algorithm_at((size_t)params.algorithm - 1) : NULL;
    return code;
}

/* Finds the algorithm of a checkpoint. Returns an exit code. */
static int algorithm_of(const char *path, const struct shoal_workload **out)
{
    struct shoal_checkpoint *checkpoint;
    struct shoal_error error = {0};
    if (shoal_checkpoint_open(path, &checkpoint, &error) != SHOAL_OK)
        return cli_fail("--resume", &error);
    *out = shoal_checkpoint_workload(checkpoint);
    shoal_checkpoint_close(&checkpoint);
    return optimise_is_search(*out)
               ? CLI_OK
               : cli_error(CLI_USAGE, "--resume: checkpoint %s is of 'shoal %s', not of 'shoal %s'", path,
                           (*out)->name, command_name);
}

/* Whether options divide the run over devices. */
static bool divides(const struct cli *cli)
{
    const struct workload_values *values = cli->values;
    return values->split || cli_ranks();
}

/* Whether options name devices other than the host. */
static bool names_devices(const struct cli *cli)
{
    return cli->common.device && strcasecmp(cli->common.device, "host") != 0;
}

/* Sets whether a device of the run lacks double precision. Opens the drivers, which takes time, only if the
 * choice may depend on it: for runs that time ends. Returns an exit code. */
static int look_for_double(struct cli *cli, struct shoal_optimise_params *params)
{
    if (!params->on_devices || params->is_divided || isnan(params->search.time))
        return CLI_OK;
    cli->common.quiet = true; /* the run itself says what drivers have to say */
    const int code = cli_select(cli, NULL, 0);
    for (size_t i = 0; code == CLI_OK && i < cli->device_count; i++)
        params->lacks_double |= !shoal_device_get_info(cli->devices[i])->fp64;
    cli_close(cli);
    return code;
}

/* Chooses the algorithm by the problem that the command line and the configuration file give. */
static int choose(int argc, char **argv, const struct shoal_workload **out)
{
    struct cli cli = {.argc = argc, .argv = argv};
    struct cli_groups groups;
    struct shoal_error error = {0};
    cli_groups_init(&groups, &cli, optimise_command());
    int code = cli_parse(&cli, &groups, argc, argv);
    if (code == CLI_OK) {
        struct shoal_optimise_params *params = cli.params;
        params->is_divided = divides(&cli);
        params->on_devices = names_devices(&cli);
        code = look_for_double(&cli, params);
        if (code == CLI_OK && shoal_optimise_choose(NULL, params, &choice, &error) != SHOAL_OK)
            code = cli_fail(NULL, &error);
    }
    cli_groups_free(&groups, &cli);
    *out = choice.workload;
    return code;
}

int optimise_resolve(int argc, char **argv, const struct cli_command **out)
{
    const char *name = value_of(argc, argv, algorithm_option), *config = value_of(argc, argv, "config"),
               *resume = value_of(argc, argv, "resume");
    const struct shoal_workload *workload = name ? find(name) : NULL;
    const bool is_auto = name && strcasecmp(name, "auto") == 0;
    int code = CLI_OK;
    *out = optimise_command(); /* whose parser refuses an unknown algorithm */
    if (asks_for_help(argc, argv) || (name && !workload && !is_auto))
        return CLI_OK;
    if (!name && config)
        code = algorithm_in(config, &workload);
    if (code == CLI_OK && !workload && resume)
        code = algorithm_of(resume, &workload);
    if (code == CLI_OK && !workload)
        code = choose(argc, argv, &workload);
    if (code == CLI_OK)
        *out = algorithm_command(workload);
    return code;
}
