import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OFFICIAL_VALIDATION_SITE,
  readableReport,
  REPORT_LANGUAGES,
  reportHtml,
  reportPdf,
  type ReadableReport,
  type ReportLanguage,
  summarizeReport,
} from '../../../src/service/validation/index.ts';
import { CHECK_TEXTS, reportTime } from '../../../src/service/validation/signature-rows.ts';
import { REPORT_LABELS } from '../../../src/service/validation/texts/report-labels.ts';
import {
  SUB_INDICATIONS,
  VALIDATION_CHECK_CODES,
  VALIDATION_CHECKS,
  type ChainReport,
  type Hierarchy,
  type ValidationCheckCode,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { MARIA_CPF, personWith } from '../../pki/identities.ts';
import { makeParty } from '../../signing/certificates/path/path-pki.ts';
import { validationBody } from '../../../src/http/signing-service/validator-body.ts';
import { chainOf, check, reportOf, signatureReport, timestampReport } from './example-report.ts';

let maria: TestIdentity;
let folder: string;
beforeAll(async () => {
  maria = await personWith({ name: 'MARIA D’ÁVILA <script>' });
  folder = await mkdtemp(join(tmpdir(), 'sinete-report-'));
});
afterAll(async () => rm(folder, { recursive: true }));

/** One of everything a report can show. */
function fullReport(language: ReportLanguage): ReadableReport {
  const changes = [
    { revision: 3, level: 'other', code: 'PAGE_CONTENT_CHANGED', sentence: 'Page 2 shows other text.', page: 2 },
  ] as const;
  const broken = signatureReport(maria, {
    id: '2',
    format: 'PAdES',
    indication: 'TOTAL-FAILED',
    subIndication: 'FORMAT_FAILURE',
    checks: [check('INTEGRITY_INTACT'), check('PDF_CHANGES_NOT_ALLOWED', `MARIA:${MARIA_CPF} signed before.`)],
    timestamps: [timestampReport(maria)],
    counterSignatures: [signatureReport(maria, { id: '2.1' })],
    policy: { oid: '2.16.76.1.7.1.11.1.3', name: 'AD-RB 1.3', recognised: true, complete: true },
    provenTime: new Date('2026-05-06T07:01:00Z'),
    pdf: {
      fieldName: 'Assinatura 2',
      subFilter: 'ETSI.CAdES.detached',
      coversWholeFile: false,
      revision: 2,
      certification: 2,
      reason: 'Ciência & "acordo"',
      page: 1,
      changes,
      changeLevel: 'other',
      changesAllowed: false,
      changedSince: true,
      signedSize: 4711,
    },
  });
  const report = reportOf([signatureReport(maria), broken], {
    kind: 'pdf',
    documentTimestamps: [timestampReport(maria, { role: 'document' })],
    checks: [check('PDF_FILE_UNSOUND')],
  });
  return readableReport(report, { file: 'contrato <1>.pdf', content: null }, language);
}

describe('a report below a root for trying out', () => {
  const names = { file: 'a.p7s', content: null };
  const words = { en: 'no legal value', 'pt-BR': 'sem valor legal' } as const;
  const elsewhere = () => ({ ...chainOf(maria), hierarchy: 'other' as const });

  it.each(REPORT_LANGUAGES)('says so in %s in each verdict, on the page and in the headline', (language) => {
    const stamped = signatureReport(maria, { timestamps: [timestampReport(maria)] });
    const report = readableReport(reportOf([stamped]), names, language);
    const [signature] = report.signatures;
    const verdicts = [report, signature, signature?.timestamps[0]].map((one) => one?.verdict);
    for (const verdict of verdicts) expect(verdict).toContain(words[language]);
    expect(report.sentence).toContain(REPORT_LABELS[language].noLegalValue.sentence);
    expect(reportHtml(report)).toContain(REPORT_LABELS[language].noLegalValue.sentence);
  });

  it('says so of a counter-signature and of a time stamp alone, and of nothing else', () => {
    const plain = signatureReport(maria, { chain: elsewhere() });
    const verdictsOf = (report: Parameters<typeof readableReport>[0]) => {
      const { verdict, signatures } = readableReport(report, names, 'en');
      return [verdict, ...signatures.map((one) => one.verdict)].map((text) => text.includes(words.en));
    };
    expect(verdictsOf(reportOf([plain]))).toEqual([false, false]);
    const countered = { ...plain, counterSignatures: [signatureReport(maria, { id: '1.1' })] };
    expect(verdictsOf(reportOf([countered]))).toEqual([true, false]);
    expect(verdictsOf(reportOf([{ ...plain, timestamps: [timestampReport(maria)] }]))).toEqual([true, true]);
    const stamp = timestampReport(maria, { role: 'document' });
    expect(verdictsOf(reportOf([plain], { documentTimestamps: [stamp] }))).toEqual([true, false]);
  });

  it('shows no time of an unreadable time stamp', () => {
    const damaged = signatureReport(maria, { timestamps: [{ ...timestampReport(maria), time: null }] });
    const report = readableReport(reportOf([damaged]), { file: 'a', content: null }, 'en');
    expect(report.signatures[0]?.timestamps[0]?.time).toBeNull();
    expect(reportHtml(report)).not.toMatch(/1970|Invalid/);
  });
});

describe('a chain in a report', () => {
  it('names the root, and the state of each certificate with its evidence and the time of a revocation', () => {
    const revokedAt = new Date('2026-03-03T12:00:00Z');
    const made = chainOf(maria);
    const entries = made.entries.map((entry, index) =>
      index > 0 || entry.revocation === undefined
        ? entry
        : {
            ...entry,
            revocation: { ...entry.revocation, status: 'revoked' as const, kind: 'ocsp' as const, revokedAt },
          },
    );
    const signature = signatureReport(maria, { chain: { ...made, entries } });
    const { chain = [] } =
      readableReport(reportOf([signature]), { file: 'a', content: null }, 'en').signatures[0] ?? {};
    const [own, issuing, root] = chain;
    expect(own).toMatchObject({
      revocation: 'revoked',
      evidence: 'OCSP',
      revokedAt: revokedAt.toISOString(),
      role: null,
    });
    expect(own?.about).toMatch(/^until \d{4}-\d{2}-\d{2}, revoked, OCSP, 2026-03-03 12:00:00 \(UTC\)$/);
    expect(issuing).toMatchObject({ revocation: 'good', evidence: 'CRL', revokedAt: null, role: null });
    expect(root).toMatchObject({ revocation: null, evidence: null, revokedAt: null, role: 'trusted root' });
    expect(root?.about).toMatch(/^until \d{4}-\d{2}-\d{2}, trusted root$/);
  });
});

describe('a report on ending trust data', () => {
  const endingChain = (): ChainReport => {
    const entries = chainOf(maria).entries.map((entry) => ({ ...entry, notAfter: new Date('2027-01-01T12:00:00Z') }));
    return { ...chainOf(maria), entries };
  };
  const staleTrustOf = (report: Parameters<typeof readableReport>[0]): string | undefined =>
    readableReport(report, { file: 'a.p7s', content: null }, 'en').rows.find(
      ({ label }) => label === REPORT_LABELS.en.words.staleTrust,
    )?.value;

  it('names authorities ending soon, and the list of policies where a policy is named', () => {
    const chain = endingChain();
    const policy = { oid: '2.16.76.1.7.1.1.2.4', name: 'AD-RB 2.4', recognised: true, complete: true };
    const rowOf = (signature: Parameters<typeof reportOf>[0][number]): string | undefined => {
      const names = { file: 'a.p7s', content: null, policyListEnds: new Date('2025-09-10T12:00:00Z') };
      const { rows } = readableReport(reportOf([signature]), names, 'en');
      return rows.find(({ label }) => label === REPORT_LABELS.en.words.staleTrust)?.value;
    };
    expect(rowOf(signatureReport(maria))).toBeUndefined();
    expect(rowOf(signatureReport(maria, { chain }))).toMatch(/^AC Emissora.* ends on 2027-01-01\. AC Raiz.*|^AC Raiz/);
    expect(rowOf(signatureReport(maria, { policy }))).toContain('approved policies ended on 2025-09-10');
  });

  it('names authorities of a time stamp ending soon', () => {
    const withStamp = (stamp: ReturnType<typeof timestampReport>) =>
      staleTrustOf(reportOf([signatureReport(maria, { timestamps: [stamp] })]));
    expect(withStamp(timestampReport(maria))).toBeUndefined();
    expect(withStamp(timestampReport(maria, { chain: endingChain() }))).toContain('ends on 2027-01-01.');
  });

  it('names authorities of a document time stamp ending soon', () => {
    const withStamp = (more: Parameters<typeof timestampReport>[1]) =>
      staleTrustOf(
        reportOf([signatureReport(maria)], {
          documentTimestamps: [timestampReport(maria, { role: 'document', ...more })],
        }),
      );
    expect(withStamp({})).toBeUndefined();
    expect(withStamp({ chain: endingChain() })).toContain('ends on 2027-01-01.');
  });
});

describe('the texts of a report', () => {
  it.each(REPORT_LANGUAGES)('have words in %s for every check', (language) => {
    for (const code of VALIDATION_CHECK_CODES) {
      const [finding, remedy] = CHECK_TEXTS[code][language];
      expect(finding, code).toMatch(/^\p{Lu}.+\.$/su);
      if (VALIDATION_CHECKS[code][1] === 'passed') expect(remedy, code).toBeUndefined();
      else expect(remedy, code).toMatch(/^\p{Lu}.+\.$/su);
    }
  });

  it('know only the checks made by the validator', () => {
    expect(Object.keys(CHECK_TEXTS).toSorted()).toEqual([...VALIDATION_CHECK_CODES].toSorted());
  });

  it('say different things for different checks, and differ between the languages', () => {
    for (const language of REPORT_LANGUAGES) {
      const findings = VALIDATION_CHECK_CODES.map((code) => CHECK_TEXTS[code][language][0]);
      expect(new Set(findings).size).toBe(findings.length);
    }
    for (const code of VALIDATION_CHECK_CODES) expect(CHECK_TEXTS[code].en[0]).not.toBe(CHECK_TEXTS[code]['pt-BR'][0]);
  });

  it('have words for every sub-indication', () => {
    for (const language of REPORT_LANGUAGES) {
      expect(Object.keys(REPORT_LABELS[language].subIndications).toSorted()).toEqual([...SUB_INDICATIONS].toSorted());
    }
  });
});

describe('a time in a report', () => {
  it.each([
    [0, '2026-01-02 01:04:05 (UTC)'],
    [-180, '2026-01-01 22:04:05 (UTC−3)'],
    [345, '2026-01-02 06:49:05 (UTC+5:45)'],
  ])('is the local time with its zone: %d minutes east', (offset, text) => {
    expect(reportTime(new Date('2026-01-02T01:04:05.999Z'), offset)).toBe(text);
  });
});

describe('readableReport', () => {
  it('tells a person in a sentence why a signature is not valid, and the remedy', () => {
    const { signatures, sentence, notice } = fullReport('pt-BR');
    const second = signatures[1];
    expect(sentence).toMatch(/^Pelo menos uma assinatura é inválida\./);
    expect(second).toMatchObject({
      verdict: 'Inválida, sem valor legal',
      sentence: CHECK_TEXTS.PDF_CHANGES_NOT_ALLOWED['pt-BR'][0],
      taxpayerNumber: '***.982.247-**',
    });
    expect(second?.checks.at(-1)?.remedy).toBe(CHECK_TEXTS.PDF_CHANGES_NOT_ALLOWED['pt-BR'][1]);
    expect(second?.changes[0]).toMatchObject({
      page: 2,
      revision: 3,
      text: 'Revisão 3, página 2: O conteúdo de uma página foi alterado. (outra alteração)',
    });
    expect(notice).toMatchObject({
      url: OFFICIAL_VALIDATION_SITE,
      text: expect.stringContaining('não substitui') as string,
    });
  });

  it('tells first, in both languages, the end of the protection by a time stamp, with its date', () => {
    const ended = signatureReport(maria, {
      indication: 'INDETERMINATE',
      checks: [check('REVOCATION_STALE'), check('PROTECTION_ENDED')],
      protectionEnded: { until: new Date('2028-01-01T00:00:00Z'), cause: 'certificate', name: 'Carimbo' },
    });
    const [pt, en] = (['pt-BR', 'en'] as const).map(
      (language) => readableReport(reportOf([ended]), { file: 'a', content: null }, language).signatures[0],
    );
    expect(pt?.sentence).toMatch(/^A proteção do último carimbo do tempo terminou/);
    expect(en?.sentence).toMatch(/^The protection of the last time stamp has ended/);
    const time = '2028-01-01 00:00:00 (UTC)';
    expect(pt?.rows).toContainEqual({ label: 'A proteção terminou em', value: `${time} (fim de: Carimbo)` });
    expect(en?.rows).toContainEqual({ label: 'Protection ended on', value: `${time} (end of: Carimbo)` });
  });

  it('tells the later changes of the document of a valid signature, and their permission', () => {
    const changes = [
      { revision: 3, level: 'annotations', code: 'COVERING_ANNOTATION_ADDED', sentence: 'An annotation.', page: 1 },
    ] as const;
    const pdf = {
      fieldName: 'one',
      subFilter: 'ETSI.CAdES.detached',
      coversWholeFile: false,
      revision: 2,
      signedSize: 99,
      changes,
      changesAllowed: true,
      changedSince: true,
    } as const;
    const report = reportOf([signatureReport(maria, { pdf: { ...pdf, changeLevel: 'annotations', permission: 3 } })], {
      kind: 'pdf',
      revisionEnds: [50, 99, 150],
    });
    const readable = readableReport(report, { file: 'contract.pdf', content: null }, 'en');
    expect(readable).toMatchObject({
      indication: 'TOTAL-PASSED',
      changedSince: true,
      revisionEnds: [50, 99, 150],
      verdict: 'Valid, changed since, no legal value',
      sentence: expect.stringContaining('was not signed') as string,
    });
    expect(readable.signatures[0]).toMatchObject({
      indication: 'TOTAL-PASSED',
      verdict: 'Valid, changed since, no legal value',
      changedSince: true,
      signedSize: 99,
      allowedBy: 'Allowed by: a certification that also allows annotations (DocMDP P=3)',
      changes: [{ isShown: true, page: 1, revision: 3 }],
    });
    expect(reportHtml(readable)).toContain('<p class="verdict changed">');
    expect(summarizeReport(report).status).toBe(true);
  });

  it.each([
    ['pt-BR', 'Hierarquia', 'teste, sem valor legal'],
    ['en', 'Hierarchy', 'test, without legal value'],
  ] as const)('names the hierarchy in words of %s', (language, label, value) => {
    expect(fullReport(language).signatures[0]?.rows).toContainEqual({ label, value });
  });

  const homologation = (): ChainReport => {
    const { certificate } = makeParty({ name: 'AC Raiz de Homologação' });
    const anchor = { ...certificate, certificate: certificate.der, isAnchor: true };
    return { ...chainOf(maria), entries: [...chainOf(maria).entries.slice(0, 1), anchor] };
  };
  const below = (hierarchy: Hierarchy) => (): ChainReport => ({ ...chainOf(maria), hierarchy });

  it.each<[string, ValidationCheckCode, () => ChainReport, ReportLanguage, string | undefined]>([
    ['the test authority', 'REVOCATION_UNREACHABLE', below('test'), 'en', 'the test services (sinete test-services)'],
    ['the test authority', 'REVOCATION_UNREACHABLE', below('test'), 'pt-BR', 'os serviços de teste (sinete test-'],
    ['a root for trying out', 'REVOCATION_UNREACHABLE', homologation, 'en', CHECK_TEXTS.REVOCATION_UNREACHABLE.en[1]],
    ['ICP-Brasil', 'REVOCATION_UNREACHABLE', below('ICP-Brasil'), 'en', CHECK_TEXTS.REVOCATION_UNREACHABLE.en[1]],
    ['ICP-Brasil', 'POLICY_ROOT_NOT_ALLOWED', below('ICP-Brasil'), 'en', CHECK_TEXTS.POLICY_ROOT_NOT_ALLOWED.en[1]],
    ['another root', 'POLICY_ROOT_NOT_ALLOWED', below('other'), 'en', '(sinete trust import --test)'],
    ['another root', 'POLICY_ROOT_NOT_ALLOWED', below('other'), 'pt-BR', '(sinete trust import --test)'],
    ['gov.br', 'POLICY_ROOT_NOT_ALLOWED', below('gov.br'), 'en', 'accept its own roots only'],
  ])('gives below %s the remedy for %s', (_, code, chain, language, remedy = 'nothing') => {
    const signature = signatureReport(maria, { chain: chain(), checks: [check(code)] });
    const names = { file: null, content: null };
    const readable = readableReport(reportOf([signature]), names, language);
    expect(readable.signatures[0]?.checks[0]?.remedy).toContain(remedy);
    const { signatures } = validationBody(reportOf([signature]), language);
    expect(signatures[0]?.checks[0]?.remedy).toContain(remedy);
  });

  it('offers a way to make a valid signature last', () => {
    expect(fullReport('en').signatures[0]?.hint).toMatch(/B-T\.$/);
  });

  it('holds no whole CPF anywhere', () => {
    expect(JSON.stringify(fullReport('en'))).not.toContain(MARIA_CPF);
  });
});

describe('reportHtml', () => {
  it.each(REPORT_LANGUAGES)('is one page in %s without script or anything fetched', (language) => {
    const page = reportHtml(fullReport(language));
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).not.toMatch(/<script|<img|<link|src=|@import|url\(/i);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('MARIA D’ÁVILA &lt;script&gt;');
    expect(page).toContain('contrato &lt;1&gt;.pdf');
    expect(page).toContain(`<a href="${OFFICIAL_VALIDATION_SITE}"`);
    expect(page.match(/<section/g)?.length).toBe(page.match(/<\/section>/g)?.length);
  });
});

describe('reportPdf', () => {
  it.each(REPORT_LANGUAGES)(
    'is a sound PDF in %s with text readable by poppler, accents included',
    async (language) => {
      const report = fullReport(language);
      const path = join(folder, `report-${language}.pdf`);
      await writeFile(path, await reportPdf(report, { created: new Date('2026-05-06T07:08:09Z') }));
      const checked = await runProgram('qpdf', ['--check', path]);
      expect(checked.code, checked.output + checked.errors).toBe(0);
      const { output } = await runProgram('pdftotext', ['-layout', path, '-']);
      const text = output.replaceAll(/\s+/g, ' ');
      for (const expected of [report.title, 'MARIA D’ÁVILA <script>', OFFICIAL_VALIDATION_SITE, '***.982.247-**']) {
        expect(text).toContain(expected);
      }
      const fonts = await runProgram('pdffonts', [path]);
      expect(fonts.output).toMatch(/NotoSans-Regular\s+CID TrueType\s+Identity-H\s+yes yes yes/);
    },
  );

  it.each([
    ['Arabic', 'محمد علي', 'NotoSansArabic'],
    ['Hebrew', 'יוסי כהן', 'NotoSansHebrew'],
    ['Devanagari', 'श्री राजेन्द्र', 'NotoSansDevanagari'],
    ['Chinese', '王小明', 'NotoSansCJK'],
    ['Japanese', '山田さくら', 'NotoSansJP'],
  ])('shows a file name in %s', async (_script, name, font) => {
    const report = readableReport(reportOf([signatureReport(maria)]), { file: `${name}.pdf`, content: null }, 'en');
    const path = join(folder, `${font}.pdf`);
    await writeFile(path, await reportPdf(report, { created: new Date('2026-05-06T07:08:09Z') }));
    expect((await runProgram('qpdf', ['--check', path])).code).toBe(0);
    expect((await runProgram('pdffonts', [path])).output).toMatch(new RegExp(`${font}-Regular\\s.*yes yes yes`));
    const { output } = await runProgram('pdftotext', [path, '-']);
    for (const word of name.split(' ')) expect(output.normalize('NFKC')).toContain(word);
    expect(output).not.toContain('[]');
  });

  it.each(['A4', 'Letter'] as const)(
    'is a single tagged page of %s for one signature, with the hash',
    async (paper) => {
      const names = { file: 'a.pdf', content: null, size: 58_392, sha256: 'c'.repeat(64) };
      const report = readableReport(reportOf([signatureReport(maria)]), names, 'pt-BR');
      const path = join(folder, `${paper}.pdf`);
      await writeFile(path, await reportPdf(report, { created: new Date('2026-05-06T07:08:09Z'), paper }));
      const { output } = await runProgram('pdfinfo', [path]);
      expect(output).toMatch(/Tagged:\s+yes/);
      expect(output).toMatch(/Pages:\s+1\n/);
      expect(output).toContain(paper === 'A4' ? '595.28 x 841.89' : '612 x 792');
      const metadata = await runProgram('pdfinfo', ['-meta', path]);
      expect(metadata.output).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>');
      const text = await runProgram('pdftotext', ['-layout', path, '-']);
      expect(text.output).toMatch(/SHA-256\s+c{64}\n/);
      expect(text.output).toContain('58.392 bytes');
    },
  );

  it('breaks a long report into pages, each with its number', async () => {
    const many = Array.from({ length: 12 }, (_, index) => signatureReport(maria, { id: String(index + 1) }));
    const report = readableReport(reportOf(many), { file: 'a.p7m', content: null }, 'en');
    const path = join(folder, 'long.pdf');
    await writeFile(path, await reportPdf(report, { created: new Date('2026-05-06T07:08:09Z') }));
    const { output } = await runProgram('pdfinfo', [path]);
    const pages = Number(/Pages:\s+(\d+)/.exec(output)?.[1]);
    expect(pages).toBeGreaterThan(3);
    const last = await runProgram('pdftotext', ['-f', String(pages), path, '-']);
    expect(last.output).toContain(`${pages}/${pages}`);
  });
});
