/* Lists of variables: parser, writer, genomes. */
#include "target.h"

#include "objective/variables/variables.h"

/* What the writer writes is read as the same variables. */
static void check_list(const struct shoal_variables *variables)
{
    struct shoal_variables *again;
    struct shoal_error error = {0};
    REQUIRE(shoal_variables_parse(shoal_variables_list(variables), 0, &again, &error) == SHOAL_OK);
    REQUIRE(strcmp(shoal_variables_list(variables), shoal_variables_list(again)) == 0);
    REQUIRE(again->count == variables->count && again->group_count == variables->group_count);
    shoal_variables_destroy(&again);
}

/* Any genome, its whole numbers in range, is a point that comes back. */
static void check_genome(const struct shoal_variables *variables)
{
    const struct genome_layout layout = genome_layout(variables);
    struct shoal_error error = {0};
    struct genome genome = {.reals = calloc(layout.reals + 1, sizeof *genome.reals),
                            .wholes = calloc(layout.wholes + 1, sizeof *genome.wholes),
                            .words = calloc(layout.words + 1, sizeof *genome.words),
                            .places = calloc(layout.places + 1, sizeof *genome.places)};
    double *x = calloc(variables->count, sizeof *x), *again = calloc(variables->count, sizeof *x);
    double *genes = calloc(genes_count(&layout), sizeof *genes);
    REQUIRE(genome.reals && genome.wholes && genome.words && genome.places && x && again && genes);
    for (size_t i = 0; i < layout.words; i++)
        genome.words[i] = 2654435761u * (uint32_t)(i + 1);
    for (size_t i = 0; i < layout.places; i++)
        genome.places[i] = (uint16_t)(layout.places - 1 - i);
    genes_from_genome(&layout, &genome, genes);
    genes_to_point(variables, genes, x);
    for (size_t g = 0; g < variables->group_count; g++)
        for (size_t i = 0; i < variables->groups[g].count && !variables->groups[g].bits; i++)
            if (variables->groups[g].lower > 0 || variables->groups[g].upper < 0)
                x[variables->groups[g].first + i] = variables->groups[g].lower;
    REQUIRE(shoal_variables_check(variables, x, &error) == SHOAL_OK);
    genes_from_point(variables, x, genes);
    genes_to_point(variables, genes, again);
    REQUIRE(shoal_variables_check(variables, again, &error) == SHOAL_OK);
    for (size_t g = 0; g < variables->group_count; g++)
        for (size_t i = 0; i < variables->groups[g].count; i++) {
            const size_t at = variables->groups[g].first + i;
            REQUIRE(x[at] == again[at] ||
                    (variables->groups[g].bits && variables->groups[g].kind == SHOAL_REAL));
        }
    free(genes);
    free(genome.reals);
    free(genome.wholes);
    free(genome.words);
    free(genome.places);
    free(x);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *list = input_string(data, size);
    struct shoal_error error = {0};
    struct shoal_variables *variables = NULL;
    const enum shoal_status status = shoal_variables_parse(list, size % 2 ? size : 0, &variables, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((variables != NULL) == (status == SHOAL_OK));
    if (variables) {
        check_list(variables);
        if (variables->count <= 1 << 16)
            check_genome(variables);
    } else {
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    shoal_variables_destroy(&variables);
    free(list);
    return 0;
}
