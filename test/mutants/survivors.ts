/**
 * Mutants living on, with the reason of harmlessness for each. Such mutants count as not killed. `npm run mutants`
 * fails for a row no longer met in the measurement of the file.
 */
export interface Survivor {
  /** Relative to the repository. */
  readonly file: string;
  /** The replaced source, with single blanks. */
  readonly original: string;
  /** Stryker's replacement, with single blanks. */
  readonly replacement: string;
  readonly why: string;
}

const model = 'src/http/authorization/token-model.ts';
const neverCalled = "The library's types demand the method, and its token flow never calls it.";

const inAuthorization = (name: string): string => `src/http/authorization/${name}.ts`;
const inIntake = (name: string): string => `src/service/transactions/intake/${name}.ts`;
const inJudge = (name: string): string => `src/signing/validation/judge/${name}.ts`;
const inPath = (name: string): string => `src/signing/certificates/path/${name}.ts`;
const inRevocation = (name: string): string => `src/signing/revocation/${name}.ts`;

/** Mutants of a file, as original and replacement, harmless for the same reason. */
const harmless = (file: string, why: string, mutants: readonly (readonly [string, string])[]): readonly Survivor[] =>
  mutants.map(([original, replacement]) => ({ file, original, replacement, why }));

export const survivors: readonly Survivor[] = [
  {
    file: model,
    original: '[]',
    replacement: '["Stryker was here"]',
    why: 'Only the id of the client of a code is compared: its grants are those of the client that proved itself.',
  },
  {
    file: model,
    original: '{ username: found.username }',
    replacement: '{}',
    why: 'A renewed token belongs to the person of the kept permission, whatever the library hands over.',
  },
  { file: model, original: '{ return Promise.resolve(undefined); }', replacement: '{}', why: neverCalled },
  ...harmless(inIntake('document-places'), 'A function that ends answers undefined.', [
    ['{ return undefined; }', '{}'],
  ]),
  ...harmless(
    inIntake('check-request'),
    'Nobody asks whether this is taken: ids are numbers or texts of the request.',
    [
      ['id === undefined', 'false'],
      ['[]', '["Stryker was here"]'],
    ],
  ),
  ...harmless(inIntake('check-request'), 'The list has one setting, which is there.', [
    ['settings[0]?.id', 'settings[0].id'],
  ]),
  ...harmless(inIntake('check-request'), 'Patterns read an absent value as the word "undefined", which is an id.', [
    ['id !== undefined', 'true'],
  ]),
  ...harmless(inIntake('create'), 'Only a request with a key has an earlier owner.', [
    ['idempotency?.bodyDigest', 'idempotency.bodyDigest'],
  ]),
  ...harmless(inIntake('create'), 'The owner uses no grants.', [["reach.kind === 'owner'", 'false']]),
  ...harmless(inAuthorization('credentials'), 'The origin of a site is a text, which an absent one never equals.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...harmless(inAuthorization('credentials'), 'The other half of the comparison moves the used scheme to the front.', [
    ['other === used', 'false'],
  ]),
  ...harmless(inAuthorization('multipart-fields'), 'Each field is a part: the limit of parts ends the form as well.', [
    ["parser.on('fieldsLimit', refuse('The form has too many fields.'));", ';'],
  ]),
  ...harmless(inAuthorization('check-authorization'), 'Both are a fault of ours, which is answered with 500.', [
    ['failure === undefined', 'false'],
  ]),
  ...harmless(inAuthorization('check-authorization'), 'The library only asks whether there is a person.', [
    ["{ username: '' }", '{}'],
  ]),
  ...harmless(
    inAuthorization('check-authorization'),
    'The scopes that count are those that were noted, and the library refuses a request without them.',
    [
      ['[]', '["Stryker was here"]'],
      ['[...known]', '[]'],
    ],
  ),
  ...harmless(inAuthorization('check-authorization'), neverCalled, [
    ['async () => Promise.resolve(undefined)', '() => undefined'],
    ['async () => Promise.resolve(false)', '() => undefined'],
    ['false', 'true'],
  ]),
  ...harmless(inAuthorization('certificate-info'), 'Patterns read an absent header as the word "undefined".', [
    ['authorization === undefined', 'false'],
  ]),
  ...harmless(inAuthorization('oauth-library'), 'The text is trimmed, so that no white space stands at its start.', [
    ['end < 0', 'end <= 0'],
  ]),
  ...harmless(inAuthorization('oauth-library'), 'An absent text fails to be decoded, which is answered alike.', [
    ['text === undefined', 'false'],
  ]),
  ...harmless(inAuthorization('oauth-library'), 'A function that ends answers undefined.', [
    ['{ return undefined; }', '{}'],
  ]),
  ...harmless(inAuthorization('oauth-library'), 'A refusal of OAuth is no problem of the table, and is thrown below.', [
    ['error instanceof OAuthRefusal', 'false'],
  ]),
  ...harmless(inAuthorization('operations'), 'Each operation tells both faults.', [
    ['before[status]?.description', 'before[status].description'],
  ]),
  ...harmless(inAuthorization('authorize'), 'A request that is there has a decision.', [
    ['decision?.kind', 'decision.kind'],
  ]),
  ...harmless(inAuthorization('token'), 'The library keeps a token before it ends.', [
    ['model.outcome === undefined', 'false'],
    ["throw new Error('The library ended without a token.');", ';'],
  ]),
  ...harmless(
    inAuthorization('token'),
    'The model finds a confidential application by its secret only, and allows a public one neither grant without a proof.',
    [['true', 'false']],
  ),
  ...harmless(inJudge('algorithm-policy'), 'A comparison of a time with a text is false.', [
    ["reliability !== 'never'", 'true'],
  ]),
  ...harmless(inJudge('algorithm-policy'), 'A day that is not remembered is read again.', [
    ['times.set(day, time);', ';'],
  ]),
  ...harmless(inJudge('judge-algorithms'), 'Among algorithms that are not all reliable, one is weak.', [
    ['found === undefined', 'false'],
  ]),
  ...harmless(inJudge('judge-algorithms'), 'Each comparison with an absent time is false.', [
    ['until !== undefined && notBefore !== undefined', 'true'],
    ['until !== undefined && notBefore !== undefined', 'until !== undefined || notBefore !== undefined'],
    ['until !== undefined', 'true'],
    ['notBefore !== undefined', 'true'],
  ]),
  ...harmless(inJudge('judge-algorithms'), 'Nothing weak is reliable at an absent time.', [
    ['proven !== undefined', 'true'],
  ]),
  ...harmless(inJudge('judge-chain'), 'A certificate that begins now is told as valid above.', [
    ['at < notBefore', 'at <= notBefore'],
  ]),
  ...harmless(inJudge('judge-chain'), 'A comparison with an absent time is false.', [
    ['control !== undefined', 'true'],
  ]),
  ...harmless(
    inJudge('judge-chain'),
    'A first certificate that has ended or has not begun is told by the lines before.',
    [['links.slice(1)', 'links']],
  ),
  ...harmless(inJudge('judge-chain'), 'Each comparison with an absent time is false.', [
    ['after === undefined', 'false'],
    ['proven !== undefined', 'true'],
  ]),
  ...harmless(inJudge('judge-chain'), 'Only paths with a first certificate get here.', [
    ['[]', '["Stryker was here"]'],
    ['leaf?.evidence', 'leaf.evidence'],
    ['leaf === undefined', 'false'],
  ]),
  ...harmless(inJudge('judge-chain'), 'The reference of a proven object is its proven time where no other is given.', [
    ['reference === undefined', 'false'],
  ]),
  ...harmless(inJudge('judge-file'), 'Each stamp is judged before its judgement is looked up.', [
    ['[]', '["Stryker was here"]'],
    ['item === undefined', 'false'],
  ]),
  ...harmless(inJudge('judge-integrity'), 'An unknown kind is said together with a damage only.', [
    ['damage !== undefined', 'true'],
  ]),
  ...harmless(inJudge('judge-policy-material'), 'A stamp that is not valid has a failure.', [
    ['judgement.failure?.subIndication', 'judgement.failure.subIndication'],
    ['undecided.judgement.failure?.subIndication', 'undecided.judgement.failure.subIndication'],
  ]),
  ...harmless(
    inJudge('judge-policy-material'),
    'The empty cases lead behind the switch with each name and without it.',
    [["case 'revocationValues': break;", "case 'revocationValues':"]],
  ),
  ...harmless(inJudge('judge-policy-material'), 'The last line of the function answers the same.', [
    ["standing.state === 'right'", 'false'],
  ]),
  ...harmless(inJudge('judge-policy'), 'Without a path there is no root.', [['chain === undefined', 'false']]),
  ...harmless(inJudge('judge-signature'), 'The long way answers the same for no stamps, and for a single note.', [
    ['stamps.length === 0', 'false'],
    ['notes.length < 2', 'false'],
  ]),
  ...harmless(inJudge('judge-signature'), 'A stamp that is not valid has a failure.', [
    ['judgement.failure?.check', 'judgement.failure.check'],
  ]),
  ...harmless(
    inJudge('judge-signature'),
    'The latest of no times is an invalid date, with which each comparison is false.',
    [['times.length === 0', 'false']],
  ),
  ...harmless(inJudge('judge-timestamp'), 'The line above accepts a time that is equal to the beginning.', [
    ['time < certificate.notBefore', 'time <= certificate.notBefore'],
  ]),
  ...harmless(inJudge('protection'), 'The long way answers the same for no stamps.', [
    ['stamps.length === 0', 'false'],
  ]),
  ...harmless(inJudge('slide-time'), 'A comparison with an absent time is false.', [['right !== undefined', 'true']]),
  ...harmless(inJudge('slide-time'), 'Equal times are the same answer.', [
    ['at < known', 'at <= known'],
    ['right < left', 'right <= left'],
  ]),
  ...harmless(inPath('build-path'), 'Each search judges at least one path, and keeps it when it fails.', [
    ['{ path: [certificate], reachesAnchor: false, check: { problems: [], policies: [] } }', '{}'],
    ['{ problems: [], policies: [] }', '{}'],
  ]),
  ...harmless(inPath('build-path'), 'A path has at least one certificate.', [['last === undefined', 'false']]),
  ...harmless(inPath('build-path'), 'The readers throw no other error.', [
    ['!(error instanceof SigningError)', 'false'],
  ]),
  ...harmless(inPath('build-path'), 'A known verdict saves time only: a new check answers the same.', [
    ['verdicts.set(certificate, known.set(issuer, verdict));', ';'],
  ]),
  ...harmless(inPath('check-certificate'), 'The first three digits of the name are 256 as well.', [
    ["name === 'prime256v1'", 'false'],
  ]),
  ...harmless(inPath('check-certificate'), 'The readers throw no other error.', [
    ['!(error instanceof SigningError)', 'false'],
  ]),
  ...harmless(inPath('check-certificate'), 'No other field begins with an object identifier, as an algorithm does.', [
    ['readDer(body) .children.slice(1, 3)', 'readDer(body).children'],
  ]),
  ...harmless(inPath('check-path'), 'A path has a certificate at each index below its length.', [
    ['certificate === undefined', 'false'],
    ['path[0]?.commonName', 'path[0].commonName'],
  ]),
  ...harmless(inPath('purposes'), 'A certificate with extended key usage has the extension.', [
    [
      'certificate.extensions.get(Oid.extendedKeyUsage)?.critical',
      'certificate.extensions.get(Oid.extendedKeyUsage).critical',
    ],
  ]),
  ...harmless(inRevocation('cache/revocation-cache'), 'A comparison with an absent time is false.', [
    ['asked !== undefined', 'true'],
  ]),
  ...harmless(inRevocation('cache/revocation-cache'), 'A signal ends once, and the listener is taken off afterwards.', [
    ['{ once: true }', '{}'],
    ['true', 'false'],
  ]),
  ...harmless(inRevocation('crl/crl-head'), 'A flag has one byte (X.690 §11.1).', [
    ['flag.content.some((byte) => byte !== 0)', 'flag.content.every(byte => byte !== 0)'],
  ]),
  ...harmless(
    inRevocation('crl/crl-head'),
    'A list without anything behind its signed part is refused when its end is read.',
    [['bodyEnd > end', 'bodyEnd >= end']],
  ),
  ...harmless(inRevocation('crl/crl-scanner'), 'A piece without entries adds an empty window.', [
    ['from >= to', 'from > to'],
  ]),
  ...harmless(inRevocation('crl/crl-scanner'), 'A time of no bytes is refused when the entry is read.', [
    ['window[start] === INTEGER', 'true'],
    ['serialLength < 0x80', 'serialLength <= 0x80'],
    ['timeStart + 2 <= end', 'timeStart + 2 < end'],
  ]),
  ...harmless(inRevocation('crl/crl-scanner'), 'Nothing is kept of the piece before: the joined window is the same.', [
    ['this.#carry.length > 0', 'true'],
    ['this.#carry.length > 0', 'this.#carry.length >= 0'],
  ]),
  ...harmless(
    inRevocation('crl/crl-scanner'),
    'The guess decides how much memory is taken at first, not which entries are found.',
    [
      ['(entriesEnd - entriesStart) / USUAL_ENTRY', '(entriesEnd - entriesStart) * USUAL_ENTRY'],
      ['entriesEnd - entriesStart', 'entriesEnd + entriesStart'],
    ],
  ),
  ...harmless(
    inRevocation('crl/crl-scanner'),
    'The length is read with the next piece, or the list is cut off there.',
    [['start + bytes > window.length', 'start + bytes >= window.length']],
  ),
  ...harmless(
    inRevocation('crl/crl-scanner'),
    'The length of the entry is refused first, but for the last four bytes.',
    [
      ["malformed('an entry is too long');", ';'],
      ['window.length - used > MAX_ENTRY', 'false'],
      ['window.length - used > MAX_ENTRY', 'window.length - used >= MAX_ENTRY'],
    ],
  ),
  ...harmless(inRevocation('crl/crl-scanner'), 'The long way reads the same reason.', [
    ['isPlainReason(extensions.bytes, 0, extensions.bytes.length)', 'false'],
    ['{ return { revokedAt, reason: reasonOf(extensions.bytes.at(-1)) }; }', '{}'],
  ]),
  ...harmless(inRevocation('crl/crl-scope'), 'The mark is turned round for each list alike.', [
    ['scope.names === undefined', 'scope.names !== undefined'],
  ]),
  ...harmless(
    inRevocation('ocsp/read-ocsp-response'),
    'A responder is believed by the signature of the issuer on its certificate, wherever the certificate stands.',
    [['tag === contextTag(0)', 'true']],
  ),
  ...harmless(inRevocation('ocsp/read-ocsp-response'), 'The cause is for people who look into an error.', [
    ['{ cause }', '{}'],
  ]),
  ...harmless(
    inRevocation('ocsp/read-ocsp-response'),
    'Where these are missing, the answers behind them are missing, too.',
    [
      ['responder === undefined || producedAt === undefined', 'responder === undefined && producedAt === undefined'],
      ['responder === undefined || producedAt === undefined', 'false'],
      ['responder === undefined', 'false'],
      ['producedAt === undefined', 'false'],
    ],
  ),
  ...harmless(inRevocation('ocsp/verify-ocsp-response'), 'The cause is for people who look into an error.', [
    ['{ cause }', '{}'],
  ]),
  ...harmless(inRevocation('ocsp/verify-ocsp-response'), 'The readers throw no other error.', [
    ['error instanceof SigningError', 'true'],
  ]),
  ...harmless(inRevocation('revocation-result'), 'A comparison with an absent time is false.', [
    ['expiredSince !== undefined', 'true'],
  ]),
  ...harmless(inRevocation('revocation-result'), 'Equal times are the same answer.', [
    ['producedAt > thisUpdate', 'producedAt >= thisUpdate'],
  ]),
  ...harmless(inRevocation('ocsp/certificate-id'), 'The serial number behind both is asked for first.', [
    ['keyHash?.content', 'keyHash.content'],
    ['nameHash?.content', 'nameHash.content'],
  ]),
];
