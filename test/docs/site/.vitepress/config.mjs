// The site of docs/: `npm run docs -- --site` puts the pages into build/site-pages and calls VitePress.
import { headingSlug } from '../../../../src/text/heading-anchors.ts';

const page = (text, link) => ({ text, link: `/${link}` });

const reference = [
  page('Configuration', 'reference/configuration'),
  page('Command line', 'reference/command-line'),
  page('HTTP', 'reference/http'),
  page('Problem codes', 'reference/problems'),
  page('Metrics', 'reference/metrics'),
  page('Audit events', 'reference/audit-events'),
  page('Later changes', 'reference/later-changes'),
];

const english = [
  {
    text: 'Guide',
    items: [page('The window', 'guide/'), page('Signing', 'guide/signing'), page('Validating', 'guide/validating')],
  },
  {
    text: 'Integrators',
    items: [
      page('For integrators', 'integrators/'),
      page('The core in Node', 'examples/'),
      page('API: sinete/signing', 'api/signing/'),
      page('API: sinete/client', 'api/client/'),
    ],
  },
  {
    text: 'Operators',
    items: [
      page('Installation', 'installation'),
      page('For operators', 'operators/'),
      page('Servers', 'operators/servers'),
      page('Hardening', 'operators/hardening'),
      page('Traces', 'operators/traces'),
    ],
  },
  { text: 'Reference', items: reference },
  {
    text: 'Architecture',
    items: [
      page('Overview', 'architecture/'),
      page('The five flows', 'architecture/flows'),
      page('Threat model', 'threat-model'),
      page('Cryptography', 'cryptography'),
      page('Decisions', 'adr/'),
      page('Glossary', 'glossary'),
    ],
  },
];

const portuguese = [
  {
    text: 'Guia',
    items: [page('A janela', 'pt-BR/janela'), page('Assinar', 'pt-BR/assinar'), page('Validar', 'pt-BR/validar')],
  },
  { text: 'Integradores', items: [page('Para integradores', 'pt-BR/integradores')] },
  {
    text: 'Operadores',
    items: [
      page('Para operadores', 'pt-BR/operadores'),
      page('Servidores', 'pt-BR/servidores'),
      page('Reforço da segurança', 'pt-BR/reforco'),
    ],
  },
  { text: 'Referência', items: reference },
];

export default {
  srcDir: '../../../build/site-pages',
  outDir: '../../../build/site',
  cacheDir: './node_modules/.vitepress',
  base: '/docs/guide/',
  title: 'Sinete',
  description: 'Signs documents on your own computer, with your own keys.',
  cleanUrls: true,
  // Programs and drawings are files of the site; the check of the built site follows links to them as well.
  ignoreDeadLinks: [/\.(?:java|mjs|mts|php|py|svg|txt)$/],
  markdown: {
    anchor: { slugify: headingSlug },
    headers: { slugify: headingSlug },
  },
  // A transition is switched off by a style element, which the policy of the pages does not allow.
  appearance: { disableTransition: false },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: english } },
    'pt-BR': {
      label: 'Português',
      lang: 'pt-BR',
      link: '/pt-BR/',
      themeConfig: {
        sidebar: portuguese,
        outline: { level: [2, 3], label: 'Nesta página' },
        docFooter: { prev: 'Página anterior', next: 'Próxima página' },
        darkModeSwitchLabel: 'Aparência',
        returnToTopLabel: 'Voltar ao início',
        sidebarMenuLabel: 'Menu',
      },
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    // Pages have other names in the other language.
    i18nRouting: false,
  },
};
