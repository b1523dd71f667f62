/* An individual as a text over genes gets it on the host, in an array for each kind: src/objective/code.c
 * calls the functions of host.h with it. */
#ifndef OBJECTIVE_INDIVIDUAL_H
#define OBJECTIVE_INDIVIDUAL_H

struct host_individual {
    double *reals;
    int *wholes;
    unsigned *words;
    unsigned short *places;
    const void *table; /* what the text reads, of double or int */
    unsigned dim, generation;
    unsigned is_set; /* see SET in objective.clh */
};

#endif
