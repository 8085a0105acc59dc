/** EU DSS and we extend, co-sign and counter-sign each other's files, of ETSI's levels and of ICP-Brasil's policies. */
import type { CmsLevel } from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { writeWithDss, type DssMeans, type DssRequest } from './dss.ts';
import { changed, cosign, countersign, extend, outcomeOf } from './our-changes.ts';
import { newestPolicy } from './policies.ts';
import type { SampleMaker } from './sample-maker.ts';
import { isArchived, isPdf, type Sample, type Verdicts } from './samples.ts';

type Level = DssRequest['level'];

const LEVELS: readonly Level[] = ['B', 'T', 'LT', 'LTA'];
const KINDS = ['p7s', 'p7m', 'pdf'] as const;

/** The means of both sides. */
export interface Parties {
  readonly maker: SampleMaker;
  /** Our signer of further signatures. */
  readonly identity: TestIdentity;
  readonly dss: DssMeans;
}

/** The resulting files, and the word of each maker: `made`, or the reason of a failure. */
export interface Made {
  readonly samples: readonly Sample[];
  readonly outcomes: Verdicts;
}

const madeOf = (outcomes: Verdicts): Made => ({
  samples: [...outcomes].filter(([, outcome]) => outcome === 'made').map(([sample]) => sample),
  outcomes,
});

const withContent = (maker: SampleMaker, kind: string): Pick<Sample, 'content'> =>
  kind === 'p7s' ? { content: maker.contentPath } : {};

/** DSS signs at each level, and with `policies` under ICP-Brasil's policies as far as its levels reach. */
export async function signWithDss({ maker, dss }: Parties, key: string, policies: boolean): Promise<Made> {
  const requests = KINDS.flatMap((kind): readonly DssRequest[] => {
    const input = kind === 'pdf' ? maker.pdfPath : maker.contentPath;
    const sampleOf = (name: string, levels: readonly string[]): Sample => {
      const file = `dss-${key}-${name}.${kind}`;
      return { name: file, path: maker.path(file), levels, ...withContent(maker, kind) };
    };
    const plain = LEVELS.map((level) => {
      return { operation: 'sign', input, level, sample: sampleOf(`B-${level}`, [`B-${level}`]) } as const;
    });
    const named = (
      [
        ['AD-RB', 'B'],
        ['AD-RT', 'T'],
        ['AD-RC', 'LTA'],
      ] as const
    )
      .filter(([profile]) => policies && (kind === 'pdf' || profile !== 'AD-RC'))
      .map(([profile, level]): DssRequest => {
        const policy = newestPolicy(kind === 'pdf' ? 'PAdES' : 'CAdES', profile);
        return { operation: 'sign', input, level, policy, sample: { ...sampleOf(profile, [`B-${level}`]), profile } };
      });
    return [...plain, ...named];
  });
  return madeOf(await writeWithDss(requests, dss));
}

/** The levels after extending a file of a level: the highest, for a renewal, and from the lowest every level. */
const targetsOf = (level: string): readonly Level[] => (level === 'B-B' ? ['T', 'LT', 'LTA'] : ['LTA']);

/**
 * The levels after a further signature at B-LTA. In a PDF its document time stamp is over the first signature too:
 * together with the material added by DSS for every signature, B-LTA, and B-T with our material, for the new signature
 * alone.
 */
const cosigned = (one: Sample, atLeast: 'B-T' | 'B-LTA'): readonly string[] => {
  const first = one.levels.map((level) => (isPdf(one) && level === 'B-B' ? atLeast : level));
  return [...first, 'B-LTA'];
};

/**
 * A further signature goes beside a signature without evidence, and beside one with all evidence. An archive time stamp
 * of version 2 is over the certificates of the message (RFC 5126 §6.4.1): a further signer breaks the stamp. Sinete
 * refuses to add a signer, and DSS does not.
 */
const isOpenToSigners = (one: Sample): boolean =>
  one.levels[0] === 'B-B' || (isArchived(one) && (isPdf(one) || one.profile !== 'AD-RA'));

