/** Services of a job on the other side of the port: key, time stamps, evidence. */
import type { Certificate } from '../certificates/certificate.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import type { PdfLevelOptions } from '../pdf/long-term/level.ts';
import type { DetachedSigner } from '../pdf/sign-request.ts';
import type { MaterialCollector } from '../revocation/revocation-result.ts';
import { readTimestampToken, type Timestamper } from '../timestamps/timestamp-token.ts';
import type { Answer, Answers, LevelTraits, Question, SignerTraits, StamperTraits } from './jobs.ts';

/** Asks the caller, one question after the other. */
export type Ask = <Asked extends Question>(question: Asked) => Promise<Answers[Asked['kind']]>;

/** A signer with its key on the other side of the port. */
export function remoteSigner(traits: SignerTraits, ask: Ask): DetachedSigner {
  return {
    ...traits,
    certificate: Buffer.from(traits.certificate),
    signDigest: async (digest, signingTime) =>
      Buffer.from(await ask({ kind: 'sign-digest', digest, signingTime, digestAlgorithm: traits.digest })),
  };
}

/** Services for levels. */
export type LevelParts = Pick<PdfLevelOptions, 'timestamper' | 'collector'>;

/** Time stamps and evidence from the other side of the port. */
export const remoteParts = (timestamper: StamperTraits, ask: Ask): LevelParts => ({
  timestamper: new RemoteTimestamper(timestamper, ask),
  collector: remoteCollector(ask),
});

/** A level of a PDF whose time stamps and evidence come from the caller. */
export function remoteLevel({ timestamper, ...level }: LevelTraits, ask: Ask): PdfLevelOptions {
  return { ...level, ...remoteParts(timestamper, ask) };
}

class RemoteTimestamper implements Timestamper {
  readonly digest: Timestamper['digest'];
  sizeLimit: number;
  readonly #ask: Ask;

  constructor({ digest, sizeLimit }: StamperTraits, ask: Ask) {
    this.digest = digest;
    this.sizeLimit = sizeLimit;
    this.#ask = ask;
  }

  async stamp(...[imprint, , digest]: Parameters<Timestamper['stamp']>): ReturnType<Timestamper['stamp']> {
    const { token, sizeLimit } = await this.#ask({ kind: 'stamp', imprint, digest });
    this.sizeLimit = sizeLimit;
    return readTimestampToken(Buffer.from(token));
  }
}

function remoteCollector(ask: Ask): MaterialCollector {
  const derOf = ({ der }: Certificate): Uint8Array => der;
  return {
    async collect(certificate, known, at, _signal, terms) {
      const found = await ask({ kind: 'collect', certificate: derOf(certificate), known: known.map(derOf), at, terms });
      return {
        certificates: found.certificates.map((der) => parseCertificate(Buffer.from(der))),
        ocspResponses: found.ocspResponses.map((der) => Buffer.from(der)),
        crls: found.crls.map((der) => Buffer.from(der)),
      };
    },
  };
}

/** The plain data of a timestamper for the other side of the port. */
export const stamperTraits = ({ digest, sizeLimit }: Timestamper): StamperTraits => ({ digest, sizeLimit });

/** The plain data of a level for the other side of the port. */
export function levelTraits({ level, timestamper, policyArtifacts, olderEvidence }: PdfLevelOptions): LevelTraits {
  return {
    level,
    timestamper: stamperTraits(timestamper),
    policyArtifacts,
    olderEvidence,
  };
}

/** The caller's side: answers a worker's question with the real parts. */
export function answerQuestions(
  signer: DetachedSigner | undefined,
  level: LevelParts | undefined,
  signal: AbortSignal | undefined,
): (question: Question) => Promise<Answer> {
  const present = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('A worker asks for a service that its job does not need.');
    return part;
  };
  return async (question) => {
    switch (question.kind) {
      case 'sign-digest':
        return present(signer).signDigest(question.digest, question.signingTime);
      case 'stamp': {
        const { timestamper } = present(level);
        const { der } = await timestamper.stamp(question.imprint, signal, question.digest);
        return { token: der, sizeLimit: timestamper.sizeLimit };
      }
      case 'collect': {
        const known = question.known.map((der) => parseCertificate(Buffer.from(der)));
        const certificate = parseCertificate(Buffer.from(question.certificate));
        const { certificates, ocspResponses, crls } = await present(level).collector.collect(
          certificate,
          known,
          question.at,
          signal,
          question.terms,
        );
        return { certificates: certificates.map(({ der }) => der), ocspResponses, crls };
      }
      case 'fetch':
      case 'cache-get':
      case 'cache-put':
        throw new Error('A worker asks for a service that its job does not need.');
    }
  };
}
