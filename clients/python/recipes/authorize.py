"""A person authorizes one signature in the browser, and the program signs for them.

SINETE_CLIENT_ID=… SINETE_CLIENT_SECRET=… python authorize.py contract.pdf contract-signed.pdf

The application is registered with the redirect address http://127.0.0.1:PORT/back (PORT is 8765 unless set).
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from sinete import OAuthApplication, Sinete

source, target = sys.argv[1:3]
address = os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171")
port = int(os.environ.get("PORT", "8765"))
answers: list[str] = []


class Back(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/back?"):
            answers.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"You can close this page.\n")

    def log_message(self, format: str, *args: object) -> None:
        """Addresses hold codes, which are no text for a log."""


server = HTTPServer(("127.0.0.1", port), Back)
portal = OAuthApplication(
    address,
    os.environ["SINETE_CLIENT_ID"],
    os.environ["SINETE_CLIENT_SECRET"],
    redirect_uri=f"http://127.0.0.1:{port}/back",
)
authorization = portal.begin(scope="single_signature", lifetime=300)
print(f"Open {authorization.url}", flush=True)
while not answers:
    server.handle_request()
token = portal.finish(authorization, answers[0])
[signed] = Sinete(address, credentials=token.credentials).sign([source])
signed.save(target)
print(f"{target} is signed.")
