"""One gateway over HTTP: kept connections, time limits, retries."""

from __future__ import annotations

import email.utils
import http.client
import json
import math
import os
import random
import socket
import threading
import time
from types import MappingProxyType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple
from urllib.parse import urlencode, urlsplit

#: It may answer later; everything else is a mistake of the caller that asking again does not mend.
PASSING = {408, 429, 500, 502, 503, 504, 507}
AGAIN = {408, 429, 502, 503, 504}


class GatewayError(Exception):
    """The gateway refused (``status``, ``code``), or could not be reached (``status`` None)."""

    def __init__(
        self,
        message: str,
        status: Optional[int] = None,
        code: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        #: Seconds after which the gateway wants to be asked again.
        self.retry_after = retry_after

    @property
    def passing(self) -> bool:
        return self.status is None or self.status in PASSING


class Transport:
    """Safe to share among threads: every call under way has a connection of its own."""

    def __init__(self, base_url: str, admin_key: Optional[str], timeout: float, total: float, retries: int) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"base_url must be an http(s) address, not {base_url!r}")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        path = parts.path.rstrip("/")
        self._root = path[:-3] if path.endswith("/v1") else path
        self._key = admin_key
        self._timeout, self._total, self._retries = timeout, total, retries
        self._lock = threading.Lock()
        self._idle: List[http.client.HTTPConnection] = []
        self._process = os.getpid()
        self._was_down = False
        self.counts: Dict[str, int] = {"requests": 0, "retries": 0}

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        held: float = 0.0,
    ) -> Any:
        """The JSON of the answer. held: seconds that the gateway may hold it back, on top of the usual time."""
        return self._persist(lambda until: self._once(method, path, body, query, until), held)[0]

    def reply(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Tuple[Any, Mapping[str, str]]:
        """The JSON of the answer and its headers, for a request with headers of its own."""
        return self._persist(lambda until: self._once(method, path, body, None, until, headers), 0.0)

    def lines(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Iterator[bytes]:
        """Lines of a reply of any length, as they come; none of it is kept."""
        connection, response = self._persist(lambda until: self._open("GET", path, None, query, until), 0.0)
        rest = b""
        try:
            while True:
                piece = self._piece(connection, response, self._timeout)
                *lines, rest = (rest + (piece or b"\n")).split(b"\n")
                for line in lines:
                    if line.strip():
                        yield line
                if not piece:
                    return
        except (OSError, http.client.HTTPException) as error:
            raise GatewayError(f"the reply broke off: {error!r}") from error
        finally:
            connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _persist(self, attempt: Any, held: float) -> Any:
        until = time.monotonic() + self._total + held
        number = 0
        while True:
            with self._lock:
                self.counts["requests"] += 1
                # A gateway that just failed gets one attempt a call until it answers again.
                retries = 0 if self._was_down else self._retries
            try:
                result = attempt(min(until, time.monotonic() + self._timeout + held))
                self._was_down = False
                return result
            except GatewayError as error:
                wait = next_attempt(error, number, retries, until - time.monotonic(), random.random())
                if wait is None:
                    self._was_down = error.passing
                    raise
            with self._lock:
                self.counts["retries"] += 1
            number += 1
            time.sleep(wait)

    def _once(
        self,
        method: str,
        path: str,
        body: Any,
        query: Optional[Mapping[str, Any]],
        until: float,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Tuple[Any, Mapping[str, str]]:
        connection, response = self._open(method, path, body, query, until, more)
        try:
            text = self._read(connection, response, until)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise GatewayError(f"the reply broke off: {error!r}") from error
        self._keep(connection, response)
        try:
            return json.loads(text), response.headers
        except ValueError:
            # Something else answers there: as good as no answer.
            raise GatewayError(f"{path} is answered with something that is not JSON") from None

    def _open(
        self,
        method: str,
        path: str,
        body: Any,
        query: Optional[Mapping[str, Any]],
        until: float,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """A connection and a response with a good status, its body still to be read."""
        target = self._root + path
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        if asked:
            target += "?" + urlencode(asked)
        headers = {**more, "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False, default=plain).encode()
            headers["Content-Type"] = "application/json"
        while True:
            connection, kept = self._connection()
            try:
                self._limit(connection, until - time.monotonic())
                connection.request(method, target, data, headers)
                response = connection.getresponse()
                if response.status < 400:
                    return connection, response
                text = self._read(connection, response, until)
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                # The gateway may have closed a kept connection since; a new one tells.
                if kept and not isinstance(error, socket.timeout):
                    continue
                late = isinstance(error, socket.timeout)
                why = "no answer in time" if late else repr(error)
                raise GatewayError(f"the gateway cannot be reached: {why}") from error
            self._keep(connection, response)
            raise refusal(response, text)

    def _read(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, until: float) -> bytes:
        # A time limit of a socket is for one piece: many slow pieces would have no end.
        pieces = []
        while True:
            pieces.append(self._piece(connection, response, until - time.monotonic()))
            if not pieces[-1]:
                return b"".join(pieces)

    def _piece(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, seconds: float
    ) -> bytes:
        """What has come of the body; nothing only at its end."""
        self._limit(connection, seconds)
        piece = response.read1(1 << 16)
        if not piece and response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return piece

    def _limit(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        if seconds <= 0:
            raise socket.timeout("no time left")
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)

    def _connection(self) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            if self._process != os.getpid():
                # A forked process has copies of its parent's sockets, which are not its own to use.
                self._process, self._idle = os.getpid(), []
            if self._idle:
                return self._idle.pop(), True
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port), False

    def _keep(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        # Only a response that is closed frees its connection for the next.
        response.close()
        if connection.sock is None or response.will_close:
            connection.close()
            return
        with self._lock:
            self._idle.append(connection)


def next_attempt(error: GatewayError, attempt: int, retries: int, left: float, chance: float) -> Optional[float]:
    """Seconds until the next attempt; None = none.

    Full jitter, or what the gateway asks for, which is never cut short: where it does not fit into ``left`` there is
    no next attempt.
    """
    if attempt >= retries or not (error.status is None or error.status in AGAIN):
        return None
    wait = error.retry_after if error.retry_after is not None else chance * min(5.0, 0.25 * 2**attempt)
    return wait if wait < left else None


def refusal(response: http.client.HTTPResponse, text: bytes) -> GatewayError:
    message, code = text[:200].decode(errors="replace"), None
    try:
        said = json.loads(text)["error"]
        message, code = said["message"], said.get("code")
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    after = retry_after(response.getheader("retry-after"), time.time())
    return GatewayError(f"the gateway answers {response.status}: {message}", response.status, code, after)


def retry_after(header: Optional[str], now: float) -> Optional[float]:
    """Seconds: a number of them, or a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
        return seconds if math.isfinite(seconds) and seconds >= 0 else None
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - now)
    except (TypeError, ValueError):
        return None


def plain(value: Any) -> Any:
    """Numbers and lists of numpy and torch as Python's own."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")
