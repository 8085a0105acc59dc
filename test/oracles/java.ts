import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { javaLibrary, systemTool, type JavaLibrary } from '../setup/system-packages.ts';
import { runTool } from './run-program.ts';

/** A Java program of the tests. */
export interface JavaProgram {
  /** The class whose `main` runs. */
  readonly main: string;
  /** Source files of the program. */
  readonly sources: readonly URL[];
  readonly libraries: readonly JavaLibrary[];
  /** Paths of JAR files that are in no Debian package; they come first. */
  readonly jars?: () => Promise<readonly string[]>;
}

const KEPT = fileURLToPath(new URL('../.work/java', import.meta.url));

/** Starts quickly: these programs end before an optimising compiler or a parallel collector helps them. */
const OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Runs the others; it is compiled with each of them. */
const RESIDENT = new URL('Resident.java', import.meta.url);

/** The folder of the compiled classes. Each state of the sources is compiled once, for all files of all runs. */
async function compile({ main, sources }: JavaProgram, classPath: string): Promise<string> {
  const files = sources.map((source) => fileURLToPath(source));
  const hash = createHash('sha256').update(classPath);
  for (const file of files) hash.update(await readFile(file));
  const folder = join(KEPT, `${main}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  const fresh = await mkdtemp(join(KEPT, 'compiling-'));
  await runTool('ecj', ['-proc:none', '-nowarn', '-17', '-cp', classPath, '-d', fresh, ...files]);
  // Another process may have compiled the same sources meanwhile: its folder is as good.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return folder;
}

/** A Java machine that runs the programs of one class path, one after another, until this process ends. */
class Resident {
  readonly #stdin: Socket;
  readonly #stdout: Socket;
  /** The end of the log of the Java machine. */
  #errors = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(classPath: string) {
    const words = [...OPTIONS, '-cp', classPath, 'Resident'];
    const child = spawn(systemTool('java'), words, { stdio: 'pipe' });
    child.unref();
    this.#stdin = pipeOf(child.stdin);
    this.#stdout = pipeOf(child.stdout);
    for (const pipe of [this.#stdin, this.#stdout, pipeOf(child.stderr)]) pipe.unref();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors = (this.#errors + text).slice(-4096)));
  }

  /** Answers the output of a program; rejects with the stack of its exception. */
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
      if (head[0] !== 0) throw new Error(`${words[0] ?? 'Java'} failed: ${text}`);
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
      if (stdout.readableEnded) throw new Error(`The Java machine has ended: ${this.#errors}`);
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

/** A pipe of a child process, which Node makes as a socket. */
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

const residents = new Map<string, Promise<Resident>>();

async function residentOf(program: JavaProgram, classPath: string): Promise<Resident> {
  const folder = await compile({ ...program, sources: [...program.sources, RESIDENT] }, classPath);
  return new Resident(`${folder}:${classPath}`);
}

/**
 * Runs a Java program and answers the lines that it printed; rejects when its `main` throws. The programs are compiled
 * by ecj, so that a Java runtime is enough and no JDK is needed. Programs of one kind run one after another in one Java
 * machine; with a folder or an environment of its own, a program gets a machine of its own.
 */
export async function runJava(
  program: JavaProgram,
  parameters: readonly string[],
  options?: Parameters<typeof runTool>[2],
): Promise<readonly string[]> {
  const fetched = (await program.jars?.()) ?? [];
  const classPath = [...fetched, ...program.libraries.map(javaLibrary)].join(':');
  let output: string;
  if (options === undefined) {
    const resident = residents.get(program.main) ?? residentOf(program, classPath);
    residents.set(program.main, resident);
    output = await (await resident).run([program.main, ...parameters]);
  } else {
    const words = [...OPTIONS, '-cp', `${await compile(program, classPath)}:${classPath}`, program.main, ...parameters];
    output = await runTool('java', words, options);
  }
  return output.split('\n').filter((line) => line !== '');
}
