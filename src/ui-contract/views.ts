/** Inputs and answers of the calls: a schema for each kind of value shown or sent by the window. */
import { z } from 'zod';
import { icpBrasilProfiles } from '../request/signature-policies.ts';
import { digests } from '../request/signature-request.ts';
import { callShape } from '../request/derive.ts';
import { requestOptions, settingOptions } from '../request/signature-request.ts';
import { timestampHashes } from './timestamp-hashes.ts';

export const instant = z.iso.datetime();
export const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
export const nothing = z.object({});

export const tokenView = z.object({
  module: z.string(),
  label: z.string(),
  serialNumber: z.string(),
  present: z.boolean(),
  /** False for a token whose keys sign without a PIN. */
  loginRequired: z.boolean(),
  loggedIn: z.boolean(),
  pinAttempts: z.enum(['normal', 'low', 'last', 'locked', 'unknown']),
  pinPad: z.boolean(),
});

/** A certificate with its key, as in the list. */
export const certificateView = z.object({
  alias: z.string(),
  fingerprint,
  source: z.enum(['file', 'token', 'browser']),
  /** The place of the key for people; empty for a file. */
  place: z.string(),
  token: tokenView.nullable(),
  holder: z.string(),
  /** CPF or CNPJ, masked. */
  taxpayerNumber: z.string().nullable(),
  issuer: z.string(),
  notBefore: instant,
  notAfter: instant,
  /** By the clock alone; revocation and trust are another matter. */
  validity: z.enum(['valid', 'expired', 'not-yet-valid']),
  /** A revocation of the certificate or its authorities in cached data; absent without one. */
  revocation: z.object({ since: instant, isSuspension: z.boolean() }).optional(),
  keyAlgorithm: z.string(),
  /** A kind of key whose signatures some programs cannot check; null for keys that every program reads. */
  acceptance: z.enum(['edwards', 'brainpool', 'rsa-pss']).nullable(),
  isDefault: z.boolean(),
  /** False when the token is known to hold the certificate without its private key. */
  hasKey: z.boolean(),
  /** Signing needs a PIN first. */
  locked: z.boolean(),
  /** Issued by the test authority of this application: no legal value. */
  isTest: z.boolean(),
});

/** A line of the details page: a field's name as a key for translation, and its value as text. */
export const certificateDetails = certificateView.extend({
  serialNumberHex: z.string(),
  subject: z.array(z.object({ type: z.string(), value: z.string() })),
  issuerName: z.array(z.object({ type: z.string(), value: z.string() })),
  keyUsage: z.array(z.string()),
  extendedKeyUsage: z.array(z.string()),
  publicKeyBits: z.number().int().nullable(),
  signatureAlgorithm: z.string(),
  email: z.string().nullable(),
  birthDate: z.string().nullable(),
  /** Common names from the holder's issuer upwards, as far as known here. */
  chain: z.array(z.object({ name: z.string(), notAfter: instant, fingerprint })),
  pem: z.string(),
  /** Possible objections of other programs to signatures with such a key: a sentence in English. */
  acceptanceNote: z.string().nullable(),
});

export const moduleView = z.object({
  id: z.string(),
  path: z.string(),
  product: z.string(),
  state: z.enum(['ok', 'failing', 'quarantined', 'not-added']),
  /** The code of the failure; null for a driver that works. */
  problem: z.string().nullable(),
  /** The failure in English, for the command line. */
  detail: z.string().nullable(),
});

export const moduleTest = z.object({
  path: z.string(),
  works: z.boolean(),
  /** The code of the failure; null for a driver that works. */
  problem: z.string().nullable(),
  /** The driver's answer in English, for the command line. */
  detail: z.string(),
  library: z.string().nullable(),
  slots: z.number().int(),
  tokens: z.array(z.object({ label: z.string(), serialNumber: z.string(), model: z.string() })),
});

/** The effect of a signature or a time stamp on a standard that a PDF claims: PDF/A, PDF/UA. */
export const standardWarning = z.object({
  code: z.enum([
    'PICTURE_FLATTENED',
    'WIDGET_NOT_TAGGED',
    'FILE_NOT_TAGGED',
    'FIELDS_LEFT_EMPTY',
    'INFORMATION_LEFT_OUT',
    'GLYPHS_MISSING',
    'CERTIFICATE_REVOKED',
  ]),
  standard: z.string(),
  /** True when the file keeps the standard. */
  kept: z.boolean(),
  detail: z.string(),
});

