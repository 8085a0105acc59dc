/**
 * Child process of `token.bench.ts`: the bare driver through one binding, synchronously on a single session, without
 * digests, queues or checks. Reads lines `{"keyId","label","count"}` and answers each with its time in milliseconds.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Ck, type Handle } from '../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { openTestBinding, type BindingName } from '../token/pkcs11js/bindings.ts';

const PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const [modulePath, binding] = process.argv.slice(2) as [string, BindingName];
const driver = await openTestBinding(binding);
driver.load(modulePath);
driver.C_Initialize();
const session = driver.C_OpenSession(driver.C_GetSlotList(true)[0]!, Ck.CKF_SERIAL_SESSION);
driver.C_Login(session, Ck.CKU_USER, Buffer.from(process.env['TOKEN_PIN'] ?? '', 'utf8'));

function findKey(keyId: string): Handle {
  driver.C_FindObjectsInit(session, [
    { type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY },
    { type: Ck.CKA_ID, value: Buffer.from(keyId, 'hex') },
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
  const mechanism = { mechanism: label === 'rsa' ? Ck.CKM_RSA_PKCS : Ck.CKM_ECDSA };
  const output = Buffer.alloc(512);
  const startedAt = performance.now();
  for (let index = 0; index < count; index++) {
    driver.C_SignInit(session, mechanism, key);
    driver.C_Sign(session, input, output);
  }
  console.log(performance.now() - startedAt);
}
