import { Oid, type Certificate, type ImportedTrustMaterial } from '../../signing/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { CallHandlers, CallInput, TrustImport, TrustView } from '../../ui-contract/ui-contract.ts';
import { AppError } from '../app-error.ts';
import { staleTrustSentence } from '../../service/certificates/index.ts';
import { readStaleTrust } from '../evidence/evidence.ts';
import type { TrustWish } from '../evidence/trust.ts';
import { testServerId } from '../evidence/timestamp-servers.ts';
import type { Core } from '../compose/open-core.ts';

type EvidenceCalls = Pick<
  CallHandlers,
  Extract<keyof CallHandlers, `tsa.${string}` | `trust.${string}` | `testServices.${string}`>
>;

/** Milliseconds for an exchange with a time stamp server. */
const exchangeTimeout = 15_000;

/** The calls about time stamp servers, trust anchors and the test services. */
export function evidenceCalls(core: Core): EvidenceCalls {
  const { timestampServers, trust, evidence } = core;
  return {
    'tsa.list': async () =>
      (await timestampServers.list()).map(({ id, url, digest, policy, authentication }) => ({
        id,
        url,
        digest,
        policy: policy ?? null,
        authentication,
        isTest: id === testServerId,
      })),
    'tsa.add': async ({ policy, ...server }) => {
      const added = { ...server, timeout: exchangeTimeout, policy };
      await timestampServers.add(added);
      return {};
    },
    'tsa.remove': async ({ id }) => {
      await timestampServers.remove(id);
      return {};
    },
    'tsa.reorder': async ({ ids }) => {
      await timestampServers.reorder(ids);
      return {};
    },
    'tsa.test': async ({ id }) => {
      const { time, policy, certificate } = await evidence.testServer(id);
      return { time: time.toISOString(), policy, authority: certificate?.commonName ?? null };
    },
    'trust.list': async (wish) => trustForUi(core, wish),
    'trust.import': async ({ file, url, ...wish }) => {
      if (file !== undefined) return importFile(core, Buffer.from(file, 'base64'), wish);
      if (url !== undefined) return await importForUi(core, await trust.importFrom(url, wish));
      throw new ServiceError('REQUEST_INVALID', 'Give a file or an address to import from.');
    },
    'trust.update': async () => {
      const updated = await importForUi(core, await trust.update());
      const { failures } = await evidence.policyFiles.update();
      return { ...updated, skipped: [...updated.skipped, ...failures] };
    },
    'trust.remove': async ({ fingerprint }) => {
      await trust.remove(fingerprint);
      return {};
    },
    'trust.accept': async ({ fingerprint }) => {
      await trust.accept(fingerprint);
      return {};
    },
    'testServices.run': async ({ port, ...wishes }) =>
      core.testServices.run(port, wishes).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        throw new ServiceError('NETWORK_UNAVAILABLE', error.message, { cause: error });
      }),
    'testServices.stop': async () => {
      await core.testServices.close();
      return {};
    },
  };
}

const anchorForUi = async ({ trust }: Core, anchor: Certificate): Promise<TrustView['anchors'][number]> => ({
  name: anchor.commonName,
  fingerprint: anchor.fingerprint,
  hierarchy: trust.present.hierarchyOf(anchor),
  notAfter: anchor.notAfter.toISOString(),
  timeStampsOnly: trust.present.marks.timeStampsOnly.has(anchor.fingerprint),
  isRemovable: await trust.isRemovable(anchor.fingerprint),
});

const anchorsForUi = async (core: Core, anchors: readonly Certificate[]): Promise<TrustView['anchors']> =>
  Promise.all(anchors.map(async (anchor) => anchorForUi(core, anchor)));

const authoritiesForUi = (authorities: readonly Certificate[]): TrustView['refused'] =>
  authorities
    .map(({ commonName, issuerAttributes, fingerprint, notAfter }) => ({
      name: commonName,
      issuer: issuerAttributes.find(({ oid }) => oid === Oid.commonName)?.value ?? '',
      fingerprint,
      notAfter: notAfter.toISOString(),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'pt-BR'));

async function trustForUi(
  core: Core,
  { language = 'en', authorities = false }: CallInput<'trust.list'>,
): Promise<TrustView> {
  const { anchors, intermediates } = core.trust;
  const stale = await readStaleTrust(core, core.now());
  return {
    anchors: await anchorsForUi(core, anchors),
    intermediates: intermediates.length,
    ...(authorities ? { authorities: authoritiesForUi(intermediates) } : {}),
    refused: authoritiesForUi(core.trust.present.refused),
    stale: stale.map((one) => staleTrustSentence(one, language)),
  };
}

/** Imports certificates, or a file of ICP-Brasil's policies. */
async function importFile(core: Core, file: Buffer, wish: TrustWish): Promise<TrustImport> {
  const { trust, evidence } = core;
  const policy = await evidence.policyFiles.import(file);
  if (policy !== undefined) return { anchors: [], intermediates: 0, policies: [policy], skipped: [] };
  return await importForUi(core, await trust.import(file, wish));
}

async function importForUi(
  core: Core,
  { anchors, intermediates, skipped }: ImportedTrustMaterial,
): Promise<TrustImport> {
  return {
    anchors: await anchorsForUi(core, anchors),
    intermediates: intermediates.length,
    policies: [],
    skipped: skipped.map(({ name, sentence }) => (sentence.includes(name) ? sentence : `${name}: ${sentence}`)),
  };
}
