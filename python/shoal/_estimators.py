"""Nets with the methods and parameters of scikit-learn, which is not needed for them."""
import contextlib
import inspect
import sys
import warnings

import numpy as np

from ._arrays import on_host
from ._arrays.table import Encoder, columns_of, deviation_of, is_missing, names_of
from ._library import shown
from ._trainer import Trainer

_ACTIVATIONS = {"identity": "linear", "logistic": "logistic", "tanh": "tanh", "relu": "relu"}
_BATCH = 200
_NUMBERS = 1 << 20  # of a layer that are computed at once
_FUNCTIONS = {"identity": lambda x: x, "logistic": lambda x: 0.5 + 0.5 * np.tanh(0.5 * x), "tanh": np.tanh,
              "relu": lambda x: np.maximum(x, 0)}


def _kind_of(name, otherwise):
    """A class of exceptions or warnings of scikit-learn where it is loaded, else another."""
    loaded = sys.modules.get("sklearn.exceptions")
    return getattr(loaded, name) if loaded else otherwise


class NotFittedError(ValueError, AttributeError):
    """The estimator was not trained."""


def _checked(name, value, is_right, wanted):
    try:
        is_taken = not isinstance(value, str) and bool(is_right(value))
    except (TypeError, ValueError):  # None, arrays and other objects
        is_taken = False
    if not is_taken:
        raise ValueError(f"{name} is {wanted}, not {shown(value)}")
    return value


def _is_count(value):
    return value >= 1 and value % 1 == 0


def _classes_of(y):
    try:
        return np.unique(y)
    except TypeError:
        raise ValueError("y has classes of several kinds, such as numbers and texts: give classes of one kind") from None


