import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { validationBody } from '../../http/signing-service/validator-body.ts';
import { describeCertificate, readCertificateStatus, toPem } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import {
  readableReport,
  reportHtml,
  reportPdf,
  summarizeReport,
  type ReportLanguage,
  type ReportNames,
} from '../../service/validation/index.ts';
import {
  parseCertificate,
  readCertificates,
  type Certificate,
  type Paper,
  type ValidationReport,
} from '../../signing/index.ts';
import type { CallHandlers, CallInput, CallOutput } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { givenFile } from './given/given-file.ts';
import { readRecipient } from './given/read-recipient.ts';

type ValidationCalls = Pick<
  CallHandlers,
  'validation.run' | 'validation.read' | 'validation.report' | 'certificates.inspect'
>;
type Inspection = CallOutput<'certificates.inspect'>[number];

/** Maximum number of certificates checked in one file. */
const certificateLimit = 50;
/** The largest file of certificates, in bytes. */
const fileLimit = 10 * 2 ** 20;

/** The calls about validating signatures and inspecting certificates. */
export function validationCalls(core: Core): ValidationCalls {
  const kept = new KeptReports(core.now);
  return {
    'validation.run': async (input) => {
      const signature = await givenFile(core, input.signature);
      const content = input.content === undefined ? undefined : await givenFile(core, input.content);
      const records = await Promise.all((input.records ?? []).map(async (record) => givenFile(core, record)));
      const report = await core.validator.validate({
        kind: 'detect',
        signaturePath: signature.path,
        offline: input.offline ?? false,
        ...(records.length === 0 ? {} : { recordPaths: records.map(({ path }) => path) }),
        contentPath: content?.path,
        at: pastTime(input.at, core.now()),
        password: input.password,
        recipient: input.recipient === undefined ? undefined : await readRecipient(core.workers, input.recipient),
      });
      const policyListEnds = (await core.evidence.policyFiles.listEnds()) ?? null;
      const identity = await identityOf(signature.path);
      const names = { file: signature.name, content: content?.name ?? null, policyListEnds, ...identity };
      const made = { report, names };
      return viewOf(kept.add(made), made, input.language);
    },
    'validation.read': async ({ id, language }) => Promise.resolve(viewOf(id, kept.find(id), language)),
    'validation.report': async ({ id, format, language, paper }) =>
      await reportFile(kept.find(id), format, { language, paper, now: core.now() }),
    'certificates.inspect': async (input) => {
      if ('alias' in input) {
        const key = await core.keys.ring.find(input.alias);
        return [await inspect(core, parseCertificate(key.certificate), key.chain.map(parseCertificate), key.alias)];
      }
      const certificates = readFile(Buffer.from(input.file, 'base64'));
      return Promise.all(certificates.map(async (one) => inspect(core, one, certificates, null)));
    },
  };
}

/** Throws `REQUEST_INVALID` for a time in the future, because future revocations are unknown. */
function pastTime(at: string | undefined, now: Date): Date | undefined {
  if (at === undefined) return undefined;
  const time = new Date(at);
  if (time <= now) return time;
  throw new ServiceError('REQUEST_INVALID', 'A signature is judged as of now, or as of a time that has passed.');
}

interface KeptReport {
  readonly report: ValidationReport;
  readonly names: ReportNames;
}

function viewOf(id: string, { report, names }: KeptReport, language: ReportLanguage): CallOutput<'validation.run'> {
  return {
    id,
    fileName: names.file ?? '',
    contentName: names.content,
    status: summarizeReport(report).status,
    report: readableReport(report, names, language),
  };
}

const keptReports = 50;
const keptFor = 60 * 60_000;

/** Reports kept in memory, so that each can be saved in another format. */
class KeptReports {
  readonly #now: () => Date;
  readonly #all = new Map<string, KeptReport & { readonly until: number }>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  add(kept: KeptReport): string {
    const id = randomUUID();
    const time = this.#now().getTime();
    for (const [old, { until }] of this.#all) {
      if (until < time || this.#all.size >= keptReports) this.#all.delete(old);
    }
    this.#all.set(id, { ...kept, until: time + keptFor });
    return id;
  }

  find(id: string): KeptReport {
    const kept = this.#all.get(id);
    if (kept !== undefined && kept.until >= this.#now().getTime()) return kept;
    throw new ServiceError('NOT_FOUND', 'This validation is no longer kept: validate the file again.');
  }
}

/** The report as a file; `JSON` is the body of the HTTP validator. */
async function reportFile(
  { report, names }: KeptReport,
  format: CallInput<'validation.report'>['format'],
  { language, paper, now }: { readonly language: ReportLanguage; readonly paper?: Paper; readonly now: Date },
): Promise<CallOutput<'validation.report'>> {
  const readable = readableReport(report, names, language);
  const stem = `${names.file ?? 'signature'}-${language === 'en' ? 'validation' : 'validacao'}`;
  const file = (mediaType: string, content: Buffer): CallOutput<'validation.report'> => ({
    name: `${stem}.${format}`,
    mediaType,
    data: content.toString('base64'),
  });
  switch (format) {
    case 'html':
      return file('text/html; charset=utf-8', Buffer.from(reportHtml(readable)));
    case 'pdf':
      return file('application/pdf', await reportPdf(readable, { created: now, paper }));
    case 'json':
      return file('application/json', Buffer.from(JSON.stringify(jsonBody({ report, names }, language), undefined, 2)));
  }
}

/** The body of the HTTP validator, with the file that it is about. */
function jsonBody({ report, names }: KeptReport, language: ReportLanguage): object {
  const body = validationBody(report, language);
  const { file, size = null, sha256 = null } = names;
  return { file_name: file, file_size: size, file_digest: sha256, ...body };
}

/** Size and SHA-256 of a file. */
async function identityOf(path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const part of createReadStream(path)) {
    const bytes = part as Buffer;
    digest.update(bytes);
    size += bytes.length;
  }
  return { size, sha256: digest.digest('hex') };
}

function readFile(file: Buffer): readonly Certificate[] {
  if (file.length > fileLimit) {
    throw new ServiceError('REQUEST_INVALID', 'A file of certificates may have at most 10 MiB.');
  }
  const { certificates, failures } = readCertificates(file);
  if (certificates.length === 0) {
    throw new ServiceError('CERTIFICATE_NOT_VALID', `The file holds no certificate. ${failures[0] ?? ''}`.trim());
  }
  return certificates.slice(0, certificateLimit);
}

async function inspect(
  { certificateEvidence, now }: Core,
  certificate: Certificate,
  known: readonly Certificate[],
  alias: string | null,
): Promise<Inspection> {
  const status = await readCertificateStatus(certificate, known, { evidence: certificateEvidence, now: now() });
  return {
    alias,
    ...describeCertificate(certificate, status),
    pem: toPem('CERTIFICATE', certificate.der),
    chain: status.path.map(({ commonName, notBefore, notAfter, fingerprint }) => ({
      name: commonName,
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      fingerprint,
    })),
  };
}
