import { describe, expect, it } from 'vitest';
import type { FileOfDocument } from '../../renderer/src/bridge/bridge.ts';
import { sendFiles } from '../../renderer/src/pages/sign/send-files.ts';

/** A file removed after the choice: the browser keeps its name and size, and no bytes. */
function removed(name: string): File {
  const file = new File(['x'], name);
  const gone = async (): Promise<ArrayBuffer> => Promise.reject(new DOMException('gone', 'NotFoundError'));
  return Object.assign(file, { slice: () => ({ arrayBuffer: gone }) as unknown as Blob });
}

const lost = { code: 'UNREACHABLE', message: 'Failed to fetch' } as const;

async function send(files: readonly File[], failing: (files: readonly FileOfDocument[]) => boolean) {
  const [sent, refused]: [string[], string[]] = [[], []];
  const error = await sendFiles({
    bridge: {
      sendDocuments: (_tcn, parcel) =>
        Promise.resolve(failing(parcel) ? { ok: false, error: lost } : { ok: true, value: {} }) as never,
    },
    tcn: 'T',
    files: files.map((file, index) => ({ file, documentId: String(index) })),
    signal: new AbortController().signal,
    mayGoOn: async () => Promise.resolve(true),
    onProgress: () => undefined,
    onSent: (parcel) => sent.push(...parcel.map(({ file }) => file.name)),
    onRefused: ({ file }, { code }) => refused.push(`${file.name} ${code}`),
  });
  return { error, sent, refused };
}

describe('sending the files of a batch', () => {
  it('refuses a file removed since the choice, and sends the others', async () => {
    const files = [new File(['a'], 'a.pdf'), removed('b.pdf'), new File(['c'], 'c.pdf')];
    const outcome = await send(files, (parcel) => parcel.some(({ file }) => file.name === 'b.pdf'));
    expect(outcome).toEqual({ error: null, sent: ['a.pdf', 'c.pdf'], refused: ['b.pdf DOCUMENT_UNREADABLE'] });
  });

  it('ends where the connection is lost and every file can be read', async () => {
    const outcome = await send([new File(['a'], 'a.pdf'), new File(['b'], 'b.pdf')], () => true);
    expect(outcome).toEqual({ error: lost, sent: [], refused: [] });
  });
});
