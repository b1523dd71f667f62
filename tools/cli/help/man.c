/* The man page, from the same tables as the parser and the help. */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* roff reads a leading dot or quote as a request, a backslash as an escape and a bare - as a hyphen. */
static void roff(const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\'')
            fputs("\\(aq", stdout);
        else if (*text == '^')
            fputs("\\(ha", stdout);
        else if (*text == '~')
            fputs("\\(ti", stdout);
        else
            putchar(*text);
        line_start = *text == '\n';
    }
}

/* Lines that begin with a blank are those of a list. */
static void paragraphs(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = cli_sprintf("%.*s", (int)length, text);
        puts(*line == ' ' ? ".br" : ".PP");
        roff(line);
        putchar('\n');
        free(line);
        text += length + (text[length] != 0);
    }
}

static void man_option(const struct cli_group *group, size_t index)
{
    const struct shoal_option *option = &group->options[index];
    char letter = cli_short_name(option);
    const char *meta = cli_metavariable(option);
    char *help = cli_option_help(group, index);
    printf(".TP\n");
    if (letter)
        printf("\\fB\\-%c\\fR, ", letter);
    printf("\\fB\\-\\-");
    roff(option->name);
    printf("\\fR");
    if (*meta) {
        printf(" \\fI");
        roff(meta);
        printf("\\fR");
    }
    putchar('\n');
    roff(help);
    putchar('\n');
    free(help);
}

static bool is_shared(const struct cli_entry *entry, const struct cli *cli)
{
    return entry->group->values == (const void *)&cli->common;
}

static void man_section(const struct cli_section *section, const struct cli *cli, bool has_heading)
{
    bool any = false;
    for (size_t i = 0; i < section->count; i++) {
        if (is_shared(&section->entries[i], cli))
            continue;
        if (!any && has_heading) {
            printf(".PP\n");
            roff(section->heading);
            puts(":");
        }
        any = true;
        man_option(section->entries[i].group, section->entries[i].index);
    }
}

static void man_presets(const struct cli_command *command)
{
    const char *name;
    char *text;
    for (size_t i = 0; (text = cli_preset_help(command, i, &name)); i++) {
        if (i == 0)
            puts(".PP\nPresets:");
        printf(".TP\n\\fB");
        roff(name);
        puts("\\fR");
        roff(text);
        putchar('\n');
        free(text);
    }
}

static void man_command(const struct cli_command *command)
{
    struct cli cli = {0};
    struct cli_groups groups;
    struct cli_sections sections;
    char *synopsis = cli_synopsis(command);
    cli_groups_init(&groups, &cli, command);
    cli_sections_init(&sections, &groups);
    printf(".SS ");
    roff(synopsis);
    putchar('\n');
    char *description = cli_description(command);
    paragraphs(description);
    free(description);
    const size_t ordinary = sections.count - cli_has_thesis(&sections);
    for (size_t s = 0; s < ordinary; s++)
        man_section(&sections.section[s], &cli, command->workload != NULL);
    man_presets(command);
    printf(".PP\nShared options:");
    for (size_t s = 0; s < sections.count; s++)
        for (size_t i = 0; i < sections.section[s].count; i++) {
            const struct cli_entry *entry = &sections.section[s].entries[i];
            if (!is_shared(entry, &cli))
                continue;
            printf("\n\\fB\\-\\-");
            roff(entry->group->options[entry->index].name);
            printf("\\fR");
        }
    printf("\n");
    for (size_t s = ordinary; s < sections.count; s++)
        man_section(&sections.section[s], &cli, true);
    cli_sections_free(&sections);
    cli_groups_free(&groups, &cli);
    free(synopsis);
}

static void shared_options(void)
{
    static const struct cli_command all = {.name = "shoal",
                                           .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD};
    struct cli cli = {0};
    struct cli_groups groups;
    cli_groups_init(&groups, &cli, &all);
    for (size_t g = 0; g < groups.count; g++)
        for (size_t i = 0; i < groups.group[g].count; i++)
            man_option(&groups.group[g], i);
    cli_groups_free(&groups, &cli);
}

static void exit_codes(void)
{
    static const struct {
        int code;
        const char *meaning;
    } codes[] = {
        {CLI_OK, "success"},
        {CLI_FAILURE,
         "failure of a device or of the system, a lost device, or a file that cannot be read or written"},
        {CLI_USAGE, "wrong option or value, in a configuration file too"},
        {CLI_NO_DEVICE, "no such device"},
        {CLI_BUILD, "a kernel does not compile"},
        {CLI_DEVICE_MEMORY, "not enough device memory"},
        {CLI_CHECK, "a result failed its check"},
        {CLI_REGRESSION, "slower than before ('shoal bench --before')"},
        {CLI_INTERRUPTED, "stopped by Ctrl-C after a clean end; 143 by SIGTERM, 129 by SIGHUP"},
        {128 + SIGILL, "the program crashed: also 134, 135, 136 and 139, each 128 and the number of the "
                       "signal; where it crashed in a text of yours on the host, a line names the text"},
        {CLI_CLOSED_PIPE, "the reader closed the pipe"},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        printf(".TP\n\\fB%d\\fR\n", codes[i].code);
        roff(codes[i].meaning);
        putchar('\n');
    }
}

int cli_man_page(void)
{
    printf(".TH SHOAL 1 \"\" \"shoal %s\" \"User Commands\"\n.SH NAME\n", shoal_version());
    puts("shoal \\- many\\-body computations on any OpenCL or CUDA device\n"
         ".SH SYNOPSIS\n\\fBshoal\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.br\n"
         "\\fBshoal\\fR \\fB\\-\\-resume\\fR \\fIFILE\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION");
    paragraphs(
        "Results go to standard output, messages and progress to standard error. A figure is printed "
        "only if its result passed the check.\n"
        "Whole numbers may be written 1000, 1e3, 1k or 1Ki. --FLAG=no unsets a flag. A file to read is a "
        "regular one, or - for standard input.");
    puts(".SH COMMANDS");
    for (size_t i = 0; i < cli_command_count(); i++)
        man_command(cli_command_at(i));
    puts(".SH SHARED OPTIONS");
    shared_options();
    puts(".SH CONFIGURATION FILE");
    paragraphs(
        "An INI file given with --config sets options; the command line overrides it. Section [shoal] holds "
        "shared options, a section named after a command holds options of that command and overrides "
        "[shoal]. Keys are option names without dashes, flags take yes or no. Lines starting with ; or # are "
        "comments, and so is the rest of a line after a blank and ;. Sections [COMMAND.NAME] are the stages "
        "of a run, of commands "
        "that have them.");
    printf(".PP\n.nf\n[shoal]\ndevice = gpu\n\n[%s]\nparticles = 4096\n.fi\n.SH ENVIRONMENT\n",
           shoal_workload_at(0)->name);
    puts(".TP\n\\fBSHOAL_CACHE_DIR\\fR\nfolder for compiled kernels and tuned values\n"
         ".TP\n\\fBSHOAL_KERNEL_DIR\\fR\nfolder whose files replace the built\\-in kernels\n"
         ".TP\n\\fBSHOAL_NVRTC\\fR\npath of NVIDIA\\(aqs run\\-time compiler library\n.SH EXIT STATUS");
    exit_codes();
    puts(".SH EXAMPLES");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct shoal_example *example;
        for (size_t k = 0; (example = cli_example_at(cli_command_at(i), k)); k++) {
            printf(".TP\n\\fB");
            roff(example->command);
            printf("\\fR\n");
            roff(example->help);
            putchar('\n');
        }
    }
    return CLI_OK;
}
