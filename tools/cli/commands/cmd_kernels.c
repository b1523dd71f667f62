/* shoal kernels: the contracts of the kernel files, and the files themselves for other OpenCL programs. */
#include "base/file.h"
#include "base/input.h"
#include "base/text.h"
#include "bench/runner/results.h"
#include "cli/cli.h"
#include "cli/commands/kernels_built.h"
#include "cli/output/tables/layout.h"

#include <errno.h>
#include <shoal/objective.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct values {
    const char *dump, *function, *expression, *objective;
    bool built;
};

static const struct shoal_option options[] = {
    {"dump", SHOAL_OPTION_TEXT, offsetof(struct values, dump), "DIR", 0, 0, NULL,
     "write each file to DIR with its includes expanded: plain OpenCL C 1.2 that any OpenCL program can "
     "build; the list names the objective behind each file that holds one, sphere unless another is given"},
    {"function", SHOAL_OPTION_TEXT, offsetof(struct values, function), "NAME", 0, 0, NULL,
     "built-in objective for the files that hold one", .needs = "dump, !expr, !objective"},
    {"expr", SHOAL_OPTION_TEXT, offsetof(struct values, expression), "TEXT", 0, 0, NULL,
     "formula of the objective for the files that hold one", .needs = "dump, !objective"},
    {"objective", SHOAL_OPTION_TEXT, offsetof(struct values, objective), "FILE", 0, 0, NULL,
     "file with an objective in the kernel dialect, for the files that hold one", .needs = "dump",
     .flags = SHOAL_OPTION_READS},
    {"built", SHOAL_OPTION_FLAG, offsetof(struct values, built), "", 0, 0, NULL,
     "build each program with its default constants on the devices and show the size of each kernel's "
     "work-groups and, if the driver tells it, how many work-groups are resident at the same time "
     "(occupancy)"},
};

static const struct shoal_example examples[] = {
    {"shoal kernels", "every kernel with its arguments, defines and cost"},
    {"shoal kernels lib.scan --json", "the contract of one file, for a program to read"},
    {"shoal kernels lib.scan --built --device cuda:0", "what a device makes of a program: its occupancy"},
    {"shoal kernels --dump kernels", "write self-contained .cl files below the folder kernels"},
    {"shoal kernels objective --dump kernels --expr 'sum((x[i] - 1)^2)'",
     "the files that evaluate an objective, with a formula of your own"},
};

enum { INDENT = 6 }; /* indentation of the lines about a kernel, and of continued lines */

static const char *access_name(enum shoal_access access)
{
    static const char *const names[] = {
        [SHOAL_VALUE] = "value", [SHOAL_READ] = "read", [SHOAL_READ_WRITE] = "read-write"};
    return names[access];
}

/* Whether `word` is the whole name or its first parts: "lib" matches "lib.scan". */
static bool named(const char *name, const char *word)
{
    size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && (name[length] == 0 || name[length] == '.');
}

static bool selected(const struct cli *cli, const struct shoal_program_desc *desc)
{
    for (size_t i = 0; i < cli->argument_count; i++)
        if (named(desc->name, cli->arguments[i]))
            return true;
    return cli->argument_count == 0;
}

static int check_operands(const struct cli *cli)
{
    for (size_t i = 0; i < cli->argument_count; i++) {
        const size_t count = shoal_program_desc_count();
        const char **names = cli_keep_bytes((count + 1) * sizeof *names);
        bool found = false;
        for (size_t p = 0; p < count; p++) {
            names[p] = shoal_program_desc_at(p)->name;
            found = found || named(names[p], cli->arguments[i]);
        }
        const char *nearest = text_nearest(cli->arguments[i], names, count);
        if (!found)
            return cli_error(CLI_USAGE, "no program '%s'%s%s%s", cli->arguments[i],
                             nearest ? "; did you mean '" : "; 'shoal kernels' lists them",
                             nearest ? nearest : "", nearest ? "'?" : "");
    }
    return CLI_OK;
}

/* The argument in the form of the kernel file. */
static char *argument_text(const struct shoal_arg_desc *arg)
{
    char size[32] = "";
    if (arg->bytes)
        snprintf(size, sizeof size, " [%u bytes]", arg->bytes);
    if (arg->access == SHOAL_VALUE)
        return cli_sprintf("%s %s%s", arg->type, arg->name, size);
    return cli_sprintf("__global %s%s *%s%s", arg->access == SHOAL_READ ? "const " : "", arg->type, arg->name,
                       size);
}

