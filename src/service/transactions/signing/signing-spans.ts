/** The spans of a job, of its signatures and of its key. */
import type { Signer } from '../../../signing/index.ts';
import { inSpan, type SpanOptions, type Tracer } from '../../monitoring/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { DocumentRecord, TransactionRecord } from '../records.ts';
import type { DocumentJob } from '../signers.ts';

/** The span of a job, below the create request of its transaction, on whatever node that was received. */
export function jobSpan(
  { jobs, now }: Pick<TransactionContext, 'jobs' | 'now'>,
  { transaction, waiting }: { readonly transaction: TransactionRecord; readonly waiting: readonly DocumentRecord[] },
): SpanOptions {
  const { tcn, createdAt, requester, traceParent } = transaction;
  return {
    kind: 'consumer',
    parent: { from: 'record', traceParent },
    attributes: {
      'sinete.requester': requester.kind,
      'sinete.documents': waiting.length,
      'sinete.job.age': now().getTime() - createdAt.getTime(),
      'sinete.job.claim': jobs.claimOf(tcn)?.number,
    },
  };
}

/** The span of one signature: from reading the document to the finished result, before its delivery. */
export function signatureSpan({ transaction, document, queuedAt }: DocumentJob): SpanOptions {
  const { type, policy, digest, keySource } = transaction;
  return {
    attributes: {
      'sinete.signature.type': type,
      'sinete.signature.policy': policy,
      'sinete.signature.digest': digest,
      'sinete.key.source': keySource,
      'sinete.queue.time': Math.round(performance.now() - queuedAt),
      'sinete.document.content': document.content?.kind,
      'sinete.document.size': document.size ?? undefined,
    },
  };
}

/** A signer whose operations of the key have spans. */
export function tracedSigner(tracer: Tracer, signer: Signer, source: TransactionRecord['keySource']): Signer {
  if (!tracer.isOn) return signer;
  const { certificate, chain, schemes } = signer;
  return {
    certificate,
    chain,
    schemes,
    async sign(message, parameters) {
      const mechanism = `${parameters.scheme} ${parameters.digest}`;
      const attributes = { 'sinete.key.source': source, 'sinete.key.mechanism': mechanism };
      return inSpan(tracer, 'key', { attributes }, async () => signer.sign(message, parameters));
    },
  };
}
