/* Tours as files. */
#include "base/error.h"
#include "base/integer.h"
#include "io/output.h"
#include "tsp/files/files.h"
#include "tsp/model/ids.h"

#include <math.h>

/* Cities in their order; a leg leads to the next one, that of the last city of a closed tour to the first. */
struct job {
    struct output output;
    const struct tsp_problem *problem;
    const uint32_t *tour;
};

static uint32_t leg_count(const struct tsp_problem *problem)
{
    return problem->n - problem->is_path;
}

static int64_t leg(const struct job *job, uint32_t place)
{
    const uint32_t n = job->problem->n;
    if (place >= leg_count(job->problem) || n == 1)
        return 0;
    return tsp_input_distance(job->problem, job->tour[place], job->tour[(place + 1) % n]);
}

static void write_tsplib(struct job *job)
{
    const struct tsp_problem *problem = job->problem;
    output_printf(&job->output,
                  "NAME: %s.tour\nCOMMENT: Length %lld\nTYPE: TOUR\nDIMENSION: %lu\nTOUR_SECTION\n",
                  problem->name, (long long)tsp_length(problem, job->tour, NULL), (unsigned long)problem->n);
    for (uint32_t i = 0; i < problem->n; i++)
        output_printf(&job->output, "%lu\n", (unsigned long)job->tour[i] + 1);
    output_add(&job->output, "-1\nEOF\n");
}

static void write_ids(struct job *job)
{
    char id[TSP_ID_MOST + 1];
    for (uint32_t i = 0; i < job->problem->n; i++) {
        tsp_id(job->problem, job->tour[i], id, sizeof id);
        output_printf(&job->output, "%s\n", id);
    }
}

static void write_csv(struct job *job)
{
    int64_t sum = 0;
    output_add(&job->output, "place,id,leg,cumulated\n");
    for (uint32_t i = 0; i < job->problem->n; i++) {
        sum += leg(job, i);
        output_printf(&job->output, "%lu,", (unsigned long)i + 1);
        tsp_output_id(&job->output, job->problem, job->tour[i]);
        output_add(&job->output, ",");
        output_real(&job->output, tsp_in_unit(job->problem, leg(job, i)));
        output_add(&job->output, ",");
        output_real(&job->output, tsp_in_unit(job->problem, sum));
        output_add(&job->output, "\n");
    }
}

/* Numbers as such, names as strings. */
static void write_json_id(struct job *job, uint32_t city)
{
    char id[TSP_ID_MOST + 1];
    tsp_id(job->problem, city, id, sizeof id);
    if (job->problem->ids)
        output_json_string(&job->output, id);
    else
        output_add(&job->output, id);
}

static void write_json(struct job *job)
{
    const struct tsp_problem *problem = job->problem;
    struct output *output = &job->output;
    const uint32_t legs = leg_count(problem);
    int64_t sum = 0;
    output_add(output, "{\n  \"name\": ");
    output_json_string(output, problem->name);
    output_printf(output, ",\n  \"cities\": %lu,\n  \"path\": %s,\n  \"length\": ", (unsigned long)problem->n,
                  problem->is_path ? "true" : "false");
    output_real(output, tsp_in_unit(problem, tsp_length(problem, job->tour, NULL)));
    if (*problem->unit_name)
        output_printf(output, ",\n  \"unit\": \"%s\"", problem->unit_name);
    output_add(output, ",\n  \"order\": [");
    for (uint32_t i = 0; i < problem->n; i++) {
        output_add(output, i ? ", " : "");
        write_json_id(job, job->tour[i]);
    }
    output_add(output, "],\n  \"legs\": [");
    for (uint32_t i = 0; i < legs; i++) {
        output_add(output, i ? ", " : "");
        output_real(output, tsp_in_unit(problem, leg(job, i)));
    }
    output_add(output, "],\n  \"cumulated\": [");
    for (uint32_t i = 0; i < legs; i++) {
        sum += leg(job, i);
        output_add(output, i ? ", " : "");
        output_real(output, tsp_in_unit(problem, sum));
    }
    output_add(output, "]\n}\n");
}

/* GeoJSON (RFC 7946): longitude before latitude. */
static void write_position(struct job *job, uint32_t city)
{
    const struct tsp_problem *problem = job->problem;
    double degrees[2];
    for (unsigned k = 0; k < 2; k++) {
        const double x = problem->places[2 * (size_t)city + k], whole = trunc(x);
        /* TSPLIB's are degrees.minutes. */
        degrees[k] = problem->metric == SHOAL_TSP_GEO ? whole + (x - whole) * 5 / 3 : x;
    }
    output_add(&job->output, "[");
    output_real(&job->output, degrees[1]);
    output_add(&job->output, ", ");
    output_real(&job->output, degrees[0]);
    output_add(&job->output, "]");
}

static void write_geojson(struct job *job)
{
    const struct tsp_problem *problem = job->problem;
    struct output *output = &job->output;
    const uint32_t n = problem->n;
    /* A line has two positions at least. */
    const uint32_t positions = problem->is_path && n > 1 ? n : n + 1;
    output_add(output,
               "{\"type\": \"FeatureCollection\", \"features\": [\n{\"type\": \"Feature\", \"properties\": "
               "{\"name\": ");
    output_json_string(output, problem->name);
    output_add(output, ", \"length\": ");
    output_real(output, tsp_in_unit(problem, tsp_length(problem, job->tour, NULL)));
    output_add(output, "}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [");
    for (uint32_t i = 0; i < positions; i++) {
        output_add(output, i ? ", " : "");
        write_position(job, job->tour[i % n]);
    }
    output_add(output, "]}}");
    for (uint32_t i = 0; i < n; i++) {
        output_add(output, ",\n{\"type\": \"Feature\", \"properties\": {\"id\": ");
        write_json_id(job, job->tour[i]);
        output_printf(output, ", \"place\": %lu}, \"geometry\": {\"type\": \"Point\", \"coordinates\": ",
                      (unsigned long)i + 1);
        write_position(job, job->tour[i]);
        output_add(output, "}}");
    }
    output_add(output, "\n]}\n");
}

static const struct {
    const char *extension;
    void (*write)(struct job *job);
} formats[] = {{".tour", write_tsplib},
               {".txt", write_ids},
               {".csv", write_csv},
               {".json", write_json},
               {".geojson", write_geojson}};

enum shoal_status tsp_write_tour(const struct tsp_problem *problem, const uint32_t *tour, const char *path,
                                 struct shoal_error *error)
{
    struct job job = {.problem = problem, .tour = tour};
    const bool is_globe = tsp_is_globe(problem->metric);
    size_t i = 0;
    while (i < COUNT(formats) && !tsp_has_extension(path, formats[i].extension))
        i++;
    if (i == COUNT(formats))
        return fail(error, SHOAL_INVALID, "%s: name a tour .tour (TSPLIB), .txt, .csv, .json or .geojson",
                    path);
    if (formats[i].write == write_geojson && !is_globe)
        return fail(
            error, SHOAL_INVALID,
            "%s: GeoJSON is of latitudes and longitudes, %s has other distances: name it .csv or .json", path,
            problem->name);
    output_open(&job.output, path);
    formats[i].write(&job);
    return output_close(&job.output, true, error);
}
