import type { LostRows } from './check-storage.ts';
import type { CheckValues } from './check.ts';
import type { FindingWords, Sentence } from './finding-words.ts';

/** The words of checks in English. */

const startAgain = 'Start the application again.';
const failed = 'The check "{{check}}" failed.{{reason}}';
const setClock = 'Set the clock of this computer. If it is right, "sinete clock accept" says so.';
const automaticTime = 'Set the date and time of the computer to automatic.';
const makeRoom = 'Make room on the disk.';

/** `23.5 GB are free`, `documents have 1.2 GB of 2.0 GB`: whichever is scarcer. */
function describeSpace({ free, awaited, quota, cause }: CheckValues, shown: (name: string) => string): string {
  const ofQuota = quota === undefined ? '' : `documents have ${shown('kept')} of ${shown('quota')}`;
  if (cause === 'quota') return ofQuota;
  const amount = free === undefined ? 'an unknown amount' : shown('free');
  const promised = awaited === 0 ? '' : `, of which signatures under way need ${shown('awaited')}`;
  const onDisk = cause === 'disk' ? `only ${amount} are free${promised}` : `${amount} are free`;
  return ofQuota === '' || cause === 'disk' ? onDisk : `${onDisk}, and ${ofQuota}`;
}

/** A sentence with the exact numbers, as far as they are known. */
export function describeLoss({ kind, rows, transactions, documents, signed }: LostRows | LostValues): string {
  const state = {
    'rows-missing': 'The database has lost its last rows: its journal is damaged, or it is an older copy.',
    'other-history': 'The database is not the one that was used here last.',
    'database-gone': 'The database is empty, but another one was used here.',
  }[kind];
  if (rows === undefined) return `${state} How much is missing is not known.`;
  return `${state} Missing: ${transactions} transactions, ${documents} documents, of which ${signed} signed (${rows} rows of the audit log).`;
}

type LostValues = Pick<LostRows, 'kind'> & { readonly [Name in keyof LostRows]?: string | number | undefined };

const lost = (kind: LostRows['kind']): readonly [Sentence, Sentence, Sentence] => [
  (values) => `${describeLoss({ ...values, kind })} Until a person has decided, this instance only reads.`,
  'End the application and run "sinete recover": it explains what can be put back.',
  'End Sinete and run “sinete recover”: it explains what can come back. A backup may help too.',
];

