/** Approvals pressed early, twice or for more than was seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
let calls: RealInstance['sinete']['handlers']['user-interface'];
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'ask' });
  calls = instance.sinete.handlers['user-interface'];
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
});
afterAll(async () => instance.stop());

interface Entry {
  readonly id: string;
  readonly status: string;
}

/** Creates a transaction waiting for the owner; its TCN. */
async function ask(json: object): Promise<string> {
  const { content } = await instance.send('POST', '/signature-service', { json: { type: 'CMS-attached', ...json } });
  return String(content.tcn);
}

async function upload(tcn: string, end: 'continue' | 'eot', text: string): Promise<void> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const url = `${instance.url}/file-transfer/${tcn}/${end}`;
  const answer = await fetch(url, { method: 'POST', headers, body: text });
  await answer.arrayBuffer();
  expect(answer.status).toBe(200);
}

/** The state of a transaction, once nothing of it is being signed any more. */
async function outcome(tcn: string): Promise<readonly string[]> {
  const { content } = await instance.send('GET', `/signature-service/${tcn}?wait=5`);
  return (content.documents as readonly Entry[]).map(({ status }) => status);
}

const decide = async (tcn: string, decision: 'approve' | 'refuse'): Promise<string> =>
  calls['approvals.decide']({ tcn, decision }).then(
    () => 'decided',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

describe('an approval', () => {
  it('cannot be given before the last document is there', async () => {
    const tcn = await ask({ documents_source: 'UPLOAD_REFERENCE' });
    await upload(tcn, 'continue', 'seen');
    expect(await decide(tcn, 'approve')).toBe('APPROVAL_NOT_WAITING');
    await upload(tcn, 'eot', 'unseen');
    const { content } = await instance.send('GET', `/signature-service/${tcn}`);
    expect(content).toMatchObject({ status: 'WAITING', waiting_for: 'approval' });
    expect(await decide(tcn, 'refuse')).toBe('decided');
    expect(await outcome(tcn)).toEqual(['ERROR', 'ERROR']);
  });

  it('that is given and refused at the same moment has one answer', async () => {
    for (const order of [
      ['approve', 'refuse'],
      ['refuse', 'approve'],
    ] as const) {
      const tcn = await ask({ documents_source: 'DATA_URL', documents: ['data:,a', 'data:,b'] });
      const answers = await Promise.all([...order, ...order].map(async (decision) => decide(tcn, decision)));
      expect(answers.filter((answer) => answer === 'decided')).toHaveLength(1);
      const expected = order[answers.indexOf('decided') % 2] === 'approve' ? 'SIGNED' : 'ERROR';
      expect(new Set(await outcome(tcn))).toEqual(new Set([expected]));
    }
  });

  it('shows bytes of the documents waiting, and of nothing else', async () => {
    const tcn = await ask({ documents_source: 'DATA_URL', documents: ['data:,seen'] });
    const other = await ask({ documents_source: 'DATA_URL', documents: ['data:,other'] });
    const read = async (documentId: string, part: number): Promise<string> =>
      calls['approvals.part']({ tcn, documentId, part }).then(
        ({ content }) => Buffer.from(content, 'base64').toString(),
        () => 'refused',
      );
    expect(await read('0', 0)).toBe('seen');
    for (const documentId of ['1', '', '../0', `../../${other}/0`, '__proto__']) {
      expect(await read(documentId, 0)).toBe('refused');
    }
    expect(await read('0', 2 ** 40)).toMatch(/^(refused)?$/);
    expect(await decide(tcn, 'refuse')).toBe('decided');
    expect(await read('0', 0)).toBe('refused');
  });

  it.each([
    { signatures: 0, minutes: 5 },
    { signatures: 1e9, minutes: 5 },
    { signatures: 5, minutes: 1e9 },
    { signatures: 5, minutes: -1 },
    { signatures: 1.5, minutes: 5 },
  ])('of later signatures has bounds: %j', async (standing) => {
    const tcn = await ask({ documents_source: 'DATA_URL', documents: ['data:,x'] });
    await expect(
      (async () => calls['approvals.decide']({ tcn, decision: 'approve', standing }))(),
    ).rejects.toBeDefined();
    const { content } = await instance.send('GET', `/signature-service/${tcn}`);
    expect(content).toMatchObject({ status: 'WAITING', waiting_for: 'approval' });
  });

  it('of later signatures is for sites only', async () => {
    const tcn = await ask({ documents_source: 'DATA_URL', documents: ['data:,x'] });
    const standing = { signatures: 5, minutes: 5 };
    await expect(calls['approvals.decide']({ tcn, decision: 'approve', standing })).rejects.toBeDefined();
    const { content } = await instance.send('GET', `/signature-service/${tcn}`);
    expect(content).toMatchObject({ status: 'WAITING', waiting_for: 'approval' });
  });
});
