"""Callbacks and webhooks of Sinete (Standard Webhooks): verified before anything is believed."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from .errors import SineteError

TOLERANCE = 300
"""Seconds by which the clock of the sender may differ."""


def verify_webhook(
    headers: Mapping[str, str], body: bytes, secret: str, *, now: float | None = None
) -> dict[str, Any]:
    """Answers the body of a genuine callback. Raises ``SineteError`` with the code ``NOT_GENUINE`` otherwise.

    ``headers`` may have names in any letter case; ``body`` is the body as received, before any JSON is read; ``secret``
    is the ``whsec_…`` of the application or of the endpoint. A callback may come more than once: store ``webhook-id``.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id = lower.get("webhook-id", "")
    sent_at = lower.get("webhook-timestamp", "")
    if not message_id or not (sent_at.isascii() and sent_at.isdigit()):
        raise SineteError("NOT_GENUINE", "The headers of the callback are missing.")
    if abs((time.time() if now is None else now) - int(sent_at)) > TOLERANCE:
        raise SineteError("NOT_GENUINE", "The callback is too old, or the clocks differ.")
    key = b64decode(secret.removeprefix("whsec_"), validate=True)
    expected = hmac.new(key, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + b64encode(expected)
    # While a secret is being replaced there are two signatures; one of them has to fit.
    given = [entry.encode() for entry in lower.get("webhook-signature", "").split(" ")]
    if not any([hmac.compare_digest(entry, wanted) for entry in given]):
        raise SineteError("NOT_GENUINE", "The signature of the callback is wrong.")
    value = json.loads(body)
    if not isinstance(value, dict):
        raise SineteError("NOT_GENUINE", "The callback is not a JSON object.")
    return value
