/**
 * Child process of `koffi-binding.test.ts`, with `--expose-gc`: signs through koffi on a single session, while the garbage is
 * collected and freed memory is written again. Arguments: the driver, the way to call it, and how often. Prints each
 * signature as a line of hexadecimal digits.
 */
import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Ck } from '../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { KoffiCryptoki } from '../../src/signing/keys/pkcs11/cryptoki/koffi-binding.ts';

const [modulePath = '', style = '', count = ''] = process.argv.slice(2);
const collectGarbage = (globalThis as { readonly gc?: () => void }).gc;
if (collectGarbage === undefined) throw new Error('Start this with --expose-gc.');

const driver = new KoffiCryptoki();
driver.load(modulePath);
driver.C_Initialize({ flags: Ck.CKF_OS_LOCKING_OK });
const session = driver.C_OpenSession(driver.C_GetSlotList(true)[0]!, Ck.CKF_SERIAL_SESSION);
driver.C_Login(session, Ck.CKU_USER, Buffer.from(process.env['TOKEN_PIN'] ?? '', 'utf8'));
driver.C_FindObjectsInit(session, [{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }]);
const [key] = driver.C_FindObjects(session, 1);
driver.C_FindObjectsFinal(session);

/** In memory of its own: a buffer of Node's pool would stay as long as the pool. */
function digestOf(index: number): Buffer {
  const memory = Buffer.alloc(32);
  createHash('sha256').update(`${index}`).digest().copy(memory);
  return memory;
}

/** Nothing but the call itself holds the buffers when this has returned. */
function begin(index: number): Promise<Buffer> {
  driver.C_SignInit(session, { mechanism: Ck.CKM_ECDSA }, key!);
  if (style === 'C_Sign') return Promise.resolve(driver.C_Sign(session, digestOf(index), Buffer.alloc(128)));
  return driver.C_SignAsync(session, digestOf(index), Buffer.alloc(128));
}

for (let index = 0; index < Number(count); index++) {
  let signature: Buffer | undefined;
  const signing = begin(index).then((result) => {
    signature = result;
  });
  while (signature === undefined) {
    collectGarbage();
    // Freed memory is given out again, and written.
    for (let block = 0; block < 200; block++) Buffer.alloc(32, 0xff);
    await letOthersRun();
  }
  await signing;
  console.log(signature.toString('hex'));
}
