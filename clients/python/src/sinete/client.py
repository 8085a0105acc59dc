"""The client: sign, follow, download and validate."""

from __future__ import annotations

import json
import os
import ssl
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

from .credentials import Credentials
from .documents import Source, make_form, name_of, size_of
from .errors import SineteError
from .transport import Transport
from .types import (
    Certificate,
    Document,
    DocumentError,
    Phase,
    Progress,
    SignatureType,
    Status,
    Transaction,
    Validation,
    read_certificate,
    read_transaction,
    read_validation,
)

PORTS: tuple[int, ...] = (17171, 27171, 37171, 47171, 57171)
"""The ports of this computer on which Sinete may listen."""

_WAIT = 25
"""Seconds of a long poll."""
_CHUNK = 256 * 1024


class SignedDocument:
    """The outcome for one document."""

    def __init__(self, client: Sinete, tcn: str, source: Source, entry: Document | None) -> None:
        self.source = source
        self.status: Status = "SIGNED" if entry is not None and entry.status == "SIGNED" else "ERROR"
        self.error: DocumentError | None = entry.error if entry is not None else None
        self._client = client
        self._tcn = tcn
        self._id = entry.id if entry is not None else ""

    def download(self) -> bytes:
        """The signed document, or the signature. Raises ``SineteError`` with the reason when it was not signed."""
        self._require_signature()
        return self._client.download(self._tcn, self._id)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result to a file, piece by piece."""
        self._require_signature()
        self._client.save(self._tcn, self._id, path)

    def _require_signature(self) -> None:
        if self.status != "SIGNED":
            detail = f"{name_of(self.source)} was not signed." if self.error is None else self.error.detail
            raise SineteError("INPUT_INVALID", detail)


class Sinete:
    """Sinete at one address. Every method raises ``SineteError``."""

    def __init__(
        self,
        address: str = "http://127.0.0.1:17171",
        *,
        credentials: Credentials | None = None,
        timeout: float = 60.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """``timeout`` is in seconds, for each step of a connection; ``context`` has the trusted roots of TLS."""
        self._transport = Transport(address, timeout, context)
        self._credentials = credentials

    @classmethod
    def find(cls, *, ports: Sequence[int] = PORTS, credentials: Credentials | None = None) -> Sinete:
        """Sinete on this computer. Raises ``NOT_INSTALLED`` when no port answers."""
        for port in ports:
            try:
                found = Transport(f"http://127.0.0.1:{port}", 2.0, None).read_json("GET", "/.well-known/sinete")
            except SineteError:
                continue
            if found.get("name") == "Sinete":
                return cls(f"http://127.0.0.1:{port}", credentials=credentials)
        raise SineteError("NOT_INSTALLED", "Sinete does not run on this computer: install it, or start it.")

    @property
    def address(self) -> str:
        return self._transport.address

    def sign(
        self,
        documents: Sequence[Source],
        *,
        type: SignatureType = "PAdES",
        policy: str | None = None,
        certificate: str | None = None,
        setting: Mapping[str, Any] | None = None,
        notification_callback: str | None = None,
        more: Mapping[str, Any] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        cancelled: Event | None = None,
        timeout: float | None = None,
    ) -> list[SignedDocument]:
        """Signs documents: uploads them, waits for the approval and all signatures, and answers them in order.

        A failed document does not stop the others. ``setting`` is a signature setting (reason, stamp, …), ``more``
        has further fields of the create request. ``timeout`` limits the wait in seconds; the transaction goes on.
        """
        if not documents:
            raise SineteError("INPUT_INVALID", "There is no document to sign.")
        run = _Run(documents, on_progress, cancelled)
        transaction = self.create(
            type=type,
            policy=policy,
            certificate=certificate,
            setting=setting,
            notification_callback=notification_callback,
            more=more,
        )
        run.tell("uploading", ())
        for index, source in enumerate(documents):
            run.check()
            self.upload(transaction.tcn, source, last=index == len(documents) - 1, on_sent=run.add_sent)
        finished = self._wait_until_final(transaction.tcn, run, timeout)
        run.tell("finished", finished.documents)
        entries = [*finished.documents, *[None] * len(documents)]
        return [
            SignedDocument(self, transaction.tcn, source, entry)
            for source, entry in zip(documents, entries, strict=False)
        ]

    def create(
        self,
        *,
        type: SignatureType = "PAdES",
        policy: str | None = None,
        certificate: str | None = None,
        setting: Mapping[str, Any] | None = None,
        notification_callback: str | None = None,
        more: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Transaction:
        """Starts a transaction. Repeat a call that broke off with the same ``idempotency_key``."""
        fields: dict[str, Any] = {
            "type": type,
            "policy": policy,
            "certificate_alias": certificate,
            "signature_settings": setting,
            "notification_callback": notification_callback,
            "documents_source": "UPLOAD_REFERENCE",
            **(more or {}),
        }
        body = json.dumps({name: value for name, value in fields.items() if value is not None}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        answer = self._transport.read_json(
            "POST", "/signature-service", headers=headers, body=body, credentials=self._credentials, timeout=120.0
        )
        return read_transaction(answer)

    def upload(
        self,
        tcn: str,
        document: Source,
        *,
        last: bool,
        setting: str = "default",
        on_sent: Callable[[int], None] | None = None,
    ) -> None:
        """Uploads a document. ``last`` ends the uploads, and signing begins."""
        form = make_form({"document": document}, on_sent=on_sent)
        path = f"/file-transfer/{quote(tcn, safe='')}/{'eot' if last else 'continue'}/{quote(setting, safe='')}"
        self._transport.read_json("POST", path, headers=form.headers, body=form.body)

    def query(self, tcn: str, *, wait: int = 0) -> Transaction:
        """The state of a transaction; ``wait`` holds the answer until the state changes, at most 60 seconds."""
        path = f"/signature-service/{quote(tcn, safe='')}?wait={wait}"
        return read_transaction(self._transport.read_json("GET", path, timeout=self._transport.timeout + wait))

    def cancel(self, tcn: str) -> Transaction:
        """Cancels what is not signed yet."""
        return read_transaction(self._transport.read_json("DELETE", f"/signature-service/{quote(tcn, safe='')}"))

    def download(self, tcn: str, document_id: str) -> bytes:
        """A result in memory."""
        with self._transport.open("GET", self._result_path(tcn, document_id), headers={"Accept": "*/*"}) as answer:
            return answer.read()

    def save(self, tcn: str, document_id: str, path: str | os.PathLike[str]) -> None:
        """Writes a result to a file; a file that broke off is removed."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}.part")
        try:
            with (
                self._transport.open("GET", self._result_path(tcn, document_id), headers={"Accept": "*/*"}) as answer,
                open(partial, "xb") as file,
            ):
                while chunk := answer.read(_CHUNK):
                    file.write(chunk)
                if answer.length:
                    raise SineteError("UNREACHABLE", "The download broke off: repeat it.")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def validate(self, signature: Source, *, type: str = "PAdES", content: Source | None = None) -> Validation:
        """Validates a signature or a signed PDF. ``type`` is ``PAdES`` or ``CAdES``; ``content`` is the document of a detached signature."""
        files = {"signature": signature} if content is None else {"signature": signature, "document": content}
        form = make_form(files, {"type": type})
        return read_validation(
            self._transport.read_json("POST", "/validator-service", headers=form.headers, body=form.body, timeout=120.0)
        )

    def certificates(self) -> list[Certificate]:
        """The certificates of the selected user; none when nobody is selected."""
        try:
            body = self._transport.read_json("GET", "/selected-user/certificates", credentials=self._credentials)
        except SineteError as error:
            if error.problem is not None and error.problem.status == 404:
                return []
            raise
        return [read_certificate(entry) for entry in body["certificates"]]

    @staticmethod
    def _result_path(tcn: str, document_id: str) -> str:
        return f"/file-transfer/{quote(tcn, safe='')}/{quote(document_id, safe='')}"

    def _wait_until_final(self, tcn: str, run: _Run, timeout: float | None) -> Transaction:
        end = None if timeout is None else time.monotonic() + timeout
        wait = 0
        while True:
            run.check()
            transaction = self.query(tcn, wait=wait)
            if transaction.status != "WAITING":
                return transaction
            run.tell(_PHASES.get(transaction.waiting_for or "", "signing"), transaction.documents)
            left = _WAIT if end is None else end - time.monotonic()
            if left <= 0:
                raise SineteError("TIMEOUT", "The documents are not signed yet: query the transaction later.")
            wait = max(1, min(_WAIT, int(left)))


_PHASES: dict[str, Phase] = {"approval": "approval", "pin": "pin"}


class _Run:
    """The progress of one call of ``sign``."""

    def __init__(
        self, documents: Sequence[Source], on_progress: Callable[[Progress], None] | None, cancelled: Event | None
    ) -> None:
        self._count = len(documents)
        self._size = sum(map(size_of, documents))
        self._sent = 0
        self._on_progress = on_progress
        self._cancelled = cancelled

    def check(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            raise SineteError("CANCELLED", "The caller cancelled the signature.")

    def add_sent(self, count: int) -> None:
        self.check()
        self._sent += count
        self.tell("uploading", ())

    def tell(self, phase: Phase, documents: Sequence[Document]) -> None:
        if self._on_progress is None:
            return
        signed = sum(entry.status == "SIGNED" for entry in documents)
        failed = sum(entry.status == "ERROR" for entry in documents)
        self._on_progress(Progress(phase, self._sent, self._size, signed, failed, self._count))
