"""A plain server of files, whose policy lets pages and their workers reach no other host."""

import functools
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src-attr 'unsafe-inline'; "
    "img-src data:; font-src data:"
)


class _Files(SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("content-security-policy", POLICY)
        super().end_headers()

    def log_message(self, *_):
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """Print nothing where a browser left before it had a whole file."""


@contextmanager
def file_server(folder):
    """The address of a server of a folder, which runs meanwhile."""
    files = functools.partial(_Files, directory=str(folder))
    with _Server(("127.0.0.1", 0), files) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
