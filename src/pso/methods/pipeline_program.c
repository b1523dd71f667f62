/* Contracts of cl/pso/pipeline_*.cl. */
#include "compute/contract.h"
#include "pso/methods/pipeline.h"

#define STRUCT(n)                                                                                            \
    {                                                                                                        \
        .name = #n, .access = SHOAL_VALUE, .type = SHOAL_TYPE_STRUCT, .bytes = sizeof(struct pipeline_##n)   \
    }

static const struct shoal_arg_desc move_args[] = {
    BUFFER("x", READ_WRITE, REAL),
    BUFFER("v", READ_WRITE, REAL),
    BUFFER("p", READ, REAL),
    BUFFER("leader", READ, UINT),
    BUFFER("head", READ, UINT),
    BUFFER("next", READ, UINT),
    BUFFER("outside", WRITE, UINT),
    BUFFER("words", READ, UINT),
    BUFFER("settings", READ, REAL),
    STRUCT(shape),
    STRUCT(batch),
    VALUE("step", UINT),
    VALUE("lanes", UINT),
};

static const struct shoal_arg_desc whole_args[] = {
    BUFFER("x", READ_WRITE, REAL),
    BUFFER("v", READ_WRITE, REAL),
    BUFFER("p", READ, REAL),
    BUFFER("leader", READ, UINT),
    BUFFER("states", READ_WRITE, UINT),
    BUFFER("outside", WRITE, UINT),
    BUFFER("words", READ, UINT),
    BUFFER("settings", READ, REAL),
    STRUCT(shape),
    STRUCT(batch),
    VALUE("step", UINT),
    VALUE("stride", UINT),
};

static const struct shoal_entry_desc move_entries[] = {
    {.name = "pso_move",
     .args = move_args,
     .arg_count = COUNT(move_args),
     .work_group = "WG",
     .help = "moves or draws particles, four dimensions a work-item"},
    {.name = "pso_move_whole",
     .args = whole_args,
     .arg_count = COUNT(whole_args),
     .work_group = "WG",
     .help = "moves or draws particles, one a work-item: SPSO-2011, XORWOW"},
};

