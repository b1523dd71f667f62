/* Private: the space of the members of a search.
 *
 * A member has a number for each gene. If every variable is a plain real, the genes are the coordinates of
 * the point at which the objective is evaluated. If not, a member is a genome: its genes are reals, integers,
 * bits and elements of orders, and search_to_point() computes the point. A variable that is coded in bits has
 * several genes.
 *
 * An algorithm that rounds (`rounds` of struct search_algorithm) has no genomes: each variable is a real of
 * the member. An integer variable from a to b is searched as a real from a to b + 1, which is rounded down
 * for the evaluation, so that each integer has the same part of the range (Lampinen and Zelinka 1999).
 */
#ifndef SHOAL_SEARCH_SPACE_H
#define SHOAL_SEARCH_SPACE_H

#include "objective/variables/variables.h"
#include "search/lists.h"
#include "search/problem.h"
#include "workload/checkpoint/checkpoint.h"

/* Reads the variables, and sets dimensions, genome and box of the problem, whose objective must be set. The
 * arrays are freed with the problem. */
SHOAL_MUST_CHECK enum shoal_status search_space_create(struct search_problem *problem,
                                                       const struct search_lists *lists,
                                                       struct shoal_error *error);

/* search_variables_read: a part of search_space_create, which sets the list of variables, from the objective
 * or the parameters, and the number of variables. search_has_bounds: whether the user gives a bound for each
 * coordinate. */
SHOAL_MUST_CHECK enum shoal_status search_variables_read(struct search_problem *problem,
                                                         const struct search_lists *lists,
                                                         struct shoal_error *error);
bool search_has_bounds(const struct search_problem *problem, const struct search_lists *lists);
/* Checks the ranges as the single precision of a device represents them. SHOAL_INVALID: a range that is not
 * fixed would be empty, or some integers of a range cannot be represented. */
SHOAL_MUST_CHECK enum shoal_status search_box_check_single(const struct search_problem *problem,
                                                           struct shoal_error *error);
/* search_is_fixed: whether small changes of gene d have no effect, since its variable is fixed by equal
 * bounds, or since it is rounded. search_check_fixed: fails if there is such a gene and the algorithm may
 * leave the box; bounds: names of the bounds in the message. */
bool search_is_fixed(const struct search_problem *problem, size_t d);
SHOAL_MUST_CHECK enum shoal_status search_check_fixed(const struct search_problem *problem, bool leaves_box,
                                                      const char *bounds, struct shoal_error *error);
/* Writes the name of a coordinate: its name in a model or a list of variables, such as "b"; if it has none,
 * "x[2]". */
void search_coordinate_name(const struct search_problem *problem, size_t d, char name[2 * VARIABLES_NAME]);

/* Computes the point of a member, [point_dim]. The point is repaired if the parameters ask for repaired
 * values of members that stay as they are. */
void search_to_point(const struct search_problem *problem, const double *member, double *point);
/* search_change: returns by how much move (i, j) of the objective changes the search's value; point: the
 * point of the member. search_from_point: computes a member whose point is `point`. */
double search_change(const struct search_problem *problem, const double *member, const double *point,
                     size_t i, size_t j);
void search_from_point(const struct search_problem *problem, const double *point, double *member);
/* Converts a member of the search `from` to a member of the search `to` with the same variables; point:
 * scratch, [point_dim]. Only one of the searches may round coordinates and the other have genomes. */
void search_convert(const struct search_problem *from, const double *member, const struct search_problem *to,
                    double *converted, double *point);

/* search_box_save: writes the box to a checkpoint. search_box_match: compares the box in a checkpoint with
 * the box of the problem; an old file may have none. The functions also call save_state and check_state of
 * the algorithm. */
void search_box_save(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_box_match(const struct search_problem *problem,
                                                    const struct checkpoint *checkpoint,
                                                    struct shoal_error *error);

/* Sets a member to a point on the line from the lowest to the highest corner of the box: fraction -1 is the
 * lowest corner, 0 the centre, 1 the highest corner. Genes other than reals get their lower bound, and an
 * order gets its items in ascending order. */
void search_centre(const struct search_problem *problem, double fraction, double *x);

#endif
