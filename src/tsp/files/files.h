/* Private: problems and tours in files, generated problems, and published lengths.
 *
 * A function that reads a problem gets a struct of zeros. It sets name, comment, n, metric, dim, places or
 * matrix, is_asymmetric, unit, unit_name, fixed edges and ids. After a failure the caller frees what the
 * function has allocated. Each function checks coordinates and distances while it reads them, so that
 * messages can name the line.
 */
#ifndef SHOAL_TSP_FILES_H
#define SHOAL_TSP_FILES_H

#include "io/cursor.h"
#include "tsp/model/problem.h"

/* Reads the problem from the file params->data. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error);
/* Read a problem from a text in memory: tsp_parse_tsplib in the format of TSPLIB, tsp_parse_csv from CSV. */
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tsplib(const char *text, size_t bytes, const char *name,
                                                    struct tsp_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_csv(const char *text, size_t bytes, const char *name,
                                                 struct tsp_problem *problem, struct shoal_error *error);
/* Reads a problem from a .npy file. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_npy(const char *path, struct tsp_problem *problem,
                                                struct shoal_error *error);
/* Generates the problem whose name is params->generate. */
SHOAL_MUST_CHECK enum shoal_status tsp_generate(struct tsp_problem *problem, struct shoal_error *error);

/* Read a tour into `tour`: tsp_read_tour from a file of any supported format, tsp_parse_tour and
 * tsp_parse_tsplib_tour from a text in memory. The tour must be a permutation of all cities; the functions do
 * not check whether it has the fixed edges and ends of a path. *tours: number of tours in the file, of which
 * the first is read. *notes: sentences about ignored parts of the file, one in each line, which the caller
 * frees; NULL if there are none or the call failed. */
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

/* Read candidate lists: tsp_read_lists from a file, tsp_parse_lists from a text in memory. *lists: *width
 * cities for each city of the input, in the format of params->neighbour_lists; the caller frees the array. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_lists(const struct tsp_problem *problem, const char *path,
                                                  uint32_t **lists, uint32_t *width,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_lists(const char *text, size_t bytes, const char *name,
                                                   const struct tsp_problem *problem, uint32_t **lists,
                                                   uint32_t *width, struct shoal_error *error);

/* tsp_write_tour writes a tour and tsp_write_problem writes a problem, in the format that belongs to the
 * extension of `path`. `tour` must be a valid tour of the problem. */
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
/* Returns whether `path` ends with `extension`, such as ".csv", in upper or lower case. */
bool tsp_has_extension(const char *path, const char *extension);

/* Returns whether a text is in the format of TSPLIB: whether its first lines have a keyword. */
bool tsp_is_tsplib(const char *text, size_t bytes);

/* The functions tsplib_read_* and tsplib_skip_section begin at `cursor`, in a section of a TSPLIB file. A
 * section ends before a line that begins with a keyword. */
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
/* tsplib_read_places reads a line for each city, with the number of the city, 1 .. n, and `dim` coordinates.
 * If is_checked, it fails if the metric of the problem forbids the coordinates. tsplib_read_matrix reads
 * distances, tsplib_read_fixed reads fixed edges. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_places(struct cursor *cursor,
                                                      const struct tsp_problem *problem, unsigned dim,
                                                      bool is_checked, double **places);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_matrix(struct cursor *cursor, struct tsp_problem *problem,
                                                      enum tsplib_form form, bool may_be_asymmetric);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_fixed(struct cursor *cursor, struct tsp_problem *problem);
/* Reads tours of `n` cities, each of which ends with -1. Writes the first to `tour` if *tours is 0. Adds the
 * number of tours to *tours. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_tours(struct cursor *cursor, uint32_t n, uint32_t *tour,
                                                     size_t *tours);
void tsplib_skip_section(struct cursor *cursor);

/* Returns whether a table without names is a matrix of distances and not a list of points. With the metric
 * AUTO, a table is a matrix if it is square or does not have 2 or 3 columns; a table of 2 columns has
 * points. */
bool tsp_is_matrix(const struct shoal_tsp_params *params, size_t rows, size_t columns);
/* Sets the matrix of a problem to n * n distances, row by row. Integers stay unchanged. Other distances are
 * rounded to multiples of a unit: the smallest power of ten in which all are below 2^30. An infinite distance
 * forbids the edge. Returns SHOAL_IO if a distance is invalid; the message names the pair of cities. */
SHOAL_MUST_CHECK enum shoal_status tsp_set_matrix(struct tsp_problem *problem, const double *distances,
                                                  const char *name, struct shoal_error *error);

/* Finds number of cities and seed of an instance of the DIMACS challenge by its name, such as "E1k.0".
 * Returns false if no instance has the name. */
bool tsp_find_instance(const char *name, uint64_t *n, uint64_t *seed);
/* Returns the best known length of a problem with a published name, or 0 if no length is known. *is_optimal:
 * the length is proven to be the shortest. */
int64_t tsp_known_length(const struct tsp_problem *problem, bool *is_optimal);

/* Returns TSPLIB's name of a metric, such as "EUC_2D", or NULL if TSPLIB does not have the metric. */
const char *tsplib_metric_name(enum shoal_tsp_metric metric);

#endif
