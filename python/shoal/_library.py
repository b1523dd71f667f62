"""The shared library, its errors as exceptions, its devices."""
import os
import queue
import re
import textwrap
import threading
import weakref

try:
    import cffi  # noqa: F401  Only to report a missing cffi: the declarations need its core alone.
    import numpy as np
except ImportError as problem:
    raise ImportError(f"shoal needs cffi and NumPy (Debian: python3-cffi, python3-numpy): {problem}") from problem

from ._bindings import FOLDERS, LIBRARY, VERSION, ffi


def _name_of_library():
    """SHOAL_LIBRARY, a file that lies where the package expects it, or the name by which the loader finds it."""
    here = os.path.dirname(os.path.abspath(__file__))
    files = [os.path.normpath(os.path.join(here, folder, LIBRARY)) for folder in FOLDERS]
    return os.environ.get("SHOAL_LIBRARY") or next(filter(os.path.exists, files), LIBRARY)


def _load():
    name = _name_of_library()
    try:
        # The library is never unloaded: threads of OpenMP sleep in its code until the process ends.
        library = ffi.dlopen(name, ffi.RTLD_NOW | ffi.RTLD_NODELETE)
        version = ffi.string(library.shoal_version()).decode()
    except (OSError, ffi.error) as problem:
        raise ImportError(f"{name} is not the library of shoal, or is not found: install shoal and run ldconfig, or "
                          f"name the file in SHOAL_LIBRARY ({problem})") from problem
    if version.split(".")[:2] != VERSION.split(".")[:2]:
        raise ImportError(f"{name} is shoal {version}, this package is for {VERSION}: install them together")
    return library


lib = _load()


class Error(RuntimeError):
    """A call of the library failed. The text is one line. An error of an argument is a ValueError, too.

    status: the kind of failure, such as "invalid argument"; log: the messages of a compiler; "": none."""

    def __init__(self, message, status, log=""):
        super().__init__(message)
        self.status = status
        self.log = log

    def __reduce__(self):  # by default an exception is made again from its text alone
        return type(self), (str(self), self.status, self.log)


class ArgumentError(Error, ValueError):
    """An argument has a value that is not allowed."""


def text(pointer):
    """A C string as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def new_error():
    return ffi.new("struct shoal_error *")


# An option of the command in a message of the library, with the blank before a number or a word for one, as in --equilibration N.
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*[a-z0-9])(?: (?=-?[0-9]|[A-Z]+\b))?")


def in_python(message):
    """A message of the library in which options have the names of arguments."""
    return _OPTION.sub(lambda match: match[1].replace("-", "_") + ("=" if match.start() or match[0][-1] == " " else ""), message)


def failure(error):
    """The exception of a struct shoal_error."""
    kind = ArgumentError if error.status == lib.SHOAL_INVALID else Error
    return kind(in_python(text(error.message)), text(lib.shoal_status_name(error.status)), text(error.log))


def invalid(message, status=lib.SHOAL_INVALID):
    return (ArgumentError if status == lib.SHOAL_INVALID else Error)(message, text(lib.shoal_status_name(status)))


def shown(value):
    """A value in a message: in one line."""
    try:
        words = repr(value)
    except Exception:  # of another package; or a whole number of more digits than Python writes
        words = ""
    return words if words and len(words) <= 100 and "\n" not in words else f"an object of the type {type(value).__name__}"


def encoded(name, value):
    """A text of the caller for the library. name: that of the argument."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {shown(value)}")
    if "\0" in value:
        raise ValueError(f"{name} has a NUL character, which texts cannot have")
    return _bytes(name, value, str.encode)


def _bytes(name, value, encode):
    try:
        return encode(value)
    except UnicodeEncodeError:
        raise ValueError(f"{name} has half of a character, which texts cannot have: {shown(value)}") from None


