/* Records what a run of the tests covers: preloaded into every program (LD_PRELOAD), appends lines to the
 * file $SHOAL_TEST_RECORD:
 *
 *     kernel FILE ENTRY    an OpenCL kernel was launched; FILE is its text's name in cl/
 *     run PROGRAM WORD     a program ended with exit code 0; WORD is the first word of its command line
 *
 * tests/support/coverage.py compares them with what there is. A program that is linked with it can make a
 * call fail: record.h. */
#define CL_TARGET_OPENCL_VERSION 120
#include "record.h"

#include <CL/cl.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PROGRAMS = 4096, MAX_LINES = 256, NAME_ROOM = 80, LINE_ROOM = 3 * NAME_ROOM };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The latest programs that were made from a text, with the first file of the text, which is the kernel's
 * own. */
static struct {
    cl_program program;
    char file[NAME_ROOM];
} programs[MAX_PROGRAMS];
static unsigned program_count;
/* Lines that this program has appended, so that each is appended once. */
static char lines[MAX_LINES][LINE_ROOM];
static unsigned line_count;

static char program_name[NAME_ROOM], first_word[NAME_ROOM];

/* Short lines that several programs append do not mix. */
static void append(const char *what, const char *name, const char *detail)
{
    const char *path = getenv("SHOAL_TEST_RECORD");
    char *line = lines[line_count];
    const int length = snprintf(line, LINE_ROOM, "%s %s %s\n", what, name, detail);
    for (unsigned i = 0; i < line_count; i++)
        if (strcmp(lines[i], line) == 0)
            return;
    if (line_count < MAX_LINES - 1)
        line_count++;
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length)
        fprintf(stderr, "record.c: cannot write %s\n", path);
    close(file);
}

static void at_exit(int status, void *data)
{
    (void)data;
    if (status == 0)
        append("run", program_name, first_word);
}

/* Called at the start with main's arguments, which glibc passes. */
__attribute__((constructor)) static void start(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    snprintf(program_name, sizeof program_name, "%s", slash ? slash + 1 : argc > 0 ? argv[0] : "");
    snprintf(first_word, sizeof first_word, "%s", argc > 1 ? argv[1] : "");
    /* Programs other than the project's own are not recorded. */
    if (strcmp(program_name, "shoal") == 0 || strncmp(program_name, "fuzz_", 5) == 0)
        on_exit(at_exit, NULL);
}

/* Looks for OpenCL's loader among the loaded libraries. A wheel has a loader of its own with a longer name:
 * libOpenCL-b2b25f05.so.1.0.0. */
static int find_loader(struct dl_phdr_info *library, size_t bytes, void *path)
{
    (void)bytes;
    const char *slash = strrchr(library->dlpi_name, '/');
    if (!slash || strncmp(slash + 1, "libOpenCL", strlen("libOpenCL")) != 0)
        return 0;
    *(const char **)path = library->dlpi_name;
    return 1;
}

/* A function of OpenCL's loader. Python loads a library, and the loader that the library needs, so that the
 * search for the next definition does not find the loader's functions. A search from the start would find
 * those of this file, which would call themselves without end. */
static void *opencl_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function)
        return function;
    const char *path = NULL;
    dl_iterate_phdr(find_loader, &path);
    void *loader = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    function = loader ? dlsym(loader, name) : NULL;
    if (!function) {
        fprintf(stderr, "record.c: no loaded library of OpenCL has %s\n", name);
        abort();
    }
    dlclose(loader);
    return function;
}

/* Calls that fail --------------------------------------------------------------------------------------- */

atomic_uint record_countdown;
atomic_bool record_failed;

static bool fails(void)
{
    unsigned left = atomic_load(&record_countdown);
    while (left && !atomic_compare_exchange_weak(&record_countdown, &left, left - 1))
        continue;
    if (left != 1)
        return false;
    record_failed = true;
    return true;
}

/* Passes a call on to the next definition of the function NAME, or fails with a code that does not mean that
 * the device is lost. */
