/**
 * All calls of the window (and of the command line with a running instance) to the core, as a typed table. IPC in the
 * desktop and `POST /ui/rpc` in headless mode carry the same table, implemented once in `app`. Errors are values,
 * because Electron keeps only the message of a thrown error.
 */
import { z } from 'zod';
import { archiveCalls, archivePlace } from './archive-calls.ts';
import { historyCalls } from './history-calls.ts';
import { identityCalls } from './identity-calls.ts';
import { notificationCalls } from './notification-calls.ts';
import { auditCalls } from './audit-calls.ts';
import { doctorCalls } from './doctor-calls.ts';
import { renewalCalls } from './renewal-calls.ts';
import { settingsCalls } from './settings-calls.ts';
import { siteCalls, standingApproval } from './site-calls.ts';
import { fileStamp, stampCalls } from './stamp-calls.ts';
import { timestampHashes } from './timestamp-hashes.ts';
import { storeCalls } from './store-calls.ts';
import { recipientKey, validationCalls, type certificateInspection, type validationView } from './validation-calls.ts';
import type { documentView } from './views.ts';
import {
  certificateDetails,
  certificateView,
  fingerprint,
  homeView,
  instant,
  moduleTest,
  moduleView,
  nothing,
  originalInspection,
  signatureRequest,
  standardWarning,
  testServicesView,
  timestampAuthentication,
  timestampServerView,
  tokenView,
  transactionView,
  trustImport,
  trustView,
} from './views.ts';

/** Maximum number of files of a batch. */
const mostFiles = 5000;

/** The folder that the user chose for signing, with the folders inside; results in the archive keep it. */
const chosenFolder = z.string().min(1).max(4096);

