/* Private: the space that a search has its members in.
 *
 * A member is a number for each gene. Where every variable is a plain real these are the coordinates of the
 * point that the objective gets; else reals, whole numbers, bits and places of its genome, which are the
 * point's after search_to_point(): a variable that is coded in bits has several genes.
 */
#ifndef SHOAL_SEARCH_SPACE_H
#define SHOAL_SEARCH_SPACE_H

#include "objective/variables/variables.h"
#include "search/lists.h"
#include "search/problem.h"
#include "workload/checkpoint/checkpoint.h"

/* Reads the variables, sets dimensions, genome and box. The objective is there; what is made is freed with
 * the problem. */
SHOAL_MUST_CHECK enum shoal_status search_space_create(struct search_problem *problem,
                                                       const struct search_lists *lists,
                                                       struct shoal_error *error);

/* A range that is not empty, but is so in the single precision of a device. */
SHOAL_MUST_CHECK enum shoal_status search_box_check_single(const struct search_problem *problem,
                                                           struct shoal_error *error);
/* Equal bounds fix a variable: is gene d of one? And is there one that may leave the box all the same, which
 * is refused? */
bool search_is_fixed(const struct search_problem *problem, size_t d);
SHOAL_MUST_CHECK enum shoal_status search_check_fixed(const struct search_problem *problem, bool leaves_box,
                                                      const char *bounds, struct shoal_error *error);
/* "b" of a model or a list of variables, else "x[2]". */
void search_coordinate_name(const struct search_problem *problem, size_t d, char name[2 * VARIABLES_NAME]);

/* Between dim numbers of a member and point_dim coordinates, repaired where that gives the value alone. */
void search_to_point(const struct search_problem *problem, const double *member, double *point);
/* By how much a move of the objective changes the value of the search; `point`: that of the member. */
double search_change(const struct search_problem *problem, const double *member, const double *point,
                     size_t i, size_t j);
void search_from_point(const struct search_problem *problem, const double *point, double *member);

/* The box in a checkpoint, which another one does not match; an older file may have none. */
void search_box_save(const struct search_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_box_match(const struct search_problem *problem,
                                                    const struct checkpoint *checkpoint,
                                                    struct shoal_error *error);

/* A member at the centre of the box, or at a fraction of the line from there to its lowest or highest corner;
 * of other genes than reals the least number, and the order of the numbers. */
void search_centre(const struct search_problem *problem, double fraction, double *x);

#endif
