/**
 * Child process of the comparison of bindings: calls each function of a driver through one binding, once rightly and
 * once wrongly, and prints the answers as JSON. Arguments: the binding, the driver, and the file with the faults for
 * the fault-injecting driver (empty for another driver). The PIN comes in TOKEN_PIN.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Ck, type CryptokiMechanism, type Handle } from '../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { CryptokiError } from '../../src/signing/keys/pkcs11/errors.ts';
import { openTestBinding, type BindingName } from './pkcs11js/bindings.ts';

const [binding, modulePath = '', control = ''] = process.argv.slice(2) as [BindingName, string?, string?];
const driver = await openTestBinding(binding);
const answers: Record<string, unknown> = {};

/** Notes the answer of a call, or its failure; the texts of dynamic loaders are left out, because of their paths. */
async function note<Result>(name: string, action: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    const result = await action();
    answers[name] = toText(result);
    return result;
  } catch (error) {
    if (!(error instanceof CryptokiError)) throw error;
    const { kind, name: reason, code, operation } = error.failure;
    answers[name] = `${kind} ${reason} ${code} ${operation}`;
    return undefined;
  }
}

function toText(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(toText);
  return value;
}

const pin = Buffer.from(process.env['TOKEN_PIN'] ?? '', 'utf8');
const missing: Handle = 999n;
const digest = createHash('sha256').update('text').digest();
const digestInfo = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]);
const pss: CryptokiMechanism = {
  mechanism: Ck.CKM_RSA_PKCS_PSS,
  parameter: { hashAlg: Ck.CKM_SHA256, mgf: Ck.CKG_MGF1_SHA256, saltLen: 32 },
};

function find(session: Handle, keyId: string, type: number): readonly Handle[] {
  driver.C_FindObjectsInit(session, [
    { type: Ck.CKA_CLASS, value: type },
    { type: Ck.CKA_ID, value: Buffer.from(keyId, 'hex') },
  ]);
  const found = driver.C_FindObjects(session, 10);
  const more = driver.C_FindObjects(session, 10);
  driver.C_FindObjectsFinal(session);
  return [...found, ...more];
}

await note('load a file that is no library', () => driver.load('/etc/passwd'));
await note('load nothing', () => driver.load('/nowhere/driver.so'));
await note('load', () => driver.load(modulePath));
await note('C_GetInfo too early', () => driver.C_GetInfo());
await note('C_Initialize', () => driver.C_Initialize({ flags: Ck.CKF_OS_LOCKING_OK }));
await note('C_Initialize again', () => driver.C_Initialize());
await note('C_GetInfo', () => driver.C_GetInfo());
await note('all slots', () => driver.C_GetSlotList(false));
const slots = (await note('slots', () => driver.C_GetSlotList(true))) ?? [];
const [slot = missing] = slots;
for (const one of slots) {
  await note(`C_GetTokenInfo of ${one}`, () => driver.C_GetTokenInfo(one));
}
await note('C_GetTokenInfo of no slot', () => driver.C_GetTokenInfo(missing));
await note('C_GetMechanismList', () => driver.C_GetMechanismList(slot));
await note('C_GetMechanismList of no slot', () => driver.C_GetMechanismList(missing));
await note('C_WaitForSlotEvent', () => driver.C_WaitForSlotEvent(Ck.CKF_DONT_BLOCK));
await note('C_OpenSession of no slot', () => driver.C_OpenSession(missing, Ck.CKF_SERIAL_SESSION));
const session = (await note('C_OpenSession', () => driver.C_OpenSession(slot, Ck.CKF_SERIAL_SESSION))) ?? missing;
await note('C_GetSessionInfo', () => driver.C_GetSessionInfo(session));
await note('C_GetSessionInfo of no session', () => driver.C_GetSessionInfo(missing));
await note('private keys before the login', () => find(session, '01', Ck.CKO_PRIVATE_KEY));
await note('C_Login with a wrong PIN', () => driver.C_Login(session, Ck.CKU_USER, Buffer.from('0000')));
await note('C_Login', () => driver.C_Login(session, Ck.CKU_USER, pin));
await note('C_Login again', () => driver.C_Login(session, Ck.CKU_USER, pin));
await note('C_GetSessionInfo after the login', () => driver.C_GetSessionInfo(session));
const [certificate = missing] = (await note('certificate', () => find(session, '01', Ck.CKO_CERTIFICATE))) ?? [];
for (const type of [Ck.CKA_ID, Ck.CKA_LABEL, Ck.CKA_VALUE, Ck.CKA_CERTIFICATE_TYPE, Ck.CKA_ALWAYS_AUTHENTICATE]) {
  await note(`attribute ${type} of the certificate`, () => driver.C_GetAttributeValue(session, certificate, type));
}
const [rsa = missing] = (await note('RSA key', () => find(session, '01', Ck.CKO_PRIVATE_KEY))) ?? [];
const [p256 = missing] = (await note('P-256 key', () => find(session, '02', Ck.CKO_PRIVATE_KEY))) ?? [];
await note('no key', () => find(session, 'ff', Ck.CKO_PRIVATE_KEY));
await note('value of a private key', () => driver.C_GetAttributeValue(session, rsa, Ck.CKA_VALUE));
await note('attribute of no object', () => driver.C_GetAttributeValue(session, missing, Ck.CKA_ID));
await note('C_FindObjects without a search', () => driver.C_FindObjects(session, 1));
await note('C_FindObjectsFinal without a search', () => driver.C_FindObjectsFinal(session));

const output = Buffer.alloc(512);
await note('C_Sign without C_SignInit', () => driver.C_Sign(session, digestInfo, output));
await note('C_SignInit of no key', () => driver.C_SignInit(session, { mechanism: Ck.CKM_RSA_PKCS }, missing));
await note('C_SignInit with no mechanism', () => driver.C_SignInit(session, { mechanism: 0x7fff }, rsa));
for (const style of ['C_Sign', 'C_SignAsync'] as const) {
  await note(`RSA, ${style}`, () => {
    driver.C_SignInit(session, { mechanism: Ck.CKM_RSA_PKCS }, rsa);
    return driver[style](session, digestInfo, output);
  });
  await note(`PSS, ${style}`, async () => {
    driver.C_SignInit(session, pss, rsa);
    return (await driver[style](session, digest, output)).length;
  });
  await note(`P-256, ${style}`, async () => {
    driver.C_SignInit(session, { mechanism: Ck.CKM_ECDSA }, p256);
    return (await driver[style](session, digest, output)).length;
  });
  await note(`too short an output, ${style}`, () => {
    driver.C_SignInit(session, { mechanism: Ck.CKM_RSA_PKCS }, rsa);
    return driver[style](session, digestInfo, Buffer.alloc(8));
  });
  await note(`after too short an output, ${style}`, () => driver[style](session, digestInfo, output));
}
if (control !== '') {
  // Every return value of the standard, and some unknown values.
  for (const code of [...Array.from({ length: 0x201 }, (_, index) => index + 1), 0x80000000, 0x80000001, 0xffffffff]) {
    writeFileSync(control, `login=rv:${code}\n`);
    await note(`return value ${code}`, () => driver.C_Login(session, Ck.CKU_USER, pin));
  }
  writeFileSync(control, '');
}
await note('C_Logout', () => driver.C_Logout(session));
await note('C_Logout again', () => driver.C_Logout(session));
await note('C_CloseSession', () => driver.C_CloseSession(session));
await note('C_CloseSession again', () => driver.C_CloseSession(session));
await note('C_Finalize', () => driver.C_Finalize());
await note('C_Finalize again', () => driver.C_Finalize());
console.log(JSON.stringify(answers));
