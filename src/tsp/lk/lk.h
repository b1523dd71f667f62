/* Private: iterated Lin-Kernighan search: rules, cells and steps. docs/tsp.md, "Lin-Kernighan
 * search", has the rules. */
#ifndef SHOAL_TSP_LK_H
#define SHOAL_TSP_LK_H

#include "tsp/improve/curve.h"
#include "tsp/lk/layout.h"
#include "tsp/tsp.h"
#include "workload/arrays.h"

#include <stdatomic.h>

/* Most visits of a cell in its division. */
enum { LK_MOST_VISITS = 64 };
/* On the host. CELL: most cities of a cell, as a mean over the cells. BATCH: most cells of that size that a
 * step searches, and so most threads. */
enum { LK_BATCH = 16, LK_CELL = 5000 };
/* The first cut of a division gives a side between 1 - SHIFT and 1 + SHIFT times the mean number of cities.
 */
#define LK_CUT_SHIFT 0.25
/* Most reversals between a kick and the decision whether it is undone, in cells of the host's size. */
enum { LK_FLIPS = 4096 };
/* Moves of a chain that begins with an edge of usual length, in cells of the host's size and in small ones.
 * With single moves a work-group makes more than twice as many kicks, and they are worth more than half as
 * much. */
enum { LK_LEVELS = 2, LK_FEW_LEVELS = 1 };

/* Rules of a run, and the tables that steps only read. */
struct lk {
    const struct tsp_problem *problem;
    uint64_t seed;
    uint32_t n, k;        /* numbers of cities and of candidates of a city */
    uint32_t cell;        /* most cities of a cell, which make it full; a problem may have fewer */
    uint32_t cells;       /* number of cells of a division */
    uint32_t replicas;    /* number of tours that are searched */
    uint32_t batch;       /* most cells of a step */
    uint32_t most_cities; /* most cities of a cell */
    int levels;           /* most moves of a chain that begins with an edge of usual length */
    uint32_t flips;       /* most reversals between a kick and the decision whether it is undone */
    uint32_t batches;     /* number of steps that visit each cell of a division once */
    uint32_t visits;      /* number of visits of each cell of a division with kicks */
    uint32_t kicks;       /* number of kicks of these visits for each city of a cell */
    bool is_cut;          /* straight lines divide points into cells; otherwise a curve does */
    bool is_plane;        /* tsp_form_is_plane */
    uint32_t *lists;      /* [n][k]: candidates */
    uint32_t *first;      /* [replicas][n]: the first tours */
};

/* A city of a cell, in one place of memory: a search looks at cities here and there. */
struct lk_city {
    double x, y;      /* coordinates, used if lk->is_plane */
    uint32_t place;   /* index in the tour */
    uint32_t id;      /* city of the form */
    uint32_t kept[2]; /* cities joined by edges that stay: before, after; or SHOAL_TSP_NONE */
};

/* A candidate of a city. */
struct lk_near {
    uint32_t city; /* SHOAL_TSP_NONE ends a list */
    int32_t distance;
};

/* A cell: some cities with the tour restricted to them, as a closed tour of its own. Two cities that follow
 * each other in the cell but not in the whole tour are joined by a link, which stands for the path outside.
 * Numbers of cities in a cell are their places in the restricted tour when the cell is loaded. */
struct lk_cell {
    const struct lk *lk;
    uint32_t n, k;
    uint32_t *order;        /* [n]: the tour */
    struct lk_city *cities; /* [n] */
    struct lk_near *lists;  /* [n][k]: candidates in the cell, by distance, ended by SHOAL_TSP_NONE */
    bool *is_link;          /* [n]: the edge that is kept to the city after is a link */
    uint32_t *queue;        /* ring of n cities that wait for a search; `count` cities from index `head` on */
    bool *waits;
    uint32_t head, count;
    uint32_t (*flips)[2]; /* [LK_FLIPS]: reversals since the last kick: first and last place */
    uint32_t flip_count;
    int64_t longest; /* length up to which an edge is not long; INT64_MAX: no edge is long */
    int levels;      /* most moves of a chain that begins with a long edge */
    int64_t gain;    /* decrease of the length since the last kick */
    int64_t delta;   /* change of the length by the visit of the cell */
    uint64_t kicks;
};

/* What a visit of a cell does. */
struct lk_visit {
    uint32_t step, cell; /* counters of the random numbers */
    bool is_first;       /* the visit is the cell's first in its division */
    bool has_kicks;      /* kicks follow the search; for a mending, `kicks` says how many */
    /* A tour is kept if it is longer by at most this part of the mean length of the edges that the kick
     * removed, in 2^-16. */
    uint32_t threshold;
    struct long_step *cut;
    /* In a cell with long edges: number of kicks, and the cities to which long edges lead. */
    uint32_t kicks, end_count;
    const uint32_t *ends;
};

