/* shoal tsp --problems: the problems of a folder, a list, an array or a generator, a line of JSON each. */
#include "cli/tsp/problems.h"

#include "cli/output/files/endings.h"
#include "cli/tsp/data.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <shoal/data.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct problems {
    struct cli *cli;
    char **names; /* files, names of --generate, or "NAME[i]" of an array */
    size_t count, room;
    double *points; /* [count][cities][2]: problems of an array; NULL: names are of files or generated */
    size_t cities;
    struct shoal_tsp_params *params; /* [count] */
    int code;
};

int tsp_check_problems(const struct cli *cli)
{
    static const char *const others[] = {
        "data",          "generate", "start",   "end",         "tour",          "optimum",  "list-file",
        "trace",         "out",      "anytime", "check",       "resume",        "json",     "checkpoint",
        "split",         "samples",  "plot",    "trace-file",  "trace-columns", "progress", "hang-limit",
        "thesis-output", "variant",  "sync",    "micro-device"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_is_given(cli, others[i]))
            return cli_error(CLI_USAGE, "--problems prints a line for each problem: leave out --%s",
                             others[i]);
    return CLI_OK;
}

/* Names -------------------------------------------------------------------------------------------------- */

static void add(struct problems *problems, char *name)
{
    if (problems->count == problems->room) {
        problems->room = 2 * problems->room + 16;
        char **names = cli_alloc(problems->room * sizeof *names);
        if (problems->count)
            memcpy(names, problems->names, problems->count * sizeof *names);
        free(problems->names);
        problems->names = names;
    }
    problems->names[problems->count++] = name;
}

/* "E1k.0", "C10k.2", "E3M.0": an instance of the DIMACS challenge, which exists or not. */
static bool is_instance(const char *name)
{
    const size_t digits = strspn(name + (*name != '\0'), "0123456789");
    const char *rest = name + 1 + digits;
    return (*name == 'E' || *name == 'C') && digits && (*rest == 'k' || *rest == 'M') && rest[1] == '.' &&
           rest[2] >= '0' && rest[2] <= '9' && !rest[3];
}

static bool is_generated(const char *name)
{
    return strncmp(name, "uniform:", 8) == 0 || strncmp(name, "clustered:", 10) == 0 || is_instance(name);
}

/* Takes a whole number, and nothing else, between `text` and `end`. */
static bool take_seed(const char *text, const char *end, unsigned long long *seed)
{
    char *rest;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *seed = strtoull(text, &rest, 10);
    return rest == end && !errno;
}

/* Adds the names of "uniform:N:FIRST..LAST", or of one seed. */
static int add_generated(struct problems *problems, const char *text)
{
    enum { MOST = 10000000 };
    const char *dots = strstr(text, ".."), *colon = strrchr(text, ':');
    unsigned long long first, last;
    if (!dots) {
        add(problems, cli_strdup(text));
        return CLI_OK;
    }
    if (!colon || !take_seed(colon + 1, dots, &first) || !take_seed(dots + 2, text + strlen(text), &last) ||
        last < first)
        return cli_error(CLI_USAGE,
                         "--problems %s: give the first and the last seed, as in uniform:100:1..1000", text);
    if (last - first >= MOST)
        return cli_error(CLI_USAGE,
                         "--problems %s: a range has at most %d seeds: give several ranges in a list", text,
                         MOST);
    for (unsigned long long i = 0; i <= last - first; i++)
        add(problems, cli_sprintf("%.*s%llu", (int)(colon + 1 - text), text, first + i));
    return CLI_OK;
}

