/* Contracts of cl/ga/methods/pipeline_*.cl. */
#include "compute/contract.h"
#include "ga/device/generation.h"

/* Local memory of each work-item: a value and its index. */
enum { MINIMUM_BYTES_PER_ITEM = sizeof(double) + sizeof(uint32_t) };

static const struct shoal_entry_desc select_entries[] = {
    ENTRY(ga_pipeline_select, ga_order_fill,
          .help = "the bitonic sort of the values of each island: first "
                  "numbers"),
    ENTRY(ga_pipeline_select, ga_order_step, .help = "the bitonic sort: one step"),
    ENTRY(ga_pipeline_select, ga_order_block, .local_bytes_per_item = 2 * MINIMUM_BYTES_PER_ITEM,
          .help = "the bitonic sort: the steps within a group"),
    ENTRY(ga_pipeline_select, ga_weights, .local_bytes_per_item = sizeof(double) + sizeof(uint64_t),
          .help = "running sums of the weights of each island"),
    ENTRY(ga_pipeline_select, ga_select, .help = "parents of each pair"),
};

static const struct shoal_define_desc select_defines[] = {
    DEFINE(ga_pipeline_select, WG, 1, 1024, "work-group size, a power of two"),
    GA_PIPELINE_DEFINE_DESCS(ga_pipeline_select),
    DEFINE(ga_pipeline_select, SELECTION, SHOAL_GA_TOURNAMENT, SHOAL_GA_BEST,
           "0 tournament, 1 own, 2 roulette, 3 SUS, 4 linear rank, 5 exponential rank, 6 truncation, "
           "7 Boltzmann, 8 best"),
};

const struct shoal_program_desc ga_select_program =
    PROGRAM("ga.select", ga_pipeline_select, 0, select_defines, select_entries);

static const struct shoal_entry_desc vary_entries[] = {
    ENTRY(ga_pipeline_vary, ga_draw, .help = "first members, a work-item for four genes"),
    ENTRY(ga_pipeline_vary, ga_cross, .help = "children of the pairs, a work-item for four genes of a pair"),
    ENTRY(ga_pipeline_vary, ga_mutate, .help = "mutation of a child"),
    ENTRY(ga_pipeline_vary, ga_judge, .help = "values of the search from the values of the objective"),
};

static const struct shoal_define_desc vary_defines[] = {
    DEFINE(ga_pipeline_vary, WG, 1, 1024, "work-group size, a power of two"),
    GA_PIPELINE_DEFINE_DESCS(ga_pipeline_vary),
    GA_VARY_DEFINE_DESCS(ga_pipeline_vary),
};

const struct shoal_program_desc ga_vary_program =
    PROGRAM("ga.vary", ga_pipeline_vary, 0, vary_defines, vary_entries);

static const struct shoal_entry_desc genes_entries[] = {
    ENTRY(ga_pipeline_genes, ga_draw_genes,
          .help = "first members, a work-item for four random words or for an order"),
    ENTRY(ga_pipeline_genes, ga_cross_genes,
          .help =
              "children of the pairs without their orders, a work-item for four reals or words of a pair"),
    ENTRY(ga_pipeline_genes, ga_mutate_genes, .help = "mutation of a child"),
    ENTRY(ga_pipeline_genes, ga_judge_genes, .help = "values of the search from the values of the objective"),
    ENTRY(ga_pipeline_genes, ga_cross_orders, .help = "orders of the children"),
    ENTRY(ga_pipeline_genes, ga_draw_lists, .help = "messy genes: templates and lists of first members"),
    ENTRY(ga_pipeline_genes, ga_cross_lists,
          .help = "messy genes: template and list of a child by cut and "
                  "splice"),
};

static const struct shoal_define_desc genes_defines[] = {
    DEFINE(ga_pipeline_genes, WG, 1, 1024, "work-group size, a power of two"),
    GA_PIPELINE_DEFINE_DESCS(ga_pipeline_genes),
    GA_VARY_DEFINE_DESCS(ga_pipeline_genes),
    GA_GENES_DEFINE_DESCS(ga_pipeline_genes),
};

const struct shoal_program_desc ga_genes_program =
    PROGRAM("ga.genes", ga_pipeline_genes, 0, genes_defines, genes_entries);

static const struct shoal_entry_desc replace_entries[] = {
    ENTRY(ga_pipeline_replace, ga_discard, .help = "finds children that equal a member or another child"),
    ENTRY(ga_pipeline_replace, ga_claim, .help = "for each member, the children that may replace it"),
    ENTRY(ga_pipeline_replace, ga_sources, .help = "chooses the members of the next population"),
    ENTRY(ga_pipeline_replace, ga_replace, .help = "copies the next population"),
    ENTRY(ga_pipeline_replace, ga_emigrate, .help = "copies of the members that islands send"),
    ENTRY(ga_pipeline_replace, ga_immigrate, .local_bytes_per_item = MINIMUM_BYTES_PER_ITEM,
          .help = "writes the members that islands receive"),
};

static const struct shoal_define_desc replace_defines[] = {
    DEFINE(ga_pipeline_replace, REPLACEMENT, SHOAL_GA_GENERATIONAL, SHOAL_GA_COMMA,
           "0 generational, 1 steady, 2 plus, 3 comma"),
    DEFINE(ga_pipeline_replace, IN_WORDS, 0, 1, "1: members are genomes, of words"),
    DEFINE(ga_pipeline_replace, VICTIM, SHOAL_GA_VICTIM_WORST, SHOAL_GA_VICTIM_PARENT,
           "whom a child of steady replaces: 0 the worst, 1 a random member, 2 the oldest, 3 its parent"),
    DEFINE(ga_pipeline_replace, WG, 1, 1024, "work-group size, a power of two"),
    GA_PIPELINE_DEFINE_DESCS(ga_pipeline_replace),
};

const struct shoal_program_desc ga_replace_program =
    PROGRAM("ga.replace", ga_pipeline_replace, 0, replace_defines, replace_entries);
