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
    unsigned real_count, whole_count, bit_count, place_count;
};

/* An index that is not there: "GENE", where, of how many. */
struct host_fault {
    const char *what, *file; /* of the machine code of the text */
    int line;
    long index;
    unsigned long count;
};

#endif
