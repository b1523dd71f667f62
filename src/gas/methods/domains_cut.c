/* Cuts between the shares of a gas. These functions depend only on data that all shares have. */
#include "gas/methods/domains_cut.h"

/* Cost of a particle in units of the cost of a neighbour. Measured on an H200 in each step: 35 ps for a
 * particle and 2 to 3 ps for each of its neighbours, including their part of the rebuilds. */
static const double particle_cost = 16;

/* The cuts move if the cost of a share exceeds its part of all costs by this factor. */
static const double most_imbalance = 1.02;

static double cost_of(const struct gas_layers *layers, uint32_t layer)
{
    return (double)layers->neighbours[layer] +
           particle_cost * (double)(layers->before[layer + 1] - layers->before[layer]);
}

/* Cost of the particles before `place`. All particles of a layer have the same cost. */
static double cost_before(const struct gas_layers *layers, double place)
{
    double sum = 0;
    for (uint32_t k = 0; k < layers->count; k++) {
        const double first = layers->firsts[k], end = layers->firsts[k + 1];
        if (place >= end)
            sum += cost_of(layers, k);
        else if (place > first)
            sum += cost_of(layers, k) * (place - first) / (end - first);
    }
    return sum;
}

/* The place before which the particles cost `wanted`. */
static double place_of(const struct gas_layers *layers, double wanted)
{
    double sum = 0;
    for (uint32_t k = 0; k < layers->count; k++) {
        const double cost = cost_of(layers, k), first = layers->firsts[k], end = layers->firsts[k + 1];
        if (sum + cost >= wanted && cost > 0)
            return first + (end - first) * (wanted - sum) / cost;
        sum += cost;
    }
    return layers->firsts[layers->count];
}

static bool are_balanced(const struct gas_layers *layers, const uint64_t *cuts, const uint64_t *shares,
                         size_t count)
{
    const double all = cost_before(layers, layers->firsts[layers->count]);
    for (size_t k = 0; k < count; k++) {
        const double cost = cost_before(layers, (double)(cuts[k + 1] * GAS_UNIT)) -
                            cost_before(layers, (double)(cuts[k] * GAS_UNIT));
        const double part = all * (double)(shares[k + 1] - shares[k]) / (double)shares[count];
        if (cost > most_imbalance * part)
            return false;
    }
    return true;
}

bool gas_domains_cut(const struct gas_layers *layers, const uint64_t *shares, size_t count, uint64_t *cuts)
{
    const uint64_t blocks = shares[count];
    const double all = cost_before(layers, layers->firsts[layers->count]);
    bool have_moved = false;
    if (are_balanced(layers, cuts, shares, count))
        return false;
    for (size_t k = 1; k < count; k++) {
        const double place = place_of(layers, all * (double)shares[k] / (double)blocks);
        const uint64_t cut = (uint64_t)(place / GAS_UNIT + 0.5);
        const uint64_t now = clamped(cut, cuts[k - 1] + 1, blocks - (count - k));
        have_moved = have_moved || now != cuts[k];
        cuts[k] = now;
    }
    return have_moved;
}
