// An example to start from: find the helper, choose the signer, sign files, offer the results.
import { Sinete, SineteError } from './client.js';

const byId = (id) => document.getElementById(id);
/** The found helper. */
let sinete;
/** Cancels the running signature. */
let running;

function tell(element, text, isProblem = false) {
  element.textContent = text;
  element.classList.toggle('problem', isProblem);
}

async function attempt(element, action) {
  try {
    tell(element, 'One moment…');
    await action();
  } catch (error) {
    const text = error instanceof SineteError ? error.forUser.en : 'Something went wrong.';
    tell(element, text, true);
  }
}

byId('find').onclick = () =>
  attempt(byId('helper'), async () => {
    sinete = await Sinete.find({ ports: portsToTry() });
    tell(byId('helper'), `Found version ${sinete.version} at ${sinete.address}.`);
    byId('who').disabled = false;
    byId('start').disabled = false;
  });

byId('who').onclick = () =>
  attempt(byId('user'), async () => {
    const user = await sinete.selectedUser();
    const certificates = await sinete.certificates();
    const select = byId('certificate');
    select.replaceChildren(select.options[0], ...certificates.map(({ alias }) => new Option(alias, alias)));
    select.disabled = false;
    tell(byId('user'), user === undefined ? 'Nobody is selected in Sinete.' : `${user.name} signs.`);
  });

byId('cancel').onclick = () => running?.abort();

byId('sign').onsubmit = (event) => {
  event.preventDefault();
  running = new AbortController();
  byId('results').replaceChildren();
  byId('cancel').disabled = false;
  void attempt(byId('state'), async () => {
    const signed = await sinete.sign([...byId('files').files], {
      type: byId('type').value,
      certificate: byId('certificate').value || undefined,
      onProgress: showProgress,
      signal: running.signal,
    });
    const done = signed.filter(({ status }) => status === 'SIGNED').length;
    tell(byId('state'), `${done} of ${signed.length} signed.`, done < signed.length);
    for (const file of signed) byId('results').append(await listed(file));
  }).finally(() => {
    byId('cancel').disabled = true;
    byId('progress').hidden = true;
  });
};

const phases = {
  uploading: 'Sending the files…',
  approval: 'Approve the signature in the window of Sinete.',
  pin: 'Type the PIN in the window of Sinete.',
  signing: 'Signing…',
  finished: 'Finished.',
};

function showProgress({ phase, sent, size, signed, failed, documents }) {
  const progress = byId('progress');
  progress.hidden = false;
  progress.value = phase === 'uploading' ? (size === 0 ? 0 : sent / size / 2) : 0.5 + (signed + failed) / documents / 2;
  tell(byId('state'), phases[phase]);
}

async function listed(file) {
  const item = document.createElement('li');
  if (file.status === 'ERROR') {
    tell(item, `${file.source.name}: ${file.error?.detail ?? 'not signed'}`, true);
    return item;
  }
  const result = await file.download();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(result);
  link.download = result.name;
  link.textContent = result.name;
  const verdict = document.createElement('span');
  const isPdf = result.type === 'application/pdf';
  const isDetached = byId('type').value === 'CAdES-detached';
  const validation = await sinete.validate(result, {
    type: isPdf ? 'PAdES' : 'CAdES',
    ...(isDetached ? { content: file.source } : {}),
  });
  verdict.textContent = validation.detail.signature.status ? ' – intact' : ' – broken';
  item.append(link, verdict);
  return item;
}

/** The usual ports, or the port in `?port=`. */
function portsToTry() {
  const port = Number(new URLSearchParams(location.search).get('port') ?? undefined);
  return Number.isInteger(port) ? [port] : undefined;
}
