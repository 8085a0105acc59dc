/** The sources measured by `npm run mutants`, their tests, and the share of mutants the tests have to notice. */

/** A part of the product with its tests, measured together. */
export interface MutantGroup {
  readonly name: string;
  /** Sources as globs, relative to the repository. */
  readonly files: readonly string[];
  /**
   * Tests of each source, as globs; the first row with a matching `file` counts. Quick tests only: such tests run again
   * for each mutant, and a test starting servers or browsers would take hours.
   */
  readonly tests: readonly { readonly file: string; readonly run: readonly string[] }[];
  /** Percent of the mutants of all files together. */
  readonly limit: number;
  /** Vitest's pool; `threads` when absent. A thread cannot change the umask or the user: such tests need `forks`. */
  readonly pool?: 'forks';
}

const authorization = 'test/http/authorization';
const inPeer = (name: string): string => `test/http/peer/${name}.test.ts`;
const inRevocation = (names: string): readonly string[] => [`test/signing/revocation/${names}.test.ts`];
const inDifferences = (names: string): readonly string[] => [`test/signing/pdf/differences/${names}.test.ts`];
const intake = 'test/service/transactions/intake';

export const mutantGroups: readonly MutantGroup[] = [
  {
    name: 'local-guard',
    files: ['src/http/local-guard.ts'],
    tests: [{ file: '**', run: ['test/http/local-guard.test.ts'] }],
    limit: 90,
  },
  {
    name: 'peer-check',
    files: ['src/http/peer/{connection-ends,linux-peers,socket-diagnosis}.ts'],
    tests: [
      { file: '**/socket-diagnosis.ts', run: [inPeer('socket-diagnosis')] },
      { file: '**', run: ['linux-peers', 'socket-diagnosis'].map(inPeer) },
    ],
    limit: 90,
  },
  {
    name: 'uploads',
    files: ['src/service/transactions/intake/{match-uploads,document-places}.ts'],
    tests: [
      { file: '**/match-uploads.ts', run: [`${intake}/match-uploads.test.ts`] },
      { file: '**/document-places.ts', run: [`${intake}/document-places.test.ts`] },
    ],
    limit: 90,
  },
  {
    name: 'transactions',
    files: ['src/service/transactions/intake/{create,check-request,check-signer,add-to-batch}.ts'],
    tests: [
      { file: '**/create.ts', run: [`${intake}/create.test.ts`] },
      { file: '**/check-request.ts', run: [`${intake}/check-request.test.ts`] },
      { file: '**/check-signer.ts', run: [`${intake}/check-signer.test.ts`] },
      { file: '**/add-to-batch.ts', run: [`${intake}/add-to-batch.test.ts`] },
    ],
    limit: 90,
  },
  {
    name: 'authorization',
    files: ['src/http/authorization/*.ts'],
    tests: [
      {
        file: '**/token{,-model}.ts',
        run: ['token', 'refresh-and-push'].map((name) => `${authorization}/${name}.test.ts`),
      },
      { file: '**/push-request.ts', run: [`${authorization}/refresh-and-push.test.ts`] },
      { file: '**/multipart-fields.ts', run: [`${authorization}/multipart-fields.test.ts`] },
      {
        file: '**/authorize.ts',
        run: ['authorize', 'refresh-and-push'].map((name) => `${authorization}/${name}.test.ts`),
      },
      {
        file: '**/{check-authorization,oauth-library}.ts',
        run: ['authorize', 'token', 'refresh-and-push', 'basic-pair', 'oauth-library'].map(
          (name) => `${authorization}/${name}.test.ts`,
        ),
      },
      { file: '**/credentials.ts', run: [`${authorization}/credentials.test.ts`] },
      {
        file: '**/certificate-info.ts',
        run: ['certificate-info', 'openapi'].map((name) => `${authorization}/${name}.test.ts`),
      },
      { file: '**/operations.ts', run: ['openapi', 'token'].map((name) => `${authorization}/${name}.test.ts`) },
      { file: '**/oauth-schemas.ts', run: [`${authorization}/openapi.test.ts`] },
      { file: '**/{pages,page-texts}.ts', run: [`${authorization}/pages.test.ts`] },
    ],
    limit: 90,
  },
  {
    name: 'path',
    files: ['src/signing/certificates/path/*.ts'],
    tests: [{ file: '**', run: ['test/signing/certificates/path/*.test.ts'] }],
    limit: 90,
  },
  {
    name: 'differences',
    files: ['src/signing/pdf/differences/**/*.ts'],
    tests: [
      { file: '**/structure-rules.ts', run: inDifferences('{second-signatures,structure-changes,tagged}') },
      { file: '**/timestamp-structure.ts', run: inDifferences('{second-signatures,tagged}') },
      { file: '**/signature-structure.ts', run: inDifferences('{signature-structure,structure}') },
      {
        file: '**/{compare-revisions,object-places}.ts',
        run: inDifferences('{attacks,object-places,places-of-objects}'),
      },
      { file: '**/with-pdf-facts.ts', run: inDifferences('{structure,unreachable-signatures,usage-rights}') },
      ...[
        'judge-changes',
        'same-value',
        'step-ledger',
        'tree-entries',
        'output-intents',
        'revisions',
        'shared-digests',
        'page-tree-order',
      ].map((name) => ({
        file: `**/${name}.ts`,
        run: inDifferences(name),
      })),
      { file: '**/{reference-index,possible-holders}.ts', run: inDifferences('{places-of-objects,reference-index}') },
      { file: '**/{page-numbers,page-tree-paths}.ts', run: inDifferences('page-numbers') },
      { file: '**/field-looks.ts', run: inDifferences('{field-looks,form-changes}') },
      { file: '**/form-rules.ts', run: inDifferences('{changeable-entries,form-changes,page-changes}') },
      { file: '**/page-rules.ts', run: inDifferences('{changeable-entries,form-changes,page-changes}') },
      { file: '**/document-rules.ts', run: inDifferences('{catalog,form,page,trailer}-changes') },
      { file: '**/account-for-objects.ts', run: inDifferences('{form-changes,page-changes,unusual-trees}') },
      { file: '**/read-security-store.ts', run: inDifferences('read-security-store') },
      { file: '**/unreachable-signatures.ts', run: inDifferences('{ranges-in-bytes,unreachable-signatures}') },
      {
        file: '**',
        run: inDifferences('{attacks,changeable-entries,honest-revisions,second-signatures,structure,tagged}'),
      },
    ],
    limit: 90,
  },
  {
    name: 'judge',
    files: ['src/signing/validation/judge/*.ts'],
    tests: [
      {
        file: '**',
        run: ['judge-*', 'algorithm-policy'].map((name) => `test/signing/validation/${name}.test.ts`),
      },
    ],
    limit: 90,
  },
  {
    name: 'revocation',
    files: ['src/signing/revocation/**/*.ts'],
    tests: [
      { file: '**/crl/{crl-head,crl-scanner,crl-scope}.ts', run: inRevocation('crl-{head,index,scanner,scope}') },
      { file: '**/crl/{crl-index,crl-source}.ts', run: inRevocation('crl-{index,scope}') },
      { file: '**/crl/open-crls.ts', run: inRevocation('{crl-scope,revocation-checker}') },
      { file: '**/ocsp/*.ts', run: inRevocation('{ocsp,ocsp-response}') },
      { file: '**/cache/*.ts', run: inRevocation('revocation-cache') },
      { file: '**/{reasons,revocation-result}.ts', run: inRevocation('revocation-{result,sources}') },
      { file: '**/revocation-sources.ts', run: inRevocation('revocation-sources') },
      {
        file: '**/{complete-path,material-collector,other-paths}.ts',
        run: inRevocation('{complete-path,cross-certificates,material-collector}'),
      },
      { file: '**', run: inRevocation('{list-signers,revocation-answers,revocation-checker,revocation-result}') },
    ],
    limit: 90,
  },
  {
    name: 'aliases',
    files: ['src/service/certificates/alias-sight.ts', 'src/text/taxpayer-number.ts'],
    tests: [
      { file: '**/alias-sight.ts', run: ['test/service/certificates/alias-sight.test.ts'] },
      { file: '**', run: ['text', 'signing/certificates'].map((folder) => `test/${folder}/taxpayer-number.test.ts`) },
    ],
    limit: 90,
  },
  {
    name: 'reach-of-backup',
    files: ['src/app/compose/reach-of-backup.ts'],
    tests: [{ file: '**', run: ['test/app/compose/reach-of-backup.test.ts'] }],
    limit: 90,
  },
  {
    name: 'attempts',
    files: ['src/service/users/attempt-limits.ts'],
    tests: [{ file: '**', run: ['test/service/users/attempt-limits.test.ts'] }],
    limit: 90,
  },
  {
    name: 'rights',
    // The rights of Windows need Windows.
    files: ['src/rights/{access-lists,file-rights}.ts'],
    tests: [
      { file: '**/access-lists.ts', run: ['test/rights/access-lists.test.ts'] },
      { file: '**', run: ['test/rights/file-rights.test.ts'] },
    ],
    limit: 90,
    pool: 'forks',
  },
  {
    name: 'consent',
    files: ['src/service/consent/{approved-callers,consent,file-grants,grants,questions}.ts'],
    tests: [
      { file: '**/approved-callers.ts', run: ['test/service/consent/approved-callers.test.ts'] },
      {
        file: '**/file-grants.ts',
        run: ['file-grants', 'grants'].map((name) => `test/service/consent/${name}.test.ts`),
      },
      { file: '**/questions.ts', run: ['test/service/consent/questions.test.ts'] },
      { file: '**', run: ['test/service/consent/grants.test.ts'] },
    ],
    limit: 90,
  },
];