def file_name(name, path):
    """The path of a file for the library. name: that of the argument."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} is the path of a file, not {shown(path)}")
    path = _bytes(name, path, os.fsencode)
    if b"\0" in path:
        raise ValueError(f"{name} has a NUL character, which paths cannot have")
    return path


def call(function, *arguments):
    """Calls a function whose last argument is a struct shoal_error, and raises Error if the call fails."""
    error = new_error()
    if function(*arguments, error) != lib.SHOAL_OK:
        raise failure(error)


def read(struct):
    """The members of a C struct by name: numbers, texts, and structs as dicts; other pointers are left out."""
    values = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        kind = field.type.kind
        if kind == "struct":
            values[name] = read(value)
        elif kind == "array" and field.type.item.kind == "primitive":
            values[name] = text(value) if field.type.item.cname == "char" else np.array(list(value))
        elif kind in ("primitive", "enum"):
            values[name] = value
        elif field.type.cname == "char *":
            values[name] = text(value)
    values.pop("size", None)
    return values


class Owner:
    """Owns an object of the library: release() destroys the object, at the latest when Python ends. user_of: the owner
    of an object that this object uses, and which is destroyed later."""

    def __init__(self, kind, destroy, user_of=None):
        self._user_of = user_of  # the reference keeps it alive
        self._users = {}  # what releases each object that uses this one
        self._handle = ffi.new(f"struct {kind} **")
        others = {} if user_of is None else user_of._users
        self.release = weakref.finalize(self, _release, self._handle, destroy, os.getpid(), self._users, others)
        others[id(self._handle)] = self.release

    @property
    def address(self):
        """The argument `out` of the function that creates the object."""
        return self._handle

    @property
    def pointer(self):
        if self._handle[0] == ffi.NULL:
            raise ValueError("this object is closed")
        return self._handle[0]


def _release(handle, destroy, process, users, others):
    """Destroys an object after those that use it: Python ends the objects of a cycle in any order."""
    others.pop(id(handle), None)
    for release in list(users.values()):
        release()
    # In a child process made by fork, drivers lack their threads, so that nothing is destroyed.
    if os.getpid() == process:
        destroy(handle)


class _Instance:
    """The instance of the library: opened at the first use, closed when Python ends, after all objects that use it."""
    lock = threading.Lock()
    owner = None
    process = None

    @classmethod
    def get(cls):
        with cls.lock:
            if cls.owner is None:
                owner = Owner("shoal", lib.shoal_close)
                call(lib.shoal_open, owner.address, ffi.NULL)
                cls.owner, cls.process = owner, os.getpid()
            if cls.process != os.getpid():
                raise RuntimeError("shoal was used before this process was made by fork: drivers do not survive "
                                   'that; use multiprocessing.set_start_method("spawn")')
            return cls.owner.pointer


instance = _Instance.get


class _Worker:
    """A thread that makes calls of the library, one after another. It stays, as do the threads of OpenMP that belong to
    it: new ones for each call cost more than a short call, and threads that end do so while others load code."""
    idle: "list[_Worker]" = []  # those that wait for work

    def __init__(self):
        self.tasks = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            task = self.tasks.get()
            if task.is_done.is_set():
                continue  # it was given twice
            task.make()
            _Worker.idle.append(self)
            task.is_done.set()
            del task


class _Task:
    def __init__(self, work):
        self._work = work
        self.is_done, self.is_cancelled, self.result, self.problem = threading.Event(), False, None, None

    def make(self):
        work, self._work = self._work, None  # what it uses is not kept by the thread
        try:
            if not self.is_cancelled:
                self.result = work()
        except BaseException as problem:
            self.problem = problem


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Worker.idle.clear)  # a child process has no other threads


def interruptible(work, stop):
    """Returns work(), which runs on another thread. If the calling thread is interrupted, stop() is called, which must
    make work() end soon; then the interruption is raised. Callbacks of work() are not interrupted."""
    task, worker = _Task(work), None
    try:
        try:
            worker = _Worker.idle.pop()
        except IndexError:
            worker = _Worker()
        worker.tasks.put(task)
        task.is_done.wait()
    except BaseException:
        task.is_cancelled = True
        if worker is None:
            raise
        worker.tasks.put(task)  # the interruption may have come before it was given
        stop()
        while not task.is_done.is_set():
            try:
                task.is_done.wait()
            except KeyboardInterrupt:
                pass  # work() was already told to end
        raise
    if task.problem is None:
        return task.result
    problem = task.problem
    try:
        raise problem
    finally:
        del problem, task  # otherwise the exception would keep itself and what the call used


class Device:
    """A device. Its attributes are the members of struct shoal_device_info: id, backend, name, memory and so on."""

    def __init__(self, pointer):
        self._pointer = pointer
        self.__dict__.update(read(lib.shoal_device_get_info(pointer)[0]))

    def __repr__(self):
        return f"<shoal.Device {self.id}: {self.name}>"


def devices(selector="all"):
    """The devices that a selector names, as --device of the command does: "all", "gpu", "cpu", "host", an id such as
    "opencl:0", a part of a name such as "~epyc", parts of a device as in "opencl:0/2", or several of these with commas
    between them."""
    return _selected("selector", selector)


def _selected(name, selector):
    """The devices of a selector. name: that of the argument."""
    shoal, selector = instance(), encoded(name, selector)
    count = ffi.new("size_t *")
    call(lib.shoal_device_select, shoal, selector, 0, ffi.NULL, 0, count)
    found = ffi.new("struct shoal_device *[]", count[0])
    call(lib.shoal_device_select, shoal, selector, 0, found, count[0], count)
    return [Device(found[k]) for k in range(count[0])]


def device_pointer(device):
    """The struct shoal_device of a Device, of the first device of a selector, or, for None, of the first device."""
    if device is None:
        return lib.shoal_device_at(instance(), 0)
    if isinstance(device, str):
        device = _selected("device", device)[0]
    if not isinstance(device, Device):
        raise TypeError(f"device is a shoal.Device, a text such as \"gpu\", or None, not {type(device).__name__}")
    return device._pointer


class Result(dict):
    """A dict whose entries are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name}; there are {', '.join(self)}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __repr__(self):
        names = list(self)
        if len(names) > _MOST_LINES:
            names = names[:_MOST_LINES - 1]
        width = max((len(name) for name in names), default=0)
        lines = [f"{name:>{width}}: {_shown(self[name])}" for name in names]
        if len(names) < len(self):
            lines.append(textwrap.fill(f"and {', '.join(list(self)[len(names):])}", 100))
        return "\n".join(lines)


_MOST_LINES = 25  # of a result that is shown; others have their names alone


def _shown(value):
    if isinstance(value, np.ndarray) and value.size > 30:
        return f"<array of the shape {value.shape}>"
    if isinstance(value, Result):
        return f"<{', '.join(list(value)[:4])}{f' and {len(value) - 4} more' if len(value) > 4 else ''}>"
    return repr(value)
