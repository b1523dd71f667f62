/* Private: the genetic algorithm of the thesis, with its own random numbers (HybridTaus) and with mailboxes:
 * docs/ga.md, "Thesis". */
#ifndef SHOAL_GA_THESIS_THESIS_H
#define SHOAL_GA_THESIS_THESIS_H

#include "ga/device/device.h"
#include "ga/host/host.h"

enum { GA_GENERATOR_WORDS = 4 };

/* Computes the first states of the generators of members first .. first + count - 1 of a run. words:
 * [count][GA_GENERATOR_WORDS]. */
void ga_thesis_seed(uint64_t seed, uint64_t first, size_t count, uint32_t *words);

/* Host ------------------------------------------------------------------------------------------------- */

/* Random choices of a member in a generation. */
struct ga_thesis_draw {
    uint32_t opponent; /* index of the member that competes with this member in the selection */
    uint32_t shared;   /* random word that a pair shares */
    uint32_t gene;     /* index of the gene that mutates; dim: no gene */
    double number;
    uint32_t next[GA_GENERATOR_WORDS]; /* state of the generator after these draws */
};

/* Parts of ga_host_prepare, ga_host_draw, ga_host_move and ga_host_replace, for members with generators. */
void ga_thesis_prepare(struct ga_host *host, size_t island);
void ga_thesis_draw(struct ga_host *host, size_t i);
void ga_thesis_move(const struct ga_host *host, size_t i);
void ga_thesis_advance(struct ga_host *host, size_t island);
/* Exchanges the migrants of an island with the individuals in its mailbox, which were put there in the last
 * exchange. If the mailbox was empty, their values are NaN. */
void ga_thesis_post(struct ga_host *host, size_t island);

/* Device ----------------------------------------------------------------------------------------------- */

/* Defines and sizes of cl/ga/thesis/thesis.cl. */
struct ga_thesis_plan {
    size_t pool;     /* size of local memory in units of 8 bytes */
    size_t migrants; /* number of members that an island leaves in its mailbox; 0: there are no mailboxes */
    size_t arrivals; /* largest number of members that arrive at an island in an exchange */
    bool one_source; /* each island receives from exactly one island */
    /* a launch writes the mailboxes, and the next launch reads them; false: each launch does both */
    bool has_epochs;
    uint32_t work_group, helpers, min_groups;
};

/* Plans the kernel for a problem and a device. SHOAL_UNSUPPORTED: the island is too large for the device. */
SHOAL_MUST_CHECK enum shoal_status ga_thesis_plan(const struct ga_problem *problem,
                                                  const struct shoal_device_info *info,
                                                  struct ga_thesis_plan *plan, struct shoal_error *error);

#endif
