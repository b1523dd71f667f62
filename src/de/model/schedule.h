/* Private: how the number of members falls over the budget of a run: docs/de.md. */
#ifndef SHOAL_DE_SCHEDULE_H
#define SHOAL_DE_SCHEDULE_H

#include <shoal/de.h>

/* Step 0 and step 1 have `first` members, step s has first ratio^(s - 1), rounded, but at least `last`. So
 * each evaluation takes away the same part of a member: the linear reduction of L-SHADE. */
struct de_schedule {
    double first, last, ratio;
};

struct de_schedule de_schedule_of(const struct shoal_de_params *params);
/* Number of members that make trials in step `step`. */
double de_schedule_members(const struct de_schedule *schedule, double step);
/* The first step with fewer than `members` members, from step 2 on; INFINITY: there is none. */
double de_schedule_fall(const struct de_schedule *schedule, double members);
/* Evaluations of an island in the steps 0 .. `steps`. */
double de_schedule_evaluations(const struct de_schedule *schedule, double steps);
/* The first step after which an island has made so many evaluations. */
double de_schedule_steps(const struct de_schedule *schedule, double evaluations);

#endif
