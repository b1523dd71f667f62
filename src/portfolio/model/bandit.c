#include "portfolio/model/bandit.h"

#include <math.h>

/* discount: epochs before the last 1 / (1 - discount) count little. width: weight of exploration against
 * exploitation. Of two arms, an arm that gains in each of its epochs gets nine epochs of ten if the other arm
 * never gains. */
static const double discount = 0.98, width = 0.5;

void bandit_note(struct bandit_record *records, size_t count, size_t arm, double gain)
{
    for (size_t i = 0; i < count; i++) {
        records[i].tries *= discount;
        records[i].wins *= discount;
    }
    records[arm].tries += 1;
    records[arm].wins += gain;
}

double bandit_index(const struct bandit_record *records, size_t count, size_t arm)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += records[i].tries;
    const double tries = records[arm].tries;
    if (tries == 0)
        return INFINITY;
    return records[arm].wins / tries + 2 * sqrt(width * log(fmax(all, 1)) / tries);
}
