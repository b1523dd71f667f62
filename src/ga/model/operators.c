/* Chooses the operators of each part of a genome by the parameters. */
#include "ga/model/operators.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum part { REALS = 1, INTEGERS = 2, CHOICES = 4, BITS = 8, ORDER = 16 };
enum { WHOLES = INTEGERS | CHOICES | BITS, LINE = REALS | WHOLES, ALL = LINE | ORDER };

static const unsigned crossover_parts[] = {
    [SHOAL_GA_SBX_BOUNDED] = REALS, [SHOAL_GA_SBX] = REALS,      [SHOAL_GA_BLX] = REALS,
    [SHOAL_GA_ARITHMETIC] = REALS,  [SHOAL_GA_AVERAGE] = REALS,  [SHOAL_GA_HEURISTIC] = REALS,
    [SHOAL_GA_ONE_POINT] = LINE,    [SHOAL_GA_TWO_POINT] = LINE, [SHOAL_GA_UNIFORM] = LINE,
    [SHOAL_GA_NO_CROSSOVER] = ALL,  [SHOAL_GA_OX] = ORDER,       [SHOAL_GA_PMX] = ORDER,
    [SHOAL_GA_CX] = ORDER,          [SHOAL_GA_ERX] = ORDER,
};

static const unsigned mutation_parts[] = {
    [SHOAL_GA_POLYNOMIAL] = REALS, [SHOAL_GA_GAUSSIAN] = REALS,
    [SHOAL_GA_STEP] = INTEGERS,    [SHOAL_GA_UNIFORM_IN_BOX] = REALS | INTEGERS | CHOICES,
    [SHOAL_GA_FLIP] = BITS,        [SHOAL_GA_TAIL_INVERSION] = BITS,
    [SHOAL_GA_NO_MUTATION] = ALL,  [SHOAL_GA_SWAP] = ORDER,
    [SHOAL_GA_INSERTION] = ORDER,  [SHOAL_GA_REVERSAL] = ORDER,
    [SHOAL_GA_SCRAMBLE] = ORDER,
};

static const struct kind {
    const char *what;
    const unsigned *parts; /* [operators]: the parts of a genome for which an operator is defined, as bits */
    int32_t count;         /* number of operators, including AUTO */
    const char *const *names;
} crossovers = {"crossover", crossover_parts, SHOAL_GA_ERX + 1, ga_crossover_names},
  mutations = {"mutation", mutation_parts, SHOAL_GA_SCRAMBLE + 1, ga_mutation_names};

/* Choices of the options for one part of a genome: values of enum shoal_ga_crossover or enum
 * shoal_ga_mutation, in the order of the option's choices. */
static const int32_t whole_crossovers[] = {SHOAL_GA_CROSSOVER_AUTO, SHOAL_GA_ONE_POINT, SHOAL_GA_TWO_POINT,
                                           SHOAL_GA_UNIFORM, SHOAL_GA_NO_CROSSOVER};
static const int32_t order_crossovers[] = {
    SHOAL_GA_CROSSOVER_AUTO, SHOAL_GA_OX, SHOAL_GA_PMX, SHOAL_GA_CX, SHOAL_GA_ERX, SHOAL_GA_NO_CROSSOVER};
static const int32_t whole_mutations[] = {SHOAL_GA_MUTATION_AUTO,  SHOAL_GA_UNIFORM_IN_BOX,
                                          SHOAL_GA_STEP,           SHOAL_GA_FLIP,
                                          SHOAL_GA_TAIL_INVERSION, SHOAL_GA_NO_MUTATION};
static const int32_t order_mutations[] = {SHOAL_GA_MUTATION_AUTO, SHOAL_GA_SWAP,     SHOAL_GA_INSERTION,
                                          SHOAL_GA_REVERSAL,      SHOAL_GA_SCRAMBLE, SHOAL_GA_NO_MUTATION};

static const char *part_names[] = {"reals", "integers", "choices", "bits", "orders"};

static unsigned parts_of(const struct search_problem *problem)
{
    unsigned parts = problem->has_genome ? 0 : REALS;
    for (size_t i = 0; problem->has_genome && i < problem->variables->group_count; i++) {
        const struct shoal_variable_group *group = &problem->variables->groups[i];
        parts |= group->bits ? (unsigned)BITS : 1u << group->kind;
    }
    return parts;
}

