/* Private: the genetic algorithm of the thesis with its own random numbers (HybridTaus) and mailboxes:
 * docs/ga.md, "Thesis". */
#ifndef SHOAL_GA_THESIS_THESIS_H
#define SHOAL_GA_THESIS_THESIS_H

#include "ga/device/device.h"
#include "ga/host/host.h"

enum { GA_GENERATOR_WORDS = 4 };

/* Makes the states of the generators of members first .. first + count - 1 of a run. */
void ga_thesis_seed(uint64_t seed, uint64_t first, size_t count, uint32_t *words);

/* Host ------------------------------------------------------------------------------------------------- */

/* The random choices of a member for a generation. */
struct ga_thesis_draw {
    uint32_t opponent; /* number of the member that competes with this member in selection */
    uint32_t shared;   /* a random word that pairs share */
    uint32_t gene;     /* the gene that mutates; dim: no gene */
    double number;
    uint32_t next[GA_GENERATOR_WORDS]; /* state of the generator after these draws */
};

/* Parts of ga_host_prepare, _draw, _move and _replace for members with generators. */
void ga_thesis_prepare(struct ga_host *host, size_t island);
void ga_thesis_draw(struct ga_host *host, size_t i);
void ga_thesis_move(const struct ga_host *host, size_t i);
void ga_thesis_advance(struct ga_host *host, size_t island);
/* Puts the migrants of an island into its mailbox and takes out the migrants of the last exchange; their
 * values are NaN if the mailbox was empty. */
void ga_thesis_post(struct ga_host *host, size_t island);

/* Device ----------------------------------------------------------------------------------------------- */

/* How cl/ga/thesis/thesis.cl is specialised. */
struct ga_thesis_plan {
    size_t pool;     /* local memory in units of 8 bytes */
    size_t migrants; /* members that an island leaves in its mailbox; 0: no mailboxes */
    size_t arrivals; /* most members that arrive at an island in an exchange */
    bool one_source; /* each island receives from one island */
    bool has_epochs; /* a launch writes the mailboxes and the next launch reads them; false: both happen
                      * within a launch */
    uint32_t work_group, helpers, min_groups;
};

/* Returns SHOAL_UNSUPPORTED if the island is too large for the device. */
SHOAL_MUST_CHECK enum shoal_status ga_thesis_plan(const struct ga_problem *problem,
                                                  const struct shoal_device_info *info,
                                                  struct ga_thesis_plan *plan, struct shoal_error *error);

#endif