#define PASS_ON(name, types, values)                                                                         \
    do {                                                                                                     \
        cl_int(*next) types;                                                                                 \
        *(void **)&next = opencl_function(#name);                                                            \
        return fails() ? CL_OUT_OF_HOST_MEMORY : next values;                                                \
    } while (0)

/* Passes a call on that waits, or fails after its wait, so that nothing goes on to use memory that the
 * library gives back because of the failure. */
#define WAIT_FIRST(name, types, values)                                                                      \
    do {                                                                                                     \
        cl_int(*next) types;                                                                                 \
        *(void **)&next = opencl_function(#name);                                                            \
        const cl_int code = next values;                                                                     \
        return fails() ? CL_OUT_OF_HOST_MEMORY : code;                                                       \
    } while (0)

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    PASS_ON(clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *), (kernel, index, bytes, value));
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool is_blocking, size_t offset,
                            size_t bytes, const void *data, cl_uint count, const cl_event *waits,
                            cl_event *event)
{
    PASS_ON(clEnqueueWriteBuffer,
            (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,
             cl_event *),
            (queue, buffer, is_blocking, offset, bytes, data, count, waits, event));
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool is_blocking, size_t offset,
                           size_t bytes, void *data, cl_uint count, const cl_event *waits, cl_event *event)
{
    PASS_ON(
        clEnqueueReadBuffer,
        (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *),
        (queue, buffer, is_blocking, offset, bytes, data, count, waits, event));
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t bytes, cl_uint count, const cl_event *waits,
                           cl_event *event)
{
    PASS_ON(clEnqueueCopyBuffer,
            (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *),
            (queue, from, to, from_offset, to_offset, bytes, count, waits, event));
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint count, const cl_event *waits, cl_event *event)
{
    PASS_ON(clEnqueueFillBuffer,
            (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *,
             cl_event *),
            (queue, buffer, pattern, pattern_bytes, offset, bytes, count, waits, event));
}

cl_int clFlush(cl_command_queue queue)
{
    PASS_ON(clFlush, (cl_command_queue), (queue));
}

cl_int clFinish(cl_command_queue queue)
{
    WAIT_FIRST(clFinish, (cl_command_queue), (queue));
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    WAIT_FIRST(clWaitForEvents, (cl_uint, const cl_event *), (count, events));
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *data, cl_int *status)
{
    cl_mem (*next)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    *(void **)&next = opencl_function("clCreateBuffer");
    if (!fails())
        return next(context, flags, bytes, data, status);
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status)
{
    cl_kernel (*next)(cl_program, const char *, cl_int *);
    *(void **)&next = opencl_function("clCreateKernel");
    if (!fails())
        return next(program, name, status);
    *status = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

/* Launches that are recorded ---------------------------------------------------------------------------- */

/* Finds the name in the first marker `#line 1 "NAME.cl"` of the text. */
static void find_file(const char *text, char *file)
{
    static const char start_of_marker[] = "#line 1 \"";
    for (const char *at = text; !*file && (at = strstr(at, start_of_marker));) {
        at += sizeof start_of_marker - 1;
        const size_t length = strcspn(at, "\"\n");
        if (length > 3 && length < NAME_ROOM && strncmp(at + length - 3, ".cl", 3) == 0)
            snprintf(file, NAME_ROOM, "%.*s", (int)length, at);
    }
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *status)
{
    cl_program (*next)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    *(void **)&next = opencl_function("clCreateProgramWithSource");
    if (fails()) {
        *status = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    cl_program program = next(context, count, texts, lengths, status);
    pthread_mutex_lock(&lock);
    const unsigned place = program_count++ % MAX_PROGRAMS;
    programs[place].program = program;
    programs[place].file[0] = '\0';
    for (cl_uint i = 0; i < count && !lengths; i++)
        find_file(texts[i], programs[place].file);
    pthread_mutex_unlock(&lock);
    return program;
}

static void note_launch(cl_kernel kernel)
{
    cl_int (*get_info)(cl_kernel, cl_kernel_info, size_t, void *, size_t *);
    *(void **)&get_info = opencl_function("clGetKernelInfo");
    char name[NAME_ROOM] = "";
    cl_program program = NULL;
    if (get_info(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) ||
        get_info(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL))
        return;
    pthread_mutex_lock(&lock);
    /* A new program may have the address of a released one, so the latest entry counts. */
    for (unsigned i = 0; i < program_count && i < MAX_PROGRAMS; i++) {
        const unsigned place = (program_count - 1 - i) % MAX_PROGRAMS;
        if (programs[place].program != program)
            continue;
        if (programs[place].file[0])
            append("kernel", programs[place].file, name);
        break;
    }
    pthread_mutex_unlock(&lock);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *waits,
                              cl_event *event)
{
    cl_int (*next)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                   cl_uint, const cl_event *, cl_event *);
    *(void **)&next = opencl_function("clEnqueueNDRangeKernel");
    if (fails())
        return CL_OUT_OF_HOST_MEMORY;
    const cl_int status = next(queue, kernel, dim, offset, global, local, count, waits, event);
    if (status == CL_SUCCESS)
        note_launch(kernel);
    return status;
}
