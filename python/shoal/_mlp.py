"""Nets: trained on files or arrays, saved, applied to rows."""
import os
import tempfile

import numpy as np

from ._arrays.table import numbers, taken
from ._files import renamed
from ._library import Owner, call, device_pointer, encoded, ffi, file_name, invalid, lib, text
from ._options import Table, documented
from ._results import add_rest
from ._run import Run, variant_of

_ARGUMENTS = ("x", "y", "device", "variant")


def _texts_of(array):
    """A column of texts of a frame."""
    return array.astype(str) if all(isinstance(one, str) for one in array.flat) else array


def _checked(x, y):
    x = numbers("x", x, "an array of numbers, a row for each sample", (2,))
    y = taken("y", y, "an array of floats, or of classes: integers or texts", "biufU", _texts_of)
    if y.ndim not in (1, 2) or len(y) != len(x):
        raise ValueError(f"y has the shape {y.shape}: it has a row for each of the {len(x)} of x")
    if y.dtype.kind != "f" and y.ndim != 1:
        raise ValueError("y has one dimension where it holds classes; targets of several columns are floats")
    for values in (x, y):
        if values.dtype.kind == "f" and np.isinf(values).any():
            raise ValueError("x and y are finite numbers; NaN is a missing value")
    for name in np.unique(y) if y.dtype.kind == "U" else []:
        if name.strip() in ("", "?") or not name.isprintable():
            raise ValueError(f"y: a class is a text in one line, not {str(name)!r}")
    return x, y


def _write(folder, x, y):
    """Writes x and the texts y to a file for the reader of data sets."""
    path = os.path.join(folder, "arrays.csv")
    with open(path, "w", encoding="utf-8") as file:
        for row, name in zip(x.tolist(), y.tolist()):
            fields = ["?" if value != value else str(value) for value in row]
            file.write(",".join([*fields, '"' + name.replace('"', '""') + '"']) + "\n")
    return path


