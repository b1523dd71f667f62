/* The man pages, from the same tables as the parser and the help. */
#include "cli/help/fields.h"
#include "cli/workload.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Prints text for roff, which would read a dot or quote at the start of a line as a request, a backslash as
 * an escape, and a bare - as a hyphen. */
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

/* Prints lines as paragraphs; a line that begins with a blank is an item of a list. */
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

static void heading(const char *text)
{
    printf(".SH ");
    roff(text);
    putchar('\n');
}

/* Prints a name in bold, and its meaning. */
static void entry(const char *name, const char *meaning)
{
    printf(".TP\n\\fB");
    roff(name);
    puts("\\fR");
    roff(meaning);
    putchar('\n');
}

static void presets(const struct cli_command *command)
{
    const char *name;
    char *text;
    for (size_t i = 0; (text = cli_preset_help(command, i, &name)); i++) {
        if (i == 0)
            heading("PRESETS");
        entry(name, text);
        free(text);
    }
}

static void options(const struct cli_sections *sections)
{
    heading("OPTIONS");
    for (size_t s = 0; s < sections->count; s++) {
        const struct cli_section *section = &sections->section[s];
        printf(".SS ");
        roff(section->heading);
        putchar('\n');
        for (size_t i = 0; i < section->count; i++)
            man_option(section->entries[i].group, section->entries[i].index);
    }
}

/* Whether the option names a file: writes true: a file to write, or the beginning of the names of several
 * files; false: a file to read, also as an alternative to a list. */
static bool names_file(const struct shoal_option *option, bool writes)
{
    const bool is_prefix = strcmp(option->unit, "PREFIX") == 0;
    const bool is_written = is_prefix || option->flags & SHOAL_OPTION_WRITES;
    const bool is_read = option->flags & SHOAL_OPTION_READS || strcmp(option->unit, "FILE") == 0;
    return option->type == SHOAL_OPTION_TEXT && (is_written || is_read) && is_written == writes;
}

/* Prints the options that name files, such as "WHAT --data, --resume." */
static void file_options(const struct cli_groups *groups, bool writes, const char *what)
{
    bool any = false;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++) {
            const struct shoal_option *option = &groups->group[g].options[i];
            if (!names_file(option, writes))
                continue;
            puts(any ? "," : what);
            any = true;
            printf("\\fB\\-\\-");
            roff(option->name);
            printf("\\fR");
        }
    if (any)
        puts(".");
}

static void files(const struct cli_command *command, const struct cli_groups *groups)
{
    const bool builds = command->takes & CLI_TAKES_BUILD;
    heading("FILES");
    file_options(groups, false, "Options that name a file to read:");
    puts(".br");
    file_options(groups, true, "Options that name a file to write:");
    if (builds || command->takes & CLI_TAKES_CACHE)
        entry("$SHOAL_CACHE_DIR, else $XDG_CACHE_HOME/shoal, else ~/.cache/shoal",
              "compiled kernels, and in tuning.txt what shoal tune has measured");
    if (builds)
        entry("share/shoal/cl", "the kernels in OpenCL C, as they are built in");
}

static void json_field(const char *prefix, const struct json_field *field)
{
    printf(".TP\n\\fB");
    roff(prefix);
    roff(field->path);
    printf("\\fR");
    if (*field->unit) {
        printf(" (");
        roff(field->unit);
        printf(")");
    }
    putchar('\n');
    roff(field->meaning);
    putchar('\n');
}

static void json_fields(const struct cli_command *command)
{
    if (!(command->takes & CLI_TAKES_JSON))
        return;
    heading("JSON FIELDS");
    paragraphs(
        "The keys of the document that --json prints, with their units in brackets. [] is behind a list, and "
        "a word in capitals is for other names. Numbers that are not finite are null.");
    cli_json_fields(command, json_field);
}

