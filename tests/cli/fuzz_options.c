/* Command lines and configuration files. The first byte of the input says which: 'a', words split by line
 * feeds; 'c', the text of a file for 'shoal pso'; 'g', for 'shoal gas', in stages; 's', for the sizes that
 * 'shoal compare' takes from it. */
#include "../fuzz/target.h"
#include "cli/cli.h"
#include "cli/stages.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

static int parse_words(char *text)
{
    char *words[MAX_WORDS + 1] = {NULL}, *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(text, "\n", &rest); word && count < MAX_WORDS;
         word = strtok_r(NULL, "\n", &rest))
        words[count++] = word;
    const struct cli_command *command = count ? cli_command_find(words[0]) : NULL;
    if (!command)
        return cli_unknown_command(count ? words[0] : "");
    struct cli cli = {.argc = count, .argv = words};
    struct cli_groups groups;
    cli_groups_init(&groups, &cli, command);
    /* --config would read any file of the machine. */
    bool reads = false;
    for (int i = 1; i < count; i++)
        reads = reads || strncmp(words[i], "--c", 3) == 0;
    int code = reads ? CLI_OK : cli_parse(&cli, &groups, count, words);
    if (code == CLI_OK && command->workload) {
        char *line = cli_work_line(command->workload, cli.params, NULL, 0);
        free(line);
    }
    cli_groups_free(&groups, &cli);
    return code;
}

static int read_config(const char *path, const struct cli_command *command, bool sizes)
{
    struct cli cli = {0};
    struct cli_groups groups;
    cli_groups_init(&groups, &cli, command);
    int code =
        sizes ? cli_config_params(path, command->workload, cli.params) : cli_config_read(path, &cli, &groups);
    cli.groups = &groups;
    if (code == CLI_OK && cli.stage_count)
        code = cli_stages_complete(&cli, &groups);
    cli_groups_free(&groups, &cli);
    return code;
}

static int parse_config(const char *text, size_t size, const char *command, bool sizes)
{
    char path[64];
    int fd = memfd_create("config", MFD_CLOEXEC);
    REQUIRE(fd >= 0 && write(fd, text, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int code = read_config(path, cli_command_find(command), sizes);
    close(fd);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *terminal = stderr;
    char *said = NULL;
    size_t said_size = 0;
    if (size == 0)
        return 0;
    char *text = input_string(data + 1, size - 1);
    FILE *memory = open_memstream(&said, &said_size);
    REQUIRE(memory);
    stderr = memory;
    int code = data[0] == 'a' ? parse_words(text)
                              : parse_config(text, size - 1, data[0] == 'g' ? "gas" : "pso", data[0] == 's');
    stderr = terminal;
    fclose(memory);
    REQUIRE(code == CLI_OK || code == CLI_USAGE);
    /* One line for an error, nothing otherwise. */
    REQUIRE((code == CLI_OK) == (said_size == 0));
    REQUIRE(code == CLI_OK ||
            (strncmp(said, "shoal: ", 7) == 0 && strchr(said, '\n') == said + said_size - 1));
    free(said);
    free(text);
    return 0;
}
