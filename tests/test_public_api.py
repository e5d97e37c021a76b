"""Every exported function and class, and each public method, has types and a docstring."""

import importlib
import inspect

import pytest
from test_exports import PACKAGES


def python_function(found):
    """Return the Python function behind a compiled one, a method or a property; None for others."""
    found = getattr(found, "fget", found)  # a property
    found = getattr(found, "func", found)  # a cached property
    found = getattr(found, "__func__", found)  # a class or static method
    found = getattr(found, "py_func", found)  # a compiled function
    return found if inspect.isfunction(found) else None


def public_functions(package):
    """Yield (name, function) for the exported functions and the public methods of the classes."""
    there = importlib.import_module(package)
    for name in there.__all__:
        found = getattr(there, name)
        if python_function(found):
            yield name, python_function(found)
        if inspect.isclass(found):
            for method, inside in vars(found).items():
                if not method.startswith("_") and python_function(inside):
                    yield f"{name}.{method}", python_function(inside)


def problems(name, function):
    """Return what is missing: types of arguments, the type of the result, a summary sentence."""
    summary = (inspect.getdoc(function) or "").partition("\n\n")[0]
    known = function.__annotations__
    arguments = [argument for argument in inspect.signature(function).parameters]
    missing = [argument for argument in arguments if argument not in ("self", "cls", *known)]
    found = [f"no type of {argument}" for argument in missing]
    found += [] if "return" in known else ["no type of what it returns"]
    found += [] if summary.endswith(".") and "\n" not in summary else ["no summary sentence"]
    return [f"{name}: {problem}" for problem in found]


@pytest.mark.parametrize("package", PACKAGES)
def test_exported_functions_have_types_and_a_summary(package):
    found = [line for name, made in public_functions(package) for line in problems(name, made)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", PACKAGES)
def test_exported_classes_have_a_summary(package):
    there = importlib.import_module(package)
    for name in there.__all__:
        found = getattr(there, name)
        if inspect.isclass(found):
            summary = (found.__doc__ or "").partition("\n\n")[0]
            assert summary.endswith(".") and "\n" not in summary, name


def test_a_missing_type_is_found():
    def half(view, seat: int) -> int:
        """Something"""

    assert problems("half", half) == ["half: no type of view", "half: no summary sentence"]
