/* The genes of an individual as numbers, and the codes of variables that are coded in bits. */
#include "objective/variables/variables.h"

#include <math.h>
#include <string.h>

/* Returns the value that a code stands for. Code c of 2^bits codes stands for the real lower + c (upper -
 * lower) / (2^bits - 1). For an integer variable with `count` values, it stands for the integer lower +
 * floor(c count / 2^bits). */
static double code_value(const struct shoal_variable_group *group, uint32_t code)
{
    const double codes = ldexp(1, (int)group->bits);
    if (group->kind == SHOAL_REAL)
        return fmin(group->lower + (group->upper - group->lower) * (code / (codes - 1)), group->upper);
    const uint64_t count = (uint64_t)(group->upper - group->lower) + 1;
    return group->lower + (double)((code * count) >> group->bits);
}

static uint32_t code_of(const struct shoal_variable_group *group, double value)
{
    const double codes = ldexp(1, (int)group->bits), part = value - group->lower;
    if (group->kind == SHOAL_REAL)
        return (uint32_t)rint(part / (group->upper - group->lower) * (codes - 1));
    /* the least code that stands for the integer */
    const uint64_t count = (uint64_t)(group->upper - group->lower) + 1;
    return (uint32_t)((((uint64_t)part << group->bits) + count - 1) / count);
}

static uint32_t from_gray(uint32_t code)
{
    for (unsigned shift = 1; shift < 32; shift *= 2)
        code ^= code >> shift;
    return code;
}

/* Returns the code of a real or integer variable; for a real, the nearest code. */
static uint32_t variable_code(const struct shoal_variable_group *group, double value)
{
    const uint32_t code = code_of(group, value);
    return group->gray ? code ^ code >> 1 : code;
}

/* Returns the value that a code stands for; Gray codes are converted first. */
static double variable_decoded(const struct shoal_variable_group *group, uint32_t code)
{
    return code_value(group, group->gray ? from_gray(code) : code);
}

/* Index of the next gene of each kind, while variables are read in their order. */
struct gene_places {
    size_t real, whole, bit, place;
};

static struct gene_places first_places(const struct shoal_variables *variables)
{
    const struct genome_layout layout = genome_layout(variables);
    const size_t bits = layout.reals + layout.wholes;
    return (struct gene_places){0, layout.reals, bits, bits + layout.bits};
}

/* Returns the index of the first gene of the next variable of `group`, and advances past this variable.
 * *count: number of genes of the variable. */
static size_t take_genes(struct gene_places *places, const struct shoal_variable_group *group, size_t *count)
{
    const bool is_coded = group->bits != 0;
    size_t *at = is_coded || group->kind == SHOAL_BIT ? &places->bit
                 : group->kind == SHOAL_REAL          ? &places->real
                 : group->kind == SHOAL_ORDER         ? &places->place
                                                      : &places->whole;
    const size_t first = *at;
    *count = is_coded ? group->bits : 1;
    *at += *count;
    return first;
}

void genes_from_point(const struct shoal_variables *variables, const double *x, double *genes)
{
    struct gene_places places = first_places(variables);
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++)
        for (size_t i = group->first; i < group->first + group->count; i++) {
            size_t count, first = take_genes(&places, group, &count);
            const uint32_t code = group->bits ? variable_code(group, x[i]) : 0;
            genes[first] = x[i];
            for (size_t b = 0; b < group->bits; b++)
                genes[first + b] = code >> (count - 1 - b) & 1;
        }
}

void genes_to_point(const struct shoal_variables *variables, const double *genes, double *x)
{
    struct gene_places places = first_places(variables);
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++)
        for (size_t i = group->first; i < group->first + group->count; i++) {
            size_t count, first = take_genes(&places, group, &count);
            uint32_t code = 0;
            for (size_t b = 0; b < group->bits; b++)
                code = code << 1 | (genes[first + b] != 0);
            x[i] = group->bits ? variable_decoded(group, code) : genes[first];
        }
}

void genes_bounds(const struct shoal_variables *variables, const double *lower, const double *upper,
                  double *gene_lower, double *gene_upper)
{
    struct gene_places places = first_places(variables);
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++)
        for (size_t i = group->first; i < group->first + group->count; i++) {
            size_t count, first = take_genes(&places, group, &count);
            for (size_t g = first; g < first + count; g++) {
                gene_lower[g] = group->bits ? 0 : lower[i];
                gene_upper[g] = group->bits ? 1 : upper[i];
            }
        }
}

/* Words -------------------------------------------------------------------------------------------------- */

static size_t real_words(enum shoal_precision precision)
{
    return precision == SHOAL_FP64 ? 2 : 1;
}

size_t genome_words(const struct genome_layout *layout, enum shoal_precision precision)
{
    return layout->reals * real_words(precision) + layout->wholes + layout->words + (layout->places + 1) / 2 +
           layout->extra;
}

void genes_to_words(const struct genome_layout *layout, enum shoal_precision precision, const double *genes,
                    size_t stride, uint32_t *words)
{
    for (size_t i = 0; i < layout->reals; i++, genes++) {
        const float narrow = (float)*genes;
        uint32_t parts[2];
        memcpy(parts, precision == SHOAL_FP64 ? (const void *)genes : &narrow,
               real_words(precision) * sizeof *parts);
        for (size_t part = 0; part < real_words(precision); part++, words += stride)
            *words = parts[part];
    }
    for (size_t i = 0; i < layout->wholes; i++, genes++, words += stride)
        *words = (uint32_t)(int32_t)*genes;
    for (size_t i = 0; i < layout->bits; i++, genes++) {
        uint32_t *word = words + i / 32 * stride;
        *word = (i % 32 ? *word : 0) | (uint32_t)(*genes != 0) << i % 32;
    }
    words += layout->words * stride;
    for (size_t i = 0; i < layout->places; i++, genes++) {
        uint32_t *word = words + i / 2 * stride;
        *word = (i % 2 ? *word : 0) | (uint32_t)*genes << i % 2 * 16;
    }
    words += (layout->places + 1) / 2 * stride;
    for (size_t i = 0; i < layout->extra; i++)
        words[i * stride] = (uint32_t)*genes++;
}

void genes_from_words(const struct genome_layout *layout, enum shoal_precision precision,
                      const uint32_t *words, size_t stride, double *genes)
{
    for (size_t i = 0; i < layout->reals; i++, genes++) {
        const uint32_t parts[2] = {words[0], words[precision == SHOAL_FP64 ? stride : 0]};
        float narrow;
        memcpy(&narrow, parts, sizeof narrow);
        *genes = (double)narrow;
        if (precision == SHOAL_FP64)
            memcpy(genes, parts, sizeof *genes);
        words += real_words(precision) * stride;
    }
    for (size_t i = 0; i < layout->wholes; i++, words += stride)
        *genes++ = (int32_t)*words;
    for (size_t i = 0; i < layout->bits; i++)
        *genes++ = words[i / 32 * stride] >> i % 32 & 1;
    words += layout->words * stride;
    for (size_t i = 0; i < layout->places; i++)
        *genes++ = words[i / 2 * stride] >> i % 2 * 16 & 0xffff;
    words += (layout->places + 1) / 2 * stride;
    for (size_t i = 0; i < layout->extra; i++)
        *genes++ = words[i * stride];
}
