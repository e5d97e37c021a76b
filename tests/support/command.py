"""The command in this process, and what it prints; `folders.real` runs it in another process."""

from typed import typed


def hanabi(*words, folder=None, code=0):
    """What a command prints; its exit code is checked, and that it never shows a traceback."""
    got, out, err = typed(*words, folder=folder)
    assert got == code, out + err
    assert "Traceback" not in out + err
    return out if code == 0 else err
