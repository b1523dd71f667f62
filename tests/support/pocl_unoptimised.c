/* Stands before PoCL as an OpenCL driver: a library that needs PoCL's, whose functions OpenCL's loader finds
 * through it.
 *
 * PoCL optimises a program in full, after and below clang, also where -cl-opt-disable asks for nothing: half
 * of the time of its build. Where $POCL_EXTRA_BUILD_FLAGS asks for that, or $POCL_UNOPTIMISED is set, a
 * definition here comes before libLLVM's for PoCL, and options of LLVM choose the shorter one of two ways to
 * make instructions. With another LLVM, which lacks the functions or the options, all is as without this
 * library. tests/support/pocl.py makes it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define POPULATE "_ZN4llvm18PassManagerBuilder25populateModulePassManagerERNS_6legacy15PassManagerBaseE"

/* The first members of LLVM's class. */
struct builder {
    unsigned level, size_level;
};

void populate(struct builder *builder, void *passes) __asm__(POPULATE);

static bool is_unoptimised(void)
{
    const char *flags = getenv("POCL_EXTRA_BUILD_FLAGS");
    return getenv("POCL_UNOPTIMISED") || (flags && strstr(flags, "-cl-opt-disable"));
}

/* Finds the function in the libraries that this one needs, of which PoCL's LLVM is one: another driver of the
 * process may have another LLVM. NULL: there is none of this name. */
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
    if (is_unoptimised() && parse)
        parse(sizeof options / sizeof options[0], options, NULL);
}