/* Writes a list of parts of a genome, such as "reals, integers and bits". */
static void write_parts(unsigned parts, char *out, size_t size)
{
    size_t at = 0;
    for (unsigned i = 0; parts >> i; i++)
        if (parts >> i & 1 && at < size) {
            const char *separator = !at ? "" : parts >> (i + 1) ? ", " : " and ";
            at += (size_t)snprintf(out + at, size - at, "%s%s", separator, part_names[i]);
        }
}

/* Writes a list of the operators that are defined for at least one of these parts, such as "ox, pmx". */
static void write_fitting(const struct kind *kind, unsigned parts, char *out, size_t size)
{
    size_t at = 0;
    for (int32_t i = 1; i < kind->count; i++)
        if (kind->parts[i] & parts && at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "", kind->names[i]);
}

/* Checks an operator that the user gives: it must be defined for a part of the genome that is in `among`. */
static enum shoal_status check(const struct kind *kind, const char *before, int32_t given, unsigned among,
                               unsigned genome, struct shoal_error *error)
{
    char of[64], has[64], fitting[160];
    if (!given || kind->parts[given] & among & genome)
        return SHOAL_OK;
    if (!(among & genome)) {
        write_parts(among, of, sizeof of);
        return fail(error, SHOAL_INVALID, "--%s%s is of %s, of which there are none: leave it out", before,
                    kind->what, of);
    }
    write_parts(kind->parts[given], of, sizeof of);
    write_parts(among & genome, has, sizeof has);
    write_fitting(kind, among & genome, fitting, sizeof fitting);
    return fail(error, SHOAL_INVALID, "%s is a %s of %s, but the variables are %s: take %s",
                kind->names[given], kind->what, of, has, fitting);
}

/* Checks the parameters of messy genes. All genes must be bits. Lists of pairs have their own operators, so
 * options must not give others. */
static enum shoal_status check_messy(const struct shoal_ga_params *params, unsigned genome,
                                     struct shoal_error *error)
{
    char has[64];
    const int32_t cross = params->crossover, mutate = params->mutation;
    write_parts(genome, has, sizeof has);
    if (genome != BITS)
        return fail(error, SHOAL_INVALID, "--messy is for bits alone, but the variables are %s", has);
    if ((cross && cross != SHOAL_GA_NO_CROSSOVER) || params->whole_crossover)
        return fail(error, SHOAL_INVALID,
                    "--messy crosses by cut and splice: leave out --%scrossover, or give none",
                    params->whole_crossover ? "whole-" : "");
    if ((mutate && mutate != SHOAL_GA_NO_MUTATION) || params->whole_mutation)
        return fail(error, SHOAL_INVALID,
                    "--messy mutates place or bit of a pair: leave out --%smutation, or give none",
                    params->whole_mutation ? "whole-" : "");
    return SHOAL_OK;
}

/* Returns the operator of a part of a genome: the operator of the part's option; if this is auto, the
 * operator of the option for all parts, if it is defined for the part; else the default operator. */
static int32_t choose(const struct kind *kind, unsigned part, int32_t own, int32_t of_all, int32_t usual)
{
    return kind->parts[own] & part ? own : kind->parts[of_all] & part ? of_all : usual;
}

/* Fails if an option has no effect, since the search does not have its operator or its genes. An option with
 * its default value is accepted. */
