/* Private: the objects that a rank has created for rank 0, by number. */
#ifndef SHOAL_COMPUTE_REMOTE_OBJECTS_H
#define SHOAL_COMPUTE_REMOTE_OBJECTS_H

#include "compute/backend.h"

/* Kinds of objects, in the order in which the objects are destroyed at the end. */
enum object_kind { NO_OBJECT, AN_EVENT, A_KERNEL, A_PROGRAM, A_BUFFER, A_QUEUE, OBJECT_KINDS };

struct object {
    enum object_kind kind;
    void *pointer;
};

struct objects {
    struct object *list; /* list[n]: the object with number n */
    size_t count;
};

/* A program with the members of its contract that backends read. */
struct served_program {
    struct shoal_program face;
    struct shoal_program_desc desc;
    char *name, *file, *native;
};

struct served_kernel {
    struct shoal_kernel face;
    struct shoal_entry_desc entry;
    char *name;
};

/* Stores an object under a number. After a failure the caller still owns the object. */
SHOAL_MUST_CHECK enum shoal_status objects_add(struct objects *objects, uint64_t number,
                                               enum object_kind kind, void *pointer,
                                               struct shoal_error *error);
/* Returns the object of the given kind and number; NULL: there is none. */
void *objects_find(const struct objects *objects, uint64_t number, enum object_kind kind);
void objects_remove(struct objects *objects, uint64_t number);
void objects_free(struct objects *objects);

void object_destroy(enum object_kind kind, void *pointer);

#endif
