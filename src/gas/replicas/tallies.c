/* What the samples of replicas count: the distances of pairs, from which g(r) follows, and the largest
 * cluster. The cells of their blocks are the ordered pairs in each bin of distances, then, with several
 * species, those of each two species, and at last the fraction of the particles that is in the largest
 * cluster. */
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "gas/observe/sampling.h"
#include "gas/replicas/replicas.h"
#include "gas/species/species.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_BYTES = 2 * GAS_SPECIES_NAME + 16, /* g_A_B_error */
    PLAIN_COLUMNS = 3,                      /* r, g, g_error */
    MOST_COLUMNS = PLAIN_COLUMNS + 2 * GAS_SPECIES_PAIRS
};

/* The table that was last handed out. */
struct replicas_table {
    double *numbers;
    const double *columns[MOST_COLUMNS];
    const char *names[MOST_COLUMNS];
    char texts[MOST_COLUMNS][NAME_BYTES];
};

/* Number of cells of distances. */
static size_t distance_cells(const struct gas_problem *problem)
{
    return gas_bins(problem, SHOAL_GAS_RDF) * (problem->species ? 1 + gas_species_pairs(problem) : 1);
}

size_t replicas_tally_counts(const struct gas_problem *problem)
{
    return gas_count_bins(problem, SHOAL_GAS_RDF) + (problem->params->cluster_distance > 0);
}

enum shoal_status replica_tally(struct replica *replica, const double *counts, double largest,
                                struct shoal_error *error)
{
    const struct gas_problem *problem = replica_problem(replica);
    const size_t bins = gas_bins(problem, SHOAL_GAS_RDF), all = gas_count_bins(problem, SHOAL_GAS_RDF),
                 cells = distance_cells(problem);
    double *values = calloc(cells + 1, sizeof *values);
    if (!values)
        return fail_host_memory(error);
    for (size_t at = 0; at < all; at++) {
        values[at % bins] += counts[at];
        if (problem->species)
            values[bins + at] = counts[at];
    }
    values[cells] = largest;
    const enum shoal_status status = gas_blocks_add(&replica->tallies, cells + 1, values, error);
    free(values);
    return status;
}

enum shoal_status replicas_check_tallies(const struct gas_problem *problem, size_t count,
                                         struct shoal_error *error)
{
    if (replicas_tally_counts(problem) == 0)
        return SHOAL_OK;
    const size_t cells = distance_cells(problem), bins = gas_bins(problem, SHOAL_GAS_RDF),
                 blocks = GAS_BLOCKS * (cells + 1), table = bins + 2 * cells;
    return check_host_memory((double)count * (double)(blocks + table) * sizeof(double),
                             "g(r) and clusters of the replicas", "lower their number or --rdf-bins", error);
}

bool replicas_list_holds(const struct gas_problem *problem, double range)
{
    const double rounding = 1e-9;
    return range <= problem->pair.cutoff * (1 + rounding);
}

double replica_largest(const struct replica *replica, double *error)
{
    const struct gas_problem *problem = replica_problem(replica);
    *error = NAN;
    if (!(problem->params->cluster_distance > 0))
        return NAN;
    return gas_blocks_mean(&replica->tallies, distance_cells(problem), GAS_ONE, error);
}

/* Fills a column and that of its error with the ratio of the cells from `first` on to those of `all` ordered
 * pairs of particles at random positions. */
static void fill_columns(const struct replica *replica, size_t first, double all, double *value, double *off)
{
    const struct gas_problem *problem = replica_problem(replica);
    const size_t bins = gas_bins(problem, SHOAL_GAS_RDF);
    const double width = gas_bin_width(problem, SHOAL_GAS_RDF);
    for (size_t b = 0; b < bins; b++) {
        const double expected =
            all / problem->volume * gas_shell(problem->dim, (double)b * width, (double)(b + 1) * width);
        value[b] = gas_blocks_mean(&replica->tallies, first + b, GAS_ONE, &off[b]);
        value[b] = expected > 0 ? value[b] / expected : 0;
        off[b] = expected > 0 ? off[b] / expected : 0;
    }
}

/* Adds a column and that of its error to the table. */
static void add_columns(struct replicas_table *table, size_t *columns, size_t rows, const char *name)
{
    for (size_t i = 0; i < 2; i++) {
        char *text = table->texts[*columns];
        snprintf(text, NAME_BYTES, "%.*s%s", NAME_BYTES - 7, name, i ? "_error" : "");
        table->names[*columns] = text;
        table->columns[*columns] = table->numbers + *columns * rows;
        ++*columns;
    }
}

static void fill_table(const struct replica *replica, struct replicas_table *table, size_t rows,
                       size_t *columns)
{
    const struct gas_problem *problem = replica_problem(replica);
    const struct gas_species *species = problem->species;
    const double n = (double)problem->n, width = gas_bin_width(problem, SHOAL_GAS_RDF);
    for (size_t b = 0; b < rows; b++)
        table->numbers[b] = ((double)b + 0.5) * width;
    table->names[0] = "r";
    table->columns[0] = table->numbers;
    *columns = 1;
    add_columns(table, columns, rows, "g");
    fill_columns(replica, 0, n * (n - 1), table->numbers + rows, table->numbers + 2 * rows);
    for (size_t a = 0; species && a < species->count; a++)
        for (size_t b = a; b < species->count; b++) {
            const double na = (double)species->particles[a], nb = (double)species->particles[b];
            double *value = table->numbers + *columns * rows;
            char name[NAME_BYTES];
            snprintf(name, sizeof name, "g_%.*s_%.*s", GAS_SPECIES_NAME - 1, species->names[a],
                     GAS_SPECIES_NAME - 1, species->names[b]);
            add_columns(table, columns, rows, name);
            fill_columns(replica, (1 + gas_species_pair(species->count, a, b)) * rows,
                         a == b ? na * (na - 1) : 2 * na * nb, value, value + rows);
        }
}

enum shoal_status shoal_gas_replicas_get_rdf(struct shoal_gas_replicas *replicas, size_t index,
                                             struct shoal_gas_table *table, struct shoal_error *error)
{
    enum shoal_status status = REPLICA_CHECK(replicas, index, table, column, error);
    if (status)
        return status;
    const struct replica *replica = &replicas->each[index];
    const size_t rows = gas_bins(replica_problem(replica), SHOAL_GAS_RDF);
    struct shoal_gas_table filled = {.samples = rows && !*replica->failure ? replica->tallies.samples : 0};
    if (filled.samples > 0) {
        if (!replicas->table)
            replicas->table = calloc(1, sizeof *replicas->table);
        if (!replicas->table)
            return fail_host_memory(error);
        free(replicas->table->numbers);
        replicas->table->numbers = calloc(rows * MOST_COLUMNS, sizeof(double));
        if (!replicas->table->numbers)
            return fail_host_memory(error);
        fill_table(replica, replicas->table, rows, &filled.columns);
        filled.rows = rows;
        filled.names = replicas->table->names;
        filled.column = replicas->table->columns;
    }
    RESULT_GIVE(&filled, column, table);
    return SHOAL_OK;
}

void replicas_table_destroy(struct replicas_table **table)
{
    if (*table)
        free((*table)->numbers);
    free(*table);
    *table = NULL;
}
