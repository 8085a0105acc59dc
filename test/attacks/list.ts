/** The list of attacks on the running product, with the tests trying each again. */

/** Tests of a file with `words` in their full names (groups and test); all must pass. */
type Tests = readonly [file: string, words: string];

/** An attack of the list. */
export interface Attack {
  readonly attack: string;
  readonly tests: readonly Tests[];
}

export interface Attacker {
  readonly attacker: string;
  readonly attacks: readonly Attack[];
}

const endpoints = 'test/attacks/every-endpoint.test.ts';
const browser = 'test/browser/attack-page.long.test.ts';
const guarded = 'test/browser/guarded-attacks.long.test.ts';
const bridge = 'test/browser/bridge-attacks.long.test.ts';
const bridgeServer = 'test/http/bridge.test.ts';
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
const backup = 'test/attacks/strangers-backup.test.ts';
const flood = 'test/attacks/flood.long.test.ts';
const rawHttp = 'test/attacks/raw-http.test.ts';
const client = 'test/network/http-client.test.ts';
const statusOnly = 'test/network/status-only.test.ts';
const notifications = 'test/service/notifications/notifications.test.ts';
const approval = 'test/renderer/approval-documents.long.test.ts';
const drawings = 'test/renderer/approval-drawings.long.test.ts';
const holders = 'test/attacks/names-of-holders.test.ts';
const others = 'test/attacks/transactions-of-others.test.ts';
const rights = 'test/attacks/rights-of-results.test.ts';
const fileRights = 'test/rights/file-rights.test.ts';
const announced = 'test/attacks/announced-uploads.test.ts';
const diskRoom = 'test/service/space/disk-room.test.ts';
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
const oddRequests = 'test/attacks/odd-requests.test.ts';
const approvals = 'test/attacks/approvals.test.ts';
const hashes = 'test/attacks/hashes.test.ts';
const clouds = 'test/attacks/cloud-keys.test.ts';
const polls = 'test/http/pace-long-polls.test.ts';
const lifeCycle = 'test/service/transactions/life-cycle.test.ts';
const lists = 'test/interface/transaction-lists.test.ts';
const proxySocket = 'test/attacks/proxy-socket.test.ts';
const names = 'test/attacks/changing-names.test.ts';
const records = 'test/attacks/foreign-records.test.ts';
const tokens = 'test/attacks/hostile-tokens.test.ts';
const desktop = 'test/desktop/desktop.test.ts';
const webhooks = 'test/interface/webhooks.test.ts';
const roles = 'test/storage/postgres/roles.long.test.ts';

