/**
 * Child process of `token.bench.ts`: the bare driver through pkcs11js, synchronously on one session, without digests,
 * queues or checks. Reads lines `{"keyId","label","count"}` and answers each with the milliseconds that it took.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import pkcs11js from 'pkcs11js';

const PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const [modulePath] = process.argv.slice(2);
const driver = new pkcs11js.PKCS11();
driver.load(modulePath!);
driver.C_Initialize();
const session = driver.C_OpenSession(driver.C_GetSlotList(true)[0]!, pkcs11js.CKF_SERIAL_SESSION);
driver.C_Login(session, pkcs11js.CKU_USER, process.env['TOKEN_PIN']);

function findKey(keyId: string): Buffer {
  driver.C_FindObjectsInit(session, [
    { type: pkcs11js.CKA_CLASS, value: pkcs11js.CKO_PRIVATE_KEY },
    { type: pkcs11js.CKA_ID, value: Buffer.from(keyId, 'hex') },
  ]);
  const [key] = driver.C_FindObjects(session, 1);
  driver.C_FindObjectsFinal(session);
  return key!;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { keyId, label, count } = JSON.parse(line) as { keyId: string; label: string; count: number };
  const key = findKey(keyId);
  const digest = createHash('sha256').update('signed attributes').digest();
  const input = label === 'rsa' ? Buffer.concat([PREFIX, digest]) : digest;
  const mechanism = { mechanism: label === 'rsa' ? pkcs11js.CKM_RSA_PKCS : pkcs11js.CKM_ECDSA };
  const output = Buffer.alloc(512);
  const startedAt = performance.now();
  for (let index = 0; index < count; index++) {
    driver.C_SignInit(session, mechanism, key);
    driver.C_Sign(session, input, output);
  }
  console.log(performance.now() - startedAt);
}
