/** The watch of web sites on the page Doctor, in English. */
export const findings = {
  watch: {
    title: 'A site does not find Sinete?',
    text: 'Start the watch, go to the site, and try there again. Within seconds this page says whether its request came through the browser.',
    start: 'Start the watch',
    stop: 'Stop',
    running: 'Watching. Go to the site now and try again.',
    over: 'Nothing came within two minutes: the browser holds the requests back, or the site did not ask. See below for your browser.',
    last: 'Came through since the start',
    nothing: 'Nothing yet',
    open: 'Open Sinete’s address',
    openText:
      'If it does not open in your browser, the browser or a proxy keeps it from 127.0.0.1: add 127.0.0.1 to the exceptions of the proxy.',
    outcomes: {
      passed: 'Let through',
      asked: 'You were asked',
      ORIGIN_NOT_SECURE: 'Refused: the site is not served over https',
      ORIGIN_OPAQUE: 'Refused: the page hides where it comes from',
      ORIGIN_NOT_GRANTED: 'Refused: sites may not do this',
      SITE_SCOPE_MISSING: 'Refused: the site lacks a permission',
      BLIND_REQUEST_REFUSED: 'Refused: the site has to call with fetch in mode cors',
      CROSS_SITE_REFUSED: 'Refused: the site has to call with fetch in mode cors',
      NAVIGATION_REFUSED: 'Refused: a form or link leads here; the site has to call with fetch',
      HOST_NOT_OURS: 'Refused: another name leads to this computer',
      CONSENT_REFUSED: 'Refused: you did not let the site in',
      CONSENT_TIMEOUT: 'Refused: the question was not answered in time',
      CONSENT_UNAVAILABLE: 'Refused: no window was open to ask you in',
      BRIDGE_KEY_UNKNOWN: 'Refused: the window of the site had ended',
      BRIDGE_BOUND: 'Refused: the window works for another site',
      BRIDGE_REFUSED: 'Refused: sites may not do this through their window',
      other: 'Refused',
    },
    browsers: 'What to do in each browser',
    chrome: {
      name: 'Chrome and Edge, from version 142 on',
      text: 'When a site first looks for Sinete, the browser asks whether it may reach other apps and services on this device: choose Allow. If Block was chosen, or the question was closed three times: click the icon left of the address, then Site settings, and allow “Apps on device” (“Local network access” before version 145). Load the page again.',
    },
    brave: {
      name: 'Brave',
      text: 'Brave blocks by itself. Click the icon left of the address, then Site settings, and allow “Localhost access”. If the entry is missing, click the lion and lower the shields for this site.',
    },
    firefox: {
      name: 'Firefox',
      text: 'When it asks whether the site may connect to apps and services on this device, choose Allow. If it was blocked: click the padlock left of the address and clear the blocked permission. Load the page again.',
    },
    safari: {
      name: 'Safari',
      text: 'Safari lets no https page reach a program of this computer. Use Chrome, Edge or Firefox for this site, or sign the file on the page Sign here and hand it in there.',
    },
    managed: {
      name: 'On a managed computer',
      text: 'Who administers it can allow the site for everybody with the policy LoopbackNetworkAllowedForUrls (LocalNetworkAccessAllowedForUrls before version 146).',
    },
  },
};