static enum shoal_status check_effects(const struct shoal_ga_params *params, unsigned genome,
                                       const struct ga_operators *of, struct shoal_error *error)
{
    struct shoal_ga_params defaults;
    shoal_ga_params_init(&defaults);
    const bool reals = genome & REALS, bits = genome & BITS, order = genome & ORDER;
    const bool crosses = (reals && of->cross_reals != SHOAL_GA_NO_CROSSOVER) ||
                         (genome & WHOLES && of->cross_wholes != SHOAL_GA_NO_CROSSOVER) ||
                         (order && of->cross_order != SHOAL_GA_NO_CROSSOVER);
    const bool in_line = (reals && of->mutate_reals != SHOAL_GA_NO_MUTATION) ||
                         (genome & INTEGERS && of->mutate_integers != SHOAL_GA_NO_MUTATION) ||
                         (genome & CHOICES && of->mutate_choices != SHOAL_GA_NO_MUTATION) ||
                         (bits && of->mutate_bits != SHOAL_GA_NO_MUTATION);
    const bool mutates = in_line || (order && of->mutate_order != SHOAL_GA_NO_MUTATION);
    const bool is_sbx = reals && (of->cross_reals == SHOAL_GA_SBX_BOUNDED || of->cross_reals == SHOAL_GA_SBX);
    const bool is_polynomial = reals && of->mutate_reals == SHOAL_GA_POLYNOMIAL;
    static const char *const line = "reals, integers, choices and bits that mutate";
    const struct {
        const char *option;
        bool is_set, has_effect;
        const char *of;
    } rules[] = {
        {"crossover-rate", params->crossover_rate != defaults.crossover_rate, crosses, "genes that cross"},
        {"crossover-rates", params->crossover_rates, crosses, "genes that cross"},
        {"crossover-eta", params->crossover_eta != defaults.crossover_eta, is_sbx,
         "reals with the crossover sbx-bounded or sbx"},
        {"mutation-rate", params->mutation_rate != defaults.mutation_rate, mutates, "genes that mutate"},
        {"mutation-rates", params->mutation_rates, mutates, "genes that mutate"},
        {"gene-rate", !isnan(params->gene_rate), in_line, line},
        {"gene-rates", params->gene_rates, in_line, line},
        {"one-gene", params->one_gene, in_line, line},
        {"mutation-eta", params->mutation_eta != defaults.mutation_eta, is_polynomial,
         "reals with the mutation polynomial"},
        {"bounds", params->bounds != defaults.bounds, reals, "reals"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].is_set && !rules[i].has_effect)
            return fail(error, SHOAL_INVALID, "--%s is for %s, of which there are none: leave it out",
                        rules[i].option, rules[i].of);
    if (bits && of->mutate_bits == SHOAL_GA_TAIL_INVERSION &&
        (!isnan(params->gene_rate) || params->gene_rates))
        return fail(error, SHOAL_INVALID, "by tail-inversion one gene of a child mutates: leave --%s out",
                    params->gene_rates ? "gene-rates" : "gene-rate");
    return SHOAL_OK;
}

enum shoal_status ga_operators_resolve(const struct search_problem *problem, struct ga_operators *out,
                                       struct shoal_error *error)
{
    const struct shoal_ga_params *params = (const struct shoal_ga_params *)problem->params;
    const unsigned genome = parts_of(problem);
    const int32_t cross = params->crossover, mutate = params->mutation;
    const int32_t whole_cross = whole_crossovers[params->whole_crossover];
    const int32_t order_cross = order_crossovers[params->order_crossover];
    const int32_t whole_mutate = whole_mutations[params->whole_mutation];
    const int32_t order_mutate = order_mutations[params->order_mutation];
    enum shoal_status status = check(&crossovers, "", cross, ALL, genome, error);
    if (!status)
        status = check(&crossovers, "whole-", whole_cross, WHOLES, genome, error);
    if (!status)
        status = check(&crossovers, "order-", order_cross, ORDER, genome, error);
    if (!status)
        status = check(&mutations, "", mutate, ALL, genome, error);
    if (!status)
        status = check(&mutations, "whole-", whole_mutate, WHOLES, genome, error);
    if (!status)
        status = check(&mutations, "order-", order_mutate, ORDER, genome, error);
    if (!status && params->messy)
        status = check_messy(params, genome, error);
    *out = (struct ga_operators){
        .cross_reals = choose(&crossovers, REALS, 0, cross, SHOAL_GA_SBX_BOUNDED),
        .cross_wholes = choose(&crossovers, WHOLES, whole_cross, cross, SHOAL_GA_TWO_POINT),
        .cross_order = choose(&crossovers, ORDER, order_cross, cross, SHOAL_GA_OX),
        .mutate_reals = choose(&mutations, REALS, 0, mutate, SHOAL_GA_POLYNOMIAL),
        .mutate_integers = choose(&mutations, INTEGERS, whole_mutate, mutate, SHOAL_GA_STEP),
        .mutate_choices = choose(&mutations, CHOICES, whole_mutate, mutate, SHOAL_GA_UNIFORM_IN_BOX),
        .mutate_bits = choose(&mutations, BITS, whole_mutate, mutate, SHOAL_GA_FLIP),
        .mutate_order = choose(&mutations, ORDER, order_mutate, mutate, SHOAL_GA_SWAP),
    };
    return status ? status : check_effects(params, genome, out, error);
}
