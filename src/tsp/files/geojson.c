/* Writes tours as GeoJSON (RFC 7946), with longitudes before latitudes. Where a line crosses the meridian of
 * 180 degrees, it is cut into two lines (section 3.1.9). */
#include "base/error.h"
#include "io/output.h"
#include "tsp/files/files.h"

#include <math.h>
#include <stdlib.h>

static void add_position(struct output *output, const double position[2])
{
    output_add(output, "[");
    output_real(output, position[0]);
    output_add(output, ", ");
    output_real(output, position[1]);
    output_add(output, "]");
}

/* The line of a tour, cut into parts that do not cross the meridian of 180 degrees. */
struct parts {
    double (*positions)[2];
    size_t count;
    size_t *begins; /* index of the first position of each part */
    size_t part_count;
};

static void add(struct parts *parts, double longitude, double latitude)
{
    parts->positions[parts->count][0] = longitude;
    parts->positions[parts->count++][1] = latitude;
}

/* Ends the current part and begins a new part. If the ended part has only one position, it is dropped, since
 * it is no line. */
static void cut(struct parts *parts)
{
    const size_t begin = parts->begins[parts->part_count - 1];
    if (parts->count - begin < 2)
        parts->count = begin;
    else
        parts->begins[parts->part_count++] = parts->count;
}

/* Adds a position to the line. From the preceding position the line goes in the direction of the shorter
 * longitude difference, if necessary across the meridian of 180 degrees. */
static void go(struct parts *parts, const double to[2])
{
    const double *from = parts->positions[parts->count - 1];
    const double east = to[0] - from[0];
    if (fabs(east) > 180) {
        const double side = from[0] < to[0] ? -180 : 180, degrees = 360 - fabs(east);
        const double share = degrees > 0 ? (180 - fabs(from[0])) / degrees : 0;
        const double latitude = from[1] + share * (to[1] - from[1]);
        if (from[0] != side)
            add(parts, side, latitude);
        cut(parts);
        add(parts, -side, latitude);
        if (to[0] == -side)
            return;
    }
    add(parts, to[0], to[1]);
}

static bool set_parts(struct parts *parts, const struct tsp_problem *problem, const uint32_t *tour)
{
    const uint32_t n = problem->n;
    /* The line of a single city also needs two positions. */
    const size_t positions = problem->is_path && n > 1 ? n : (size_t)n + 1;
    double place[2];
    parts->positions = malloc(3 * positions * sizeof *parts->positions);
    parts->begins = malloc(positions * sizeof *parts->begins);
    if (!parts->positions || !parts->begins)
        return false;
    parts->begins[parts->part_count++] = 0;
    tsp_map_position(problem, tour[0], place);
    add(parts, place[0], place[1]);
    for (size_t i = 1; i < positions; i++) {
        tsp_map_position(problem, tour[i % n], place);
        go(parts, place);
    }
    if (parts->part_count > 1 && parts->count - parts->begins[parts->part_count - 1] < 2)
        parts->count = parts->begins[--parts->part_count];
    return true;
}

static void add_line(struct output *output, const struct parts *parts)
{
    const bool is_cut = parts->part_count > 1;
    output_printf(output, "{\"type\": \"%s\", \"coordinates\": %s[",
                  is_cut ? "MultiLineString" : "LineString", is_cut ? "[" : "");
    for (size_t i = 0, part = 0; i < parts->count; i++) {
        const bool begins = i == parts->begins[part];
        output_add(output, !i ? "" : begins ? "], [" : ", ");
        part += begins && part + 1 < parts->part_count;
        add_position(output, parts->positions[i]);
    }
    output_add(output, is_cut ? "]]}" : "]}");
}

enum shoal_status tsp_write_geojson(struct output *output, const struct tsp_problem *problem,
                                    const uint32_t *tour, struct shoal_error *error)
{
    struct parts parts = {0};
    const bool has_memory = set_parts(&parts, problem, tour);
    if (has_memory) {
        output_add(
            output,
            "{\"type\": \"FeatureCollection\", \"features\": [\n{\"type\": \"Feature\", \"properties\": "
            "{\"name\": ");
        output_json_string(output, problem->name);
        output_add(output, ", \"length\": ");
        output_real(output, tsp_in_unit(problem, tsp_length(problem, tour, NULL)));
        output_add(output, "}, \"geometry\": ");
        add_line(output, &parts);
        output_add(output, "}");
    }
    for (uint32_t i = 0; i < problem->n && has_memory; i++) {
        double position[2];
        tsp_map_position(problem, tour[i], position);
        output_add(output, ",\n{\"type\": \"Feature\", \"properties\": {\"id\": ");
        tsp_output_json_id(output, problem, tour[i]);
        output_printf(output, ", \"place\": %lu}, \"geometry\": {\"type\": \"Point\", \"coordinates\": ",
                      (unsigned long)i + 1);
        add_position(output, position);
        output_add(output, "}}");
    }
    output_add(output, "\n]}\n");
    free(parts.positions);
    free(parts.begins);
    return has_memory ? SHOAL_OK : fail_host_memory(error);
}
