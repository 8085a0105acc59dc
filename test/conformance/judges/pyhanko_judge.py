"""pyHanko as a judge of PDFs: `pyhanko_judge.py ROOT LIST`; LIST has a path for each line. Nothing is fetched.

Prints a line for each file: the verdicts of its signatures, separated by spaces, `intact:changes allowed`, each yes or no.
"""

import sys

from asn1crypto import x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

with open(sys.argv[1], "rb") as file:
    root = x509.Certificate.load(file.read())


def answer(value):
    return "no" if value is False else "yes"


def judge(path):
    with open(path, "rb") as file:
        reader = PdfFileReader(file)
        verdicts = []
        for signature in reader.embedded_signatures:
            if signature.sig_object.get("/Type") == "/DocTimeStamp":
                continue
            context = ValidationContext(trust_roots=[root], allow_fetching=False, revocation_mode="soft-fail")
            status = validate_pdf_signature(signature, context, context)
            intact = status.intact and status.valid
            verdicts.append(f"{answer(intact)}:{answer(status.docmdp_ok)}")
        return " ".join(verdicts) or "NONE"


with open(sys.argv[2], encoding="utf8") as lines:
    for line in lines:
        try:
            print(judge(line.rstrip("\n")))
        except Exception as error:  # A judge's refusal is a verdict.
            print("ERROR " + str(error).replace("\n", " "))
