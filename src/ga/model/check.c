/* Rules between parameters that `needs` of an option cannot express. A row describes an invalid
 * combination. */
#include "base/error.h"
#include "ga/model/problem.h"
#include "ga/model/rates.h"

#include <math.h>
#include <stdlib.h>

typedef unsigned long long ull;

enum shoal_status ga_check_children(const struct shoal_ga_params *params, struct shoal_error *error)
{
    const ull population = params->population, elites = params->elites, children = ga_children(params);
    if (params->replacement != SHOAL_GA_PLUS && params->replacement != SHOAL_GA_COMMA && elites >= population)
        return fail(error, SHOAL_INVALID,
                    "%llu elites leave no place for children: --elites must be below --population, %llu",
                    elites, population);
    if (elites > 1 && params->replacement == SHOAL_GA_STEADY && params->improve != SHOAL_GA_IMPROVE_ELITES &&
        (params->victim == SHOAL_GA_VICTIM_WORST || params->victim == SHOAL_GA_VICTIM_PARENT))
        return fail(error, SHOAL_INVALID,
                    "--elites %llu has no effect where children take places of members that are no better "
                    "alone (steady by --victim worst or parent, as auto is of reals): leave it out, or give "
                    "--replacement generational",
                    elites);
    if (params->replacement == SHOAL_GA_STEADY && children > population)
        return fail(error, SHOAL_INVALID, "steady replaces %llu members at most, not --children %llu",
                    population, children);
    if (params->replacement == SHOAL_GA_COMMA && children < population)
        return fail(error, SHOAL_INVALID,
                    "comma makes the next %llu members of children alone: raise --children from %llu",
                    population, children);
    if (params->selection == SHOAL_GA_OWN && children % 2 && params->replacement != SHOAL_GA_REPLACEMENT_AUTO)
        return fail(error, SHOAL_INVALID,
                    "own mates slots in pairs, but a generation has %llu children, an odd number: change "
                    "--elites, --children or --population",
                    children);
    return SHOAL_OK;
}

static enum shoal_status check_cells(const struct shoal_ga_params *params, struct shoal_error *error)
{
    const bool is_cellular = ga_is_cellular(params);
    if (!is_cellular)
        return SHOAL_OK;
    if (params->selection != SHOAL_GA_TOURNAMENT && params->selection != SHOAL_GA_BEST)
        return fail(error, SHOAL_INVALID,
                    "a cellular structure selects among neighbours: give --selection tournament or best");
    if (search_torus_rows((size_t)params->population) < 2)
        return fail(
            error, SHOAL_INVALID,
            "--population %llu has no rows and columns for a cellular structure: take a number with two "
            "factors, such as %llu",
            (ull)params->population, params->population < 4 ? 4 : (ull)params->population + 1);
    if (params->replacement == SHOAL_GA_STEADY && params->victim != SHOAL_GA_VICTIM_PARENT)
        return fail(error, SHOAL_INVALID,
                    "in a cellular structure a child competes with its own cell: give --victim parent");
    return SHOAL_OK;
}

static enum shoal_status check_rates(const struct shoal_ga_params *params, struct shoal_error *error)
{
    const size_t islands = (size_t)params->search.islands;
    double *rates = malloc(islands * sizeof *rates);
    if (!rates)
        return fail_host_memory(error);
    enum shoal_status status = SHOAL_OK;
    if (params->crossover_rates)
        status = ga_read_rates("crossover-rates", params->crossover_rates, islands, rates, error);
    if (!status && params->mutation_rates)
        status = ga_read_rates("mutation-rates", params->mutation_rates, islands, rates, error);
    if (!status && params->gene_rates)
        status = ga_read_rates("gene-rates", params->gene_rates, islands, rates, error);
    free(rates);
    return status;
}

static enum shoal_status check_migrants(const struct shoal_ga_params *params, struct shoal_error *error)
{
    struct search_links links;
    if (!params->search.exchange)
        return SHOAL_OK;
    enum shoal_status status = search_links_create(&params->search, &links, error);
    if (status)
        return status;
    const ull migrants = params->migrants, members = params->population;
    /* At least the best member of an island must not be replaced by migrants. */
    const bool keeps = params->immigrants == SHOAL_GA_REPLACE_WORST;
    const ull most = members / (links.most + keeps);
    if (!most)
        status = fail(error, SHOAL_INVALID,
                      "migrants from %zu islands replace too many of --population %llu: raise it to %zu",
                      links.most, members, links.most + keeps);
    else if (migrants > most)
        status = fail(error, SHOAL_INVALID,
                      "--migrants %llu from %zu island%s replace too many of --population %llu: lower "
                      "--migrants to %llu",
                      migrants, links.most, links.most == 1 ? "" : "s", members, most);
    search_links_free(&links);
    return status;
}

enum shoal_status ga_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_ga_params *params = given;
    enum shoal_status status = search_check_params(&ga_algorithm, &params->search, error);
    if (!status)
        status = ga_check_children(params, error);
    if (!status)
        status = check_cells(params, error);
    if (!status && params->local_search && params->search.evaluations)
        status =
            fail(error, SHOAL_INVALID,
                 "--evaluations counts no moves of a local search: give --iterations, --target or --time");
    if (!status)
        status = check_rates(params, error);
    return status ? status : check_migrants(params, error);
}
