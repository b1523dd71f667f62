#include "workload/method/method.h"

#include "base/error.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

/* Choice ----------------------------------------------------------------------------------------------- */

enum shoal_status method_lacks(const struct method *method, const char *what, struct shoal_error *error)
{
    return fail(error, SHOAL_UNSUPPORTED, "--method %s does not do %s: use another or auto", method->name,
                what);
}

static const struct method *find(const struct method *const *methods, const char *name)
{
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}

/* Finds the name of a method in a tuning file of a version that stored numbers. */
static const char *old_name(struct shoal_device *device, const struct method_choice *choice)
{
    int64_t number, count = 0;
    if (!choice->old_program || !shoal_tuning_get(device, choice->old_program, choice->old_sizes, &number))
        return NULL;
    while (choice->old_names[count])
        count++;
    return number >= 0 && number < count ? choice->old_names[number] : NULL;
}

const struct method *method_tuned(struct shoal_device *device, const struct method_choice *choice)
{
    char text[TUNING_NAME_SIZE];
    const char *name =
        tuning_get_name(device, choice->program, choice->sizes, text) ? text : old_name(device, choice);
    const struct method *method = name ? find(choice->methods, name) : NULL;
    struct shoal_error ignored;
    return method && !method->fits(method, choice->problem, shoal_device_get_info(device), &ignored) ? method
                                                                                                     : NULL;
}

enum shoal_status method_choose(struct shoal_device *device, const struct method_choice *choice,
                                const struct method *by_rule, const struct method **out,
                                struct shoal_error *error)
{
    const struct method *method =
        choice->asked ? find(choice->methods, choice->asked) : method_tuned(device, choice);
    if (choice->asked && !method)
        return fail(error, SHOAL_UNSUPPORTED, "devices have no --method %s: use another or auto",
                    choice->asked);
    *out = method ? method : by_rule;
    return (*out)->fits(*out, choice->problem, shoal_device_get_info(device), error);
}

enum shoal_status method_remember(struct shoal_device *device, const struct method_choice *choice,
                                  struct shoal_error *error)
{
    return choice->asked
               ? tuning_set_name(device, choice->program, choice->sizes, choice->asked, error)
               : fail(error, SHOAL_INVALID, "the method was left open: there is no choice to remember");
}

/* A method at work ------------------------------------------------------------------------------------- */

enum shoal_status method_create(struct shoal_solver *solver, struct shoal_error *error)
{
    solver->method.part = programs_begin_part(&solver->programs);
    enum shoal_status status = solver->method.method->create(solver, error);
    programs_end_part(&solver->programs);
    /* A resumed run needs all values that the method chose. */
    return !status && solver->method.chosen.failed ? fail_host_memory(error) : status;
}

void method_destroy(struct shoal_solver *solver)
{
    if (solver->method.method)
        solver->method.method->destroy(solver);
    if (solver->method.part)
        programs_drop_part(&solver->programs, solver->method.part);
    chosen_free(&solver->method.chosen);
    solver->method = (struct method_instance){.method = NULL};
}

static void exchange(struct shoal_solver *solver, struct method_instance *other)
{
    const struct method_instance own = solver->method;
    solver->method = *other;
    *other = own;
}

enum shoal_status method_replace(struct shoal_solver *solver, struct method_instance *other,
                                 enum shoal_status (*resize)(struct shoal_solver *, struct shoal_error *),
                                 struct shoal_error *error)
{
    enum shoal_status status = solver->queue ? shoal_queue_finish(solver->queue, error) : SHOAL_OK;
    if (status)
        return status;
    exchange(solver, other);
    status = method_create(solver, error);
    if (!status && resize)
        status = resize(solver, error);
    /* After a success the old method is destroyed, after a failure the new method. */
    if (!status)
        exchange(solver, other);
    method_destroy(solver);
    exchange(solver, other);
    return status;
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

static const char section_name[] = "chosen", first_line[] = "method=", old_section_name[] = "tuned";

void method_print(struct text *text, const char *name, const struct chosen *chosen)
{
    text_free(text);
    text_printf(text, "%s%s\n", first_line, name);
    chosen_print(chosen, text);
}

void method_save(struct shoal_solver *solver, struct checkpoint *checkpoint)
{
    struct text *text = &solver->chosen_text;
    method_print(text, solver->method.method->name, &solver->method.chosen);
    checkpoint_add(checkpoint, section_name, text->data, text->length);
}

bool method_parse(const struct checkpoint_section *section, char name[TUNING_NAME_SIZE],
                  struct chosen *chosen)
{
    const size_t begin = sizeof first_line - 1;
    char *text = strndup(section->data, section->bytes), *end = text ? strchr(text, '\n') : NULL;
    bool good =
        end && strncmp(text, first_line, begin) == 0 && (size_t)(end - text) - begin < TUNING_NAME_SIZE;
    if (good) {
        *end = '\0';
        strcpy(name, text + begin);
        good = chosen_parse(chosen, end + 1);
    }
    free(text);
    return good;
}

static bool read_section(const struct checkpoint_section *section, const struct method *const *methods,
                         struct method_instance *read)
{
    char name[TUNING_NAME_SIZE];
    const bool good = method_parse(section, name, &read->chosen);
    read->method = good ? find(methods, name) : NULL;
    return read->method;
}

/* Finds the method with this number in an older file: its index in old_names, not counting "auto". */
static const struct method *numbered(const struct method_choice *choice, int64_t number)
{
    const char *const *names = choice->old_names;
    int64_t count = 0;
    while (names ? names[count + 1] != NULL : choice->methods[count] != NULL)
        count++;
    if (number < 0 || number >= count)
        return NULL;
    return names ? find(choice->methods, names[number + 1]) : choice->methods[number];
}

/* Reads a section of versions that stored the number of the method, with values at fixed offsets. */
static bool read_old_section(const struct checkpoint_section *section, const struct method_choice *choice,
                             struct method_instance *read)
{
    struct {
        char name[40];
        int64_t value;
    } old;
    bool good = section->bytes % sizeof old == 0;
    for (size_t at = 0; at < section->bytes && good; at += sizeof old) {
        memcpy(&old, (const char *)section->data + at, sizeof old);
        good = memchr(old.name, 0, sizeof old.name) != NULL;
        if (!good || strcmp(old.name, "method") != 0) {
            good = good && chosen_keep(&read->chosen, old.name, old.value);
            continue;
        }
        read->method = numbered(choice, old.value);
    }
    return good && read->method;
}

enum shoal_status method_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              enum shoal_status (*resize)(struct shoal_solver *, struct shoal_error *),
                              struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, section_name);
    const struct checkpoint_section *old = section ? NULL : checkpoint_find(checkpoint, old_section_name);
    const struct method *const *methods = solver->choice.methods;
    struct method_instance read = {.method = NULL};
    enum shoal_status status = SHOAL_OK;
    if (!section && !old) /* a checkpoint of a version that had no such section */
        return SHOAL_OK;
    if (section ? !read_section(section, methods, &read) : !read_old_section(old, &solver->choice, &read))
        status = fail(error, SHOAL_IO, "%s: section %s holds no method%s and its values", checkpoint->path,
                      section ? section_name : old_section_name,
                      SHOAL_THESES ? "" : " of this build, which is without theses,");
    else if (read.method != solver->method.method || !chosen_covers(&solver->method.chosen, &read.chosen)) {
        status = read.method->fits(read.method, solver->choice.problem, shoal_device_get_info(solver->device),
                                   error);
        if (!status)
            status = method_replace(solver, &read, resize, error);
    }
    chosen_free(&read.chosen);
    return status;
}
