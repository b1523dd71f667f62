/* shoal verify: rows, and the checks of the kernel library. */
#ifndef SHOAL_TOOLS_VERIFY_H
#define SHOAL_TOOLS_VERIFY_H

#include <shoal/workload.h>

struct verify_row {
    const char *name; /* name such as "NAME function=ackley" or "lib.scan"; valid until the command ends */
    struct shoal_device *device;
    const char *what;            /* the compared quantity: "positions and velocities" */
    uint64_t compared;           /* number of steps or elements compared */
    double deviation, tolerance; /* relative deviation and its limit; tolerance 0: all bits must be equal */
    struct shoal_error error;    /* SHOAL_OK, SHOAL_CHECK_FAILED, or the reason why there is no result */
    bool left_out;               /* not supported by the device or the method; `error` gives the reason */
};

struct verify {
    struct shoal_device *host; /* the host device, which is the reference */
    uint64_t steps;
    enum shoal_variant variant;
    const char *only; /* patterns of names between commas; NULL: all rows */
    struct verify_row *rows;
    size_t row_count;
    bool has_functions; /* all functions were verified on this device, by an earlier algorithm */
    int code;           /* exit code of the first failure */
};

/* verify_wants: whether --only selects the row `name`. verify_may_want: whether --only may select a row whose
 * name begins with `begin`. */
bool verify_wants(const struct verify *verify, const char *name);
bool verify_may_want(const struct verify *verify, const char *begin);
/* Adds a copy of the row if --only selects its name, or if the row is an error. */
void verify_add(struct verify *verify, struct shoal_device *device, const struct verify_row *row);
/* Adds a row with figures; the row fails if its deviation exceeds its tolerance. */
void verify_judge(struct verify *verify, struct shoal_device *device, struct verify_row *row);

/* A check that belongs to a workload and takes minutes. */
struct verify_check {
    const char *name;                                                /* "WORKLOAD.states" */
    void (*run)(struct verify *verify, struct shoal_device *device); /* adds the rows of the check */
    /* number of steps as the help shows it, such as "millions"; "-": few */
    const char *steps;
    const char *help; /* what is compared */
    bool is_short;    /* the check is short: `shoal verify` without --long makes it, too */
};

/* Defined in verify_lib.c: checks random numbers, reductions, scan, sort and products against plain C. */
void verify_primitives(struct verify *verify, struct shoal_device *device);

#endif
