/* Cuts between the shares of a gas. These functions depend only on data that all shares have, so all shares
 * compute the same cuts. */
#include "gas/domains/domains_cut.h"

/* The layer of the particle at `place`. */
static uint32_t layer_of(const struct gas_layers *layers, uint32_t place)
{
    uint32_t low = 0, high = layers->count; /* the layer is one of low .. high - 1 */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (layers->firsts[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct gas_range gas_layers_of(const struct gas_layers *layers, struct gas_range own)
{
    return (struct gas_range){layer_of(layers, own.begin), layer_of(layers, own.end - 1) + 1};
}

/* Let F(l) be the place of the first particle of layer l in the last sort. In the next sort this place is at
 * least F(l - 1) and at most F(l + 1), apart from particles that cross the periodic border of the box: those
 * that cross it from the last layer to the first one, or in the other direction, shift all places. */
struct gas_range gas_layers_next(const struct gas_layers *layers, struct gas_range own)
{
    const uint32_t count = layers->count, n = layers->firsts[count];
    const uint32_t come = layers->is_periodic ? n - layers->firsts[count - 1] : 0;
    const uint32_t leave = layers->is_periodic ? layers->firsts[1] : 0;
    uint32_t low = 0, high = count;
    if (own.begin >= come)
        low = layer_of(layers, own.begin - come);
    if (own.end - 1 < n - leave)
        high = layer_of(layers, own.end - 1 + leave) + 1;
    return (struct gas_range){low > 0 ? low - 1 : 0, high < count ? high + 1 : count};
}

struct gas_ranges gas_layers_around(const struct gas_layers *layers, struct gas_range own, uint32_t more)
{
    const uint32_t count = layers->count, low = own.begin, high = own.end;
    const uint32_t before = low < more ? 0 : low - more, behind = count - high < more ? count : high + more;
    /* Two ranges of cells to sort must have two cells between them; a single layer may have fewer cells. */
    if (layers->is_periodic && high - low + 2 * more + 1 >= count)
        return (struct gas_ranges){{{0, count}}, 1};
    if (layers->is_periodic && low < more)
        return (struct gas_ranges){{{0, behind}, {count - (more - low), count}}, 2};
    if (layers->is_periodic && count - high < more)
        return (struct gas_ranges){{{0, more - (count - high)}, {before, count}}, 2};
    return (struct gas_ranges){{{before, behind}}, 1};
}

struct gas_range gas_layers_inner(const struct gas_layers *layers, struct gas_range own, uint32_t more)
{
    const uint32_t first = own.begin + more + 1, end = own.end > more + 1 ? own.end - more - 1 : 0;
    if (first >= end)
        return (struct gas_range){0, 0};
    return (struct gas_range){layers->firsts[first], layers->firsts[end]};
}

struct gas_ranges gas_layers_blocks(const struct gas_layers *layers, const struct gas_ranges *some)
{
    struct gas_ranges blocks = {.count = 0};
    for (size_t i = 0; i < some->count; i++) {
        const struct gas_range *range = &some->list[i];
        const struct gas_range found = {layers->firsts[range->begin] / GAS_UNIT,
                                        div_up(layers->firsts[range->end], GAS_UNIT)};
        if (found.end > found.begin)
            blocks.list[blocks.count++] = found;
    }
    return blocks;
}

/* Cost of a particle in units of the cost of a neighbour in its list. Measured on an H200 for a step,
 * including a part of a rebuild: 35 ps for a particle and 2 to 3 ps for each of its neighbours. */
static const double particle_cost = 16;

/* The cuts move if the cost of a share is larger than its part of the total cost by more than this factor. */
static const double most_imbalance = 1.02;

static double cost_of(const struct gas_layers *layers, uint32_t layer)
{
    return (double)layers->neighbours[layer] +
           particle_cost * (double)(layers->before[layer + 1] - layers->before[layer]);
}

/* Returns the cost of all particles before `place`, where all particles of a layer have the mean cost of the
 * layer. */
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

/* Returns the place for which the cost of all particles before it is `wanted`. */
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
