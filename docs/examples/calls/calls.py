"""The eight calls that most programs make, with Python 3.10 or newer and no package."""

# [begin]
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

base = os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171")
# Without this, a proxy of the environment would get requests for this computer.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(base + path, body, headers or {}, method=method)
    try:
        with opener.open(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        raise RuntimeError(refusal.read().decode()) from None


def make_form(files, fields=()):
    boundary = uuid.uuid4().hex
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in dict(fields).items()]
    for name, (file_name, content) in files.items():
        head = f'name="{name}"; filename="{file_name}"\r\nContent-Type: application/pdf\r\n\r\n'
        parts.append(head.encode() + content)
    lines = [f"--{boundary}\r\nContent-Disposition: form-data; ".encode() + part + b"\r\n" for part in parts]
    return b"".join(lines) + f"--{boundary}--\r\n".encode(), {
        "Content-Type": f"multipart/form-data; boundary={boundary}"
    }


# [one-call]
def sign_in_one_call(pdf):
    body = {
        "type": "PAdES",
        "documents_source": "DATA_URL",
        "mode": "sync",
        "documents": "data:application/pdf;base64," + base64.b64encode(pdf).decode(),
    }
    headers = {"Content-Type": "application/json"}
    transaction = json.loads(call("POST", "/signature-service", json.dumps(body).encode(), headers))
    document = transaction["documents"][0]
    if document["status"] != "SIGNED":
        raise RuntimeError(document.get("error", {}).get("detail", "Not signed yet: query it."))
    return download(transaction["tcn"], document["id"])


# [create]
def create(settings):
    body = {"type": "PAdES", "documents_source": "UPLOAD_REFERENCE", "signature_settings": settings}
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    return json.loads(call("POST", "/signature-service", json.dumps(body).encode(), headers))["tcn"]


# [upload]
def upload(tcn, name, pdf):
    body, headers = make_form({"document": (name, pdf)})
    call("POST", f"/file-transfer/{tcn}/eot", body, headers)  # continue instead of eot: more follow


# [query]
def wait_until_finished(tcn):
    while True:
        transaction = json.loads(call("GET", f"/signature-service/{tcn}?wait=60"))
        if transaction["status"] != "WAITING":
            return transaction["documents"]


# [download]
def download(tcn, document_id):
    return call("GET", f"/file-transfer/{tcn}/{document_id}")


# [validate]
def validate(signed):
    body, headers = make_form({"signature": ("signed.pdf", signed)}, {"type": "PAdES"})
    verdict = json.loads(call("POST", "/validator-service", body, headers))
    return verdict["status"], verdict["detail"]["signature"]


# [token]
def exchange_code(code, verifier, application):
    form = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier, **application}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = json.loads(call("POST", "/oauth", urllib.parse.urlencode(form).encode(), headers))
    return answer["access_token"]  # Authorization: Bearer …


# [callback]
def verify_callback(headers, body, secret):
    message_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("The callback is too old.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(mac)
    given = headers["webhook-signature"].encode().split(b" ")
    if not any([hmac.compare_digest(one, wanted) for one in given]):
        raise ValueError("The callback is not genuine.")
    return json.loads(body)


# [end]
if __name__ == "__main__":
    env = os.environ
    with open("contract.pdf", "rb") as file:
        pdf = file.read()
    with open("one-call.pdf", "wb") as file:
        file.write(sign_in_one_call(pdf))
    tcn = create({"reason": "I agree"})
    upload(tcn, "contract.pdf", pdf)
    [document] = wait_until_finished(tcn)
    signed = download(tcn, document["id"])
    with open("four-steps.pdf", "wb") as file:
        file.write(signed)
    print(f"integrity {validate(signed)[1]['code']}")
    application = {name.lower(): env[name] for name in ("CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URI")}
    print(f"token {len(exchange_code(env['CODE'], env['CODE_VERIFIER'], application)) > 0}".lower())
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    received = {name: env[name.upper().replace("-", "_")] for name in names}
    body = env["WEBHOOK_BODY"].encode()
    print(f"callback {verify_callback(received, body, env['WEBHOOK_SECRET'])['status']}")
    try:
        verify_callback(received, body + b" ", env["WEBHOOK_SECRET"])
    except ValueError as error:
        print(f"forged {error}")
