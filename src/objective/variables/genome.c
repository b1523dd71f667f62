/* Packed genomes: a genome has an array for each kind of gene. */
#include "objective/objective.h"
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

static void genome_from_genes(const struct genome_layout *layout, const double *genes,
                              const struct genome *genome)
{
    if (layout->words)
        memset(genome->words, 0, layout->words * sizeof *genome->words);
    for (size_t i = 0; i < layout->reals; i++)
        genome->reals[i] = *genes++;
    for (size_t i = 0; i < layout->wholes; i++)
        genome->wholes[i] = (int32_t)*genes++;
    for (size_t i = 0; i < layout->bits; i++)
        genome->words[i / 32] |= (uint32_t)(*genes++ != 0) << i % 32;
    for (size_t i = 0; i < layout->places; i++)
        genome->places[i] = (uint16_t)*genes++;
}

void genes_from_genome(const struct genome_layout *layout, const struct genome *genome, double *genes)
{
    for (size_t i = 0; i < layout->reals; i++)
        *genes++ = genome->reals[i];
    for (size_t i = 0; i < layout->wholes; i++)
        *genes++ = genome->wholes[i];
    for (size_t i = 0; i < layout->bits; i++)
        *genes++ = genome->words[i / 32] >> i % 32 & 1;
    for (size_t i = 0; i < layout->places; i++)
        *genes++ = genome->places[i];
}

/* Largest size in bytes of arrays that are on the stack. */
enum { SMALL_GENOME = 4096 };

double genome_apply(const struct genome_layout *layout, const double *genes,
                    double (*function)(const struct genome *genome, const void *data), const void *data)
{
    double small[SMALL_GENOME / sizeof(double)];
    const size_t bytes = layout->reals * sizeof(double) +
                         (layout->wholes + layout->words) * sizeof(uint32_t) +
                         layout->places * sizeof(uint16_t);
    void *large = bytes > sizeof small ? malloc(bytes) : NULL;
    if (bytes > sizeof small && !large)
        return objective_fail_memory();
    struct genome genome = {.reals = large ? large : small, .layout = layout};
    genome.wholes = (int32_t *)(genome.reals + layout->reals);
    genome.words = (uint32_t *)(genome.wholes + layout->wholes);
    genome.places = (uint16_t *)(genome.words + layout->words);
    genome_from_genes(layout, genes, &genome);
    const double value = function(&genome, data);
    free(large);
    return value;
}

double genes_apply(const struct shoal_variables *variables, const double *x,
                   double (*function)(double *genes, const void *data), const void *data)
{
    const struct genome_layout layout = genome_layout(variables);
    double small[SMALL_GENOME / sizeof(double)];
    const size_t bytes = genes_count(&layout) * sizeof(double);
    double *large = bytes > sizeof small ? malloc(bytes) : NULL;
    if (bytes > sizeof small && !large)
        return objective_fail_memory();
    double *genes = large ? large : small;
    genes_from_point(variables, x, genes);
    const double value = function(genes, data);
    free(large);
    return value;
}
