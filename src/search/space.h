/* Private: the space of the members of a search.
 *
 * A member has a number for each gene. If every variable is a plain real, the genes are the coordinates of
 * the point that the objective gets. If not, genes are reals, integers, bits and elements of orders in a
 * genome, and search_to_point() computes the point: a variable that is coded in bits has several genes.
 *
 * An algorithm that rounds (struct search_algorithm) has no genomes: each variable is a real of the member.
 * An integer from a to b is searched from a to b + 1, and rounded down only for the evaluation, so that each
 * integer has the same part of the range (Lampinen and Zelinka 1999).
 */
#ifndef SHOAL_SEARCH_SPACE_H
#define SHOAL_SEARCH_SPACE_H

#include "objective/variables/variables.h"
#include "search/lists.h"
#include "search/problem.h"
#include "workload/checkpoint/checkpoint.h"

/* Reads the variables, and sets dimensions, genome and box. The objective must be set. Arrays are freed with
 * the problem. */
SHOAL_MUST_CHECK enum shoal_status search_space_create(struct search_problem *problem,
                                                       const struct search_lists *lists,
                                                       struct shoal_error *error);

/* search_variables_read, a part of search_space_create, sets the list of variables, from the objective or the
 * parameters, and their number. search_has_bounds: whether each coordinate has its own bound. */
SHOAL_MUST_CHECK enum shoal_status search_variables_read(struct search_problem *problem,
                                                         const struct search_lists *lists,
                                                         struct shoal_error *error);
bool search_has_bounds(const struct search_problem *problem, const struct search_lists *lists);
/* Checks ranges in the single precision of a device. SHOAL_INVALID: the range of a variable that is not fixed
 * would be empty, or some integers of a range would not be representable. */
SHOAL_MUST_CHECK enum shoal_status search_box_check_single(const struct search_problem *problem,
                                                           struct shoal_error *error);
/* Equal bounds fix a variable. search_is_fixed: whether gene d belongs to a fixed variable, or is rounded, so
 * that small changes have no effect. search_check_fixed: fails if there is such a gene and the algorithm may
 * leave the box. */
bool search_is_fixed(const struct search_problem *problem, size_t d);
SHOAL_MUST_CHECK enum shoal_status search_check_fixed(const struct search_problem *problem, bool leaves_box,
                                                      const char *bounds, struct shoal_error *error);
/* Writes the name of a coordinate: its name in a model or a list of variables ("b"), or else "x[2]". */
void search_coordinate_name(const struct search_problem *problem, size_t d, char name[2 * VARIABLES_NAME]);

/* Computes the point, point_dim coordinates, of a member. The point is repaired if only values, not members,
 * are those of repaired points. */
void search_to_point(const struct search_problem *problem, const double *member, double *point);
/* search_change returns the change of the search's value by move (i, j) of the objective; `point` is the
 * point of the member. search_from_point computes a member with the given point. */
double search_change(const struct search_problem *problem, const double *member, const double *point,
                     size_t i, size_t j);
void search_from_point(const struct search_problem *problem, const double *point, double *member);

/* search_box_save writes the box to a checkpoint; search_box_match compares it with the box of a run. Both
 * call the algorithm's functions for its own sections (save_state, check_state). Old files may have no
 * box. */
void search_box_save(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_box_match(const struct search_problem *problem,
                                                    const struct checkpoint *checkpoint,
                                                    struct shoal_error *error);

/* Sets a member to a point on the line from the lowest to the highest corner of the box: fraction -1 is the
 * lowest corner, 0 the centre, 1 the highest corner. Genes other than reals get their lower bound, and orders
 * are ascending. */
void search_centre(const struct search_problem *problem, double fraction, double *x);

#endif
