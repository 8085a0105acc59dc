"""Documents as they are given to the client, and their upload as a form (RFC 7578)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Union

_CHUNK = 256 * 1024


@dataclass(frozen=True)
class Content:
    """A document in memory."""

    name: str
    data: bytes


Source = Union[str, "os.PathLike[str]", Content]
"""A path of a file, or a document in memory."""


def name_of(source: Source) -> str:
    """The file name that Sinete shows."""
    return source.name if isinstance(source, Content) else Path(source).name


def size_of(source: Source) -> int:
    """Bytes."""
    return len(source.data) if isinstance(source, Content) else Path(source).stat().st_size


def read_chunks(source: Source) -> Iterator[bytes]:
    """The bytes of a document; a file is not read into memory as a whole."""
    if isinstance(source, Content):
        for start in range(0, len(source.data), _CHUNK):
            yield source.data[start : start + _CHUNK]
        return
    with open(source, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


@dataclass(frozen=True)
class Form:
    """A form with text fields and files, sent piece by piece with its length."""

    headers: dict[str, str]
    body: Iterator[bytes]


def make_form(
    files: dict[str, Source], fields: dict[str, str] | None = None, on_sent: Callable[[int], None] | None = None
) -> Form:
    """``on_sent`` gets the bytes of files that were sent since the call before."""
    boundary = f"sinete-{secrets.token_hex(16)}"
    texts = [_head(boundary, name, None) + value.encode() + b"\r\n" for name, value in (fields or {}).items()]
    parts = [(_head(boundary, name, name_of(source)), source) for name, source in files.items()]
    end = f"--{boundary}--\r\n".encode("ascii")
    length = sum(map(len, texts)) + sum(len(head) + size_of(source) + 2 for head, source in parts) + len(end)

    def pieces() -> Iterator[bytes]:
        yield from texts
        for head, source in parts:
            yield head
            for chunk in read_chunks(source):
                yield chunk
                if on_sent is not None:
                    on_sent(len(chunk))
            yield b"\r\n"
        yield end

    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(length)}
    return Form(headers, pieces())


def _head(boundary: str, name: str, file_name: str | None) -> bytes:
    lines = [f"--{boundary}", f'Content-Disposition: form-data; name="{_quoted(name)}"']
    if file_name is not None:
        lines[1] += f'; filename="{_quoted(file_name)}"'
        is_pdf = file_name.lower().endswith(".pdf")
        lines.append(f"Content-Type: {'application/pdf' if is_pdf else 'application/octet-stream'}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _quoted(text: str) -> str:
    """Escapes the characters that end a name, as browsers do."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