/** Name → schemas of input and output. */
export const calls = {
  ...auditCalls,
  ...siteCalls,
  ...storeCalls,
  ...stampCalls,
  ...identityCalls,
  ...validationCalls,
  ...notificationCalls,
  ...archiveCalls,
  ...historyCalls,
  ...renewalCalls,
  ...settingsCalls,
  ...doctorCalls,
  'home.read': { input: nothing, output: homeView },

  'approvals.decide': {
    input: z.object({
      tcn: z.string(),
      decision: z.enum(['approve', 'refuse']),
      /** Only with `approve`, for transactions of a site. */
      standing: standingApproval.optional(),
    }),
    output: transactionView,
  },
  /** The kind of a waiting document, which is read completely and compared with its checksum. */
  'approvals.inspect': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: originalInspection,
  },
  /** A part of a waiting document, by its number from 0, in base64: only bytes of the inspected document. */
  'approvals.part': {
    input: z.object({ tcn: z.string(), documentId: z.string(), part: z.number().int().min(0) }),
    output: z.object({ content: z.base64() }),
  },
  'transactions.read': { input: z.object({ tcn: z.string() }), output: transactionView },
  'transactions.list': {
    input: z.object({ limit: z.number().int().min(1).max(500) }),
    output: z.array(transactionView),
  },

  'certificates.list': { input: nothing, output: z.array(certificateView) },
  'certificates.describe': { input: z.object({ alias: z.string() }), output: certificateDetails },
  'certificates.setDefault': { input: z.object({ alias: z.string() }), output: nothing },
  'certificates.import': {
    /** A PKCS#12 file of at most 10 MiB, base64. */
    input: z.object({ file: z.base64(), password: z.string(), label: z.string().max(200).optional() }),
    output: z.array(certificateView),
  },
  'certificates.remove': { input: z.object({ alias: z.string() }), output: nothing },
  'certificates.unlock': { input: z.object({ alias: z.string(), pin: z.string() }), output: certificateView },
  'certificates.lock': { input: z.object({ alias: z.string() }), output: certificateView },
  /**
   * Makes a person's certificate, or with `cnpj` the certificate of a company called `name`; `cpf`, `birthDate`, `nis`
   * and `rg` are then those of its responsible person.
   */
  'certificates.makeTestIdentity': {
    input: z.object({
      name: z.string().min(3).max(60),
      cpf: z.string(),
      /** With or without punctuation; letters as in IN RFB 2.229/2024. */
      cnpj: z.string().optional(),
      /** Name of the responsible person; needed with `cnpj`. */
      responsible: z.string().min(3).max(60).optional(),
      keyKind: z
        .enum([
          'rsa-2048',
          'rsa-3072',
          'rsa-4096',
          'rsa-pss',
          'ec-p256',
          'ec-p384',
          'ec-p521',
          'brainpool',
          'ed25519',
          'ed448',
        ])
        .optional(),
      /** Years of validity; by default one. */
      years: z.number().int().min(1).max(15).optional(),
      birthDate: z.iso.date().optional(),
      email: z.email().optional(),
      nis: z.string().max(14).optional(),
      rg: z.object({ number: z.string(), issuer: z.string(), state: z.string() }).optional(),
      voterId: z
        .object({
          number: z.string(),
          zone: z.string(),
          section: z.string(),
          municipality: z.string(),
          state: z.string(),
        })
        .optional(),
    }),
    output: certificateView,
  },

  'tokens.list': { input: nothing, output: z.array(tokenView) },
  'modules.list': { input: nothing, output: z.array(moduleView) },
  /** Drivers found on this computer and not added yet. */
  'modules.suggest': { input: nothing, output: z.array(moduleView) },
  'modules.test': { input: z.object({ path: z.string() }), output: moduleTest },
  'modules.add': { input: z.object({ path: z.string() }), output: moduleTest },
  'modules.remove': { input: z.object({ id: z.string() }), output: nothing },
  /** Releases a quarantined driver and tries the driver again. */
  'modules.retry': { input: z.object({ id: z.string() }), output: moduleView },

  /**
   * Starts a transaction of the window. Its documents follow by the bridge's `sendDocument`, in order, where the last
   * document ends the batch; or by `sendDocuments`, in any order, where `sign.end` ends the batch. The answer has the
   * ids in the order of the files. Then the transaction waits for approval like any other.
   */
  'sign.create': {
    input: z.object({
      ...signatureRequest,
      recipient: recipientKey.optional(),
      /** The existing CMS signature to add the signer to. */
      existingSignature: z.base64().optional(),
      /** Where the results go; absent: Sinete keeps the results for their lifetime. */
      place: archivePlace.optional(),
      files: z
        .array(
          z.object({ name: z.string().min(1).max(255), folder: chosenFolder.optional(), stamp: fileStamp.optional() }),
        )
        .min(1)
        .max(mostFiles),
    }),
    output: transactionView,
  },
  /** Signs files by their paths; for hosts with paths. The results go to `place`, or each to its `destination`. */
  'sign.paths': {
    input: z.object({
      ...signatureRequest,
      recipient: recipientKey.optional(),
      /** The existing CMS signature to add the signer to. */
      existingSignature: z.base64().optional(),
      files: z
        .array(
          z.object({
            path: z.string(),
            folder: chosenFolder.optional(),
            destination: z.string().optional(),
            stamp: fileStamp.optional(),
          }),
        )
        .min(1)
        .max(mostFiles),
      /** Used for files without a `destination`. */
      place: archivePlace.optional(),
    }),
    output: transactionView,
  },
  /** Ends the uploads. Announced files without an upload fail. */
  'sign.end': { input: z.object({ tcn: z.string() }), output: nothing },
  /** Pauses a batch before its next document, or continues it; a pause ends with the process. */
  'sign.pause': { input: z.object({ tcn: z.string(), paused: z.boolean() }), output: nothing },
  /** Cancels the unsigned documents of a batch; signed documents stay. */
  'sign.cancel': { input: z.object({ tcn: z.string() }), output: nothing },
  /**
   * Extends the signatures of a PDF or CMS file, and writes the result to a new file. `content` is the document of a
   * detached signature.
   */
  'signatures.raise': {
    input: z.object({
      path: z.string(),
      destination: z.string(),
      level: z.enum(['B-T', 'B-LT', 'B-LTA']),
      content: z.string().optional(),
      timestampServer: z.string().max(64).optional(),
      /** The hash function of new time stamps; absent: the server's, or that of an evidence record to be renewed. */
      timestampDigest: z.enum(timestampHashes).optional(),
      password: z.string().max(1000).optional(),
      recipient: recipientKey.optional(),
    }),
    output: z.object({ size: z.number().int(), warnings: z.array(standardWarning) }),
  },
  'tsa.list': { input: nothing, output: z.array(timestampServerView) },
  /** Adds a server at the end of the order, or replaces the server with its id. */
  'tsa.add': {
    input: z.object({
      id: z.string().max(64),
      url: z.string().max(2000),
      digest: z.enum(timestampHashes),
      policy: z.string().optional(),
      authentication: timestampAuthentication,
    }),
    output: nothing,
  },
  'tsa.remove': { input: z.object({ id: z.string() }), output: nothing },
  /** Requests a test stamp. */
  'tsa.test': {
    input: z.object({ id: z.string() }),
    output: z.object({ time: instant, policy: z.string(), authority: z.string().nullable() }),
  },

  /** `language`: of the sentences in `stale`, by default English. `authorities`: true to get these as well. */
  'trust.list': {
    input: z.object({ language: z.enum(['pt-BR', 'en']).optional(), authorities: z.boolean().optional() }),
    output: trustView,
  },
  /**
   * Imports a file (base64) or an address; an unpinned root needs its own SHA-256. `isTest`: the root with this SHA-256
   * is for tests, without legal value. `timeStampsOnly`: the root with this SHA-256 is trusted only for time stamps.
   */
  'trust.import': {
    input: z.object({
      file: z.base64().optional(),
      url: z.string().optional(),
      fingerprint: fingerprint.optional(),
      isTest: z.boolean().optional(),
      timeStampsOnly: z.boolean().optional(),
    }),
    output: trustImport,
  },
  /** Fetches ICP-Brasil's published files. */
  'trust.update': { input: nothing, output: trustImport },
  /** Stops trusting a root, or refuses an authority below the roots. */
  'trust.remove': { input: z.object({ fingerprint }), output: nothing },
  /** Accepts a refused root or authority again. */
  'trust.accept': { input: z.object({ fingerprint }), output: nothing },

  /**
   * Starts the test services in this instance, or prolongs them: without a further call the services end after half a
   * minute. The options count at the start; lifetimes are in seconds.
   */
  'testServices.run': {
    input: z.object({
      port: z.number().int().optional(),
      ocspLifetime: z.number().int().positive().optional(),
      crlLifetime: z.number().int().positive().optional(),
      now: instant.optional(),
      years: z.number().int().min(1).max(30).optional(),
    }),
    output: testServicesView,
  },
  'testServices.stop': { input: nothing, output: nothing },

  /** A signed document of at most 64 MiB, for further work in the window. */
  'results.content': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: z.object({ name: z.string(), data: z.base64() }),
  },
  /** Opens the folder of the result in the file manager, if there is one. */
  'results.reveal': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: z.object({ opened: z.boolean(), path: z.string() }),
  },
  /** Opens a result in its owner's folder with the system's program for such files. */
  'results.open': {
    input: z.object({ tcn: z.string(), documentId: z.string() }),
    output: z.object({ opened: z.boolean(), path: z.string() }),
  },
} as const;

