"""Workers on a dask or ray cluster give the results of one worker; errors are one line."""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections import deque
from concurrent.futures import CancelledError, Future
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from dask_cluster import all_of, first_kills, pid
from every_command import everything
from folders import GOOD, refused
from paths import PATIENCE, ROOT
from stopped import only_run, results
from tiny import tiny

from hanabi import rules
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.measure import clusters
from hanabi.evolve.measure.clusters import (
    DaskCluster,
    RayCluster,
    TaskRequirements,
    WorkerDiedError,
    collect_requirements,
    serve,
    versions,
)
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.measure.workers import Workers
from hanabi.rulebook import FAMILIES
from hanabi.rules import agents, user_rules

DASK = importlib.util.find_spec("distributed") is not None
RAY = importlib.util.find_spec("ray") is not None
with_dask = pytest.mark.skipif(
    not DASK, reason="distributed is not installed: pip install 'hanabi-evolve[dask]'"
)
with_ray = pytest.mark.skipif(
    not RAY, reason="ray is not installed: pip install 'hanabi-evolve[ray]'"
)


@pytest.fixture(autouse=True)
def nobody_looks_out(monkeypatch):
    """A worker's thread that watches games would outlive a test in this process."""
    monkeypatch.setattr(clusters, "_start_watchdog", lambda: None)


# What a task brings along


def test_a_task_is_done_where_all_is_as_it_wants():
    assert serve(collect_requirements(), divmod, 17, 5) == (3, 2)


@pytest.mark.parametrize("name", ["hanabi", "python", "numpy", "numba"])
def test_a_worker_with_another_version_is_refused_by_name(name):
    wanted = tuple((one, "0.0.1" if one == name else version) for one, version in versions())
    with pytest.raises(
        WorkerDiedError,
        match=rf"^the worker {os.getpid()} on .* is refused: it has {name} .*, not 0\.0\.1\. ",
    ):
        serve(TaskRequirements(wanted, ()), divmod, 17, 5)


def test_versions_tell_one_source_from_another(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_text("a = 1")
    monkeypatch.setattr(
        clusters,
        "source_files",
        lambda: {file.name: file for file in sorted(tmp_path.glob("*.py"))},
    )
    before = versions.__wrapped__()
    (tmp_path / "one.py").write_text("a = 2")
    assert versions.__wrapped__()[0] != before[0] and versions.__wrapped__()[1:] == before[1:]


def test_a_rule_file_goes_along_with_its_hash(tmp_path):
    digest = hashlib.sha256(GOOD.encode()).hexdigest()[:12]
    away = "/nowhere/at/all/mine.py"
    assert (
        serve(
            TaskRequirements(versions(), ((away, digest, GOOD.encode()),)), rules.load_rules, away
        )
        == digest
    )
    assert "mine.old" in FAMILIES and user_rules.LOADED[away] == digest
    source = FAMILIES["mine.old"].function.__code__.co_filename
    assert digest in source and Path(source).read_text() == GOOD, (
        "a copy of its own, where its machine code is found again"
    )
    with pytest.raises(
        WorkerDiedError,
        match=r"/nowhere/at/all/mine\.py was edited .* restart",
    ):
        serve(TaskRequirements(versions(), ((away, "0" * 12, b""),)), divmod, 1, 1)


def test_a_rule_file_that_was_edited_is_not_sent(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(GOOD)
    rules.load_rules(file)
    assert (str(file), GOOD.encode()) in [
        (name, content) for name, _, content in collect_requirements().files
    ]
    file.write_text(GOOD + "\n")
    with pytest.raises(ValueError, match="mine.py was edited since it was loaded"):
        collect_requirements()


def test_one_worker_of_a_cache_compiles_while_the_others_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "CACHE", tmp_path)
    code = (
        "import sys; from pathlib import Path; from hanabi.evolve.measure import clusters\n"
        "clusters.CACHE = Path(sys.argv[1])\n"
        "with clusters._compiled_once(('some', 'task')): print('in', flush=True)\nprint('out')"
    )
    with clusters._compiled_once(("some", "task")):
        other = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "HANABI_PLAIN": "1"},
        )
        from filelock import FileLock, Timeout

        with pytest.raises(Timeout):
            FileLock(tmp_path / "compiling.lock").acquire(timeout=0)
        assert not list(tmp_path.glob("ready-*")) and other.poll() is None
    assert (
        other.communicate(timeout=PATIENCE)[0] == "in\nout\n"
        and len(list(tmp_path.glob("ready-*"))) == 1
    )
    with FileLock(tmp_path / "compiling.lock"), clusters._compiled_once(("some", "task")):
        pass  # known here: nobody is waited for


