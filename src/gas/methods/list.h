/* Private: the neighbour list method. */
#ifndef SHOAL_GAS_LIST_H
#define SHOAL_GAS_LIST_H

#include "gas/methods/neighbours.h"
#include "workload/workload.h"

/* Skin of the neighbour list: the value of --skin, or by the rule of docs/gas-tuning.md. */
double gas_list_skin(const struct gas_problem *problem, const struct shoal_device_info *info);
/* Skin of the neighbour list as gas_list_skin gives it, but a value tuned for this class of gases comes
 * before the rule. */
double gas_list_tuned_skin(struct shoal_solver *solver);
/* The class of sizes for which values of the method are tuned. */
void gas_list_class(const struct gas_problem *problem, char class[TUNING_CLASS_SIZE]);
enum { GAS_LIST_LONGEST_INTERVAL = 1024 };
/* Steps between two rebuilds: the first interval follows from the speeds of the start, later ones from the
 * rate that the device measures in words[WORD_RATE]. */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin);
uint32_t gas_list_next_interval(uint32_t interval, double rate);
/* The next step after `steps_done` at which the interval is adapted. */
uint64_t gas_list_next_revision(uint64_t steps_done);

extern const struct shoal_program_desc gas_list_step_program;

/* Common parts of the kernels that do steps: arguments of a launch, and defines of their contracts. */
#define GAS_LIST_ARGS(device, neighbours)                                                                    \
    .velocity = (device)->velocity, .ids = (device)->id, .image = (device)->image,                           \
    .exchange = (device)->exchange, .words = (device)->words, .settings = (device)->settings,                \
    .list = (neighbours)->list, .counts = (neighbours)->counts, .reference = (neighbours)->sort->reference,  \
    .allowed2 = 0.25 * (neighbours)->skin * (neighbours)->skin
#define GAS_LIST_LANES_DESC(file)                                                                            \
    DEFINE(file, LANES, 1, 32, "work-items that share a particle: a power of two")
#define GAS_LIST_TILE_DESC(file) DEFINE(file, LIST_TILE, 1, 1024, "particles whose lists are interleaved")

#endif
