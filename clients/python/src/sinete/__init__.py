"""Sign and validate documents with Sinete.

>>> from sinete import Sinete
>>> [signed] = Sinete.find().sign(["contract.pdf"])
>>> signed.save("contract-signed.pdf")
"""

from .client import PORTS, SignedDocument, Sinete
from .credentials import Credentials, access_token, application, person
from .documents import Content, Source
from .errors import ErrorCode, FieldError, Problem, SineteError
from .oauth import Authorization, OAuthApplication, Token
from .types import Certificate, Document, DocumentError, Progress, SignatureType, Transaction, Validation
from .webhooks import verify_webhook

__all__ = [
    "PORTS",
    "Authorization",
    "Certificate",
    "Content",
    "Credentials",
    "Document",
    "DocumentError",
    "ErrorCode",
    "FieldError",
    "OAuthApplication",
    "Problem",
    "Progress",
    "SignatureType",
    "SignedDocument",
    "Sinete",
    "SineteError",
    "Source",
    "Token",
    "Transaction",
    "Validation",
    "access_token",
    "application",
    "person",
    "verify_webhook",
]
__version__ = "0.9.0"
