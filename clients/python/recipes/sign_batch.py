"""Signs every PDF of a folder and shows the progress: python sign_batch.py folder results"""

import os
import sys
from pathlib import Path

from sinete import Progress, Sinete

folder, results = map(Path, sys.argv[1:3])
sources = sorted(folder.glob("*.pdf"))


def show(progress: Progress) -> None:
    if progress.phase == "uploading":
        print(f"uploading {progress.sent} of {progress.size} bytes")
    else:
        print(f"{progress.phase}: {progress.signed} of {progress.documents} signed, {progress.failed} failed")


results.mkdir(exist_ok=True)
sinete = Sinete(os.environ.get("SINETE_ADDRESS", "http://127.0.0.1:17171"))
for source, document in zip(sources, sinete.sign(sources, on_progress=show)):
    if document.error is None:
        document.save(results / source.name)
    else:
        print(f"{source.name}: {document.error.code}: {document.error.detail}")
