/* Contracts against the kernels themselves, as the OpenCL compiler sees them: entries, arguments, work-group
 * size, local memory. The files are built from the flattened text through the plain
 * OpenCL API, the way another program embeds them. In quick those of test_is_of_quick. */
#include "harness.h"

#include <ctype.h>
#include <shoal/opencl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct built {
    const struct shoal_program_desc *desc;
    int real; /* value of REAL, 0 where the file has none */
    int64_t work_group;
    cl_device_id device;
    cl_program program;
    bool arg_info; /* the driver tells names and types of arguments */
};

static bool is_work_group(const struct shoal_program_desc *desc, const char *define)
{
    for (uint32_t i = 0; i < desc->entry_count; i++)
        if (strcmp(desc->entries[i].work_group, define) == 0)
            return true;
    return false;
}

/* `given` by the driver, which may name a typedef or what it stands for. */
static bool type_matches(const struct shoal_arg_desc *arg, int real, const char *given)
{
    const bool pointer = arg->access != SHOAL_VALUE, is_real = strcmp(arg->type, "real") == 0;
    const char *plain = is_real                          ? (real == 64 ? "double" : "float")
                        : strcmp(arg->type, "wide") == 0 ? "float"
                                                         : "";
    const size_t length = strlen(given) - pointer;
    if (pointer && given[length] != '*')
        return false;
    if (pointer && isupper((unsigned char)arg->type[0]))
        return true; /* a macro, which depends on defines */
    if (arg->bytes)
        return strstr(given, strrchr(arg->type, ' ') ? strrchr(arg->type, ' ') + 1 : arg->type);
    return (strlen(plain) == length && strncmp(given, plain, length) == 0) ||
           (strlen(arg->type) == length && strncmp(given, arg->type, length) == 0);
}

static void check_arg(const struct built *built, const struct shoal_entry_desc *entry, cl_kernel kernel,
                      uint32_t i)
{
    const struct shoal_arg_desc *arg = &entry->args[i];
    char name[128] = "", type[128] = "";
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    assert_int_equal(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof name, name, NULL), CL_SUCCESS);
    assert_int_equal(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL),
                     CL_SUCCESS);
    assert_int_equal(
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL),
        CL_SUCCESS);
    assert_int_equal(
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL),
        CL_SUCCESS);
    const bool pointer = arg->access != SHOAL_VALUE;
    /* PoCL's headers rename what is called like a built-in function. */
    const char *plain = strncmp(name, "_cl_", 4) == 0 ? name + 4 : name;
    if (strcmp(plain, arg->name) != 0)
        fail_msg("%s: argument %u is %s, the contract says %s", entry->name, i, plain, arg->name);
    if (space != (pointer ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE))
        fail_msg("%s: %s is %sa __global pointer", entry->name, name, pointer ? "not " : "");
    if (!type_matches(arg, built->real, type))
        fail_msg("%s: %s is of type %s", entry->name, name, type);
    if (pointer && !!(qualifier & CL_KERNEL_ARG_TYPE_CONST) != (arg->access == SHOAL_READ))
        fail_msg("%s: %s is %sconst, the contract says otherwise", entry->name, name,
                 qualifier & CL_KERNEL_ARG_TYPE_CONST ? "" : "not ");
}

static int64_t default_of(const struct shoal_program_desc *desc, const char *define)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, define) == 0)
            return desc->defines[i].value;
    fail_msg("%s has no define %s, on which its local memory depends", desc->name, define);
    return 0;
}

static void check_entry(const struct built *built, const struct shoal_entry_desc *entry)
{
    cl_int code = 0;
    cl_uint count = 0;
    size_t group[3] = {0};
    cl_ulong local = 0;
    cl_kernel kernel = clCreateKernel(built->program, entry->name, &code);
    if (code)
        fail_msg("%s: no kernel %s", built->desc->file, entry->name);
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), CL_SUCCESS);
    if (count != entry->arg_count)
        fail_msg("%s has %u arguments, the contract says %u", entry->name, count, entry->arg_count);
    for (uint32_t i = 0; i < count && built->arg_info; i++)
        check_arg(built, entry, kernel, i);
    assert_int_equal(clGetKernelWorkGroupInfo(kernel, built->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                              sizeof group, group, NULL),
                     CL_SUCCESS);
    if ((int64_t)group[0] != built->work_group || group[1] != 1 || group[2] != 1)
        fail_msg("%s is for groups of %zu x %zu x %zu, not of %s", entry->name, group[0], group[1], group[2],
                 entry->work_group);
    assert_int_equal(
        clGetKernelWorkGroupInfo(kernel, built->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL),
        CL_SUCCESS);
    uint64_t stated = entry->local_bytes + entry->local_bytes_per_item * (uint64_t)built->work_group;
    if (entry->local_define)
        stated += entry->local_bytes_per_unit * (uint64_t)default_of(built->desc, entry->local_define);
    /* NVIDIA's driver counts a byte for a kernel and the gaps before arrays: 20 bytes for gas_replicas. */
    if (local > stated + 32)
        fail_msg("%s uses %llu bytes of local memory, the contract says %llu", entry->name,
                 (unsigned long long)local, (unsigned long long)stated);
    clReleaseKernel(kernel);
}

static void check_entry_count(const struct built *built)
{
    size_t kernels = 0;
    assert_int_equal(clGetProgramInfo(built->program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL),
                     CL_SUCCESS);
    if (kernels != built->desc->entry_count)
        fail_msg("%s has %zu kernels, its contract %u", built->desc->file, kernels, built->desc->entry_count);
}

