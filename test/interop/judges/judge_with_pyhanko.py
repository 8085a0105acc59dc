"""pyHanko as a judge of later revisions: the parameters are files. Prints, for each file, `allowed` or `forbidden` for the
oldest signature, and the kind of the changes that pyHanko found.
"""

import sys

from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext


def judge(path):
    with open(path, "rb") as file:
        signature = PdfFileReader(file, strict=False).embedded_signatures[0]
        context = ValidationContext(trust_roots=[], allow_fetching=False)
        status = validate_pdf_signature(signature, context, context)
        level = getattr(status.modification_level, "name", "SUSPICIOUS")
        isAllowed = status.intact and status.docmdp_ok and level != "OTHER"
        return ("allowed " if isAllowed else "forbidden ") + level


for path in sys.argv[1:]:
    try:
        print(judge(path))
    except Exception as error:  # A judge's refusal is a verdict.
        print("forbidden " + str(error).replace("\n", " "))
