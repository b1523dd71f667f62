/* Genomes of points: each kind of gene in an array of its own. */
#include "objective/variables/variables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct genome_layout genome_layout(const struct shoal_variables *variables)
{
    struct genome_layout layout = {0};
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        if (group->bits || group->kind == SHOAL_BIT)
            layout.bits += group->count * (group->bits ? group->bits : 1);
        else if (group->kind == SHOAL_REAL)
            layout.reals += group->count;
        else if (group->kind == SHOAL_ORDER)
            layout.places += group->count;
        else
            layout.wholes += group->count;
    }
    layout.words = (layout.bits + 31) / 32;
    return layout;
}

/* Bits first .. first + count - 1 of the genome, the first one highest. */
static uint32_t get_bits(const uint32_t *words, size_t first, unsigned count)
{
    uint32_t code = 0;
    for (size_t i = first; i < first + count; i++)
        code = code << 1 | (words[i / 32] >> i % 32 & 1);
    return code;
}

static void put_bits(uint32_t *words, size_t first, unsigned count, uint32_t code)
{
    for (unsigned i = 0; i < count; i++)
        words[(first + i) / 32] |= (code >> (count - 1 - i) & 1) << (first + i) % 32;
}

void genome_from_point(const struct shoal_variables *variables, const double *x, const struct genome *genome)
{
    struct genome_layout at = {0};
    const size_t words = genome_layout(variables).words;
    if (words)
        memset(genome->words, 0, words * sizeof *genome->words);
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        for (const double *value = x + group->first; value < x + group->first + group->count; value++) {
            if (group->bits) {
                put_bits(genome->words, at.bits, group->bits, variable_code(group, *value));
                at.bits += group->bits;
            } else if (group->kind == SHOAL_BIT) {
                put_bits(genome->words, at.bits++, 1, *value != 0);
            } else if (group->kind == SHOAL_REAL) {
                genome->reals[at.reals++] = *value;
            } else if (group->kind == SHOAL_ORDER) {
                genome->places[at.places++] = (uint16_t)*value;
            } else {
                genome->wholes[at.wholes++] = (int32_t)*value;
            }
        }
    }
}

void genome_to_point(const struct shoal_variables *variables, const struct genome *genome, double *x)
{
    struct genome_layout at = {0};
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        for (double *value = x + group->first; value < x + group->first + group->count; value++) {
            if (group->bits) {
                *value = variable_decoded(group, get_bits(genome->words, at.bits, group->bits));
                at.bits += group->bits;
            } else if (group->kind == SHOAL_BIT) {
                *value = get_bits(genome->words, at.bits++, 1);
            } else if (group->kind == SHOAL_REAL) {
                *value = genome->reals[at.reals++];
            } else if (group->kind == SHOAL_ORDER) {
                *value = genome->places[at.places++];
            } else {
                *value = genome->wholes[at.wholes++];
            }
        }
    }
}

/* Genes of up to so many bytes need no allocation. */
enum { SMALL_GENOME = 4096 };

double genome_apply(const struct shoal_variables *variables, const double *x,
                    double (*function)(const struct genome *genome, const void *data), const void *data)
{
    const struct genome_layout layout = genome_layout(variables);
    double small[SMALL_GENOME / sizeof(double)];
    const size_t bytes = layout.reals * sizeof(double) + (layout.wholes + layout.words) * sizeof(uint32_t) +
                         layout.places * sizeof(uint16_t);
    void *large = bytes > sizeof small ? malloc(bytes) : NULL;
    if (bytes > sizeof small && !large)
        return NAN;
    struct genome genome = {.reals = large ? large : small};
    genome.wholes = (int32_t *)(genome.reals + layout.reals);
    genome.words = (uint32_t *)(genome.wholes + layout.wholes);
    genome.places = (uint16_t *)(genome.words + layout.words);
    genome_from_point(variables, x, &genome);
    const double value = function(&genome, data);
    free(large);
    return value;
}