/* Appends up to 199 characters to the malloc'ed text. */
SHOAL_PRINTF(2, 3) static void append(char **text, const char *format, ...)
{
    char more[200];
    va_list args;
    va_start(args, format);
    vsnprintf(more, sizeof more, format, args);
    va_end(args);
    char *longer = cli_sprintf("%s%s", *text, more);
    free(*text);
    *text = longer;
}

/* Text such as "work-group WG, local memory 4 bytes for each item"; the caller frees the text. */
static char *needs_text(const struct shoal_entry_desc *entry)
{
    const struct {
        uint32_t bytes;
        const char *of, *what;
    } local[] = {{entry->local_bytes, "", ""},
                 {entry->local_bytes_per_item, " for each ", "item"},
                 {entry->local_define ? entry->local_bytes_per_unit : 0, " for each ", entry->local_define}};
    char *text = cli_sprintf("work-group %s", entry->work_group ? entry->work_group : "1");
    const char *start = ", local memory";
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        if (!local[i].bytes)
            continue;
        append(&text, "%s %u bytes%s%s", start, local[i].bytes, local[i].of, local[i].what);
        start = " +";
    }
    if (entry->bytes_per_item > 0)
        append(&text, ", %s bytes for each item", cli_number(entry->bytes_per_item).s);
    if (entry->ops_per_item > 0)
        append(&text, ", %s operations for each item", cli_number(entry->ops_per_item).s);
    if (entry->roof != SHOAL_ROOF_NONE)
        append(&text, ", bound by %s", result_roof_name(entry->roof));
    return text;
}

/* Prints the text from column `at` on, broken into lines; further lines begin at column INDENT. */
static void print_wrapped(const char *text, size_t at)
{
    cli_wrap(stdout, text, at, INDENT, cli_width(stdout));
    putchar('\n');
}

static void print_entry(const struct shoal_entry_desc *entry, const struct built *built)
{
    const int width = (int)cli_width(stdout);
    int column = printf("  %s(", entry->name);
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        char *text = argument_text(&entry->args[i]);
        const char *end = i + 1 < entry->arg_count ? "," : ")";
        if (i && column + 2 + (int)strlen(text) > width)
            column = printf("\n%*s%s%s", INDENT, "", text, end) - 1;
        else
            column += printf("%s%s%s", i ? " " : "", text, end);
        free(text);
    }
    puts(entry->arg_count ? "" : ")");
    printf("%*s", INDENT, "");
    print_wrapped(entry->help, INDENT);
    char *needs = needs_text(entry);
    printf("%*s", INDENT, "");
    print_wrapped(needs, INDENT);
    free(needs);
    if (built)
        built_print(built, entry->name, INDENT);
}

static void print_program(const struct shoal_program_desc *desc, const struct built *built)
{
    const char *native = desc->native ? strrchr(desc->native, '/') : NULL; /* the name of the native version,
                                                                            * which lies beside the file */
    printf("%s  (%s%s%s%s%s%s)\n", desc->name, desc->file, native ? "; CUDA: " : "", native ? native + 1 : "",
           desc->needs & SHOAL_NEEDS_FP64 ? "; needs fp64" : "",
           desc->needs & SHOAL_NEEDS_INT64_ATOMICS ? "; needs 64-bit atomics" : "",
           desc->needs & SHOAL_NEEDS_STRICT_FP ? "; needs correctly rounded division" : "");
    for (uint32_t i = 0; i < desc->define_count; i++) {
        const struct shoal_define_desc *define = &desc->defines[i];
        const int column = printf("  -D %s=%lld  (%lld to %lld) ", define->name, (long long)define->value,
                                  (long long)define->min, (long long)define->max);
        print_wrapped(define->help, (size_t)column);
    }
    for (uint32_t i = 0; i < desc->entry_count; i++)
        print_entry(&desc->entries[i], built);
}

static void json_entry(cJSON *array, const struct shoal_entry_desc *entry, const struct built *built)
{
    cJSON *object = cli_json_object(array, NULL);
    cli_json_text(object, "name", entry->name);
    cli_json_text(object, "help", entry->help);
    cJSON *args = cli_json_array(object, "args");
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        cJSON *arg = cli_json_object(args, NULL);
        cli_json_text(arg, "name", entry->args[i].name);
        cli_json_text(arg, "access", access_name(entry->args[i].access));
        cli_json_text(arg, "type", entry->args[i].type);
        if (entry->args[i].bytes)
            cli_json_uint(arg, "bytes", entry->args[i].bytes);
    }
    cli_json_text(object, "work_group", entry->work_group);
    cli_json_uint(object, "local_bytes", entry->local_bytes);
    cli_json_uint(object, "local_bytes_per_item", entry->local_bytes_per_item);
    cli_json_text(object, "local_define", entry->local_define);
    cli_json_uint(object, "local_bytes_per_unit", entry->local_bytes_per_unit);
    cli_json_text(object, "bound", entry->roof == SHOAL_ROOF_NONE ? NULL : result_roof_name(entry->roof));
    cli_json_real(object, "bytes_per_item", entry->bytes_per_item);
    cli_json_real(object, "ops_per_item", entry->ops_per_item);
    if (built)
        built_json(built, entry->name, object);
}

