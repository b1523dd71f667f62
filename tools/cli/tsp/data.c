/* shoal data tsp: shows a problem and writes it in another format. */
#include "cli/tsp/data.h"

#include "base/counted.h"

#include "cli/output/files/endings.h"
#include "cli/tsp/picture.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct values {
    const char *generate, *out;
    int32_t metric, header;
};

/* Names in the order of enum shoal_tsp_metric. */
static const char *const metrics[] = {"auto",   "euc_2d",    "euc_3d", "ceil_2d", "man_2d",
                                      "man_3d", "max_2d",    "max_3d", "att",     "geo",
                                      "euclid", "haversine", "matrix", "geom",    NULL};

static const char *const headers[] = {"auto", "no", "yes", NULL}; /* enum shoal_header */

static const struct shoal_option options[] = {
    {"generate", SHOAL_OPTION_TEXT, offsetof(struct values, generate), "NAME", 0, 0, NULL,
     "cities at random in place of a file: E1k.0 and its like of the DIMACS challenge, uniform:N:SEED, "
     "clustered:N:SEED"},
    {"metric", SHOAL_OPTION_CHOICE, offsetof(struct values, metric), "NAME", 0, 0, metrics,
     "metric: the distance of two cities; auto: the metric of the file, else euclid, for latitudes and "
     "longitudes haversine"},
    {"header", SHOAL_OPTION_CHOICE, offsetof(struct values, header), "", 0, 0, headers,
     "whether the first line of a CSV names its columns; auto: the content of the file decides"},
    {"out", SHOAL_OPTION_TEXT, offsetof(struct values, out), "FILE", 0, 0, NULL,
     "write the problem: .tsp or .atsp (TSPLIB), or .csv", .flags = SHOAL_OPTION_WRITES},
};

static const struct shoal_example examples[] = {
    {"shoal data tsp pr1002.tsp", "size, distance, ranges of the coordinates, known optimum"},
    {"shoal data tsp --generate E10k.0 --out E10k.0.tsp",
     "an instance of the DIMACS challenge as a TSPLIB file"},
};

static const char *name_of(enum shoal_tsp_metric metric)
{
    return metrics[metric];
}

/* Finds the least and the greatest coordinate along an axis. */
static void find_range(const struct shoal_tsp_problem *problem, unsigned axis, double *least,
                       double *greatest)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    const double *points = shoal_tsp_points(problem);
    *least = INFINITY;
    *greatest = -INFINITY;
    for (size_t i = 0; i < info->cities; i++) {
        *least = fmin(*least, points[i * info->dim + axis]);
        *greatest = fmax(*greatest, points[i * info->dim + axis]);
    }
}

double tsp_length_of(const struct shoal_tsp_info *info, int64_t length)
{
    /* Divides by the inverse of a unit below 1: powers of ten below 1 are not exact as doubles, but their
     * inverses are. */
    return info->unit < 1 ? (double)length / rint(1 / info->unit) : (double)length * info->unit;
}

static int print_json(const struct shoal_tsp_problem *problem, const char *out)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "problem", info->name);
    if (info->comment)
        cli_json_text(json, "comment", info->comment);
    cli_json_uint(json, "cities", info->cities);
    cli_json_text(json, "metric", name_of(info->metric));
    cJSON_AddBoolToObject(json, "asymmetric", info->is_asymmetric);
    cli_json_uint(json, "fixed_edges", info->fixed_edges);
    cli_json_real(json, "unit", info->unit);
    cli_json_text(json, "unit_name", info->unit_name);
    cli_json_real(json, "optimum", info->optimum ? tsp_length_of(info, info->optimum) : NAN);
    cJSON_AddBoolToObject(json, "optimal", info->is_optimal);
    cJSON *ranges = cJSON_AddArrayToObject(json, "ranges");
    for (unsigned axis = 0; axis < info->dim; axis++) {
        double range[2];
        find_range(problem, axis, &range[0], &range[1]);
        cli_json_reals(ranges, NULL, range, 2);
    }
    cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
    if (out)
        cli_json_text(json, "file", out);
    return cli_json_print(json);
}

static void print_text(const struct shoal_tsp_problem *problem, const char *out)
{
    static const char *const axes[] = {"x", "y", "z"}, *const degrees[] = {"lat", "lon"};
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    struct stat about;
    cli_print("problem  %s\n", info->name);
    if (info->comment)
        cli_print("comment  %s\n", info->comment);
    printf("cities   %" PRIu32 "\nmetric   %s%s\n", info->cities, name_of(info->metric),
           info->is_asymmetric ? ", asymmetric" : "");
    if (info->unit != 1)
        printf("unit     %s%s%s\n", cli_exact(info->unit, false).s, *info->unit_name ? " " : "",
               info->unit_name);
    for (unsigned axis = 0; axis < info->dim; axis++) {
        double least, greatest;
        find_range(problem, axis, &least, &greatest);
        printf("%-8s %s to %s\n", tsp_is_on_earth(info) ? degrees[axis] : axes[axis],
               cli_exact(least, false).s, cli_exact(greatest, false).s);
    }
    if (info->fixed_edges)
        printf("fixed    %s\n", counted(info->fixed_edges, "edge").s);
    if (info->optimum)
        printf("optimum  %s%s%s, %s\n", cli_exact(tsp_length_of(info, info->optimum), false).s,
               *info->unit_name ? " " : "", info->unit_name, info->is_optimal ? "proven" : "the best known");
    if (!out)
        return;
    cli_print("file     %s\n", out);
    /* A pipe has no size. */
    if (stat(out, &about) == 0 && S_ISREG(about.st_mode))
        printf("size     %s\n", cli_bytes((uint64_t)about.st_size).s);
}

