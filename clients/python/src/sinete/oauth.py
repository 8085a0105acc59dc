"""The authorization-code flow with PKCE (RFC 6749, RFC 7636, RFC 9207)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import ssl
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from .credentials import Credentials, access_token
from .errors import SineteError
from .transport import Transport


@dataclass(frozen=True)
class Token:
    """An access token, and the refresh token of the scope ``offline_access``. Its text shows neither."""

    access_token: str = field(repr=False)
    expires_in: int
    scope: str
    refresh_token: str | None = field(repr=False, default=None)

    @property
    def credentials(self) -> Credentials:
        return access_token(self.access_token)


@dataclass(frozen=True)
class Authorization:
    """An authorization that a person has not answered yet. Keep it in the person's session until then."""

    url: str
    """The person's browser goes here."""
    state: str = field(repr=False)
    verifier: str = field(repr=False)


class OAuthApplication:
    """A registered application. Every method raises ``SineteError``."""

    def __init__(
        self,
        address: str,
        client_id: str,
        client_secret: str | None = None,
        *,
        redirect_uri: str,
        timeout: float = 60.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """``client_secret`` is absent for a public application."""
        self._transport = Transport(address, timeout, context)
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect_uri = redirect_uri

    def begin(
        self, *, scope: str = "single_signature", lifetime: int | None = None, login_hint: str | None = None
    ) -> Authorization:
        """``lifetime`` is in seconds; ``login_hint`` is the CPF or CNPJ of the expected person."""
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
        digest = hashlib.sha256(verifier.encode("ascii")).digest()
        parameters = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._redirect_uri,
            "scope": scope,
            "state": state,
            "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode("ascii"),
            "code_challenge_method": "S256",
        }
        if lifetime is not None:
            parameters["lifetime"] = str(lifetime)
        if login_hint is not None:
            parameters["login_hint"] = login_hint
        return Authorization(f"{self._transport.address}/oauth/authorize?{urlencode(parameters)}", state, verifier)

    def finish(self, authorization: Authorization, answer: str) -> Token:
        """Exchanges the code. ``answer`` is the address, or its query, with which the browser came back."""
        query = parse_qs(urlsplit(answer).query if "?" in answer else answer)
        given = {name: values[0] for name, values in query.items()}
        if not hmac.compare_digest(given.get("state", "").encode(), authorization.state.encode()):
            raise SineteError("NOT_GENUINE", "The answer belongs to another authorization.")
        if "error" in given:
            raise SineteError("NOT_ALLOWED", given.get("error_description", given["error"]))
        self._check_issuer(given.get("iss", ""))
        return self._ask(
            grant_type="authorization_code",
            code=given.get("code", ""),
            redirect_uri=self._redirect_uri,
            code_verifier=authorization.verifier,
        )

    def refresh(self, token: Token) -> Token:
        """The next pair of tokens. Each refresh token works once: never repeat a refresh."""
        if token.refresh_token is None:
            raise SineteError("INPUT_INVALID", "Ask for the scope offline_access: this token has no refresh token.")
        return self._ask(grant_type="refresh_token", refresh_token=token.refresh_token)

    def client_token(self) -> Token:
        """A token of the application itself."""
        return self._ask(grant_type="client_credentials")

    def revoke(self, token: Token) -> None:
        """Ends a token, and with a refresh token the whole permission."""
        self._post("/oauth/revoke", {"token": token.refresh_token or token.access_token})

    def _check_issuer(self, issuer: str) -> None:
        """The code came from this server and not from another one (RFC 9207 §2.4)."""
        metadata = self._transport.read_json("GET", "/.well-known/oauth-authorization-server")
        if not hmac.compare_digest(issuer.encode(), str(metadata.get("issuer", "")).encode()):
            raise SineteError("NOT_GENUINE", "The answer comes from another server.")

    def _ask(self, **fields: str) -> Token:
        body = self._post("/oauth", fields)
        return Token(body["access_token"], body["expires_in"], body["scope"], body.get("refresh_token"))

    def _post(self, path: str, fields: dict[str, str]) -> dict[str, Any]:
        self._transport.require_secrecy()
        fields = {**fields, "client_id": self._client_id}
        if self._client_secret is not None:
            fields["client_secret"] = self._client_secret
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._transport.read_json("POST", path, headers=headers, body=urlencode(fields).encode())
