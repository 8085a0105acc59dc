import { describe, expect, it } from 'vitest';
import { textsOf } from '../../src/desktop/texts.ts';
import { askedSubject } from '../../src/text/asked-subject.ts';

const hash = { digest: 'sha256', value: '00' };

describe('the subject of a request', () => {
  it.each([
    ['PAdES', [{}], 'documents', '1 document waits for you.', '1 documento espera por você.'],
    [
      'CAdES-detached',
      [{ hash }, { hash }],
      'hashes',
      '2 hashes without their documents wait.',
      '2 resumos sem os documentos esperam.',
    ],
    [
      'RAW',
      [{ hash }],
      'hashes',
      '1 hash without its document waits for you.',
      '1 resumo sem o documento espera por você.',
    ],
    [
      'RAW',
      [{}],
      'data',
      '1 piece of data without a document waits for you.',
      '1 bloco de dados sem documento espera por você.',
    ],
  ] as const)(
    'for the type %s with %j is %s, also in notifications',
    (type, documents, subject, english, portuguese) => {
      const asked = askedSubject(type, documents);
      expect(asked).toBe(subject);
      expect(textsOf('en').approvalBody(documents.length, asked)).toBe(english);
      expect(textsOf('pt-BR').approvalBody(documents.length, asked)).toBe(portuguese);
    },
  );
});