# Mistakes


@pytest.mark.parametrize(
    "words, message",
    [
        (
            "tournament piers --backend dask",
            "backend dask: say where it is, --backend dask --scheduler tcp://HOST:8786",
        ),
        (
            "analyse --only parts piers --backend ray",
            "backend ray: say where it is, --backend ray --address HOST:6379",
        ),
        (
            "compare piers iggi --scheduler tcp://a:1",
            "--backend threads runs on this machine; --scheduler tcp://a:1 is for --backend dask",
        ),
        (
            "evolve --preset quick --backend dusk:x",
            "backend 'dusk:x' should be threads, processes, dask or ray",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(words, message, tmp_path):
    refused(words, tmp_path, message)


@pytest.mark.parametrize("kind, package", [("dask", "distributed"), ("ray", "ray")])
def test_what_is_missing_is_told_with_the_command_that_installs_it(
    kind, package, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, package, None)
    refused(
        f"tournament piers --backend {kind} --address somewhere:1",
        tmp_path,
        f"-m pip install 'hanabi-evolve[{kind}]'",
    )


def fake_ray(cores=0):
    """A ray that is installed and must not be asked to connect."""
    ray = ModuleType("ray")
    ray.exceptions, ray.is_initialized = (
        SimpleNamespace(RayError=type("RayError", (Exception,), {})),
        lambda: False,
    )
    ray.init = lambda **how: pytest.fail("ray would try for minutes")
    ray.cluster_resources = lambda: {"CPU": cores} if cores else {}
    return ray


@pytest.mark.parametrize("address", ["127.0.0.1:9", "[::1]:9", "127.0.0.1:99999"])
def test_no_head_at_rays_address_is_told_before_ray_is_asked(address, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", fake_ray())
    refused(
        f"tournament piers --backend ray --address {address}",
        tmp_path,
        f"no ray cluster answers at {address} (",
    )


def test_other_addresses_are_left_to_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", fake_ray())
    for address in ("auto", "ray://somewhere:10001"):
        with pytest.raises(pytest.fail.Exception, match="ray would try"):
            clusters._connect_ray(address)


def test_a_ray_cluster_whose_nodes_died_is_told_in_a_line(monkeypatch):
    """Its head lives and has no cores: ray would wait for a node."""
    monkeypatch.setitem(sys.modules, "ray", fake_ray())
    monkeypatch.setattr(clusters, "_ray_gone", lambda: False)
    monkeypatch.setattr(clusters, "POLL", 0.01)
    some = RayCluster.__new__(RayCluster)
    some.address, some._most = "a:1", 8
    with pytest.raises(clusters.WorkerDiedError) as died:
        next(some.results(deque([Future()])))
    assert (
        str(died.value)
        == "the ray cluster at a:1 has no cores left, its nodes died; this starts one: "
        "ray start --address a:1"
    )
    assert some.explain(KeyError("of a task")) == ""
    missing = SimpleNamespace(client_exc=ModuleNotFoundError("x", name="hanabi.none"))
    assert "has no hanabi.none: install the same hanabi" in some.explain(missing)
    monkeypatch.setitem(sys.modules, "ray", fake_ray(2))
    some.check()
    assert some.jobs == 2
    monkeypatch.setattr(clusters, "_ray_gone", lambda: True)
    with pytest.raises(
        clusters.WorkerDiedError, match="the head of the ray cluster at a:1 is gone"
    ):
        next(some.results(deque([Future()])))


def test_a_ray_cluster_does_no_more_tasks_at_once_than_jobs(monkeypatch):
    ray, sent = fake_ray(3), []

    def begin(call):
        sent.append(Future())
        return SimpleNamespace(future=lambda: sent[-1])

    task = SimpleNamespace(remote=begin)
    ray.remote = lambda **options: lambda function: task
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(clusters, "_connect_ray", lambda address: 3)
    monkeypatch.setattr(clusters, "POLL", 0.01)
    monkeypatch.setattr(clusters, "_ray_gone", lambda: False)
    assert [clusters.connect("ray", "a:1", jobs).jobs for jobs in (-1, 2, 4)] == [3, 2, 3]
    some = clusters.connect("ray", "a:1", 2)
    some.check()
    assert some.jobs == 2
    monkeypatch.setattr(some, "check", lambda: sent and sent[0].set_result(None))
    for _ in some.start(abs, [(1,), (2,), (3,)]):
        assert sum(not future.done() for future in sent) <= 2
    assert len(sent) == 3 and sent[0].done()


def test_a_dask_cluster_uses_all_its_workers():
    with pytest.raises(ValueError, match="jobs: 3: dask uses all workers that it has"):
        clusters.connect("dask", "a:1", 3)


def test_what_an_engine_raises_as_it_starts_is_said_in_a_line():
    def start(function, tasks):
        raise KeyError("CPU")

    some = Workers(1)
    some._cluster = SimpleNamespace(explain=lambda error: "no cores left", start=start)
    with pytest.raises(WorkerDiedError, match="no cores left"):
        some.do(abs, [(1,)])


@with_dask
def test_no_scheduler_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SCHEDULER_TIMEOUT", 0.2)
    refused(
        "tournament piers --backend dask --scheduler tcp://127.0.0.1:9",
        tmp_path,
        "no dask scheduler answers at tcp://127.0.0.1:9",
    )


def test_what_an_engine_says_is_said_in_a_line():
    some = DaskCluster.__new__(DaskCluster)
    some.address, some._client = "tcp://a:1", SimpleNamespace(status="running")
    assert "has no hanabi.evolve.ga: install the same hanabi" in some.explain(
        ModuleNotFoundError("x", name="hanabi.evolve.ga")
    )
    assert "each worker that began it died" in some.explain(
        type("KilledWorker", (Exception,), {})()
    )
    assert "scheduler at tcp://a:1 is gone" in some.explain(CancelledError())
    assert some.explain(ValueError("of a task")) == ""
    some._client.status = "closed"
    assert "is gone" in some.explain(ValueError("of a task"))


# Real clusters


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config, the folder of a run on one worker)."""
    made = tiny()
    return made, evolve(made, tmp_path_factory.mktemp("one"), jobs=1).folder


@pytest.fixture
def cluster(tmp_path):
    """A dask cluster of three workers."""
    from dask_cluster import DaskCluster

    (tmp_path / "cluster").mkdir()
    with DaskCluster(tmp_path / "cluster") as some:
        some.add(3)
        some.wait(3)
        yield some


def slow_if_0(number):
    """Return a number; 0 after all others."""
    time.sleep(0.5 if number == 0 else 0)
    return number


@with_dask
def test_dask_workers_in_this_process_give_what_one_worker_gives(unbroken, tmp_path):
    """The scheduler is real, its workers are threads; `make test-slow` tests processes."""
    from distributed import LocalCluster

    made, run = unbroken
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dask's own
        with LocalCluster(
            n_workers=3, threads_per_worker=1, processes=False, dashboard_address=None
        ) as here:
            backend = f"dask:{here.scheduler_address}"
            with Workers(-1, backend) as some:
                assert some.jobs == 3 and list(some.do(divmod, [(n, 7) for n in range(9)])) == [
                    divmod(n, 7) for n in range(9)
                ]
                with pytest.raises(ValueError, match="invalid literal for int"):
                    list(some.do(int, [("1",), ("x",), ("3",)]))
                assert list(some.do(abs, [(-3,)])) == [3], "and it goes on"
                assert list(some.do(slow_if_0, [(n,) for n in range(6)])) == list(range(6))
                with pytest.raises(
                    WorkerDiedError,
                    match=r"^a worker of the dask cluster at .* has no hanabi\.rules\.none",
                ):
                    list(some.do(importlib.import_module, [("hanabi.rules.none",)]))
            assert results(evolve(made, tmp_path, backend=backend)) == results(run)
            clusters._clients.pop(here.scheduler_address).close()


@pytest.mark.slow
@with_dask
def test_a_dask_cluster_of_processes_gives_what_one_worker_gives(cluster, unbroken, tmp_path):
    """Three workers; one is killed, another one joins. At last the scheduler ends."""
    made, run = unbroken
    backend = f"dask:{cluster.address}"
    with Workers(-1, backend) as some:
        assert some.jobs == 3 and all_of(some, 3) == {one.pid for one in cluster.workers}
        with pytest.raises(ValueError, match="invalid literal for int"):
            list(some.do(int, [("1",), ("x",), ("3",)]))
    assert results(evolve(made, tmp_path, backend=backend)) == results(run)
    agent = agents.load(str(run / "best.toml"))
    one, three = (
        tournament([agent], players=[2], games_each=2_000, **how).rows.to_csv()
        for how in (dict(jobs=1), dict(backend=backend))
    )
    assert one == three
    with Workers(-1, backend) as some:
        assert list(
            some.do(first_kills, [(n, str(tmp_path / "killed")) for n in range(30)])
        ) == list(range(30))
        (left,) = [one for one in cluster.workers if one.pid not in all_of(some, 2)]
        assert left.wait(PATIENCE) == -signal.SIGKILL
        cluster.add()
        assert cluster.workers[-1].pid in all_of(some, 3), "who comes later works, too"
    with pytest.raises(
        WorkerDiedError,
        match=f"the dask scheduler at {cluster.address} is gone, or was restarted",
    ):
        with Workers(-1, backend) as some:
            begun = some.do(pid, [(0.05,)] * 300)
            next(begun)
            cluster.scheduler.kill()
            list(begun)


@pytest.mark.slow
@with_dask
def test_every_command_gives_what_one_worker_gives(cluster, tmp_path):
    wanted, found = (
        everything(tmp_path / "one", jobs=1),
        everything(tmp_path / "three", backend=f"dask:{cluster.address}"),
    )
    for name, one in wanted.items():
        assert found[name] == one, name


@pytest.mark.slow
@with_dask
def test_a_run_goes_on_where_its_scheduler_was_killed(cluster, unbroken, tmp_path):
    """A worker dies, one joins, then the scheduler dies: the run stops with a line, and resumes."""
    made, run = unbroken

    def strike(step):
        if (step.stage, step.generation) == ("evolve", 2):
            cluster.workers[0].send_signal(signal.SIGKILL)
        if (step.stage, step.generation) == ("evolve", 3):
            cluster.add()
        if (step.stage, step.generation) == ("evolve", 4):
            cluster.scheduler.send_signal(signal.SIGKILL)

    backend = f"dask:{cluster.address}"
    with pytest.raises(
        WorkerDiedError,
        match=r"^the dask scheduler at .* is gone, or was restarted\. "
        r"The run stopped after generation \d+; "
        "go on with: hanabi evolve --resume ",
    ):
        evolve(made, tmp_path, backend=backend, progress=strike)
    cluster.scheduler.wait(PATIENCE)
    cluster.schedule()
    cluster.add(3)
    cluster.wait(3)
    resume(only_run(tmp_path), backend=backend)
    assert results(only_run(tmp_path)) == results(run)


@pytest.mark.slow
@with_dask
def test_own_rules_travel_to_a_worker_that_has_no_such_file(cluster, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(GOOD)
    rules.load_rules(file)
    agent = agents.loads('name = "own"\notherwise = "default"\n[rules]\n"2-5" = ["mine.old"]')
    alone = tournament([agent], players=[2], games_each=300, jobs=1).rows.to_csv()
    sent = collect_requirements()
    file.rename(tmp_path / "elsewhere.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hanabi.evolve.measure.clusters.collect_requirements", lambda: sent)
        assert (
            tournament(
                [agent], players=[2], games_each=300, backend=f"dask:{cluster.address}"
            ).rows.to_csv()
            == alone
        )


@pytest.mark.slow
@with_dask
def test_a_worker_of_another_source_is_refused(cluster, tmp_path):
    """It has a copy of the packages in which a comment was added."""
    from dask_cluster import DaskCluster

    shutil.copytree(
        ROOT / "hanabi", tmp_path / "other/hanabi", ignore=shutil.ignore_patterns("__pycache__")
    )
    with open(tmp_path / "other/hanabi/evolve/__init__.py", "a") as source:
        source.write("# edited\n")
    cluster.environment["PYTHONPATH"] = os.pathsep.join(
        (str(tmp_path / "other"), cluster.environment["PYTHONPATH"])
    )
    cluster.add()
    cluster.wait(4)
    other = cluster.workers[-1].pid
    with (
        Workers(-1, f"dask:{cluster.address}") as some,
        pytest.raises(
            WorkerDiedError,
            match=rf"^the worker {other} on .* \({tmp_path}/other\) is refused: "
            r"it has hanabi .* \(source .*\), not ",
        ),
    ):
        all_of(some, 4)
    assert isinstance(cluster, DaskCluster)


@pytest.fixture(scope="module")
def ray_environment():
    """What processes of ray's need to find hanabi, and to leave nothing in the user's home."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ray's own
        patch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), *sys.path)))
        patch.setenv("RAY_AUTH_MODE", "disabled")
        yield


