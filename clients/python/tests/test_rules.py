"""The rules that protect people: python -m unittest test_rules (no instance is needed)."""

import hashlib
import hmac
import unittest
from base64 import b64encode
from urllib.parse import parse_qs, urlsplit

from sinete import OAuthApplication, Sinete, SineteError, Token, access_token, application, verify_webhook

KEY = b"a key of the test"
SECRET = "whsec_" + b64encode(KEY).decode()
BODY = b'{"status": "SIGNED"}'
NOW = 1_700_000_000


def headers(body: bytes = BODY, key: bytes = KEY, at: int = NOW) -> dict[str, str]:
    mac = hmac.new(key, f"msg_1.{at}.".encode() + body, hashlib.sha256).digest()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": "v1," + b64encode(mac).decode()}


class Callbacks(unittest.TestCase):
    def refuse(self, given: dict[str, str], body: bytes = BODY) -> None:
        with self.assertRaises(SineteError) as refusal:
            verify_webhook(given, body, SECRET, now=NOW)
        self.assertEqual(refusal.exception.code, "NOT_GENUINE")

    def test_a_genuine_callback_is_answered(self) -> None:
        self.assertEqual(verify_webhook(headers(), BODY, SECRET, now=NOW), {"status": "SIGNED"})

    def test_one_of_two_signatures_is_enough(self) -> None:
        both = headers()
        both["Webhook-Signature"] = headers(key=b"the earlier key")["Webhook-Signature"] + " " + both["Webhook-Signature"]
        self.assertEqual(verify_webhook(both, BODY, SECRET, now=NOW), {"status": "SIGNED"})

    def test_a_changed_body_is_refused(self) -> None:
        self.refuse(headers(), BODY.replace(b"SIGNED", b"ERROR!"))

    def test_another_secret_is_refused(self) -> None:
        self.refuse(headers(key=b"another key"))

    def test_an_old_and_an_early_callback_are_refused(self) -> None:
        self.refuse(headers(at=NOW - 301))
        self.refuse(headers(at=NOW + 301))

    def test_missing_and_odd_headers_are_refused(self) -> None:
        self.refuse({})
        self.refuse({**headers(), "Webhook-Timestamp": "٣"})
        self.refuse({**headers(), "Webhook-Signature": "v1,é"})
        self.refuse({**headers(), "Webhook-Signature": ""})


class Secrets(unittest.TestCase):
    def test_credentials_are_not_sent_without_tls(self) -> None:
        with self.assertRaisesRegex(SineteError, "Use https"):
            Sinete("http://sign.example", credentials=access_token("secret-token")).create()
        with self.assertRaisesRegex(SineteError, "Use https"):
            portal = OAuthApplication("http://sign.example", "id", "secret-token", redirect_uri="https://a.example/")
            portal.client_token()

    def test_an_address_with_credentials_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "credentials"):
            Sinete("https://id:secret@sign.example")

    def test_texts_of_values_show_no_secret(self) -> None:
        values = [access_token("secret-token"), application("id", "secret-token"), Token("secret-token", 1, "s", "secret-token")]
        for value in values:
            self.assertNotIn("secret-token", repr(value))
            self.assertNotIn(b64encode(b"id:secret-token").decode(), repr(value))

    def test_the_answer_of_another_authorization_is_refused(self) -> None:
        portal = OAuthApplication("https://sign.example", "id", "secret-token", redirect_uri="https://a.example/")
        authorization = portal.begin()
        with self.assertRaises(SineteError) as refusal:
            portal.finish(authorization, "https://a.example/?code=c&state=another")
        self.assertEqual(refusal.exception.code, "NOT_GENUINE")

    def test_the_address_of_an_authorization_has_the_challenge_and_no_secret(self) -> None:
        portal = OAuthApplication("https://sign.example", "id", "secret-token", redirect_uri="https://a.example/")
        authorization = portal.begin()
        query = parse_qs(urlsplit(authorization.url).query)
        self.assertEqual(query["code_challenge_method"], ["S256"])
        self.assertNotIn(authorization.verifier, authorization.url)
        self.assertNotIn("secret-token", authorization.url)


if __name__ == "__main__":
    unittest.main()
