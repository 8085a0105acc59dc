/** The old ciphers that a run time may lack, by node-forge. Imported only when a file needs them. */
import forge from 'node-forge';

type ForgeCipher = forge.rc2.cipher | forge.cipher.BlockCipher;

const toForge = (octets: Buffer): forge.util.ByteStringBuffer => forge.util.createBuffer(octets.toString('binary'));

/** What is left once the padding was found right; undefined when it was not. */
function finish(cipher: ForgeCipher, data: Buffer): Buffer | undefined {
  cipher.update(toForge(data));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'binary') : undefined;
}

/** RC2 in CBC mode (RFC 2268), which OpenSSL 3 and BoringSSL lack; the key's length is also its effective length. */
export function decryptRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const cipher = forge.rc2.createDecryptionCipher(toForge(key), key.length * 8);
  cipher.start(toForge(iv));
  return finish(cipher, data);
}

/** Triple DES in CBC mode with a key of 24 octets. */
export function decryptTripleDes(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const cipher = forge.cipher.createDecipher('3DES-CBC', toForge(key));
  cipher.start({ iv: toForge(iv) });
  return finish(cipher, data);
}
