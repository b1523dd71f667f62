/* Private: the neighbour list method. */
#ifndef SHOAL_GAS_LIST_H
#define SHOAL_GAS_LIST_H

#include "gas/neighbours.h"
#include "gas/tuned.h"

/* Words of gas_device that are the method's own, as WORD_* in cl/gas/list_step.cl. */
enum list_word {
    LIST_STOP = 24, /* 2, by parity of the launch: see there */
    LIST_PACE =
        26 /* float: largest displacement, over the allowed one and the steps since the build, of what the
            * interval has to follow: particles that went too far, and all at the end of an interval */
};

/* Skin by --skin or by rule: docs/gas.md. */
double gas_list_skin(const struct gas_problem *problem, const struct shoal_device_info *info);
/* The same, with what `shoal tune gas` found for gases like this between the two. */
double gas_list_tuned_skin(const struct shoal_solver *solver);
/* The class of sizes for which values of the method are tuned. */
void gas_list_class(const struct gas_problem *problem, char class[TUNING_CLASS_SIZE]);
/* Steps between two rebuilds: by the speeds of the start, and from then on by words[LIST_PACE]. */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin);
uint32_t gas_list_next_interval(uint32_t interval, double pace);
/* The step, beyond `made`, at which the interval is set again. */
uint64_t gas_list_next_revision(uint64_t made);

extern const struct shoal_program_desc gas_list_step_program;

#endif
