/* shoal tsp: files of the best tour, a line for each improved tour, and the check of a given tour. */
#include "cli/output/files/endings.h"

#include "base/counted.h"
#include "cli/run/rescue.h"
#include "cli/tsp/data.h"
#include "cli/tsp/fields.h"
#include "cli/tsp/picture.h"
#include "cli/tsp/problems.h"
#include "cli/tsp/thesis.h"
#include "cli/tsp/verify.h"
#include "cli/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The output of one run. */
struct output {
    struct piece_files *files;
    struct piece_file *anytime; /* NULL: not asked for */
};

struct values {
    struct workload_values common; /* must be first: the options of every workload */
    const char *out, *anytime, *check, *problems;
    struct thesis_values thesis;
    struct output *run; /* output of the run in progress; NULL: no run is in progress */
};

#define FIELD(name) offsetof(struct values, name)

static const struct shoal_option options[] = {
    {.name = "out",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(out),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "write the best tour: .tour (TSPLIB), .txt (an id on each line), .csv, .json, .geojson, or a "
             "picture, .svg or .png"},
    {.name = "anytime",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(anytime),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN,
     .help = "write a line of JSON for each better tour: iterations, tours, kicks of lk, length, gap to the "
             "optimum, seconds"},
    {.name = "check",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(check),
     .unit = "FILE",
     .flags = SHOAL_OPTION_READS,
     .help = "measure the tour of this file and make no run; exit code 6 if the file holds no tour of the "
             "problem"},
    {.name = "problems",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(problems),
     .unit = "PATH",
     .flags = SHOAL_OPTION_READS,
     .help =
         "find a tour for each of many problems, several at once, on the host or by --device on one device, "
         "and print a line of JSON for each: a folder, a list of files and names of --generate, a .npy of "
         "problems x cities x 2, or uniform:N:1..1000 with seeds"},
    THESIS_ROWS};

static const struct values *values_of(const struct cli *cli)
{
    return cli->values;
}

/* Better tours ----------------------------------------------------------------------------------------- */

static const char line_begins[] = "{\"steps\":";

static enum piece next_line(struct piece_reader *reader, uint64_t *step)
{
    if (!piece_line(reader))
        return PIECE_NONE;
    return piece_begins(reader->line, line_begins) &&
                   piece_count(reader->line + sizeof line_begins - 1, ",", step)
               ? PIECE_WHOLE
               : PIECE_STRANGE;
}

static void on_better(void *data, const struct shoal_tsp_better *better)
{
    struct output *output = data;
    if (!piece_files_at(output->files, better->steps))
        return;
    cJSON *json = cJSON_CreateObject();
    cli_json_uint(json, "steps", better->steps);
    cli_json_uint(json, "tours", better->tours);
    if (better->kicks)
        cli_json_uint(json, "kicks", better->kicks);
    cli_json_real(json, "length", better->length_in_unit);
    cli_json_real(json, "gap", better->gap);
    /* The time comes last, so that equal runs have equal lines up to the time. */
    cli_json_real(json, "seconds", better->seconds);
    char *text = cJSON_PrintUnformatted(json), *line = cli_sprintf("%s\n", text);
    piece_write(output->files, output->anytime, line, strlen(line));
    free(text);
    cJSON_Delete(json);
}

static int row_begin(struct cli *cli, struct cli_row *row, struct piece_files *files)
{
    struct values *values = cli->values;
    struct shoal_tsp_params *params = cli->params;
    if (!values->anytime)
        return CLI_OK;
    struct output *output = values->run = cli_alloc(sizeof *output);
    char *name = cli_row_path(cli, row, values->anytime);
    *output = (struct output){.files = files, .anytime = piece_files_add(files, name, next_line, 1)};
    free(name);
    params->on_better = on_better;
    params->better_data = output;
    return output->anytime ? CLI_OK : cli_fail("--anytime", &files->error);
}

/* The best tour ---------------------------------------------------------------------------------------- */

struct tour_file {
    const struct shoal_tsp_problem *problem;
    const uint32_t *tour;
};

static enum shoal_status write_tour(void *data, const char *path, struct shoal_error *error)
{
    const struct tour_file *file = data;
    return shoal_tsp_write_tour(file->problem, file->tour, path, error);
}

