"""Compile, keep and call by address with numba's private parts; no other file uses them.

Numba is changed only inside ``compiling``. .ci/newest-numba runs tests/hanabi/backend on the newest
version.
"""

import gc
import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import ObjectFileRef
from numba import types
from numba.core.base import BaseContext
from numba.core.caching import NullCache
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.pythonapi import PythonAPI
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack
from numba.extending import intrinsic
from numba.np import arrayobj

from hanabi.backend import intrinsics  # noqa: F401  popcount and lowest become instructions
from hanabi.backend.bits import FAULT, Code
from hanabi.backend.code_cache import CHECKED, Store, options_of, source_hash, usable_folder
from hanabi.backend.deferred_sigint import defer_sigint

VERSIONS = numba.__version__, llvmlite.__version__, np.__version__, sys.implementation.cache_tag
WITHIN = dict(
    nopython=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)  # called by machine code only
WRAPPER = "_ZN7cpython"  # the prefix of functions that Python calls
NUMBAS = "_ZN5numba"  # the prefix of functions that are defined in numba
UNRESOLVED = ".numba.unresolved$"  # the prefix of references among functions in a circle
CACHE = usable_folder()


def _casting(cast):
    """Let an array in a record pass for an array of its form: it is one already. See ``_form``."""

    def cast_nested(self, builder, value, kind, other):
        if isinstance(kind, types.NestedArray) and other == _form(kind):
            return value
        return cast(self, builder, value, kind, other)

    return cast_nested


def _plainly(extract):
    """Get a record's data pointer with PyBUF_SIMPLE, without the per-field format check."""

    def extract_record_data(self, record, buffer):
        ask = self._get_function(
            ir.FunctionType(ir.IntType(32), [self.pyobj, buffer.type, ir.IntType(32)]),
            "PyObject_GetBuffer",
        )
        self.builder.call(ask, [record, buffer, ir.IntType(32)(PLAIN_BYTES)])
        return self.builder.load(
            self.builder.bitcast(buffer, self.voidptr.as_pointer())
        )  # NULL, as before, if it failed

    return extract_record_data


def _in_a_circle(library):
    """Return whether functions of a library call one another in a circle.

    Numba links these as it makes them, and could not do so again.
    """
    return any(part.name.startswith(UNRESOLVED) for part in library._final_module.global_variables)


def _only_called(finalize):
    """Emit machine code only for what Python calls.

    A function that is only inlined into others gets none; ``addresses`` emits it for what is
    called by address.
    """

    def _finalize_final_module(self):
        wanted = not self._object_caching_enabled or self._compiled_object or _in_a_circle(self)
        if wanted or any(
            function.name.startswith(WRAPPER) for function in self._final_module.functions
        ):
            return finalize(self)
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._compiled_object, self._finalized = b"", True

    return _finalize_final_module


def _where_it_is(set_env):
    """Set no environment for a function without machine code: it has no place for one."""

    def set_env_there(self, name, environment):
        if self._engine.get_global_value_address(name):
            set_env(self, name, environment)

    return set_env_there


