"""Pyodide's files are those of the pinned package, or one line says what to do."""

import hashlib
import io
import tarfile

import pytest

from hanabi.evolve.site import page_export


def package(folder):
    """The address of a package with small files, and its hash."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name in (*page_export.FILES, "README.md"):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    file = folder / "pyodide.tgz"
    file.write_bytes(data.getvalue())
    return file.as_uri(), hashlib.sha512(data.getvalue()).hexdigest()


def test_the_package_is_fetched_once(tmp_path, monkeypatch):
    address, digest = package(tmp_path)
    monkeypatch.setattr(page_export, "PACKAGE", address)
    with pytest.raises(ValueError, match="hash differs"):
        page_export.find_pyodide(cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    monkeypatch.setattr(page_export, "SHA512", digest)
    found = page_export.find_pyodide(cache=tmp_path / "cache")
    assert {file.name: file.read_text() for file in found.iterdir()} == {
        name: name for name in page_export.FILES
    }
    monkeypatch.setattr(page_export, "PACKAGE", "file:///nowhere")
    assert page_export.find_pyodide(cache=tmp_path / "cache") == found


def test_without_a_network_the_error_names_both_ways(tmp_path, monkeypatch):
    monkeypatch.setattr(page_export, "PACKAGE", "http://127.0.0.1:9/pyodide.tgz")
    with pytest.raises(ValueError, match="--pyodide FOLDER.*--pyodide cdn") as told:
        page_export.find_pyodide(cache=tmp_path)
    assert "\n" not in str(told.value)


def test_a_page_loads_from_another_host_only_if_told(tmp_path):
    page_export.write_page(["piers"], tmp_path / "cdn", "cdn")
    worker, index = ((tmp_path / "cdn" / name).read_text() for name in ("worker.mjs", "index.html"))
    assert f"{page_export.ON_CDN}pyodide.mjs" in worker and "cdn.jsdelivr.net" in index
    assert not (tmp_path / "cdn" / "pyodide").exists()
    for name in page_export.FILES:
        (tmp_path / name).write_text(name)
    page_export.write_page(["piers"], tmp_path / "own", str(tmp_path))
    worker, index = ((tmp_path / "own" / name).read_text() for name in ("worker.mjs", "index.html"))
    assert "https:" not in worker + index
    assert "script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39;;" in index
    assert (tmp_path / "own/pyodide/pyodide.mjs").read_text() == "pyodide.mjs"
