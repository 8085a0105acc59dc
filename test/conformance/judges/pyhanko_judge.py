"""pyHanko as a judge of PDFs: `pyhanko_judge.py ROOT LIST`; LIST has a line for each file: its path, and `B-LT` or `B-LTA`
where the evidence inside has to prove the signatures, with a tabulator between. Nothing is fetched.

Prints a line for each file: the verdicts of its signatures, separated by spaces, `intact:changes allowed:indication`: yes or
no twice, then the indication of ETSI EN 319 102-1 §5.5 (signatures with time) for B-LT, of §5.6 (signatures with archival data)
for B-LTA, and `-` for other files.
"""

import asyncio
import dataclasses
import sys

from asn1crypto import x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import ades, validate_pdf_signature
from pyhanko.sign.validation.policy_decl import (
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import REQUIRE_REVINFO, CertRevTrustPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

with open(sys.argv[1], "rb") as file:
    root = x509.Certificate.load(file.read())

SPECIFICATION = PdfSignatureValidationSpec(
    SignatureValidationSpec(
        cert_validation_policy=CertValidationPolicySpec(
            trust_manager=SimpleTrustManager.build([root]),
            revinfo_policy=CertRevTrustPolicy(REQUIRE_REVINFO),
        ),
        revinfo_gathering_policy=RevocationInfoGatheringSpec(RevinfoOnlineFetchingRule.LOCAL_ONLY),
    )
)


def answer(value):
    return "no" if value is False else "yes"


async def validate_with_time(signature):
    """The store of the file is what a validator of B-LT has; pyHanko itself opens it for B-LTA only."""
    specification = dataclasses.replace(
        SPECIFICATION.signature_validation_spec,
        local_knowledge=ades._dss_to_local_knowledge(signature.reader),
    )
    return await ades.ades_with_time_validation(
        signature.signed_data, specification, raw_digest=signature.compute_digest()
    )


def indication(signature, level):
    if level == "":
        return "-"
    work = ades.ades_lta_validation(signature, SPECIFICATION) if level == "B-LTA" else validate_with_time(signature)
    found = asyncio.run(work).ades_subindic
    return "passed" if found.standard_name == "OK" else found.standard_name


def judge(path, level):
    with open(path, "rb") as file:
        reader = PdfFileReader(file)
        verdicts = []
        for signature in reader.embedded_signatures:
            if signature.sig_object.get("/Type") == "/DocTimeStamp":
                continue
            context = ValidationContext(trust_roots=[root], allow_fetching=False, revocation_mode="soft-fail")
            status = validate_pdf_signature(signature, context, context)
            intact = status.intact and status.valid
            words = [answer(intact), answer(status.docmdp_ok), indication(signature, level)]
            verdicts.append(":".join(words))
        return " ".join(verdicts) or "NONE"


with open(sys.argv[2], encoding="utf8") as lines:
    for line in lines:
        path, level = line.rstrip("\n").split("\t")
        try:
            print(judge(path, level))
        except Exception as error:  # A judge's refusal is a verdict.
            print("ERROR " + str(error).replace("\n", " "))
