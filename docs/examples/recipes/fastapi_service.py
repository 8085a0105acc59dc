"""A web service that signs PDFs, with FastAPI: pip install fastapi uvicorn httpx; python fastapi_service.py

curl --data-binary @contract.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/sign -o signed.pdf
"""

import base64
import hashlib
import hmac
import json
import os
import time

import httpx
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

sinete = os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171")
secret = os.environ.get("SINETE_WEBHOOK_SECRET", "")  # webhook_secret of the application, whsec_…
credentials = os.environ.get("SINETE_AUTHORIZATION")  # Sinete base64(client_id:client_secret), or Bearer …
client = httpx.AsyncClient(timeout=60, trust_env=False)  # no proxy for requests to this computer
app = FastAPI()


@app.post("/sign")
async def sign(request: Request) -> Response:
    pdf = base64.b64encode(await request.body()).decode()
    answer = await client.post(
        f"{sinete}/signature-service",
        headers={"Authorization": credentials} if credentials else {},
        json={
            "type": "PAdES",
            "documents_source": "DATA_URL",
            "mode": "sync",
            "documents": f"data:application/pdf;base64,{pdf}",
        },
    )
    transaction = answer.json()
    if answer.is_error:
        return JSONResponse({"error": transaction["detail"]}, 502)
    document = transaction["documents"][0]
    # The document waits for a person longer than the call: the application comes back, or is told by a callback.
    if document["status"] == "WAITING":
        return JSONResponse({"tcn": transaction["tcn"]}, 202)
    if document["status"] == "ERROR":
        return JSONResponse({"error": document["error"]["detail"]}, 422)
    signed = await client.get(document["result"])
    return Response(signed.content, media_type="application/pdf")


@app.post("/signed")
async def signed(request: Request) -> Response:
    body = await request.body()
    message_id = request.headers.get("webhook-id", "")
    sent_at = request.headers.get("webhook-timestamp", "0")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(mac)
    given = request.headers.get("webhook-signature", "").encode().split(b" ")
    is_genuine = any([hmac.compare_digest(one, wanted) for one in given])
    if not is_genuine or not sent_at.isdigit() or abs(time.time() - int(sent_at)) > 300:
        return Response(status_code=401)
    print(f"finished: {json.loads(body)['status']}", flush=True)
    return Response(status_code=204)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "3000")), log_level="warning")