/** The attacks, by attacker. */
// prettier-ignore
export const attackers: readonly Attacker[] = [
  {
    attacker: 'A web page',
    attacks: [
      { attack: 'Blind requests to every endpoint', tests: [[endpoints, 'sends no blind request to any endpoint, from'], [browser, 'no-cors']] },
      { attack: 'Requests under CORS to every endpoint', tests: [[endpoints, 'calls no endpoint without a grant, from'], [endpoints, 'gets nothing for an empty hand where a code or a token is the permission'], [browser, 'has no effect by fetch']] },
      { attack: 'Forms of three kinds, also in frames', tests: [[endpoints, 'posts no form of'], [browser, 'has no effect by form']] },
      { attack: 'Images, scripts, frames and other resources', tests: [[endpoints, 'loads no endpoint as'], [browser, 'has no effect by image'], [browser, 'has no effect by script']] },
      { attack: 'Pages without an origin', tests: [[endpoints, 'hides its origin from no endpoint'], [browser, 'has no effect by sandboxed iframe']] },
      { attack: 'WebSocket, EventSource, beacon, ping, worker', tests: [[endpoints, 'opens no WebSocket'], [browser, 'has no effect by WebSocket'], [browser, 'has no effect by beacon'], [browser, 'has no effect by EventSource'], [browser, 'has no effect by link that pings'], [browser, 'has no effect by worker']] },
      { attack: 'A POST that another site redirects here', tests: [[endpoints, 'hides its origin from no endpoint'], [endpoints, 'posts no form of ours from elsewhere']] },
      { attack: 'A popup with one of our pages', tests: [[otherUser, 'with no handle to the window'], [browser, 'has no effect by popup'], ['test/http/authorization/pages.test.ts', 'stands in no frame']] },
      { attack: 'The same by a page of a public site, under the guard of the browser', tests: [[guarded, 'unanswered'], [guarded, 'sends nothing by fetch before'], [guarded, 'allowed by the browser alone'], [guarded, 'is asked about in our window']] },
      { attack: 'The bridge window, with a forged origin', tests: [[bridge, 'a forged origin in the message means nothing'], [guard, 'a foreign page with a key is refused'], [bridgeServer, 'works for the first origin of the key alone']] },
      { attack: 'The bridge window of another site, by a second opener', tests: [[bridge, 'takes no message of a second page'], [bridge, 'serves nobody after its opener became another site']] },
      { attack: 'The bridge window in a frame', tests: [[bridge, 'is shown in no frame'], [bridgeServer, 'gives no key to a frame']] },
      { attack: 'The bridge window, from a page on another port', tests: [[bridge, 'serves a page on another port as the site of that port'], [guard, 'a page at another port of ours']] },
      { attack: 'Keys of bridge windows, stolen, forged or replayed', tests: [[bridge, 'has a key without use for another page'], [bridgeServer, 'with the forged key'], [bridgeServer, 'is refused after the window has ended its key'], [bridgeServer, 'is refused ten minutes after the last request']] },
      { attack: 'Messages to the bridge window before its greeting and after its end', tests: [[bridge, 'takes messages after the greeting alone, and none after the end']] },
      { attack: 'Messages to the bridge window that the client never sends', tests: [[bridge, 'forwards no request beyond those of the client'], [guard, 'it is not our own page for the window'], [guard, 'it changes no people']] },
      { attack: 'Ten thousand messages to the bridge window, and a thousand windows', tests: [[bridge, 'stays at work under ten thousand messages'], [bridgeServer, 'of windows in use outlive the keys of a page with many windows']] },
      { attack: 'A plain http site, in whose name anybody on its network speaks', tests: [[guard, 'a plain http site without a grant'], [guard, 'a plain http site reads no'], ['test/service/consent/consent.test.ts', 'asks for each signature']] },
      { attack: 'DNS rebinding', tests: [[endpoints, 'reaches no endpoint by the name'], ['test/browser/attack-names.long.test.ts', 'a page with a name rebound']] },
      { attack: 'Forged origins', tests: [[endpoints, 'pretends to be no page of ours by the origin'], [endpoints, 'pretends to be no page of ours by our own origin, which the browser calls cross-site'], [guard, 'a host that only looks like loopback']] },
      { attack: 'A form posted to the authorize page', tests: [[endpoints, 'posts no form of ours from elsewhere'], ['test/http/authorization/code-flow-in-chromium.long.test.ts', 'its form cannot be posted from elsewhere']] },
      { attack: 'Clickjacking', tests: [[otherUser, 'in no frame'], [otherUser, 'with no frame around an error'], ['test/http/authorization/code-flow-in-chromium.long.test.ts', 'cannot be framed'], ['test/renderer/questions.test.ts', 'not by an early press'], [approval, 'waits while the window is behind another']] },
      { attack: 'Script in names that a page or a window shows', tests: [[otherUser, 'with no script of another origin'], ['test/interface/authorize.test.ts', 'has no script'], ['test/desktop/desktop.test.ts', 'has a policy without any connection']] },
      { attack: 'The key of the window’s link', tests: [['test/http/ui-bridge.test.ts', 'opens with the key of a link, once']] },
      { attack: 'Names that look like others', tests: [[approval, 'marks unseen characters'], [documents, '']] },
      { attack: 'Files and stores of the user, named by a site', tests: [[sites, 'reads no file of the user'], [sites, 'writes no file at a chosen place'], [sites, 'names no object in a store of the user, existing or not'], [sites, 'names no place for a result in an upload or beside a kept result'], [sites, 'gets nothing by the answer to an earlier request of a program with the same Idempotency-Key'], [sites, 'names nothing outside of the folder, by dots, by another spelling or beside'], [sites, 'has no link inside followed, and is not told its target'], [sites, 'writes no result there without a grant for writing, and none through a link with a grant'], [sites, 'names nothing inside for another site, nor after the end of the grant']] },
      { attack: 'Existence and checksum of files, asked by a site', tests: [[sites, 'learns nothing about a path: every answer is the same']] },
      { attack: 'Questions without end', tests: [['test/service/consent/consent.test.ts', 'asks only so often'], ['test/service/consent/consent.test.ts', 'holds only so many requests']] },
    ],
  },
  {
    attacker: 'Another user of the computer',
    attacks: [
      { attack: 'Requests of another user', tests: [[otherUser, 'reads nothing at any address'], [otherUser, 'finds the instance, and posts nothing'], [guard, 'another user'], [peer, 'the user at the other end']] },
      { attack: 'Other addresses of this computer', tests: [[otherUser, 'is refused by'], [guard, 'another computer is refused'], [peer, 'the user at the other end']] },
      { attack: 'Files of the data folder', tests: [[otherUser, 'can enter no folder of the instance, and read no file of it'], ['test/storage/open-storage.test.ts', 'makes a folder and files for the owner alone'], ['test/storage/secrets/secret-stores.test.ts', 'for its owner only'], ['test/app/config/check-data-folder.test.ts', 'a data folder']] },
      { attack: 'Secrets in arguments, environment and core files', tests: [[otherUser, 'reads neither environment nor descriptors of the instance'], ['test/token/token-key-source.test.ts', 'keeps the PIN out of errors']] },
      { attack: 'A closed socket counted as root', tests: [[otherUser, 'is not taken for root by closing its connection behind a whole request'], [linuxPeers, 'is not identified by an established row without an inode'], [peer, 'the user at the other end']] },
      { attack: 'Thousands of connections', tests: [[flood, 'neither stops a request of the owner, nor fills the memory, nor is let in'], [limits, 'connections to the listener']] },
      { attack: 'The port or channel taken by another program', tests: [[otherUser, 'gets neither calls nor keys of the command line, although it knows the id of the instance'], [channel, 'sends nothing but a challenge'], [proof, 'proves itself for its own listener']] },
      { attack: 'A table of thousands of foreign sockets', tests: [[flood, 'neither stops a request of the owner, nor fills the memory, nor is let in'], [peer, 'serves all connections accepted before']] },
    ],
  },
  {
    attacker: 'A remote server',
    attacks: [
      { attack: 'Callbacks to addresses in private networks', tests: [['test/interface/notification.test.ts', 'notification_callback'], [client, 'an HTTP client without exceptions']] },
      { attack: 'Names that resolve to private addresses', tests: [[client, "connects to the resolver's answer"], [notifications, 'is not contacted by a name']] },
      { attack: 'A callback that redirects here', tests: [[notifications, 'is not contacted through a redirect'], [statusOnly, 'follows no redirect']] },
      { attack: 'An answer without end', tests: [[statusOnly, 'an endless body'], [notifications, 'counts as told when the answer is endless']] },
      { attack: 'Other protocols, and passwords in addresses', tests: [[client, 'an HTTP client without exceptions']] },
      { attack: 'A server that is slow', tests: [[client, 'a dripping body']] },
      { attack: 'Bodies that inflate, redirects in a loop', tests: [[client, 'compression not asked for'], [client, 'are followed for GET, five times']] },
    ],
  },
  {
    attacker: 'A hostile document',
    attacks: [
      { attack: 'DER without end', tests: [[documents, ''], ['test/signing/signed-data/verify-fuzz.test.ts', 'do bounded work for deep nesting']] },
      { attack: 'PDFs in circles, of many levels, that inflate; repaired ones', tests: [[documents, ''], ['test/signing/pdf/hostile-pdf.test.ts', 'a hostile PDF']] },
      { attack: 'Pictures of endless size', tests: [[documents, '']] },
      { attack: 'PKCS#12 files with millions of rounds', tests: [['test/signing/keys/pkcs12/crafted-pkcs12.test.ts', 'readPkcs12 of files costing too much']] },
      { attack: 'JSON of many levels, odd keys and numbers', tests: [[documents, '']] },
      { attack: 'File names with line ends, folders and unseen characters', tests: [[documents, '']] },
    ],
  },
  {
    attacker: 'Somebody who guesses or repeats',
    attacks: [
      { attack: 'Secrets of applications', tests: [[guesses, 'has as many tries under Basic and under Sinete together, and locks no person out'], [guesses, 'is refused with an empty secret, and with the secret of another application'], ['test/interface/token.test.ts', 'answers 429 to wrong secrets']] },
      { attack: 'Codes and tokens that were used', tests: [[guesses, 'gets one transaction from a token for a single signature coming ten times at the same moment'], [guesses, 'ends the token by bringing its code again'], ['test/service/authorization/authorization.test.ts', 'shown again']] },
      { attack: 'Other return addresses, scopes and kinds of answer', tests: [['test/interface/authorize.test.ts', 'GET /oauth/authorize']] },
      { attack: 'Script in state', tests: [['test/interface/authorize.test.ts', '<script>']] },
      { attack: 'One-time passwords by guessing', tests: [[guesses, 'has five tries, on all routes together, and then waits even with the right password'], [guesses, 'gets no further by forty tries at the same moment'], [guesses, 'gets no fresh tries by other spellings of the same CPF'], ['test/service/users/accounts.test.ts', 'guessing']] },
      { attack: 'One-time passwords that were used', tests: [[guesses, 'signs once with a one-time password coming twenty times at the same moment'], [guesses, 'gets nothing by a one-time password used elsewhere']] },
      { attack: 'Tokens of a person who was removed', tests: [[guesses, 'has no token left when the person was removed']] },
      { attack: 'Odd ids, and TCNs beside a known one', tests: [[guesses, 'finds no transaction beside a known number'], [guesses, 'removes no user by an odd id']] },
      { attack: 'Odd registrations', tests: [['test/interface/register-application.test.ts', 'with 422, and names the field']] },
      { attack: 'The calls of the window without its session', tests: [['test/http/ui-bridge.test.ts', 'is not opened by Authorization'], ['test/http/ui-bridge.test.ts', 'refuses the unknown call']] },
    ],
  },
  {
    attacker: 'Somebody who changes paths',
    attacks: [
      { attack: 'Odd sources', tests: [[paths, 'has']] },
      { attack: 'Content changed after the request', tests: [[paths, 'has no other content signed, with size and times of the first one']] },
      { attack: 'A link in place of the source', tests: [[paths, 'has no other file signed by a link in place of the source']] },
      { attack: 'Odd and taken destinations', tests: [[paths, 'has']] },
      { attack: 'A link in place of the destination folder', tests: [[paths, 'gets no result into']] },
      { attack: 'Damaged and foreign backups', tests: [['test/storage/backup/age-file.test.ts', 'refuses'], ['test/storage/backup/first-format.test.ts', 'refuses'], [backup, 'the backup of a hostile stranger']] },
      { attack: 'An audit log that is rewritten', tests: [[auditLog, 'finds a chain made anew'], [auditLog, 'finds an end cut off'], [auditLog, 'finds any single byte']] },
      { attack: 'HTTP written by hand', tests: [[rawHttp, 'with two Host headers is refused'], [rawHttp, 'with our Host twice is refused'], [rawHttp, 'without a Host is refused'], [rawHttp, 'for an absolute target elsewhere is refused'], [rawHttp, 'for our own absolute target is answered'], [rawHttp, 'for an authority is refused'], [rawHttp, 'with Content-Length and Transfer-Encoding is refused'], [rawHttp, 'with two Origins is refused'], [rawHttp, 'with TRACE is refused'], [rawHttp, 'that overrides its method is taken by its real method']] },
    ],
  },
  {
    attacker: 'A program that bends HTTP, OAuth and PDF',
    attacks: [
      { attack: 'Requests within requests, by two readings of a length', tests: [[rawHttp, 'is refused, and its connection closed'], [rawHttp, 'brings no second request in the body of a refused one'], [rawHttp, 'gives no weight to headers behind the body']] },
      { attack: 'HTTP/2, WebSocket and tunnels behind an upgrade', tests: [[rawHttp, 'begins no HTTP/2 by an upgrade'], [rawHttp, 'opens no WebSocket behind the name of another protocol'], [rawHttp, 'is refused as HTTP/1.2'], [rawHttp, 'is refused as HTTP/1.0 without a Host'], [rawHttp, 'is refused as HTTP/0.9'], [rawHttp, 'is refused as HTTP/2'], [rawHttp, 'is refused for the whole server'], [rawHttp, 'opens no tunnel']] },
      { attack: 'An Origin hidden from the guard', tests: [[rawHttp, 'hide no Origin']] },
      { attack: 'Other spellings of our Host', tests: [[rawHttp, 'name us by no other Host']] },
      { attack: 'Other spellings of a path, and paths out of a folder', tests: [[rawHttp, 'reach nothing by another spelling of a path']] },
      { attack: 'Headers of proxies that rename us', tests: [[rawHttp, 'say nothing about the address of the answer or its path']] },
      { attack: 'A pattern that takes hours for some megabytes of blanks', tests: [[costly, 'is refused at once when its signature is millions of blanks']] },
      { attack: 'A header of blanks that keeps the only thread', tests: [[costly, 'is refused at once with blanks inside of']] },
      { attack: 'A list with a mistake in each of its many entries', tests: [[costly, 'is refused by counting for too many'], [costly, 'gets a thousand problems at most for ten thousand']] },
      { attack: 'Megabytes that are nearly JSON', tests: [[costly, 'is told the place of a fault in its JSON only when short']] },
      { attack: 'A code injected into another application', tests: [[oauth, 'gives no token to the application of the injection, and none to nobody'], [oauth, 'gives one token when exchanged ten times at the same moment'], [oauth, 'gives no token at another address, or without the address of the request for the code'], [oauth, 'gives no more scopes and no longer life than the person allowed']] },
      { attack: 'A challenge that is left out or made weaker', tests: [[oauth, 'gives no token'], [oauth, 'gives a token with its verifier'], [oauth, 'is no code requested without a challenge: a verifier does not fit the code (RFC 9700 §4.8)'], [oauth, 'is never issued to a public application for "']] },
      { attack: 'Addresses that look like the registered one', tests: [[oauth, 'is no other than the registered one'], [oauth, 'is none when a second value comes along']] },
      { attack: 'Answers of two servers mixed up', tests: [[oauth, 'names the answering server, on success and on errors (RFC 9207), against mixed-up answers']] },
      { attack: 'Other ways of answering, and requests by reference', tests: [[oauth, 'is the one in its query only: no form, no fragment, no window, no request from elsewhere']] },
      { attack: 'Grants that are not offered', tests: [[oauth, 'are none']] },
      { attack: 'Credentials in addresses and cookies', tests: [[oauth, 'are none in the address, in a cookie or in a form']] },
      { attack: 'Tokens and the form of the page, taken by another page', tests: [[oauth, 'are none for a page: it exchanges codes, and sends no password and no secret for a token'], [oauth, 'are none by a stolen id of a shown page: another site cannot send its form']] },
      { attack: 'PDFs with two readings of their structure', tests: [[seen, 'a page with two contents'], [seen, '… one of them spelled with escapes'], [seen, 'a catalog with two trees of pages'], [seen, 'a trailer with two catalogs'], [seen, 'a page behind a count that is too small'], [seen, 'pages behind a count of none'], [seen, 'an object in two places of a hybrid file'], [seen, 'contents that are partly absent'], [seen, 'contents of another generation'], [seen, 'a table that leads to another object']] },
      { attack: 'PDFs with something left over', tests: [[seen, 'a stream that is longer than it says'], [seen, 'a stream that says more than it has'], [seen, 'the end of a stream inside of a stream'], [seen, 'an object that no table lists'], [seen, 'a newer revision behind an older start'], [seen, 'a start in a comment'], [seen, 'a file behind the header of another'], [seen, 'a page that stands twice in its tree']] },
      { attack: 'Content that hides from the screen, or comes by an action', tests: [[seen, 'an annotation on paper only'], [seen, 'an action that shows a hidden annotation'], [seen, 'an action that changes layers'], [seen, 'words that show while a layer is off']] },
      { attack: 'Content that comes from other files', tests: [[seen, 'a page of another file'], [seen, 'contents in another file']] },
      { attack: 'Names of files, asked with a grant for writing', tests: [[sites, 'does not learn the taken names from a grant for writing alone']] },
      { attack: 'Private addresses in other forms, tunnels and zones', tests: [[odd, 'is not contacted'], [odd, 'is none']] },
      { attack: 'Keys that lead out of their bucket', tests: [[odd, 'leads nowhere out of its bucket']] },
      { attack: 'GIFs that never end, and files that are no picture', tests: [[odd, 'is refused as']] },
      { attack: 'Uploads of one document at the same moment', tests: [[odd, 'sign the accepted one, and nothing of the others'], [odd, 'change nothing once the document was taken']] },
      { attack: 'A result as a script or service worker of our origin', tests: [[odd, 'is no script, worker or service worker of our origin, under any type given by its caller']] },
      { attack: 'Thousands of ranges of a result', tests: [[odd, 'is sent once for a list of thousands of ranges']] },
      { attack: 'A question about the private network', tests: [[odd, 'is opened to no page by a question about the private network']] },
    ],
  },
  {
    attacker: 'A stranger at an open listener',
    attacks: [
      { attack: 'Paths and stores named from another computer', tests: [[open, 'names no path and no store, with the credentials of an application either']] },
      { attack: 'Administrators guessed, and their tokens used beyond their scope', tests: [[open, 'guesses no administrator, and a token reaches no further than its scope'], [everyRoute, 'for the access that its definition names']] },
      { attack: 'Claims to be the owner, or another host', tests: [[open, 'is not the owner by a loopback host, a forwarded address or the window'], [everyRoute, 'answers no request for another host']] },
      { attack: 'Notifications into the network of the server', tests: [[open, 'sends no notification into the network of the server']] },
      { attack: 'Connections and requests without end from one address', tests: [[open, 'opens only so many connections from a single address, and others are still answered after them'], [everyRoute, 'lets one address validate only so often']] },
      { attack: 'The socket of a proxy, opened or replaced by another user', tests: [[proxySocket, 'is open to its owner and its group'], [proxySocket, 'because others can change the folder'], [proxySocket, 'takes the place of no other program'], [proxySocket, 'replaces a socket left']] },
      { attack: 'Addresses of one’s own choice behind the socket of a proxy', tests: [[proxySocket, 'is not the owner, and is known by the address that the proxy names'], ['test/http/listeners/clients.test.ts', 'behind a socket']] },
      { attack: 'Ports that nobody opened', tests: [['test/attacks/beyond-loopback.long.test.ts', 'reaches the open listener and nothing else, and is nobody there']] },
    ],
  },
  {
    attacker: 'A caller with odd methods, lengths and lists',
    attacks: [
      { attack: 'Long polls of one caller in front of those of others', tests: [[polls, 'of a single connection let the polls of each other'], [polls, 'of a single site on many connections']] },
      { attack: 'Requests without end on one connection', tests: [['test/http/listeners/limit-pipelining.test.ts', 'is closed when too many']] },
      { attack: 'Waits in odd numbers, for odd transactions, with bodies that never come', tests: [[oddRequests, 'waits for no time of its own making'], [oddRequests, 'is answered at once for a missing transaction: waiting tells nothing'], [oddRequests, 'needs no missing body, and no leave to send a body']] },
      { attack: 'Callers that leave hundreds of waits behind', tests: [[lifeCycle, 'reads nothing more for callers gone'], [polls, 'are forgotten when their callers have gone']] },
      { attack: 'Connections with half a request, or with nothing', tests: [['test/attacks/half-open.long.test.ts', 'is closed, however slow its progress']] },
      { attack: 'Methods of WebDAV and of other protocols', tests: [[oddRequests, 'does nothing'], [oddRequests, 'is none']] },
      { attack: 'Compressed bodies that grow', tests: [[oddRequests, 'is refused and never grows']] },
      { attack: 'Headers that are long, folded or broken', tests: [[oddRequests, 'are refused']] },
      { attack: 'Our name in another script, with a zone, or as a number', tests: [[oddRequests, 'name us by no other script, zone or number']] },
      { attack: 'Preferences and unknown fields by the thousand', tests: [[oddRequests, 'ask for strictness in any number and form, without any other effect'], [oddRequests, 'change nothing by the names of JavaScript, and are told shortly']] },
      { attack: 'Cursors and pages that nobody offered', tests: [[oddRequests, 'has no other page than offered'], [oddRequests, 'begins behind no foreign cursor'], [lists, 'of the caller only, newest first']] },
      { attack: 'States of transactions that are guessed in bulk', tests: [[oddRequests, 'of states is asked for a bounded number of transactions, each known by its whole TCN']] },
      { attack: 'Webhooks turned towards private addresses', tests: [[open, 'turns no webhook towards the network of the server, even a webhook made here by the owner'], [webhooks, 'refuses a private address in a change']] },
      { attack: 'Webhooks of another application', tests: [[webhooks, 'hides the endpoints of another application']] },
      { attack: 'Pushed requests of another application, and references elsewhere', tests: [[oauth, 'is used by its application alone, against other words of the address'], [oauth, 'is fetched from nowhere, and guessed by nobody'], [oauth, 'is taken from nobody else, and none inside of another']] },
      { attack: 'Tokens of another application, described or ended', tests: [[oauth, 'is described to nobody but its own application, and ended by nobody else']] },
      { attack: 'One-time passwords in another script, length or type', tests: [[oauth, 'is none in another script, length or type']] },
      { attack: 'Sessions without an end', tests: [[oauth, 'opens no session that outlives its bound']] },
      { attack: 'Bodies in another encoding or type', tests: [[oddRequests, 'starts no signature']] },
      { attack: 'Event streams without end, of others, or after their end', tests: [[lists, 'refuses more than twenty streams'], [lists, 'of the caller and of nobody else']] },
      { attack: 'Texts of an address that come back in a page', tests: [[oddRequests, 'on the page of a problem is shown as text'], [oddRequests, 'in an address comes back in no page, script or function']] },
      { attack: 'Addresses of files on other computers, devices and processes', tests: [[oddRequests, 'is none of another computer, device or process']] },
      { attack: 'Names of parts that lead elsewhere', tests: [[oddRequests, 'goes to no missing entry'], [oddRequests, 'keeps no way out in its file name']] },
      { attack: 'Two credentials in one request, and damaged ones', tests: [[oddRequests, 'in one request are no more than the weaker credentials']] },
      { attack: 'A batch that takes every place of the others', tests: [['test/service/scheduling/fair-scheduler.test.ts', 'leaves a queue its whole part alone'], ['test/service/transactions/intake/make-way.test.ts', 'makes the batches of other owners make way']] },
      { attack: 'Uploads that never end in front of others', tests: [['test/service/transactions/turns.test.ts', 'when their turn does not come']] },
    ],
  },
  {
    attacker: 'Somebody at an approval',
    attacks: [
      { attack: 'Messages of nodes that were heard, and are sent again', tests: [['test/storage/nodes/message-order.test.ts', 'is new once, and no older message of this node is new later'], ['test/storage/nodes/message-order.test.ts', 'is not new after more than a minute, seen or not'], ['test/storage/nodes/message-order.test.ts', 'has a number, and not'], ['test/storage/nodes/message-order.test.ts', 'stays known as long as another could send the message again, and older messages of other nodes are forgotten']] },
      { attack: 'A batch that is approved before its warnings are there', tests: [[approval, 'is possible after the examination of each document']] },
      { attack: 'Requests and idle connections of strangers whom nobody has asked about', tests: [[polls, 'is dropped unhandled'], [limits, 'without a request are asked about soon'], [limits, 'are asked about singly']] },
      { attack: 'Writes beside a health check that are not flushed', tests: [['test/storage/open-storage.test.ts', 'leaves every other write flushed']] },
      { attack: 'An approval before the last document', tests: [[approvals, 'cannot be given before the last document is there']] },
      { attack: 'Two answers to one question at the same moment', tests: [[approvals, 'that is given and refused at the same moment has one answer']] },
      { attack: 'Bytes of other documents, asked as parts of a waiting one', tests: [[approvals, 'shows bytes of the documents waiting, and of nothing else']] },
      { attack: 'A hash of another length or algorithm than the request says', tests: [[hashes, 'is refused, and nothing waits']] },
      { attack: 'A second hash after the approval of the first', tests: [[hashes, 'cannot be followed by a second hash after the approval'], [hashes, 'fits the approved hash and no other']] },
      { attack: 'A raw signature without the permission for it', tests: [[hashes, 'is refused to a site without its permission']] },
      { attack: 'Bytes to sign that pretend to be signed attributes', tests: [[hashes, 'is not shown as signed attributes']] },
      { attack: 'Ten thousand hashes in one request, and one more', tests: [[hashes, 'in a list of 10,000 keeps others served']] },
      { attack: 'The signed attributes of a document that the person never saw', tests: [[hashes, 'over the signed attributes of an unseen document']] },
      { attack: 'A token of another scope, for hashes', tests: [[clouds, 'of the wrong scope signs nothing']] },
      { attack: 'More hashes than the page of authorization said', tests: [[clouds, 'signs no more hashes than its page said'], [clouds, 'for one signature gives one of two calls at the same time its signature']] },
      { attack: 'A token, or a code, of another application, and a code that was used', tests: [[clouds, 'is refused in the name of another application'], [clouds, 'is not given for a code of another application']] },
      { attack: 'A search for the CPFs of strangers', tests: [[clouds, 'finds nobody who never authorized the application'], [clouds, 'is refused after 20 in a minute']] },
      { attack: 'A page of authorization for hashes without a code challenge', tests: [[clouds, 'gets no page without a code challenge']] },
      { attack: 'Permission for signatures without end, or for programs', tests: [[approvals, 'of later signatures has bounds'], [approvals, 'of later signatures is for sites only']] },
    ],
  },
  {
    attacker: 'Somebody at several nodes',
    attacks: [
      { attack: 'Guesses of a secret, shared out among the nodes', tests: [[nodes, 'has the tries at a one-time password once, not once at each node'], [nodes, 'has the tries at the secret of an application once']] },
      { attack: 'Guesses under addresses of the caller’s own choice', tests: [[nodes, 'is one address at both nodes, under any address in its own headers']] },
      { attack: 'A credential that was revoked at another node', tests: [[nodes, 'gets nothing at the other node by the revoked token of an administrator'], [nodes, 'signs at no other node with a revoked token']] },
      { attack: 'A credential that was used up at another node', tests: [[nodes, 'signs once with a one-time password, also at both nodes at the same moment'], [nodes, "gets one token for an authorization code, ended by the code's second use at the other node"]] },
      { attack: 'A route that one node leaves open', tests: [[nodes, 'is refused by both nodes alike']] },
      { attack: 'Messages to nodes by another user of PostgreSQL', tests: [['test/storage/postgres/nodes.long.test.ts', 'believe nothing of theirs']] },
      { attack: 'Thousands of messages to nodes by another user of PostgreSQL', tests: [[roles, 'holds up no signature by thousands of notices']] },
      { attack: 'A database that another user of PostgreSQL may enter', tests: [[roles, 'connects to no database that is closed'], [roles, 'reads and changes no table'], [roles, 'sees none of our statements']] },
      { attack: 'Tables of another user of PostgreSQL in front of ours', tests: [[roles, 'puts nothing in front of our tables']] },
      { attack: 'A role of PostgreSQL with more rights than it needs', tests: [[roles, 'is enough to make the tables'], [roles, 'is enough to sign, once another role']] },
    ],
  },
  {
    attacker: 'Somebody who answers for names (DNS)',
    attacks: [
      { attack: 'A name at an IPv4 address in the clothes of IPv6', tests: [[names, 'as an IPv4 address in IPv6'], [names, 'as the same in hexadecimal']] },
      { attack: 'A name in a tunnel or behind NAT64', tests: [[names, 'behind NAT64'], [names, 'behind the local prefix of NAT64'], [names, 'in a tunnel of 6to4'], [names, 'in a tunnel of Teredo']] },
      { attack: 'A name at the unspecified address', tests: [[names, 'as the unspecified address']] },
      { attack: 'A name on the link, with a zone or without', tests: [[names, 'on its own link'], [names, 'on its own site'], [names, 'in a network of its own']] },
      { attack: 'A name for a group or for everybody', tests: [[names, 'as a broadcast'], [names, 'as a group']] },
      { attack: 'A name in shared or test address space', tests: [[names, 'in shared address space'], [names, 'in a test network']] },
      { attack: 'A name at the data of a cloud machine', tests: [[names, 'at the data of a cloud machine'], [names, 'at the same data by IPv6']] },
      { attack: 'A private answer beside a permitted one', tests: [[names, 'is connected to none of its private answers']] },
      { attack: 'A name that changes between two requests', tests: [[names, 'is judged anew for each request']] },
      { attack: 'A redirect to a name that changes', tests: [[names, 'by a redirect to another name'], [names, 'by a redirect to its own name at another port']] },
      { attack: 'A name that looks like a permitted one', tests: [[names, 'is not the permitted one']] },
      { attack: 'An answer that is no address', tests: [[names, 'is not reached by an answer with']] },
    ],
  },
  {
    attacker: 'Somebody with evidence records of other files',
    attacks: [
      { attack: 'The record of another signature of the same person', tests: [[records, 'another signature of the same person']] },
      { attack: 'The record of the content in place of its signature', tests: [[records, 'the content without the signature']] },
      { attack: 'The record of a longer or shorter file', tests: [[records, 'with a byte behind it'], [records, 'without its last byte'], [records, 'when it is over nothing']] },
      { attack: 'The record of a hash of the hash', tests: [[records, 'its own hash']] },
      { attack: 'A hash above the first list only', tests: [[records, 'only above the first list']] },
      { attack: 'A root that the lists of the record do not give', tests: [[records, 'a root that its lists do not give'], [records, 'the hash beside others that its root leaves out']] },
      { attack: 'Another hash function than that of the lists', tests: [[records, 'another hash function than its lists']] },
      { attack: 'A record by a time-stamp authority of one’s own', tests: [[records, 'by a time-stamp authority of its own']] },
      { attack: 'A renewal taken from the chain of another file', tests: [[records, 'takes no renewal from the chain of another file']] },
      { attack: 'A wrong record beside a good one, and a good one beside changed content', tests: [[records, 'changes nothing for a good record beside it'], [records, 'never turns a signature over other content into a valid one']] },
      { attack: 'A record of tens of thousands of hashes', tests: [[records, 'costs bounded work']] },
    ],
  },
  {
    attacker: 'The owner of a hostile token',
    attacks: [
      { attack: 'A label with line ends and tabs', tests: [[tokens, 'writes no line of ours'], [tokens, 'writes no cell of a table']] },
      { attack: 'A label that controls a terminal', tests: [[tokens, 'controls no terminal by ESC'], [tokens, 'controls no terminal by CSI of C1']] },
      { attack: 'A label that turns text around or hides letters', tests: [[tokens, 'turns no text around'], [tokens, 'hides no character'], [tokens, 'ends no text by NUL'], [tokens, 'is listed with its unseen characters marked']] },
      { attack: 'A maker, model or object with a hostile name', tests: [[tokens, 'marks the same in its maker']] },
      { attack: 'A token that looks like another one', tests: [[tokens, 'opens no key of a token with the same look']] },
      { attack: 'Contents of a token in another form', tests: [[tokens, 'gets no answer believed with'], [tokens, 'has a name of at most 256 characters']] },
    ],
  },
  {
    attacker: 'Somebody at the window of the desktop',
    attacks: [
      { attack: 'Calls by names of JavaScript', tests: [[desktop, 'gives no call by a name of JavaScript']] },
      { attack: 'Addresses of other schemes and spellings', tests: [[desktop, 'goes to no address of another scheme or spelling'], [desktop, 'is locked in']] },
      { attack: 'Devices and folders as documents', tests: [[desktop, 'sends no device and no folder as a document']] },
      { attack: 'Files beside the build, by the protocol of the window', tests: [[desktop, 'only the files of the build']] },
      { attack: 'Another frame or window as the caller', tests: [[desktop, 'is the only window with answers to its main frame']] },
      { attack: 'Deep links with a second origin, a user or a scheme', tests: [['test/desktop/small-parts.test.ts', 'a deep link']] },
    ],
  },
  {
    attacker: 'Ways that were open once',
    attacks: [
      { attack: 'A site reads and writes files of the user', tests: [[sites, 'reads no file of the user'], [sites, 'writes no file at a chosen place'], [sites, 'learns nothing about a path: every answer is the same'], [sites, 'names no object in a store of the user, existing or not'], [sites, 'names no place for a result in an upload or beside a kept result'], [sites, 'gets nothing by the answer to an earlier request of a program with the same Idempotency-Key'], [sites, 'names nothing outside of the folder, by dots, by another spelling or beside'], [sites, 'has no link inside followed, and is not told its target'], [sites, 'writes no result there without a grant for writing, and none through a link with a grant'], [sites, 'names nothing inside for another site, nor after the end of the grant'], ['test/service/transactions/intake/document-places.test.ts', 'is refused before anything is looked up']] },
      { attack: 'The approval hides what is signed', tests: [[approval, 'shows its path, its destination'], [approval, 'names active content before the button']] },
      { attack: 'Another user is taken for root', tests: [[otherUser, 'is not taken for root by closing its connection behind a whole request'], [linuxPeers, 'is not identified by an established row without an inode']] },
      { attack: 'Another user crashes or imitates the instance', tests: [[otherUser, 'gets neither calls nor keys of the command line, although it knows the id of the instance'], [flood, 'neither stops a request of the owner, nor fills the memory, nor is let in'], [channel, 'sends nothing but a challenge']] },
      { attack: 'Nobody checks the user on other systems', tests: [['test/http/peer/windows-peers.test.ts', 'the process at the other end'], [proof, 'a program without a user told by the system']] },
      { attack: 'Revocation called valid without data', tests: [['test/service/validation/summary.test.ts', 'summarizeReport']] },
      { attack: 'A link in place of the destination folder', tests: [[paths, 'gets no result into'], ['test/storage/files/held-folder.test.ts', 'the folder of a destination']] },
      { attack: 'A destination whose name is too long', tests: [['test/storage/files/file-roots.test.ts', 'a name too long for the disk']] },
      { attack: 'Two Hosts, and targets elsewhere', tests: [[rawHttp, 'with two Host headers is refused'], [rawHttp, 'with our Host twice is refused'], [rawHttp, 'for an absolute target elsewhere is refused'], [rawHttp, 'for our own absolute target is answered']] },
      { attack: 'A stolen token in another page', tests: [['test/http/authorization/credentials.test.ts', 'at an origin of the redirect addresses']] },
      { attack: 'PDFs that cost memory', tests: [['test/signing/workers/worker-pool.test.ts', 'more memory than a thread may use']] },
      { attack: 'Return addresses with asterisks', tests: [['test/service/applications/applications.test.ts', 'a redirect with a wildcard']] },
      { attack: 'A data folder that others can change', tests: [['test/app/config/check-data-folder.test.ts', 'the folder above a data folder']] },
      { attack: 'A backup that loads code or lets others in', tests: [[backup, 'opens nothing without a decision'], [backup, 'opens nothing with'], [backup, 'alone with --keep'], [backup, 'as a bare copy of the database'], [backup, 'in the window before each kind was ticked'], ['test/app/backup.test.ts', 'cancels waiting documents with --drop']] },
      { attack: 'A backup with code in its database', tests: [[backup, 'is refused and fails fsck with']] },
      { attack: 'A backup forged for a recipient', tests: [[backup, 'has an unknown maker']] },
      { attack: 'A document signed under the name of another', tests: [[uploads, 'has each signed under its own name'], [uploads, 'has each result at the destination of its own name'], [uploads, 'is refused for'], ['test/service/transactions/announced-uploads.test.ts', 'are signed under their own id and name only']] },
      { attack: 'A PDF that shows another amount in other programs', tests: [[drawings, 'drawn by two programs'], [drawings, 'the concerns of the approval']] },
      { attack: 'A table that calls a drawn digit another one', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'A table that calls a drawn digit a word or a digit of another script', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'Other words for a screen reader than the drawn ones', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'Invisible words, or words in the colour of the paper', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'Words below a box, or below other words', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'Words outside of the page, or cut off', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'A second value behind the signature of a PDF', tests: [['test/signing/validation/findings.test.ts', 'a second value follows the signature']] },
      { attack: 'A PDF that stops the preview', tests: [[drawings, 'name no amount that is not drawn']] },
      { attack: 'Line ends and tabs in names', tests: [[terminal, 'marks line ends and tabs of names']] },
      { attack: 'Controls of a terminal in JSON', tests: [[terminal, 'escapes every control character']] },
      { attack: 'An RSA key that protects nothing', tests: [['test/signing/certificates/path/build-path.test.ts', 'refuses an RSA key with the exponent']] },
      { attack: 'Names and numbers of all holders, for any caller', tests: [[holders, 'tell no name to'], [holders, 'the answers about a transaction']] },
      { attack: 'The transaction of another caller, cancelled', tests: [[others, 'is not there for a cancellation by'], [others, 'by no token for another one']] },
      { attack: 'Uploads that announce the whole disk and stall', tests: [[announced, 'cost others no upload'], [announced, 'a form of the validator under Expect'], [diskRoom, 'keeps three quarters of the disk for others'], [diskRoom, 'gives the announced bytes of a stalled upload back within seconds'], [announced, 'is refused without an invitation']] },
      { attack: 'Public addresses of this computer and of its cloud', tests: [[client, 'refuses a name resolving to'], [client, 'refuses public addresses of this computer'], ['test/app/compose/own-addresses.test.ts', 'are known from the start'], ['test/app/compose/own-addresses.test.ts', 'are no address for a callback']] },
      { attack: 'A file of a terabyte without content', tests: [['test/storage/files/file-roots.test.ts', 'is refused by its length']] },
      { attack: 'Guesses that lock out applications', tests: [['test/service/applications/applications.test.ts', 'is locked out by nobody else'], [oauth, 'are none for a page: it exchanges codes'], [oauth, 'are not even tried for a page']] },
      { attack: 'Guesses that lock out people and administrators', tests: [['test/service/users/attempt-limits.test.ts', 'a simulated attacker with 10,000 addresses'], ['test/service/users/attempt-limits.test.ts', 'is kept out by guesses from the same address alone'], ['test/service/users/accounts.test.ts', 'and the /56 as one more']] },
      { attack: 'Authorize pages that push out those of others', tests: [['test/service/authorization/authorization-requests.test.ts', 'is pushed out by no number of other pages'], ['test/service/authorization/authorization-requests.test.ts', 'is refused when it is']] },
      { attack: 'Pushed requests that use up the places of an application', tests: [['test/http/authorization/refresh-and-push.test.ts', 'are limited for the address of requests without a secret']] },
      { attack: 'A private document, read in its result', tests: [[rights, 'the result of a command'], [rights, 'the result of a request'], [fileRights, 'the result of a document'], [fileRights, 'in the place of another file']] },
      { attack: 'Access lists, read around by a result', tests: [[fileRights, 'with an access list'], [fileRights, 'with a default access list']] },
      { attack: 'A program by the name of a site or of Sinete', tests: [['test/http/authorization/credentials.test.ts', 'is a usual one for the misleading']] },
      { attack: 'A note that covers a signed page on paper, or by a thick line', tests: [['test/signing/pdf/differences/attacks.test.ts', 'a stamp on paper only'], ['test/signing/pdf/differences/attacks.test.ts', 'a line as thick as the page'], ['test/renderer/validate.long.test.ts', 'compares the printed page too']] },
    ],
  },
];

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

/** `held` only when every test of the attack was run and passed, for each entry of the list. */
export function judgeAttack({ tests }: Attack, outcomes: readonly TestOutcome[]): Verdict {
  const found = tests.map(([file, words]) => outcomes.filter((one) => one.file === file && one.name.includes(words)));
  if (found.flat().some(({ status }) => status === 'failed')) return 'BROKE';
  return found.every((some) => some.length > 0 && some.every(({ status }) => status === 'passed')) ? 'held' : 'not run';
}
