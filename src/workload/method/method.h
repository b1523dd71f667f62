/* Private: the methods by which a solver makes its steps, and the choice of a method. */
#ifndef SHOAL_WORKLOAD_METHOD_H
#define SHOAL_WORKLOAD_METHOD_H

#include "workload/checkpoint/checkpoint.h"
#include "workload/method/chosen.h"

#include <shoal/workload.h>

/* First member of each workload's own struct of a method. problem: the workload's own struct of its problem.
 * `create`, `begin`, `advance`, `save` and `load` get a solver whose state already has its problem and
 * precision. */
struct method {
    const char *name; /* name of the method in option --method and in files */
    /* Can the method solve the problem on the device? If not, `error` has the reason: SHOAL_INVALID where
     * other options would help, SHOAL_UNSUPPORTED, or SHOAL_OUT_OF_DEVICE_MEMORY. */
    enum shoal_status (*fits)(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error);
    /* Builds programs, allocates the method's state in solver->method.state, and sets solver->method.tile
     * where arrays are tiled. */
    enum shoal_status (*create)(struct shoal_solver *solver, struct shoal_error *error);
    void (*destroy)(struct shoal_solver *solver); /* must accept the state that a failed `create` has left */
    /* Enqueues step 0, or the work before the first step. */
    enum shoal_status (*begin)(struct shoal_solver *solver, struct shoal_error *error);
    enum shoal_status (*advance)(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error);
    /* save: adds sections of the method to the checkpoint of the solver; load: reads them, after the shared
     * arrays were loaded. NULL: the method has no sections. */
    enum shoal_status (*save)(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
};

/* Returns SHOAL_UNSUPPORTED with the message "method NAME does not do WHAT: use another or auto". */
SHOAL_MUST_CHECK enum shoal_status method_lacks(const struct method *method, const char *what,
                                                struct shoal_error *error);

/* The methods that may solve a problem, and the entry of the tuning file with the choice: `program` and
 * `sizes`. */
struct method_choice {
    const struct method *const *methods; /* NULL ends the list */
    const void *problem;
    const char *asked;   /* name of the method that the user asked for; NULL: auto */
    const char *program; /* "X.method", in the tuning file */
    char sizes[TUNING_CLASS_SIZE];
    /* For tuning files of older versions, which stored a number in place of a name: old_program and old_sizes
     * are the entry with the number; old_names[number] is the name, and NULL ends the list. */
    const char *old_program;
    char old_sizes[TUNING_CLASS_SIZE];
    const char *const *old_names;
};
/* Finds the method that the tuning file names, if it fits the problem; NULL: no such method. */
const struct method *method_tuned(struct shoal_device *device, const struct method_choice *choice);
/* Chooses the method: the user's choice, else the tuned method, else `by_rule`. Fails if the user's choice
 * does not fit the problem. */
SHOAL_MUST_CHECK enum shoal_status method_choose(struct shoal_device *device,
                                                 const struct method_choice *choice,
                                                 const struct method *by_rule, const struct method **out,
                                                 struct shoal_error *error);
/* Stores the user's method in the tuning file: later solvers of similar problems use it for `auto`. */
SHOAL_MUST_CHECK enum shoal_status
method_remember(struct shoal_device *device, const struct method_choice *choice, struct shoal_error *error);

/* The method of a solver, with the method's state. */
struct method_instance {
    const struct method *method;
    void *state;          /* state of the method */
    unsigned part;        /* number of the part of solver->programs that the method has built */
    size_t tile;          /* items of a tile in tiled arrays; 0: arrays do not depend on the method */
    size_t stride;        /* distance between items in tiles of one item; 0: an item has no padding */
    struct chosen chosen; /* values that the method chose */
};

/* Creates solver->method.method. After a failure method_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status method_create(struct shoal_solver *solver, struct shoal_error *error);
void method_destroy(struct shoal_solver *solver);

/* Creates `other`->method with its chosen values, then destroys the current method and replaces it. resize:
 * reallocates arrays that depend on the tile; NULL: no array does. A failure changes nothing. */
SHOAL_MUST_CHECK enum shoal_status method_replace(struct shoal_solver *solver, struct method_instance *other,
                                                  enum shoal_status (*resize)(struct shoal_solver *solver,
                                                                              struct shoal_error *error),
                                                  struct shoal_error *error);

/* method_print makes the text of a checkpoint's section: the name of the method and the values that the
 * method chose. method_parse reads such a section, and returns false if it is damaged or memory is not
 * sufficient; the caller frees `chosen` in any case. */
void method_print(struct text *text, const char *name, const struct chosen *chosen);
bool method_parse(const struct checkpoint_section *section, char name[TUNING_NAME_SIZE],
                  struct chosen *chosen);
/* method_save and method_load write and read the section of a checkpoint with the method and its chosen
 * values. method_load replaces the solver's method where the checkpoint has another method or other values;
 * resize: reallocates the arrays that depend on the tile, NULL: no array does. A failure changes nothing. */
void method_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status
method_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
            enum shoal_status (*resize)(struct shoal_solver *solver, struct shoal_error *error),
            struct shoal_error *error);

#endif
