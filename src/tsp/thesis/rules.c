/* The rules of the thesis, which follow from the parameters, and the entry of the thesis in the table of
 * algorithms. */
#include "base/error.h"
#include "tsp/model/neighbours.h"
#include "tsp/thesis/thesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const thesis_rewinding_names[] = {"at-once", "late", NULL};
const char *const thesis_choice_names[] = {"greedy", "probabilistic", NULL};
const char *const thesis_scan_names[] = {"lists", "all", NULL};
const char *const thesis_memory_names[] = {"auto", "global", "local", "skewed", "triangle", NULL};

void shoal_tsp_thesis_init(struct shoal_tsp_thesis *thesis)
{
    if (thesis)
        *thesis = (struct shoal_tsp_thesis){.size = sizeof *thesis,
                                            .macro_cycles = 3,
                                            .micro_cycles = 15,
                                            .passes = 96,
                                            .overlaps = 2,
                                            .piece = 96,
                                            .starts = 64};
}

static void init(void *thesis)
{
    shoal_tsp_thesis_init(thesis);
}

const struct thesis_params tsp_thesis_params = {
    .size = sizeof(struct shoal_tsp_thesis), .init_name = "shoal_tsp_thesis_init", .init = init};

/* Default number of candidates in a row. With the default number of cycles, a row has 32 entries
 * (thesis_row_width). */
enum { CANDIDATES = 26 };

static bool is_exact(double exponent)
{
    return exponent == 0 || exponent == 1 || exponent == 2;
}

void thesis_rules(const struct tsp_problem *problem, struct thesis_rules *rules)
{
    const struct shoal_tsp_params *params = problem->params;
    const struct shoal_tsp_thesis *thesis = params->thesis;
    const double alpha = isnan(params->alpha) ? 1 : params->alpha,
                 beta = isnan(params->beta) ? 2 : params->beta;
    const uint32_t n = problem->form.n;
    *rules = (struct thesis_rules){.alpha = (float)alpha,
                                   .beta = (float)beta,
                                   .keep = (float)(1 - (isnan(params->rho) ? 0.1 : params->rho)),
                                   .margin = is_exact(beta) ? 1 : 1.0001F,
                                   .deposit = 1,
                                   .starts = (uint32_t)(thesis->starts < n ? thesis->starts : n),
                                   .macro_cycles = (uint32_t)thesis->macro_cycles,
                                   .micro_cycles = (uint32_t)thesis->micro_cycles,
                                   .passes = (uint32_t)thesis->passes,
                                   .piece = (uint32_t)thesis->piece,
                                   .rewinds_late = thesis->rewinding == SHOAL_TSP_REWIND_LATE,
                                   .draws = thesis->choice == SHOAL_TSP_PROBABILISTIC,
                                   .one_by_one = thesis->one_by_one,
                                   .seed = params->seed};
    rules->pieces = div_up(n, rules->piece);
    if (thesis->scan == SHOAL_TSP_SCAN_LISTS && !rules->draws)
        rules->candidates = tsp_list_length(problem, params->candidates, CANDIDATES);
    /* A city outside of a caller's list may be nearer than the cities of the list, so no bound of its weight
     * is known. With margin 0, the bound `beyond` is 0, and an ant considers cities outside of the list only
     * after it has visited all cities of the list. */
    if (problem->given)
        rules->margin = 0;
}

void thesis_rotate(uint32_t *tour, uint32_t n, uint32_t left)
{
    uint32_t *const parts[] = {tour, tour + left, tour};
    const uint32_t counts[] = {left, n - left, n};
    /* two reversed parts, then the reversed whole, make a rotation */
    for (size_t k = 0; k < COUNT(parts); k++)
        for (uint32_t low = 0; low < counts[k] / 2; low++) {
            uint32_t *a = parts[k] + low, *b = parts[k] + counts[k] - 1 - low;
            const uint32_t city = *a;
            *a = *b;
            *b = city;
        }
}

float thesis_amount(const struct thesis_rules *rules, int64_t first, int64_t length)
{
    /* Lengths below 1 count as 1, since all tours have length 0 if all cities are at the same point. */
    const double above = (double)(first > 1 ? first : 1), below = (double)(length > 1 ? length : 1);
    return (float)(rules->deposit * above / below);
}

int64_t thesis_fixed_length(const struct tsp_problem *problem)
{
    const struct tsp_form *form = &problem->form;
    int64_t ends = 0;
    for (size_t i = 0; form->has_fixed && i < 2 * (size_t)form->n; i++)
        ends += form->fixed[i] != SHOAL_TSP_NONE;
    return ends / 2 * TSP_FAR;
}

static enum shoal_status check(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    if (params->colonies != 1)
        return fail(error, SHOAL_INVALID, "--colonies: algorithm thesis has one colony for all cities");
    if (params->ants)
        return fail(error, SHOAL_INVALID,
                    "--ants: algorithm thesis has --macro-starts and an ant for each city of a piece");
    if (params->candidates && params->thesis->scan == SHOAL_TSP_SCAN_ALL)
        return fail(error, SHOAL_INVALID, "--candidates: not with --macro-scan all");
    if (params->lists == SHOAL_TSP_LISTS_QUADRANT)
        return fail(error, SHOAL_INVALID,
                    "--lists quadrant: algorithm thesis looks at all cities, by lists of the nearest ones");
    if ((params->neighbour_lists || params->list_file) &&
        (params->thesis->scan == SHOAL_TSP_SCAN_ALL || params->thesis->choice == SHOAL_TSP_PROBABILISTIC))
        return fail(error, SHOAL_INVALID, "%s, which look at all cities",
                    params->list_file
                        ? "--list-file: not with --macro-scan all or --choice probabilistic"
                        : "neighbour_lists: not with thesis.scan all or thesis.choice probabilistic");
    if (!params->thesis->macro_cycles && !params->thesis->overlaps)
        return fail(error, SHOAL_INVALID, "--macro-cycles and --overlaps are 0: there is nothing to do");
    return SHOAL_OK;
}

static uint64_t total_steps(const struct shoal_tsp_params *params)
{
    return params->iterations ? params->iterations : params->thesis->macro_cycles + params->thesis->overlaps;
}

const struct tsp_algorithm tsp_thesis = {.name = "thesis",
                                         .check = check,
                                         .total_steps = total_steps,
                                         .host = &thesis_host_method,
                                         .device = &thesis_device_method};
