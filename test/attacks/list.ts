/** The list of attacks on the running product, with the tests that try each of them again. */

/** Tests of a file whose full names (groups and test) contain `words`; all of them must pass. */
type Tests = readonly [file: string, words: string];

/** An attack of the list. */
export interface Attack {
  /** Its numbers in the list: `90`, `1-28`, `S1`. */
  readonly numbers: string;
  readonly attack: string;
  readonly tests: readonly Tests[];
}

export interface Attacker {
  readonly attacker: string;
  readonly attacks: readonly Attack[];
}

const endpoints = 'test/attacks/every-endpoint.test.ts';
const browser = 'test/browser/attack-page.long.test.ts';
const sites = 'test/attacks/sites-and-files.test.ts';
const guesses = 'test/attacks/guessing-and-replay.test.ts';
const paths = 'test/attacks/paths.test.ts';
const documents = 'test/attacks/hostile-documents.long.test.ts';
const guard = 'test/http/local-guard.test.ts';
const peer = 'test/http/peer/peer-user.test.ts';
const linuxPeers = 'test/http/peer/linux-peers.test.ts';
const limits = 'test/http/peer/limit-connections.test.ts';
const proof = 'test/http/peer/instance-proof.test.ts';
const channel = 'test/app/local-channel.test.ts';
const otherUser = 'test/attacks/other-user.long.test.ts';
const backup = 'test/attacks/strangers-backup.long.test.ts';
const flood = 'test/attacks/flood.long.test.ts';
const rawHttp = 'test/attacks/raw-http.test.ts';
const client = 'test/network/http-client.test.ts';
const statusOnly = 'test/network/status-only.test.ts';
const notifications = 'test/service/notifications/notifications.test.ts';
const approval = 'test/renderer/approval-documents.long.test.ts';
const drawings = 'test/renderer/approval-drawings.long.test.ts';
const terminal = 'test/app/print.test.ts';
const auditLog = 'test/storage/sql/audit-log.test.ts';
const uploads = 'test/attacks/uploads.test.ts';
const odd = 'test/attacks/odd-inputs.test.ts';
const seen = 'test/attacks/seen-documents.test.ts';
const oauth = 'test/attacks/oauth-tricks.test.ts';
const open = 'test/attacks/open-listener.test.ts';
const nodes = 'test/attacks/nodes.long.test.ts';
const everyRoute = 'test/http/listeners/every-route.test.ts';
const costly = 'test/attacks/costly-requests.test.ts';
const third = 'test/attacks/third-look.test.ts';
const fourth = 'test/attacks/fourth-look.test.ts';
const polls = 'test/http/pace-long-polls.test.ts';
const lifeCycle = 'test/service/transactions/life-cycle.test.ts';
const lists = 'test/interface/transaction-lists.test.ts';
const webhooks = 'test/interface/webhooks.test.ts';

