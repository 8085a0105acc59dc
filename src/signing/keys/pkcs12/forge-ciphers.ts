/** Old ciphers that Node lacks, from node-forge. Imported only for files with such ciphers. */
import forge from 'node-forge';

type ForgeCipher = forge.rc2.cipher | forge.cipher.BlockCipher;

const toForge = (bytes: Buffer): forge.util.ByteStringBuffer => forge.util.createBuffer(bytes.toString('binary'));

/** The data without right padding; undefined for wrong padding. */
function finish(cipher: ForgeCipher, data: Buffer): Buffer | undefined {
  cipher.update(toForge(data));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'binary') : undefined;
}

/** RC2 in CBC mode (RFC 2268), missing from OpenSSL 3 and BoringSSL; the key's length is also its effective length. */
export function decryptRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const cipher = forge.rc2.createDecryptionCipher(toForge(key), key.length * 8);
  cipher.start(toForge(iv));
  return finish(cipher, data);
}

/** Triple DES in CBC mode with a key of 24 bytes. */
export function decryptTripleDes(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const cipher = forge.cipher.createDecipher('3DES-CBC', toForge(key));
  cipher.start({ iv: toForge(iv) });
  return finish(cipher, data);
}