static void exit_codes(unsigned takes, bool compares)
{
    enum { ANY = 0 };
    static const struct {
        int code;
        unsigned takes; /* shared options that such commands take */
        const char *meaning;
    } codes[] = {
        {CLI_OK, ANY, "success"},
        {CLI_FAILURE, ANY,
         "failure of a device or of the system, a lost device, or a file that cannot be read or written"},
        {CLI_USAGE, ANY, "wrong option or value, in a configuration file too"},
        {CLI_NO_DEVICE, CLI_TAKES_DEVICE, "no such device"},
        {CLI_BUILD, CLI_TAKES_BUILD, "a kernel does not compile"},
        {CLI_DEVICE_MEMORY, CLI_TAKES_DEVICE, "not enough device memory"},
        {CLI_CHECK, CLI_TAKES_DEVICE, "a result failed its check"},
        {CLI_REGRESSION, CLI_TAKES_DEVICE, "slower than before (shoal bench --before)"},
        {CLI_INTERRUPTED, ANY,
         "stopped by Ctrl-C after a clean end; 143 by SIGTERM, 129 by SIGHUP, 138 by SIGUSR1, 152 by "
         "SIGXCPU"},
        {128 + SIGILL, ANY,
         "the program crashed: also 134, 135, 136 and 139, each 128 and the number of the "
         "signal; where it crashed in a text of yours on the host, a line names the text"},
        {CLI_CLOSED_PIPE, ANY, "the reader closed the pipe"},
    };
    heading("EXIT STATUS");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct cli_text code;
        if ((codes[i].takes & ~takes) || (codes[i].code == CLI_REGRESSION && !compares))
            continue;
        snprintf(code.s, sizeof code.s, "%d", codes[i].code);
        entry(code.s, codes[i].meaning);
    }
}

static void examples(const struct cli_command *command)
{
    const struct shoal_example *example;
    for (size_t i = 0; (example = cli_example_at(command, i)); i++) {
        if (i == 0)
            heading("EXAMPLES");
        entry(example->command, example->help);
    }
}

/* The name of a page: "shoal-tune-pso" for "tune pso"; the caller frees the name. */
static char *page_name(const char *command)
{
    char *name = cli_sprintf("shoal-%s", command);
    for (char *blank = name; (blank = strchr(blank, ' '));)
        *blank = '-';
    return name;
}

static void reference(const char *command, const char *before)
{
    char *name = page_name(command);
    printf("%s.BR ", before);
    roff(name);
    printf(" (1)");
    free(name);
}

/* Prints the names of pages in share/doc/shoal/docs; `names` separates them by blanks. */
static void documents(const char *names)
{
    puts(".PP\nIn share/doc/shoal/docs:");
    while (*names) {
        const size_t length = strcspn(names, " ");
        char *file = cli_sprintf("%.*s.md%s", (int)length, names, names[length] ? "," : "");
        roff(file);
        putchar('\n');
        free(file);
        names += length + (names[length] != 0);
    }
}

static const char *documents_of(const struct cli_command *command)
{
    static const struct {
        const char *command, *documents;
    } all[] = {{"devices", "tutorial-devices devices"},
               {"data", "data"},
               {"compare", "tutorial-devices measured"},
               {"bench", "measured"},
               {"bench bbob", "bbob"},
               {"report", "tutorial-devices measured"},
               {"verify", "tutorial-devices devices"},
               {"tune", "tutorial-devices searching gas-tuning"},
               {"kernels", "embedding"},
               {"cache", "devices"}};
    const struct report *report = command->workload ? cli_report_of(command->workload) : NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(command->name, all[i].command) == 0)
            return all[i].documents;
    return report ? report->documents : NULL;
}

/* Prints SEE ALSO: all other commands of one word; and the commands of two words that begin with this command
 * or belong to the same workload. */
static void see_also(const struct cli_command *command)
{
    const char *pages = documents_of(command);
    heading("SEE ALSO");
    printf(".BR shoal (1)");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct cli_command *other = cli_command_at(i);
        if (other != command)
            reference(other->name, ",\n");
        for (size_t w = 0; w < cli_subcommand_count(); w++) {
            const struct cli_command *sub = cli_subcommand(other, w);
            const bool is_near =
                other == command || (command->workload && sub && sub->workload == command->workload);
            if (sub && is_near && strcmp(sub->name, command->name) != 0)
                reference(sub->name, ",\n");
        }
    }
    putchar('\n');
    if (pages)
        documents(pages);
}