/* Improves the tour of a cell from all its cities in a first visit, then by lk->kicks kicks for each
 * city in lk->visits visits. If edges are long, the search begins at their ends, and kicks remove long edges
 * alone. lk_search_any is for all forms; lk_search_plane is faster. */
typedef void lk_search_function(struct lk_cell *cell, const struct lk_visit *visit);
lk_search_function lk_search_any, lk_search_plane;

/* Consecutive cities of the whole tour that are consecutive in whole->tours, too. */
struct lk_piece {
    uint32_t from, to; /* indices of the first and the last city, falling if the direction is reversed */
    uint32_t start;    /* place of the first city in the tour */
    uint32_t part;     /* number of the closed part of the tour */
};

/* The runs of a walk from a milestone, a run, to the next one: see join.c. */
struct lk_stretch {
    uint32_t cities, pieces;
    uint32_t next;         /* the next milestone, as a state of a walk */
    uint32_t piece, start; /* number of its first piece, and the place of that in the tour */
    uint32_t milestone;    /* of the i-th stretch of a walk, in element i */
};

/* The exchange of an edge (a, b) of one part of the tour and an edge (c, d) of another one for (a, c) and
 * (b, d). b and d are the neighbours at sides of a and c. */
struct lk_seam {
    uint32_t a, c; /* indices */
    uint32_t b, d; /* cities */
    unsigned side_a, side_c;
    int64_t change;
};

/* The whole tour with its division into cells. */
struct lk_whole {
    uint32_t *order;   /* [n]: the tour */
    uint32_t *place;   /* [n]: index of each city in the tour */
    uint32_t *cell_of; /* [n]: number of the cell of each city */
    uint32_t *members; /* [n]: cities by cell, in the order of the tour */
    uint32_t *begins;  /* [cells + 1]: index of the first member of each cell */
    uint32_t *index;   /* [n]: index of each city in `members`; while cells are joined, in `tours` */
    /* [n]: tours of the cells, cell by cell; a city has LK_LINK if a link leads to the next city of its cell
     * or, while cells are joined, if a run ends with it */
    uint32_t *tours;
    uint32_t (*external)[2]; /* [n]: for ends of runs: the cities before and after them in other runs */
    uint32_t *run;           /* [n]: for ends of runs: number of the run */
    uint32_t *run_begins;    /* [cells + 1]: number of the first run of each cell */
    uint32_t (*ends)[2];     /* [n]: indices of the first and the last city of each run */
    /* [n]: the neighbours in the tour of the first and of the last city of each run, outside of the run:
     * 2 r for the first city of run r, 2 r + 1 for its last city */
    uint32_t (*links)[2];
    /* [n]: the part of each run, or SHOAL_TSP_NONE; while parts are joined, the part of each city */
    uint32_t *part;
    uint32_t *leaders;            /* [n]: of parts that are joined: see tsp_leader */
    uint32_t *part_begins;        /* [n]: index of the first piece of each part */
    struct lk_seam *seams;        /* [n / 2]: of parts, each with another one */
    struct lk_stretch *stretches; /* [lk_stretches(n)] */
    bool has_stretches;
    struct lk_piece *pieces; /* [n]: the whole tour */
    uint32_t piece_count;
    struct tsp_curve_item *items; /* [2 n]: used by a division */
    uint64_t division; /* number of the division by coordinates that cell_of holds; UINT64_MAX: none */
    int threads;       /* number of threads of the loops over the tour */
    int64_t length;    /* length of the tour */
    uint32_t replica;  /* number of the tour */
};

/* Number of stretches of at most n runs: two of each LK_MILE runs. */
enum { LK_MILE = 64 };
static inline size_t lk_stretches(uint32_t n)
{
    return 2 * ((size_t)n / LK_MILE + 1);
}

/* Are cities divided by their coordinates? Otherwise consecutive cities of the tour are in a cell. */
static inline bool lk_has_places(const struct lk *lk)
{
    return lk->problem->form.dim && lk->cells > 1;
}

static inline uint32_t lk_place_after(const struct lk_whole *whole, uint32_t n, uint32_t city)
{
    return whole->place[city] + 1 < n ? whole->place[city] + 1 : 0;
}

/* The index that follows j in cell c. */
static inline uint32_t lk_next_in_cell(const struct lk_whole *whole, uint32_t c, uint32_t j)
{
    return j + 1 < whole->begins[c + 1] ? j + 1 : whole->begins[c];
}

