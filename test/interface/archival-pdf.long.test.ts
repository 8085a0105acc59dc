import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { Tag } from '../../src/signing/der/reader.ts';
import { derElement, derIa5String, derOctetString, derOid, derSequence } from '../../src/signing/der/writer.ts';
import { QpdfView } from '../signing/pdf/long-term-oracles.ts';
import { askQpdf } from '../signing/pdf/oracles.ts';
import {
  freePort,
  makeWorkplace,
  runSinete,
  runTestServices,
  type CommandOutcome,
  type TestServicesProcess,
  type Workplace,
} from '../app/run-sinete.ts';

/**
 * AD-RA for PDFs from the command line: the embedded material is imported or fetched, and nothing is signed without.
 */

const policyName = 'PA_PAdES_AD_RA_v1_4.der';
const policyPath = fileURLToPath(new URL(`../vectors/icp-brasil/${policyName}`, import.meta.url));
/** Answers of the place of publication; other addresses answer 404. */
const published = new Map<string, Buffer>();
let asked: string[] = [];
let source: Server;
let place: Workplace;
let services: TestServicesProcess;
let policy: Buffer;
let outputs = 0;
const fileOf = (name: string): string => join(place.folder, name);

const time = (text: string): Buffer => derElement(Tag.generalizedTime, Buffer.from(text));

/** A list of approved policies (LPAv2) naming the policy's file by its digest. */
function listOf(file: Buffer, nextUpdate: string): Buffer {
  const digest = derSequence(
    derSequence(derOid('2.16.840.1.101.3.4.2.1')),
    derOctetString(createHash('sha256').update(file).digest()),
  );
  const period = derSequence(time('20250723000000Z'), time('20371022000000Z'));
  const address = derIa5String(`http://politicas.icpbrasil.gov.br/${policyName}`);
  const listed = derSequence(period, derOid('2.16.76.1.7.1.14.1.4'), address, digest);
  return derSequence(derSequence(listed), time(nextUpdate));
}

const sinete = (...words: readonly string[]): Promise<CommandOutcome> => runSinete(place, words);

async function done(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sinete(...words);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

/** A computer of its own: data folder, master key, identity and test services, and the contract to sign. */
async function begin(): Promise<void> {
  place = await makeWorkplace();
  const host = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  const environment = {
    ...place.environment,
    SINETE_TEST_SERVICES_PORT: String(await freePort()),
    SINETE_POLICIES_SOURCE: `http://${host}/`,
    SINETE_NETWORK_ALLOW: JSON.stringify([host]),
  };
  place = { ...place, environment };
  const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('contrato.pdf'), pdf);
  await done('certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35');
  services = await runTestServices(place);
}

async function beginAnew(): Promise<void> {
  await services.stop();
  await place.remove();
  await begin();
}

/** Signs the contract under AD-RA into a fresh folder. */
async function signArchival(): Promise<CommandOutcome & { readonly path: string }> {
  outputs += 1;
  const folder = `out-${outputs}`;
  await mkdir(fileOf(folder));
  const words = ['contrato.pdf', '--policy', 'AD-RA', '--out', folder, '--approve-here'];
  return { ...(await sinete('sign', ...words)), path: fileOf(`${folder}/contrato-signed.pdf`) };
}

/** Writes a list into the folder and lets the test identity sign the list, as ITI signs its own. */
async function writeSignedList(folder: string, list: Buffer): Promise<void> {
  await mkdir(fileOf(folder), { recursive: true });
  await writeFile(fileOf(`${folder}/LPA_PAdES.der`), list);
  await done('sign', `${folder}/LPA_PAdES.der`, '--detached', '--approve-here');
}

beforeAll(async () => {
  source = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    asked.push(name);
    const body = published.get(name);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  policy = await readFile(policyPath);
  await begin();
});
afterAll(async () => {
  await services.stop();
  source.close();
  await place.remove();
});

async function expectArchival(path: string, list: Buffer, signature: Buffer): Promise<void> {
  expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
  const { signatures } = await verifyPdf(path);
  expect(signatures.map(({ subFilter, outcome }) => [subFilter, outcome])).toEqual([
    ['PBAD.PAdES', 'intact'],
    ['ETSI.RFC3161', 'intact'],
  ]);
  const view = await QpdfView.open(path);
  const entry = view.entries[view.signatures[0]?.key ?? ''] ?? {};
  for (const [lists, single, expected] of [
    ['/PBAD_PolicyArtifacts', '/PBAD_PolicyArtifact', policy],
    ['/PBAD_LpaArtifacts', '/PBAD_LpaArtifact', list],
    ['/PBAD_LpaSignatures', '/PBAD_LpaSignature', signature],
  ] as const) {
    expect(view.streams(view.store, lists)).toEqual([expected]);
    expect(view.streams(entry, single)).toEqual([expected]);
  }
}

describe('sinete sign --policy AD-RA, on a PDF', () => {
  it('tells the missing material and the way to get it where nothing is published, and signs nothing', async () => {
    const { code, stderr, path } = await signArchival();
    expect(code).not.toBe(0);
    expect(stderr).toContain('sinete trust update');
    expect(stderr).toContain(`${policyName}, LPA_PAdES.der and LPA_PAdES.p7s`);
    expect(stderr).toContain('HTTP status 404');
    expect(asked).toContain('LPA_PAdES.p7s');
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('embeds material imported from a folder', async () => {
    const list = listOf(policy, '20991231000000Z');
    await writeSignedList('lpa', list);
    await copyFile(policyPath, fileOf(`lpa/${policyName}`));
    const told = await done('trust', 'import', 'lpa');
    expect(told).toContain('Policy 2.16.76.1.7.1.14.1.4');
    expect(told).toContain('List of 1 approved policies, until 2099-12-31');
    expect(told).toContain('Signature of a list of policies');
    asked = [];
    const { code, stderr, path } = await signArchival();
    expect(code, stderr).toBe(0);
    expect(asked).toEqual([]);
    await expectArchival(path, list, await readFile(fileOf('lpa/LPA_PAdES.der.p7s')));
  });

  it('fetches a newer list when the present list is overdue, and is content with an overdue published list', async () => {
    await beginAnew();
    const list = listOf(policy, '20200101000000Z');
    await writeSignedList('overdue', list);
    const signature = await readFile(fileOf('overdue/LPA_PAdES.der.p7s'));
    published.set('LPA_PAdES.der', list).set('LPA_PAdES.p7s', signature).set(policyName, policy);
    const { code, stderr, path } = await signArchival();
    // Older versions of the policy are not published here; and not needed.
    expect(code, stderr).toBe(0);
    await expectArchival(path, list, signature);
    published.clear();
    const refused = await signArchival();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('overdue');
  });

  it('refuses a list not naming the policy, and a list changed by somebody else', async () => {
    await beginAnew();
    await writeSignedList('other', listOf(Buffer.from('another file'), '20991231000000Z'));
    await copyFile(policyPath, fileOf(`other/${policyName}`));
    await done('trust', 'import', 'other');
    expect((await signArchival()).stderr).toContain('does not have 2.16.76.1.7.1.14.1.4');
    await writeFile(fileOf('changed.der'), listOf(policy, '20991231000000Z'));
    await done('trust', 'import', 'changed.der');
    expect((await signArchival()).stderr).toContain('does not have 2.16.76.1.7.1.14.1.4');
  });
});
