import { detectFileKind, hasPrivateKey, kindNames, type FileKind } from '../../../values/file-kind.ts';
import { textOfBytes } from '../../../values/written-bytes.ts';
import { SigningError } from '../../errors.ts';

const JAVA_KEY_STORE =
  'The file is a Java key store (JKS), and not PKCS#12. Convert it: ' +
  'keytool -importkeystore -srckeystore FILE -destkeystore NEW.p12 -deststoretype PKCS12';
const PRIVATE_KEY =
  'The file is a private key in PEM, and not PKCS#12. Put the key and its certificate into one file: ' +
  'openssl pkcs12 -export -inkey KEY.pem -in CERTIFICATE.pem -out NEW.p12';

const sentences: Readonly<Partial<Record<FileKind, string>>> = {
  empty: 'The file is empty. Copy it again from where it came.',
  'java-key-store': JAVA_KEY_STORE,
  'private-key': PRIVATE_KEY,
  certificate: 'The file has a certificate without its private key. Choose the .p12 or .pfx file, which has both.',
};

/** Kinds that may still be a damaged PKCS#12 file. */
const possible: ReadonlySet<FileKind> = new Set(['pkcs12', 'other']);

/**
 * Throws for a file that is evidently no PKCS#12 file, with its kind and the remedy: `PKCS12_MALFORMED` for an empty
 * file, else `PKCS12_UNSUPPORTED`.
 */
export function refuseOtherKinds(file: Buffer): void {
  const { kind } = detectFileKind(file);
  if (possible.has(kind)) return;
  const hasKey = kind === 'certificate' && hasPrivateKey(textOfBytes(file));
  const sentence = sentences[hasKey ? 'private-key' : kind];
  throw new SigningError(
    kind === 'empty' ? 'PKCS12_MALFORMED' : 'PKCS12_UNSUPPORTED',
    sentence ?? `The file is ${kindNames[kind]}, and not a key file. Choose a .p12 or .pfx file.`,
  );
}
