/* Writes problems to files in TSPLIB format or CSV. */
#include "base/error.h"
#include "base/file.h"
#include "base/packed/pack.h"
#include "io/output.h"
#include "tsp/files/files.h"
#include "tsp/model/ids.h"

#include <math.h>
#include <string.h>

bool tsp_has_extension(const char *path, const char *extension)
{
    return pack_has_ending(file_base_name(path), extension);
}

void tsp_output_id(struct output *output, const struct tsp_problem *problem, uint32_t city)
{
    char id[TSP_ID_MOST + 1];
    tsp_id(problem, city, id, sizeof id);
    if (!id[strcspn(id, ";,\"\t\r\n")] && *id != '#' && *id != ' ' && id[strlen(id) - 1] != ' ') {
        output_add(output, id);
        return;
    }
    text_add(&output->text, "\"");
    for (const char *c = id; *c; c++) {
        text_append(&output->text, c, 1);
        if (*c == '"')
            text_append(&output->text, c, 1);
    }
    output_add(output, "\"");
}

/* Writes an id of the caller as a string, and a default id as a number. */
void tsp_output_json_id(struct output *output, const struct tsp_problem *problem, uint32_t city)
{
    char id[TSP_ID_MOST + 1];
    tsp_id(problem, city, id, sizeof id);
    if (problem->ids)
        output_json_string(output, id);
    else
        output_add(output, id);
}

/* TSPLIB ----------------------------------------------------------------------------------------------- */

static enum shoal_status check_tsplib(const struct tsp_problem *problem, const char *path,
                                      struct shoal_error *error)
{
    const size_t n = problem->n;
    if (problem->metric == SHOAL_TSP_HAVERSINE)
        return fail(error, SHOAL_INVALID, "%s: TSPLIB has no haversine distance: name it .csv", path);
    for (size_t i = 0; problem->matrix && i < n * n; i++)
        if (problem->matrix[i] == SHOAL_TSP_FORBIDDEN && i / n != i % n)
            return fail(error, SHOAL_INVALID, "%s: TSPLIB has no forbidden edges: name it .csv", path);
    return SHOAL_OK;
}

static void write_places(struct output *output, const struct tsp_problem *problem)
{
    /* Coordinates of the metric EUCLID are written in the unit of the problem's distances, in which EUC_2D
     * and EUC_3D give the same distances. */
    const bool is_scaled = problem->metric == SHOAL_TSP_EUCLID;
    const double *places = is_scaled ? problem->form.places : problem->places;
    output_add(output, "NODE_COORD_SECTION\n");
    for (size_t i = 0; i < problem->n; i++) {
        output_printf(output, "%zu", i + 1);
        for (unsigned k = 0; k < problem->dim; k++) {
            output_add(output, " ");
            output_real(output, places[i * problem->dim + k]);
        }
        output_add(output, "\n");
    }
}

static void write_weights(struct output *output, const struct tsp_problem *problem)
{
    const size_t n = problem->n;
    output_printf(output, "EDGE_WEIGHT_FORMAT: %s\nEDGE_WEIGHT_SECTION\n",
                  problem->is_asymmetric ? "FULL_MATRIX" : "LOWER_DIAG_ROW");
    for (size_t i = 0; i < n; i++) {
        const size_t count = problem->is_asymmetric ? n : i + 1;
        for (size_t j = 0; j < count; j++)
            output_printf(output, "%s%ld", j ? " " : "", i == j ? 0L : (long)problem->matrix[i * n + j]);
        output_add(output, "\n");
    }
}