/* Writes the ids of the tour to another file if the format of --out cannot hold the problem: for a problem
 * from standard input this is only known after the run. */
static int keep_ids(const char *path, const char *why, struct tour_file *file)
{
    char *rescued = run_rescue(path, ".txt", write_tour, file);
    const int code =
        rescued ? cli_error(CLI_FAILURE, "--out: %s; the ids of the tour were written to %s", why, rescued)
                : cli_error(CLI_FAILURE, "--out: %s", why);
    free(rescued);
    return code;
}

static int write_out(const char *path, const char *title, struct tour_file *file)
{
    struct shoal_error error = {0};
    if (tsp_is_picture(path) && shoal_tsp_get_info(file->problem)->dim)
        return tsp_draw("--out", path, title, file->problem, file->tour);
    if (tsp_is_picture(path))
        return keep_ids(path, "the problem is a matrix, whose cities have no places to draw", file);
    const enum shoal_status status = write_tour(file, path, &error);
    if (status == SHOAL_INVALID || status == SHOAL_UNSUPPORTED)
        return keep_ids(path, error.message, file);
    return status ? run_write("--out", path, write_tour, file) : CLI_OK;
}

/* Data that a row keeps for its output. */
struct kept {
    char *out;   /* the file that --out wrote; NULL: none */
    cJSON *tour; /* ids of the best tour, which row_json moves to the JSON; NULL: moved, or no tour */
};

static int take_tour(const struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const struct shoal_tsp_problem *problem = shoal_tsp_problem_of(solver);
    const size_t cities = shoal_tsp_get_info(problem)->cities;
    const char *out = values_of(cli)->out;
    struct kept *kept = row->kept;
    struct shoal_error error;
    int64_t length;
    if (!out && !cli->common.json)
        return CLI_OK;
    uint32_t *tour = cli_alloc(cities * sizeof *tour);
    char *path = out ? cli_row_path(cli, row, out) : NULL, *title = cli_row_title(row);
    const bool has_tour = shoal_tsp_best(solver, tour, cities, &length, &error) == SHOAL_OK;
    int code = has_tour ? CLI_OK : cli_fail("--out", &error);
    if (has_tour && path)
        code = write_out(path, title, &(struct tour_file){problem, tour});
    if (has_tour && path && code == CLI_OK)
        kept->out = cli_strdup(path);
    if (has_tour && cli->common.json) {
        kept->tour = tsp_json_tour(problem, tour);
    }
    free(title);
    free(path);
    free(tour);
    return code;
}

static void row_print(const struct cli_row *row)
{
    const struct kept *kept = row->kept;
    if (kept && kept->out)
        cli_print("\ntour in %s\n", kept->out);
}

static bool is_better(const struct cli_row *row, const struct cli_row *other)
{
    return row->result.value < other->result.value;
}

static void row_json(cJSON *object, const struct cli_row *row)
{
    struct kept *kept = row->kept;
    if (!kept)
        return;
    if (kept->tour)
        cJSON_AddItemToObject(object, "tour", kept->tour);
    kept->tour = NULL;
}

static void row_free(struct cli_row *row)
{
    struct kept *kept = row->kept;
    if (kept) {
        free(kept->out);
        cJSON_Delete(kept->tour);
    }
    free(kept);
    row->kept = NULL;
}

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    struct values *values = cli->values;
    if (solver)
        row->kept = cli_alloc(sizeof(struct kept));
    int code = solver && cli_row_has_result(row) ? take_tour(cli, row, solver) : CLI_OK;
    if (solver && cli_row_has_result(row))
        code = cli_first_failure(code, thesis_write_history(cli, row, solver));
    if (!cli_row_is_abandoned(cli, row)) {
        free(values->run);
        values->run = NULL;
    }
    return code;
}

/* Check of a tour -------------------------------------------------------------------------------------- */