/* Divides cities with coordinates into cells, which depend on the number of the division alone. */
void lk_divide(const struct lk *lk, struct lk_whole *whole, uint64_t division);
/* Sets place, members, begins, index and tours for the division. lk_divide comes before. */
void lk_gather(const struct lk *lk, struct lk_whole *whole, uint64_t division);
/* Loads the members of cell `number`. */
void lk_cell_load(const struct lk_whole *whole, uint32_t number, struct lk_cell *cell);
/* Writes the tour of cell `number` to whole->tours. */
void lk_cell_store(const struct lk_whole *whole, uint32_t number, const struct lk_cell *cell);
/* Joins the tours of the cells, and writes the tour to whole->order. If they are several closed parts, these
 * are joined, too: returns the change of the length by that. */
int64_t lk_join(const struct lk *lk, struct lk_whole *whole);

/* Kinds of steps, by the time that they take: the first visit of a division also searches from all cities. */
enum lk_step_kind { LK_WITHOUT_KICKS, LK_FIRST_VISIT, LK_LATER_VISIT, LK_STEP_KINDS };

/* State of a run after a step; a section of checkpoints. */
struct lk_state {
    int64_t length, best; /* sum of the lengths of the tours; length of the best tour */
    uint64_t best_step, kicks;
    uint64_t cooling; /* step at which the threshold is 0; 0: not known yet */
};

/* What the methods of the host and of devices have in common; their states begin with it. */
struct lk_run {
    struct lk lk;
    struct lk_whole *wholes; /* [replicas]: the tours; arrays of all of them are one after the other */
    struct arrays arrays;
    struct lk_state state;
    uint32_t *best;    /* the best tour */
    uint32_t *before;  /* [replicas][n]: the tours before a step after which they are mended or recombined */
    int64_t *lengths;  /* [replicas]: lengths of these tours */
    uint32_t *parents; /* [replicas][n]: the tours before a generation of crossovers */
    int threads;       /* number of threads of the loops over tours */
    double began_s;    /* seconds of the run at its first step in this process; negative: none was made */
    uint64_t began;    /* number of steps at this time */
    /* Seconds of the last step of each kind, until the tours are joined; before one, as estimated. */
    double step_s[LK_STEP_KINDS];
    double step_began_s; /* on the clock of the solver */
    const struct shoal_solver *solver;
    struct long_step *cut;
    atomic_uint_fast64_t done; /* number of kicks, also of steps that are dropped */
};

static inline struct lk_run *lk_run_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Creates the tours, whose arrays run->arrays lists afterwards, without the arrays. */
SHOAL_MUST_CHECK enum shoal_status lk_list_arrays(struct lk_run *run, struct shoal_error *error);
/* Creates the arrays. */
SHOAL_MUST_CHECK enum shoal_status lk_create_arrays(struct lk_run *run, struct shoal_error *error);
void lk_destroy_run(struct lk_run *run); /* accepts a struct of zeros */
/* Bytes of memory of the host, besides the arrays: lists, first tours, `cells` cells of a step, the cell of
 * all cities by which lk_mend mends a tour, and memory of the crossovers of run->threads threads. */
double lk_more_bytes(const struct lk_run *run, uint32_t cells);
/* What to do if there is too little memory. */
static inline const char *lk_remedy(const struct lk *lk)
{
    return lk->replicas > 1 ? "lower --replicas or --candidates" : "lower --candidates";
}
/* Creates a cell with room for lk->k + more candidates of a city. */
SHOAL_MUST_CHECK enum shoal_status lk_cell_create(struct lk_cell *cell, const struct lk *lk, uint32_t more,
                                                  struct shoal_error *error);
void lk_cell_destroy(struct lk_cell *cell); /* accepts a struct of zeros */
/* Seconds that a run may take beyond its time limit. */
static inline double lk_overshoot(const struct lk *lk)
{
    return 0.1 + 1e-7 * lk->n;
}
/* Must the run end before step `step`: because it must end now, or because the step would end too late, if it
 * takes as long as the last one of its kind? Step 1 is made in any case. */
bool lk_must_end_before(struct shoal_solver *solver, uint64_t step);
/* Begins a step, which may end a little after the time limit. lk_end_step ends it. */
void lk_begin_step(struct shoal_solver *solver);
void lk_end_step(struct shoal_solver *solver);
/* In a run with a time limit: estimates the cooling before step `step`. */
void lk_estimate_cooling(struct shoal_solver *solver, uint64_t step);
/* The threshold of a step: see struct lk_visit. */
uint32_t lk_threshold(const struct lk_run *run, uint64_t step);
/* lk_divide and lk_gather for all tours. */
void lk_divide_all(struct lk_run *run, uint64_t division);
void lk_gather_all(struct lk_run *run, uint64_t division);
/* Joins the tours of the cells after a step that has changed the length of each tour by changes[replica],
 * then mends or recombines the tours. If that is cut, the tours have not changed. */
