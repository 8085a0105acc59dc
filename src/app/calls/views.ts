import { basename } from 'node:path';
import type { Evidence } from '../evidence/evidence.ts';
import type { Trust } from '../evidence/trust.ts';
import {
  describeKey,
  limitedAcceptance,
  type KeyDescriptionForPeople,
  type KnownRevocation,
} from '../../service/certificates/index.ts';
import { describeCheck, findings, type Check } from '../../service/checks/index.ts';
import { mapInParts } from '../../service/scheduling/index.ts';
import { resultFileName } from '../../service/signature-types/index.ts';
import {
  profileOfPolicy,
  type DocumentView,
  type OriginalInspection,
  type Requester,
  type TransactionView,
} from '../../service/transactions/index.ts';
import {
  parseCertificate,
  type AliasedKey,
  type ModuleReference,
  type ModuleReport,
  type TokenState,
} from '../../signing/index.ts';
import type {
  CertificateDetails,
  CertificateView,
  ModuleTest,
  ModuleView,
  OriginalInspection as UiInspection,
  TokenView,
  UiDocument,
  UiTransaction,
} from '../../ui-contract/ui-contract.ts';
import type { CheckView } from '../../ui-contract/doctor-calls.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { AddedModule } from '../compose/key-sources.ts';

/** Views for the window, built from values of the service and the signing core. */

/** A transaction for the window; the documents of a long list are described in several turns of the event loop. */
export async function transactionForUi(view: TransactionView): Promise<UiTransaction> {
  return {
    tcn: view.tcn,
    status: view.status,
    waitingFor: view.waitingFor,
    requester: view.requester.name,
    requesterKind: view.requester.kind,
    door: view.door,
    certificateAlias: view.certificateAlias,
    certificateFingerprint: view.certificateFingerprint,
    type: view.type,
    digest: view.digest,
    profile: profileOfPolicy(view.policy) ?? null,
    claimedRole: view.claimedRole === null ? null : visibleText(view.claimedRole),
    createdAt: view.createdAt.toISOString(),
    finishedAt: view.finishedAt?.toISOString() ?? null,
    documents: await mapInParts(view.documents, (document) => documentForUi(document, view)),
  };
}

/** Transactions for the window, one after the other, likewise. */
export async function transactionsForUi(views: readonly TransactionView[]): Promise<UiTransaction[]> {
  const made: UiTransaction[] = [];
  for (const view of views) made.push(await transactionForUi(view));
  return made;
}

/** An original for display before its approval. */
export function inspectionForUi({ pdf, signedAttributes: attributes, ...others }: OriginalInspection): UiInspection {
  const inspection = { ...others, signedAttributes: attributes && attributesForUi(attributes) };
  if (pdf?.state !== 'examined') return { ...inspection, pdf };
  const { activeContent, signedFields, standards } = pdf;
  return {
    ...inspection,
    pdf: { ...pdf, activeContent: [...activeContent], signedFields: [...signedFields], standards: [...standards] },
  };
}

function attributesForUi({
  contentHash,
  signingTime,
  namesCertificate,
  policy,
}: NonNullable<OriginalInspection['signedAttributes']>): UiInspection['signedAttributes'] {
  return { contentHash, signingTime: signingTime?.toISOString(), namesCertificate, policy };
}

/** Requesters whose documents the owner chose in Sinete itself: for these the title is a file name. */
const ownRequesters = new Set<Requester['kind']>(['user-interface', 'command-line']);

function documentForUi(document: DocumentView, { type, requester }: TransactionView): UiDocument {
  const { id, originalFileName, size, checksum, status, error, resultPath, lifetime, sourcePath } = document;
  const name = sourcePath === null ? (originalFileName ?? id) : basename(sourcePath);
  const isClaim = !ownRequesters.has(requester.kind) && (sourcePath === null || originalFileName !== name);
  const keptName = status === 'SIGNED' ? resultFileName(originalFileName ?? id, type) : null;
  return {
    id,
    name: visibleText(name),
    claimedName: isClaim && originalFileName !== null ? visibleText(originalFileName) : null,
    sourcePath: sourcePath === null ? null : visibleText(sourcePath),
    destination: document.destination === null ? null : visibleText(document.destination),
    size,
    checksum,
    ...(document.hash === null ? {} : { hash: document.hash }),
    status,
    error,
    resultSize: document.resultSize,
    resultChecksum: document.resultChecksum,
    warnings: [...document.warnings],
    repairs: [...document.repairs],
    adjustments: [...document.adjustments],
    ...(document.revision === 0 ? {} : { revision: document.revision }),
    ...(document.pendingLevel === null ? {} : { pendingLevel: document.pendingLevel }),
    resultName: resultPath === null ? keptName : visibleText(basename(resultPath)),
    resultPath: document.inObjectStore || resultPath === null ? null : visibleText(resultPath),
    lifetime,
  };
}

