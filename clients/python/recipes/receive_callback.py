"""Receives callbacks and believes genuine ones only.

SINETE_WEBHOOK_SECRET=whsec_… python receive_callback.py

Give the printed address as notification_callback, or register it as a webhook of the application.
"""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from sinete import SineteError, verify_webhook

secret = os.environ["SINETE_WEBHOOK_SECRET"]
seen: set[str] = set()
"""A real service keeps these ids in its database."""


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if length > 1_000_000:
            self.answer(413)
            return
        try:
            body = verify_webhook(dict(self.headers), self.rfile.read(length), secret)
        except SineteError as error:
            print(f"refused: {error}", flush=True)
            self.answer(401)
            return
        self.answer(204)
        if self.headers["webhook-id"] in seen:
            return
        seen.add(self.headers["webhook-id"])
        # A notification is the transaction itself; a webhook has it in `data`.
        kind, transaction = (body["type"], body["data"]) if "data" in body else ("notification", body)
        print(f"genuine: {kind} {transaction['status']}", flush=True)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Addresses hold TCNs, which are no text for a log."""


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}/signed?tcn=", flush=True)
server.serve_forever()
