"""Text of strangers for a terminal: what it could obey, or hide text by, is escaped."""


def escape_controls(text: str, keep: str = "") -> str:
    r"""Return a text with escapes such as ``\x1b`` for the characters that are not printable.

    Args:
        text: Any text: a player's exception, a name in a file, an answer of a server.
        keep: Characters that stay, such as a newline.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in keep else one.encode("unicode_escape").decode()
        for one in text
    )
