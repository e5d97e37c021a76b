"""Pyodide's files, Python for browsers: from a folder, or the npm package at a pinned version."""

import hashlib
import io
import tarfile
import urllib.request
from pathlib import Path

from hanabi.backend.code_cache import cache_root
from hanabi.files import write_whole

VERSION = "314.0.7"
PACKAGE = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
SHA512 = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
CDN = "https://cdn.jsdelivr.net"
ON_CDN = f"{CDN}/npm/pyodide@{VERSION}/"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
SECONDS = 60  # without an answer
MOST_BYTES = 64_000_000  # read of an answer; the package has a tenth of that


def find_pyodide(given: str | Path | None = None, cache: Path | None = None) -> Path:
    """Return a folder with Pyodide's files.

    Args:
        given: The folder; None to download the package once.
        cache: The folder that keeps downloads; None for the user's cache.

    Raises:
        ValueError: A file is missing, or the package cannot be fetched. One line.
    """
    folder = Path(given or (cache or cache_root()) / f"pyodide-{VERSION}")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing and given:
        raise ValueError(
            f"{folder} has no {missing[0]}: name the unpacked npm package pyodide {VERSION}"
        )
    if missing:
        _download(folder)
    return folder


def _download(folder):
    try:
        with urllib.request.urlopen(PACKAGE, timeout=SECONDS) as answer:
            data = answer.read(MOST_BYTES)
    except OSError as error:
        raise ValueError(
            f"cannot fetch Pyodide {VERSION} from registry.npmjs.org ({error}): give --pyodide "
            "FOLDER, its unpacked npm package, or --pyodide cdn, from where visitors load it"
        ) from None
    if hashlib.sha512(data).hexdigest() != SHA512:
        raise ValueError(f"{PACKAGE} is not the file that was tried: its hash differs")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        for name in FILES:
            member = package.extractfile(f"package/{name}")
            assert member is not None
            write_whole(folder / name, member.read())