static void json_program(cJSON *array, const struct shoal_program_desc *desc, const struct built *built)
{
    cJSON *object = cli_json_object(array, NULL);
    cli_json_text(object, "name", desc->name);
    cli_json_text(object, "file", desc->file);
    cli_json_text(object, "native", desc->native);
    cli_json_bool(object, "needs_fp64", desc->needs & SHOAL_NEEDS_FP64);
    cli_json_bool(object, "needs_int64_atomics", desc->needs & SHOAL_NEEDS_INT64_ATOMICS);
    cli_json_bool(object, "needs_strict_fp", desc->needs & SHOAL_NEEDS_STRICT_FP);
    cJSON *defines = cli_json_array(object, "defines");
    for (uint32_t i = 0; i < desc->define_count; i++) {
        cJSON *define = cli_json_object(defines, NULL);
        cli_json_text(define, "name", desc->defines[i].name);
        cli_json_real(define, "value", (double)desc->defines[i].value);
        cli_json_real(define, "min", (double)desc->defines[i].min);
        cli_json_real(define, "max", (double)desc->defines[i].max);
        cli_json_text(define, "help", desc->defines[i].help);
    }
    cJSON *entries = cli_json_array(object, "entries");
    for (uint32_t i = 0; i < desc->entry_count; i++)
        json_entry(entries, &desc->entries[i], built);
}

