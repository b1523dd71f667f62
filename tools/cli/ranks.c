#include "cli/ranks.h"

#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct shoal_ranks *ranks;

/* Variables of launchers: Open MPI, MPICH and relatives, MVAPICH. PMIx sets the number of a process, but not
 * the number of processes. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
static const char *const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK"};

/* The first variable of `names` that is set, as a number; otherwise: the result if none is set. */
static long find_number(const char *const *names, size_t count, long otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (getenv(names[i]))
            return strtol(getenv(names[i]), NULL, 10);
    return otherwise;
}

#define FIND_NUMBER(names, otherwise) find_number((names), sizeof(names) / sizeof *(names), (otherwise))

/* Number of processes that the launcher has started, by the environment variables of the launcher. Under PMIx
 * only Slurm gives a number: the number of tasks of the Slurm step. unknown: the result under PMIx without
 * Slurm. Without a launcher the result is 1. */
static long count_started(long unknown)
{
    static const char *const steps[] = {"SLURM_STEP_NUM_TASKS"};
    return FIND_NUMBER(sizes, getenv("PMIX_RANK") ? FIND_NUMBER(steps, unknown) : 1);
}

static bool has_several(void)
{
    return count_started(2) > 1;
}

/* Fails if the MPI of the plug-in sees one process although the launcher has started several: the launcher
 * belongs to another MPI. */
static enum shoal_status check_count(struct shoal_error *error)
{
    const long count = count_started(1);
    if (shoal_ranks_count(ranks) > 1 || count < 2)
        return SHOAL_OK;
    snprintf(
        error->message, sizeof error->message,
        "the launcher has started %ld processes, but the MPI of libshoal-mpi.so sees one: build shoal with "
        "the MPI of the launcher, or start it by the launcher of that MPI",
        count);
    return error->status = SHOAL_INVALID;
}

/* Recognises the option --device or -d at the beginning of a word, abbreviated as the parser allows. Returns
 * the value in the same word; "": the value is the next word; NULL: the word is not this option. */
static const char *find_device(const char *word)
{
    static const char option[] = "--device", flags[] = "qvh";
    enum {
        SHORTEST = 4
    }; /* dashes and two letters of --device; the parser refuses shorter and ambiguous forms */
    const size_t length = strcspn(word, "=");
    if (length >= SHORTEST && length < sizeof option && strncmp(word, option, length) == 0)
        return word + length + (word[length] == '=');
    if (word[0] != '-' || word[1] == '-')
        return NULL;
    const char *letter = word + 1 + strspn(word + 1, flags);
    return *letter == 'd' ? letter + 1 : NULL;
}

/* Returns the words of the command line without --device, which may differ between ranks; *device receives
 * the value of --device. The caller frees the text. */
static char *words_of(int argc, char **argv, const char **device)
{
    char *words = cli_strdup("");
    for (int i = 1; i < argc; i++) {
        const char *value = find_device(argv[i]);
        if (value) {
            *device = *value ? value : i + 1 < argc ? argv[++i] : NULL;
            continue;
        }
        char *longer = cli_sprintf("%s%s%s", words, *words ? " " : "", argv[i]);
        free(words);
        words = longer;
    }
    return words;
}

int cli_ranks_join(int argc, char **argv)
{
    struct shoal_error error = {0};
    const char *device = NULL;
    if (!has_several())
        return CLI_OK;
    char *words = words_of(argc, argv, &device);
    const struct shoal_ranks_params params = SHOAL_RANKS_PARAMS(.same = words, .selector = device);
    enum shoal_status status = shoal_ranks_join(&params, &ranks, &error);
    free(words);
    if (status == SHOAL_OK) {
        status = check_count(&error);
        if (shoal_ranks_count(ranks) == 1)
            shoal_ranks_leave(&ranks, CLI_OK);
    }
    if (status == SHOAL_OK)
        return CLI_OK;
    if (status == SHOAL_UNSUPPORTED)
        error.status = SHOAL_INVALID; /* a wrong use of the launcher */
    return FIND_NUMBER(numbers, 0) == 0 ? cli_fail(NULL, &error) : cli_exit_code(error.status);
}

void cli_ranks_note(const struct cli *cli)
{
    static const char *const steps[] = {"SLURM_STEP_NUM_TASKS"}, *const tasks[] = {"SLURM_PROCID"};
    const long count = FIND_NUMBER(steps, 1);
    if (!ranks && !has_several() && count > 1 && FIND_NUMBER(tasks, 0) == 0)
        cli_note(cli,
                 "each of the %ld processes of this srun makes a run of its own: srun --mpi=pmix makes one",
                 count);
}

struct shoal_ranks *cli_ranks(void)
{
    return ranks;
}

bool cli_ranks_serve_only(void)
{
    return shoal_ranks_rank(ranks) > 0;
}

/* A launcher passes signals to all ranks. A rank that serves ignores them: rank 0 alone decides when the run
 * ends. */
int cli_ranks_serve(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct shoal_error error = {0};
    int code;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    const struct shoal_params params = SHOAL_PARAMS(.log = cli_log);
    return shoal_ranks_serve(ranks, &params, &code, &error) == SHOAL_OK ? code : cli_fail(NULL, &error);
}

int cli_ranks_leave(int code, bool is_hung)
{
    if (is_hung)
        shoal_ranks_abort(ranks, code);
    shoal_ranks_leave(&ranks, code);
    return code;
}

/* The limit is shorter than the hang limit of the run, so that a stopped rank is reported as such, and not as
 * a part of the run that hangs. */
static void set_hang_limit(const struct cli *cli)
{
    shoal_ranks_hang_limit(ranks, 0.8 * cli->common.hang_limit);
}

int cli_ranks_open_all(struct cli *cli, const struct shoal_params *params)
{
    struct shoal_error error = {0};
    set_hang_limit(cli);
    return shoal_ranks_open_all(ranks, params, &cli->shoal, &error) == SHOAL_OK ? CLI_OK
                                                                                : cli_fail(NULL, &error);
}

int cli_ranks_open(struct cli *cli, const struct shoal_params *params, const char *selector)
{
    struct shoal_error error = {0};
    set_hang_limit(cli);
    if (shoal_ranks_open(ranks, params, selector, &cli->shoal, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    cli->device_count = shoal_ranks_device_count(ranks);
    cli->devices = cli_realloc(cli->devices, cli->device_count * sizeof(struct shoal_device *));
    for (size_t i = 0; i < cli->device_count; i++)
        cli->devices[i] = shoal_ranks_device_at(ranks, i);
    return CLI_OK;
}
