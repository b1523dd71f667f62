/* Private: the programs that a solver or an evaluator builds, and the kernels created from them. All are
 * destroyed with the list, not one by one.
 */
#ifndef SHOAL_WORKLOAD_PROGRAMS_H
#define SHOAL_WORKLOAD_PROGRAMS_H

#include <shoal/program.h>

/* Defines (-D) of a program, added one by one. A build with more than DEFINES_MOST defines fails. */
enum { DEFINES_MOST = 32 };
struct defines {
    struct shoal_define list[DEFINES_MOST];
    size_t count;
};

static inline void define_add(struct defines *defines, const char *name, int64_t value)
{
    if (defines->count < DEFINES_MOST)
        defines->list[defines->count] = (struct shoal_define){name, value};
    defines->count++;
}

/* An entry, and where its kernel is stored. */
struct entry_kernel {
    const char *entry;
    struct shoal_kernel **kernel;
};

/* A program in the list of those that were built, the newest first. */
struct built_program {
    struct built_program *before;
    unsigned part;
    struct shoal_program *program;
    size_t kernel_count;
    struct shoal_kernel *kernels[];
};

enum { PROGRAMS_TEXTS = 2 };

struct programs {
    struct shoal_device *device;
    enum shoal_variant variant; /* variant of the programs that have a native CUDA text */
    /* Texts that replace kernel files in each program; .text NULL: no replacement. */
    struct shoal_kernel_text texts[PROGRAMS_TEXTS];
    double build_seconds; /* seconds that builds have taken so far */
    unsigned part, parts; /* part: number of the part that is being built, 0: none; parts: number of
                           * parts begun so far */
    struct built_program *newest;
};

/* Builds a program and its kernels. *out receives the program; out NULL: not wanted. After a failure the list
 * frees what was built. */
SHOAL_MUST_CHECK enum shoal_status programs_build(struct programs *programs,
                                                  const struct shoal_program_desc *desc,
                                                  const struct defines *defines,
                                                  const struct entry_kernel *kernels, size_t kernel_count,
                                                  struct shoal_program **out, struct shoal_error *error);
/* Whether a program was built from a native CUDA text. */
bool programs_is_native(const struct programs *programs);

/* Parts are programs of a solver that may be replaced together, such as those of its method.
 * programs_begin_part begins a part and returns its number, programs_end_part ends it, and programs_drop_part
 * destroys the programs that were built between these two calls. Parts do not nest. */
unsigned programs_begin_part(struct programs *programs);
/* Further programs are of `part`, until programs_end_part. */
static inline void programs_resume_part(struct programs *programs, unsigned part)
{
    programs->part = part;
}
void programs_end_part(struct programs *programs);
void programs_drop_part(struct programs *programs, unsigned part);
/* Destroys the program that was built last, for example because the device has no memory to run it. */
void programs_drop_newest(struct programs *programs);
void programs_destroy(struct programs *programs); /* accepts zeros */

#endif