static int is_problem(const struct dirent *entry)
{
    static const char *const endings[] = {".tsp", ".atsp", ".csv", ".npy"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        is_known = is_known || cli_has_format(entry->d_name, endings[i]);
    return is_known && entry->d_name[0] != '.';
}

static int add_folder(struct problems *problems, const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_problem, alphasort);
    if (count < 0)
        return cli_error(CLI_FAILURE, "--problems: %s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        add(problems, cli_sprintf("%s/%s", path, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return count ? CLI_OK
                 : cli_error(CLI_FAILURE, "--problems: %s has no file .tsp, .atsp, .csv or .npy", path);
}

static int add_list(struct problems *problems, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int code = CLI_OK;
    if (!file)
        return cli_error(CLI_FAILURE, "--problems: %s: %s", path, strerror(errno));
    while (code == CLI_OK && getline(&line, &room, file) >= 0) {
        char *name = line + strspn(line, " \t");
        size_t length = strlen(name);
        while (length && strchr(" \t\r\n", name[length - 1]))
            name[--length] = '\0';
        if (*name && *name != '#' && is_generated(name))
            code = add_generated(problems, name);
        else if (*name && *name != '#')
            add(problems, cli_strdup(name));
    }
    if (code == CLI_OK && ferror(file))
        code = cli_error(CLI_FAILURE, "--problems: %s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return code == CLI_OK && !problems->count
               ? cli_error(CLI_FAILURE, "--problems: %s is empty: write a file on each line", path)
               : code;
}

static int check_shape(const struct shoal_table_info *info, const char *path)
{
    static const char advice[] = "give problems x cities x 2";
    if (!info->depth)
        return cli_error(CLI_FAILURE, "--problems: %s has the shape %zu x %zu: %s", path, info->rows,
                         info->columns, advice);
    if (info->depth != 2)
        return cli_error(CLI_FAILURE, "--problems: %s has the shape %zu x %zu x %zu: %s", path, info->rows,
                         info->columns / info->depth, info->depth, advice);
    return CLI_OK;
}

/* Reads an array; the numbers of a problem are a row: x, y of each city. */
static int add_array(struct problems *problems, const char *path)
{
    struct shoal_table *table;
    struct shoal_error error;
    if (shoal_table_open(path, NULL, &table, &error))
        return cli_fail("--problems", &error);
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const int code = check_shape(info, path);
    problems->cities = info->columns / 2;
    for (size_t i = 0; code == CLI_OK && i < info->rows; i++)
        add(problems, cli_sprintf("%s[%zu]", path, i));
    problems->points = code == CLI_OK ? cli_alloc(info->rows * info->columns * sizeof(double)) : NULL;
    /* A bad number is a fault of its problem, so each row is read alone. */
    for (size_t i = 0; code == CLI_OK && i < info->rows; i++) {
        double *row = problems->points + i * info->columns;
        if (shoal_table_read(table, i, 1, row, &error))
            row[0] = NAN;
    }
    shoal_table_destroy(&table);
    return code;
}

static int add_all(struct problems *problems, const char *path)
{
    struct stat info;
    if (is_generated(path))
        return add_generated(problems, path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return add_folder(problems, path);
    return cli_has_format(path, ".npy") ? add_array(problems, path) : add_list(problems, path);
}

static void set_params(struct problems *problems)
{
    problems->params = cli_alloc(problems->count * sizeof *problems->params);
    for (size_t i = 0; i < problems->count; i++) {
        struct shoal_tsp_params *params = &problems->params[i];
        memcpy(params, problems->cli->params, sizeof *params);
        params->size = sizeof *params; /* not that of the block of the command */
        if (problems->points) {
            params->points = problems->points + 2 * i * problems->cities;
            params->count = problems->cities;
        } else if (is_generated(problems->names[i])) {
            params->generate = problems->names[i];
        } else {
            params->data = problems->names[i];
        }
    }
}

/* Lines -------------------------------------------------------------------------------------------------- */

static void add_result(cJSON *json, const struct shoal_report *report)
{
    const struct shoal_tsp_problem *problem = shoal_tsp_problem_of(report->solver);
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    const struct shoal_result *result = &report->result;
    static const char *const numbers[] = {"bound", "bound_gap", "gap"};
    uint32_t *tour = cli_alloc(info->cities * sizeof *tour);
    struct shoal_error error;
    int64_t length;
    cli_json_text(json, "algorithm", shoal_result_find(result, "algorithm")->text);
    cli_json_uint(json, "cities", info->cities);
    cli_json_real(json, "length", result->value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (shoal_result_find(result, numbers[i]))
            cli_json_real(json, numbers[i], shoal_result_number(result, numbers[i]));
    cli_json_bool(json, "optimal", shoal_result_number(result, "optimal") != 0);
    cli_json_uint(json, "steps", result->steps);
    cli_json_real(json, "seconds", report->wall_s);
    if (*info->notes)
        cli_json_text(json, "notes", info->notes);
    if (!shoal_tsp_best(report->solver, tour, info->cities, &length, &error))
        cJSON_AddItemToObject(json, "tour", tsp_json_tour(problem, tour));
    free(tour);
}

static bool print_line(void *data, const struct shoal_tsp_solved *solved)
{
    struct problems *problems = data;
    cJSON *json = cJSON_CreateObject();
    cli_json_uint(json, "index", solved->index);
    cli_json_text(json, "problem", problems->names[solved->index]);
    if (solved->report)
        add_result(json, solved->report);
    else
        cli_json_text(json, "error", solved->message);
    char *text = cJSON_PrintUnformatted(json);
    printf("%s\n", text);
    free(text);
    cJSON_Delete(json);
    if (!solved->report)
        problems->code = CLI_FAILURE;
    const int flushed = cli_flush();
    if (flushed != CLI_OK)
        problems->code = flushed;
    return flushed == CLI_OK;
}

int tsp_run_problems(struct cli *cli, const char *path)
{
    struct problems problems = {.cli = cli};
    struct shoal_error error;
    int code = add_all(&problems, path);
    if (code == CLI_OK)
        code = cli_select(cli, "host", 0);
    if (code == CLI_OK && cli->device_count != 1)
        code = cli_error(CLI_USAGE, "--problems takes one device, not %zu: --device %s", cli->device_count,
                         cli->common.device);
    if (code == CLI_OK) {
        set_params(&problems);
        const enum shoal_status status = shoal_tsp_run_many(cli->devices[0], problems.params, problems.count,
                                                            print_line, cli_stopped, &problems, &error);
        code = problems.code;
        if (status && cli_stopped(NULL))
            code = cli_exit_code(status); /* the command says that it was stopped */
        else if (status && code == CLI_OK)
            code = cli_fail(NULL, &error);
    }
    for (size_t i = 0; i < problems.count; i++)
        free(problems.names[i]);
    free(problems.names);
    free(problems.points);
    free(problems.params);
    return code;
}