export type CallName = keyof typeof calls;
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>;

/** The core's side of the table: a function per call, with checked input. Rejections become error values. */
export type CallHandlers = {
  readonly [Name in CallName]: (input: z.output<(typeof calls)[Name]['input']>) => Promise<CallOutput<Name>>;
};

/** The answer of a call on every bridge. */
export type CallResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CallError };

export interface CallError {
  /** A `ServiceErrorCode`, a `SigningErrorCode`, `INPUT_INVALID`, `SESSION_ENDED` or `UNREACHABLE`. */
  readonly code: string;
  /** A sentence in English; the window prefers its own text for known codes. */
  readonly message: string;
}

/** Events of the core. Listeners read the state again, so events contain no data. */
export const uiEvent = z.discriminatedUnion('name', [
  z.object({ name: z.literal('transaction-changed'), tcn: z.string() }),
  z.object({ name: z.literal('keys-changed') }),
  /** A site begins or stops waiting for a permission, or its permissions have changed. */
  z.object({ name: z.literal('consent-changed') }),
  /** People, the users of this computer, or applications. */
  z.object({ name: z.literal('users-changed') }),
  /** An application begins or stops waiting for an authorization in the window. */
  z.object({ name: z.literal('authorizations-changed') }),
  /** A file that is kept valid was checked. */
  z.object({ name: z.literal('renewals-changed') }),
  z.object({ name: z.literal('ping') }),
]);

export type UiEvent = z.output<typeof uiEvent>;

export type Home = z.output<typeof homeView>;
export type CertificateView = z.output<typeof certificateView>;
export type CertificateDetails = z.output<typeof certificateDetails>;
export type TokenView = z.output<typeof tokenView>;
export type ModuleView = z.output<typeof moduleView>;
export type ModuleTest = z.output<typeof moduleTest>;
export type UiTransaction = z.output<typeof transactionView>;
export type TimestampServerView = z.output<typeof timestampServerView>;
export type ValidationView = z.output<typeof validationView>;
export type CertificateInspection = z.output<typeof certificateInspection>;
export type TrustView = z.output<typeof trustView>;
export type TrustImport = z.output<typeof trustImport>;
export type TestServicesView = z.output<typeof testServicesView>;
export type OriginalInspection = z.output<typeof originalInspection>;
export type UiDocument = z.output<typeof documentView>;
