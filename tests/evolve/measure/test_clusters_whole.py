"""Every command that plays games on many machines gives the same bytes on one worker and on real clusters of three; all of it slow."""
import importlib.util
import signal
import warnings
from subprocess import PIPE, STDOUT, Popen

import pytest
from dask_cluster import DaskCluster, all_of, first_kills
from folders import GOOD
from paths import PATIENCE
from stopped import command, drive, only_run, results
from tiny import tiny

import rules
from evolve import analyse, compare, experiment, lab, tournament
from evolve.ga.run import evolve
from evolve.measure import clusters
from evolve.measure.workers import WorkerDied, Workers
from rules import agents

pytestmark = pytest.mark.slow
ENGINES = [pytest.param(kind, marks=pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed"))
           for kind, package in (("dask", "distributed"), ("ray", "ray"))]
EXPERIMENT = 'says = "one small run"\n[runs.one]\ntable = "Table A"\nagent = "piers"\nconfig = {{ {} }}\n'
OWN = 'name = "own"\notherwise = "default"\n[rules]\n"2-5" = ["mine.old"]'


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """A worker's thread that watches games would outlive a test in this process; ray warns of what it does itself."""
    monkeypatch.setattr(clusters, "_look_out", lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(params=ENGINES)
def cluster(request, tmp_path, monkeypatch):
    """A cluster of three worker processes, and the backend that it is."""
    if request.param == "dask":
        (tmp_path / "cluster").mkdir()
        with DaskCluster(tmp_path / "cluster") as some:
            some.add(3)
            some.wait(3)
            yield some, f"dask:{some.address}"
        return
    from ray_cluster import ENVIRONMENT, RayCluster
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    import ray
    with RayCluster() as some:
        some.add(3)
        try:
            yield some, some.wait(3)
        finally:
            ray.shutdown()


def everything(folder, **how):
    """What comes out of each command, as text or bytes by its name; rules of one's own among it."""
    folder.mkdir()
    (folder / "mine.py").write_text(GOOD)
    rules.load_file(folder / "mine.py")
    own = agents.loads(OWN)
    made = tiny(generations=3)
    settings = ", ".join(f"{key} = {value!r}" for key, value in dict(
        base="quick", rules=made.rules, rule_files=list(made.rule_files), otherwise="default", players=[2], population=8, elitism=2,
        tournament=3, generations=3, games=3, finalists=3, race_games=60, final_games=80).items()).replace("(", "[").replace(")", "]")
    (folder / "small.toml").write_text(EXPERIMENT.format(settings))
    run = evolve(made, folder / "runs", **how)
    tried = experiment(str(folder / "small.toml"), runs=folder / "tried", games=20, **how)
    return {
        "evolve and race": results(run.folder),
        "tournament": tournament([own, "iggi", "search:piers,rollouts=2"], "cross", players=[2], games_each=40, searched_games=2,
                                 **how).rows.to_csv(),
        "compare": compare("piers", "iggi", players=[2, 3], games=600, **how).rows.to_csv(),
        "lab": lab("convention-simple", [2], 20, **how).to_csv(),
        "analyse": str(analyse([run.folder], games_each=20, **how)),
        "experiment": (tried.rows.to_csv(), results(next(tried.folder.glob("one*")))),
    }


def test_every_command_gives_what_one_worker_gives(cluster, tmp_path):
    """Then a worker is killed in the middle of its work, and one that comes later works, too."""
    some, backend = cluster
    wanted, found = everything(tmp_path / "one", jobs=1), everything(tmp_path / "three", backend=backend)
    for name, one in wanted.items():
        assert found[name] == one, name
    with Workers(-1, backend) as workers:
        assert workers.jobs == 3 and len(all_of(workers, 3)) == 3
        assert list(workers.do(first_kills, [(n, str(tmp_path / "killed")) for n in range(30)])) == list(range(30))
    some.add()
    some.wait(3 if backend.startswith("dask") else 4)
    with Workers(-1, backend) as workers:
        assert len(all_of(workers, 3 if backend.startswith("dask") else 4)) == workers.jobs


def test_a_worker_refuses_another_version_and_an_edited_rule_file(cluster, monkeypatch):
    """As a task tells that wants them: its worker is named."""
    _, backend = cluster
    right = clusters.needs()
    wrong = clusters.Needs(tuple((name, "0.0.1" if name == "numba" else version) for name, version in right.versions), ())
    stale = clusters.Needs(right.versions, (("/away/mine.py", "0" * 12, GOOD.encode()),))
    for needs, said in ((wrong, "it has numba .*, not 0.0.1. Install the same there"), (stale, "mine.py")):
        monkeypatch.setattr("evolve.measure.workers.needs", lambda needs=needs: needs)
        with Workers(-1, backend) as workers, pytest.raises(WorkerDied, match=rf"^the worker \d+ on .* is refused: .*{said}"):
            list(workers.do(divmod, [(n, 7) for n in range(9)]))


def test_a_run_goes_on_where_the_head_was_killed(cluster, tmp_path):
    """A clear stop in a line; then all is started anew at the same address, and ``resume`` comes to the same bytes."""
    some, backend = cluster
    (tmp_path / "long.toml").write_text(tiny(generations=300).text())
    process = Popen(command("evolve", tmp_path / "long.toml", tmp_path / "runs", f"backend={backend}"), stdout=PIPE, stderr=STDOUT,
                    text=True)
    assert process.stdout.readline().startswith("evolve")
    if backend.startswith("dask"):
        some.scheduler.send_signal(signal.SIGKILL)
    else:
        some.end()
    said = process.communicate(timeout=PATIENCE)[0]
    line = said.splitlines()[-1]
    assert process.returncode == 2 and line.startswith(f"error: the {'dask scheduler' if 'dask' in backend else 'ray cluster'} at "), said
    assert " The run stopped after generation " in line and "; go on with: hanabi resume " in line
    if backend.startswith("dask"):
        some.scheduler.wait(PATIENCE)
        some.schedule()
    else:
        some.begin()
    some.add(3)
    code, said = drive("resume", only_run(tmp_path / "runs"), f"backend={backend}")
    assert code == 0, said
    assert results(only_run(tmp_path / "runs")) == results(evolve(tiny(generations=300), tmp_path / "one", jobs=1).folder)
