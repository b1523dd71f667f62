/* Private: problems and tours in files, generated problems, published lengths.
 *
 * A reader fills of a problem that begins with zeros: name, comment, n, metric, dim, places or matrix,
 * is_asymmetric, unit, unit_name, fixed edges, ids. After a failure the caller frees what there is. Places
 * and distances are checked as they are read, so that messages name the line.
 */
#ifndef SHOAL_TSP_FILES_H
#define SHOAL_TSP_FILES_H

#include "io/cursor.h"
#include "tsp/model/problem.h"

/* Reads the file params->data. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error);
/* Read a text in memory: TSPLIB, or CSV. */
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tsplib(const char *text, size_t bytes, const char *name,
                                                    struct tsp_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_csv(const char *text, size_t bytes, const char *name,
                                                 struct tsp_problem *problem, struct shoal_error *error);
/* Reads a .npy file. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_npy(const char *path, struct tsp_problem *problem,
                                                struct shoal_error *error);
/* Generates the problem that params->generate names. */
SHOAL_MUST_CHECK enum shoal_status tsp_generate(struct tsp_problem *problem, struct shoal_error *error);

/* Reads a permutation of all cities into `tour`, without checking ends and fixed edges. If the file has
 * several tours, reads the first; *tours receives their number. *notes: what was left out, one sentence a
 * line, which the caller frees; NULL: nothing, also after a failure. */
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

/* Reads candidate lists from a file. `*lists` receives `*width` cities for each city of the input, as
 * params->neighbour_lists has; the caller frees the lists. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_lists(const struct tsp_problem *problem, const char *path,
                                                  uint32_t **lists, uint32_t *width,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_lists(const char *text, size_t bytes, const char *name,
                                                   const struct tsp_problem *problem, uint32_t **lists,
                                                   uint32_t *width, struct shoal_error *error);

/* Writes a tour in the format of the extension of `path`. `tour` must be a tour of the problem. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_tour(const struct tsp_problem *problem, const uint32_t *tour,
                                                  const char *path, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_write_problem(const struct tsp_problem *problem, const char *path,
                                                     struct shoal_error *error);
struct output;
/* Writes an id as a field of CSV, or as a value of JSON. */
void tsp_output_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
void tsp_output_json_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
/* Writes the tour of a problem whose places are latitudes and longitudes as GeoJSON. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_geojson(struct output *output, const struct tsp_problem *problem,
                                                     const uint32_t *tour, struct shoal_error *error);
/* whether the extension of `path` is `extension`, such as ".csv", in upper or lower case */
bool tsp_has_extension(const char *path, const char *extension);

/* Whether the text is in the format of TSPLIB: a key is in its first lines. */
bool tsp_is_tsplib(const char *text, size_t bytes);

/* Behind `cursor`, the sections of TSPLIB. They end before a line that begins with a key. */
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
/* Reads a line for each city, its number 1 .. n and `dim` numbers, into `places`; checks them by the metric
 * of the problem if `is_checked`. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_places(struct cursor *cursor,
                                                      const struct tsp_problem *problem, unsigned dim,
                                                      bool is_checked, double **places);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_matrix(struct cursor *cursor, struct tsp_problem *problem,
                                                      enum tsplib_form form, bool may_be_asymmetric);
SHOAL_MUST_CHECK enum shoal_status tsplib_read_fixed(struct cursor *cursor, struct tsp_problem *problem);
/* Reads tours of `n` cities, each ended by -1: `tour` receives the first tour of the file, `*tours` is raised
 * by their number. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_tours(struct cursor *cursor, uint32_t n, uint32_t *tour,
                                                     size_t *tours);
void tsplib_skip_section(struct cursor *cursor);

/* Whether a table without names is a matrix. Otherwise the table has points; a square of 2 rows has points,
 * too. */
bool tsp_is_matrix(const struct shoal_tsp_params *params, size_t rows, size_t columns);
/* Sets a matrix from n * n distances, row by row. Whole numbers stay as they are; others are measured in the
 * smallest power of ten in which they are below 2^30. Infinite distances are forbidden edges. SHOAL_IO: the
 * message names the pair. */
SHOAL_MUST_CHECK enum shoal_status tsp_set_matrix(struct tsp_problem *problem, const double *distances,
                                                  const char *name, struct shoal_error *error);

/* Finds the number of cities and the seed of an instance of the DIMACS challenge by its name. False: no
 * instance has this name. */
bool tsp_find_instance(const char *name, uint64_t *n, uint64_t *seed);
/* The best known length, found by the name of the problem, and whether that length is proven to be the
 * shortest; 0: unknown. */
int64_t tsp_known_length(const struct tsp_problem *problem, bool *is_optimal);

/* The name of a metric in TSPLIB, "EUC_2D"; NULL: TSPLIB has none. */
const char *tsplib_metric_name(enum shoal_tsp_metric metric);

#endif
