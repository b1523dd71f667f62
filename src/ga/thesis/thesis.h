/* Private: the genetic algorithm of the thesis with its own random numbers (HybridTaus) and mailboxes:
 * docs/ga.md, "Thesis". */
#ifndef SHOAL_GA_THESIS_THESIS_H
#define SHOAL_GA_THESIS_THESIS_H

#include "ga/device/device.h"
#include "ga/host/host.h"

enum { GA_GENERATOR_WORDS = 4 };

/* States of the generators of `count` members of a run from member `first` on. */
void ga_thesis_seed(uint64_t seed, uint64_t first, size_t count, uint32_t *words);

/* Host ------------------------------------------------------------------------------------------------- */

/* The random choices of a member for a generation. */
struct ga_thesis_draw {
    uint32_t opponent; /* number of the member that is its opponent in selection */
    uint32_t shared;   /* a random word that pairs share */
    uint32_t gene;     /* the gene that mutates; dim: no gene */
    double number;
    uint32_t next[GA_GENERATOR_WORDS]; /* state of the generator after these draws */
};

/* The parts of ga_host_prepare, _draw, _move and _replace where the algorithm has generators. */
void ga_thesis_prepare(struct ga_host *host, size_t island);
void ga_thesis_draw(struct ga_host *host, size_t i);
void ga_thesis_move(const struct ga_host *host, size_t i);
void ga_thesis_advance(struct ga_host *host, size_t island);
/* Exchanges what an island sends for what it left in its mailbox at the exchange before; NaN: nothing yet. */
void ga_thesis_post(struct ga_host *host, size_t island);

/* Device ----------------------------------------------------------------------------------------------- */

/* How cl/ga/thesis/thesis.cl is specialised. */
struct ga_thesis_plan {
    size_t pool;     /* local memory in units of 8 bytes */
    size_t migrants; /* members that an island leaves in its mailbox; 0: no mailboxes */
    size_t arrivals; /* most members that arrive at an island in an exchange */
    bool one_source; /* each island receives from one island */
    bool has_epochs; /* mailboxes are written by a launch and read by the next, not within launches */
    uint32_t work_group, helpers, min_groups;
};

/* SHOAL_UNSUPPORTED if the island is too large for the device. */
SHOAL_MUST_CHECK enum shoal_status ga_thesis_plan(const struct ga_problem *problem,
                                                  const struct shoal_device_info *info,
                                                  struct ga_thesis_plan *plan, struct shoal_error *error);

#endif