export const documentView = z.object({
  id: z.string(),
  /** The name of the file, or the name of the request for bytes without a file. Unseen characters are marked. */
  name: z.string(),
  /** The name that the requester gave, only a claim; null for none, and for files that the owner chose. */
  claimedName: z.string().nullable(),
  /** Absolute path of the file that is signed; null for bytes without a file. */
  sourcePath: z.string().nullable(),
  /** Where the result goes: a path or an object's address; null for a result kept by Sinete. */
  destination: z.string().nullable(),
  size: z.number().int().nullable(),
  /** SHA-256 of the original, lower-case hex. */
  checksum: z.string().nullable(),
  /** The hash, lower-case hex, that a requester gave in place of the document; absent: the document is here. */
  hash: z.object({ digest: z.enum(digests), value: z.string() }).optional(),
  status: z.enum(['WAITING', 'SIGNED', 'ERROR']),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  /** Bytes and SHA-256 (lower-case hex) of the result; null until SIGNED. */
  resultSize: z.number().int().nullable(),
  resultChecksum: z.string().nullable(),
  /** Effects of the signature on the standards (PDF/A, PDF/UA) that a PDF claims. */
  warnings: z.array(standardWarning),
  /** A sentence in English for each repair before the signature, with the pages before and after. */
  repairs: z.array(z.string()),
  /** A sentence in English for each stamp that was moved into its page. */
  adjustments: z.array(z.string()),
  /** How often the result was replaced by its extended form; absent: never. */
  revision: z.number().int().positive().optional(),
  /** The level that the result gets when newer revocation data is there; absent: the result stays as it is. */
  pendingLevel: z.string().optional(),
  /** The result's name; null until SIGNED. */
  resultName: z.string().nullable(),
  /** The file of a result in its owner's folder; null for stored results. */
  resultPath: z.string().nullable(),
  /**
   * Seconds until the stored result is erased; 0 for an erased result, null for a result elsewhere or without a result.
   */
  lifetime: z.number().int().nullable(),
});

/** A document before its signature: what the approval shows of it. */
export const originalInspection = z.object({
  size: z.number().int(),
  /** SHA-256 of the inspected bytes, lower-case hex: the same as the document's. */
  checksum: fingerprint,
  /** Bytes of each part, the last part excepted. */
  partSize: z.number().int().positive(),
  /** By its bytes. `other`: the window cannot show the document. */
  kind: z.enum(['pdf', 'text', 'image', 'other']),
  /** By its bytes; null for an unknown kind of file. */
  mediaType: z.string().nullable(),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).nullable(),
  /** For PDFs only. */
  pdf: z
    .discriminatedUnion('state', [
      z.object({
        state: z.literal('examined'),
        pageCount: z.number().int(),
        activeContent: z.array(
          z.enum([
            'javascript',
            'launch',
            'submit',
            'attachment',
            'media',
            'xfa',
            'hidden-layer',
            'external',
            'ambiguous',
            'broken-drawing',
            'own-look',
            'field-values',
            'overprint',
            'portfolio',
            'opens-other',
            'foreign-fonts',
            'rare-picture',
          ]),
        ),
        /** Names of the fields with a signature. */
        signedFields: z.array(z.string()),
        /** The standards that the file claims: `PDF/A-2b`, `PDF/UA-1`. */
        standards: z.array(z.string()),
        /** False when a part could not be read: there may be more than is listed. */
        complete: z.boolean(),
      }),
      z.object({ state: z.enum(['encrypted', 'unreadable']) }),
    ])
    .nullable(),
  /** The password that the request brought for its PDF. */
  password: z.string().nullable(),
  /** For bytes to sign that are the signed attributes of a CMS signature. */
  signedAttributes: z
    .object({
      /** Lower-case hex: the hash of a content that nobody has seen here. */
      contentHash: z.string(),
      signingTime: instant.optional(),
      /** True if the attributes name the certificate that would sign, false for another one. */
      namesCertificate: z.boolean().optional(),
      /** Dotted OID. */
      policy: z.string().optional(),
    })
    .optional(),
});