static void write_tsplib(struct output *output, const struct tsp_problem *problem)
{
    const enum shoal_tsp_metric metric = problem->metric != SHOAL_TSP_EUCLID ? problem->metric
                                         : problem->dim == 3                 ? SHOAL_TSP_EUC_3D
                                                                             : SHOAL_TSP_EUC_2D;
    output_printf(output, "NAME: %s\n", problem->name);
    if (problem->comment)
        output_printf(output, "COMMENT: %s\n", problem->comment);
    if (problem->unit != 1) {
        output_add(output, "COMMENT: a unit here is ");
        output_real(output, problem->unit);
        output_add(output, " of the original\n");
    }
    output_printf(output, "TYPE: %s\nDIMENSION: %lu\nEDGE_WEIGHT_TYPE: %s\n",
                  problem->is_asymmetric ? "ATSP" : "TSP", (unsigned long)problem->n,
                  tsplib_metric_name(metric));
    if (problem->matrix)
        write_weights(output, problem);
    else
        write_places(output, problem);
    if (problem->fixed_count)
        output_add(output, "FIXED_EDGES_SECTION\n");
    for (size_t i = 0; i < problem->fixed_count; i++)
        output_printf(output, "%lu %lu\n", (unsigned long)problem->fixed[i][0] + 1,
                      (unsigned long)problem->fixed[i][1] + 1);
    output_add(output, problem->fixed_count ? "-1\nEOF\n" : "EOF\n");
}

/* CSV -------------------------------------------------------------------------------------------------- */

static void write_rows(struct output *output, const struct tsp_problem *problem)
{
    const bool is_globe = tsp_is_globe(problem->metric);
    output_add(output, problem->ids ? "id," : "");
    output_add(output, is_globe ? "lat,lon\n" : problem->dim == 3 ? "x,y,z\n" : "x,y\n");
    for (uint32_t i = 0; i < problem->n; i++) {
        if (problem->ids)
            tsp_output_id(output, problem, i);
        for (unsigned k = 0; k < problem->dim; k++) {
            output_add(output, k || problem->ids ? "," : "");
            output_real(output, problem->places[(size_t)i * problem->dim + k]);
        }
        output_add(output, "\n");
    }
}

static void write_matrix(struct output *output, const struct tsp_problem *problem)
{
    const uint32_t n = problem->n;
    for (uint32_t i = 0; i < n && problem->ids; i++) {
        output_add(output, ",");
        tsp_output_id(output, problem, i);
    }
    output_add(output, problem->ids ? "\n" : "");
    for (uint32_t i = 0; i < n; i++) {
        if (problem->ids) {
            tsp_output_id(output, problem, i);
            output_add(output, ",");
        }
        for (uint32_t j = 0; j < n; j++) {
            const int32_t distance = i == j ? 0 : problem->matrix[(size_t)i * n + j];
            if (distance == SHOAL_TSP_FORBIDDEN)
                output_add(output, "inf");
            else
                output_real(output, tsp_in_unit(problem, distance));
            output_add(output, j + 1 < n ? "," : "\n");
        }
    }
}

static enum shoal_status check_csv(const struct tsp_problem *problem, const char *path,
                                   struct shoal_error *error)
{
    if (problem->fixed_count)
        return fail(error, SHOAL_INVALID, "%s: CSV has no fixed edges: name it .tsp", path);
    if (problem->matrix && problem->n == 2)
        return fail(error, SHOAL_INVALID, "%s: two rows of two numbers in CSV are points: name it .tsp",
                    path);
    return SHOAL_OK;
}

enum shoal_status tsp_write_problem(const struct tsp_problem *problem, const char *path,
                                    struct shoal_error *error)
{
    struct output output;
    const bool is_tsplib = tsp_has_extension(path, ".tsp") || tsp_has_extension(path, ".atsp");
    if (!is_tsplib && !tsp_has_extension(path, ".csv"))
        return fail(
            error, SHOAL_INVALID,
            "%s: name it .tsp, .atsp (TSPLIB) or .csv, to say what to write, with .gz behind it to pack "
            "it",
            path);
    const enum shoal_status status =
        is_tsplib ? check_tsplib(problem, path, error) : check_csv(problem, path, error);
    if (status)
        return status;
    output_open(&output, path);
    if (is_tsplib)
        write_tsplib(&output, problem);
    else if (problem->matrix)
        write_matrix(&output, problem);
    else
        write_rows(&output, problem);
    return output_close(&output, true, error);
}
