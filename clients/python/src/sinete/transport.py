"""HTTP without proxies and redirects, on ``http.client`` alone: requests reach the given address or fail."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from .credentials import Credentials
from .errors import SineteError, error_of_answer

_LARGEST_TEXT = 64 * 1024 * 1024
"""Bytes of JSON that are read at most."""


class Transport:
    """Sends requests to one address."""

    def __init__(self, address: str, timeout: float, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("Give the address as http://127.0.0.1:17171 or https://host.")
        if parts.username is not None or parts.password is not None:
            raise ValueError("Give credentials as an argument, not in the address.")
        if parts.query or parts.fragment:
            raise ValueError("The address has no query and no fragment.")
        self.address = address.rstrip("/")
        self.timeout = timeout
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._context = (context or ssl.create_default_context()) if parts.scheme == "https" else None

    @property
    def keeps_secrets(self) -> bool:
        """True with TLS, and on this computer."""
        if self._context is not None or self._host == "localhost":
            return True
        try:
            return ip_address(self._host).is_loopback
        except ValueError:
            return False

    @contextmanager
    def open(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | Iterable[bytes] | None = None,
        credentials: Credentials | None = None,
        timeout: float | None = None,
    ) -> Iterator[HTTPResponse]:
        """An answer of 2xx, still to be read. Raises ``SineteError`` for any other answer."""
        sent = {"Accept": "application/json", **(headers or {})}
        if credentials is not None:
            self.require_secrecy()
            sent["Authorization"] = credentials.authorization
        connection = self._connect(timeout)
        try:
            try:
                connection.request(method, self._prefix + path, body=body, headers=sent)
            except (BrokenPipeError, ConnectionResetError):
                pass  # A refusal may come before the whole body was sent.
            answer = connection.getresponse()
            if not 200 <= answer.status < 300:
                lower = {name.lower(): value for name, value in answer.getheaders()}
                raise error_of_answer(answer.status, lower, answer.read(_LARGEST_TEXT))
            yield answer
        except TimeoutError as error:
            raise SineteError("UNREACHABLE", "Sinete did not answer in time.") from error
        except (OSError, HTTPException) as error:
            if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
                raise
            raise SineteError("UNREACHABLE", "Sinete does not answer: it was closed, or the address is wrong.") from error
        finally:
            connection.close()

    def read_json(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        """The object that an operation answers."""
        with self.open(method, path, **options) as answer:
            text = answer.read(_LARGEST_TEXT)
        try:
            value = json.loads(text) if text else {}
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise SineteError("FAILED", "The answer is not that of Sinete: check the address.")
        return value

    def require_secrecy(self) -> None:
        """Raises when a secret would travel without TLS to another computer."""
        if not self.keeps_secrets:
            raise SineteError("FAILED", "Use https: credentials are not sent to another computer without TLS.")

    def _connect(self, timeout: float | None) -> HTTPConnection:
        limit = self.timeout if timeout is None else timeout
        if self._context is None:
            return HTTPConnection(self._host, self._port, timeout=limit)
        return HTTPSConnection(self._host, self._port, timeout=limit, context=self._context)
