/* Private: differential evolution on a device. */
#ifndef SHOAL_DE_DEVICE_H
#define SHOAL_DE_DEVICE_H

#include "de/de.h"
#include "search/device/device.h"

struct de_device {
    struct search_device search;
    struct de_problem problem;
    struct shoal_buffer *x;       /* the members, in tiles */
    struct shoal_buffer *best;    /* values of the members, in tiles; NaN: a lost member */
    struct shoal_buffer *archive; /* [islands * slots][dim]: members that were replaced */
    struct shoal_buffer *memory;  /* [islands * cells][2]: means of F and CR */
    struct shoal_buffer *counts;  /* [islands][DE_COUNTS] */
    struct shoal_buffer *own_scale,
        *own_rate; /* F and CR of the members, in tiles; NULL: members have no F and CR */
    struct shoal_buffer
        *levels; /* [islands][LEVEL_REALS] of cl/de/model/level.clh; NULL: there is no epsilon level */
};

static inline struct de_device *de_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops de_device_functions;
extern const struct search_method de_onchip_method, de_pipeline_method;

/* Adds the defines that DE_RULE_DEFINE_DESCS lists, with their values for the solver's problem. */
void de_rule_defines(const struct shoal_solver *solver, struct defines *defines);

/* Contract rows for the defines of de_rule_defines. */
#define DE_RULE_DEFINE_DESCS(file)                                                                           \
    DEFINE(file, ADAPTATION, SHOAL_DE_NONE, SHOAL_DE_JSO,                                                    \
           "0 none, 1 jDE, 2 JADE, 3 SHADE, 4 L-SHADE, 5 jSO"),                                              \
        SEARCH_BOX_DESC(file),                                                                               \
        DEFINE(file, CROSSOVER, SHOAL_DE_BINOMIAL, SHOAL_DE_EXPONENTIAL, "0 binomial, 1 exponential"),       \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, STRATEGY, SHOAL_DE_RAND_1, SHOAL_DE_CURRENT_TO_PBEST_1,                                 \
               "1 rand/1, 2 best/1, 3 current-to-pbest/1")

/* Writes the settings of enum de_setting to `settings`, an array with the layout of the buffer `settings`. */
void de_fill_settings(const struct search_problem *problem, double *settings);

#endif
