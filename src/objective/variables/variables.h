/* Private: a list of variables, and where the genes of each variable are in a genome. */
#ifndef SHOAL_OBJECTIVE_VARIABLES_H
#define SHOAL_OBJECTIVE_VARIABLES_H

#include <shoal/objective.h>
#include <shoal/variables.h>
#include <stdint.h>

enum { VARIABLES_NAME = 32, VARIABLES_GROUPS = 1024, VARIABLES_MOST = 1 << 20, VARIABLES_PLACES = 1 << 16 };

/* Names of the variables of a group: x1, x2, ..., or a single name without a number. */
struct variable_names {
    char prefix[VARIABLES_NAME];
    size_t from; /* number of the first name */
    bool numbered;
};

struct shoal_variables {
    size_t count, group_count;
    struct shoal_variable_group *groups;
    struct variable_names *names; /* names of each group */
    char *list;
};

/* Returns `variables` if the list has `dim` variables. If not, its only group must go up to the dimension;
 * then fills and returns `sized`, the list for dimension `dim`, which points to `group`. Only functions for
 * genomes may use `sized`. */
static inline const struct shoal_variables *variables_sized(const struct shoal_variables *variables,
                                                            size_t dim, struct shoal_variable_group *group,
                                                            struct shoal_variables *sized)
{
    if (variables->count == dim)
        return variables;
    *group = *variables->groups;
    group->count = dim;
    if (group->kind == SHOAL_ORDER)
        group->upper = (double)dim - 1;
    *sized = (struct shoal_variables){.count = dim, .group_count = 1, .groups = group};
    return sized;
}

static inline bool variable_is_whole(const struct shoal_variable_group *group)
{
    return group->kind == SHOAL_INTEGER || group->kind == SHOAL_CHOICE;
}

/* Whether each variable is a plain real, which has a gene of its own. Algorithms for reals need this. */
bool variables_are_plain(const struct shoal_variables *variables);
/* variable_can_be_rounded: whether a search can represent the variables of a group by reals, which are
 * rounded down unless the variables are reals themselves. variables_can_be_rounded: whether this holds for
 * all variables. */
static inline bool variable_can_be_rounded(const struct shoal_variable_group *group)
{
    return group->kind != SHOAL_ORDER && !group->bits;
}
bool variables_can_be_rounded(const struct shoal_variables *variables);
/* Whether some variables are coded in bits. */
bool variables_are_coded(const struct shoal_variables *variables);
/* Writes the name of a variable, such as "x5". */
void variables_name(const struct shoal_variables *variables, size_t index, char name[2 * VARIABLES_NAME]);
/* Returns the name of a kind for messages: "a real", "an order", ... */
const char *variable_kind_name(enum shoal_variable_kind kind);

/* Genomes ------------------------------------------------------------------------------------------------ */

/* Counts of the genes of an individual: reals; wholes (integers and choices); bits, and the words that hold
 * them, the lowest bit of word 0 first; places (elements of orders). Bits also code reals and integers.
 * Within a kind, genes have the order of the variables. */
struct genome_layout {
    size_t reals, wholes, bits, words, places;
    size_t extra; /* further words after the genes, which a search adds */
};
struct genome_layout genome_layout(const struct shoal_variables *variables);

/* An individual on the host. The array of a kind that the layout does not have may be NULL. */
struct genome {
    double *reals;
    int32_t *wholes;
    uint32_t *words;
    uint16_t *places;
    const struct genome_layout *layout; /* layout of the genome; set by genome_apply */
};

/* Genes as numbers ------------------------------------------------------------------------------------- */

/* Returns the count of numbers of an individual, one for each gene: reals, whole numbers, bits (0 or 1),
 * places, further words. */
static inline size_t genes_count(const struct genome_layout *layout)
{
    return layout->reals + layout->wholes + layout->bits + layout->places + layout->extra;
}
/* genes_from_point: converts a point that shoal_variables_check accepts to genes. A coded real becomes the
 * nearest value of its code; a coded integer gets its least code. genes_to_point: converts genes to a
 * point. */
void genes_from_point(const struct shoal_variables *variables, const double *x, double *genes);
void genes_to_point(const struct shoal_variables *variables, const double *genes, double *x);
/* Returns function(genes, data), called with the genes of a point. The function may change the genes. Without
 * memory for many genes objective_fail_memory gives the result. */
double genes_apply(const struct shoal_variables *variables, const double *x,
                   double (*function)(double *genes, const void *data), const void *data);
/* Returns function(genome, data), called with the genes as a packed genome. Without memory for many
 * genes objective_fail_memory gives the result. */
double genome_apply(const struct genome_layout *layout, const double *genes,
                    double (*function)(const struct genome *genome, const void *data), const void *data);
/* Moves the element at index i of an order to index j. The elements between move by one index. */
void genes_insert(double *places, size_t i, size_t j);
void genes_from_genome(const struct genome_layout *layout, const struct genome *genome, double *genes);
/* Convert between genes and the 32-bit words of kernels, which are `stride` words apart: reals (in double
 * precision two words, the low word first), whole numbers, bits, and elements of orders, two in a word, the
 * element with even index in the low half. Unused bits, and the half word after an odd number of elements,
 * are 0. genome_words: number of words. */
size_t genome_words(const struct genome_layout *layout, enum shoal_precision precision);
void genes_to_words(const struct genome_layout *layout, enum shoal_precision precision, const double *genes,
                    size_t stride, uint32_t *words);
void genes_from_words(const struct genome_layout *layout, enum shoal_precision precision,
                      const uint32_t *words, size_t stride, double *genes);
/* Computes the bounds of each gene from the bounds of each variable. */
void genes_bounds(const struct shoal_variables *variables, const double *lower, const double *upper,
                  double *gene_lower, double *gene_upper);

#endif
