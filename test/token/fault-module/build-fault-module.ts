import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../../oracles/run-program.ts';
import { systemFile } from '../../setup/system-packages.ts';
import type { SoftHsm } from '../softhsm.ts';

const SOURCE = fileURLToPath(new URL('./fault-module.c', import.meta.url));
/** The folder for `#include <p11-kit/pkcs11.h>`. */
export function pkcs11Headers(): string {
  return path.dirname(path.dirname(systemFile('PKCS#11 header')));
}

/** Compiles the misbehaving driver into a folder and answers its path. Needs gcc. */
export async function buildFaultModule(folder: string): Promise<string> {
  systemFile('C headers');
  const file = path.join(folder, 'fault-module.so');
  const options = ['-shared', '-fPIC', '-O1', '-Wall', '-I', pkcs11Headers(), '-o', file, SOURCE, '-ldl', '-lpthread'];
  await runTool('gcc', options, { folder });
  return file;
}

/** A driver whose faults a test switches on and off. */
export interface FaultyModule {
  readonly modulePath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces all faults: `faults('sign=hang', 'papath=1')`; none: the driver behaves. See `fault-module.c`. */
  faults(...lines: readonly string[]): void;
  /** The trace of the driver since the last `clearTrace`: one line per C_Login and C_Sign. */
  trace(): readonly string[];
  clearTrace(): void;
}

/** Puts the misbehaving driver in front of a SoftHSM. */
export async function createFaultyModule(hsm: SoftHsm): Promise<FaultyModule> {
  const modulePath = await buildFaultModule(hsm.folder);
  const control = path.join(hsm.folder, 'faults');
  const trace = path.join(hsm.folder, 'trace');
  const faults = (...lines: readonly string[]): void =>
    writeFileSync(control, lines.map((line) => `${line}\n`).join(''));
  const clearTrace = (): void => writeFileSync(trace, '');
  faults();
  clearTrace();
  return {
    modulePath,
    environment: {
      ...hsm.environment,
      P11_REAL: hsm.modulePath,
      P11_FAULT: control,
      P11_TRACE: trace,
      P11_PIN: hsm.pin,
    },
    faults,
    trace: () =>
      readFileSync(trace, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    clearTrace,
  };
}
