/**
 * The messages between the main process and the child process of one PKCS#11 module. Both sides validate what they
 * receive: the child because a wrong call into a driver may crash it, the parent because a driver that has corrupted
 * the child's memory may make it say anything. Messages travel by structured clone, so bytes stay bytes.
 *
 * Tokens are named by serial number, and keys by CKA_ID and public key. Handles never leave the child: they die with it.
 */
import { z } from 'zod';
import { visibleText } from '../../../text/visible-text.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const messageId = z.int().positive();
const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const tokenName = z.string().min(1).max(256);

/** A private key, by its token, the CKA_ID of its certificate, and its public key (`publicKeyText`). */
const keyReferenceSchema = z.strictObject({
  tokenSerial: tokenName,
  keyId: hex.max(1024),
  publicKey: hex.min(2).max(8192),
});

const mechanismSchema = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('rsa-pkcs1') }),
  z.strictObject({ name: z.literal('rsa-pss'), digest: z.enum(['sha256', 'sha384', 'sha512']) }),
  z.strictObject({ name: z.literal('ecdsa') }),
  z.strictObject({ name: z.literal('eddsa') }),
]);

/** Limit above the PIN length of any token, in UTF-16 units. */
export const MAX_PIN_LENGTH = 256;

/** Maximum number of signatures in one message. */
export const MAX_BATCH = 64;

/** Maximum number of sessions of a token in which a node signs at the same time. */
export const MAX_SESSIONS = 32;

const operations = {
  /** Loads the binding without a driver. */
  binding: z.strictObject({ op: z.literal('binding') }),
  /** Loads the binding, and a driver through the binding. */
  probe: z.strictObject({
    op: z.literal('probe'),
    path: z.string().min(1),
    /** The text for C_Initialize. */
    parameters: z.string().max(16_384).optional(),
    ownKeysHavePublicKeys: z.boolean().optional(),
    sessions: z.int().min(1).max(MAX_SESSIONS),
  }),
  slots: z.strictObject({ op: z.literal('slots') }),
  certificates: z.strictObject({ op: z.literal('certificates'), tokenSerial: tokenName }),
  login: z.strictObject({ op: z.literal('login'), tokenSerial: tokenName, pin: z.string().max(MAX_PIN_LENGTH) }),
  logout: z.strictObject({ op: z.literal('logout'), tokenSerial: tokenName }),
  sign: z.strictObject({
    op: z.literal('sign'),
    key: keyReferenceSchema,
    mechanism: mechanismSchema,
    inputs: z.array(bytes).min(1).max(MAX_BATCH),
  }),
  close: z.strictObject({ op: z.literal('close') }),
};

/** The operations for the child. */
export const operationSchema = z.discriminatedUnion('op', [
  operations.binding,
  operations.probe,
  operations.slots,
  operations.certificates,
  operations.login,
  operations.logout,
  operations.sign,
  operations.close,
]);

/** A request: one operation, with a number that its replies repeat. */
export const requestSchema = z.strictObject({ version: z.literal(1), id: messageId, operation: operationSchema });

/** A text from a driver or a token: anybody can write a label, so its unseen characters are marked everywhere. */
const shownText = z.string().transform((text) => visibleText(text));

const librarySchema = z.strictObject({
  description: shownText,
  manufacturer: shownText,
  libraryVersion: shownText,
  cryptokiVersion: shownText,
});

const tokenSchema = z.strictObject({
  serialNumber: tokenName,
  label: shownText,
  manufacturer: shownText,
  model: shownText,
  loginRequired: z.boolean(),
  loggedIn: z.boolean(),
  pinPad: z.boolean(),
  pinAttempts: z.enum(['normal', 'low', 'last', 'locked', 'unknown']),
  mechanisms: z.array(z.enum(['rsa-pkcs1', 'rsa-pss', 'ecdsa', 'eddsa'])),
});

const slotListSchema = z.strictObject({ slotCount: z.int().nonnegative(), tokens: z.array(tokenSchema) });

/** CKA_ID, and the public key where the token tells it (`publicKeyText`). */
const describedKey = z.strictObject({ keyId: hex, publicKey: hex.optional() });

const contentsSchema = z.strictObject({
  certificates: z.array(z.strictObject({ keyId: hex, label: shownText, der: bytes })),
  /** The private keys; undefined before the login, because private keys are then invisible. */
  privateKeys: z.array(describedKey).optional(),
});

const nothing = z.strictObject({});

/** The shape of each operation's result. */
export const resultSchemas = {
  binding: nothing,
  probe: librarySchema,
  slots: slotListSchema,
  certificates: contentsSchema,
  login: nothing,
  logout: nothing,
  sign: nothing,
  close: nothing,
};

const failureSchema = z.strictObject({
  kind: z.enum(['cryptoki', 'binding', 'load', 'key', 'removed', 'pin-length', 'usage']),
  /** The `CKR_…` name if known; for the kind `binding`, the name of the missing package. */
  name: z.string().max(128),
  /** The CK_RV, or 0. */
  code: z.number().nonnegative(),
  /** The driver's function that failed, or the operation. */
  operation: z.string().max(64),
  /**
   * The message of the dynamic loader, or the reason for a missing binding; otherwise empty, so that no secret gets
   * here.
   */
  detail: z.string().max(1024),
});

/** The replies of the child. */
export const replySchema = z.discriminatedUnion('kind', [
  /** The driver is about to be called for this request. From now on the request is not repeated automatically. */
  z.strictObject({ kind: z.literal('started'), id: messageId }),
  /** Outcomes of a batch, in order, from the first unreported outcome: a signature, or the reason for a failure. */
  z.strictObject({
    kind: z.literal('signatures'),
    id: messageId,
    outcomes: z.array(z.union([bytes, failureSchema])).min(1),
  }),
  z.strictObject({ kind: z.literal('done'), id: messageId, result: z.unknown() }),
  z.strictObject({ kind: z.literal('failed'), id: messageId, failure: failureSchema }),
  /** The set of tokens has changed. */
  z.strictObject({ kind: z.literal('slots'), slots: slotListSchema }),
]);

export type KeyReference = z.infer<typeof keyReferenceSchema>;
export type TokenMechanism = z.infer<typeof mechanismSchema>;
export type Operation = z.infer<typeof operationSchema>;
export type OperationName = Operation['op'];
/** A message to the process of a PKCS#11 module. */
export type HostRequest = z.infer<typeof requestSchema>;
export type HostReply = z.infer<typeof replySchema>;
export type SignOutcome = Uint8Array | z.infer<typeof failureSchema>;
export type HostFailure = z.infer<typeof failureSchema>;
export type LibraryInformation = z.infer<typeof librarySchema>;
export type TokenInformation = z.infer<typeof tokenSchema>;
export type SlotList = z.infer<typeof slotListSchema>;
export type TokenContents = z.infer<typeof contentsSchema>;
export type Results = { readonly [Name in OperationName]: z.infer<(typeof resultSchemas)[Name]> };
