// Who may import whom. Each rule says why: the comment is what a contributor reads when it fails.
// `layers.test.ts` checks that every rule still describes something that exists, and that every rule fires.
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The files that call libraries of other makers or of the system through koffi: token drivers, Windows, and Linux. */
const callingForeignLibraries = [
  '^src/signing/keys/pkcs11/cryptoki/koffi-binding\\.ts$',
  '^src/app/doctor/windows-facts\\.ts$',
  '^src/http/peer/(socket-(credentials|diagnosis)|windows-peers)\\.ts$',
  '^src/app/compose/open-on-windows\\.ts$',
  '^src/rights/(access-lists|windows-rights)\\.ts$',
];

module.exports = {
  forbidden: [
    forbid('no-circular', 'Two modules that need each other are one module, or hide a third.', {}, { circular: true }),
    forbid(
      'resolvable',
      'Every import resolves, but for the package that some install and the icons that the build makes.',
      {},
      { couldNotResolve: true, pathNot: ['^pkcs11js$', '^~icon/', '^~drawing/'] },
    ),

    forbid(
      'signing-stands-alone',
      'The signing core is bytes in, bytes out: no server, no database, no shell.',
      { path: '^src/signing/' },
      { path: '^src/(?!(signing|text|values)/)' },
    ),
    forbid(
      'service-knows-only-signing',
      'Rules do not know how they are stored, served or shown.',
      { path: '^src/service/' },
      { path: '^src/(?!(service|signing|rights|text|values|request)/)' },
    ),
    forbid(
      'storage-fills-service',
      'Storage fills interfaces that service declares.',
      { path: '^src/storage/' },
      { path: '^src/(?!(storage|service|rights|values|request)/)' },
    ),
    forbid(
      'http-translates-service',
      'A route translates; what it decides belongs in service.',
      { path: '^src/http/', pathNot: '^src/http/ui/' },
      { path: '^src/(?!(http|service|text|values|request)/)' },
    ),
    forbid(
      'http-ui-carries-the-contract',
      "The GUI's bridge knows the table of calls and its own layer, nothing behind them.",
      { path: '^src/http/ui/' },
      { path: '^src/(?!(http|service|ui-contract|text|values|request)/)' },
    ),
    forbid(
      'test-authority-uses-signing',
      'The test authority writes certificates with the core; it knows no server.',
      { path: '^src/test-authority/' },
      { path: '^src/(?!(test-authority|signing|values)/)' },
    ),
    forbid(
      'app-runs-without-a-shell',
      'The same application runs headless.',
      { path: '^src/app/' },
      { path: '^src/desktop/' },
    ),
    forbid(
      'ui-contract-is-alone',
      'The table of calls is shared by both sides and so imports neither, but for the description of a request.',
      { path: '^src/ui-contract/' },
      { path: '^(src/(?!(ui-contract|request|values)/)|renderer/)' },
    ),
    forbid(
      'renderer-sees-the-contract',
      'The GUI sees the table of calls, the description of a request, and the functions on texts and values that every layer shares.',
      { path: '^renderer/' },
      { path: '^src/(?!(ui-contract|request|text|values)/)' },
    ),
    forbid(
      'text-is-alone',
      'Functions on texts run in every layer, in the window too: they import nothing.',
      { path: '^src/text/' },
      { pathNot: '^src/text/' },
    ),
    forbid(
      'values-are-alone',
      'Functions on plain values run in every layer, in the window too: they import nothing.',
      { path: '^src/values/' },
      { pathNot: '^src/values/' },
    ),
    forbid(
      'rights-are-alone',
      'The rights of result files are set in the same way by services, storage and commands: they import nothing.',
      { path: '^src/rights/' },
      { path: '^src/(?!rights/)' },
    ),
    forbid(
      'request-is-alone',
      'Interfaces, service and storage derive their form of a request from one description, which knows none of them.',
      { path: '^src/request/' },
      { path: '^src/(?!(request|values)/)' },
    ),
    forbid(
      'renderer-has-no-node',
      'The GUI runs in a sandbox.',
      { path: '^renderer/src/' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'pages-stand-alone',
      'A page of the window does not import another page: parts that two pages share lie beside the pages.',
      { path: '^renderer/src/pages/([^/]+)/' },
      { path: '^renderer/src/pages/', pathNot: '^renderer/src/pages/$1/' },
    ),
    forbid(
      'shell-composes-pages',
      'Only the shell, and the program that starts it, know the pages.',
      { path: '^renderer/src/', pathNot: '^renderer/src/(pages/|shell/|main\\.tsx$)' },
      { path: '^renderer/src/pages/' },
    ),
    forbid(
      'shell-is-on-top',
      // late.tsx loads shell/soon.ts after the first frame, by a dynamic import: a page cannot wait for it otherwise.
      'The shell composes the window: nothing that it composes imports it.',
      { path: '^renderer/src/', pathNot: '^renderer/src/(shell/|main\\.tsx$|late\\.tsx$)' },
      { path: '^renderer/src/shell/' },
    ),

    forbid(
      'client-is-alone',
      "The client runs in other people's pages: it brings nothing along.",
      { path: '^src/client/' },
      { pathNot: '^src/client/' },
    ),
    forbid(
      'client-is-served',
      'Pages load the client as a file; nothing here is built on it.',
      { path: '^(src|renderer)/', pathNot: '^src/client/' },
      { path: '^src/client/' },
    ),

    forbid(
      'signing-through-index',
      'Import the signing core from its index.',
      { pathNot: '^(src/signing|test)/' },
      { path: '^src/signing/(?!index\\.ts$)' },
    ),
    forbid(
      'service-through-index',
      'Import each noun of the service from its index.',
      { pathNot: '^(src/service|test)/' },
      { path: '^src/service/(?![^/]+/index\\.ts$)' },
    ),
    forbid(
      'nouns-meet-by-index',
      'A noun of the service imports another noun from its index, so that files inside a noun can move.',
      { path: '^src/service/([^/]+)/' },
      { path: '^src/service/', pathNot: ['^src/service/$1/', '^src/service/[^/]+/index\\.ts$'] },
    ),
    forbid(
      'storage-through-index',
      'Import storage from its index.',
      { pathNot: '^(src/storage|test)/' },
      { path: '^src/storage/(?!index\\.ts$)' },
    ),
    forbid(
      'network-through-index',
      'Import the way out from its index: the guard is not to be walked around.',
      { pathNot: '^(src/network|test)/' },
      { path: '^src/network/(?!index\\.ts$)' },
    ),

    forbid(
      'electron-in-desktop',
      'Only the shell knows Electron.',
      { path: '^(src|renderer)/', pathNot: '^src/desktop/' },
      { path: '(^|/)electron(/|$)' },
    ),
    forbid(
      'express-in-http',
      'Only http knows Express.',
      { path: '^src/', pathNot: '^src/http/' },
      { path: '(^|/)express(/|$)' },
    ),
    forbid(
      'sqlite-in-storage',
      'Only storage knows SQLite.',
      { path: '^src/', pathNot: '^src/storage/' },
      { path: '(^|/)(better-sqlite3|kysely)(/|$)|^(node:)?sqlite$' },
    ),
    forbid(
      'keychain-in-secrets',
      "Only the secret store talks to the system's keychain.",
      { path: '^src/', pathNot: '^src/storage/secrets/' },
      { path: '(^|/)@napi-rs/keyring(/|$)' },
    ),
    forbid(
      'koffi-in-its-files',
      'A wrong prototype crashes the process: calls of other libraries stand in few files, each behind an interface.',
      { path: '^src/', pathNot: callingForeignLibraries },
      { path: '(^|/)(koffi|@koromix)(/|$)' },
    ),
    forbid(
      'pkcs11js-in-tests',
      'pkcs11js is a second opinion for the tests: the product calls drivers through koffi.',
      { path: '^src/' },
      { path: '(^|/)pkcs11js(/|$)' },
    ),
    forbid(
      'pkcs11-in-host',
      'A token driver runs only in the child process whose program is host.ts.',
      { path: '^src/', pathNot: '^src/signing/keys/pkcs11/(host|cryptoki/[a-z0-9-]+)\\.ts$' },
      { path: '^src/signing/keys/pkcs11/cryptoki/(open|koffi)-binding\\.ts$' },
    ),
    forbid(
      'forge-for-legacy-pkcs12',
      'node-forge is here for ciphers that Node refuses, and for nothing else.',
      { path: '^src/', pathNot: '^src/signing/keys/pkcs12/' },
      { path: '(^|/)node-forge(/|$)' },
    ),
    forbid(
      'undici-in-network',
      'There is one way out of this computer, and its guard stands in network.',
      { path: '^src/', pathNot: '^src/network/' },
      { path: '(^|/)undici(/|$)' },
    ),
    forbid(
      'opentelemetry-in-tracing',
      'Layers describe their steps to the Tracer of the service: only app/tracing knows OpenTelemetry, and loads it when it is on.',
      { path: '^src/', pathNot: '^src/app/tracing/' },
      { path: '(^|/)@opentelemetry/' },
    ),
    forbid(
      'opentelemetry-is-loaded-late',
      'An instance without traces loads nothing of OpenTelemetry: its files are imported dynamically.',
      { path: '^src/', pathNot: '^src/app/tracing/(open-telemetry|otlp-exporter)\\.ts$' },
      {
        path: '^src/app/tracing/(open-telemetry|otlp-exporter)\\.ts$',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    ),
    forbid(
      'object-stores-apart',
      "Only storage/object-stores knows the makers' SDKs: it holds each to the guard.",
      { path: '^src/', pathNot: '^src/storage/object-stores/' },
      { path: '(^|/)(@aws-sdk|@google-cloud)/' },
    ),
    forbid(
      'network-carries-for-signing',
      'The HTTP client fills the interface that the signing core declares.',
      { path: '^src/network/' },
      { path: '^src/(?!(network|signing|values)/)' },
    ),
    forbid(
      'no-test-in-product',
      'Product code never imports test code.',
      { path: '^(src|renderer)/' },
      { path: '^test/' },
    ),
    forbid(
      'headless-never-reaches-electron',
      'Not even through others.',
      { path: '^src/app/' },
      { path: '(^|/)electron(/|$)', reachable: true },
    ),
    forbid(
      'host-stays-small',
      'The program of the token process loads no server, store or PDF code.',
      { path: '^src/signing/keys/pkcs11/host\\.ts$' },
      { path: '^src/signing/(cms|signed-data|pdf)/', reachable: true },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // The example page loads files that its server provides, which do not exist beside it.
    exclude: { path: '^(renderer/dist|test/\\.work|src/client/dist|src/app/demo/example-page)/' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
