/*  Private: the space in which a search has its members.
 *
 * A member is a number for each gene. Where every variable is a plain real, genes are the coordinates of the
 * point that the objective gets. Else genes are reals, whole numbers, bits and places of a genome, and
 * search_to_point() makes the point of them: a variable that is coded in bits has several genes.
 *
 * An algorithm that rounds (struct search_algorithm) has no genomes: each variable is a real of the member.
 * A whole number from a to b is searched from a to b + 1 and rounded down for the evaluation alone, so that
 * each whole number has the same share of the range (Lampinen and Zelinka 1999).
 */
#ifndef SHOAL_SEARCH_SPACE_H
#define SHOAL_SEARCH_SPACE_H

#include "objective/variables/variables.h"
#include "search/lists.h"
#include "search/problem.h"
#include "workload/checkpoint/checkpoint.h"

/* Reads the variables, sets dimensions, genome and box. The objective must exist. The arrays are freed with
 * the problem. */
SHOAL_MUST_CHECK enum shoal_status search_space_create(struct search_problem *problem,
                                                       const struct search_lists *lists,
                                                       struct shoal_error *error);

/* Takes the list of variables from the objective or from the parameters, and the number of variables; a part
 * of search_space_create. search_has_bounds: does each coordinate have a bound of its own? */
SHOAL_MUST_CHECK enum shoal_status search_variables_read(struct search_problem *problem,
                                                         const struct search_lists *lists,
                                                         struct shoal_error *error);
bool search_has_bounds(const struct search_problem *problem, const struct search_lists *lists);
/* SHOAL_INVALID: in the single precision of a device, a range that is not empty becomes empty, or some whole
 * numbers of a range do not exist. */
SHOAL_MUST_CHECK enum shoal_status search_box_check_single(const struct search_problem *problem,
                                                           struct shoal_error *error);
/* Equal bounds fix a variable. search_is_fixed: does gene d belong to a fixed variable, or is it rounded, so
 * that small changes mean nothing? search_check_fixed: refuses fixed variables where the algorithm may leave
 * the box. */
bool search_is_fixed(const struct search_problem *problem, size_t d);
SHOAL_MUST_CHECK enum shoal_status search_check_fixed(const struct search_problem *problem, bool leaves_box,
                                                      const char *bounds, struct shoal_error *error);
/* Writes the name of a coordinate: the name in a model or a list of variables ("b"), else "x[2]". */
void search_coordinate_name(const struct search_problem *problem, size_t d, char name[2 * VARIABLES_NAME]);

/* Makes a point of point_dim coordinates from the dim numbers of a member. The point is repaired where
 * members stay unrepaired and only their values come from repaired points. */
void search_to_point(const struct search_problem *problem, const double *member, double *point);
/* Change of the value of the search that move (i, j) of the objective causes; `point` is the member's
 * point. */
double search_change(const struct search_problem *problem, const double *member, const double *point,
                     size_t i, size_t j);
void search_from_point(const struct search_problem *problem, const double *point, double *member);

/* Write the box to a checkpoint, and compare it with the box of a run; also what the algorithm itself says
 * about the problem (save_state, check_state). Older files may have no box. */
void search_box_save(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_box_match(const struct search_problem *problem,
                                                    const struct checkpoint *checkpoint,
                                                    struct shoal_error *error);

/* Makes a member at the centre of the box, or on the line from the centre to the lowest or highest corner,
 * at a fraction of the line. Other genes than reals get their least number, an order the order of the
 * numbers. */
void search_centre(const struct search_problem *problem, double fraction, double *x);

#endif
