// ESLint rules of our own for test/**: see test-rules.test.ts, which shows that each one fires.

const STARTERS = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync']);
/** Places of programs and libraries that Debian packages install. Paths of drivers are data of many tests. */
const INSTALLED = /^(\/usr)?\/s?bin\/|^\/usr\/share\/java|^\/usr\/lib\/softhsm/;

const isCallOf = (node, name) => node?.type === 'CallExpression' && node.callee.name === name;
const isNode = (node) =>
  node?.type === 'MemberExpression' && node.object.name === 'process' && node.property.name === 'execPath';

/** Programs are started by `systemTool(name)`, or are this Node: the table of packages knows all others. */
const programsOfTheTable = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      program:
        'Start systemTool(name), runTool(name) or process.execPath: setup/system-packages.ts must know the program.',
      shell: 'Start a program of the table without a shell: setup/system-packages.ts cannot see into a command line.',
      handedOn: 'Call {{name}} directly: a name that is handed on hides the program from this rule.',
      path: 'Ask systemTool, javaLibrary or systemFile for this path: setup/system-packages.ts knows its Debian package.',
    },
  },
  create(context) {
    const check = (name, { parent, ...identifier }) => {
      if (parent.type === 'ImportSpecifier') return;
      if (name === 'fork') return;
      if (!STARTERS.has(name)) return context.report({ node: parent, messageId: 'shell' });
      const isCalled = parent.type === 'CallExpression' && parent.callee.range[0] === identifier.range[0];
      if (!isCalled) return context.report({ node: parent, messageId: 'handedOn', data: { name } });
      const [program] = parent.arguments;
      if (!isNode(program) && !isCallOf(program, 'systemTool')) context.report({ node: parent, messageId: 'program' });
    };
    const checkPath = (node, text) => {
      if (INSTALLED.test(text)) context.report({ node, messageId: 'path' });
    };
    return {
      ImportDeclaration(node) {
        if (!/^(node:)?child_process$/.test(node.source.value) || node.importKind === 'type') return;
        for (const specifier of node.specifiers) {
          if (specifier.importKind === 'type') continue;
          if (specifier.type !== 'ImportSpecifier') {
            context.report({ node: specifier, messageId: 'handedOn', data: { name: 'each function by its name' } });
            continue;
          }
          const [variable] = context.sourceCode.getDeclaredVariables(specifier);
          for (const { identifier } of variable.references) check(specifier.imported.name, identifier);
        }
      },
      ImportExpression(node) {
        if (/^(node:)?child_process$/.test(node.source.value ?? '')) {
          context.report({ node, messageId: 'handedOn', data: { name: 'each function by its name' } });
        }
      },
      Literal(node) {
        if (typeof node.value === 'string') checkPath(node, node.value);
      },
      TemplateElement: (node) => checkPath(node, node.value.cooked ?? ''),
    };
  },
};

export default { rules: { 'programs-of-the-table': programsOfTheTable } };