class MLP:
    """A neural net that learns from a table or from arrays.

        net = shoal.MLP(x, y, hidden="64", epochs=20)     # or data="iris.csv", target="species"
        print(net.train().value)                          # accuracy, or R2, of rows not used for training
        net.save("net.safetensors")
        print(net.classify(rows), net.predict(rows))

    x: an array, shape (rows, columns), a row for each sample; NaN: a missing value. The data set keeps the numbers in as
        few bytes as hold them; float64 is read without another copy. y: classes (integers or texts), shape
        (rows,), or numbers (floats), shape (rows,) or (rows, outputs), unless the option task says otherwise. None: options
        name the data; without such options the default data set is generated.
    device: a shoal.Device, or a selector such as "gpu", whose first device is used; None: the machine's first device.
    variant: "cl": OpenCL C kernels; "cu": native CUDA kernels; "auto": native CUDA kernels where available.

    The further arguments are the options of the workload mlp, listed below. A row to predict has the numbers of a row
    of x; for data with columns of text, `columns` describes its numbers.
    """

    def __init__(self, x=None, y=None, device=None, *, variant="auto", **options):
        if (x is None) != (y is None):
            raise TypeError("MLP() takes x and y together")
        self._params = TABLE.new_params()
        self._keep = TABLE.set(self._params, options)
        self._device, self._variant = device, variant
        variant_of(variant)  # which refuses others
        if device is not None:  # nets that are loaded need none
            device_pointer(device)
        self._class_type = self._model = None
        self._on_device = None  # the model, the device and the predictor that predict() has used last
        self._renamed = {}  # names of arguments of files that messages of the library have
        self._dataset = Owner("shoal_dataset", lib.shoal_dataset_destroy)
        if x is not None:
            self._take(x, y)

    def __repr__(self):
        if self._model is None:
            return "<shoal.MLP, not trained>"
        info = self._info
        return f"<shoal.MLP {info.columns} columns, {info.classes or info.outputs} {'classes' if info.classes else 'outputs'}>"

    def _take(self, x, y):
        x, y = _checked(x, y)
        targets = 1 if y.ndim == 1 else y.shape[1]
        width = x.shape[1] + targets
        params = ffi.new("struct shoal_dataset_params *")
        lib.shoal_dataset_params_init(params)
        kind = self._kind_of(y, params)
        words = [ffi.new("char[]", word.encode()) for word in (f"{x.shape[1] + 1}-{width}", f"{width} {kind}")]
        params.target, params.header = words[0], lib.SHOAL_HEADER_NO
        if kind:
            params.columns = words[1]
        if y.dtype.kind == "U":
            with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
                path = _write(folder, x, y)
                self._renamed[path] = "x and y"
                words.append(ffi.new("char[]", os.fsencode(path)))
                params.path = words[-1]
                with renamed(self._renamed):
                    call(lib.shoal_dataset_open, params, self._dataset.address)
        else:
            self._read(params, [np.ascontiguousarray(part, np.float64) for part in (x, y.reshape(len(x), -1))])
        ffi.cast("struct shoal_mlp_params *", self._params).dataset = self._dataset.pointer

    def _read(self, params, parts):
        """Makes the data set of columns of numbers, which it reads where they are."""
        name = ffi.new("char[]", b"x and y")
        params.path = name
        blocks = ffi.new("struct shoal_dataset_block[]", len(parts))
        numbers = [ffi.from_buffer("double[]", part) for part in parts]
        for block, part, values in zip(blocks, parts, numbers):
            block.values, block.columns = values, part.shape[1]
        call(lib.shoal_dataset_from_memory, params, blocks, len(parts), len(parts[0]), self._dataset.address)

    def _kind_of(self, y, params):
        """Kind of the one column of targets, in words of the option `columns`: integers and texts are classes, floats
        are numbers unless all are 0 or 1; the option task overrules this."""
        mlp = ffi.cast("struct shoal_mlp_params *", self._params)
        params.task, mlp.task = mlp.task, lib.SHOAL_TASK_AUTO  # the task of a data set is settled when it is read
        if y.ndim > 1:
            return ""
        if y.dtype.kind != "f" and params.task != lib.SHOAL_TASK_REGRESS:
            self._class_type = y.dtype
            return "category"
        if params.task == lib.SHOAL_TASK_CLASSIFY:
            self._class_type = y.dtype
        return "" if params.task != lib.SHOAL_TASK_AUTO or np.isin(y, (0, 1)).all() else "number"

    @classmethod
    def load(cls, path, *, shape=None, activation=None, output=None):
        """Loads a net from a model file: .safetensors, FANN's .net or .npy. shape ("64-63-26": inputs, then the units
        of each layer), activation and output are needed if the file does not contain them (docs/mlp-files.md)."""
        net = cls()
        file = ffi.new("struct shoal_mlp_model_file *")
        lib.shoal_mlp_model_file_init(file)
        keep = []
        words = {"path": file_name("path", path), **{name: encoded(name, value) for name, value in (
            ("shape", shape), ("activation", activation), ("output", output)) if value is not None}}
        for name, word in words.items():
            keep.append(ffi.new("char[]", word))
            setattr(file, name, keep[-1])
        net._model = Owner("shoal_mlp_model", lib.shoal_mlp_model_destroy)
        call(lib.shoal_mlp_model_open, file, net._model.address)
        return net

    def train(self, *, progress=False):
        """Trains until a limit of the options is reached; another call begins anew. Returns a Result as solve() does:
        value is the accuracy, or R2, of the test rows, for several nets the mean. The best net is kept. progress:
        shows update, time and loss in one line on stderr."""
        model = Owner("shoal_mlp_model", lib.shoal_mlp_model_destroy)

        def keep(solver, result):
            best = ffi.new("uint64_t *")
            call(lib.shoal_mlp_best_net, solver, best)
            call(lib.shoal_mlp_model_of, solver, best[0], model.address)
            add_rest("mlp", solver, self._params, result)

        with renamed(self._renamed):
            result = Run(TABLE.workload, self._variant, progress).make(device_pointer(self._device), self._params, keep)
        self._model = model
        return result

    def _trained(self):
        if self._model is None:
            raise ValueError("the net is not trained: call train()")
        return self._model.pointer

    @property
    def _info(self):
        return lib.shoal_mlp_model_get_info(self._trained())

    @property
    def columns(self):
        """The columns of a row to predict: (name, categories) of each. A row has the index of its category; a column
        without categories has numbers."""
        columns = []
        for index in range(self._info.columns):
            column = lib.shoal_mlp_model_column_at(self._trained(), index)
            columns.append((text(column.name), [text(name) for name in column.categories[0:column.category_count]]))
        return columns

    @property
    def classes(self):
        """The classes in the order of the outputs: values of y, or names in a file. None: outputs are numbers."""
        info = self._info
        if not info.classes:
            return None
        names = np.array([text(name) for name in info.class_names[0:info.classes]])
        is_number = self._class_type is not None and self._class_type.kind in "biuf"
        return names.astype(np.float64).astype(self._class_type) if is_number else names

    def _predictor(self, device):
        """The model on a device, kept for the calls that follow."""
        model, pointer = self._model, device_pointer(device)
        if self._on_device is None or self._on_device[:2] != (model, pointer):
            predictor = Owner("shoal_mlp_predictor", lib.shoal_mlp_predictor_destroy, user_of=model)
            call(lib.shoal_mlp_predictor_create, self._trained(), pointer, lib.SHOAL_FP32, predictor.address)
            self._on_device = model, pointer, predictor
        return self._on_device[2].pointer

    def predict(self, rows, *, device=None):
        """Outputs for each row: probabilities of the classes (the probability of the second class, if two classes have
        one output), or numbers in the units of the data. rows: shape (n, columns); returns the shape (n, outputs). device: a
        shoal.Device or a selector such as "gpu", which computes in single precision; None: the host, in double."""
        info = self._info
        rows = numbers("rows", rows, "an array of numbers, a row for each sample", (2,))
        if rows.shape[1] != info.columns:
            raise invalid(f"rows has the shape {rows.shape}, not (n, {info.columns})")
        outputs = np.empty((len(rows), info.outputs))
        arrays = ffi.cast("double *", ffi.from_buffer(rows)), len(rows), ffi.cast("double *", ffi.from_buffer(outputs))
        if device is None:
            call(lib.shoal_mlp_model_predict, self._trained(), *arrays)
        else:
            call(lib.shoal_mlp_predictor_run, self._predictor(device), *arrays)
        return outputs

    def classify(self, rows, *, device=None):
        """The most probable class of each row. rows: shape (n, columns); returns the shape (n,). device: as for
        predict()."""
        classes = self.classes
        if classes is None:
            raise ValueError("the outputs of this net are numbers: use predict()")
        outputs = self.predict(rows, device=device)
        return classes[[lib.shoal_mlp_model_class(self._trained(), ffi.cast("double *", ffi.from_buffer(row)))
                        for row in outputs]]

    def save(self, path, form=None):
        """Writes the model in the format of the extension: .safetensors, .net (FANN), .npy, .onnx, or .c, whose form is
        "float" or "int8"."""
        if TABLE.options["folds"].get(self._params):
            raise invalid("save() has no net to write: with folds each net has not seen a part of the rows; train one without folds")
        call(lib.shoal_mlp_model_save, self._trained(), file_name("path", path), ffi.NULL if form is None else encoded("form", form))


TABLE = Table("mlp", "MLP", taken=_ARGUMENTS)
documented(MLP, {"mlp": TABLE})
