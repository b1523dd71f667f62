#include "compute/remote/objects.h"

#include <stdlib.h>
#include <string.h>

/* The native object of a program or kernel is NULL if its creation failed. */
static void destroy_program(struct served_program *program)
{
    if (program->face.native)
        program->face.device->backend->program_destroy(&program->face);
    free(program->name);
    free(program->file);
    free(program->native);
    free(program);
}

static void destroy_kernel(struct served_kernel *kernel)
{
    if (kernel->face.native)
        kernel->face.program->device->backend->kernel_destroy(&kernel->face);
    free(kernel->face.arg_data);
    free(kernel->name);
    free(kernel);
}

void object_destroy(enum object_kind kind, void *pointer)
{
    struct shoal_event *event = pointer;
    struct shoal_buffer *buffer = pointer;
    struct shoal_queue *queue = pointer;
    if (kind == AN_EVENT)
        shoal_event_destroy(&event);
    else if (kind == A_KERNEL)
        destroy_kernel(pointer);
    else if (kind == A_PROGRAM)
        destroy_program(pointer);
    else if (kind == A_BUFFER)
        shoal_buffer_destroy(&buffer);
    else if (kind == A_QUEUE)
        shoal_queue_destroy(&queue);
}

enum shoal_status objects_add(struct objects *objects, uint64_t number, enum object_kind kind, void *pointer,
                              struct shoal_error *error)
{
    enum { MOST = 1 << 24 };
    if (!number || number >= MOST)
        return fail(error, SHOAL_FAILED, "an object of rank 0 has the number %llu",
                    (unsigned long long)number);
    if (number >= objects->count) {
        size_t count = objects->count ? objects->count : 64;
        while (number >= count)
            count *= 2;
        struct object *list = realloc(objects->list, count * sizeof *list);
        if (!list)
            return fail_host_memory(error);
        memset(list + objects->count, 0, (count - objects->count) * sizeof *list);
        objects->list = list;
        objects->count = count;
    }
    objects->list[number] = (struct object){kind, pointer};
    return SHOAL_OK;
}

void *objects_find(const struct objects *objects, uint64_t number, enum object_kind kind)
{
    return number < objects->count && objects->list[number].kind == kind ? objects->list[number].pointer
                                                                         : NULL;
}

void objects_remove(struct objects *objects, uint64_t number)
{
    if (number >= objects->count)
        return;
    object_destroy(objects->list[number].kind, objects->list[number].pointer);
    objects->list[number] = (struct object){NO_OBJECT, NULL};
}

void objects_free(struct objects *objects)
{
    for (int kind = AN_EVENT; kind < OBJECT_KINDS; kind++)
        for (size_t i = 0; i < objects->count; i++)
            if (objects->list[i].kind == (enum object_kind)kind)
                object_destroy(objects->list[i].kind, objects->list[i].pointer);
    free(objects->list);
    *objects = (struct objects){NULL, 0};
}