def _without_wraparound(fix):
    """Take an index as it is: numba adds the length of the array to a negative one.

    No library function has a negative index, and in user-defined functions the check of bounds
    refuses one. Numba's own functions, such as ``np.setxor1d``, have some.
    """

    def fix_integer_index(context, builder, kind, index, size):
        if builder.function.name.startswith(NUMBAS):
            return fix(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    return fix_integer_index


PLAIN_BYTES = 0  # PyBUF_SIMPLE
# The first four make play faster. The first lets a function have one form for all arrays that it
# may be given. The second makes a call from Python with a view cost 1 µs and not 25. The third
# lets LLVM vectorise over the slots of a row: plain lists play 5 % faster, conventions, whose
# rows are laid out for it, much more. The fourth saves a comparison at every index: plain lists
# play 5 % faster, the mean of twelve tables 3 %. The others make only compiling faster. The fifth
# and sixth are one patch: without it `hanabi evolve --preset quick` with one worker takes 27.7 s
# of CPU time from an empty cache and not 23.1 s. The last keeps the text of a record type, which
# numba writes at each call of a function: without it `hanabi tournament convention -n 4 -j 1`
# takes 43.3 s from an empty cache and not 39.2 s. Dropped, as all three together cost 3 % of
# that: a cache of operator types, no compiler events, a faster listing of variables.
PATCHES = (
    (BaseContext, "cast", _casting),
    (PythonAPI, "extract_record_data", _plainly),
    (numba.config, "SLP_VECTORIZE", lambda before: 1),
    (arrayobj, "fix_integer_index", _without_wraparound),
    (CPUCodeLibrary, "_finalize_final_module", _only_called),
    (JITCPUCodegen, "set_env", _where_it_is),
    (types.Record, "__repr__", cache),
)
_before: list = []  # what stands in PATCHES' places outside; empty outside ``compiling``


@contextmanager
def compiling() -> Iterator[None]:
    """Patch numba while *we* compile, and pause the garbage collector.

    Walking numba's large heap is a tenth of compiling. Outside, numba is as its user left it.

    Holds numba's own lock, which every compilation in this process takes, so that no other thread
    compiles meanwhile. A thread that holds it while it compiles a user's function, and comes to one
    of ours, waits for no other thread. Entered again, it does nothing more.
    """
    with global_compiler_lock:
        if _before:
            yield
            return
        collected = gc.isenabled()
        _before.extend(vars(owner)[name] for owner, name, _ in PATCHES)
        try:
            gc.disable()
            for (owner, name, patch), before in zip(PATCHES, _before):
                setattr(owner, name, _patched(patch, before))
            yield
        finally:
            for (owner, name, _), before in zip(PATCHES, _before):
                setattr(owner, name, before)
            _before.clear()
            if collected:
                gc.enable()


@cache
def _patched(patch, before):
    """Return the replacement of a part of numba; made once."""
    return patch(before)


class _Kept(NullCache):
    """A function's cache, as numba uses it, kept in a ``Store``."""

    def __init__(self, function: Callable, folder: Path, options: dict[str, Any]) -> None:
        code = function.__code__
        name = f"{function.__module__}.{function.__qualname__}-{code.co_firstlineno}".replace(
            "<", ""
        ).replace(">", "")
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        source: str | None = source_hash(code.co_filename)
        try:
            closed = hashlib.sha256(dumps(cells)).hexdigest() if cells else ""
        except (
            Exception
        ):  # pickle raises anything: what cannot be told from another is compiled anew each time
            closed, source = "", None
        self._form = (*VERSIONS, code.co_filename, code.co_code, closed, sorted(options.items()))
        self._store = Store(folder, name[-150:], source) if source else None

    def load(self, key, codegen):
        """Return what was kept under a key, or None.

        None also where its module cannot be imported: that of a script that another script runs.
        """
        data = self._store and self._store.load((*self._form, key, codegen.magic_tuple()))
        with suppress(ImportError):
            return pickle.loads(data) if data else None
        return None

    def save(self, key, result, data):
        """Keep data, unless it holds addresses of this process or is part of a circle."""
        library = result.library
        if self._store and not (
            library.has_dynamic_globals or result.lifted or _in_a_circle(library)
        ):
            self._store.save((*self._form, key, library.codegen.magic_tuple()), dumps(data))

    def load_overload(self, sig, target_context):
        """Return the compiled form of a signature, if it is kept."""
        rtsys.initialize(
            target_context
        )  # all that machine code asks for; what compiles it knows numba's functions itself
        parts = self.load(sig, target_context.codegen())
        return CompileResult._rebuild(target_context, *parts) if parts else None

    def save_overload(self, sig, cres):
        """Keep a form without its annotated source, which is most of what numba keeps."""
        self.save(sig, cres, cres._replace(type_annotation="")._reduce())


class _Ours(CPUDispatcher):
    """A function that is compiled inside ``compiling`` and kept in our folder."""

    def __init__(self, function, folder, **options):
        super().__init__(function, targetoptions=options_of(function) | options)
        self._cache = _Kept(function, folder, self.targetoptions)

    def compile(self, sig):
        """Compile for a signature, with Ctrl-C deferred."""
        with defer_sigint(), compiling():
            return super().compile(sig)


class Compiled(_Ours):
    """A function for other machine code, compiled once per form that differs in machine code.

    Two of three lines that numba compiles for a small function are the wrapper by which Python
    calls it, and it compiles one function for ``f(1)``, one for ``f(2)`` and one for ``f(n)``. Here
    the wrapper is compiled when Python first calls, and ``f(1)``, ``f(True)`` and ``f(n)`` are one.
    Without that everything takes a third longer.
    """

    def __init__(self, function, **options):
        super().__init__(function, CACHE, **WITHIN, **options)
        self._options, self._face, self._checked = options, None, None

    def _as_called(self):
        """Return this function for its caller: with checks where the caller has checks."""
        caller = ConfigStack.top_or_none()
        if caller is None or not caller.boundscheck or self.targetoptions.get("boundscheck"):
            return self
        if self._checked is None:
            self._checked = Compiled(self.py_func, **self._options, **CHECKED)
        return self._checked

    def get_call_template(self, args, kws):
        """Return numba's template for a call, with one form for all kinds of array."""
        if _before:  # else it is a function of a user's that calls, and no cast is in force
            args, kws = (
                [_form(kind) for kind in args],
                {key: _form(kind) for key, kind in kws.items()},
            )
        return super(Compiled, self._as_called()).get_call_template(args, kws)

    def get_overload(self, sig):
        """Return the compiled form for a signature, with its caller's checks."""
        return super(Compiled, self._as_called()).get_overload(sig)

    @property
    def is_compiling(self):
        """Return whether the form for this caller is being compiled."""
        return super(Compiled, self._as_called()).is_compiling

    def __call__(self, *args, **kws):
        """Call from Python: compile the wrapper, and the function with it, at the first call."""
        if self._face is None:
            self._face = _Ours(self.py_func, CACHE / "called from Python", nopython=True)
        return self._face(*args, **kws)


def _form(kind):
    """Return the type that a parameter is compiled for."""
    if isinstance(kind, types.NestedArray):  # an array in a record
        return types.Array(kind.dtype, kind.ndim, "C")
    return (
        types.int64
        if isinstance(kind, (types.Boolean, types.BooleanLiteral))
        else types.unliteral(kind)
    )


def compiled(function: Callable) -> Compiled:
    """Compile a function: cached, without the GIL, C division. The one decorator for kernels."""
    return Compiled(function)


def inlined(function: Callable) -> Compiled:
    """Compile a function that LLVM always inlines: for the few that run once per turn."""
    return Compiled(function, forceinline=True)


def _given(function: Callable, values: int) -> Callable:
    """Return a function that takes more values, and uses its own, the first ones.

    Numba compiles what the signature says, so all are called in one way, with no function between.
    """
    own = list(signature(function).parameters.values())
    rest = [
        Parameter(f"unused{i}", Parameter.POSITIONAL_OR_KEYWORD)
        for i in range(len(own) - 1, values)
    ]
    wide: Any = update_wrapper(
        FunctionType(function.__code__, function.__globals__, closure=function.__closure__),
        function,
    )
    wide.__signature__ = Signature([*own, *rest])
    return wide


_record = cache(
    numba.from_dtype
)  # once for all functions of a view: a tenth of a warm start otherwise


@cache
def _layout(dtype: np.dtype) -> str:
    """Return a hash that identifies a record type."""
    return hashlib.sha256(repr(dtype).encode()).hexdigest()


class _Made(NamedTuple):
    """A compiled function: its name, object file and environments, and what numba made."""

    name: str
    machine_code: bytes  # empty where numba has loaded it already
    environments: Any  # what it prints with
    result: object = None


def _make(code, codegen):
    """Compile a function, or load what was kept. Returns a _Made."""
    dtype, values, function = code
    kept, key = (
        _Kept(function, CACHE / "called by address", options_of(function)),
        (_layout(dtype), values),
    )
    made = kept.load(key, codegen)
    if made is not None:
        return _Made(*made)
    wide: Any = Compiled(_given(function, values))
    wide._cache = NullCache()
    wide.compile(types.int64(_record(dtype), *[types.float64] * values))
    (result,) = wide.overloads.values()
    here = _in_a_circle(result.library)  # then numba has made the machine code
    made = (
        result.fndesc.llvm_func_name,
        b"" if here else codegen._tm.emit_object(result.library._final_module),
        result._find_referenced_environments(),
    )
    if not result.reload_init:
        kept.save(key, result, made)
    return _Made(*made, result)


def _load(made, codegen):
    """Load functions side by side and return the address of each, by name."""
    for one in made:
        if one.machine_code:
            codegen._engine._ee.add_object_file(ObjectFileRef.from_data(one.machine_code))
    codegen._engine.finalize_object()
    for one in made:
        for environment in one.environments:
            codegen.set_env(environment.env_name, environment)
    return {one.name: codegen._engine.get_function_address(one.name) for one in made}


def addresses(codes: Sequence[Code]) -> list[tuple[int, object]]:
    """Compile int64 f(record, float64 …) and return (its address, what keeps it alive), for each.

    Kept are object files, which load in 0.2 ms each. What numba keeps, with the types of all fields
    and all that others are compiled from, takes 6 ms, and rules and answers are inlined nowhere.

    Functions of one call lie side by side. Loaded one by one, each would begin a page: the first
    bytes of all of them would compete for the same few places of the processor's code cache (games
    take 2.3 % longer).
    """
    context: Any = CPUDispatcher.targetdescr.target_context
    rtsys.initialize(context)
    codegen, made = context.codegen(), []
    for code in codes:
        with defer_sigint(), compiling():
            made.append(_make(code, codegen))
    with defer_sigint(), compiling():
        if len({one.name for one in made}) == len(made):
            found = _load(made, codegen)
            return [(found[one.name], (one.environments, one.result)) for one in made]
        # two files that define a rule of one name: by name only the last one loaded is found
        return [(_load([one], codegen)[one.name], (one.environments, one.result)) for one in made]


@intrinsic
def call_address(typing, where, record, *values):
    """Call the machine code at an address (from ``addresses``): 2.5 ns, nothing embedded or linked.

    It uses numba's own calling convention, whose status code reports an exception. A C callback
    would print it and return 0, which could not be told from "not applicable".
    """
    values = values[0] if values and isinstance(values[0], types.BaseTuple) else types.Tuple(values)

    def build(context, builder, signature, args):
        kind = context.call_conv.get_function_type(
            types.int64, (record, *[types.float64] * len(values))
        )
        with builder.goto_entry_block():  # not cgutils.alloca_once, which clears it at every call
            result, error = (builder.alloca(pointer.pointee) for pointer in kind.args[:2])
        extra = [builder.extract_value(args[2], i) for i in range(len(values))]
        status = builder.call(
            builder.inttoptr(args[0], kind.as_pointer()), [result, error, args[1], *extra]
        )
        fine = builder.icmp_signed("==", status, status.type(0))
        return builder.select(fine, builder.load(result), ir.Constant(ir.IntType(64), FAULT))

    return types.int64(types.int64, record, values), build
