/* Private: how the units of a run move between its parts, as a function of measured times alone. */
#ifndef SHOAL_SPLIT_BALANCE_H
#define SHOAL_SPLIT_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units and measured times of a part. */
struct balance_part {
    uint64_t units;  /* units of the part now */
    uint64_t before; /* units before the last move */
    double busy_s;   /* seconds in which the part worked since the last look; set before each look */
    double unit_s;   /* seconds of a step for each unit, over some looks; 0: not known */
};

/* State of the balance. Zeros at the beginning. */
struct balance {
    unsigned looks;  /* number of looks since the last move */
    unsigned wants;  /* number of consecutive looks that found a reason to move */
    double step_s;   /* seconds of a step of the slowest part, over some looks */
    double before_s; /* step_s before the last move; 0: nothing was moved, or the move has proved good */
    bool is_settled; /* nothing moves any more */
};

/* Looks at the times of `steps` steps. Returns true if units are to move; the members `units` then have the
 * new numbers. Units move if the steps that are left become faster by more than the move costs, and by more
 * than noise, in two consecutive looks. If a move has made steps no faster, the units move back, and stay
 * there. */
bool balance_look(struct balance *balance, struct balance_part *parts, size_t count, uint64_t steps,
                  double steps_left, double move_s);

#endif
