"""Signs a PDF with the generated client, in the four steps: sign_first.py URL INPUT OUTPUT."""

import sys

import sinete_client

url, source, target = sys.argv[1:]
with sinete_client.ApiClient(sinete_client.Configuration(host=url)) as client:
    api = sinete_client.SigningServiceApi(client)
    created = api.create_transaction(
        sinete_client.CreateTransaction(type="PAdES", documents_source="UPLOAD_REFERENCE")
    )
    with open(source, "rb") as file:
        api.upload_to_only_setting(created.tcn, "eot", document=("contract.pdf", file.read()))
    transaction = api.query_transaction(created.tcn, wait=60)
    [document] = transaction.documents
    if document.status != "SIGNED":
        raise SystemExit(f"The document is {document.status}.")
    signed = api.download_document(created.tcn, document.id)
with open(target, "wb") as file:
    file.write(signed)