static void print_check(const struct cli *cli, const struct shoal_tsp_info *info, int64_t length,
                        size_t tours)
{
    const double in_unit = tsp_length_of(info, length);
    const double gap = info->optimum ? (double)length / (double)info->optimum - 1 : NAN;
    if (cli->common.json) {
        cJSON *json = cli_json_new("tsp");
        cli_json_text(json, "problem", info->name);
        cli_json_text(json, "tour", values_of(cli)->check);
        cli_json_uint(json, "cities", info->cities);
        cli_json_real(json, "length", in_unit);
        cli_json_text(json, "unit_name", info->unit_name);
        cli_json_real(json, "gap", gap);
        cli_json_uint(json, "tours", tours);
        cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
        cli_json_print(json);
        return;
    }
    cli_print("problem  %s, %s\ntour     %s\n", info->name, counted(info->cities, "city").s,
              values_of(cli)->check);
    printf("length   %s%s%s\n", cli_exact(in_unit, false).s, *info->unit_name ? " " : "", info->unit_name);
    if (info->optimum)
        printf("gap      %.4f %%\n", 100 * gap);
}

static int check_tour(const struct cli *cli, const struct shoal_tsp_problem *problem)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    const char *path = values_of(cli)->check;
    uint32_t *tour = cli_alloc(info->cities * sizeof *tour);
    struct shoal_error error;
    int64_t length;
    size_t tours;
    int code = CLI_OK;
    cli_notes(cli, info->notes);
    char *notes = NULL;
    if (shoal_tsp_read_tour_file(problem, path, tour, &tours, &notes, &error))
        code = cli_fail("--check", &error);
    else if (shoal_tsp_check(problem, tour, info->cities, &length, &error))
        code = cli_error(CLI_CHECK, "%s: %s", path, error.message);
    else
        print_check(cli, info, length, tours);
    if (code == CLI_OK && tours > 1)
        cli_note(cli, "%s holds %zu tours: the first is measured", path, tours);
    if (notes)
        cli_notes(cli, notes);
    free(notes);
    free(tour);
    return code;
}

static bool instead(struct cli *cli, int *code)
{
    struct shoal_tsp_problem *problem;
    struct shoal_error error;
    if (values_of(cli)->problems) {
        *code = tsp_run_problems(cli, values_of(cli)->problems);
        return true;
    }
    if (!values_of(cli)->check)
        return false;
    if (shoal_tsp_open(cli->params, &problem, &error)) {
        *code = cli_fail(NULL, &error);
        return true;
    }
    *code = check_tour(cli, problem);
    shoal_tsp_close(&problem);
    return true;
}

static int check(struct cli *cli)
{
    const struct values *values = values_of(cli);
    static const char *const endings[] = {".tour", ".txt", ".csv", ".json", ".geojson"};
    if (values->problems && tsp_check_problems(cli))
        return CLI_USAGE;
    bool is_known = values->out && (cli_ends_with(values->out, ".svg") || cli_ends_with(values->out, ".png"));
    for (size_t i = 0; values->out && i < sizeof endings / sizeof *endings; i++)
        is_known = is_known || cli_has_format(values->out, endings[i]);
    if (values->out && !is_known)
        return cli_error(CLI_USAGE,
                         "--out: the ending of '%s' names no format; use .tour, .txt, .csv, .json, "
                         ".geojson, with .gz behind it for a packed file, .svg or .png",
                         values->out);
    if (values->out && !cli_check_output("--out", values->out, false))
        return CLI_FAILURE;
    if (thesis_check(cli))
        return CLI_FAILURE;
    return values->anytime ? piece_check("--anytime", values->anytime, next_line) : CLI_OK;
}

static int complete(struct cli *cli, struct cli_groups *groups)
{
    return thesis_complete(cli, groups, &values_of(cli)->thesis);
}

static bool print(struct cli *cli, const struct cli_row *rows, size_t count)
{
    return thesis_print(cli, &values_of(cli)->thesis, rows, count);
}

const struct report tsp_report = {.workload = "tsp",
                                  .uses = tsp_uses,
                                  .documents = "tsp quality-tsp",
                                  .fields = {tsp_fields},
                                  .other_fields = tsp_check_fields,
                                  .data_fields = tsp_data_fields,
                                  .options = options,
                                  .option_count = sizeof options / sizeof *options,
                                  .values_size = sizeof(struct values),
                                  .complete = complete,
                                  .print = print,
                                  .check = check,
                                  .instead = instead,
                                  .data = tsp_data,
                                  .row_begin = row_begin,
                                  .row_end = row_end,
                                  .row_print = row_print,
                                  .row_json = row_json,
                                  .row_free = row_free,
                                  .is_better = is_better,
                                  .checks = tsp_checks,
                                  .absent = THESIS_ABSENT};