@pytest.mark.slow
@with_ray
def test_a_ray_cluster_gives_what_one_worker_gives(ray_environment, unbroken, tmp_path):
    """Three workers on two simulated machines; one is killed, later a third machine joins."""
    made, run = unbroken
    import ray
    from ray.cluster_utils import Cluster

    machines = Cluster(
        initialize_head=True, head_node_args=dict(num_cpus=2, include_dashboard=False)
    )
    try:
        machines.add_node(num_cpus=1)
        backend = f"ray:{machines.address}"
        assert results(evolve(made, tmp_path, backend=backend)) == results(run)
        wanted, found = (
            everything(tmp_path / "one", jobs=1),
            everything(tmp_path / "three", backend=backend),
        )
        for name, one in wanted.items():
            assert found[name] == one, name
        with Workers(-1, backend) as some:
            assert some.jobs == 3 and len(all_of(some, 3)) == 3
            assert list(
                some.do(first_kills, [(n, str(tmp_path / "killed")) for n in range(30)])
            ) == list(range(30))
            machines.add_node(num_cpus=1)
            assert (
                list(some.do(abs, [(-3,)])) == [3] and some.jobs == 4 and len(all_of(some, 4)) == 4
            ), "who comes later works, too"
    finally:
        ray.shutdown()
        machines.shutdown()


