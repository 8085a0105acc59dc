"""What Sinete answers, with types. ``raw`` has the whole JSON of an answer, new fields included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

SignatureType = Literal[
    "CMS-attached", "CMS-detached", "CAdES-attached", "CAdES-detached", "PDFSignature", "PAdES"
]
Status = Literal["WAITING", "SIGNED", "ERROR"]
Phase = Literal["uploading", "approval", "pin", "signing", "finished"]


@dataclass(frozen=True)
class DocumentError:
    """Why a document was not signed."""

    code: str
    detail: str


@dataclass(frozen=True)
class Document:
    """A document of a transaction."""

    id: str
    status: Status
    name: str | None
    result: str | None
    error: DocumentError | None
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Transaction:
    """A transaction and its documents. The TCN opens the results: treat it as a secret."""

    tcn: str = field(repr=False)
    status: Status
    waiting_for: str | None
    documents: tuple[Document, ...]
    ignored_fields: tuple[str, ...]
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Progress:
    """The progress of a signature."""

    phase: Phase
    """``approval`` and ``pin``: a person must act in Sinete's window."""
    sent: int
    """Bytes sent so far, of ``size``."""
    size: int
    signed: int
    failed: int
    documents: int


@dataclass(frozen=True)
class ValidationDetail:
    """One question of a validation."""

    status: bool
    code: int
    message: str


@dataclass(frozen=True)
class Validation:
    """The verdict on a signature. It does not replace the official validation site."""

    valid: bool
    signature: ValidationDetail
    date: ValidationDetail
    crl: ValidationDetail
    trust: ValidationDetail
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Certificate:
    """A certificate of the selected user."""

    alias: str
    source: str
    present: bool
    """False if its token is not plugged in."""
    pem: str = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)


def read_transaction(body: Mapping[str, Any]) -> Transaction:
    return Transaction(
        body["tcn"],
        body["status"],
        body.get("waiting_for"),
        tuple(_read_document(entry) for entry in body["documents"]),
        tuple(entry["field"] for entry in body.get("ignored_fields", ())),
        body,
    )


def _read_document(entry: Mapping[str, Any]) -> Document:
    error = entry.get("error")
    return Document(
        entry["id"],
        entry["status"],
        entry.get("original_file_name"),
        entry.get("result"),
        None if error is None else DocumentError(error["code"], error["detail"]),
        entry,
    )


def read_validation(body: Mapping[str, Any]) -> Validation:
    details = body["detail"]
    signature, date, crl, trust = (_read_detail(details[name]) for name in ("signature", "date", "crl", "trust"))
    return Validation(body["status"], signature, date, crl, trust, body)


def _read_detail(detail: Mapping[str, Any]) -> ValidationDetail:
    return ValidationDetail(detail["status"], detail["code"], detail.get("message") or detail.get("chain") or "")


def read_certificate(entry: Mapping[str, Any]) -> Certificate:
    return Certificate(entry["alias"], entry["source"], entry["present"], entry["pem"], entry)
