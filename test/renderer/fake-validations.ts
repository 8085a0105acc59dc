import type { CallHandlers, CallInput, CallOutput } from '../../src/ui-contract/ui-contract.ts';
import { FakeError, rightPassword } from './fake-error.ts';
import { validationOf } from './fake-validation.ts';

interface Names {
  readonly file: string;
  readonly content: string | null;
}

/** The validations of a `FakeCore`, and the files sent for them. */
export class FakeValidations {
  readonly #uploads = new Map<string, string>();
  readonly #done = new Map<string, Names>();

  /** Takes a file for a call naming it. */
  keepFile(name: string): { readonly upload: string } {
    const upload = `upload-${this.#uploads.size + 1}`;
    this.#uploads.set(upload, name);
    return { upload };
  }

  run(input: Parameters<CallHandlers['validation.run']>[0]): CallOutput<'validation.run'> {
    const file = this.#nameOf(input.signature);
    if (file.includes('protegido') && input.password !== rightPassword) {
      throw new FakeError(input.password === undefined ? 'DOCUMENT_ENCRYPTED' : 'PASSWORD_INCORRECT');
    }
    if (file.endsWith('.txt') || file.includes('formulário')) throw new FakeError('NOT_A_SIGNATURE');
    const names = { file, content: input.content === undefined ? null : this.#nameOf(input.content) };
    const id = String(this.#done.size + 1);
    this.#done.set(id, names);
    return validationOf(id, names, input.language);
  }

  read({ id, language }: CallInput<'validation.read'>): CallOutput<'validation.read'> {
    return validationOf(id, this.#find(id), language);
  }

  #find(id: string): Names {
    const names = this.#done.get(id);
    if (names === undefined) throw new FakeError('NOT_FOUND');
    return names;
  }

  #nameOf(file: CallInput<'validation.run'>['signature']): string {
    if ('upload' in file) return this.#uploads.get(file.upload) ?? '';
    return 'path' in file ? file.path : `${file.result.tcn}-signed.pdf`;
  }
}
