/* Private: methods by which a device does the work of a solver, and the choice among them. */
#ifndef SHOAL_WORKLOAD_METHOD_H
#define SHOAL_WORKLOAD_METHOD_H

#include "workload/checkpoint/checkpoint.h"
#include "workload/method/chosen.h"

#include <shoal/workload.h>

/* The first member of a workload's own struct of a method. `problem` is the workload's; create and the later
 * functions get a solver whose state has problem and precision set. */
struct method {
    const char *name; /* as in the option --method and in files */
    /* Can it solve the problem on the device? Otherwise `error` gives the reason: SHOAL_INVALID where other
     * options would help, SHOAL_UNSUPPORTED, SHOAL_OUT_OF_DEVICE_MEMORY. */
    enum shoal_status (*fits)(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error);
    /* Builds, allocates its own into solver->method.state, sets solver->method.tile if arrays are tiled. */
    enum shoal_status (*create)(struct shoal_solver *solver, struct shoal_error *error);
    void (*destroy)(struct shoal_solver *solver); /* accepts what `create` left after a failure */
    /* Enqueues step 0, or the work before the first step. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    /* Sections of a checkpoint beyond those of the solver, and back. Shared arrays hold the checkpoint when
     * `load` is called. NULL: nothing. */
    enum shoal_status (*save)(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
};

/* SHOAL_UNSUPPORTED: "method NAME does not do WHAT: use another or auto". */
SHOAL_MUST_CHECK enum shoal_status method_lacks(const struct method *method, const char *what,
                                                struct shoal_error *error);

/* The methods of a problem, and the key of the choice in the tuning file. */
struct method_choice {
    const struct method *const *methods; /* ended by NULL */
    const void *problem;
    const char *asked;   /* the name given by the user; NULL: auto */
    const char *program; /* "X.method" */
    char sizes[TUNING_CLASS_SIZE];
    /* Key of versions that stored a number in place of the name, and the names of the numbers, ended by
     * NULL. */
    const char *old_program;
    char old_sizes[TUNING_CLASS_SIZE];
    const char *const *old_names;
};
/* The method of the tuning file, if it fits; NULL: there is none. */
const struct method *method_tuned(struct shoal_device *device, const struct method_choice *choice);
/* The method given, else the tuned one, else that of the rule; fails if it does not fit. */
SHOAL_MUST_CHECK enum shoal_status method_choose(struct shoal_device *device,
                                                 const struct method_choice *choice,
                                                 const struct method *by_rule, const struct method **out,
                                                 struct shoal_error *error);
/* Stores the method given, for later solvers of similar problems with `auto`. */
SHOAL_MUST_CHECK enum shoal_status
method_remember(struct shoal_device *device, const struct method_choice *choice, struct shoal_error *error);

/* The method of a solver. */
struct method_instance {
    const struct method *method;
    void *state;          /* of the method */
    unsigned part;        /* of the solver's programs */
    size_t tile;          /* entries of a tile in tiled arrays; 0: arrays do not depend on the method */
    size_t stride;        /* with tiles of one: elements from one entry to the next; 0: as it has */
    struct chosen chosen; /* values that it chose */
};

/* Creates solver->method.method. After a failure method_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status method_create(struct shoal_solver *solver, struct shoal_error *error);
void method_destroy(struct shoal_solver *solver);

/* Creates `other`->method with its chosen values, destroys the method at hand and takes its place. `resize`
 * reallocates arrays that depend on the tile; NULL: there are none. Changes nothing on failure. */
SHOAL_MUST_CHECK enum shoal_status method_replace(struct shoal_solver *solver, struct method_instance *other,
                                                  enum shoal_status (*resize)(struct shoal_solver *solver,
                                                                              struct shoal_error *error),
                                                  struct shoal_error *error);

/* The text of such a section: the name of a method and the values that it chose. Reading returns false if it
 * is damaged or out of memory; `chosen` is to be freed in any case. */
void method_print(struct text *text, const char *name, const struct chosen *chosen);
bool method_parse(const struct checkpoint_section *section, char name[TUNING_NAME_SIZE],
                  struct chosen *chosen);
/* Writes and reads the section of a checkpoint with the method and its chosen values. Reading replaces the
 * method if it is another one or chose other values; `resize` then reallocates arrays that depend on its
 * tile; NULL: there are none. Changes nothing on failure. */
void method_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status
method_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
            enum shoal_status (*resize)(struct shoal_solver *solver, struct shoal_error *error),
            struct shoal_error *error);

#endif