export const english: FindingWords = {
  decimal: '.',
  areas: {
    database: ['Database', 'Requests and their outcomes are written here before anything is called signed.'],
    'document-store': [
      'Object store of the documents',
      'Documents of all nodes lie here; new ones are refused while it is out of reach.',
    ],
    'database-rows': [
      'Rows of the database',
      'Until somebody decides, Sinete only reads: nothing new is signed or kept.',
    ],
    'lost-and-found': ['Documents found', 'Documents without a row are not shown in History, but are never erased.'],
    results: ['Stored results', 'A result that is missing or changed is given to nobody.'],
    'data-folder': [
      'Data folder and disk',
      'Documents need room until they are delivered, and the folder must be yours.',
    ],
    'secret-store': [
      'Safe for secrets',
      'The key that protects your certificate files is kept by the operating system.',
    ],
    clock: ['Clock', 'A signature says when it was made; with a wrong clock it says something false.'],
    'key-sources': ['Key sources', 'Certificate files and tokens are asked for what they hold.'],
    'key-files': ['Certificate files', 'The keys of certificate files that were imported are kept here, encrypted.'],
    'key-source': [
      'Key source: {{name}}',
      'A driver talks to the token. If it crashes or hangs, Sinete stops it so that you can go on working.',
    ],
    'timestamp-servers': ['Time-stamp servers', 'They vouch for when a signature was made.'],
    'timestamp-server': ['Time-stamp server: {{name}}', 'It vouches for when a signature was made.'],
    certificates: ['Certificates', 'Signing needs a certificate that is valid today.'],
    certificate: ['Certificate: {{name}}', 'It is valid until its last day; its renewal takes an appointment.'],
    trust: ['Trust data', 'Roots, authorities and lists of approved policies expire.'],
    tokens: ['Smart cards and tokens', 'A card is seen when its reader, the system and a driver work together.'],
    drivers: ['Drivers', 'A driver must be made for this system and processor (64 bits).'],
    sites: ['Web sites', 'Browsers ask before a site may reach a program of this computer, and may have been told no.'],
    port: ['Port', 'Programs and sites find Sinete at one of five ports.'],
    'clock-compared': ['Clock against another one', 'Authorities refuse what comes from a time that is not theirs.'],
    secrets: ['Storage of keys', 'Keys of certificate files must stay available after Sinete ends.'],
    proxy: ['Proxy', 'Time stamps and revocation lists go through it.'],
    'damaged-databases': ['Databases set aside', 'A damaged database is never overwritten.'],
    store: ['Object store: {{name}}', 'Applications keep their documents there.'],
    renewals: ['Renewals', 'Signed files are renewed before their last time stamp ends.'],
    part: ['Check: {{name}}', 'A further check.'],
  },
  findings: {
    'database-works': 'The database can be written and read back.',
    'database-fails': [
      failed,
      'Check the disk of the data folder: its space, its cable, its errors. Nothing is lost by waiting.',
    ],
    'database-damaged': [
      'The database is damaged. Nothing is written any more; results are still given out.',
      'Start Sinete again: it sets the database aside and names the newest good copy.',
    ],
    'database-server-fails': [
      failed,
      'Check the PostgreSQL server: that it runs, its disk, and the network between. Nothing is lost by waiting.',
    ],
    'store-works': 'The object store of the documents answers.',
    'store-fails': [
      '{{reason}}',
      'Check the object store, its credentials and the network between. Nothing is lost by waiting.',
    ],
    'folder-works': (values, shown) => `The data folder can be written; ${describeSpace(values, shown)}.`,
    'folder-fails': [failed, 'Check the owner of the data folder and the disk.'],
    'folder-scarce': [(values, shown) => `In the data folder ${describeSpace(values, shown)}.`, makeRoom],
    'folder-full': [
      (values, shown) => `In the data folder ${describeSpace(values, shown)}. Further documents are refused.`,
      makeRoom,
    ],
    'folder-quota': [
      (values, shown) => `In the data folder ${describeSpace(values, shown)}. Further documents are refused.`,
      'Wait until kept documents have ended, or raise limits.disk_quota in the configuration.',
    ],
    'rows-whole': 'The database has every row of its mark.',
    'rows-missing': lost('rows-missing'),
    'rows-unknown': lost('rows-missing'),
    'other-history': lost('other-history'),
    'database-gone': lost('database-gone'),
    'mark-unwritten': [
      'The mark of the database cannot be written: rows that are lost from now on would not be noticed.',
      'Make room on the disk, and check the owner of the data folder.',
    ],
    'found-none': 'Every document of the data folder has its row.',
    'found-unanswered':
      '{{count}} documents in the folder "lost+found" may be removed. Their requests ended without an answer, so that nothing is missing.',
    'found-documents': [
      '{{count}} documents without a row in the database are in the folder "lost+found".',
      'Look at "found.jsonl" in that folder, and move or remove the documents.',
    ],
    'found-fails': [failed, 'Check the owner of the data folder.'],
    'results-whole': 'No stored result is known to be missing or damaged.',
    'results-damaged': [
      'Of the stored results {{missing}} are missing and {{damaged}} are damaged.',
      'Restore a backup, or sign these documents again. The log names their transactions.',
      'Restore a backup, or sign these documents again. History names them.',
    ],
    'source-works': 'The key source "{{name}}" works.',
    'source-fails': [
      'The key source "{{name}}" fails. {{detail}}',
      ({ remedy }) => String(remedy ?? 'Test the driver on the settings page; install it again or remove it.'),
      ({ remedy }) =>
        String(
          remedy ??
            'Plug the token in again and start the driver again. If it repeats, install the newest driver of the maker, for 64 bits.',
        ),
    ],
    'source-quarantined': [
      'The key source "{{name}}" crashed several times and is not used now. {{detail}}',
      'Update the driver. It is tried again by itself after a pause, or at once by "sinete modules retry" or on the settings page.',
      'Plug the token in again and start the driver again. If it repeats, install the newest driver of the maker, for 64 bits.',
    ],
    'sources-fail': [failed, startAgain, 'Start Sinete again. If it repeats, remove drivers that you do not use.'],
    'server-answers': 'The time-stamp server {{name}} answers.',
    'server-silent': [
      'The time-stamp server {{name}} does not answer. {{reason}}',
      'Check the network and the address of the server, or remove it.',
      'Check the network, the proxy and the address of the server, or remove it in Settings.',
    ],
    'servers-fail': [failed, startAgain, 'Start Sinete again, and check the servers in Settings.'],
    'secrets-readable': 'Secrets can be kept and read.',
    'secrets-unreadable': ['{{reason}}', "Unlock the operating system's keychain, or configure another."],
    'secrets-fail': [failed, "Unlock the operating system's keychain, or configure another store."],
    'clock-plausible': 'The clock is plausible.',
    'clock-doubted': (_values, _shown, reader) =>
      `The clock leapt, or this computer was off: expired documents are kept until the clock agrees with a time-stamp server, or has run evenly for 24 hours.${
        reader === 'program' ? ' "sinete clock accept" ends the wait.' : ''
      }`,
    'clock-ahead': [
      'The clock is {{minutes}} minutes ahead of the one of a time-stamp server.',
      setClock,
      automaticTime,
    ],
    'clock-behind': [
      'The clock is {{minutes}} minutes behind the one of a time-stamp server.',
      setClock,
      automaticTime,
    ],
    'clock-early': [
      'The clock shows a time before something that has already happened.',
      setClock,
      `${automaticTime} If they are right, say so here.`,
    ],
    'clocks-differ': [
      'The clocks of the nodes differ by {{seconds}} seconds.',
      'Keep the clocks of all nodes in step by NTP.',
    ],
    'clock-fails': [failed, 'Set the clock of this computer.'],
    'tokens-seen': 'Tokens that the drivers see: {{count}}.',
    'tokens-none': 'No smart card or token is plugged in.',
    'token-without-driver': [
      'There is a card in "{{name}}", and no driver answers for it.',
      "Install the driver of the token's maker, then add it: sinete modules add PATH.",
      "Install the driver of the token's maker, then add it. The maker's page names it; it has to be for 64 bits.",
    ],
    'card-service-stopped': [
      '"{{name}}" is plugged in, and the system\'s service for smart cards (pcscd) does not run.',
      'Install the package pcscd and start it: sudo systemctl enable --now pcscd.socket.',
    ],
    'card-service-idle':
      'No token is seen, and the smart card service of Windows does not run. Windows starts it when a reader is ' +
      'plugged in; if one is, start "Smart Card" in the list of services (services.msc).',
    'cards-not-told': 'No driver sees a token. Whether a reader is plugged in cannot be told on this system.',
    'drivers-not-callable': [
      '{{problem}}',
      '{{remedy}}',
      'Install Sinete again. In a checkout, run “npm ci”; “npx sinete doctor” names the package in full.',
    ],
    'drivers-fit': 'Every driver is made for this computer.',
    'driver-other-width': [
      '{{name}} is a driver for 32 bits and cannot be loaded: {{file}}.',
      "Install the maker's driver for 64 bits.",
      "Install the maker's driver for 64 bits, remove this one, and add the other.",
    ],
    'driver-other-processor': [
      '{{name}} is made for {{architecture}}, and this computer is {{own}}.',
      "Install the maker's driver for this processor.",
    ],
    'driver-no-library': [
      '{{name}} is no library that this system can load: {{file}}.',
      'Remove it, and add the driver itself.',
      'Remove it, and add the driver itself: a .so, .dll or .dylib file.',
    ],
    'driver-suggested': [
      'Drivers are on this computer that nobody has added: {{name}}.',
      'Add the driver of your token: sinete modules add.',
      'Add the driver of your token.',
    ],
    'certificates-good': 'Certificates that can sign today: {{count}}.',
    'certificates-none': [
      'There is no certificate here.',
      'Add a file (sinete certificates add FILE.p12) or the driver of your token.',
      'Import a certificate file, add the driver of your token, or make a test identity.',
    ],
    'certificate-expired': [
      'The certificate of {{name}} ended on {{day}}.',
      'Have another one issued; signatures that were made in its time stay valid.',
    ],
    'certificate-expires': [
      'The certificate of {{name}} ends in {{count}} days, on {{day}}.',
      'Arrange its renewal with your certification authority now.',
    ],
    'certificate-chain': [
      'The authority of the certificate of {{name}} is not known here.',
      'Fetch what ICP-Brasil publishes (sinete trust update), or import its certificates.',
      'Fetch what ICP-Brasil publishes, or import the certificates of its authority.',
    ],
    'trust-current': 'No trusted root, authority or list of policies ends soon.',
    'trust-ends-soon': '{{sentences}}',
    'trust-none': [
      'No root of ICP-Brasil is trusted here, so its signatures cannot be judged.',
      'Fetch what ICP-Brasil publishes: sinete trust update.',
      'Fetch the roots that ICP-Brasil publishes.',
    ],
    'trust-ended': [
      'The authority {{name}} ended on {{day}}.',
      'Fetch newer authorities: sinete trust update.',
      'Fetch newer authorities: “Update ICP-Brasil” in Settings.',
    ],
    'trust-ends': [
      'The authority {{name}} ends on {{day}}, and every certificate below it by then.',
      'Renew certificates below it in time, and fetch newer authorities: sinete trust update.',
      'Renew certificates below it in time, and fetch newer authorities in Settings.',
    ],
    'policy-list-ended': [
      'The list of approved policies ended on {{day}}.',
      'Fetch a newer one, which AD-RA needs: sinete trust update.',
      'Fetch a newer one, which AD-RA needs: “Update ICP-Brasil” in Settings.',
    ],
    'sites-none': 'No web site has reached Sinete since it started.',
    'sites-arrive': 'Browsers let web sites through: {{name}} ({{browser}}).',
    'sites-refused': [
      'The last request of a web site was refused: {{name}} ({{code}}).',
      'Let the site in (sinete sites allow), or tell its makers the code.',
      'Allow the site on the page Sites. If it goes on, tell its makers the code.',
    ],
    'port-usual': 'Sinete listens at port {{port}}.',
    'port-other': [
      'Sinete listens at port {{port}}, because others are taken: {{taken}}.',
      'Web pages look at this port as well. To have the usual port, end the program at it and start Sinete again.',
    ],
    'port-chosen': [
      'Sinete listens at port {{port}}, at which web pages do not look.',
      'Leave "port" out of the configuration, or keep this port where programs alone sign.',
    ],
    'clock-agrees': 'The clock agrees with {{source}}.',
    'clock-not-compared': 'The clock could not be compared with another one.',
    'clock-differs': [
      'The clock is {{minutes}} minutes ahead of {{source}} (behind where negative).',
      'Set date and time of the computer to automatic.',
    ],
    'secrets-kept': 'Keys outlive the end of Sinete ({{kind}}).',
    'secrets-in-memory': [
      'There is no Secret Service: keys are kept in memory and are lost when Sinete ends.',
      'Install and unlock GNOME Keyring or KWallet, or set SINETE_SECRET_STORE_MODE=key-file.',
      'Install and unlock a keychain such as GNOME Keyring or KWallet, or keep them in a file that only you can read.',
    ],
    'secrets-in-memory-windows': [
      'The Credential Manager of Windows does not keep keys here: they are lost when Sinete ends.',
      'Run Sinete as a user who is signed in, or set SINETE_SECRET_STORE_MODE=key-file.',
      'Run Sinete as a user who is signed in, or keep them in a file that only you can read.',
    ],
    'secrets-in-memory-macos': [
      'The keychain of macOS does not keep keys here: they are lost when Sinete ends.',
      'Unlock the login keychain in Keychain Access, or set SINETE_SECRET_STORE_MODE=key-file.',
      'Unlock the login keychain in Keychain Access, or keep them in a file that only you can read.',
    ],
    'proxy-answers': 'The proxy answers: {{address}}.',
    'proxy-silent': [
      'The proxy does not answer: {{address}}.',
      'Check network.proxy in the configuration, or remove it.',
      'Correct or remove the proxy in Settings, and check that this computer is in its network.',
    ],
    'database-whole': 'No database was set aside.',
    'database-aside': [
      'A damaged database was set aside: {{name}}.',
      'Put back a copy or a backup with "sinete restore", or remove the file when nothing is missing.',
      'Put back a copy or a backup if something is missing. When nothing is, remove the file.',
    ],
    'store-answers': 'The object store {{name}} answers.',
    'store-silent': [
      'The object store {{name}} cannot be used. {{reason}}',
      'Check its address and credentials (sinete stores test).',
      'Check its address and credentials in Settings.',
    ],
    'renewals-current': 'Signed files that are kept valid: {{count}}.',
    'renewals-due': [
      'Signed files whose protection ends soon, and that are not renewed by themselves: {{count}}.',
      'List them (sinete renewals list), and renew them: sinete extend --due FOLDER.',
      'Renew them on the page Renewals.',
    ],
    'renewals-failed': [
      'Signed files that could not be renewed: {{count}}.',
      'List them with their reasons: sinete renewals list.',
      'The page Renewals has the reason of each file.',
    ],
    'renewals-missing': [
      'Signed files that are missing, or whose signed document is missing: {{count}}.',
      'List them (sinete renewals list), and put the files back.',
      'See which on the page Renewals, and put the files back.',
    ],
    'check-failed': [failed, startAgain],
    'not-examined': ['This could not be looked at: {{name}}.', 'Try again.', 'Check again in a moment.'],
  },
};