/* Largest power of two the device takes, up to the default. */
static int64_t work_group(const struct shoal_program_desc *desc)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (is_work_group(desc, desc->defines[i].name)) {
            int64_t value = desc->defines[i].value;
            while (value > harness.info->max_work_group)
                value /= 2;
            return value;
        }
    return 0;
}

static void build(struct built *built, cl_context context, const char *text)
{
    char options[256], log[8192] = "";
    int length = snprintf(options, sizeof options, "-cl-std=CL1.2 -cl-kernel-arg-info");
    for (uint32_t i = 0; i < built->desc->define_count; i++)
        if (is_work_group(built->desc, built->desc->defines[i].name))
            length += snprintf(options + length, sizeof options - (size_t)length, " -D %s=%lld",
                               built->desc->defines[i].name, (long long)built->work_group);
    if (built->real)
        snprintf(options + length, sizeof options - (size_t)length, " -D REAL=%d", built->real);
    cl_int code = 0;
    built->program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    code = clBuildProgram(built->program, 1, &built->device, options, NULL, NULL);
    built->arg_info = code == CL_SUCCESS;
    if (code) {
        /* NVIDIA's compiler refuses the option for a file with a kernel that has no argument. */
        char *info = strstr(options, " -cl-kernel-arg-info");
        memset(info, ' ', strlen(" -cl-kernel-arg-info"));
        code = clBuildProgram(built->program, 1, &built->device, options, NULL, NULL);
    }
    if (code) {
        clGetProgramBuildInfo(built->program, built->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fail_msg("%s does not build with %s: %s", built->desc->file, options, log);
    }
}

static bool has_define(const struct shoal_program_desc *desc, const char *name)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return true;
    return false;
}

static void contracts_match_kernels(void **state)
{
    (void)state;
    struct built built = {0};
    cl_context context = NULL;
    cl_command_queue queue = shoal_opencl_queue_unwrap(harness.queue);
    if (!queue) {
        print_message("%s is not an OpenCL device: left out\n", harness.info->id);
        return;
    }
    assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof built.device, &built.device, NULL),
                     CL_SUCCESS);
    assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
                     CL_SUCCESS);
    assert_true(shoal_program_desc_count() > 0);
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        char *text = NULL;
        built.desc = shoal_program_desc_at(i);
        if (!test_is_of_quick((unsigned)i))
            continue;
        if (((built.desc->needs & SHOAL_NEEDS_FP64) && !harness.info->fp64) ||
            ((built.desc->needs & SHOAL_NEEDS_INT64_ATOMICS) && !harness.info->int64_atomics) ||
            ((built.desc->needs & SHOAL_NEEDS_STRICT_FP) && !harness.info->correct_division)) {
            print_message("%s needs what %s lacks: left out\n", built.desc->name, harness.info->id);
            continue;
        }
        assert_ok(shoal_kernel_source(harness.shoal, built.desc->file, &text, &test_error));
        const bool precisions = has_define(built.desc, "REAL");
        built.work_group = work_group(built.desc);
        for (int real = 32; real <= (precisions && harness.info->fp64 ? 64 : 32); real += 32) {
            built.real = precisions ? real : 0;
            build(&built, context, text);
            check_entry_count(&built);
            for (uint32_t e = 0; e < built.desc->entry_count; e++)
                check_entry(&built, &built.desc->entries[e]);
            clReleaseProgram(built.program);
        }
        free(text);
    }
}

/* What stands behind "#define NAME " on the line after "#ifndef NAME"; NULL: there is no such pair. */
static const char *find_default(const char *text, const char *name)
{
    char pair[160];
    snprintf(pair, sizeof pair, "#ifndef %s\n#define %s ", name, name);
    const char *at = strstr(text, pair);
    return at ? at + strlen(pair) : NULL;
}

static bool is_number(const char *at)
{
    char *end;
    (void)strtoll(at, &end, 0);
    return end > at && (*end == '\n' || *end == ' ');
}

/* Does the place of a flattened text come from that file itself, not from one that it includes? */
static bool is_of_file(const char *text, const char *at, const char *file)
{
    char marker[160];
    const char *last = text;
    for (const char *line = text; (line = strstr(line, "#line ")) && line < at; line++)
        last = line;
    snprintf(marker, sizeof marker, "\"%s\"", file);
    return strncmp(last + strcspn(last, "\""), marker, strlen(marker)) == 0;
}

static void defaults_are_in_contracts(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        char *text = NULL, name[64];
        assert_ok(shoal_kernel_source(harness.shoal, desc->file, &text, &test_error));
        for (uint32_t d = 0; d < desc->define_count; d++) {
            const struct shoal_define_desc *define = &desc->defines[d];
            if (define->value < define->min || define->value > define->max)
                fail_msg("%s: %s is %lld in the file, %lld to %lld in the contract", desc->file, define->name,
                         (long long)define->value, (long long)define->min, (long long)define->max);
        }
        for (const char *at = text; (at = strstr(at, "#ifndef ")); at++) {
            const char *given = sscanf(at, "#ifndef %63s", name) == 1 ? find_default(text, name) : NULL;
            /* An included file may have defines that its user leaves at their defaults. */
            if (given && is_number(given) && is_of_file(text, at, desc->file) && !has_define(desc, name))
                fail_msg("%s can be given %s, its contract does not say so", desc->file, name);
        }
        free(text);
    }
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < shoal_program_desc_count(); i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(shoal_program_desc_at(i)->name, shoal_program_desc_at(k)->name);
    assert_null(shoal_program_desc_at(shoal_program_desc_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contracts_match_kernels),
        cmocka_unit_test(defaults_are_in_contracts),
        cmocka_unit_test(names_are_unique),
    };
    return harness_main("contract", tests, sizeof tests / sizeof *tests);
}
