/* Private: local search of children that are closed tours. A launch improves many tours; a work-group
 * improves a tour. */
#ifndef SHOAL_GA_METHODS_TOURS_H
#define SHOAL_GA_METHODS_TOURS_H

#include "ga/methods/memory.h"
#include "tsp/improve/device.h"

struct ga_tour_search {
    const struct ga_memory *memory; /* memory of the method */
    struct shoal_kernel *pick, *load, *store, *value;
    uint32_t places; /* number of cities in a tour */
    uint32_t wide;   /* largest number of tours in a launch */
    size_t picks;    /* largest number of children that a generation improves */
    uint32_t *picked;
    /* Buffers, which are among the arrays of the improver. pick_list: numbers of the children to improve;
     * tours: the tours of a launch; gains: by how much their lengths decrease; lists: candidate lists. */
    struct shoal_buffer *pick_list, *tours, *gains, *lists;
    struct tsp_places cities;
    struct tsp_improve_device device;
};

/* Number of elements of the buffers of struct ga_tour_search; all zeros: there are no buffers. */
struct ga_tour_sizes {
    double picks, tours, gains, lists;
};

/* Create the local search if children are tours. ga_tour_search_plan: called with a struct of zeros, before
 * the solver's arrays are created. ga_tour_search_create: called after they are created. */
void ga_tour_search_plan(struct shoal_solver *solver, struct ga_tour_search *search,
                         const struct ga_memory *memory, struct ga_tour_sizes *sizes);
SHOAL_MUST_CHECK enum shoal_status
ga_tour_search_create(struct shoal_solver *solver, struct ga_tour_search *search, struct shoal_error *error);
void ga_tour_search_destroy(struct ga_tour_search *search); /* accepts a struct of zeros */
/* Improves the children of a step, and writes their values. *is_dropped: set to true if the run had to end
 * before all children were improved. */
SHOAL_MUST_CHECK enum shoal_status ga_tour_search_run(struct shoal_solver *solver,
                                                      struct ga_tour_search *search, uint32_t step,
                                                      bool *is_dropped, struct shoal_error *error);

#endif