/** By attacker, in the order of the numbers. */
export const attackers: readonly Attacker[] = [
  {
    attacker: 'A web page',
    attacks: [
      { numbers: '1-28', attack: 'Blind requests to every endpoint', tests: [[endpoints, '1-28:'], [browser, 'no-cors']] }, // prettier-ignore
      { numbers: '29-58', attack: 'Requests under CORS to every endpoint', tests: [[endpoints, '29-58:'], [browser, 'has no effect by fetch']] }, // prettier-ignore
      { numbers: '59-61', attack: 'Forms of three kinds, also in frames', tests: [[endpoints, '59-61:'], [browser, 'has no effect by form']] }, // prettier-ignore
      { numbers: '62', attack: 'Images, scripts, frames and other resources', tests: [[endpoints, '62, 68-75: loads'], [browser, 'has no effect by image'], [browser, 'has no effect by script']] }, // prettier-ignore
      { numbers: '63-67', attack: 'Pages without an origin', tests: [[endpoints, '63-67:'], [browser, 'has no effect by sandboxed iframe']] }, // prettier-ignore
      { numbers: '68-75', attack: 'WebSocket, EventSource, beacon, ping, worker', tests: [[endpoints, '68-75: opens no WebSocket'], [browser, 'has no effect by WebSocket'], [browser, 'has no effect by beacon'], [browser, 'has no effect by EventSource'], [browser, 'has no effect by link that pings'], [browser, 'has no effect by worker']] }, // prettier-ignore
      { numbers: '76-78', attack: 'A POST that another site redirects here', tests: [[endpoints, '63-67:'], [endpoints, '85:']] }, // prettier-ignore
      { numbers: '79-80', attack: 'A popup with one of our pages', tests: [[otherUser, '80:'], [browser, 'has no effect by popup'], ['test/http/authorization/pages.test.ts', 'stands in no frame']] }, // prettier-ignore
      { numbers: '81-83', attack: 'DNS rebinding', tests: [[endpoints, '81-83:'], ['test/browser/attack-names.long.test.ts', 'a page whose name was rebound']] }, // prettier-ignore
      {
        numbers: '84',
        attack: 'Forged origins',
        tests: [
          [endpoints, '84:'],
          [guard, 'a host that only looks like loopback'],
        ],
      },
      { numbers: '85', attack: 'A form posted to the authorize page', tests: [[endpoints, '85:'], ['test/http/authorization/code-flow-in-chromium.long.test.ts', 'its form cannot be posted from elsewhere']] }, // prettier-ignore
      { numbers: '86', attack: 'Clickjacking', tests: [[otherUser, '86:'], ['test/http/authorization/code-flow-in-chromium.long.test.ts', 'cannot be framed'], ['test/renderer/questions.test.ts', 'not by a press that comes with it'], [approval, 'waits while the window is behind another']] }, // prettier-ignore
      { numbers: '87', attack: 'Script in names that a page or a window shows', tests: [[otherUser, '87:'], ['test/interface/authorize.test.ts', 'has no script'], ['test/desktop/desktop.test.ts', 'has a policy without any connection']] }, // prettier-ignore
      { numbers: '88', attack: 'The key of the window’s link', tests: [['test/http/ui-bridge.test.ts', 'opens with the key of a link, once']] }, // prettier-ignore
      { numbers: '89', attack: 'Names that look like others', tests: [[approval, 'marks what cannot be seen'], [documents, '115:']] }, // prettier-ignore
      { numbers: '90', attack: 'Files and stores of the user, named by a site', tests: [[sites, '90, S1:']] },
      { numbers: '91', attack: 'Existence and checksum of files, asked by a site', tests: [[sites, '91, S1:']] },
      { numbers: '92', attack: 'Questions without end', tests: [['test/service/consent/consent.test.ts', 'asks only so often'], ['test/service/consent/consent.test.ts', 'holds only so many requests']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'Another user of the computer',
    attacks: [
      { numbers: '93', attack: 'Requests of another user', tests: [[otherUser, '93:'], [guard, 'another user'], [peer, 'the user at the other end']] }, // prettier-ignore
      { numbers: '94', attack: 'Other addresses of this computer', tests: [[otherUser, '94:'], [guard, 'another computer is refused'], [peer, 'the user at the other end']] }, // prettier-ignore
      { numbers: '95', attack: 'Files of the data folder', tests: [[otherUser, '95:'], ['test/storage/open-storage.test.ts', 'that only their owner can read'], ['test/storage/secrets/secret-stores.test.ts', 'for its owner only'], ['test/app/config/check-data-folder.test.ts', 'a data folder']] }, // prettier-ignore
      { numbers: '96-97', attack: 'Secrets in arguments, environment and core files', tests: [[otherUser, '96:'], ['test/token/token-key-source.test.ts', 'keeps the PIN out of errors']] }, // prettier-ignore
      { numbers: '98', attack: 'A closed socket counted as root', tests: [[otherUser, '98, S3:'], [linuxPeers, 'is not identified by an established row without an inode'], [peer, 'the user at the other end']] }, // prettier-ignore
      { numbers: '99', attack: 'Thousands of connections', tests: [[flood, '99, 101, S4:'], [limits, 'connections to the listener']] }, // prettier-ignore
      { numbers: '100', attack: 'The port or channel taken by another program', tests: [[otherUser, '100, S4:'], [channel, 'sends nothing but a challenge'], [proof, 'proves itself for its own listener']] }, // prettier-ignore
      { numbers: '101', attack: 'A table of thousands of foreign sockets', tests: [[flood, '99, 101, S4:'], [peer, 'serves all connections that were accepted']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'A remote server',
    attacks: [
      { numbers: '102', attack: 'Callbacks to addresses in private networks', tests: [['test/interface/notification.test.ts', 'notification_callback'], [client, 'an HTTP client without exceptions']] }, // prettier-ignore
      { numbers: '103', attack: 'Names that resolve to private addresses', tests: [[client, 'asks the resolver where it connects'], [notifications, 'is not contacted by a name']] }, // prettier-ignore
      { numbers: '104', attack: 'A callback that redirects here', tests: [[notifications, 'is not contacted through a redirect'], [statusOnly, 'follows no redirect']] }, // prettier-ignore
      { numbers: '105', attack: 'An answer without end', tests: [[statusOnly, 'an endless body'], [notifications, 'counts as told when the answer is endless']] }, // prettier-ignore
      { numbers: '106', attack: 'Other protocols, and passwords in addresses', tests: [[client, 'an HTTP client without exceptions']] }, // prettier-ignore
      { numbers: '107', attack: 'A server that is slow', tests: [[client, 'a body that drips']] },
      { numbers: '108', attack: 'Bodies that inflate, redirects in a loop', tests: [[client, 'compression that was not asked for'], [client, 'are followed for GET, five times']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'A hostile document',
    attacks: [
      { numbers: '109', attack: 'DER without end', tests: [[documents, '109:'], ['test/signing/signed-data/verify-fuzz.test.ts', 'do bounded work for deep nesting']] }, // prettier-ignore
      { numbers: '110-111', attack: 'PDFs in circles, of many levels, that inflate; repaired ones', tests: [[documents, '110, 111:'], ['test/signing/pdf/hostile-pdf.test.ts', 'a PDF that is hostile']] }, // prettier-ignore
      { numbers: '112', attack: 'Pictures of endless size', tests: [[documents, '112:']] },
      { numbers: '113', attack: 'PKCS#12 files with millions of rounds', tests: [['test/signing/keys/pkcs12/crafted-pkcs12.test.ts', 'readPkcs12 of files that cost too much']] }, // prettier-ignore
      { numbers: '114', attack: 'JSON of many levels, odd keys and numbers', tests: [[documents, '114:']] },
      { numbers: '115', attack: 'File names with line ends, folders and unseen characters', tests: [[documents, '115:']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'Somebody who guesses or repeats',
    attacks: [
      { numbers: '116', attack: 'Secrets of applications', tests: [[guesses, '116:'], ['test/interface/token.test.ts', 'answers 429 to wrong secrets']] }, // prettier-ignore
      { numbers: '117', attack: 'Codes and tokens that were used', tests: [[guesses, '117:'], ['test/service/authorization/authorization.test.ts', 'that is shown again']] }, // prettier-ignore
      { numbers: '118-119', attack: 'Other return addresses, scopes and kinds of answer', tests: [['test/interface/authorize.test.ts', 'GET /oauth/authorize']] }, // prettier-ignore
      { numbers: '120', attack: 'Script in state', tests: [['test/interface/authorize.test.ts', '<script>']] },
      { numbers: '121', attack: 'One-time passwords by guessing', tests: [[guesses, '121:'], ['test/service/users/accounts.test.ts', 'guessing']] }, // prettier-ignore
      { numbers: '122', attack: 'One-time passwords that were used', tests: [[guesses, '122:']] },
      { numbers: '123', attack: 'Tokens of a person who was removed', tests: [[guesses, '123:']] },
      { numbers: '124', attack: 'Odd ids, and TCNs beside a known one', tests: [[guesses, '124:']] },
      { numbers: '125', attack: 'Odd registrations', tests: [['test/interface/register-application.test.ts', 'with 422, and names the field']] }, // prettier-ignore
      { numbers: '126', attack: 'The calls of the window without its session', tests: [['test/http/ui-bridge.test.ts', 'is not opened by Authorization'], ['test/http/ui-bridge.test.ts', 'refuses the unknown call']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'Somebody who changes paths',
    attacks: [
      { numbers: '127', attack: 'Odd sources', tests: [[paths, '127:']] },
      { numbers: '128', attack: 'Content changed after the request', tests: [[paths, '128:']] },
      { numbers: '129', attack: 'A link in place of the source', tests: [[paths, '129:']] },
      { numbers: '130', attack: 'Odd and taken destinations', tests: [[paths, '130:']] },
      { numbers: '131', attack: 'A link in place of the destination folder', tests: [[paths, '131, S7:']] },
      { numbers: '132', attack: 'Damaged and foreign backups', tests: [['test/storage/backup/age-file.test.ts', 'refuses'], ['test/storage/backup/first-format.test.ts', 'refuses'], [backup, 'the backup of a stranger']] }, // prettier-ignore
      { numbers: '133', attack: 'An audit log that is rewritten', tests: [[auditLog, 'finds a chain that was made anew'], [auditLog, 'finds an end that was cut off'], [auditLog, 'finds any one byte']] }, // prettier-ignore
      { numbers: '134', attack: 'HTTP written by hand', tests: [[rawHttp, '134']] },
    ],
  },
  {
    attacker: 'A second look',
    attacks: [
      { numbers: '135', attack: 'Requests within requests, by two readings of a length', tests: [[rawHttp, '135:']] },
      { numbers: '136', attack: 'HTTP/2, WebSocket and tunnels behind an upgrade', tests: [[rawHttp, '136:']] },
      { numbers: '137', attack: 'An Origin hidden from the guard', tests: [[rawHttp, '137:']] },
      { numbers: '138', attack: 'Other spellings of our Host', tests: [[rawHttp, '138:']] },
      { numbers: '139', attack: 'Other spellings of a path, and paths out of a folder', tests: [[rawHttp, '139:']] },
      { numbers: '140', attack: 'Headers of proxies that rename us', tests: [[rawHttp, '140:']] },
      { numbers: '141', attack: 'A pattern that takes hours for some megabytes of blanks', tests: [[costly, '141:']] },
      { numbers: '142', attack: 'A header of blanks that keeps the only thread', tests: [[costly, '142:']] },
      { numbers: '143', attack: 'A list with a mistake in each of its many entries', tests: [[costly, '143:']] },
      { numbers: '144', attack: 'Megabytes that are nearly JSON', tests: [[costly, '144:']] },
      { numbers: '145', attack: 'A code injected into another application', tests: [[oauth, '145:']] },
      { numbers: '146', attack: 'A challenge that is left out or made weaker', tests: [[oauth, '146:']] },
      { numbers: '147', attack: 'Addresses that look like the registered one', tests: [[oauth, '147:']] },
      { numbers: '148', attack: 'Answers of two servers mixed up', tests: [[oauth, '148:']] },
      { numbers: '149', attack: 'Other ways of answering, and requests by reference', tests: [[oauth, '149:']] },
      { numbers: '150', attack: 'Grants that are not offered', tests: [[oauth, '150:']] },
      { numbers: '151', attack: 'Credentials in addresses and cookies', tests: [[oauth, '151:']] },
      { numbers: '152', attack: 'Tokens and the form of the page, taken by another page', tests: [[oauth, '152:']] },
      { numbers: '153', attack: 'PDFs with two readings of their structure', tests: [[seen, '153:']] },
      { numbers: '154', attack: 'PDFs with something left over', tests: [[seen, '154:']] },
      { numbers: '155', attack: 'Content that hides from the screen, or comes by an action', tests: [[seen, '155:']] },
      { numbers: '156', attack: 'Content that comes from other files', tests: [[seen, '156:']] },
      { numbers: '157', attack: 'Names of files, asked with a grant for writing', tests: [[sites, '157:']] },
      { numbers: '158', attack: 'Private addresses in other forms, tunnels and zones', tests: [[odd, '158:']] },
      { numbers: '159', attack: 'Keys that lead out of their bucket', tests: [[odd, '159:']] },
      { numbers: '160', attack: 'GIFs that never end, and files that are no picture', tests: [[odd, '160:']] },
      { numbers: '161', attack: 'Uploads of one document at the same moment', tests: [[odd, '161:']] },
      { numbers: '162', attack: 'A result as a script or service worker of our origin', tests: [[odd, '162:']] },
      { numbers: '163', attack: 'Thousands of ranges of a result', tests: [[odd, '163:']] },
      { numbers: '164', attack: 'A question about the private network', tests: [[odd, '164:']] },
    ],
  },
  {
    attacker: 'A stranger at an open listener',
    attacks: [
      { numbers: '165', attack: 'Paths and stores named from another computer', tests: [[open, '165:']] },
      { numbers: '166', attack: 'Administrators guessed, and their tokens used beyond their scope', tests: [[open, '166:'], [everyRoute, 'for what its row says']] }, // prettier-ignore
      { numbers: '167', attack: 'Claims to be the owner, or another host', tests: [[open, '167:'], [everyRoute, 'answers no request for another host']] }, // prettier-ignore
      { numbers: '168', attack: 'Notifications into the network of the server', tests: [[open, '168:']] },
      { numbers: '169', attack: 'Connections and requests without end from one address', tests: [[open, '169:'], [everyRoute, 'lets one address validate only so often']] }, // prettier-ignore
      { numbers: '170', attack: 'Ports that nobody opened', tests: [['test/attacks/beyond-loopback.long.test.ts', '170:']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'A third look',
    attacks: [
      { numbers: '171', attack: 'Long polls of one caller in front of those of others', tests: [[polls, 'of one connection let those of each other'], [polls, 'of one site on many connections']] }, // prettier-ignore
      { numbers: '172', attack: 'Requests without end on one connection', tests: [['test/http/listeners/limit-pipelining.test.ts', 'is closed when too many of them']] }, // prettier-ignore
      { numbers: '173', attack: 'Waits in odd numbers, for odd transactions, with bodies that never come', tests: [[third, '173:']] }, // prettier-ignore
      { numbers: '174', attack: 'Callers that leave hundreds of waits behind', tests: [[lifeCycle, 'reads nothing more for callers that have gone'], [polls, 'are forgotten when their callers have gone']] }, // prettier-ignore
      { numbers: '175', attack: 'Connections with half a request, or with nothing', tests: [['test/attacks/half-open.long.test.ts', '175:']] }, // prettier-ignore
      { numbers: '176', attack: 'Methods of WebDAV and of other protocols', tests: [[third, '176:']] },
      { numbers: '177', attack: 'Compressed bodies that grow', tests: [[third, '177:']] },
      { numbers: '178', attack: 'Headers that are long, folded or broken', tests: [[third, '178:']] },
      { numbers: '179', attack: 'Our name in another script, with a zone, or as a number', tests: [[third, '179:']] },
      { numbers: '180', attack: 'Preferences and unknown fields by the thousand', tests: [[third, '180:']] },
      { numbers: '181', attack: 'Cursors and pages that nobody offered', tests: [[third, '181:'], [lists, 'of the caller only, newest first']] }, // prettier-ignore
      { numbers: '182', attack: 'States of transactions that are guessed in bulk', tests: [[third, '182:']] },
      { numbers: '183', attack: 'Webhooks turned towards private addresses', tests: [[open, '183:'], [webhooks, 'refuses a private address in a change']] }, // prettier-ignore
      { numbers: '184', attack: 'Webhooks of another application', tests: [[webhooks, 'hides the endpoints of another application']] }, // prettier-ignore
      { numbers: '185', attack: 'Pushed requests of another application, and references elsewhere', tests: [[oauth, '185:']] }, // prettier-ignore
      { numbers: '186', attack: 'Tokens of another application, described or ended', tests: [[oauth, '186:']] },
      { numbers: '187', attack: 'One-time passwords in another script, length or type', tests: [[oauth, '187:']] },
      { numbers: '188', attack: 'Sessions without an end', tests: [[oauth, '188:']] },
      { numbers: '189', attack: 'Bodies in another encoding or type', tests: [[third, '189:']] },
      { numbers: '190', attack: 'Event streams without end, of others, or after their end', tests: [[lists, 'refuses more than twenty streams'], [lists, 'of the caller and of nobody else']] }, // prettier-ignore
      { numbers: '191', attack: 'Texts of an address that come back in a page', tests: [[third, '191:']] },
      {
        numbers: '192',
        attack: 'Addresses of files on other computers, devices and processes',
        tests: [[third, '192:']],
      },
      { numbers: '193', attack: 'Names of parts that lead elsewhere', tests: [[third, '193:']] },
      { numbers: '194', attack: 'Two credentials in one request, and damaged ones', tests: [[third, '194:']] },
      { numbers: '195', attack: 'A batch that takes every place of the others', tests: [['test/service/scheduling/fair-scheduler.test.ts', 'leaves a queue its whole part alone'], ['test/service/transactions/intake/make-way.test.ts', 'makes the batches of other owners make way']] }, // prettier-ignore
      { numbers: '196', attack: 'Uploads that never end in front of others', tests: [['test/service/transactions/turns.test.ts', 'when their turn does not come']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'A fourth look',
    attacks: [
      { numbers: '197', attack: 'Messages of nodes that were heard, and are sent again', tests: [['test/storage/nodes/message-order.test.ts', '197:']] }, // prettier-ignore
      { numbers: '198', attack: 'A batch that is approved before its warnings are there', tests: [[approval, 'is possible once each of them was looked into']] }, // prettier-ignore
      { numbers: '199', attack: 'Requests and idle connections of strangers whom nobody has asked about', tests: [[polls, 'is dropped before it is handled'], [limits, 'without a request are asked about soon'], [limits, 'are asked about one by one']] }, // prettier-ignore
      { numbers: '200', attack: 'Writes beside a health check that are not flushed', tests: [['test/storage/open-storage.test.ts', 'leaves every other write flushed']] }, // prettier-ignore
      { numbers: '201', attack: 'An approval before the last document', tests: [[fourth, '201:']] },
      { numbers: '202', attack: 'Two answers to one question at the same moment', tests: [[fourth, '202:']] },
      {
        numbers: '203',
        attack: 'Bytes of other documents, asked as parts of a waiting one',
        tests: [[fourth, '203:']],
      },
      { numbers: '204', attack: 'Permission for signatures without end, or for programs', tests: [[fourth, '204:']] },
    ],
  },
  {
    attacker: 'Somebody at several nodes',
    attacks: [
      { numbers: '205', attack: 'Guesses of a secret, shared out among the nodes', tests: [[nodes, '205:']] },
      { numbers: '206', attack: 'Guesses under addresses of the caller’s own choice', tests: [[nodes, '206:']] },
      { numbers: '207', attack: 'A credential that was revoked at another node', tests: [[nodes, '207:']] },
      { numbers: '208', attack: 'A credential that was used up at another node', tests: [[nodes, '208:']] },
      { numbers: '209', attack: 'A route that one node leaves open', tests: [[nodes, '209:']] },
      { numbers: '210', attack: 'Messages to nodes by another user of PostgreSQL', tests: [['test/storage/postgres/nodes.long.test.ts', 'believe nothing from them']] }, // prettier-ignore
    ],
  },
  {
    attacker: 'What broke once',
    attacks: [
      { numbers: 'S1', attack: 'A site reads and writes files of the user', tests: [[sites, 'S1:'], ['test/service/transactions/intake/check-reach.test.ts', 'is refused before anything is looked up']] }, // prettier-ignore
      { numbers: 'S2', attack: 'The approval hides what is signed', tests: [[approval, 'shows its path, its destination'], [approval, 'names content that acts']] }, // prettier-ignore
      { numbers: 'S3', attack: 'Another user is taken for root', tests: [[otherUser, '98, S3:'], [linuxPeers, 'is not identified by an established row without an inode']] }, // prettier-ignore
      { numbers: 'S4', attack: 'Another user crashes or imitates the instance', tests: [[otherUser, '100, S4:'], [flood, '99, 101, S4:'], [channel, 'sends nothing but a challenge']] }, // prettier-ignore
      { numbers: 'S5', attack: 'Nobody checks the user on other systems', tests: [['test/http/peer/windows-peers.test.ts', 'the process at the other end'], [proof, 'a program whose user the system does not tell']] }, // prettier-ignore
      { numbers: 'S6', attack: 'Revocation called valid without data', tests: [['test/service/validation/summary.test.ts', 'summarizeReport']] }, // prettier-ignore
      { numbers: 'S7', attack: 'A link in place of the destination folder', tests: [[paths, '131, S7:'], ['test/storage/files/held-folder.test.ts', 'the folder of a destination']] }, // prettier-ignore
      {
        numbers: 'S8',
        attack: 'A destination whose name is too long',
        tests: [['test/storage/files/file-roots.test.ts', 'a name that is too long for the disk']],
      },
      { numbers: 'S9', attack: 'Two Hosts, and targets elsewhere', tests: [[rawHttp, '134, S9:']] }, // prettier-ignore
      { numbers: 'S10', attack: 'A stolen token in another page', tests: [['test/http/authorization/credentials.test.ts', 'at an origin of the redirect addresses']] }, // prettier-ignore
      { numbers: 'S11', attack: 'PDFs that cost memory', tests: [['test/signing/workers/worker-pool.test.ts', 'more memory than a thread may use']] }, // prettier-ignore
      { numbers: 'S12', attack: 'Return addresses with asterisks', tests: [['test/service/applications/applications.test.ts', 'a redirect with a wildcard']] }, // prettier-ignore
      { numbers: 'S13', attack: 'A data folder that others can change', tests: [['test/app/config/check-data-folder.test.ts', 'the folder above a data folder']] }, // prettier-ignore
      { numbers: 'S14', attack: 'A backup that loads code', tests: [[backup, 'S14:']] }, // prettier-ignore
      { numbers: 'F1', attack: 'A document signed under the name of another', tests: [[uploads, 'F1:'], ['test/service/transactions/announced-uploads.test.ts', 'are signed under their own id and name only']] }, // prettier-ignore
      { numbers: 'V1', attack: 'A PDF that shows another amount in other programs', tests: [[drawings, 'that two programs draw'], [drawings, 'the concerns of the approval']] }, // prettier-ignore
      { numbers: 'V2', attack: 'A PDF that stops the preview', tests: [[drawings, 'that takes too long to draw']] },
      {
        numbers: 'V3',
        attack: 'Line ends and tabs in names',
        tests: [[terminal, 'marks line ends and tabs of names']],
      },
      { numbers: 'V4', attack: 'Controls of a terminal in JSON', tests: [[terminal, 'escapes every control character']] }, // prettier-ignore
      { numbers: 'V5', attack: 'An RSA key that protects nothing', tests: [['test/signing/certificates/path/build-path.test.ts', 'refuses an RSA key with the exponent']] }, // prettier-ignore
    ],
  },
];

/** The numbers that a row stands for: `1-28` is 28 of them. */
export function numbersOf({ numbers }: Attack): readonly string[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(numbers) ?? [];
  if (first === undefined || last === undefined) return [numbers];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_one, index) => String(Number(first) + index));
}

/** The outcome of a test of the run. */
export interface TestOutcome {
  readonly file: string;
  /** Groups and name, joined by blanks. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  /** Why the test failed; absent for another outcome. */
  readonly reason?: string;
}

export type Verdict = 'held' | 'BROKE' | 'not run';

/** Outcomes of the tests of an attack. */
export function outcomesOf({ tests }: Attack, outcomes: readonly TestOutcome[]): readonly TestOutcome[] {
  return outcomes.filter(({ file, name }) => tests.some(([wanted, words]) => file === wanted && name.includes(words)));
}

/** `held` only when every test of the attack was run and passed, and there is one for each entry of the list. */
export function judgeAttack({ tests }: Attack, outcomes: readonly TestOutcome[]): Verdict {
  const found = tests.map(([file, words]) => outcomes.filter((one) => one.file === file && one.name.includes(words)));
  if (found.flat().some(({ status }) => status === 'failed')) return 'BROKE';
  return found.every((some) => some.length > 0 && some.every(({ status }) => status === 'passed')) ? 'held' : 'not run';
}