@pytest.mark.slow
@with_ray
def test_a_run_goes_on_where_rays_head_was_killed(ray_environment, unbroken, tmp_path):
    """The run stops with a line, and resumes. In processes, which ray ends without its head."""
    made, run = unbroken
    (tmp_path / "evolution.toml").write_text(made.text())
    code = (
        "from ray.cluster_utils import Cluster\n"
        "how = dict(num_cpus=3, include_dashboard=False)\n"
        "machines = Cluster(initialize_head=True, head_node_args=how)\n"
        "(server,) = machines.head_node.all_processes['gcs_server']\n"
        "print(machines.address, server.process.pid, flush=True); input()"
    )

    def head():
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=tmp_path,
        )
        return process, *process.stdout.readline().split()

    process, address, gcs = head()
    hanabi = [sys.executable, "-m", "hanabi.evolve.cli"]
    try:
        with subprocess.Popen(
            [
                *hanabi,
                "evolve",
                "evolution.toml",
                "--runs",
                "runs",
                "--backend",
                "ray",
                "--address",
                address,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        ) as going:
            while not [*tmp_path.glob("runs/*/checkpoint-*02.json")]:
                assert going.poll() is None, going.stderr.read()
                time.sleep(0.005)
            os.kill(int(gcs), signal.SIGKILL)
            said = going.stderr.read()
        last = said.strip().splitlines()[-1]
        assert (
            last.startswith(
                f"hanabi: the head of the ray cluster at {address} is gone, or was restarted. "
                "The run stopped after generation "
            )
            and " --resume runs" in last
            and "Traceback" not in said
        ), said
        assert going.returncode == 1
    finally:
        process.kill()
        process.communicate()
    process, address, gcs = head()
    try:
        subprocess.run(
            [
                *hanabi,
                "evolve",
                "--resume",
                only_run(tmp_path / "runs"),
                "--backend",
                "ray",
                "--address",
                address,
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
    finally:
        process.communicate("")
    assert results(only_run(tmp_path / "runs")) == results(run)
