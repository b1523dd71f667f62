/* Probabilities as thresholds for random words: docs/ga.md, "Random numbers", "Mutation", "Selection". */
#include "ga/model/rates.h"
#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the threshold for a probability: an event happens if a random word is below it. */
static uint32_t threshold(double probability)
{
    return (uint32_t)floor(probability * THRESHOLD_ONE);
}

/* Returns the probability that an event of probability p happens in at least one of k + 1 trials. */
static double within(double p, size_t k)
{
    return -expm1((double)(k + 1) * log1p(-p));
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Returns RATE_DECAY, the bits of a float: see cl/ga/layout.clh. */
static uint32_t decay_bits(const struct ga_rates *rates, size_t line)
{
    const double keys = rates->mutation * THRESHOLD_ONE;
    const float decay = rates->one_gene   ? keys > 0 ? (float)((double)line / keys) : 0.F
                        : rates->gene > 0 ? (float)fmax(M_LN2 / log1p(-rates->gene), -FLT_MAX)
                                          : -FLT_MAX;
    return bits_of(decay);
}

/* Fills the entries of a table that follow its thresholds. The thresholds must be in ascending order. */
static void complete_table(uint32_t *table, size_t line)
{
    uint32_t place = 0;
    table[line] = table[line + 1] = UINT32_MAX;
    for (uint32_t part = 0; part < RATE_GUIDE; part++) {
        while (table[place] <= part << (31 - RATE_GUIDE_BITS))
            place++;
        table[RATE_GUIDE_AT(line) + part] = place;
    }
}

void ga_fill_rates(const struct ga_rates *rates, size_t line, uint32_t *words)
{
    uint32_t *first = words + RATE_TABLES, *next = words + RATE_NEXT(line);
    words[RATE_CROSS] = threshold(rates->crossover);
    words[RATE_MUTATE] = threshold(rates->mutation);
    words[RATE_DECAY] = decay_bits(rates, line);
    words[RATE_SCALE] = bits_of((float)(1 / fmax(1, words[RATE_MUTATE])));
    for (size_t k = 0; k < line; k++) {
        const double gene = rates->one_gene ? (double)(k + 1) / (double)line : within(rates->gene, k);
        first[k] = threshold(rates->mutation * gene);
        next[k] = rates->one_gene ? 0 : threshold(gene);
    }
    complete_table(first, line);
    complete_table(next, line);
}

void ga_fill_ranks(const struct shoal_ga_params *params, uint32_t *ranks)
{
    const double members = (double)params->population, s = params->pressure, base = log(params->rank_base);
    for (size_t r = 0; r < params->population; r++) {
        const double place = (double)r;
        double sum = (place + 1) / members;
        if (params->selection == SHOAL_GA_LINEAR_RANK)
            sum *= s - (s - 1) * place / (members - 1);
        else if (base < 0)
            sum = expm1((place + 1) * base) / expm1(members * base);
        ranks[r] = r + 1 < params->population ? threshold(fmin(sum, 1)) : THRESHOLD_ONE;
    }
}

enum shoal_status ga_read_rates(const char *option, const char *list, size_t count, double *out,
                                struct shoal_error *error)
{
    size_t found = 0;
    for (const char *text = list;; found++) {
        char *end;
        const double rate = strtod(text, &end);
        if (end == text || (*end && *end != ','))
            return fail(error, SHOAL_INVALID, "--%s: \"%.20s\" is no number: write 0.6,0.7,0.8", option,
                        text);
        if (!(rate >= 0 && rate <= 1))
            return fail(error, SHOAL_INVALID, "--%s: %g is no probability: it must be 0 to 1", option, rate);
        if (found < count)
            out[found] = rate;
        if (!*end) {
            found++;
            break;
        }
        text = end + 1;
    }
    if (found == count)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "--%s has %zu numbers for %zu islands: give one for each", option,
                found, count);
}
