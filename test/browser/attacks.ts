/** Every way for a page to make a browser send something. Each runs inside the page. */
export interface Attack {
  readonly way: string;
  /** Whether the browser holds the page to CORS: then, and only then, a grant makes it count. */
  readonly effect?: string;
  /** The request itself stays away, because its preflight or policy was refused. */
  readonly run: (target: string) => unknown;
}

export const attacks: readonly Attack[] = [
  { way: 'fetch GET', effect: 'users read', run: (target) => fetch(`${target}/user`) },
  {
    way: 'fetch POST of a form, which needs no preflight',
    effect: 'user added',
    run: (target) =>
      fetch(`${target}/user`, { method: 'POST', body: new URLSearchParams({ username: '1', password: '2' }) }),
  },
  {
    way: 'fetch PUT of a form',
    effect: 'user selected',
    run: (target) => fetch(`${target}/selected-user`, { method: 'PUT', body: new URLSearchParams({ username: '1' }) }),
  },
  { way: 'fetch DELETE', effect: 'user removed', run: (target) => fetch(`${target}/user/1`, { method: 'DELETE' }) },
  {
    way: 'fetch with a header of its own',
    effect: 'selected user read',
    run: (target) => fetch(`${target}/selected-user`, { headers: { Authorization: 'Bearer x' } }),
  },
  {
    way: 'fetch POST of JSON',
    effect: 'transaction created',
    run: (target) =>
      fetch(`${target}/signature-service`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'CAdES', documents_source: 'DATA_URL', documents: ['data:text/plain,x'] }),
      }),
  },
  {
    way: 'fetch keepalive',
    effect: 'users read',
    run: (target) => fetch(`${target}/user`, { keepalive: true }),
  },
  {
    way: 'XMLHttpRequest',
    effect: 'certificates read',
    run: (target) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.onloadend = resolve;
        request.open('GET', `${target}/selected-user/certificates`);
        request.send();
      }),
  },
  {
    way: 'EventSource',
    effect: 'users read',
    run: (target) =>
      new Promise((resolve) => {
        const source = new EventSource(`${target}/user`);
        source.onerror = () => {
          source.close();
          resolve(undefined);
        };
      }),
  },
  {
    way: "fetch of the computer's secret",
    run: (target) => fetch(`${target}/application`),
  },
  {
    way: 'fetch that registers the computer by force',
    run: (target) =>
      fetch(`${target}/application`, {
        method: 'POST',
        body: new URLSearchParams({ client_name: 'x', force: 'true' }),
      }),
  },
  { way: 'fetch of the counters', run: (target) => fetch(`${target}/dashboard`) },
  {
    way: 'fetch of the window',
    run: (target) => fetch(`${target}/ui/links`, { method: 'POST' }),
  },
  {
    way: 'fetch POST in mode no-cors',
    run: (target) =>
      fetch(`${target}/user`, {
        method: 'POST',
        mode: 'no-cors',
        body: new URLSearchParams({ username: '1', password: '2' }),
      }),
  },
  { way: 'fetch GET in mode no-cors', run: (target) => fetch(`${target}/user`, { mode: 'no-cors' }) },
  {
    way: 'beacon',
    run: (target) => navigator.sendBeacon(`${target}/user`, new URLSearchParams({ username: '1', password: '2' })),
  },
  {
    way: 'image',
    run: (target) =>
      new Promise((resolve) => {
        const image = new Image();
        image.onerror = image.onload = resolve;
        image.src = `${target}/user`;
      }),
  },
  {
    way: 'script',
    run: (target) =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.onerror = script.onload = resolve;
        script.src = `${target}/user`;
        document.body.append(script);
      }),
  },
  {
    way: 'script module',
    run: (target) =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.type = 'module';
        script.onerror = script.onload = resolve;
        script.src = `${target}/user`;
        document.body.append(script);
      }),
  },
  {
    way: 'style sheet',
    run: (target) =>
      new Promise((resolve) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.onerror = link.onload = resolve;
        link.href = `${target}/user`;
        document.body.append(link);
      }),
  },
  {
    way: 'object',
    run: (target) =>
      new Promise((resolve) => {
        const object = document.createElement('object');
        object.onerror = object.onload = resolve;
        object.data = `${target}/user`;
        document.body.append(object);
      }),
  },
  {
    way: 'iframe',
    run: (target) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = resolve;
        frame.src = `${target}/user`;
        document.body.append(frame);
      }),
  },
  {
    way: 'form into an iframe',
    run: (target) =>
      new Promise((resolve) => {
        document.body.insertAdjacentHTML(
          'beforeend',
          `<iframe name="inside"></iframe><form method="post" target="inside" action="${target}/user"><input name="username" value="1"><input name="password" value="2"></form>`,
        );
        document.querySelector('iframe')?.addEventListener('load', resolve);
        document.querySelector('form')?.submit();
      }),
  },
  {
    way: 'form into a popup',
    run: (target) => {
      window.open('about:blank', 'popup');
      document.body.insertAdjacentHTML(
        'beforeend',
        `<form method="post" target="popup" action="${target}/user"><input name="username" value="1"><input name="password" value="2"></form>`,
      );
      document.querySelector('form')?.submit();
    },
  },
  {
    way: 'form of plain text that looks like JSON',
    run: (target) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<form method="post" enctype="text/plain" action="${target}/signature-service"><input name='{"type":"CAdES","x":"' value='"}'></form>`,
      );
      document.querySelector('form')?.submit();
    },
  },
  {
    way: 'form at the top',
    run: (target) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<form method="post" action="${target}/user"><input name="username" value="1"><input name="password" value="2"></form>`,
      );
      document.querySelector('form')?.submit();
    },
  },
  { way: 'popup', run: (target) => window.open(`${target}/user`) },
  {
    way: 'navigation',
    run: (target) => {
      location.href = `${target}/user`;
    },
  },
  {
    way: 'link that pings',
    run: (target) => {
      document.body.insertAdjacentHTML('beforeend', `<a href="#x" ping="${target}/user">x</a>`);
      document.querySelector('a')?.click();
    },
  },
  {
    way: 'WebSocket',
    run: (target) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${target.replace('http', 'ws')}/user`);
        socket.onerror = socket.onopen = resolve;
      }),
  },
  {
    way: 'sandboxed iframe, whose origin is opaque',
    run: (target) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.sandbox.add('allow-scripts');
        frame.srcdoc = `<script>fetch('${target}/user').then(() => parent.postMessage(1, '*'), () => parent.postMessage(1, '*'))</script>`;
        addEventListener('message', resolve, { once: true });
        document.body.append(frame);
      }),
  },
  {
    way: 'worker',
    effect: 'users read',
    run: (target) =>
      new Promise((resolve) => {
        const source = `fetch('${target}/user').then(() => postMessage(1), () => postMessage(1))`;
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        worker.onmessage = resolve;
      }),
  },
];