SHOAL_MUST_CHECK enum shoal_status lk_take(struct lk_run *run, uint64_t step, const int64_t *changes,
                                           uint64_t kicks, struct shoal_error *error);

/* LK_MORE: most candidates of an end of a long edge that are ends of other long edges. */
enum { LK_MORE = 16 };
/* Do first tours follow a curve? Steps that search all cells at once improve them fast. Between clusters a
 * curve has long edges. With a tour of the caller none does. */
static inline bool lk_begins_with_curve(const struct lk *lk)
{
    return lk->batches == 1 && lk->problem->form.is_even && !lk->problem->tour;
}
/* Number of steps without kicks with which a run begins. They remove the edges of a curve that lead across
 * cells. */
static inline uint64_t lk_steps_without_kicks(const struct lk *lk)
{
    return lk_begins_with_curve(lk) ? 2 : 0;
}
/* The number of the division of a step. A step without kicks has a division of its own. */
static inline uint64_t lk_division(const struct lk *lk, uint64_t step)
{
    const uint64_t without = lk_steps_without_kicks(lk);
    return step <= without ? step - 1 : without + (step - 1 - without) / lk->batches / lk->visits;
}
static inline enum lk_step_kind lk_kind_of(const struct lk *lk, uint64_t step)
{
    const uint64_t without = lk_steps_without_kicks(lk);
    return step <= without                                        ? LK_WITHOUT_KICKS
           : (step - 1 - without) / lk->batches % lk->visits == 0 ? LK_FIRST_VISIT
                                                                  : LK_LATER_VISIT;
}
/* Is the tour mended? In a tour that began with a curve, long edges are few or none; otherwise one thread
 * would take too long for many cities. Of several tours, recombination mends each by the others. */
static inline bool lk_is_mended(const struct lk *lk)
{
    return lk->replicas == 1 && (lk->n <= TSP_MOST_MENDED || lk_begins_with_curve(lk));
}
/* Improves the long edges of the one tour, and changes its length and state->kicks. Step 0: of the first
 * tour, without kicks. If it is cut, nothing changes. */
SHOAL_MUST_CHECK enum shoal_status lk_mend(struct lk_run *run, uint64_t step, struct shoal_error *error);
/* Recombines the tours after a step: generations of crossovers, until one shortens no tour, but at most 64.
 * If it is cut, the tours are of no use. */
SHOAL_MUST_CHECK enum shoal_status lk_recombine(struct lk_run *run, uint64_t step, struct shoal_error *error);

/* Functions of struct tsp_method. */
SHOAL_MUST_CHECK enum shoal_status lk_begin(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status lk_look(struct shoal_solver *solver, struct tsp_look *look,
                                           struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status lk_tour(struct shoal_solver *solver, uint32_t *out,
                                           struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status lk_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                           struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status lk_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                           struct shoal_error *error);
size_t lk_state_count(const struct shoal_solver *solver);
SHOAL_MUST_CHECK enum shoal_status lk_get_state(struct shoal_solver *solver, double *values,
                                                struct shoal_error *error);
void lk_add_fields(const struct shoal_solver *solver, struct shoal_result *result);
uint64_t lk_progress(const struct shoal_solver *solver);
#define LK_METHOD                                                                                            \
    .prepare = lk_prepare, .look = lk_look, .tour = lk_tour, .state_count = lk_state_count,                  \
    .get_state = lk_get_state, .add_fields = lk_add_fields, .progress = lk_progress

/* Sets the rules, and what is the same for all methods. After a failure lk_destroy frees what was allocated.
 */
SHOAL_MUST_CHECK enum shoal_status lk_create(struct shoal_solver *solver, struct lk_run *run,
                                             struct shoal_error *error);
/* Function `prepare` of struct tsp_method: makes the lists and, if is_first, the first tour. After a failure
 * there are none. */
SHOAL_MUST_CHECK enum shoal_status lk_prepare(struct shoal_solver *solver, bool is_first,
                                              struct shoal_error *error);
/* Number of visits of a run on the host or without a time limit, unless it is given. */
uint32_t lk_usual_visits(const struct lk *lk);
void lk_destroy(struct lk *lk); /* accepts a struct of zeros */

extern const struct tsp_method lk_host_method, lk_device_method;

#endif
