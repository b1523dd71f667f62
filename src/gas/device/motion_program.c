/* Contract of cl/gas/device/motion.cl. */
#include "compute/contract.h"
#include "gas/device/motion.h"

static const struct shoal_arg_desc advance_args[] = {
    VECTORS("position", READ_WRITE),
    VECTORS("velocity", READ_WRITE),
    VECTORS("acceleration", READ),
    BUFFER("ids", READ, UINT),
    BUFFER("image", READ_WRITE, INT),
    VECTORS("ledger", READ_WRITE),
    BUFFER("words", READ_WRITE, UINT),
    BUFFER("settings", READ, REAL),
    VALUE("n", UINT),
    VALUE("step", UINT),
};

static const struct shoal_arg_desc kick_back_args[] = {
    VECTORS("position", READ),
    VECTORS("velocity", READ_WRITE),
    VECTORS("acceleration", READ),
    BUFFER("settings", READ, REAL),
    VALUE("n", UINT),
};

static const struct shoal_arg_desc kinetic_args[] = {
    VECTORS("position", READ), VECTORS("velocity", READ),      VECTORS("acceleration", READ),
    VECTORS("sums", WRITE),    BUFFER("settings", READ, REAL), VALUE("n", UINT),
};

static const struct shoal_arg_desc limit_mean_args[] = {
    VECTORS("sums", READ),
    BUFFER("words", READ_WRITE, UINT),
    BUFFER("settings", READ, REAL),
    VALUE("count", UINT),
    VALUE("n", UINT),
};

static const struct shoal_arg_desc rescale_args[] = {
    VECTORS("sums", READ_WRITE), VECTORS("ledger", READ_WRITE), BUFFER("settings", READ, REAL),
    VALUE("count", UINT),        VALUE("keep", REAL),           VALUE("change", REAL),
    VALUE("normal", REAL),       VALUE("squares", REAL),
};

static const struct shoal_arg_desc scale_args[] = {
    VECTORS("position", READ), VECTORS("velocity", READ_WRITE), VECTORS("acceleration", READ),
    VECTORS("sums", READ),     BUFFER("settings", READ, REAL),  VALUE("n", UINT),
};

static const struct shoal_arg_desc ledger_sum_args[] = {
    VECTORS("ledger", READ), VECTORS("sums", WRITE), VALUE("places", UINT),
    VALUE("entries", UINT),  VALUE("groups", UINT),
};

#define ENTRY(n, a, local, text)                                                                             \
    {                                                                                                        \
        .name = n, .args = a, .arg_count = COUNT(a), .work_group = "WG", .local_bytes_per_item = local,      \
        .help = text                                                                                         \
    }

static const struct shoal_entry_desc entries[] = {
    ENTRY("gas_advance", advance_args, 0, "one step of each particle, by forces found before"),
    ENTRY("gas_kick_back", kick_back_args, 0, "velocities half a step back"),
    ENTRY("gas_kinetic", kinetic_args, 8, "sums of squared velocities"),
    ENTRY("gas_limit_mean", limit_mean_args, 8, "mean kinetic energy for the limiter"),
    ENTRY("gas_rescale", rescale_args, 8, "factor of a stochastic rescaling"),
    ENTRY("gas_scale", scale_args, 0, "velocities of the full step times that factor"),
    ENTRY("gas_ledger_sum", ledger_sum_args, 8, "heat, and impulses on the walls"),
};

static const struct shoal_define_desc defines[] = {
    {.name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-group size, a power of two"},
    GAS_STATE_DEFINE_DESCS,
    GAS_MOTION_DEFINE_DESCS,
};

const struct shoal_program_desc gas_motion_program = {
    .name = "gas.motion",
    .file = "gas/device/motion.cl",
    .defines = defines,
    .define_count = COUNT(defines),
    .entries = entries,
    .entry_count = COUNT(entries),
};
