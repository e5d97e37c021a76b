"""The queue of jobs: urgent ones first, one step at a time; what nobody asks for ends."""

import threading
from types import SimpleNamespace

import pytest

from hanabi.evolve.workbench import job_queue
from hanabi.evolve.workbench.job_queue import Job, JobQueue, JobStoppedError, RefusedError


@pytest.fixture
def queue():
    found = JobQueue()
    yield found
    found.close()


def wait_for(job):
    while not job.ended:
        pass
    return job


def test_an_urgent_job_goes_first(queue):
    order, begun, go_on = [], threading.Event(), threading.Event()

    def slow(job):
        for _ in range(3):
            order.append("improve")
            begun.set()
            go_on.wait()
            yield

    def urgent(job):
        order.append("score")
        yield

    search = queue.begin(Job("improve", "a", slow))
    begun.wait()
    score = queue.begin(Job("score", "a", urgent))
    go_on.set()
    wait_for(score), wait_for(search)
    assert order == ["improve", "score", "improve", "improve"]


def brief(job):
    yield


def endless(job):
    while True:
        yield


def test_a_newer_job_of_a_page_ends_the_older(queue):
    old = queue.begin(Job("score", "a", endless))
    other = queue.begin(Job("score", "b", endless))
    another_kind = queue.begin(Job("game", "a", endless))
    new = queue.begin(Job("score", "a", endless))
    wait_for(old)
    assert not (other.is_dropped or another_kind.is_dropped or new.is_dropped)


def test_an_error_is_one_line(queue):
    def failing(job):
        yield
        raise ValueError("two\nlines")

    assert wait_for(queue.begin(Job("score", "a", failing))).state["error"] == "two lines"


def test_what_nobody_asks_for_ends():
    queue = JobQueue(unasked=0.0)
    job = queue.begin(Job("score", "a", endless))
    wait_for(job)
    queue.begin(Job("score", "b", endless))
    assert queue.find(job.name) is None
    queue.close()


def test_many_jobs_that_have_ended(queue, monkeypatch):
    """They are forgotten, so that many edits in a minute are not refused."""
    monkeypatch.setattr(job_queue, "JOBS", 2)
    jobs = [wait_for(queue.begin(Job("score", "a", brief))) for _ in range(5)]
    assert queue.find(jobs[0].name) is None and queue.find(jobs[-1].name) is jobs[-1]
    assert len(queue.jobs) == 2
    monkeypatch.setattr(job_queue, "JOBS", 3)
    queue.begin(Job("score", "a", brief))
    assert len(queue.jobs) == 3, "none more than needed"


def test_too_many_jobs(queue, monkeypatch):
    monkeypatch.setattr(job_queue, "JOBS", 1)
    queue.begin(Job("score", "a", endless))
    with pytest.raises(RefusedError, match="Too many"):
        queue.begin(Job("score", "b", endless))


def test_a_client_with_many_pages_shuts_nobody_out(queue, monkeypatch):
    """Its job that was not asked for longest ends, also while a more urgent one goes on."""
    monkeypatch.setattr(job_queue, "CLIENT_JOBS", 3)
    monkeypatch.setattr(job_queue, "JOBS", 6)
    urgent = queue.begin(Job("score", "a", endless, client="one"))
    jobs = [queue.begin(Job("improve", f"page {n}", endless, client="other")) for n in range(40)]
    for job in jobs[:-3]:
        wait_for(job)
    assert not any(job.ended for job in (urgent, *jobs[-3:]))
    queue.find(jobs[-3].name)
    queue.begin(Job("improve", "page 40", endless, client="other"))
    wait_for(jobs[-2])
    assert not jobs[-3].ended, "its page asks for it"
    queue.begin(Job("score", "c", endless, client="third"))
    site = [queue.begin(Job("review", "", endless)) for _ in range(1)]
    assert not site[0].ended and not urgent.ended, "work of the site is of no client"


def test_how_long_a_job_goes_on(monkeypatch):
    """At the pace since it was first heard of; then it is stopped."""
    now = [100.0]
    monkeypatch.setattr(job_queue, "time", SimpleNamespace(monotonic=lambda: now[0]))
    job = Job("tournament", "", brief)
    for seconds, done, left in (
        (0, 10, None),
        (5, 10, None),
        (5, 20, 80.0),
        (20, 60, 24.0),
        (10, 100, 0.0),
    ):
        now[0] += seconds
        job.progress(done, 100)
        assert (job.state["done"], job.state["left"]) == (done / 100, left)
    job.stop()
    with pytest.raises(JobStoppedError, match="^Stopped.$"):
        job.progress(100, 100)


def test_a_long_step_ends_with_its_queue():
    queue, begun = JobQueue(), threading.Event()

    def long(job):
        while True:
            job.progress(1, 2)
            begun.set()
        yield

    job = queue.begin(Job("report", "", long))
    begun.wait()
    queue.close()
    assert wait_for(job).state["error"] == "Stopped."
