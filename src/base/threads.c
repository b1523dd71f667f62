#include "base/threads.h"

#include <math.h>
#include <stdbool.h>

enum {
    SLOW_STEPS = 3, /* in a row: one alone may be that of a new list */
    FIRST_STINT = 256,
    LONGEST_STINT = 16384
};

/* Beyond so many times what one thread is expected to take; that is a guess. */
static const double slow_factor = 3;

void gas_pace_learn(struct gas_pace *pace, double seconds)
{
    if (pace->most == 1)
        return;
    if (pace->left > 0) {
        /* The guess was wrong where the first step alone takes longer still. */
        const bool is_wrong = pace->left == pace->stint && seconds > pace->together_s;
        pace->alone_s = is_wrong ? fmax(pace->alone_s, seconds) : pace->alone_s;
        pace->left = is_wrong ? 0 : pace->left - 1;
        return;
    }
    if (!(seconds > slow_factor * pace->alone_s)) {
        pace->slow = 0;
        return;
    }
    pace->together_s = pace->slow > 0 ? fmin(pace->together_s, seconds) : seconds;
    if (++pace->slow < SLOW_STEPS)
        return;
    pace->slow = 0;
    pace->stint = pace->stint == 0              ? FIRST_STINT
                  : pace->stint < LONGEST_STINT ? 2 * pace->stint
                                                : pace->stint;
    pace->left = pace->stint;
}