export const transactionView = z.object({
  tcn: z.string(),
  status: z.enum(['WAITING', 'SIGNED', 'ERROR']),
  waitingFor: z.enum(['upload', 'approval', 'pin', 'evidence']).nullable(),
  requester: z.string(),
  requesterKind: z.enum(['native-program', 'user-interface', 'command-line', 'site', 'application']),
  /** The interface of another protocol through which the request came; null: our own. */
  door: z.enum(['psc', 'csc']).nullable(),
  certificateAlias: z.string(),
  certificateFingerprint: fingerprint,
  type: z.string(),
  digest: z.string(),
  /** The profile of ICP-Brasil that the signature is made under, also where one version of it was asked for; null: none. */
  profile: z.enum(icpBrasilProfiles).nullable(),
  /** The role that the signature claims for its signer; null: none. */
  claimedRole: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  documents: z.array(documentView),
});

/** A time stamp server; its credentials are never told. */
export const timestampServerView = z.object({
  id: z.string(),
  url: z.string(),
  digest: z.enum(timestampHashes),
  /** Dotted OID of the requested policy. */
  policy: z.string().nullable(),
  authentication: z.enum(['none', 'basic', 'bearer', 'client-certificate']),
  /** Its stamps have no legal value. */
  isTest: z.boolean(),
});

export const timestampAuthentication = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('basic'), user: z.string(), password: z.string() }),
  z.object({ kind: z.literal('bearer'), token: z.string() }),
  /** PEM. */
  z.object({ kind: z.literal('client-certificate'), certificate: z.string(), privateKey: z.string() }),
]);

const trustAnchorView = z.object({
  name: z.string(),
  fingerprint,
  hierarchy: z.enum(['ICP-Brasil', 'gov.br', 'test', 'other']),
  notAfter: instant,
  /** Trusted for time stamps and for nothing else. */
  timeStampsOnly: z.boolean(),
  /** False for the root of this instance's own test authority. */
  isRemovable: z.boolean(),
});

const authorityView = z.object({ name: z.string(), issuer: z.string(), fingerprint, notAfter: instant });

export const trustView = z.object({
  anchors: z.array(trustAnchorView),
  /** Number of the known authorities below the roots, without refused ones. */
  intermediates: z.number().int(),
  /** The known authorities below the roots, where they were asked for. */
  authorities: z.array(authorityView).optional(),
  /** Roots and authorities that the owner refuses: no path goes through their keys. */
  refused: z.array(authorityView),
  /** A sentence for each root, authority or list of policies that has ended, or ends soon. */
  stale: z.array(z.string()).readonly().optional(),
});

export const trustImport = z.object({
  anchors: z.array(trustAnchorView),
  intermediates: z.number().int(),
  /** Files about ICP-Brasil's policies, a name each. */
  policies: z.array(z.string()),
  /** A sentence for each part left out. */
  skipped: z.array(z.string()),
});

export const testServicesView = z.object({
  origin: z.string(),
  timestampUrl: z.string(),
  certificatesPointTo: z.string(),
});

/** The request for signatures as a call has it: options of the transaction, and of its only setting. */
export const signatureRequest = {
  ...callShape(z, requestOptions),
  ...callShape(z, settingOptions),
  alias: z.string().optional(),
  /** Opens encrypted PDFs; never kept on disk. */
  password: z.string().max(1000).optional(),
  autoFix: z.boolean().optional(),
};

export const homeView = z.object({
  version: z.string(),
  dataFolder: z.string(),
  addresses: z.object({
    signing: z.string(),
    authorization: z.string(),
    registry: z.string(),
    assistant: z.string(),
  }),
  secretStore: z.object({
    kind: z.enum(['os-keychain', 'key-file', 'passphrase', 'memory']),
    detail: z.string().nullable(),
  }),
  /** Whether documents still fit on the disk and into the quota; with `none` further documents are refused. */
  room: z.object({ state: z.enum(['enough', 'scarce', 'none']), cause: z.enum(['disk', 'quota']).nullable() }),
  certificates: z.number().int(),
  tokens: z.array(tokenView),
  counts: z.object({ SIGNED: z.number().int(), WAITING: z.number().int(), ERROR: z.number().int() }),
  waiting: z.array(transactionView),
  recent: z.array(transactionView),
});
