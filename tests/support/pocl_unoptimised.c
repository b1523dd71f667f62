/* Stands before PoCL as an OpenCL driver: a library that needs PoCL's, whose functions OpenCL's loader finds
 * through it.
 *
 * PoCL optimises a program in full, after and below clang, also where -cl-opt-disable asks for nothing: half
 * of the time of its build. Where $POCL_EXTRA_BUILD_FLAGS asks for that, or $POCL_UNOPTIMISED is not empty, a
 * definition here comes before libLLVM's for PoCL, and options of LLVM choose the shorter one of two ways to
 * make instructions, as they do for all programs of a process with $POCL_QUICK_INSTRUCTIONS, whatever else is
 * optimised. $POCL_UNOPTIMISED has clang optimise nothing, too: as -cl-opt-disable does, which
 * PoCL 3.1 loses the memory of if it comes by the other variable. With another LLVM, which lacks the
 * functions or the options, all is as without this library. tests/support/pocl.py makes it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CREATE                                                                                               \
    "_ZN5clang18CompilerInvocation14CreateFromArgsERS0_N4llvm8ArrayRefIPKcEERNS_17DiagnosticsEngineES5_"
#define POPULATE "_ZN4llvm18PassManagerBuilder25populateModulePassManagerERNS_6legacy15PassManagerBaseE"

enum { MOST_WORDS = 1024 };

/* The first members of LLVM's class. */
struct builder {
    unsigned level, size_level;
};

void populate(struct builder *builder, void *passes) __asm__(POPULATE);

bool create(void *invocation, const char *const *words, size_t count, void *diagnostics,
            const char *name) __asm__(CREATE);

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool is_unoptimised(void)
{
    const char *flags = getenv("POCL_EXTRA_BUILD_FLAGS");
    return is_set("POCL_UNOPTIMISED") || (flags && strstr(flags, "-cl-opt-disable"));
}

/* Finds the function in the libraries that this one needs, of which PoCL's clang and LLVM are two: another
 * driver of the process may have another LLVM. NULL: there is none of this name. */
static void *function_of_llvm(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* The passes of the level. Those of level 0 leave functions that nothing calls, which name variables that
 * there are not. */
void populate(struct builder *builder, void *passes)
{
    void (*next)(struct builder *, void *), (*remove_unused)(void *);
    *(void **)&next = function_of_llvm(POPULATE);
    *(void **)&remove_unused = function_of_llvm("LLVMAddGlobalDCEPass");
    if (is_unoptimised() && remove_unused) {
        builder->level = 0;
        remove_unused(passes);
    }
    next(builder, passes);
}

/* The words of a command line of clang, which PoCL makes for each program, and one more. */
bool create(void *invocation, const char *const *words, size_t count, void *diagnostics, const char *name)
{
    bool (*next)(void *, const char *const *, size_t, void *, const char *);
    *(void **)&next = function_of_llvm(CREATE);
    const char *all[MOST_WORDS];
    if (is_set("POCL_UNOPTIMISED") && count < MOST_WORDS) {
        memcpy(all, words, count * sizeof *all);
        all[count++] = "-cl-opt-disable";
        words = all;
    }
    return next(invocation, words, count, diagnostics, name);
}

__attribute__((constructor)) static void choose_instructions(void)
{
    static const char *const options[] = {"pocl",
                                          "-fast-isel",
                                          "-optimize-regalloc=false",
                                          "-regalloc=fast",
                                          "-disable-cgp",
                                          "-disable-lsr",
                                          "-disable-constant-hoisting",
                                          "-disable-machine-licm",
                                          "-disable-machine-cse",
                                          "-disable-machine-sink",
                                          "-disable-peephole",
                                          "-disable-copyprop",
                                          "-disable-branch-fold",
                                          "-disable-tail-duplicate",
                                          "-disable-early-taildup",
                                          "-disable-block-placement",
                                          "-enable-misched=false"};
    void (*parse)(int, const char *const *, const char *);
    *(void **)&parse = function_of_llvm("LLVMParseCommandLineOptions");
    if ((is_unoptimised() || is_set("POCL_QUICK_INSTRUCTIONS")) && parse)
        parse(sizeof options / sizeof options[0], options, NULL);
}
