"""PoCL's library of built-in functions with no more than those that kernels call by a set of names.

Each program that compiles kernels reads the library, 23,000 functions for every vector of every type, and frees it at its
end: 0.4 s, two thirds of what the build of one short kernel takes. What is left of it, libLLVM writes, which PoCL has
loaded. A kernel that calls what is not there does not build.
"""
import ctypes
import re

MANGLED = re.compile(r"_Z(\d+)(.*)")
VECTOR = re.compile(r"Dv(\d+)_(Dh|[a-z])")
SCALARS = {"c": "char", "h": "uchar", "s": "short", "t": "ushort", "i": "int", "j": "uint", "l": "long", "m": "ulong", "f": "float",
           "d": "double", "Dh": "half"}
# Beginnings of names of functions that only other functions of the library call.
PARTS = ("Sleef_", "llvm.")


def is_wanted(name, wanted, wanted_of_vectors):
    """May a kernel, or PoCL itself, call it?"""
    match = MANGLED.fullmatch(name)
    if not match:
        return not name.startswith(PARTS)
    length = int(match[1])
    function, types = match[2][:length].removeprefix("_cl_"), match[2][length:]
    vectors = {SCALARS.get(kind, "") + count for count, kind in VECTOR.findall(types)}
    return function in wanted if not vectors else wanted_of_vectors.issuperset(vectors | {function})


class Llvm:
    """Functions of LLVM's C interface. What they give is a pointer unless it is listed here."""

    NUMBERS = {"LLVMCreateMemoryBufferWithContentsOfFile", "LLVMParseIRInContext", "LLVMWriteBitcodeToFile"}

    def __init__(self, library):
        self.library = ctypes.CDLL(str(library))

    def __getattr__(self, name):
        function = getattr(self.library, name)
        function.restype = ctypes.c_int if name in self.NUMBERS else ctypes.c_void_p

        def call(*given):
            # A pointer is given as a number, and must not be passed as an int.
            return function(*(ctypes.c_void_p(one) if isinstance(one, int) else one for one in given))
        self.__dict__[name] = call
        return call

    def name_of(self, value):
        length = ctypes.c_size_t()
        return ctypes.string_at(self.LLVMGetValueName2(value, ctypes.byref(length)), length.value).decode()

    def values(self, module, kind):
        """Functions ("Function") or variables ("Global") of a module; the one that is given may be deleted."""
        value = getattr(self, "LLVMGetFirst" + kind)(module)
        while value:
            following = getattr(self, "LLVMGetNext" + kind)(value)
            yield value
            value = following


def read_module(llvm, path):
    """None where it cannot be read."""
    # LLVM 15 knows two kinds of pointers, and a context has one of them.
    for opaque in 0, 1:
        context = llvm.LLVMContextCreate()
        if hasattr(llvm.library, "LLVMContextSetOpaquePointers"):
            llvm.library.LLVMContextSetOpaquePointers(ctypes.c_void_p(context), opaque)
        text, message, module = ctypes.c_void_p(), ctypes.c_char_p(), ctypes.c_void_p()
        if (llvm.LLVMCreateMemoryBufferWithContentsOfFile(str(path).encode(), ctypes.byref(text), ctypes.byref(message)) == 0
                and llvm.LLVMParseIRInContext(context, text, ctypes.byref(module), ctypes.byref(message)) == 0):
            return module
    return None


def reduce_library(llvm, source, target, wanted, wanted_of_vectors):
    """Writes what can be called by the names, those of vectors by names of their own; False: it could not be read or
    written."""
    module = read_module(llvm, source)
    if not module:
        return False
    functions = [value for value in llvm.values(module, "Function") if not is_wanted(llvm.name_of(value), wanted, wanted_of_vectors)]
    count = None
    while count != len(functions):
        count = len(functions)
        unused = {value for value in functions if not llvm.LLVMGetFirstUse(value)}
        for value in unused:
            llvm.LLVMDeleteFunction(value)
        functions = [value for value in functions if value not in unused]
    for value in llvm.values(module, "Global"):
        if not llvm.LLVMGetFirstUse(value) and not llvm.name_of(value).startswith("llvm."):
            llvm.LLVMDeleteGlobal(value)
    return llvm.LLVMWriteBitcodeToFile(module, str(target).encode()) == 0
