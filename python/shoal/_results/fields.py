"""The fields of a result of the library."""
import numpy as np

from .._library import Result, ffi, in_python, lib, text


def reals(pointer, count):
    """A copy of `count` doubles of the library."""
    return np.frombuffer(ffi.buffer(pointer, 8 * count)).copy() if count else np.empty(0)


def _fields_of(result):
    """The fields of a struct shoal_result by their names."""
    values = Result()
    for field in result.fields[0:result.field_count]:
        name = text(field.name)
        if field.type == lib.SHOAL_FIELD_UINT:
            values[name] = field.uint
        elif field.type == lib.SHOAL_FIELD_FLAG:
            values[name] = bool(field.uint)
        elif field.type == lib.SHOAL_FIELD_REAL:
            values[name] = field.real
        elif field.type == lib.SHOAL_FIELD_REALS:
            values[name] = reals(field.reals, field.count)
        else:
            values[name] = text(field.text)
    return values


def result_of(result):
    """A struct shoal_result as a Result, whose fields are entries of their own, too."""
    failure, warning, note = (in_python(text(words) or "") for words in (result.check_failure, result.warning, result.note))
    common = {"value": result.value, "value_name": text(result.value_name), "title": text(result.title),
              "steps": result.steps - result.warm_up_steps, "error": result.error, "success": result.check_passed,
              "message": failure or warning or note, "work": result.work, "work_unit": text(result.work_unit)}
    fields = _fields_of(result)
    more = {"value_unit": text(result.value_unit) or None, "check_name": text(result.check_name), "check_failure": failure or None,
            "warning": warning or None, "note": note or None, "warm_up_steps": result.warm_up_steps, "fields": fields}
    return Result({**common, **fields, **common, **more})
