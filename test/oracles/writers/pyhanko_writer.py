"""pyHanko as a writer of PDFs. A request is a name, which errors begin with, an operation, input, output and password; the
requests and answers are those of `resident-program.ts`.

Operations: "sign", "visible", "lock" (signs and locks the field "name"), "lock-others" (signs and locks every other field),
"timestamp" (a document time stamp) and "comment" (a note on the first page). Each run makes its own key.
"""

import datetime
import io
import struct
import sys
import traceback

from asn1crypto import keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers, timestamps
from pyhanko_certvalidator.registry import SimpleCertificateStore


def make_identity(name, is_authority):
    """A self-signed certificate and its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = certificates.Name([certificates.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        certificates.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
    )
    if is_authority:
        usage = certificates.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(usage, critical=True)
    certificate = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    der = certificate.public_bytes(serialization.Encoding.DER)
    return x509.Certificate.load(der), keys.PrivateKeyInfo.load(private)


CERTIFICATE, KEY = make_identity("Foreign writer", False)
STAMPER = timestamps.DummyTimeStamper(*make_identity("Foreign authority", True))
LOCKS = {"lock": fields.FieldMDPAction.INCLUDE, "lock-others": fields.FieldMDPAction.EXCLUDE}


def comment(writer):
    page, _ = writer.find_page_for_modification(0)
    note = generic.DictionaryObject(
        {
            generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
            generic.pdf_name("/Subtype"): generic.pdf_name("/Text"),
            generic.pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, [400, 700, 420, 720])),
            generic.pdf_name("/Contents"): generic.pdf_string("A note"),
        }
    )
    writer.register_annotation(page, writer.add_object(note))


def write(operation, source, password):
    """The bytes of the changed document."""
    writer = IncrementalPdfFileWriter(io.BytesIO(source), strict=False)
    if writer.prev.encrypted:
        writer.encrypt(password.encode("utf8"))
    output = io.BytesIO()
    count = len(writer.prev.embedded_signatures)
    if operation == "comment":
        comment(writer)
        writer.write(output)
    elif operation == "timestamp":
        signers.PdfTimeStamper(STAMPER).timestamp_pdf(writer, "sha256", output=output)
    else:
        name = f"pyhanko{count + 1}"
        box = (30 + 110 * count, 100, 130 + 110 * count, 140) if operation == "visible" else None
        store = SimpleCertificateStore.from_certs([CERTIFICATE])
        signer = signers.SimpleSigner(signing_cert=CERTIFICATE, signing_key=KEY, cert_registry=store)
        action = LOCKS.get(operation)
        lock = None if action is None else fields.FieldMDPSpec(action, ["name"])
        specification = fields.SigFieldSpec(name, on_page=0, box=box, field_mdp_spec=lock)
        metadata = signers.PdfSignatureMetadata(field_name=name, reason="foreign")
        signers.PdfSigner(metadata, signer, new_field_spec=specification).sign_pdf(writer, output=output)
    return output.getvalue()


def read_words(stream):
    """The words of the next request; none at the end."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    return [stream.read(*struct.unpack(">i", stream.read(4))).decode() for _ in range(*struct.unpack(">i", head))]


def answer(operation, source, target, password):
    with open(source, "rb") as file:
        result = write(operation, file.read(), password)
    with open(target, "wb") as file:
        file.write(result)


while (words := read_words(sys.stdin.buffer)) is not None:
    status, text = 0, b""
    try:
        answer(*words[1:])
    except Exception:
        status, text = 1, traceback.format_exc().encode()
    sys.stdout.buffer.write(struct.pack(">bi", status, len(text)) + text)
    sys.stdout.buffer.flush()
