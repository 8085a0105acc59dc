/** EU DSS 6.4 (Maven): a judge, and a signer of files for our judgement. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { policyOfOid, type IcpBrasilPolicy } from '../../src/signing/index.ts';
import { runJava, type JavaProgram } from '../oracles/java.ts';
import { fetchDss } from '../oracles/foreign-writers.ts';
import { systemFile } from '../setup/system-packages.ts';
import { newestPolicies, policyFile } from './policies.ts';
import type { Sample, Verdicts } from './samples.ts';

const program = (main: string): JavaProgram => ({
  main,
  sources: [new URL(`judges/${main}.java`, import.meta.url)],
  libraries: [],
  jars: fetchDss,
});
const JUDGE = program('DssJudge');
const SIGNER = program('DssSigner');

const DSS_LEVEL = /^(?:CAdES|PAdES)-BASELINE-(B|T|LT|LTA)$/;
const DSS_INDICATION: Readonly<Record<string, string>> = {
  TOTAL_PASSED: 'passed',
  TOTAL_FAILED: 'failed',
  INDETERMINATE: 'undetermined',
  PASSED: 'passed',
  FAILED: 'failed',
};

/** One signature of DSS: `CAdES-BASELINE-LTA:TOTAL_PASSED::` → `B-LTA passed`. Other formats keep their names. */
function dssVerdict(text: string): string {
  const [format = '', indication = '', sub = '', policy = ''] = text.split(':');
  const level = DSS_LEVEL.exec(format)?.[1];
  const outcome = DSS_INDICATION[indication] ?? indication;
  const profile = policyOfOid(policy)?.profile;
  const under = profile === undefined ? '' : ` under ${profile}`;
  return `${level === undefined ? format : `B-${level}`} ${outcome}${under}${sub === '' ? '' : ` ${sub}`}`;
}

/** The judge's question besides the files. */
export interface DssQuestion {
  /** Path of the root certificate. */
  readonly root: string;
  readonly at: Date;
  /** Whether servers are asked about revocations; otherwise only what is in the files counts. */
  readonly isAsking: boolean;
  /** A folder for lists. */
  readonly folder: string;
}

/** The verdicts of EU DSS. A policy counts as kept when the signature names the hash of ITI's file. */
export async function judgeWithDss(samples: readonly Sample[], question: DssQuestion): Promise<Verdicts> {
  const { root, at, isAsking, folder } = question;
  const [list, policies] = [join(folder, 'dss.list'), join(folder, 'policies.list')];
  const asked = isAsking ? 'asked' : '';
  const lines = samples.map(({ path, content = '', record = '' }) =>
    [path, content, record, at.toISOString(), asked].join('\t'),
  );
  await writeFile(list, lines.map((line) => `${line}\n`).join(''));
  const files = newestPolicies().map((policy) => `${policy.uri}\t${policyFile(policy)}\n`);
  await writeFile(policies, files.join(''));
  const answers = await runJava(JUDGE, [root, list, policies]);
  return new Map(
    samples.map((sample, index) => {
      const answer = answers[index] ?? 'ERROR no answer';
      return [sample, answer.startsWith('ERROR') ? answer : answer.split(' ').map(dssVerdict).join(', ')] as const;
    }),
  );
}

/** A file that DSS makes. */
export interface DssRequest {
  readonly operation: 'sign' | 'cosign' | 'countersign' | 'extend';
  readonly input: string;
  /** The result; its `path` is written. */
  readonly sample: Sample;
  readonly level: 'B' | 'T' | 'LT' | 'LTA';
  readonly policy?: IcpBrasilPolicy;
}

/** The means of DSS as a signer. */
export interface DssMeans {
  readonly root: string;
  readonly pkcs12: string;
  readonly password: string;
  readonly timestampUrl: string;
  /** A folder for lists. */
  readonly folder: string;
  /** Days that the clock of DSS is ahead. */
  readonly daysAhead?: number;
}

/** Another clock for Java (libfaketime); pauses are measured by the right one. */
const clockAhead = (days: number): Readonly<Record<string, string>> => ({
  LD_PRELOAD: systemFile('libfaketime'),
  FAKETIME: `+${days}d`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** Lets EU DSS make files, in a single run of Java: `made` for each, or why not. */
export async function writeWithDss(requests: readonly DssRequest[], means: DssMeans): Promise<Verdicts> {
  const { root, pkcs12, password, timestampUrl, folder, daysAhead = 0 } = means;
  const list = join(folder, 'dss-requests.list');
  const lines = requests.map(({ operation, input, sample, level, policy }) =>
    [operation, input, sample.content ?? '', sample.path, level, policy?.oid, policy?.hash, policy?.uri].join('\t'),
  );
  await writeFile(list, lines.map((line) => `${line}\n`).join(''));
  const options = daysAhead === 0 ? undefined : { environment: clockAhead(daysAhead) };
  const answers = await runJava(SIGNER, [root, pkcs12, password, timestampUrl, list], options);
  return new Map(requests.map(({ sample }, index) => [sample, answers[index] ?? 'ERROR no answer'] as const));
}
