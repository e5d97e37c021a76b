"""Clients that send half a request, or do not read the answer."""

import socket
import time
from contextlib import suppress

import httpx2
import pytest
from paths import PATIENCE
from served import serving

from hanabi.evolve.site import request_guard
from hanabi.evolve.site.request_guard import cookie_name


def test_slow_clients_do_not_harm_other_clients(tmp_path):
    """20 clients with half a head and 20 that send 50 requests without reading, beside a player."""
    with serving(tmp_path) as served:
        links, _ = served.create_table("person", "piers", variant="mini,players=2")
        host, port = served.address.removeprefix("http://").split(":")
        path = links[0].removeprefix(served.address)
        asked = f"GET {path}/state HTTP/1.1\r\nhost: {host}:{port}\r\n"
        idle = [socket.create_connection((host, int(port))) for _ in range(40)]
        try:
            for place, one in enumerate(idle):
                one.sendall((asked if place % 2 else f"{asked}\r\n" * 50).encode())
            with httpx2.Client(base_url=served.address, timeout=60) as guest:
                assert (
                    guest.post(f"{path}/move", json={"move": "play 0", "turn": 0}).status_code
                    == 200
                )
                while (state := guest.get(f"{path}/state").json())["to_move"] != 0 and not state[
                    "over"
                ]:
                    pass
                assert len(state["game"]["turns"]) >= 3
        finally:
            for one in idle:
                one.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: ",
        b"POST /tables HTTP/1.1\r\nhost: HOST\r\ncookie: COOKIE\r\n"
        b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_connection_without_a_whole_request_is_closed(sent, tmp_path, monkeypatch):
    """A connection that waits for news stays open."""
    monkeypatch.setattr(request_guard, "INTERVAL", 0.1)
    with serving(tmp_path, news=0.5) as served:
        host, port = served.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as one:
            place = f"{host}:{port}"
            cookie = f"{cookie_name(place)}={served.tables.token}"
            sent = sent.replace(b"HOST", place.encode())
            one.sendall(sent.replace(b"COOKIE", cookie.encode()))
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""
        links, _ = served.create_table("person", "person", variant="mini,players=2")
        with httpx2.Client(timeout=PATIENCE) as guest:
            state = guest.get(f"{links[0]}/state").json()
            assert (
                guest.get(f"{links[0]}/state?version={state['version']}").json()["version"]
                == state["version"]
            )


def test_a_connection_whose_answers_are_not_read_is_closed(tmp_path, monkeypatch):
    """More answers are requested than the buffers of both sockets hold."""
    monkeypatch.setattr(request_guard, "INTERVAL", 0.1)
    with serving(tmp_path) as served:
        host, port = served.address.removeprefix("http://").split(":")
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect((host, int(port)))
            client.sendall(
                f"GET /parts/board.js HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n".encode() * 400
            )
            deadline = time.monotonic() + PATIENCE
            with pytest.raises(OSError):
                while time.monotonic() < deadline:
                    client.send(b"x")
                    time.sleep(0.02)
