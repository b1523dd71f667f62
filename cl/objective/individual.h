/* An individual on the host as a text over genes gets it, with an array for each kind of gene.
 * src/objective/code.c passes it to the functions of host.h. */
#ifndef OBJECTIVE_INDIVIDUAL_H
#define OBJECTIVE_INDIVIDUAL_H

struct host_individual {
    double *reals;
    int *wholes;
    unsigned *words;
    unsigned short *places;
    const void *table; /* the table that the text reads, of double or int; NULL: there is none */
    unsigned dim, generation;
    unsigned is_set; /* see SET in objective.clh */
    unsigned real_count, whole_count, bit_count, place_count;
};

/* An index out of bounds. what: the macro or array that was indexed, such as "GENE"; file, line: where the
 * objective's text does so; count: number of elements. */
struct host_fault {
    const char *what, *file; /* strings of the compiled text */
    int line;
    long index;
    unsigned long count;
};

#endif
