import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { systemTool, type SystemTool } from '../setup/system-packages.ts';

/**
 * A program answering requests in sequence until this process ends, for programs that start slowly. `Resident.java` and
 * `writers/pyhanko_writer.py` implement the other side: a request on standard input is the number of words (32 bits),
 * then each word as its length (32 bits) and its bytes in UTF-8. The answer on standard output is a byte, 0 for
 * success, then the length (32 bits) and the bytes of the output, or of the error.
 */
export class ResidentProgram {
  readonly #stdin: Socket;
  readonly #stdout: Socket;
  /** The end of the program's log. */
  #errors = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(program: SystemTool, parameters: readonly string[]) {
    const child = spawn(systemTool(program), parameters, { stdio: 'pipe' });
    child.unref();
    this.#stdin = pipeOf(child.stdin);
    this.#stdout = pipeOf(child.stdout);
    // An ended program closes its input; the reader of the answer then tells why.
    this.#stdin.on('error', () => undefined);
    for (const pipe of [this.#stdin, this.#stdout, pipeOf(child.stderr)]) pipe.unref();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors = (this.#errors + text).slice(-4096)));
  }

  /** Answers the output of a request; rejects with the error reported by the program. */
  async run(words: readonly string[]): Promise<string> {
    const answer = this.#last.then(async () => this.#ask(words));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(words: readonly string[]): Promise<string> {
    this.#stdout.ref();
    try {
      this.#stdin.write(Buffer.concat([lengthOf(words.length), ...words.flatMap(withLength)]));
      const head = await this.#read(5);
      const text = (await this.#read(head.readInt32BE(1))).toString();
      if (head[0] !== 0) throw new Error(`${words[0] ?? 'The program'} failed: ${text}`);
      return text;
    } finally {
      this.#stdout.unref();
    }
  }

  async #read(length: number): Promise<Buffer> {
    const stdout = this.#stdout;
    for (;;) {
      const bytes = length === 0 ? Buffer.alloc(0) : (stdout.read(length) as Buffer | null);
      if (bytes !== null && bytes.length === length) return bytes;
      if (stdout.readableEnded) throw new Error(`The program has ended: ${this.#errors}`);
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stdout.off('readable', done).off('end', done);
          resolve();
        };
        stdout.on('readable', done).on('end', done);
      });
    }
  }
}

/** A pipe of a child process, made by Node as a socket. */
function pipeOf(stream: unknown): Socket {
  if (!(stream instanceof Socket)) throw new TypeError('This Node makes no sockets of pipes.');
  return stream;
}

function lengthOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function withLength(word: string): readonly Buffer[] {
  const bytes = Buffer.from(word);
  return [lengthOf(bytes.length), bytes];
}
