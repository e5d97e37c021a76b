"""Starts or resumes a run in a process of its own, which can be told to die at a chosen place:

python driver.py evolve CONFIG.toml RUNS | resume RUN   [jobs=1] [backend=threads] [die=fsync:7]
[limit=BYTES] [say=hears]

die: kill -9 at the n-th call of os.fsync, os.replace, or ("half") after half of a checkpoint was
written. say=hears: print "hears" when signals are heard.
"""

import os
import resource
import signal
import sys
import warnings
from contextlib import contextmanager

from hanabi.evolve.ga import checkpoint, config, finals, run_folder, run_recorder
from hanabi.evolve.ga.run import RunError, RunStoppedError, evolve, resume


def die():
    """kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def plant(where):
    """Die at the n-th call of something."""
    name, _, nth = where.partition(":")
    left = [int(nth)]
    if name == "half":
        whole = checkpoint.write_whole

        def half(path, data):
            left[0] -= 1
            if left[0] == 0:
                with open(path.with_name(path.name + ".part"), "wb") as file:
                    file.write((data.encode() if isinstance(data, str) else data)[: len(data) // 2])
                die()
            whole(path, data)

        for module in (checkpoint, finals, run_folder):
            module.write_whole = half
        return
    real = getattr(os, name)

    def counted(*args, **keys):
        left[0] -= 1
        if left[0] == 0:
            die()
        return real(*args, **keys)

    setattr(os, name, counted)


def tell_when_signals_are_heard():
    """Print it: a test has nothing else to wait for before the first generation is finished."""
    stop_on_signal = run_recorder.stop_on_signal

    @contextmanager
    def told(*words):
        with stop_on_signal(*words) as asked:
            print("hears", flush=True)
            yield asked

    run_recorder.stop_on_signal = told


def main(command, *words):
    """See above."""
    places = [word for word in words if "=" not in word]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    if "limit" in options:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(options["limit"]),) * 2)
    if "die" in options:
        plant(options["die"])
    if "say" in options:
        tell_when_signals_are_heard()
    workers = dict(
        jobs=int(options.get("jobs", 1)),
        backend=options.get("backend", "threads"),
        progress=lambda step: print(step.stage, step.generation, step.text, flush=True),
    )
    try:
        if command == "evolve":
            done = evolve(config.read(places[0]), places[1], **workers)
        else:
            done = resume(
                places[0],
                extend_to=int(options["extend"]) if "extend" in options else None,
                **workers,
            )
        print("folder", done.folder)
    except RunStoppedError as stop:
        print("stopped:", stop, flush=True)
        sys.exit(130)
    except RunError as error:
        print("error:", error, flush=True)
        sys.exit(2)


def forked(output, words):
    """The same in a copy of a process that has imported this; what it says goes to the writing end
    of a pipe.
    """
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    output.close()
    warnings.simplefilter("error")
    main(*words)


if __name__ == "__main__":
    main(*sys.argv[1:])
