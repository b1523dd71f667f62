/* Private: decides, by measured times alone, how the units of a run are divided among its parts. */
#ifndef SHOAL_SPLIT_BALANCE_H
#define SHOAL_SPLIT_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units and measured times of a part of the run. */
struct balance_part {
    uint64_t units;  /* units of the part now */
    uint64_t before; /* units before the last move */
    /* seconds in which the part worked since the last look; the caller sets it before each look */
    double busy_s;
    double unit_s; /* mean over some looks of the seconds of a step divided by the units; 0: not known */
};

/* State of the balance. Zeros at the beginning. */
struct balance {
    unsigned looks;  /* number of looks since the last move */
    unsigned wants;  /* number of consecutive looks so far that found a reason to move */
    double step_s;   /* mean over some looks of the seconds that a step takes in the slowest part */
    double before_s; /* step_s before the last move; 0: nothing has moved, or the move has been judged */
    bool is_settled; /* no unit moves any more */
};

/* Looks at the times of the last `steps` steps. Returns true if units are to move; parts[k].units are then
 * the new numbers. Units move if, in two consecutive looks, the `steps_left` steps that are left would become
 * faster by more seconds than the move costs (move_s), and by more than noise. If a move has not made steps
 * faster, the units may move back, and then stay. */
bool balance_look(struct balance *balance, struct balance_part *parts, size_t count, uint64_t steps,
                  double steps_left, double move_s);

#endif
