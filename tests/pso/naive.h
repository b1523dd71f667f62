/* The swarm of docs/pso.md once more, as plainly as it can be written: one number at a time, matrices for
 * links, no care for speed. What the host solver is compared with, step by step. */
#ifndef SHOAL_TESTS_NAIVE_H
#define SHOAL_TESTS_NAIVE_H

#include <shoal/pso.h>

enum { NAIVE_MOST = 12, NAIVE_DIM = 8 };

/* One island of one run. */
struct naive {
    struct shoal_pso_params params;
    double (*f)(const double *x, size_t dim, void *data);
    double lower[NAIVE_DIM], upper[NAIVE_DIM];
    double x[NAIVE_MOST][NAIVE_DIM], v[NAIVE_MOST][NAIVE_DIM], p[NAIVE_MOST][NAIVE_DIM], best[NAIVE_MOST];
    bool links[NAIVE_MOST][NAIVE_MOST]; /* [from][to] */
    uint32_t xorwow[NAIVE_MOST][6];
    double goal;   /* best of the island after the last step */
    bool improved; /* in the last step */
    uint64_t not_finite;
};

void naive_start(struct naive *swarm, const struct shoal_pso_params *params,
                 double (*f)(const double *x, size_t dim, void *data), double lower, double upper);
/* step 0 draws. */
void naive_step(struct naive *swarm, uint32_t step);

#endif