class _Estimator:
    """What the classifier and the regressor have in common."""

    # Parameters ---------------------------------------------------------------------------------------------------

    @classmethod
    def _names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep=True):
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params):
        """Sets parameters by name."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {self._names()}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if repr(value) != repr(defaults[name].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "_trainer"}

    def _more_tags(self):
        return {"allow_nan": True, "string": True, "non_deterministic": False, "requires_y": True}

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags
        is_classifier = self._estimator_type == "classifier"
        return Tags(estimator_type=self._estimator_type, transformer_tags=None,
                    target_tags=TargetTags(required=True, multi_output=not is_classifier),
                    classifier_tags=ClassifierTags() if is_classifier else None,
                    regressor_tags=None if is_classifier else RegressorTags(), input_tags=InputTags(allow_nan=True))

    def _settings(self):
        """The parameters in the words of the library."""
        layers = [self.hidden_layer_sizes] if np.ndim(self.hidden_layer_sizes) == 0 else list(self.hidden_layer_sizes)
        for units in layers:
            _checked("hidden_layer_sizes", units, _is_count, "the number of units of each layer")
        for name, choices in (("activation", tuple(_ACTIVATIONS)), ("solver", ("adam", "sgd")), ("learning_rate", ("constant",))):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ValueError(f"{name} is {'one of ' if len(choices) > 2 else ''}{(', ' if len(choices) > 2 else ' or ').join(choices)}, "
                                 f"not {shown(value)}")
        for name in ("shuffle", "warm_start", "nesterovs_momentum", "early_stopping"):
            _checked(name, getattr(self, name), lambda value: value in (False, True), "True or False")
        _checked("verbose", self.verbose, lambda value: value >= 0, "True, False or a number from 0 on")
        for name in ("alpha", "tol"):
            _checked(name, getattr(self, name), lambda value: value >= 0, "a number from 0 on")
        _checked("max_iter", self.max_iter, _is_count, "a whole number from 1 on")
        _checked("n_iter_no_change", self.n_iter_no_change, lambda value: value == np.inf or _is_count(value), "a whole number from 1 on")
        for name in ("momentum", "beta_1", "beta_2"):
            _checked(name, getattr(self, name), lambda value: 0 <= value < 1, "a number from 0 to below 1")
        for name in ("epsilon", "learning_rate_init"):
            _checked(name, getattr(self, name), lambda value: value > 0, "a number above 0")
        self._random()
        _checked("validation_fraction", self.validation_fraction, lambda value: 0 < value < 1, "a number between 0 and 1")
        if not isinstance(self.batch_size, str) or self.batch_size != "auto":
            _checked("batch_size", self.batch_size, _is_count, "a whole number of rows or 'auto'")
        is_adam = self.solver == "adam"
        optimiser = "adam" if is_adam else "sgd" if self.momentum == 0 else "nesterov" if self.nesterovs_momentum else "momentum"
        settings = {"hidden": ",".join(str(int(units)) for units in layers) or "none", "optimiser": optimiser,
                    "rate": float(self.learning_rate_init)}
        if layers:
            settings["activation"] = _ACTIVATIONS[self.activation]
        if optimiser != "sgd":
            settings["momentum"] = float(self.beta_1 if is_adam else self.momentum)
        return {**settings, "beta2": float(self.beta_2), "epsilon": float(self.epsilon)} if is_adam else settings

    def _random(self):
        state = self.random_state
        if isinstance(state, np.random.RandomState):
            return state
        if state is not None:
            state = int(_checked("random_state", state, lambda value: 0 <= value < 1 << 32 and value % 1 == 0,
                                 "None, a whole number from 0 to 2^32 - 1 or a numpy.random.RandomState"))
        return np.random.RandomState(state)

    # Rows ---------------------------------------------------------------------------------------------------------

    def _check_names(self, x, is_first):
        names = names_of(x)
        if is_first:
            if names is not None:
                self.feature_names_in_ = names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return
        known, name = getattr(self, "feature_names_in_", None), type(self).__name__
        if known is None and names is not None:
            warnings.warn(f"X has feature names, but {name} was fitted without feature names", UserWarning, stacklevel=4)
        elif known is not None and names is None:
            warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", UserWarning, stacklevel=4)
        elif known is not None and list(known) != list(names):
            lines = ["The feature names should match those that were passed during fit."]
            for title, more in (("Feature names unseen at fit time:", sorted(set(names) - set(known))),
                                ("Feature names seen at fit time, yet now missing:", sorted(set(known) - set(names)))):
                if more:
                    lines += [title, *(f"- {one}" for one in more[:5]), *(["- ..."] if len(more) > 5 else [])]
            if len(lines) == 1:
                lines.append("Feature names must be in the same order as they were in fit.")
            raise ValueError("\n".join(lines) + "\n")

    def _columns(self, x, *, is_first, scales=True):
        """The columns of x, and the number of rows."""
        self._check_names(x, is_first)
        columns, rows = columns_of(x, type(self).__name__)
        if is_first:
            self.n_features_in_ = len(columns)
            self._encoder = Encoder(columns, scales)
        elif len(columns) != self.n_features_in_:
            raise ValueError(f"X has {len(columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                             "as input.")
        return columns, rows

    def _inputs(self, x, **how):
        columns, rows = self._columns(x, **how)
        return self._encoder.encode(columns, rows)

    def _vector(self, y, rows):
        """y as an array with one element, or one row, for each of the rows."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if hasattr(y, "toarray"):
            raise TypeError("y is a dense array, not sparse data: use y.toarray()")
        y = on_host(y)
        if y.ndim == 0 or len(y) != rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(y) if y.ndim else 1}], those of X and y")
        if y.dtype.kind == "c":
            raise ValueError("Complex data not supported: y")
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError(f"Input y contains {'NaN' if np.isnan(y).any() else 'infinity'}.")
        for index, value in enumerate(y.ravel() if y.dtype.kind == "O" else ()):
            if is_missing(value):
                raise ValueError(f"Input y contains NaN or None, in row {index * len(y) // y.size + 1}")
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), "
                          "for example using ravel().", _kind_of("DataConversionWarning", UserWarning), stacklevel=4)
            y = y.ravel()
        return y

    # Training -----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _kept_if_refused(self):
        """An exception in the block leaves the estimator as it was."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _create(self, settings, inputs, targets, random):
        has_classes = targets.dtype == np.uint32
        outputs = len(self.classes_) if has_classes else targets.shape[1]
        rows = len(inputs)
        batch = min(_BATCH if self.batch_size == "auto" else int(self.batch_size), rows)
        # Their penalty is alpha / 2 sum w^2 for each row of a batch, the library's l2 / 2 sum w^2 for its mean.
        settings = {**settings, "l2": self.alpha / batch, "seed": int(random.randint(1 << 31))}
        self._trainer = Trainer(inputs.shape[1], outputs, batch, classes=has_classes, device="host" if self.device is None else self.device,
                                **settings)
        self._batch = batch
        self._widths = [inputs.shape[1], *(int(units) for units in settings["hidden"].split(",") if units != "none"), outputs]

    def _epoch(self, inputs, targets, random):
        """Updates with all rows once, the last one filled up from the beginning. Returns the mean loss."""
        order = np.arange(len(inputs))
        if self.shuffle:
            random.shuffle(order)
        updates = -(-len(order) // self._batch)
        losses = [self._trainer.update(inputs[rows], targets[rows])
                  for rows in np.resize(order, updates * self._batch).reshape(updates, self._batch)]
        return float(np.mean(losses))

    def _keep(self, parameters):
        self._parameters = parameters
        self.coefs_, self.intercepts_, first = [], [], 0
        for inputs, outputs in zip(self._widths, self._widths[1:]):
            weights = parameters[first:first + inputs * outputs].reshape(outputs, inputs)
            self.coefs_.append(weights.T.copy())
            self.intercepts_.append(parameters[first + inputs * outputs:first + (inputs + 1) * outputs].copy())
            first += (inputs + 1) * outputs
        self.n_layers_, self.n_outputs_ = len(self._widths), self._widths[-1]

    def _train(self, inputs, targets, settings):
        random = self._random()
        held = None
        if self.early_stopping:
            order = random.permutation(len(inputs))
            count = max(1, int(round(self.validation_fraction * len(inputs))))
            if len(inputs) - count < 1:
                raise ValueError(f"{len(inputs)} rows are too few for a validation_fraction of {self.validation_fraction}")
            held = inputs[order[:count]], targets[order[:count]]
            inputs, targets = inputs[order[count:]], targets[order[count:]]
        before = self._parameters if self.warm_start and hasattr(self, "_parameters") else None
        self._create(settings, inputs, targets, random)
        if before is not None and len(before) == len(self._trainer.parameters):
            self._trainer.parameters = before
        self.loss_curve_, self.validation_scores_ = [], [] if held else None
        best, kept, since = np.inf, None, 0
        for _ in range(int(self.max_iter)):
            self.loss_curve_.append(self._epoch(inputs, targets, random))
            value = self.loss_curve_[-1]
            if held:
                self._keep(self._trainer.parameters)
                self.validation_scores_.append(self._score_of(*held))
                value = -self.validation_scores_[-1]
            since = 0 if value < best - self.tol else since + 1
            if value < best:
                best, kept = value, self._trainer.parameters if held else None
            if self.verbose:
                print(f"Iteration {len(self.loss_curve_)}, loss = {self.loss_curve_[-1]:.8f}")
            if since > self.n_iter_no_change:
                break
        else:
            warnings.warn(f"max_iter={self.max_iter} epochs were made and the training has not converged yet",
                          _kind_of("ConvergenceWarning", UserWarning), stacklevel=3)
        self._keep(self._trainer.parameters if kept is None else kept)
        self.n_iter_ = len(self.loss_curve_)
        self.loss_ = self.loss_curve_[-1]
        self.best_loss_ = None if held else min(self.loss_curve_)
        self.best_validation_score_ = max(self.validation_scores_) if held else None
        del self._trainer  # fitted estimators hold arrays alone
        return self

    def _train_once(self, inputs, targets, settings):
        random = self._random()
        if not hasattr(self, "_trainer"):
            self._create(settings, inputs, targets, random)
            if hasattr(self, "_parameters"):  # the estimator was fitted, or read from a file
                self._trainer.parameters = self._parameters
        loss = self._epoch(inputs, targets, random)
        self._keep(self._trainer.parameters)
        self.loss_curve_ = [*getattr(self, "loss_curve_", []), loss]
        self.loss_, self.n_iter_ = loss, len(self.loss_curve_)
        return self

    def _forget(self):
        for name in ("_trainer", "_parameters"):
            self.__dict__.pop(name, None)

    def _in_parts(self, rows, inputs_of):
        """The outputs of rows, which are computed in parts, since the layers may be wide. inputs_of: the inputs of a slice."""
        size, outputs = max(1, _NUMBERS // max(self._widths)), np.empty((rows, self.n_outputs_))
        for first in range(0, rows, size):
            part = slice(first, min(rows, first + size))
            outputs[part] = self._layers(inputs_of(part))
        return outputs

    def _outputs(self, inputs):
        return self._in_parts(len(inputs), inputs.__getitem__)

    def _layers(self, inputs):
        function = _FUNCTIONS[self.activation]
        for index, (weights, biases) in enumerate(zip(self.coefs_, self.intercepts_)):
            inputs = inputs @ weights + biases
            if index < len(self.coefs_) - 1:
                inputs = function(inputs)
        return inputs

    def _predicted(self, x):
        if not hasattr(self, "coefs_"):
            raise _kind_of("NotFittedError", NotFittedError)(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                "estimator.")
        columns, rows = self._columns(x, is_first=False)
        return self._in_parts(rows, lambda part: self._encoder.encode([column[part] for column in columns], part.stop - part.start))


class MLPClassifier(_Estimator):
    """A neural net that learns classes, with the parameters and methods of sklearn.neural_network.MLPClassifier.

        net = shoal.MLPClassifier(hidden_layer_sizes=(64,), max_iter=300)
        net.fit(x, y).score(x_test, y_test)

    hidden_layer_sizes: units of each hidden layer. activation: identity, logistic, tanh, relu. solver: adam, sgd.
    alpha: L2 penalty. batch_size: rows of an update; "auto": min(200, rows). learning_rate_init: the constant rate.
    max_iter: most epochs. tol, n_iter_no_change: fit() ends when the loss (with early_stopping the accuracy of
    validation_fraction of the rows) has not improved by tol for so many epochs. device: a shoal.Device or a selector
    such as "gpu", on which updates are made; None: the host, in double precision.

    X: an array (rows, features) or a frame; NaN and None are missing values where a column had some in fit(), columns of
    texts become an input for each text. fit() scales each column of numbers to mean 0 and deviation 1, in one copy of X;
    predictions are made in parts, without one. y: classes, shape (rows,). Fitted: classes_, coefs_, intercepts_,
    loss_curve_, loss_, n_iter_, n_features_in_.
    """
    _estimator_type = "classifier"

    def __init__(self, hidden_layer_sizes=(100,), activation="relu", *, solver="adam", alpha=0.0001, batch_size="auto",
                 learning_rate="constant", learning_rate_init=0.001, max_iter=200, shuffle=True, random_state=None, tol=1e-4,
                 verbose=False, warm_start=False, momentum=0.9, nesterovs_momentum=True, early_stopping=False,
                 validation_fraction=0.1, beta_1=0.9, beta_2=0.999, epsilon=1e-8, n_iter_no_change=10, device=None):
        self.hidden_layer_sizes, self.activation, self.solver, self.alpha = hidden_layer_sizes, activation, solver, alpha
        self.batch_size, self.learning_rate, self.learning_rate_init = batch_size, learning_rate, learning_rate_init
        self.max_iter, self.shuffle, self.random_state, self.tol = max_iter, shuffle, random_state, tol
        self.verbose, self.warm_start, self.momentum, self.nesterovs_momentum = verbose, warm_start, momentum, nesterovs_momentum
        self.early_stopping, self.validation_fraction, self.n_iter_no_change = early_stopping, validation_fraction, n_iter_no_change
        self.beta_1, self.beta_2, self.epsilon, self.device = beta_1, beta_2, epsilon, device

    def _labels(self, y, rows):
        y = self._vector(y, rows)
        if y.ndim != 1:
            raise ValueError(f"y has the shape {y.shape}: it is one class for each row")
        if y.dtype.kind == "f" and (y % 1 != 0).any():
            raise ValueError("Unknown label type: continuous. Classes are whole numbers or texts; MLPRegressor learns numbers")
        return y

    def _indices(self, y):
        index = np.searchsorted(self.classes_, y)
        wrong = (index == len(self.classes_)) | (self.classes_[np.minimum(index, len(self.classes_) - 1)] != y)
        if wrong.any():
            raise ValueError(f"y has the class {y[wrong][0]!r}, which is not among the classes {list(self.classes_)}")
        return index.astype(np.uint32)

    def fit(self, X, y):
        """Trains anew, on all rows. Returns the estimator."""
        settings = self._settings()
        with self._kept_if_refused():
            inputs = self._inputs(X, is_first=True)
            y = self._labels(y, len(inputs))
            self.classes_ = _classes_of(y)
            if len(self.classes_) < 2:
                raise ValueError(f"{type(self).__name__} needs samples of at least 2 classes; y has only one class, {self.classes_[0]!r}")
            if not self.warm_start:
                self._forget()
            return self._train(inputs, self._indices(y), settings)

    def partial_fit(self, X, y, classes=None):
        """Trains with the rows once. classes: all classes, needed by the first call. Returns the estimator."""
        settings = self._settings()
        is_first = not hasattr(self, "coefs_")
        if is_first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if not is_first and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}")
        inputs = self._inputs(X, is_first=is_first, scales=False)
        y = self._labels(y, len(inputs))
        if is_first:
            self.classes_ = _classes_of(classes)
        return self._train_once(inputs, self._indices(y), settings)

    def _score_of(self, inputs, targets):
        return float((self._outputs(inputs).argmax(1) == targets).mean())

    def predict_proba(self, X):
        """The probability of each class, shape (rows, classes)."""
        outputs = self._predicted(X)
        weights = np.exp(outputs - outputs.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True)

    def predict_log_proba(self, X):
        """The logarithm of predict_proba()."""
        return np.log(self.predict_proba(X))

    def predict(self, X):
        """The most probable class of each row, shape (rows,)."""
        return self.classes_[self._predicted(X).argmax(1)] if hasattr(self, "classes_") else self._predicted(X)

    def score(self, X, y, sample_weight=None):
        """The accuracy."""
        predicted = self.predict(X)
        return float(np.average(predicted == self._labels(y, len(predicted)), weights=sample_weight))


class MLPRegressor(_Estimator):
    """A neural net that learns numbers, with the parameters and methods of sklearn.neural_network.MLPRegressor.

        net = shoal.MLPRegressor(hidden_layer_sizes=(64,), max_iter=300)
        net.fit(x, y).score(x_test, y_test)

    Parameters and X are those of MLPClassifier. y: numbers, shape (rows,) or (rows, outputs); fit() scales them to mean 0
    and deviation 1, and predictions are in the units of y.
    """
    _estimator_type = "regressor"

    __init__ = MLPClassifier.__init__

    def _numbers(self, y, rows):
        y = self._vector(y, rows)
        if y.dtype.kind not in "biuf":
            try:
                y = y.astype(np.float64)
            except (TypeError, ValueError):
                raise ValueError("y holds texts: MLPRegressor learns numbers, MLPClassifier classes") from None
        if y.ndim > 2:
            raise ValueError(f"y has the shape {y.shape}: it is a number, or a row of numbers, for each row of X")
        return y.astype(np.float64)

    def _take(self, X, y, is_first, scales):
        inputs = self._inputs(X, is_first=is_first, scales=scales)
        y = self._numbers(y, len(inputs))
        if is_first:
            self._is_flat = y.ndim == 1
        y = y.reshape(len(y), -1)
        if is_first:
            width = y.shape[1]
            self._offset, self._scale = (y.mean(0), deviation_of(y)) if scales else (np.zeros(width), np.ones(width))
        elif y.shape[1] != len(self._offset):
            raise ValueError(f"y has {y.shape[1]} numbers in a row, and had {len(self._offset)} before")
        return inputs, (y - self._offset) / self._scale

    def fit(self, X, y):
        """Trains anew, on all rows. Returns the estimator."""
        settings = self._settings()
        with self._kept_if_refused():
            if not self.warm_start:
                self._forget()
            return self._train(*self._take(X, y, True, True), settings)

    def partial_fit(self, X, y):
        """Trains with the rows once. Returns the estimator."""
        settings = self._settings()
        return self._train_once(*self._take(X, y, not hasattr(self, "coefs_"), False), settings)

    def _score_of(self, inputs, targets):
        return _r2(targets, self._outputs(inputs))

    def predict(self, X):
        """The outputs for each row, in the shape of y."""
        values = self._predicted(X) * self._scale + self._offset
        return values.ravel() if self._is_flat else values

    def score(self, X, y, sample_weight=None):
        """R^2, the mean over the outputs."""
        predicted = self.predict(X)
        y = self._numbers(y, len(predicted))
        if y.shape != predicted.shape:
            raise ValueError(f"y has the shape {y.shape}, predictions have {predicted.shape}")
        return _r2(y, predicted, sample_weight)


def _r2(y, values, weights=None):
    y, values = (np.reshape(one, (len(one), -1)) for one in (y, values))
    weights = np.ones(len(y)) if weights is None else np.asarray(weights)
    mean = np.average(y, axis=0, weights=weights)
    left, all_ = (weights @ (y - other) ** 2 for other in (values, mean))
    return float(np.mean(np.where(all_ > 0, 1 - left / np.where(all_ > 0, all_, 1), np.where(left > 0, 0.0, 1.0))))
