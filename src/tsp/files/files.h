/* Private: problems and tours in files, generated problems, and published lengths.
 *
 * A reader gets a problem of zeros, and sets name, comment, n, metric, dim, places or matrix, is_asymmetric,
 * unit, unit_name, fixed edges and ids. After a failure the caller frees what was allocated. Coordinates and
 * distances are checked when they are read, so that messages name the line.
 */
#ifndef SHOAL_TSP_FILES_H
#define SHOAL_TSP_FILES_H

#include "io/cursor.h"
#include "tsp/model/problem.h"

/* Reads the problem in the file params->data. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error);
/* tsp_parse_tsplib and tsp_parse_csv read a problem from a text in memory, in the format of TSPLIB or in
 * CSV. */
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tsplib(const char *text, size_t bytes, const char *name,
                                                    struct tsp_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_csv(const char *text, size_t bytes, const char *name,
                                                 struct tsp_problem *problem, struct shoal_error *error);
/* Reads a problem from a .npy file. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_npy(const char *path, struct tsp_problem *problem,
                                                struct shoal_error *error);
/* Generates the problem that params->generate names. */
SHOAL_MUST_CHECK enum shoal_status tsp_generate(struct tsp_problem *problem, struct shoal_error *error);

/* Read a tour, which must be a permutation of all cities, into `tour`; ends of a path and fixed edges are not
 * checked. tsp_read_tour reads a file of any format, tsp_parse_tour and tsp_parse_tsplib_tour read a text in
 * memory. *tours receives the number of tours; if there are several, the first is read. *notes: on ignored
 * parts of the file, one sentence in each line, to be freed by the caller; NULL: there are none, or the call
 * failed. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_tour(const struct tsp_problem *problem, const char *path,
                                                 uint32_t *tour, size_t *tours, char **notes,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tour(const char *text, size_t bytes, const char *name,
                                                  const struct tsp_problem *problem, uint32_t *tour,
                                                  size_t *tours, char **notes, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tsplib_tour(const char *text, size_t bytes, const char *name,
                                                         const struct tsp_problem *problem, uint32_t *tour,
                                                         size_t *tours, char **notes,
                                                         struct shoal_error *error);

/* Read candidate lists from a file, or from a text in memory. `*lists` receives `*width` cities for each city
 * of the input, in the format of params->neighbour_lists; the caller frees the lists. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_lists(const struct tsp_problem *problem, const char *path,
                                                  uint32_t **lists, uint32_t *width,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_lists(const char *text, size_t bytes, const char *name,
                                                   const struct tsp_problem *problem, uint32_t **lists,
                                                   uint32_t *width, struct shoal_error *error);

/* tsp_write_tour writes a tour, tsp_write_problem a problem, in the format of the extension of `path`. `tour`
 * must be a tour of the problem. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_tour(const struct tsp_problem *problem, const uint32_t *tour,
                                                  const char *path, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_write_problem(const struct tsp_problem *problem, const char *path,
                                                     struct shoal_error *error);
struct output;
/* Write the id of a city: tsp_output_id as a field of CSV, tsp_output_json_id as a value of JSON. */
void tsp_output_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
void tsp_output_json_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
/* Writes a tour as GeoJSON. The coordinates of the cities must be latitudes and longitudes. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_geojson(struct output *output, const struct tsp_problem *problem,
                                                     const uint32_t *tour, struct shoal_error *error);
/* Whether the extension of `path` is `extension`, such as ".csv", in upper or lower case. */
bool tsp_has_extension(const char *path, const char *extension);

/* Whether the text is in the format of TSPLIB: its first lines have a keyword. */
bool tsp_is_tsplib(const char *text, size_t bytes);

/* The functions below read sections of TSPLIB from `cursor` on. A section ends before a line that begins with
 * a keyword. */
static inline bool tsplib_is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
enum tsplib_form {
    TSPLIB_NO_FORM,
    TSPLIB_FUNCTION,
    TSPLIB_FULL_MATRIX,
    TSPLIB_UPPER_ROW,
    TSPLIB_LOWER_ROW,
    TSPLIB_UPPER_DIAG_ROW,
    TSPLIB_LOWER_DIAG_ROW,
    TSPLIB_UPPER_COL,
    TSPLIB_LOWER_COL,
    TSPLIB_UPPER_DIAG_COL,
    TSPLIB_LOWER_DIAG_COL
};
/* tsplib_read_places reads a line for each city, with its number 1 .. n and `dim` coordinates, into `places`;
 * if `is_checked`, the metric of the problem must allow the coordinates. tsplib_read_matrix reads the
 * distances, tsplib_read_fixed the fixed edges. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_places(struct cursor *cursor,
                                                      const struct tsp_problem *problem, unsigned dim,
                                                      bool is_checked, double **places);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_matrix(struct cursor *cursor, struct tsp_problem *problem,
                                                      enum tsplib_form form, bool may_be_asymmetric);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_fixed(struct cursor *cursor, struct tsp_problem *problem);
/* Reads tours of `n` cities, each of which ends with -1. If *tours is 0, the first tour is written to `tour`.
 * The number of tours is added to `*tours`. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_tours(struct cursor *cursor, uint32_t n, uint32_t *tour,
                                                     size_t *tours);
void tsplib_skip_section(struct cursor *cursor);

/* Whether a table without names is a matrix. Other tables, and those of 2 rows, have points. */
bool tsp_is_matrix(const struct shoal_tsp_params *params, size_t rows, size_t columns);
/* Sets the matrix of a problem from n * n distances, row by row. Integers are not changed; other distances
 * are rounded to multiples of the smallest power of ten in which they are below 2^30. Infinite distances are
 * forbidden edges. SHOAL_IO: the message names the pair of cities. */
SHOAL_MUST_CHECK enum shoal_status tsp_set_matrix(struct tsp_problem *problem, const double *distances,
                                                  const char *name, struct shoal_error *error);

/* Finds the number of cities and the seed of an instance of the DIMACS challenge by the name of the instance.
 * False: there is no such instance. */
bool tsp_find_instance(const char *name, uint64_t *n, uint64_t *seed);
/* Returns the best known length of a problem, found by its name; 0: unknown. *is_optimal: the length is
 * proven to be the shortest. */
int64_t tsp_known_length(const struct tsp_problem *problem, bool *is_optimal);

/* Returns the name of a metric in TSPLIB, such as "EUC_2D"; NULL: TSPLIB does not have the metric. */
const char *tsplib_metric_name(enum shoal_tsp_metric metric);

#endif
