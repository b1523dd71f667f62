#include "split/balance.h"

#include <math.h>

/* LEAST_LOOKS: number of the look since the last move at which the balance decides for the first time, since
 * the steps of the first looks run with cold caches. LEAST_WANTS: number of consecutive looks that must find
 * a reason to move. */
enum { LEAST_LOOKS = 3, LEAST_WANTS = 2 };
/* Least gain of a move, as a fraction of the time of a step: times of steps vary by some per cent. */
static const double least_gain = 0.06;
/* Least weight of the latest look in a mean over looks, since the speed of a part may change in a long
 * run. */
static const double least_weight = 0.1;

/* Returns the mean over the looks since the last move. before: mean of the `looks` looks before this look;
 * now: value of this look. */
static double mean_of(double before, double now, unsigned looks)
{
    return looks ? before + fmax(least_weight, 1.0 / (looks + 1)) * (now - before) : now;
}

static double slowest_of(const struct balance_part *parts, size_t count)
{
    double slowest = 0;
    for (size_t k = 0; k < count; k++)
        slowest = fmax(slowest, (double)parts[k].units * parts[k].unit_s);
    return slowest;
}

/* Sets `units` of all parts so that the slowest part, by the times measured so far, is as fast as possible. A
 * part gets no units if it would take longer for a single unit than the other parts take for all units. */
static void divide(struct balance_part *parts, size_t count)
{
    double rates = 0;
    uint64_t units = 0;
    for (size_t k = 0; k < count; k++) {
        rates += 1 / parts[k].unit_s;
        units += parts[k].units;
    }
    uint64_t left = units;
    for (size_t k = 0; k < count; k++) {
        const double exact = (double)units / (parts[k].unit_s * rates);
        parts[k].units = exact < (double)left ? (uint64_t)exact : left;
        left -= parts[k].units;
    }
    for (; left; left--) {
        size_t best = 0;
        for (size_t k = 1; k < count; k++)
            if ((double)(parts[k].units + 1) * parts[k].unit_s <
                (double)(parts[best].units + 1) * parts[best].unit_s)
                best = k;
        parts[best].units++;
    }
}

/* Adds the times of a look to the means. False: the time of some part is not known yet. */
static bool measure(struct balance *balance, struct balance_part *parts, size_t count, uint64_t steps)
{
    double slowest = 0;
    bool are_known = true;
    for (size_t k = 0; k < count; k++) {
        struct balance_part *part = &parts[k];
        slowest = fmax(slowest, part->busy_s);
        if (part->units && part->busy_s > 0) {
            const double now = part->busy_s / ((double)steps * (double)part->units);
            part->unit_s = mean_of(part->unit_s, now, balance->looks);
        }
        are_known = are_known && part->unit_s > 0;
    }
    balance->step_s = mean_of(balance->step_s, slowest / (double)steps, balance->looks);
    balance->looks++;
    return are_known;
}

static bool has_moved(struct balance *balance)
{
    balance->looks = balance->wants = 0;
    return true;
}

/* Judges the last move. If steps have not become faster by at least half of least_gain, the balance is
 * settled, and the units move back if that gains more time than the move costs. Returns whether they move
 * back. */
static bool judge_move(struct balance *balance, struct balance_part *parts, size_t count, double steps_left,
                       double move_s)
{
    const double lost = balance->step_s - balance->before_s;
    const bool is_good = lost < -0.5 * least_gain * balance->before_s;
    balance->before_s = 0;
    if (is_good)
        return false;
    balance->is_settled = true;
    if (lost * steps_left <= move_s)
        return false;
    for (size_t k = 0; k < count; k++)
        parts[k].units = parts[k].before;
    return has_moved(balance);
}

bool balance_look(struct balance *balance, struct balance_part *parts, size_t count, uint64_t steps,
                  double steps_left, double move_s)
{
    if (balance->is_settled || !steps || !measure(balance, parts, count, steps) ||
        balance->looks < LEAST_LOOKS)
        return false;
    if (balance->before_s > 0)
        return judge_move(balance, parts, count, steps_left, move_s);
    for (size_t k = 0; k < count; k++)
        parts[k].before = parts[k].units;
    const double now = slowest_of(parts, count);
    divide(parts, count);
    const double gain = now - slowest_of(parts, count);
    const bool is_wanted = gain > least_gain * now && gain * steps_left > move_s;
    balance->wants = is_wanted ? balance->wants + 1 : 0;
    if (balance->wants >= LEAST_WANTS) {
        balance->before_s = balance->step_s;
        return has_moved(balance);
    }
    for (size_t k = 0; k < count; k++)
        parts[k].units = parts[k].before;
    return false;
}
