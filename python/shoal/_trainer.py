"""A net that the caller trains, batch by batch."""
import numpy as np

from ._arrays import Array, array
from ._arguments import count, flag
from ._arrays.table import taken
from ._library import Owner, call, device_pointer, ffi, invalid, lib
from ._options import Table, documented
from ._run import variant_of

_ARGUMENTS = ("inputs", "outputs", "rows", "classes", "device", "variant")
# Groups and options of training that the caller does, or that trainers do not have.
_WITHOUT = ("Data", "Rows", "Preparation, learned from the training rows", "Ends", "Device", "Thesis", "load", "batch", "full_batch",
            "full-batch", "shards", "no-shuffle", "nets")


class Trainer:
    """A neural net that the caller trains, batch by batch.

        trainer = shoal.Trainer(784, 10, 128, classes=True, device="gpu", hidden="256", rate=0.002)
        for x, y in batches:
            loss = trainer.update(x, y)

    inputs, outputs: numbers of inputs and outputs of the net. rows: number of rows of a batch, whose x has the shape
        (rows, inputs) and whose y has the shape (rows, outputs), with classes (rows,).
    classes: targets are classes, 0 to outputs - 1 (with one output 0 and 1); False: targets are numbers.
    device: a shoal.Device, or a selector such as "gpu", whose first device is used, in single precision; "host": in double
        precision; None: the machine's first device. variant: as of MLP().

    The further arguments are options of the workload mlp, listed below; the rate is constant unless `schedule` says
    otherwise, over `epochs` updates. A trainer is used by one thread at a time."""

    def __init__(self, inputs, outputs, rows, *, classes=False, device=None, variant="auto", **options):
        inputs, outputs, self._rows = (count(name, value, 1, 0xffffffff) for name, value in (
            ("inputs", inputs), ("outputs", outputs), ("rows", rows)))
        self._widths, self._has_classes = (inputs, outputs), flag("classes", classes)
        mlp = TABLE.new_params()
        ffi.cast("struct shoal_mlp_params *", mlp).schedule = lib.SHOAL_MLP_CONSTANT
        keep = TABLE.set(mlp, options)
        params = ffi.new("struct shoal_mlp_trainer_params *")
        lib.shoal_mlp_trainer_params_init(params)
        params.mlp = ffi.cast("struct shoal_mlp_params *", mlp)
        params.inputs, params.outputs = self._widths
        params.rows, params.has_classes = self._rows, self._has_classes
        self._device = device_pointer(device)
        self._is_host = lib.shoal_device_get_info(self._device).is_host
        self._queue, self._buffers = Owner("shoal_queue", lib.shoal_queue_destroy), {}
        if not self._is_host:
            call(lib.shoal_queue_create, self._device, 0, self._queue.address)
        self._trainer = Owner("shoal_mlp_trainer", lib.shoal_mlp_trainer_destroy, self._queue)
        call(lib.shoal_mlp_trainer_create, ffi.NULL if self._is_host else self._queue.pointer, variant_of(variant), params,
             self._trainer.address)
        del keep  # read during the call only
        self._loss = ffi.new("double *")

    def __repr__(self):
        kind = "classes" if self._has_classes else "outputs"
        return f"<shoal.Trainer {self._widths[0]} inputs, {self._widths[1]} {kind}, batches of {self._rows} rows>"

    def update(self, x, y):
        """Makes one update. x: shape (rows, inputs); y: the targets, shape (rows, outputs), with one output also (rows,), or
        the classes, shape (rows,).
        Arrays may be NumPy's, shoal.Array or those of other packages; on the device of the trainer arrays of float32, and
        of uint32 for classes, are used without a copy, and their classes are not checked. Returns the loss before the
        update."""
        trainer, count, types = self._trainer.pointer, self._widths[1], (np.float32, np.uint32 if self._has_classes else np.float32)
        shapes = (self._rows, self._widths[0]), (self._rows,) if self._has_classes else (self._rows, count)
        if self._is_host:
            x, y = self._checked("x", x, shapes[0], np.float64), self._checked("y", y, shapes[1], types[1] if self._has_classes else np.float64)
            given = (ffi.from_buffer("uint32_t[]", y), ffi.NULL) if self._has_classes else (ffi.NULL, ffi.from_buffer("double[]", y))
            call(lib.shoal_mlp_trainer_update, trainer, ffi.from_buffer("double[]", x), *given)
        else:
            places = [self._place(*one) for one in zip("xy", (x, y), shapes, types)]
            call(lib.shoal_mlp_trainer_update_buffers, trainer, *(place for place, _ in places))
        call(lib.shoal_mlp_trainer_loss, trainer, self._loss)  # waits for the update
        return self._loss[0]

    def _check_shape(self, name, values, shape):
        """Targets of one output may have one dimension."""
        if values.shape != shape and not (name == "y" and not self._has_classes and shape[1] == 1 and values.shape == shape[:1]):
            raise invalid(f"{name} has the shape {values.shape}, not {shape}")

    def _checked(self, name, values, shape, dtype):
        """Numbers of the caller on the host, of the type that the library reads."""
        values = taken(name, values, "an array of numbers")
        self._check_shape(name, values, shape)
        if name == "y" and self._has_classes:
            if values.dtype.kind not in "biu":
                raise TypeError(f"y has classes, which are whole numbers, not {values.dtype.name}")
            most = max(1, self._widths[1] - 1)
            if values.min() < 0 or values.max() > most:
                raise invalid(f"y has the class {values[(values < 0) | (values > most)][0]}: classes are 0 to {most}")
        return np.ascontiguousarray(values, dtype)

    def _place(self, name, values, shape, dtype):
        """A buffer with the numbers, and what keeps the buffer."""
        if not isinstance(values, (np.ndarray, Array)) and hasattr(values, "__dlpack_device__"):
            values = array(values)
        if isinstance(values, Array) and values.device.id == self._id and values.dtype == dtype:
            self._check_shape(name, values, shape)
            return values.pointer, values
        values = self._checked(name, values, shape, dtype)
        if name not in self._buffers:
            self._buffers[name] = Owner("shoal_buffer", lib.shoal_buffer_destroy, self._queue)
            call(lib.shoal_buffer_create, self._device, values.nbytes, self._buffers[name].address)
        call(lib.shoal_buffer_write, self._queue.pointer, self._buffers[name].pointer, 0, ffi.from_buffer(values), values.nbytes)
        return self._buffers[name].pointer, None

    @property
    def _id(self):
        return ffi.string(lib.shoal_device_get_info(self._device).id).decode()

    @property
    def parameters(self):
        """All parameters: of each layer the weights (outputs, inputs), then the biases. Setting them begins anew at update
        0."""
        parameters = np.empty(lib.shoal_mlp_trainer_count(self._trainer.pointer))
        call(lib.shoal_mlp_trainer_get, self._trainer.pointer, ffi.from_buffer("double[]", parameters))
        return parameters

    @parameters.setter
    def parameters(self, values):
        values = np.ascontiguousarray(taken("parameters", values, "an array of numbers"), np.float64)
        count = lib.shoal_mlp_trainer_count(self._trainer.pointer)
        if values.shape != (count,):
            raise invalid(f"parameters has the shape {values.shape}, not ({count},)")
        call(lib.shoal_mlp_trainer_set, self._trainer.pointer, ffi.from_buffer("double[]", values))


TABLE = Table("mlp", "Trainer", without=_WITHOUT, but=("epochs",), taken=_ARGUMENTS)
documented(Trainer, {"mlp": TABLE})
