"""Signs one PDF: python sign_one.py contract.pdf contract-signed.pdf"""

import os
import sys

from sinete import Sinete

source, target = sys.argv[1:3]
sinete = Sinete(os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171"))
[signed] = sinete.sign([source], type="PAdES", setting={"reason": "I agree"})
signed.save(target)
print(f"{target} is signed.")