export function tokenForUi(token: TokenState): TokenView {
  const { module, label, serialNumber, present, loginRequired, loggedIn, pinAttempts, pinPad } = token;
  return { module, label, serialNumber, present, loginRequired, loggedIn, pinAttempts, pinPad };
}

/** Additional facts for the view of a key: the default, the present time, the kind of its root, and revocations. */
export interface KeyContext {
  readonly defaultFingerprint: string | undefined;
  readonly now: Date;
  readonly trust: Pick<Trust, 'isBelowTestRoot'>;
  readonly evidence: Pick<Evidence, 'findRevocation'>;
}

interface KeyFacts extends KeyDescriptionForPeople {
  readonly revocation: KnownRevocation | undefined;
}

async function aboutKey(key: AliasedKey, { now, trust, evidence }: KeyContext): Promise<KeyFacts> {
  const about = describeKey(key, now);
  const known = key.chain.map(parseCertificate);
  return {
    ...about,
    isTest: about.isTest || (await trust.isBelowTestRoot(key.certificate, key.chain, now)),
    revocation: await evidence.findRevocation(parseCertificate(key.certificate), known, now),
  };
}

export async function certificateForUi(key: AliasedKey, context: KeyContext): Promise<CertificateView> {
  return certificateView(await aboutKey(key, context), context.defaultFingerprint);
}

export async function detailsForUi(key: AliasedKey, context: KeyContext): Promise<CertificateDetails> {
  const { defaultFingerprint } = context;
  const about = await aboutKey(key, context);
  return {
    ...certificateView(about, defaultFingerprint),
    serialNumberHex: about.serialNumberHex,
    subject: [...about.subject],
    issuerName: [...about.issuerName],
    keyUsage: [...about.keyUsage],
    extendedKeyUsage: [...about.extendedKeyUsage],
    publicKeyBits: about.publicKeyBits,
    signatureAlgorithm: about.signatureAlgorithm,
    email: about.email,
    birthDate: about.birthDate,
    chain: about.chain.map(({ name, notAfter, fingerprint }) => ({
      name,
      notAfter: notAfter.toISOString(),
      fingerprint,
    })),
    pem: about.pem,
    acceptanceNote: limitedAcceptance(about.keyAlgorithm)?.note ?? null,
  };
}

function certificateView(about: KeyFacts, defaultFingerprint: string | undefined): CertificateView {
  return {
    alias: about.alias,
    fingerprint: about.fingerprint,
    source: about.source,
    place: about.place,
    token: about.token === null ? null : tokenForUi(about.token),
    holder: visibleText(about.holder),
    taxpayerNumber: about.taxpayerNumber,
    issuer: visibleText(about.issuer),
    notBefore: about.notBefore.toISOString(),
    notAfter: about.notAfter.toISOString(),
    validity: about.validity,
    revocation: about.revocation && {
      since: about.revocation.time.toISOString(),
      isSuspension: about.revocation.reason === 'certificateHold',
    },
    keyAlgorithm: about.keyAlgorithm,
    acceptance: limitedAcceptance(about.keyAlgorithm)?.kind ?? null,
    isDefault: about.fingerprint === defaultFingerprint,
    hasKey: about.hasKey,
    locked: about.locked,
    isTest: about.isTest,
  };
}

/** A check of Doctor, with its words for the window in every language and for the command line in English. */
export function checkForUi(check: Check): CheckView {
  const { id, finding, area, outcome, repairs } = check;
  const { message, remedy } = describeCheck(check);
  return {
    id,
    finding,
    area,
    outcome,
    isUrgent: findings[finding].isUrgent && outcome !== 'ok',
    words: { en: describeCheck(check, 'en', 'window'), 'pt-BR': describeCheck(check, 'pt-BR', 'window') },
    message,
    remedy,
    repairs: [...repairs],
  };
}

export function moduleForUi({ module, health }: AddedModule): ModuleView {
  const { id, path, product } = module;
  return { id, path, product, state: health.state, problem: health.problem ?? null, detail: health.detail ?? null };
}

export function suggestionForUi({ id, path, product }: ModuleReference): ModuleView {
  return { id, path, product, state: 'not-added', problem: null, detail: null };
}

export function moduleTestForUi(report: ModuleReport): ModuleTest {
  const { path, library, tokens, failure } = report;
  const name = library === undefined ? null : `${library.description} ${library.libraryVersion}`.trim();
  const found = tokens.length === 1 ? 'one token' : `${tokens.length} tokens`;
  return {
    path,
    works: failure === undefined,
    problem: failure?.problem ?? null,
    detail: failure?.message ?? `The driver works and sees ${found}.`,
    library: name,
    slots: tokens.length,
    tokens: tokens.map(({ label, serialNumber, module }) => ({ label, serialNumber, model: module })),
  };
}