/* Creates all missing folders above `path`. */
static int make_folders_above(const char *path)
{
    char *copy = cli_strdup(path);
    int code = CLI_OK;
    for (char *slash = strchr(copy + 1, '/'); slash && code == CLI_OK; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            code = cli_error(CLI_FAILURE, "--dump: %s: folder cannot be created: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return code;
}

/* Writes the text of a kernel file to `path`. *holds: the text contains the objective. */
static int dump_file(const struct cli *cli, const struct shoal_objective *objective, const char *file,
                     const char *path, bool *holds)
{
    struct shoal_error error = {0};
    char *text = NULL;
    int code = make_folders_above(path);
    if (code != CLI_OK)
        return code;
    if (shoal_objective_kernel_source(cli->shoal, objective, file, &text, &error) != SHOAL_OK)
        return cli_fail(file, &error);
    /* Every objective defines SHAPE, and no kernel file does. */
    *holds = strstr(text, "\n#define SHAPE ") != NULL;
    if (cli_write_file(path, text, strlen(text), &error) != SHOAL_OK)
        code = cli_fail("--dump", &error);
    free(text);
    return code;
}

static int read_objective(const struct cli *cli, const char *path, struct shoal_objective **out)
{
    struct shoal_error error = {0};
    size_t bytes = 0;
    char *text = input_read(path, INPUT_TEXT_MOST, &bytes);
    if (!text)
        return cli_error(CLI_FAILURE, "--objective: %s: cannot be read: %s", path, input_reason(errno));
    const enum shoal_status status =
        strlen(text) == bytes
            ? shoal_objective_from_text(cli->shoal, text, file_base_name(path), out, &error)
            : cli_set_error(&error, SHOAL_IO, "%s: it is no text: a character is NUL", path);
    free(text);
    /* An invalid objective in a file counts as a fault of the file. */
    if (status == SHOAL_INVALID)
        error.status = SHOAL_IO;
    return status == SHOAL_OK ? CLI_OK : cli_fail(NULL, &error);
}

/* Finds the objective for --dump. *own: an objective that the caller destroys; NULL: none. */
static int find_objective(const struct cli *cli, const struct shoal_objective **out,
                          struct shoal_objective **own)
{
    const struct values *values = cli->values;
    struct shoal_error error = {0};
    *own = NULL;
    if (values->objective || values->expression) {
        int code = values->objective ? read_objective(cli, values->objective, own) : CLI_OK;
        if (values->expression &&
            shoal_objective_from_expression(values->expression, own, &error) != SHOAL_OK)
            code = cli_fail("--expr", &error);
        *out = *own;
        return code;
    }
    *out = shoal_objective_find(values->function ? values->function : "sphere");
    if (*out)
        return CLI_OK;
    const size_t count = shoal_objective_count();
    const char **names = cli_alloc((count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = shoal_objective_get_info(shoal_objective_at(i))->name;
    int code = cli_not_one_of("--function", values->function, names, count);
    free(names);
    return code;
}

static int dump(struct cli *cli, const char *folder)
{
    cJSON *json = cli->common.json ? cli_json_new("kernels") : NULL;
    cJSON *files = json ? cli_json_array(json, "files") : NULL;
    cJSON *holders = json ? cli_json_array(json, "objective_files") : NULL;
    const struct shoal_objective *objective = NULL;
    struct shoal_objective *own = NULL;
    int code = cli_open(cli);
    if (code == CLI_OK)
        code = find_objective(cli, &objective, &own);
    const char *name = objective ? shoal_objective_get_info(objective)->name : NULL;
    for (size_t i = 0; i < shoal_program_desc_count() && code == CLI_OK; i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        bool done = !selected(cli, desc);
        for (size_t j = 0; j < i && !done; j++) /* several contracts may share a file */
            done = selected(cli, shoal_program_desc_at(j)) &&
                   strcmp(shoal_program_desc_at(j)->file, desc->file) == 0;
        if (done)
            continue;
        char *path = cli_sprintf("%s/%s", folder, desc->file);
        bool holds = false;
        code = dump_file(cli, objective, desc->file, path, &holds);
        if (code == CLI_OK && json) {
            cli_json_text(files, NULL, path);
            if (holds)
                cli_json_text(holders, NULL, path);
        } else if (code == CLI_OK) {
            printf(holds ? "%s  (objective: %s)\n" : "%s\n", path, name);
        }
        free(path);
    }
    if (json && code == CLI_OK)
        cli_json_text(json, "objective", name);
    shoal_objective_destroy(&own);
    if (json && code == CLI_OK)
        return cli_json_print(json);
    cJSON_Delete(json);
    return code;
}

/* Refuses options for builds on the command line if nothing is built. Options of a configuration file are not
 * refused, since they serve many commands. */
static int check_built(const struct cli *cli)
{
    static const char *const of_builds[] = {"device",   "variant",   "sync",       "strict-fp",
                                            "no-cache", "cache-dir", "kernel-dir", NULL};
    enum { OF_DUMPS = 6 }; /* index from which options also affect --dump */
    const struct values *values = cli->values;
    if (values->built)
        return values->dump ? cli_error(CLI_USAGE, "--dump does not go with --built; use one") : CLI_OK;
    for (size_t g = 0; g < cli->groups->count; g++)
        for (size_t i = 0; i < cli->groups->group[g].count; i++)
            for (size_t k = 0; of_builds[k] && !(values->dump && k == OF_DUMPS); k++)
                if (cli->groups->group[g].typed[i] &&
                    strcmp(cli->groups->group[g].options[i].name, of_builds[k]) == 0)
                    return cli_error(CLI_USAGE, "--%s has no effect without --built%s", of_builds[k],
                                     k == OF_DUMPS ? " or --dump" : "");
    return CLI_OK;
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    int code = check_operands(cli);
    if (code == CLI_OK)
        code = check_built(cli);
    if (code != CLI_OK)
        return code;
    if (values->dump)
        return dump(cli, values->dump);
    code = values->built ? cli_select(cli, NULL, SHOAL_SELECT_ALIASES) : CLI_OK;
    if (code != CLI_OK)
        return code;
    cJSON *json = cli->common.json ? cli_json_new("kernels") : NULL;
    cJSON *programs = json ? cli_json_array(json, "programs") : NULL;
    bool first = true;
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        if (!selected(cli, desc))
            continue;
        struct built *built = values->built ? built_create(cli, desc) : NULL;
        if (json) {
            json_program(programs, desc, built);
        } else {
            if (!first)
                putchar('\n');
            first = false;
            print_program(desc, built);
        }
        built_destroy(built);
    }
    return json ? cli_json_print(json) : CLI_OK;
}

static const char *program_name_at(size_t index)
{
    return index < shoal_program_desc_count() ? shoal_program_desc_at(index)->name : NULL;
}

const struct cli_command cli_kernels = {
    .name = "kernels",
    .summary = "list the kernels and their arguments and limits, or write their source",
    .description =
        "Lists every kernel file with its -D names and, for each kernel, arguments, work-group size, local "
        "memory and cost of a work-item. A PROGRAM, or its first word such as lib, restricts the "
        "list.\n--dump writes the files with their includes expanded, for use without libshoal; --built "
        "shows work-groups and occupancy of each kernel on the devices.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .argument = "PROGRAM",
    .max_arguments = 64,
    .operand_at = program_name_at,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
