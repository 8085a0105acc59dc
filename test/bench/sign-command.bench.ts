import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeWorkplace, plainEnvironment, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type Measure } from './harness.ts';

const repository = join(import.meta.dirname, '../..');

/** The last commit whose command line loaded all commands for each one. */
const EARLIER = '7d2733e';

/** The folder of a checkout of the earlier commit with its packages. It is kept for the next run. */
async function earlierCheckout(): Promise<string> {
  const folder = join(repository, 'test/.work', `checkout-${EARLIER}`);
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder;
  await rm(folder, { recursive: true, force: true });
  await runTool('git', ['clone', '--quiet', '--no-hardlinks', repository, folder]);
  await runTool('git', ['-C', folder, 'checkout', '--quiet', EARLIER]);
  // No token is used here, so the binding for drivers need not be compiled.
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: { ...process.env, npm_config_local_prefix: folder },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci failed in the checkout of ${EARLIER}.`);
  return folder;
}

/** A checkout with a running instance and a test identity in a data folder of its own. */
class Contender {
  readonly #entry: string;
  readonly #workplace: Workplace;
  #instance: ServingProcess | undefined;
  #documents = 0;

  private constructor(checkout: string, workplace: Workplace) {
    this.#entry = join(checkout, 'src/app/sinete.js');
    this.#workplace = workplace;
  }

  static async start(checkout: string): Promise<Contender> {
    const contender = new Contender(checkout, await makeWorkplace());
    contender.#run('certificates', 'test-identity', '--name', 'ANA LIMA', '--cpf', '11144477735');
    contender.#instance = await serve(contender.#workplace, ['--approve', 'all'], contender.#entry);
    return contender;
  }

  #run(...words: readonly string[]): void {
    const { status, stderr } = spawnSync(process.execPath, [this.#entry, ...words], {
      cwd: this.#workplace.folder,
      env: { ...plainEnvironment(), ...this.#workplace.environment },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`sinete ${words[0] ?? ''} ended with ${status ?? 'a signal'}: ${stderr}`);
  }

  /** Milliseconds of a single command signing a small text through the instance. */
  readonly sign: Measure = async () => {
    const name = `${++this.#documents}.txt`;
    await writeFile(join(this.#workplace.folder, name), 'content');
    return milliseconds(() => this.#run('sign', name, '--type', 'CAdES-detached'));
  };

  async end(): Promise<void> {
    await this.#instance?.stop();
    await this.#workplace.remove();
  }
}

export const benchmark: Benchmark = {
  name: `sinete sign with a running instance: time in relation to commit ${EARLIER}`,
  async run() {
    const contenders: Contender[] = [];
    const open = async (checkout: string): Promise<Contender> => {
      const contender = await Contender.start(checkout);
      contenders.push(contender);
      return contender;
    };
    try {
      const [now, earlier] = [await open(repository), await open(await earlierCheckout())];
      const figures = await interleave({ now: now.sign, earlier: earlier.sign });
      return [
        {
          what: 'sinete sign',
          ...compared(figures, 'now', 'earlier'),
          bound: { atMost: 0.85 },
          detail: `${median(figures.now).toFixed(0)} ms against ${median(figures.earlier).toFixed(0)} ms`,
        },
      ];
    } finally {
      for (const contender of contenders) await contender.end();
    }
  },
};
