/* Private: methods by which a solver makes its steps, and the choice among them. */
#ifndef SHOAL_WORKLOAD_METHOD_H
#define SHOAL_WORKLOAD_METHOD_H

#include "workload/checkpoint/checkpoint.h"
#include "workload/method/chosen.h"

#include <shoal/workload.h>

/* The first member of each workload's own struct of a method. `problem` is the workload's struct of its
 * problem. `create` and the functions below it get a solver whose state has problem and precision set. */
struct method {
    const char *name; /* name in the option --method and in files */
    /* Can the method solve the problem on the device? Otherwise `error` gives the reason: SHOAL_INVALID where
     * other options would help, SHOAL_UNSUPPORTED, SHOAL_OUT_OF_DEVICE_MEMORY. */
    enum shoal_status (*fits)(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error);
    /* Builds programs, allocates the state of the method into solver->method.state, and sets
     * solver->method.tile if arrays are tiled. */
    enum shoal_status (*create)(struct shoal_solver *solver, struct shoal_error *error);
    void (*destroy)(struct shoal_solver *solver); /* accepts what `create` left after a failure */
    /* Enqueues step 0, or the work before the first step. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    /* `save` adds sections of the method to those of the solver, `load` reads them. The shared arrays hold
     * the checkpoint's content when `load` is called. NULL: the method has no sections. */
    enum shoal_status (*save)(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
};

/* SHOAL_UNSUPPORTED: "method NAME does not do WHAT: use another or auto". */
SHOAL_MUST_CHECK enum shoal_status method_lacks(const struct method *method, const char *what,
                                                struct shoal_error *error);

/* The methods among which a problem may be given one, and the key of the choice in the tuning file. */
struct method_choice {
    const struct method *const *methods; /* NULL ends the list */
    const void *problem;
    const char *asked;   /* the name given by the user; NULL: auto */
    const char *program; /* "X.method" */
    char sizes[TUNING_CLASS_SIZE];
    /* For tuning files of older versions, which stored a number in place of a name: old_program and old_sizes
     * are the key, old_names the name of each number; NULL ends the list. */
    const char *old_program;
    char old_sizes[TUNING_CLASS_SIZE];
    const char *const *old_names;
};
/* The method that the tuning file names, if it fits the problem; NULL: the file names none that fits. */
const struct method *method_tuned(struct shoal_device *device, const struct method_choice *choice);
/* Chooses the method that the user asked for, else the tuned one, else `by_rule`. Fails if a method that was
 * asked for does not fit. */
SHOAL_MUST_CHECK enum shoal_status method_choose(struct shoal_device *device,
                                                 const struct method_choice *choice,
                                                 const struct method *by_rule, const struct method **out,
                                                 struct shoal_error *error);
/* Stores the method that the user asked for in the tuning file: later solvers of similar problems take it for
 * `auto`. */
SHOAL_MUST_CHECK enum shoal_status
method_remember(struct shoal_device *device, const struct method_choice *choice, struct shoal_error *error);

/* The method of a solver with its state. */
struct method_instance {
    const struct method *method;
    void *state;          /* state of the method */
    unsigned part;        /* the part of solver->programs that the method has built */
    size_t tile;          /* entries of a tile in tiled arrays; 0: arrays do not depend on the method */
    size_t stride;        /* in tiles of one entry: elements from an entry to the next; 0: the elements of an
                           * entry */
    struct chosen chosen; /* values that the method chose */
};

/* Creates solver->method.method. After a failure method_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status method_create(struct shoal_solver *solver, struct shoal_error *error);
void method_destroy(struct shoal_solver *solver);

/* Creates `other`->method with its chosen values, destroys the method at hand and takes its place. `resize`
 * reallocates arrays that depend on the tile; NULL: no array depends on it. A failure changes nothing. */
SHOAL_MUST_CHECK enum shoal_status method_replace(struct shoal_solver *solver, struct method_instance *other,
                                                  enum shoal_status (*resize)(struct shoal_solver *solver,
                                                                              struct shoal_error *error),
                                                  struct shoal_error *error);

/* The text of a checkpoint's section of the method: its name and the values that it chose. method_parse
 * returns false where the section is damaged or memory is short; the caller frees `chosen` in any case. */
void method_print(struct text *text, const char *name, const struct chosen *chosen);
bool method_parse(const struct checkpoint_section *section, char name[TUNING_NAME_SIZE],
                  struct chosen *chosen);
/* Write and read the section of a checkpoint with the method and its chosen values. method_load replaces the
 * method of the solver where the checkpoint has another method or other values; `resize` then reallocates the
 * arrays that depend on its tile; NULL: no array depends on it. A failure changes nothing. */
void method_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status
method_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
            enum shoal_status (*resize)(struct shoal_solver *solver, struct shoal_error *error),
            struct shoal_error *error);

#endif
