"""The report on the rows by which a net is judged."""
import numpy as np

from .._library import ArgumentError, Owner, Result, call, ffi, invalid, lib, text
from .fields import reals

_PARTS = ("training", "validation", "test")  # by enum shoal_mlp_part


def _outcome(solver, net, part):
    """Predictions of a net for the rows of a part: a struct that is valid until the next call."""
    outcome = ffi.new("struct shoal_mlp_outcome *", {"size": ffi.sizeof("struct shoal_mlp_outcome")})
    call(lib.shoal_mlp_predict_part, solver, net, part, outcome)
    return outcome


def _whole_numbers(pointer, count):
    return np.frombuffer(ffi.buffer(pointer, 4 * count), dtype=np.uint32).astype(np.int64)


def _names_of(outcome):
    return [text(name) for name in outcome.names[0:outcome.classes or outcome.outputs]]


class _Rows:
    """Rows with predictions, of all folds one after another."""

    def __init__(self, outcome):
        self.outputs, self.classes = outcome.outputs, outcome.classes
        self.names = _names_of(outcome)
        self._parts = []
        self.add(outcome)

    def is_like(self, outcome):
        return self.outputs == outcome.outputs and self.names == _names_of(outcome)

    def add(self, outcome):
        rows, numbers = outcome.rows, outcome.rows * outcome.outputs
        self._parts.append({
            "predicted": reals(outcome.predicted, numbers).reshape(rows, self.outputs),
            "truth": _whole_numbers(outcome.class_of, rows) if self.classes else reals(outcome.truth, numbers).reshape(rows, self.outputs),
            "weights": reals(outcome.weights, rows) if outcome.weights else np.ones(rows),
            "row": _whole_numbers(outcome.number, rows)})

    def joined(self):
        """The arrays by their names: predicted, truth, weights, row."""
        return {name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]}

    def evaluated(self):
        """The struct shoal_mlp_report of the rows, as an Owner."""
        arrays = self.joined()
        words = [ffi.new("char[]", name.encode()) for name in self.names]
        truth = arrays["truth"].astype(np.uint32) if self.classes else arrays["truth"]
        outcome = ffi.new("struct shoal_mlp_outcome *", {
            "size": ffi.sizeof("struct shoal_mlp_outcome"), "rows": len(truth), "outputs": self.outputs, "classes": self.classes})
        outcome.names = names = ffi.new("const char *[]", words)
        outcome.predicted, outcome.weights = (ffi.from_buffer("double[]", arrays[name]) for name in ("predicted", "weights"))
        if self.classes:
            outcome.class_of = ffi.from_buffer("uint32_t[]", truth)
        else:
            outcome.truth = ffi.from_buffer("double[]", truth)
        report = Owner("shoal_mlp_report", lib.shoal_mlp_report_destroy)
        call(lib.shoal_mlp_evaluate, outcome, report.address)
        del names
        return report


def _of_classes(report):
    whole = report.of_classes
    names = ("accuracy", "accuracy_low", "accuracy_high", "precision", "f1", "auc", "log_loss", "brier", "calibration_error")
    figures = {"balanced_accuracy": whole.recall, **{name: getattr(whole, name) for name in names}}
    of_class = [{"name": text(report.names[k]), "rows": one.weight, "predicted": one.guessed,
                 **{name: getattr(one, name) for name in ("precision", "recall", "f1", "auc")}}
                for k, one in enumerate(whole.of[0:report.classes])]
    bins = [{"rows": one.weight, "confidence": one.confidence, "accuracy": one.accuracy}
            for one in (whole.bins if report.are_probabilities else [])]
    return {**figures, "top": np.array(list(whole.top[0:whole.top_count])), "classes": list(map(Result, of_class)),
            "confusion": reals(whole.confusion, report.classes ** 2).reshape(report.classes, report.classes),
            "calibration": list(map(Result, bins))}


def _figures(one):
    return {name: getattr(one, name) for name in ("rmse", "mae", "r2")}


def _of_numbers(report):
    outputs = [Result(name=text(report.names[k]), **_figures(report.of_outputs[k])) for k in range(report.outputs)]
    return {**_figures(report.mean), "outputs": outputs}


def _nets(solver, count, folds, has_classes):
    nets = []
    for index in range(count):
        net = ffi.new("struct shoal_mlp_net *", {"size": ffi.sizeof("struct shoal_mlp_net")})
        call(lib.shoal_mlp_net_at, solver, index, net)
        score = "accuracy" if has_classes else "r2"
        nets.append(Result(net=net.number + 1, **({"fold": net.fold + 1} if folds else {}), seed=net.seed, rate=net.rate, decay=net.decay,
                           lack_of_fit=net.lack_of_fit, updates=net.updates, failed=net.has_failed, loss=net.loss,
                           validation_loss=net.validation_loss, **{f"{part}_{score}": net.scores[k] for k, part in enumerate(_PARTS)}))
    return nets


def _rows_of(solver, net, nets, folds):
    """The part by which the net is judged, and its rows."""
    part = lib.SHOAL_MLP_VALIDATION if folds else lib.SHOAL_MLP_TEST
    outcome = _outcome(solver, net, part)
    while not folds and part and not outcome.rows:
        part -= 1
        outcome = _outcome(solver, net, part)
    rows = _Rows(outcome)
    for fold in range(1, folds):
        outcome = _outcome(solver, fold * nets + net, part)
        if not rows.is_like(outcome):
            raise invalid(f"fold {fold + 1} has other classes than fold 1: a class has fewer rows than there are folds")
        rows.add(outcome)
    return _PARTS[part], rows


def add_report(solver, params, result):
    """Adds `report`: figures of the best net for the test rows, without them of the validation rows, else of the training rows;
    with folds of all rows, each by the net that was not trained on it."""
    folds, count = ffi.cast("struct shoal_mlp_params *", params).folds, lib.shoal_mlp_nets(solver)
    best, nets = ffi.new("uint64_t *"), count // (folds or 1)
    call(lib.shoal_mlp_best_net, solver, best)
    part, rows = _rows_of(solver, best[0], nets, folds)
    try:
        owner = rows.evaluated()
    except ArgumentError:  # of outputs that are not finite
        if result.success:
            raise
        return
    arrays = rows.joined()
    report = Result(part=part, rows=len(arrays["row"]))
    if folds:
        report["folds"] = folds
    if count > 1:
        report.update(net=best[0] + 1, nets=_nets(solver, count, folds, rows.classes))
    report.update(_of_classes(owner.pointer) if rows.classes else _of_numbers(owner.pointer), **arrays)
    result["report"] = report
    if part == "test":
        result["test_predicted"] = report.predicted
        result.update({"classes": rows.names, "confusion": report.confusion} if rows.classes else {"test_truth": report.truth})
