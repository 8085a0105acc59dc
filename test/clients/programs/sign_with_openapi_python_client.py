"""Signs a PDF with openapi-python-client's client: create, upload, query, download."""

import sys
from io import BytesIO
from pathlib import Path

from sinete_client import Client
from sinete_client.api.signing_service import create_transaction, download_document, query_transaction
from sinete_client.api.signing_service import upload_to_only_setting
from sinete_client.models import CreateTransaction, CreateTransactionDocumentsSource, CreateTransactionType
from sinete_client.models import UploadToOnlySettingBody, UploadToOnlySettingDocumentId
from sinete_client.types import File

url, source, target = sys.argv[1:4]
client = Client(base_url=url, timeout=90)
asked = CreateTransaction(
    type_=CreateTransactionType("PAdES"), documents_source=CreateTransactionDocumentsSource("UPLOAD_REFERENCE")
)
tcn = create_transaction.sync(client=client, body=asked).tcn
file = File(payload=BytesIO(Path(source).read_bytes()), file_name="contract.pdf", mime_type="application/pdf")
upload_to_only_setting.sync_detailed(
    tcn, UploadToOnlySettingDocumentId("eot"), client=client, body=UploadToOnlySettingBody(document=file)
)
document = query_transaction.sync(tcn, client=client, wait=60).documents[0]
Path(target).write_bytes(download_document.sync_detailed(tcn, document.id, client=client).content)
