import { serialize } from '../syntax/serialize.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { ObjectSink } from './incremental-update.ts';

/** A new PDF: objects, cross-reference table, trailer (ISO 32000-2 §7.5). */
export class NewDocument implements ObjectSink {
  readonly #bodies = new Map<number, Buffer>();
  #next = 1;

  allocate(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  create(value: PdfValue): PdfReference {
    const number = this.allocate();
    this.put(number, value);
    return new PdfReference(number, 0);
  }

  /** Gives an allocated number its object. */
  put(number: number, value: PdfValue): void {
    this.#bodies.set(number, serialize(value));
  }

  addStream(number: number, entries: PdfDictionary, data: Buffer): void {
    const head = serialize(new Map([...entries, ['Length', data.length]]));
    this.#bodies.set(number, Buffer.concat([head, Buffer.from('\nstream\n'), data, Buffer.from('\nendstream')]));
  }

  /** The file; `trailer` names the catalog and the information dictionary. */
  finish(trailer: PdfDictionary): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = parts[0]?.length ?? 0;
    const rows: string[] = [];
    for (let number = 1; number < this.#next; number += 1) {
      const body = this.#bodies.get(number);
      if (body === undefined) throw new TypeError(`Object ${number} was allocated and not written.`);
      rows.push(`${String(length).padStart(10, '0')} 00000 n \n`);
      const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      parts.push(object);
      length += object.length;
    }
    const size = this.#next;
    parts.push(
      Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n`),
      serialize(new Map([...trailer, ['Size', size]])),
      Buffer.from(`\nstartxref\n${length}\n%%EOF\n`),
    );
    return Buffer.concat(parts);
  }
}