static int show(const struct cli *cli, const struct shoal_tsp_params *params, const char *out)
{
    struct shoal_tsp_problem *problem;
    struct shoal_error error = {0};
    int code = CLI_OK;
    if (shoal_tsp_open(params, &problem, &error))
        return cli_fail(NULL, &error);
    if (out && shoal_tsp_write(problem, out, &error))
        code = cli_fail(NULL, &error);
    else if (cli->common.json)
        code = print_json(problem, out);
    else
        print_text(problem, out);
    if (code == CLI_OK)
        cli_notes(cli, shoal_tsp_get_info(problem)->notes);
    shoal_tsp_close(&problem);
    return code;
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_tsp_params params;
    const char *file = cli->argument_count ? cli->arguments[0] : NULL;
    shoal_tsp_params_init(&params);
    params.data = file;
    params.generate = values->generate;
    params.metric = values->metric;
    params.header = values->header;
    if (!file == !values->generate)
        return cli_error(CLI_USAGE, file ? "both a file and --generate; omit one"
                                         : "no problem; give the name of a file, or --generate NAME");
    if (values->out && !cli_check_output("--out", values->out, false))
        return CLI_FAILURE;
    return show(cli, &params, values->out);
}

static const struct cli_command command = {
    .name = "data tsp",
    .summary = "show the cities of a problem and write them in another format",
    .description =
        "Reads a problem as shoal tsp does, from TSPLIB, CSV or .npy (-: standard input), or generates a "
        "problem. Shows the properties of the problem, and writes the problem to --out.",
    .takes = CLI_TAKES_JSON,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .argument = "FILE",
    .max_arguments = 1,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .when_stopped = "nothing was written",
    .run = run};

const struct cli_command *tsp_data(void)
{
    return &command;
}

/* The number of cities that the first lines of a tour file declare; 0: no number is declared. */
static unsigned long declared_cities(const char *path)
{
    char text[4096] = "";
    unsigned long cities = 0;
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    if (!file)
        return 0;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *at = strstr(text, "DIMENSION");
    if (at)
        cities = strtoul(at + strcspn(at, "0123456789\n"), NULL, 10);
    else if (cli_has_format(path, ".sol"))
        cities = strtoul(text, NULL, 10);
    return cities;
}

/* Adds the use as a tour: the file is checked with a generated problem of the declared number of cities. */
static void try_tour(const char *path, struct cli_uses *uses)
{
    enum { LEAST = 3, MOST = 1000000 };
    const unsigned long cities = declared_cities(path);
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    struct shoal_error error = {0};
    if (cities < LEAST || cities > MOST)
        return;
    double *points = cli_alloc(2 * cities * sizeof *points);
    uint32_t *tour = cli_alloc(cities * sizeof *tour);
    for (unsigned long i = 0; i < cities; i++)
        points[2 * i] = (double)i;
    shoal_tsp_params_init(&params);
    params.points = points;
    params.count = cities;
    params.dim = 2;
    if (!shoal_tsp_open(&params, &problem, &error)) {
        if (!shoal_tsp_read_tour(problem, path, tour, &error))
            cli_uses_add(uses, "tsp --tour", cli_sprintf("tour of %s", counted(cities, "city").s), NULL);
        shoal_tsp_close(&problem);
    }
    free(points);
    free(tour);
}

void tsp_uses(const struct cli_data_file *file, struct cli_uses *uses)
{
    static const char command_option[] = "tsp --data";
    struct shoal_tsp_params params;
    struct shoal_tsp_problem *problem;
    struct shoal_error error = {0};
    shoal_tsp_params_init(&params);
    params.data = file->table.path;
    params.header = file->table.header;
    try_tour(params.data, uses);
    if (shoal_tsp_open(&params, &problem, &error)) {
        cli_uses_refuse(uses, command_option, &error);
        return;
    }
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    cli_uses_add(uses, command_option,
                 info->dim ? cli_sprintf("%s, %s each", counted(info->cities, "city").s,
                                         counted(info->dim, "coordinate").s)
                           : cli_sprintf("%s, a matrix of distances%s", counted(info->cities, "city").s,
                                         info->is_asymmetric ? ", asymmetric" : ""),
                 info->notes);
    shoal_tsp_close(&problem);
}

/* The id of a city as JSON: a number if the id is a number (cities without names), else a text. */
static cJSON *json_id(const struct shoal_tsp_problem *problem, uint32_t city)
{
    enum { MOST_DIGITS = 15 }; /* digits of an integer that a double holds */
    char id[256];
    shoal_tsp_id(problem, city, id, sizeof id);
    const size_t digits = strspn(id, "0123456789");
    const bool is_number = digits && !id[digits] && digits <= MOST_DIGITS && (id[0] != '0' || digits == 1);
    return is_number ? cJSON_CreateNumber(strtod(id, NULL)) : cJSON_CreateString(id);
}

cJSON *tsp_json_tour(const struct shoal_tsp_problem *problem, const uint32_t *tour)
{
    cJSON *json = cJSON_CreateArray();
    for (size_t i = 0; i < shoal_tsp_get_info(problem)->cities; i++)
        cJSON_AddItemToArray(json, json_id(problem, tour[i]));
    return json;
}
