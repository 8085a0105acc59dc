"""Validates a signed PDF, or a detached signature with its document: python validate.py signed.pdf [document]"""

import os
import sys

from sinete import Sinete

signature, *content = sys.argv[1:]
sinete = Sinete(os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171"))
verdict = sinete.validate(
    signature, type="PAdES" if signature.endswith(".pdf") else "CAdES", content=content[0] if content else None
)
print(f"signature: {verdict.signature.message} ({verdict.signature.code})")
print(f"trust: {verdict.trust.code}, revocation: {verdict.crl.code}, dates: {verdict.date.code}")
print("valid" if verdict.valid else "not confirmed")