static void man_command(const struct cli_command *command)
{
    struct cli cli = {0};
    struct cli_groups groups;
    struct cli_sections sections;
    char *synopsis = cli_synopsis(command), *name = page_name(command->name),
         *description = cli_description(command);
    char *title = cli_sprintf("%s", name);
    cli_groups_init(&groups, &cli, command);
    cli_sections_init(&sections, &groups);
    for (char *letter = title; *letter; letter++)
        *letter = (char)toupper((unsigned char)*letter);
    printf(".TH %s 1 \"\" \"shoal %s\" \"User Commands\"\n.SH NAME\n", title, shoal_version());
    roff(name);
    printf(" \\- ");
    roff(command->summary);
    puts("\n.SH SYNOPSIS");
    roff(synopsis);
    puts("\n.SH DESCRIPTION");
    paragraphs(description);
    options(&sections);
    presets(command);
    examples(command);
    files(command, &groups);
    json_fields(command);
    exit_codes(command->takes, strcmp(command->name, "bench") == 0 || strcmp(command->name, "report") == 0);
    see_also(command);
    cli_sections_free(&sections);
    cli_groups_free(&groups, &cli);
    free(title);
    free(description);
    free(name);
    free(synopsis);
}

static void command_list(void)
{
    heading("COMMANDS");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct cli_command *command = cli_command_at(i);
        puts(".TP");
        reference(command->name, "");
        putchar('\n');
        roff(command->summary);
        putchar('\n');
        for (size_t w = 0; w < cli_subcommand_count(); w++) {
            const struct cli_command *sub = cli_subcommand(command, w);
            if (!sub)
                continue;
            puts(".TP");
            reference(sub->name, "");
            putchar('\n');
            roff(sub->summary);
            putchar('\n');
        }
    }
}

static void overview(void)
{
    printf(".TH SHOAL 1 \"\" \"shoal %s\" \"User Commands\"\n.SH NAME\n", shoal_version());
    puts("shoal \\- many\\-body computations on any OpenCL or CUDA device\n"
         ".SH SYNOPSIS\n\\fBshoal\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.br\n"
         "\\fBshoal\\fR \\fB\\-\\-resume\\fR \\fIFILE\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION");
    paragraphs(
        "Results go to standard output, messages and progress to standard error: on a terminal a line "
        "that is overwritten, elsewhere a line after 10 s and then one a minute (--progress). A figure "
        "is printed only if its result passed the check.\n"
        "Whole numbers may be written 1000, 1e3, 1k or 1Ki. --FLAG=no unsets a flag. A file to read is a "
        "regular one, or - for standard input.");
    command_list();
    heading("CONFIGURATION FILE");
    paragraphs(
        "An INI file given with --config sets options; the command line overrides it. Section [shoal] holds "
        "shared options, a section named after a command holds options of that command and overrides "
        "[shoal]; compare reads those of its workloads, too. A file whose other sections are all of other "
        "commands is refused. Keys are option names without dashes, flags take yes or no. Lines starting "
        "with ; or # are "
        "comments, and so is the rest of a line after a blank and ;. Sections [COMMAND.NAME] are the stages "
        "of a run, of commands that have them.");
    printf(".PP\n.nf\n[shoal]\ndevice = gpu\n\n[%s]\nparticles = 4096\n.fi\n", shoal_workload_at(0)->name);
    heading("ENVIRONMENT");
    entry("SHOAL_CACHE_DIR", "folder for compiled kernels and tuned values");
    entry("SHOAL_KERNEL_DIR", "folder whose files replace the built-in kernels");
    entry("SHOAL_PROGRESS", "auto, yes or no: what --progress is where it is not given");
    entry("SHOAL_NVRTC", "path of NVIDIA's run-time compiler library");
    heading("FILES");
    entry("share/doc/shoal", "README.md, pages about everything in docs, and examples of programs");
    entry("share/shoal/cl", "the kernels in OpenCL C");
    entry("NAME.PROCESS-NUMBER.tmp",
          "a file while it is written, beside its place, which it takes when it is whole; the next run that "
          "writes NAME removes those whose writers were killed");
    exit_codes(~0u, true);
    heading("EXAMPLES");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct shoal_example *example = cli_example_at(cli_command_at(i), 0);
        if (example)
            entry(example->command, example->help);
    }
    heading("SEE ALSO");
    reference(cli_command_at(0)->name, "");
    for (size_t i = 1; i < cli_command_count(); i++)
        reference(cli_command_at(i)->name, ",\n");
    putchar('\n');
    documents("tutorial-fit tutorial-liquid tutorial-devices");
}

int cli_man_page(int count, char **words)
{
    int used = 0;
    const struct cli_command *command = count ? cli_command_of(count, words, &used) : NULL;
    if (count && !command)
        return cli_unknown_command(words[0]);
    if (count > used)
        return cli_error(CLI_USAGE, "unexpected '%s'", words[used]);
    if (command)
        man_command(command);
    else
        overview();
    return CLI_OK;
}
