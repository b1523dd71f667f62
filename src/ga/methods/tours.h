/* Private: local search of children that are closed tours: a launch improves many tours, each by a
 * work-group. */
#ifndef SHOAL_GA_METHODS_TOURS_H
#define SHOAL_GA_METHODS_TOURS_H

#include "ga/methods/memory.h"
#include "tsp/improve/device.h"

struct ga_tour_search {
    const struct ga_memory *memory; /* memory of the method */
    struct shoal_kernel *pick, *load, *store, *value;
    uint32_t places; /* number of cities in a tour */
    uint32_t wide;   /* most tours in a launch */
    size_t picks;    /* most children that a generation improves */
    uint32_t *picked;
    /* Buffers, listed with the arrays of the improver. pick_list: numbers of the children to improve; tours:
     * the tours of a launch; gains: decreases of their lengths; lists: candidate lists. */
    struct shoal_buffer *pick_list, *tours, *gains, *lists;
    struct tsp_places cities;
    struct tsp_improve_device device;
};

/* Numbers of elements of these buffers; zeros: there are no buffers. */
struct ga_tour_sizes {
    double picks, tours, gains, lists;
};

/* For a solver whose children are tours. ga_tour_search_plan is called before the solver's arrays are
 * created, with a struct of zeros; ga_tour_search_create is called after that. */
void ga_tour_search_plan(struct shoal_solver *solver, struct ga_tour_search *search,
                         const struct ga_memory *memory, struct ga_tour_sizes *sizes);
SHOAL_MUST_CHECK enum shoal_status
ga_tour_search_create(struct shoal_solver *solver, struct ga_tour_search *search, struct shoal_error *error);
void ga_tour_search_destroy(struct ga_tour_search *search); /* accepts a struct of zeros */
/* Improves the children of a step, and writes their values. *is_dropped: set if the run had to end before. */
SHOAL_MUST_CHECK enum shoal_status ga_tour_search_run(struct shoal_solver *solver,
                                                      struct ga_tour_search *search, uint32_t step,
                                                      bool *is_dropped, struct shoal_error *error);

#endif
