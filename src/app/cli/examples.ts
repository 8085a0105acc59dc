/** Examples of every command, for its help, its manual page and docs/reference/command-line.md. */
import type { Command } from 'commander';

/** A command line without the program's name, and its effect. */
export type Example = readonly [words: string, about: string];

/** The examples by the name of the command. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  start: [['start', 'run the desktop application, or serve where there is no desktop']],
  desktop: [['desktop', 'run the desktop application']],
  serve: [
    ['serve', 'serve this computer; the window opens by the printed link'],
    ['serve --port 18080 --approve listed', 'sign without asking for the callers in "approved"'],
  ],
  link: [['link', 'print a fresh link to the window']],
  'certificates list': [['certificates list', 'show your certificates and their aliases']],
  'certificates show': [
    ['certificates show "ANA LIMA:11144477735"', 'show a certificate and whether it is good today'],
    ['certificates show server.cer --json', 'judge the certificates of a file'],
  ],
  'certificates add': [['certificates add ana.p12 --password-file password.txt', 'import a key without a prompt']],
  'certificates remove': [['certificates remove "ANA LIMA:11144477735"', 'remove an imported key after a question']],
  'certificates unlock': [['certificates unlock "ANA LIMA:11144477735"', 'ask for the PIN and open the token']],
  'certificates lock': [['certificates lock "ANA LIMA:11144477735"', 'log out of the token']],
  'certificates set-default': [['certificates set-default "ANA LIMA:11144477735"', 'use this certificate by default']],
  'certificates test-identity': [
    ['certificates test-identity --name "ANA LIMA" --cpf 11144477735', 'make a person to try Sinete with'],
    ['certificates test-identity --name ACME --cpf 11144477735 --cnpj 11222333000181 --responsible "ANA LIMA"', 'make a company'], // prettier-ignore
  ],
  'tokens list': [['tokens list', 'show the tokens that are plugged in']],
  'modules list': [['modules list', 'show the token drivers that Sinete uses and those that it found']],
  'modules add': [['modules add /usr/lib/opensc-pkcs11.so', 'use the token driver of OpenSC']],
  'modules remove': [['modules remove opensc-pkcs11', 'use a token driver no longer']],
  'modules retry': [['modules retry opensc-pkcs11', 'try a driver again that was set aside after crashes']],
  'modules test': [['modules test /usr/lib/opensc-pkcs11.so', 'load a driver and list its tokens, without adding it']],
  sign: [
    ['sign contract.pdf', 'sign a PDF; the result is contract-signed.pdf'],
    ['sign contract.pdf -o signed.pdf --policy B-LTA', 'sign for the long term, into a file of this name'],
    ['sign *.pdf --out signed -y', 'sign many PDFs into a folder without a question'],
    ['sign letter.txt --detached', 'sign any file; the signature is letter.txt.p7s'],
    ['sign - -y', 'sign standard input to standard output: cat a.pdf | sinete sign - -y > b.pdf'],
    ['sign contract.pdf --visible last,360,40,200,80', 'show the signature on the last page'],
  ],
  extend: [
    ['extend contract-signed.pdf --level B-LTA', 'add time stamps and revocation data for the long term'],
    ['extend letter.txt.er --content letter.txt', 'renew an evidence record into letter.txt-renewed.er'],
    ['extend --due ~/archive --dry-run', 'list the files whose protection ends within 90 days'],
  ],
  validate: [
    ['validate contract-signed.pdf', 'judge the signatures of a PDF'],
    ['validate letter.txt.p7s --content letter.txt --json', 'judge a detached signature, for a program'],
    ['validate contract-signed.pdf --report report.html', 'write a report to keep'],
  ],
  'renewals list': [['renewals list', 'show until when signed files are protected, and when they are renewed']],
  'renewals folders': [['renewals folders', 'show the folders that are kept valid']],
  'renewals add': [['renewals add ~/archive', 'keep every signed file of a folder valid']],
  'renewals remove': [['renewals remove ~/archive', 'keep a folder valid no longer']],
  'renewals forget': [['renewals forget contract-signed.pdf', 'keep one file valid no longer']],
  'renewals run': [['renewals run', 'renew now what is due, for example from cron']],
  'renewals report': [['renewals report proofs.pdf --language pt-BR', 'write a report, also for a court']],
  'tsa list': [['tsa list', 'show the time-stamp servers in the order in which they are asked']],
  'tsa add': [['tsa add office https://tsa.example/stamp', 'add a time-stamp server']],
  'tsa remove': [['tsa remove office', 'remove a time-stamp server']],
  'tsa test': [['tsa test office', 'ask a server for a stamp and check the stamp']],
  'trust list': [
    ['trust list', 'show the trusted roots'],
    ['trust list --authorities', 'show the authorities below them as well'],
  ],
  'trust import': [
    ['trust import root.cer', 'trust the roots of a file'],
    ['trust import ca-certificates', 'take everything useful in a folder, or in a ZIP archive'],
    [`trust import root.cer --test --fingerprint ${'7d86908f'.repeat(8)}`, 'try Sinete with a root of your own'],
  ],
  'trust update': [['trust update', 'fetch the roots and authorities of ICP-Brasil']],
  'trust remove': [
    ['trust remove 7d86908f5b31', 'trust a root no longer, or refuse an authority, by the first digits of its SHA-256'],
  ],
  'trust accept': [['trust accept 7d86908f5b31', 'accept a root or an authority again that was refused']],
  'sites list': [['sites list', 'show the web sites that may call, and for how long']],
  'sites allow': [['sites allow https://portal.example --days 30', 'let a web site in']],
  'sites folders': [['sites folders', 'show the folders that sites and applications may use']],
  'sites allow-folder': [['sites allow-folder https://portal.example /srv/contracts', 'let a web site read a folder']],
  'sites revoke-folder': [['sites revoke-folder https://portal.example /srv/contracts', 'take the folder back']],
  'sites revoke': [['sites revoke https://portal.example', 'let a web site in no longer']],
  'stores list': [['stores list', 'show the object stores']],
  'stores add s3': [['stores add s3 archive contracts --region sa-east-1', 'add a bucket of S3']],
  'stores add gcs': [['stores add gcs archive contracts', 'add a bucket of Cloud Storage']],
  'stores remove': [['stores remove archive', 'remove an object store']],
  'stores test': [['stores test archive', 'write, read and remove an object']],
  'test-services': [['test-services', 'run the servers of test certificates until Ctrl+C']],
  'test-services revoke': [['test-services revoke "ANA LIMA:11144477735"', 'revoke a test certificate']],
  'users list': [['users list', 'show the people with one-time passwords']],
  'users add': [
    ['users add --name "ANA LIMA" --username 11144477735', 'enrol a person with a QR code'],
    ['users add --name "ANA LIMA" --username 11144477735 --otpauth-file ana.txt --json', 'enrol a person by a script'],
  ],
  'users remove': [['users remove 11144477735', 'remove a person with their tokens']],
  'users select': [['users select 11144477735', 'make a person the active one']],
  'applications list': [['applications list', 'show the registered applications']],
  'applications add': [['applications add Portal --redirect https://portal.example/back', 'register an application']],
  'applications rename': [['applications rename portal-1 "The portal"', 'give an application another name']],
  'applications limit': [
    ['applications limit portal-1 --documents-per-day 200 --hours 08:00-18:00', 'let an application ask less'],
    ['applications limit portal-1', 'end all limits of an application'],
  ],
  'applications raw': [
    ['applications raw portal-1 allow', 'let an application ask for raw signatures of hashes'],
    ['applications raw portal-1 forbid', 'end this permission'],
  ],
  'applications rotate': [['applications rotate portal-1', 'make new secrets; the old ones end']],
  'applications remove': [['applications remove portal-1', 'remove an application with its tokens']],
  'admin tokens list': [['admin tokens list', 'show the tokens of administrators']],
  'admin tokens add': [['admin tokens add monitoring --scope monitor', 'make a token that reads metrics and health']],
  'admin tokens revoke': [['admin tokens revoke monitoring', 'end a token']],
  'notifications list': [['notifications list', 'show the notifications that wait or were given up']],
  'notifications redeliver': [['notifications redeliver 7', 'deliver a notification again now']],
  'notifications give-up': [['notifications give-up 7', 'deliver a notification no longer']],
  'clock show': [['clock show', 'compare the clock with the last times that Sinete has seen']],
  'clock accept': [['clock accept', 'believe the clock again, after a question']],
  'master-key make': [['master-key make /etc/sinete/master.key', 'make a key file for a server']],
  'master-key rotate': [
    ['master-key rotate /etc/sinete/next.key --data /srv/sinete', 'take another master key, with the service stopped'],
  ],
  'audit list': [['audit list --json', 'read the audit log']],
  'audit verify': [['audit verify', 'check that nobody changed the audit log']],
  'audit export': [['audit export audit.jsonl', 'write the audit log to a file']],
  backup: [
    ['backup sinete.age', 'write a backup under a passphrase'],
    ['backup sinete.age --recipient age1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sj9hjuh', 'seal it for a public key'], // prettier-ignore
  ],
  restore: [['restore sinete.age --data /srv/sinete', 'fill an empty data folder from a backup']],
  fsck: [['fsck', 'compare the database with the files, and change nothing']],
  'database move': [
    ['database move --to "postgresql://sinete@db.example:5432/sinete?sslmode=verify-full" --password-file password', 'move all rows to PostgreSQL'], // prettier-ignore
    ['database move --to sqlite', 'move all rows back into the data folder'],
  ],
  recover: [['recover', 'bring back what can be read of a damaged database']],
  demo: [['demo', 'sign a sample PDF through the HTTP interface and validate it']],
  doctor: [
    ['doctor', 'check the installation and name remedies'],
    ['doctor --export report.zip', 'write a report without personal data'],
  ],
  completion: [
    ['completion bash', 'for ~/.bashrc: source <(sinete completion bash)'],
    ['completion fish', 'for ~/.config/fish/completions/sinete.fish'],
  ],
};

/** The words of a command without the program's name: `certificates add`. */
export function nameOfCommand(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOfCommand(parent)} ${command.name()}` : command.name();
}

/** Adds the examples to the help of a command and of all commands below it. */
export function addExamples(command: Command): void {
  command.commands.forEach(addExamples);
  const own = examples[nameOfCommand(command)] ?? command.commands.flatMap((one) => (examples[nameOfCommand(one)] ?? []).slice(0, 1)); // prettier-ignore
  const lines = own.map(([words, about]) => `  sinete ${words}\n      ${about}`);
  if (command.parent !== null && lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
