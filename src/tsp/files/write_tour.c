/* Writes tours to files. */
#include "base/error.h"
#include "base/integer.h"
#include "io/output.h"
#include "tsp/files/files.h"
#include "tsp/model/ids.h"

/* A tour to write. A leg is an edge of the tour in its direction: leg i leads from city i to city i + 1, and
 * the last leg of a closed tour leads to city 0. */
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

/* Writes a row for each city, with the leg that ends at this city. A closed tour has one more row, with its
 * first city. */
static void write_csv(struct job *job)
{
    const struct tsp_problem *problem = job->problem;
    const uint32_t rows = leg_count(problem) + 1;
    int64_t sum = 0;
    output_add(&job->output, "place,id,leg,cumulated\n");
    for (uint32_t i = 0; i < rows; i++) {
        const int64_t arriving = i ? leg(job, i - 1) : 0;
        sum += arriving;
        output_printf(&job->output, "%lu,", (unsigned long)i + 1);
        tsp_output_id(&job->output, problem, job->tour[i % problem->n]);
        output_add(&job->output, ",");
        output_real(&job->output, tsp_in_unit(problem, arriving));
        output_add(&job->output, ",");
        output_real(&job->output, tsp_in_unit(problem, sum));
        output_add(&job->output, "\n");
    }
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
        tsp_output_json_id(output, problem, job->tour[i]);
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

static const struct {
    const char *extension;
    void (*write)(struct job *job); /* NULL: the extension needs tsp_write_geojson instead */
} formats[] = {{".tour", write_tsplib},
               {".txt", write_ids},
               {".csv", write_csv},
               {".json", write_json},
               {".geojson", NULL}};

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
    if (!formats[i].write && !is_globe)
        return fail(
            error, SHOAL_INVALID,
            "%s: GeoJSON is of latitudes and longitudes, %s has other distances: name it .csv or .json", path,
            problem->name);
    output_open(&job.output, path);
    enum shoal_status status = SHOAL_OK;
    if (formats[i].write)
        formats[i].write(&job);
    else
        status = tsp_write_geojson(&job.output, problem, tour, error);
    const enum shoal_status closed = output_close(&job.output, !status, status ? NULL : error);
    return status ? status : closed;
}
