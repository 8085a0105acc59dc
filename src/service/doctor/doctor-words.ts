import type { DoctorCheck, DoctorFinding, DoctorValues } from './doctor-facts.ts';

/** A remedy that depends on the finding's values is a function. */
type Words = readonly [
  message: (values: DoctorValues) => string,
  remedy: string | null | ((values: DoctorValues) => string),
];

const text = (value: string | number | undefined): string => String(value ?? '');

/** Texts for the command line: the same as the window's, in English. */
const words: Readonly<Record<DoctorFinding, Words>> = {
  'tokens-seen': [({ count }) => `Tokens that the drivers see: ${text(count)}.`, null],
  'tokens-none': [() => 'No smart card or token is plugged in.', null],
  'token-without-driver': [
    ({ name }) => `There is a card in "${text(name)}", and no driver answers for it.`,
    "Install the driver of the token's maker, then add it: sinete modules add PATH.",
  ],
  'card-service-stopped': [
    ({ name }) => `"${text(name)}" is plugged in, and the system's service for smart cards (pcscd) does not run.`,
    'Install the package pcscd and start it: sudo systemctl enable --now pcscd.socket.',
  ],
  'card-service-idle': [
    () =>
      'No token is seen, and the smart card service of Windows does not run. Windows starts it when a reader is ' +
      'plugged in; if one is, start "Smart Card" in the list of services (services.msc).',
    null,
  ],
  'cards-not-told': [
    () => 'No driver sees a token. Whether a reader is plugged in cannot be told on this system.',
    null,
  ],
  'drivers-not-callable': [({ problem }) => text(problem), ({ remedy }) => text(remedy)],
  'drivers-fit': [() => 'Every driver is made for this computer.', null],
  'driver-other-width': [
    ({ name, file }) => `${text(name)} is a driver for 32 bits and cannot be loaded: ${text(file)}.`,
    "Install the maker's driver for 64 bits.",
  ],
  'driver-other-processor': [
    ({ name, architecture, own }) =>
      `${text(name)} is made for ${text(architecture)}, and this computer is ${text(own)}.`,
    "Install the maker's driver for this processor.",
  ],
  'driver-no-library': [
    ({ name, file }) => `${text(name)} is no library that this system can load: ${text(file)}.`,
    'Remove it, and add the driver itself.',
  ],
  'certificates-good': [({ count }) => `Certificates that can sign today: ${text(count)}.`, null],
  'certificates-none': [
    () => 'There is no certificate here.',
    'Add a file (sinete certificates add FILE.p12) or the driver of your token.',
  ],
  'certificate-expired': [
    ({ name, day }) => `The certificate of ${text(name)} ended on ${text(day)}.`,
    'Have another one issued; signatures that were made in its time stay valid.',
  ],
  'certificate-expires': [
    ({ name, count, day }) => `The certificate of ${text(name)} ends in ${text(count)} days, on ${text(day)}.`,
    'Arrange its renewal with your certification authority now.',
  ],
  'certificate-chain': [
    ({ name }) => `The authority of the certificate of ${text(name)} is not known here.`,
    'Fetch what ICP-Brasil publishes (sinete trust update), or import its certificates.',
  ],
  'driver-suggested': [
    ({ name }) => `Drivers are on this computer that nobody has added: ${text(name)}.`,
    'Add the driver of your token: sinete modules add.',
  ],
  'trust-none': [
    () => 'No root of ICP-Brasil is trusted here, so its signatures cannot be judged.',
    'Fetch what ICP-Brasil publishes: sinete trust update.',
  ],
  'trust-current': [() => 'No trusted root, authority or list of policies ends soon.', null],
  'trust-ended': [
    ({ name, day }) => `The authority ${text(name)} ended on ${text(day)}.`,
    'Fetch newer authorities: sinete trust update.',
  ],
  'trust-ends': [
    ({ name, day }) => `The authority ${text(name)} ends on ${text(day)}, and every certificate below it by then.`,
    'Renew certificates below it in time, and fetch newer authorities: sinete trust update.',
  ],
  'policy-list-ended': [
    ({ day }) => `The list of approved policies ended on ${text(day)}.`,
    'Fetch a newer one, which AD-RA needs: sinete trust update.',
  ],
  'renewals-current': [({ count }) => `Signed files that are kept valid: ${text(count)}.`, null],
  'renewals-due': [
    ({ count }) => `Signed files whose protection ends soon, and that are not renewed by themselves: ${text(count)}.`,
    'List them (sinete renewals list), and renew them: sinete extend --due FOLDER.',
  ],
  'renewals-failed': [
    ({ count }) => `Signed files that could not be renewed: ${text(count)}.`,
    'List them with their reasons: sinete renewals list.',
  ],
  'renewals-missing': [
    ({ count }) => `Signed files that are missing, or whose signed document is missing: ${text(count)}.`,
    'List them (sinete renewals list), and put the files back.',
  ],
  'sites-none': [() => 'No web site has reached Sinete since it started.', null],
  'sites-arrive': [({ name, browser }) => `Browsers let web sites through: ${text(name)} (${text(browser)}).`, null],
  'sites-refused': [
    ({ name, code }) => `The last request of a web site was refused: ${text(name)} (${text(code)}).`,
    'Let the site in (sinete sites allow), or tell its makers the code.',
  ],
  'port-usual': [({ port }) => `Sinete listens at port ${text(port)}.`, null],
  'port-other': [
    ({ port, taken }) => `Sinete listens at port ${text(port)}, because others are taken: ${text(taken)}.`,
    'Web pages look at this port as well. To have the usual port, end the program at it and start Sinete again.',
  ],
  'port-chosen': [
    ({ port }) => `Sinete listens at port ${text(port)}, at which web pages do not look.`,
    'Leave "port" out of the configuration, or keep this port where programs alone sign.',
  ],
  'clock-agrees': [({ source }) => `The clock agrees with ${text(source)}.`, null],
  'clock-differs': [
    ({ minutes, source }) => `The clock is ${text(minutes)} minutes ahead of ${text(source)} (behind where negative).`,
    'Set date and time of the computer to automatic.',
  ],
  'clock-not-compared': [() => 'The clock could not be compared with another one.', null],
  'secrets-kept': [({ kind }) => `Keys outlive the end of Sinete (${text(kind)}).`, null],
  'secrets-in-memory': [
    () => 'There is no Secret Service: keys are kept in memory and are lost when Sinete ends.',
    'Install and unlock GNOME Keyring or KWallet, or set SINETE_SECRET_STORE_MODE=key-file.',
  ],
  'secrets-in-memory-windows': [
    () => 'The Credential Manager of Windows does not keep keys here: they are lost when Sinete ends.',
    'Run Sinete as a user who is signed in, or set SINETE_SECRET_STORE_MODE=key-file.',
  ],
  'secrets-in-memory-macos': [
    () => 'The keychain of macOS does not keep keys here: they are lost when Sinete ends.',
    'Unlock the login keychain in Keychain Access, or set SINETE_SECRET_STORE_MODE=key-file.',
  ],
  'proxy-answers': [({ address }) => `The proxy answers: ${text(address)}.`, null],
  'proxy-silent': [
    ({ address }) => `The proxy does not answer: ${text(address)}.`,
    'Check network.proxy in the configuration, or remove it.',
  ],
  'database-whole': [() => 'No database was set aside.', null],
  'database-aside': [
    ({ name }) => `A damaged database was set aside: ${text(name)}.`,
    'Put back a copy or a backup with "sinete restore", or remove the file when nothing is missing.',
  ],
  'store-answers': [({ name }) => `The object store ${text(name)} answers.`, null],
  'store-silent': [
    ({ name, problem }) => `The object store ${text(name)} cannot be used. ${text(problem)}`,
    'Check its address and credentials (sinete stores test).',
  ],
  'not-examined': [({ name }) => `This could not be looked at: ${text(name)}.`, 'Try again.'],
};

/** The sentence of a check, and the remedy; null without a remedy. */
export function wordsOf({ finding, values }: Pick<DoctorCheck, 'finding' | 'values'>): {
  readonly message: string;
  readonly remedy: string | null;
} {
  const [message, remedy] = words[finding];
  return { message: message(values), remedy: typeof remedy === 'function' ? remedy(values) : remedy };
}
