"""Starts or resumes a run in a process of its own, which can be told to die at a chosen place:

    python driver.py evolve CONFIG.toml RUNS | resume RUN   [jobs=1] [backend=threads] [die=fsync:7] [limit=BYTES]

die: kill -9 at the n-th call of os.fsync, os.replace, or ("half") after half of a checkpoint was written.
"""
import os
import resource
import signal
import sys


def die():
    """kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def plant(where):
    """Die at the n-th call of something."""
    name, _, nth = where.partition(":")
    left = [int(nth)]
    from evolve.ga import checkpoint, finals, folder
    if name == "half":
        whole = checkpoint.write_whole

        def half(path, data):
            left[0] -= 1
            if left[0] == 0:
                with open(path.with_name(path.name + ".part"), "wb") as file:
                    file.write((data.encode() if isinstance(data, str) else data)[:len(data) // 2])
                die()
            whole(path, data)
        for module in (checkpoint, finals, folder):
            module.write_whole = half
        return
    real = getattr(os, name)

    def counted(*args, **keys):
        left[0] -= 1
        if left[0] == 0:
            die()
        return real(*args, **keys)
    setattr(os, name, counted)


def main():
    """See above."""
    command, *words = sys.argv[1:]
    places = [word for word in words if "=" not in word]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    from evolve.ga import config
    from evolve.ga.run import RunError, Stopped, evolve, resume
    if "limit" in options:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(options["limit"]),) * 2)
    if "die" in options:
        plant(options["die"])
    workers = dict(jobs=int(options.get("jobs", 1)), backend=options.get("backend", "threads"),
                   progress=lambda step: print(step.stage, step.generation, step.text, flush=True))
    try:
        if command == "evolve":
            run = evolve(config.read(places[0]), places[1], **workers)
        else:
            run = resume(places[0], extend_to=int(options["extend"]) if "extend" in options else None, **workers)
        print("folder", run.folder)
    except Stopped as stop:
        print("stopped:", stop, flush=True)
        sys.exit(130)
    except RunError as error:
        print("error:", error, flush=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
