"""The single error class of this client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ErrorCode = Literal[
    "NOT_INSTALLED",
    "UNREACHABLE",
    "NOT_ALLOWED",
    "CREDENTIALS_REQUIRED",
    "CERTIFICATE_REQUIRED",
    "INPUT_INVALID",
    "BUSY",
    "CANCELLED",
    "TIMEOUT",
    "NOT_GENUINE",
    "FAILED",
]
"""Reasons for a failure.

- ``NOT_INSTALLED``: no port of this computer answers: start Sinete.
- ``UNREACHABLE``: the address does not answer, or the connection broke.
- ``NOT_ALLOWED``: the owner or the person has not given the permission.
- ``CREDENTIALS_REQUIRED``: a token is missing, wrong or expired.
- ``CERTIFICATE_REQUIRED``: there is no certificate, or several without a choice.
- ``INPUT_INVALID``: the request was understood and cannot be fulfilled; ``problem`` names the fields.
- ``BUSY``: a limit was reached, or a token or a server is unavailable: repeat after ``retry_after`` seconds.
- ``CANCELLED``: the caller stopped the work.
- ``TIMEOUT``: the documents were not finished within the caller's ``timeout``.
- ``NOT_GENUINE``: a callback or an answer of the authorize page is not what it claims to be.
- ``FAILED``: anything else.
"""


@dataclass(frozen=True)
class FieldError:
    """One wrong field of a request."""

    field: str
    code: str
    detail: str


@dataclass(frozen=True)
class Problem:
    """The body of a refusal (RFC 9457)."""

    status: int
    code: str
    """The code of Sinete's closed list, such as ``CERTIFICATE_AMBIGUOUS``."""
    detail: str
    """A sentence with the remedy."""
    errors: tuple[FieldError, ...] = ()


class SineteError(Exception):
    """A failure. ``code`` says which kind; the message is English, for a developer."""

    def __init__(
        self, code: ErrorCode, message: str, *, problem: Problem | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.problem = problem
        self.retry_after = retry_after


def error_of_answer(status: int, headers: Mapping[str, str], body: bytes) -> SineteError:
    """The error for a refusal; ``headers`` have names in lower case."""
    problem = _read_problem(status, body)
    after = headers.get("retry-after", "")
    return SineteError(
        _code_of(problem), problem.detail, problem=problem, retry_after=float(after) if after.isdigit() else None
    )


def _read_problem(status: int, body: bytes) -> Problem:
    """Reads the three forms of a refusal: RFC 9457, RFC 6749, and that of the local helper."""
    try:
        fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        fields = {}
    helper = fields.get("detail")
    if not isinstance(helper, dict):
        helper = {}
    code = helper.get("status") or fields.get("code") or fields.get("error")
    detail = helper.get("message") or fields.get("detail") or fields.get("error_description")
    wrong = fields.get("errors")
    return Problem(
        status,
        code if isinstance(code, str) else f"HTTP_{status}",
        detail if isinstance(detail, str) else f"Sinete answered with status {status}.",
        tuple(
            FieldError(str(one.get("field", "")), str(one.get("code", "")), str(one.get("detail", "")))
            for one in (wrong if isinstance(wrong, list) else [])
            if isinstance(one, dict)
        ),
    )


def _code_of(problem: Problem) -> ErrorCode:
    if problem.code.startswith(("CERTIFICATE_AMBIGUOUS", "CERTIFICATE_NOT_FOUND")):
        return "CERTIFICATE_REQUIRED"
    if problem.status == 401:
        return "CREDENTIALS_REQUIRED"
    if problem.status == 403:
        return "NOT_ALLOWED"
    if problem.status in (429, 503):
        return "BUSY"
    if problem.status in (400, 404, 409, 410, 413, 415, 422):
        return "INPUT_INVALID"
    return "FAILED"
