/* Private: how the number of members decreases over the budget of a run: docs/de.md. */
#ifndef SHOAL_DE_SCHEDULE_H
#define SHOAL_DE_SCHEDULE_H

#include <shoal/de.h>

/* Steps 0 and 1 have `first` members; step s has first ratio^(s - 1), rounded, but at least `last`. So each
 * evaluation removes the same fraction of a member, which is the linear reduction of L-SHADE. */
struct de_schedule {
    double first, last, ratio;
};

struct de_schedule de_schedule_of(const struct shoal_de_params *params);
/* Number of members that make trials in step `step`. */
double de_schedule_members(const struct de_schedule *schedule, double step);
/* Returns the first step with fewer than `members` members, from step 2 on; INFINITY: there is none. */
double de_schedule_fall(const struct de_schedule *schedule, double members);
/* Number of evaluations of an island in the steps 0 .. `steps`. */
double de_schedule_evaluations(const struct de_schedule *schedule, double steps);
/* Returns the first step after which an island has made this number of evaluations. */
double de_schedule_steps(const struct de_schedule *schedule, double evaluations);

#endif
