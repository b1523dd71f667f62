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

/* The file params->data. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error);
/* Read a text in memory: TSPLIB, or CSV. */
SHOAL_MUST_CHECK enum shoal_status tsp_parse_tsplib(const char *text, size_t bytes, const char *name,
                                                    struct tsp_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_csv(const char *text, size_t bytes, const char *name,
                                                 struct tsp_problem *problem, struct shoal_error *error);
/* A .npy file. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_npy(const char *path, struct tsp_problem *problem,
                                                struct shoal_error *error);
/* params->generate. */
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

/* Candidate lists of a file: `*lists` receives `*width` cities for each of the input's, as
 * params->neighbour_lists, to be freed. */
SHOAL_MUST_CHECK enum shoal_status tsp_read_lists(const struct tsp_problem *problem, const char *path,
                                                  uint32_t **lists, uint32_t *width,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_parse_lists(const char *text, size_t bytes, const char *name,
                                                   const struct tsp_problem *problem, uint32_t **lists,
                                                   uint32_t *width, struct shoal_error *error);

/* In the format of the extension; the tour is one of the problem. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_tour(const struct tsp_problem *problem, const uint32_t *tour,
                                                  const char *path, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status tsp_write_problem(const struct tsp_problem *problem, const char *path,
                                                     struct shoal_error *error);
struct output;
/* An id as a field of CSV, and as a value of JSON. */
void tsp_output_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
void tsp_output_json_id(struct output *output, const struct tsp_problem *problem, uint32_t city);
/* Of latitudes and longitudes. */
SHOAL_MUST_CHECK enum shoal_status tsp_write_geojson(struct output *output, const struct tsp_problem *problem,
                                                     const uint32_t *tour, struct shoal_error *error);
bool tsp_has_extension(const char *path, const char *extension); /* ".csv", in any case */

/* Is the text one of TSPLIB, by a key in its first lines? */
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
/* Tours of `n` cities, each ended by -1: the first of a file into `tour`, their number is added to
 * `*tours`. */
SHOAL_MUST_CHECK enum shoal_status tsplib_read_tours(struct cursor *cursor, uint32_t n, uint32_t *tour,
                                                     size_t *tours);
void tsplib_skip_section(struct cursor *cursor);

/* Is a table without names a matrix? Otherwise it has points; a square of 2 rows has points, too. */
bool tsp_is_matrix(const struct shoal_tsp_params *params, size_t rows, size_t columns);
/* n * n distances, row by row: whole ones as they are, others in the smallest power of ten in which they are
 * below 2^30. Infinite: forbidden. SHOAL_IO names the pair. */
SHOAL_MUST_CHECK enum shoal_status tsp_set_matrix(struct tsp_problem *problem, const double *distances,
                                                  const char *name, struct shoal_error *error);

/* Number of cities and seed of an instance of the DIMACS challenge, from its name; false: the name is of no
 * instance. */
bool tsp_find_instance(const char *name, uint64_t *n, uint64_t *seed);
/* The best known length, found by the name of the problem, and whether it is proven; 0: not known. */
int64_t tsp_known_length(const struct tsp_problem *problem, bool *is_optimal);

/* The name of a metric in TSPLIB, "EUC_2D"; NULL: TSPLIB has none. */
const char *tsplib_metric_name(enum shoal_tsp_metric metric);

#endif
