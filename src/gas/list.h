/* Private: the neighbour list method. */
#ifndef SHOAL_GAS_LIST_H
#define SHOAL_GAS_LIST_H

#include "gas/neighbours.h"

/* Words of gas_device that are the method's own, as WORD_* in cl/gas/list_step.cl. */
enum list_word {
    LIST_STOP = 24, /* 2, by parity of the launch: see there */
    LIST_REACHED =
        26 /* largest displacement at a rebuild over the allowed one since the interval was last set: float */
};

/* Skin by --skin or by rule: docs/gas.md. */
double gas_list_skin(const struct gas_problem *problem);
/* Steps between two rebuilds: by the speeds of the start, and from then on by what was reached of the allowed
 * displacement with `interval`. */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin);
uint32_t gas_list_next_interval(uint32_t interval, double reached);
/* The step, beyond `made`, at which the interval is set again. */
uint64_t gas_list_next_revision(uint64_t made);

extern const struct shoal_program_desc gas_list_step_program;

#endif
