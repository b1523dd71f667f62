/* The shoal program: finds the command, parses its options, runs it, and exits with its code. */
#include "cli/cli.h"
#include "cli/ranks.h"
#include "cli/run/files.h"
#include "cli/search/optimise.h"
#include "cli/waiting.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens descriptors 0 to 2 if they are closed: otherwise a file of a driver could get one of these
 * descriptors, and output would go to that file. Reading or writing the replacement fails and is reported. */
static void open_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(CLI_FAILURE);
}

/* A device was abandoned: it continues to work, and at exit its driver would wait for the end of the work. */
static bool is_hung;

/* --json was given, so that the output must be one JSON document, even after a failure or a usage error. */
static bool wants_json;

static void look_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        wants_json = wants_json || strcmp(argv[i], "--json") == 0;
}

static const char *command_name = ""; /* "" until the command is known */

/* Runs a command; its name is the first `words` words after argv[0]. */
static int run_command(const struct cli_command *command, int words, int argc, char **argv)
{
    static struct cli cli; /* static, since steps of an abandoned run may use it until the process ends */
    static struct cli_groups groups;
    cli = (struct cli){.argc = argc, .argv = argv};
    command_name = command->name;
    cli_groups_init(&groups, &cli, command);
    int code = cli_parse(&cli, &groups, argc - words, argv + words);
    wants_json = cli.common.json || (wants_json && code != CLI_OK);
    if (code == CLI_OK && cli.common.help) {
        code = cli_help(command, cli.common.help_topic, stdout);
    } else if (code == CLI_OK) {
        cli_show_logs(cli.common.verbose);
        cli_progress_enable((enum cli_progress_kind)cli.common.progress, cli.common.quiet);
        code = run_files_check(&cli, NULL);
        if (code == CLI_OK)
            code = command->run(&cli);
        cli_progress_disable();
        /* If a rank was lost, this was reported, and the launcher then stops the command: the signal is not
         * reported in addition. */
        const bool is_told = cli_stop_was_reported() || (cli_ranks() && cli_reported_first());
        if (cli_stopped(NULL) && cli_flush() == CLI_OK && !is_told)
            cli_note(&cli, "stopped by %s; %s", cli_stopped_by(),
                     code != CLI_OK && command->when_stopped ? command->when_stopped
                                                             : "the output holds the results so far");
    }
    is_hung = shoal_is_hung(cli.shoal);
    if (!is_hung) {
        cli_close(&cli);
        cli_groups_free(&groups, &cli);
    }
    return code;
}

/* FILE of the command line "shoal --resume FILE", in which the checkpoint determines the command. NULL: the
 * command line has another form. */
static const char *resumed_path(int argc, char **argv)
{
    static const char option[] = "--resume";
    const size_t length = sizeof option - 1;
    if (argc < 2 || strncmp(argv[1], option, length) != 0)
        return NULL;
    return argv[1][length] == '=' ? argv[1] + length + 1 : argv[1][length] ? NULL : argv[2];
}

static int run_resumed(const char *path, int argc, char **argv)
{
    struct shoal_checkpoint *checkpoint;
    struct shoal_error error = {0};
    if (shoal_checkpoint_open(path, &checkpoint, &error) != SHOAL_OK)
        return cli_fail("--resume", &error);
    const struct cli_command *command = cli_command_find(shoal_checkpoint_workload(checkpoint)->name);
    shoal_checkpoint_close(&checkpoint);
    return run_command(command, 0, argc, argv);
}

static int run(int argc, char **argv)
{
    const char *resumed = resumed_path(argc, argv);
    const char *word = argc > 1 ? argv[1] : "help";
    bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("shoal %s\n", shoal_version());
        return CLI_OK;
    }
    if (strcmp(word, "--generate") == 0 && argc > 2)
        return cli_generate(argv[2], argc - 3, argv + 3);
    if (resumed)
        return run_resumed(resumed, argc, argv);
    if (strcmp(word, "--resume") == 0)
        return cli_error(CLI_USAGE, "--resume needs a checkpoint: shoal --resume FILE");
    if (*word == '-' && !help)
        return cli_error(CLI_USAGE, "unknown option '%s' before a command; 'shoal help' lists the commands",
                         word);
    char *overview[] = {argv[0], (char *)"help", NULL};
    bool bare = argc < 2 || argv[1][0] == '-';
    int words;
    const struct cli_command *command =
        cli_command_of(bare ? 1 : argc - 1, bare ? overview + 1 : argv + 1, &words);
    if (!command)
        return cli_unknown_command(word);
    if (command == optimise_command()) {
        const int code = optimise_resolve(argc - words, argv + words, &command);
        if (code != CLI_OK)
            return code;
    }
    return run_command(command, words, bare ? 2 : argc, bare ? overview : argv);
}

int main(int argc, char **argv)
{
    open_standard_files();
    cli_wait_passively(argv);
    cli_signals();
    look_for_json(argc, argv);
    int code = cli_output_open();
    if (code == CLI_OK)
        code = cli_ranks_join(argc, argv);
    if (cli_ranks_serve_only())
        return cli_ranks_leave(code == CLI_OK ? cli_ranks_serve() : code, false);
    if (code == CLI_OK)
        code = run(argc, argv);
    if (code != CLI_OK && wants_json && !cli_json_is_printed() && cli_flush() == CLI_OK)
        cli_json_print(cli_json_new(command_name));
    int output = cli_flush();
    /* A closed pipe takes precedence over other exit codes. */
    if (output == CLI_CLOSED_PIPE || code == CLI_OK)
        code = output;
    code = cli_ranks_leave(code, is_hung);
    if (is_hung)
        _exit(code);
    return code;
}