static const struct shoal_define_desc move_defines[] = {
    {.name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-group size, a power of two"},
    PSO_RULE_DEFINE_DESCS,
};

const struct shoal_program_desc pso_move_program = {
    .name = "pso.move",
    .file = "pso/methods/pipeline_move.cl",
    .defines = move_defines,
    .define_count = COUNT(move_defines),
    .entries = move_entries,
    .entry_count = COUNT(move_entries),
};

static const struct shoal_arg_desc keep_args[] = {
    BUFFER("x", READ, REAL),
    BUFFER("p", WRITE, REAL),
    BUFFER("y", READ, REAL),
    BUFFER("best", READ_WRITE, REAL),
    BUFFER("outside", READ_WRITE, UINT),
    BUFFER("words", READ_WRITE, UINT),
    BUFFER("settings", READ, REAL),
    STRUCT(shape),
    STRUCT(batch),
    VALUE("step", UINT),
};

static const struct shoal_arg_desc unlink_args[] = {
    BUFFER("head", WRITE, UINT), BUFFER("words", READ, UINT), STRUCT(shape),
    VALUE("step", UINT),         VALUE("anyhow", UINT),
};

static const struct shoal_arg_desc links_args[] = {
    BUFFER("head", READ_WRITE, UINT),
    BUFFER("next", WRITE, UINT),
    BUFFER("words", READ, UINT),
    STRUCT(shape),
    VALUE("step", UINT),
    VALUE("anyhow", UINT),
};

static const struct shoal_arg_desc leaders_args[] = {
    BUFFER("best", READ, REAL),
    BUFFER("head", READ, UINT),
    BUFFER("next", READ, UINT),
    BUFFER("leader", WRITE, UINT),
    STRUCT(shape),
    STRUCT(batch),
};

static const struct shoal_entry_desc best_entries[] = {
    {.name = "pso_keep",
     .args = keep_args,
     .arg_count = COUNT(keep_args),
     .work_group = "WG",
     .local_bytes = 0,
     .local_bytes_per_item = sizeof(uint32_t),
     .help = "personal bests from the values"},
    {.name = "pso_unlink",
     .args = unlink_args,
     .arg_count = COUNT(unlink_args),
     .work_group = "WG",
     .help = "empties the lists of random links that are due"},
    {.name = "pso_links",
     .args = links_args,
     .arg_count = COUNT(links_args),
     .work_group = "WG",
     .help = "draws random links that are due"},
    {.name = "pso_leaders",
     .args = leaders_args,
     .arg_count = COUNT(leaders_args),
     .work_group = "WG",
     .help = "the best neighbour of each particle"},
};

static const struct shoal_define_desc best_defines[] = {
    {.name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-group size, a power of two"},
    PSO_RULE_DEFINE_DESCS,
};

const struct shoal_program_desc pso_best_program = {
    .name = "pso.best",
    .file = "pso/methods/pipeline_best.cl",
    .defines = best_defines,
    .define_count = COUNT(best_defines),
    .entries = best_entries,
    .entry_count = COUNT(best_entries),
};

static const struct shoal_arg_desc argmin_args[] = {
    BUFFER("values", READ, REAL),
    BUFFER("indices", READ, UINT),
    BUFFER("out_values", WRITE, REAL),
    BUFFER("out_indices", WRITE, UINT),
    VALUE("is_known", UINT),
    VALUE("count", UINT),
    VALUE("length", UINT),
    VALUE("groups", UINT),
};

static const struct shoal_arg_desc settle_args[] = {
    BUFFER("values", READ, REAL),
    BUFFER("indices", READ, UINT),
    BUFFER("goal_value", READ_WRITE, REAL),
    BUFFER("goal_index", READ_WRITE, UINT),
    BUFFER("p", READ, REAL),
    BUFFER("words", READ_WRITE, UINT),
    BUFFER("reals", READ_WRITE, REAL),
    BUFFER("champion", WRITE, REAL),
    BUFFER("trace", WRITE, REAL),
    BUFFER("settings", READ, REAL),
    STRUCT(shape),
    VALUE("is_known", UINT),
    VALUE("count", UINT),
    VALUE("step", UINT),
    VALUE("tasks", UINT),
    VALUE("trace_interval", UINT),
};

static const struct shoal_arg_desc exchange_args[] = {
    BUFFER("best", READ_WRITE, REAL),
    BUFFER("p", WRITE, REAL),
    BUFFER("goal_value", READ_WRITE, REAL),
    BUFFER("goal_index", WRITE, UINT),
    BUFFER("words", READ, UINT),
    BUFFER("reals", READ, REAL),
    BUFFER("champion", READ, REAL),
    STRUCT(shape),
    VALUE("is_all", UINT),
};

static const struct shoal_arg_desc ends_args[] = {
    BUFFER("words", READ_WRITE, UINT), BUFFER("reals", READ, REAL),
    BUFFER("settings", READ, REAL),    VALUE("swarms", UINT),
    VALUE("stagnation", UINT),
};

/* A value and its index for each work-item. */
enum { ARGMIN_BYTES_PER_ITEM = sizeof(double) + sizeof(uint32_t) };

static const struct shoal_entry_desc island_entries[] = {
    {.name = "pso_argmin",
     .args = argmin_args,
     .arg_count = COUNT(argmin_args),
     .work_group = "WG",
     .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
     .help = "one pass of the search for the best particle of each island"},
    {.name = "pso_settle",
     .args = settle_args,
     .arg_count = COUNT(settle_args),
     .work_group = "WG",
     .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
     .help = "the best particle of each island, champions, the books at the end of a step"},
    {.name = "pso_exchange",
     .args = exchange_args,
     .arg_count = COUNT(exchange_args),
     .work_group = "WG",
     .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
     .help = "islands take champions of others"},
    {.name = "pso_ends",
     .args = ends_args,
     .arg_count = COUNT(ends_args),
     .work_group = "WG",
     .local_bytes = 2 * sizeof(uint32_t),
     .help = "ends runs by target and stagnation"},
};

static const struct shoal_define_desc island_defines[] = {
    {.name = "ARGMIN",
     .value = 0,
     .min = 0,
     .max = 3,
     .help = "end of the search in a group: 0 shared, 1 shfl, 2 vol, 3 warp first"},
    {.name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-group size, a power of two"},
    PSO_RULE_DEFINE_DESCS,
};

const struct shoal_program_desc pso_island_program = {
    .name = "pso.island",
    .file = "pso/methods/pipeline_island.cl",
    .defines = island_defines,
    .define_count = COUNT(island_defines),
    .entries = island_entries,
    .entry_count = COUNT(island_entries),
};
