// Signs a file with the first certificate of a PKCS#11 token: detached CAdES, in a file of its own.
//   node sign-with-token.mjs /usr/lib/softhsm/libsofthsm2.so contract.docx contract.docx.p7s < pin.txt
import { argv, stdin } from 'node:process';
import { text } from 'node:stream/consumers';
import { Pin, prepareCmsSigner, referenceModule, TokenKeySource } from 'sinete/signing';

const [driver, inputPath, outputPath] = argv.slice(2);
const pin = new Pin((await text(stdin)).replace(/\r?\n$/, ''));

// The driver runs in a process of its own: when it crashes or hangs, a call here rejects.
const source = new TokenKeySource({ module: await referenceModule(driver) });
try {
  const [key] = await source.list();
  if (key === undefined) throw new Error('No token with a certificate is plugged in.');
  await source.unlock(key.id, pin);
  const signer = prepareCmsSigner(await source.open(key.id), { digest: 'sha256', profile: 'cades' });
  const { size } = await signer.signFile({ inputPath, outputPath, attached: false, signingTime: new Date() });
  console.log(`${outputPath}: ${size} bytes, signed with ${key.label} on ${key.token?.label}`);
} finally {
  pin.wipe();
  await source.close();
}
