"""Credentials, as values of the header ``Authorization``. Their texts never show a secret."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Credentials:
    """The value of ``Authorization``; use one of the functions below."""

    authorization: str = field(repr=False)


def access_token(token: str) -> Credentials:
    """The person and the application of an access token."""
    return Credentials(f"Bearer {token}")


def application(client_id: str, client_secret: str) -> Credentials:
    """A registered application, for the selected user."""
    return Credentials(f"Sinete {_pair(client_id, client_secret)}")


def person(username: str, one_time_password: str) -> Credentials:
    """A person: CPF or CNPJ, and a one-time password, which approves one transaction."""
    return Credentials(f"Basic {_pair(username, one_time_password)}")


def _pair(name: str, secret: str) -> str:
    return b64encode(f"{name}:{secret}".encode()).decode("ascii")