/** DSS extends, co-signs and counter-signs files of ours. */
export async function changeWithDss({ maker, dss }: Parties, from: readonly Sample[]): Promise<Made> {
  const requests: DssRequest[] = [];
  for (const one of from) {
    const [first = ''] = one.levels;
    const ask = (operation: DssRequest['operation'], level: Level, prefix: string, levels: readonly string[]): void => {
      const sample = changed(maker, one, prefix, levels);
      requests.push({ operation, input: one.path, level, sample });
    };
    for (const level of targetsOf(first))
      ask(
        'extend',
        level,
        `dss-${level}`,
        one.levels.map(() => `B-${level}`),
      );
    if (isOpenToSigners(one)) ask('cosign', 'LTA', 'dss-cosigned', cosigned(one, 'B-LTA'));
    if (first === 'B-T' && !isPdf(one)) ask('countersign', 'B', 'dss-countersigned', one.levels);
  }
  return madeOf(await writeWithDss(requests, dss));
}

/** DSS brings files to B-LTA: our counter-signed files, or files with archive time stamps once more. */
export async function archiveWithDss({ maker, dss }: Parties, from: readonly Sample[], prefix: string): Promise<Made> {
  const requests = from.map((one): DssRequest => {
    const sample = changed(
      maker,
      one,
      prefix,
      one.levels.map(() => 'B-LTA'),
    );
    return { operation: 'extend', input: one.path, level: 'LTA', sample };
  });
  return madeOf(await writeWithDss(requests, dss));
}

/** The profiles after extending a signature under a policy. */
const PROFILES: Readonly<Record<string, readonly (CmsLevel & `AD-${string}`)[]>> = {
  'AD-RB': ['AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'],
  'AD-RT': ['AD-RA'],
};
const LEVEL_OF_PROFILE: Readonly<Record<string, string>> = {
  'AD-RT': 'B-T',
  'AD-RV': 'B-T',
  'AD-RC': 'B-LT',
  'AD-RA': 'B-LTA',
};

/** We extend, co-sign and counter-sign files of DSS. */
export async function changeOurselves({ maker, identity }: Parties, from: readonly Sample[]): Promise<Made> {
  const outcomes = new Map<Sample, string>();
  for (const one of from) {
    const [first = ''] = one.levels;
    const make = async (
      prefix: string,
      levels: readonly string[],
      how: (to: Sample) => Promise<void>,
    ): Promise<void> => {
      const sample = changed(maker, one, prefix, levels);
      outcomes.set(sample, await outcomeOf(() => how(sample)));
    };
    for (const target of targetsOf(first)) {
      const level = `B-${target}` as CmsLevel;
      await make(
        `our-${target}`,
        one.levels.map(() => level),
        (to) => extend(maker, one, to, level),
      );
    }
    for (const profile of isPdf(one) ? [] : (PROFILES[one.profile ?? ''] ?? [])) {
      const levels = [LEVEL_OF_PROFILE[profile] ?? ''];
      await make(`our-${profile}`, levels, (to) => extend(maker, one, to, profile));
    }
    if (isOpenToSigners(one)) {
      await make('our-cosigned', cosigned(one, 'B-T'), (to) => cosign(maker, one, to, identity));
    }
    if (first === 'B-T' && !isPdf(one)) {
      await make('our-countersigned', one.levels, (to) => countersign(maker, one, to, identity));
    }
  }
  return madeOf(outcomes);
}

/** We bring files to B-LTA. */
export async function archiveOurselves({ maker }: Parties, from: readonly Sample[], prefix: string): Promise<Made> {
  const outcomes = new Map<Sample, string>();
  for (const one of from) {
    const to = changed(
      maker,
      one,
      prefix,
      one.levels.map(() => 'B-LTA'),
    );
    outcomes.set(to, await outcomeOf(() => extend(maker, one, to, 'B-LTA')));
  }
  return madeOf(outcomes);
}
