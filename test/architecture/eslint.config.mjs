// Lint rules of the whole tree. Formatting is Prettier's; layers are dependency-cruiser's (layers.cjs).
import { fileURLToPath } from 'node:url';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import testRules from './test-rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const literalImportOnly = [
  {
    selector: 'ImportExpression[source.type!="Literal"]',
    message: 'Import a literal path: the layer rules cannot see a computed one.',
  },
];
const noEnum = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals: closed sets are checked by switch.' },
];
const noSpreadOfLiteral = [
  {
    selector:
      ':matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression)',
    message: 'Write the members themselves: the spread of a literal hides them, and the length of a function.',
  },
];
const noDefaultExport = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name, so that a thing has one name everywhere.' },
];
const aliasesBySight = [
  {
    selector:
      'MemberExpression[property.name="certificateAlias"]:not(CallExpression[callee.name="aliasFor"] > MemberExpression)',
    message: 'Give the alias to aliasFor, which knows what the caller may see of it.',
  },
];

export default tseslint.config(
  { ignores: ['node_modules/', 'renderer/dist/', 'src/client/dist/', 'test/.work/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['src/**/*.ts', 'renderer/**/*.{ts,tsx}', 'test/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:module',
              importNames: ['default', 'createRequire'],
              message: 'createRequire hides imports from the layer rules.',
            },
          ],
        },
      ],
      'no-restricted-syntax': ['error', ...literalImportOnly, ...noEnum, ...noDefaultExport, ...noSpreadOfLiteral],
    },
  },
  {
    files: ['src/**/*.ts', 'renderer/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      // Components of the window are functions too.
      'max-lines-per-function': ['error', { max: 60, IIFEs: true }],
    },
  },
  {
    files: ['src/http/**/*.ts'],
    // The field of a request is the caller's own word.
    ignores: ['src/http/signing-service/read-create-request.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...literalImportOnly,
        ...noEnum,
        ...noDefaultExport,
        ...noSpreadOfLiteral,
        ...aliasesBySight,
      ],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    // Programs that talk to a terminal.
    files: ['src/app/**/*.ts', 'test/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    // The table itself starts apt-get, and the test of the rules contains forbidden code.
    ignores: ['test/setup/system-packages.ts', 'test/architecture/test-rules.test.ts'],
    plugins: { tests: testRules },
    rules: { 'tests/programs-of-the-table': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    // The only file waiting for time.
    ignores: ['test/setup/waits.ts'],
    plugins: { tests: testRules },
    rules: { 'tests/no-sleep': 'error', 'tests/no-skipping': 'error', 'tests/own-environment': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    // Named suites that measure or report time; `check` prints the seconds of its steps.
    ignores: [
      'test/bench/**',
      'test/cluster/**',
      'test/corpus/**',
      'test/fresh/step-table.ts',
      'test/fuzz/run-fuzz.ts',
      'test/mutants/**',
      'test/soak/**',
      'test/architecture/check.ts',
    ],
    plugins: { tests: testRules },
    rules: { 'tests/no-clock': 'error' },
  },
  {
    files: ['**/*.config.ts', 'test/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noEnum], '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
