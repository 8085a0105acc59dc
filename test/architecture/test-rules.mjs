// ESLint rules of our own for test/**: see test-rules.test.ts for a proof of each.

const STARTERS = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync']);
/** Places of programs and libraries installed by Debian packages. Paths of drivers are data of many tests. */
const INSTALLED = /(?<![\w.-])((\/usr)?\/s?bin\/|\/usr\/share\/java|\/usr\/lib\/softhsm)/;
/** Programs starting other programs: `knownWords` reads their parameters. */
const STARTING = new Set(['bash', 'zsh', 'fish', 'chroot', 'dbus-run-session', 'ip', 'nsenter', 'unshare']);

/** Functions asking the table for a name. `setup/asked-packages.ts` reads the names at the calls. */
const ASKING = new Set(['systemTool', 'javaLibrary', 'systemFile', 'runProgram', 'runTool', 'runToolForBytes']);
/** Functions and classes of tests passing a name on: their callers write the name. */
const PASSING_ON = new Set([...ASKING, 'judge', 'ResidentProgram']);

const isCallOf = (node, name) => node?.type === 'CallExpression' && node.callee.name === name;
/** This Node, or npm, part of every Node. */
const isNode = (node) =>
  (node?.type === 'MemberExpression' && node.object.name === 'process' && node.property.name === 'execPath') ||
  (node?.type === 'Literal' && (node.value === 'npm' || node.value === 'npx'));

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
      name: 'Write the name itself here: setup/asked-packages.ts reads which packages a run asks for.',
      words: 'Hand the parameters over as knownWords(…) of setup/shell-text.ts: this program starts others.',
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
      const [program, words] = parent.arguments;
      // npm comes with Node.
      const isAllowed = isNode(program) || isCallOf(program, 'systemTool') || program?.value === 'npm';
      if (!isAllowed) context.report({ node: parent, messageId: 'program' });
      const startsOthers = isCallOf(program, 'systemTool') && STARTING.has(program.arguments[0]?.value);
      if (startsOthers && !isCallOf(words, 'knownWords')) context.report({ node: parent, messageId: 'words' });
      for (const { key, value } of parent.arguments.flatMap(({ properties }) => properties ?? [])) {
        // On Windows npm is a command of the shell.
        const isNpm = program?.value === 'npm' && value.type === 'BinaryExpression';
        if (key?.name === 'shell' && value.value !== false && !isNpm)
          context.report({ node: parent, messageId: 'shell' });
      }
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
      CallExpression(node) {
        const [name] = node.arguments;
        if (!ASKING.has(node.callee.name) || name === undefined || typeof name.value === 'string') return;
        const isPassedOn = context.sourceCode.getAncestors(node).some(({ id }) => PASSING_ON.has(id?.name));
        if (!isPassedOn) context.report({ node, messageId: 'name' });
      },
      // export { spawn } from 'node:child_process'
      ':matches(ExportNamedDeclaration, ExportAllDeclaration)'(node) {
        if (node.exportKind === 'type' || !/^(node:)?child_process$/.test(node.source?.value ?? '')) return;
        context.report({ node, messageId: 'handedOn', data: { name: 'each function by its name' } });
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

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : undefined);
const isMember = (node, object, property) =>
  node?.type === 'MemberExpression' && nameOf(node.object) === object && nameOf(node.property) === property;

/** `Date.now()`, `new Date()`, or `.getTime()` of the latter. */
function isNow(node) {
  if (node?.type === 'NewExpression') return nameOf(node.callee) === 'Date' && node.arguments.length === 0;
  if (node?.type !== 'CallExpression') return false;
  if (isMember(node.callee, 'Date', 'now')) return true;
  return (
    node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'getTime' && isNow(node.callee.object)
  );
}

/** Readings of `process` acting as clocks. */
const CLOCKS = ['hrtime', 'cpuUsage', 'threadCpuUsage'];
const BOUND = /^toBe(Less|Greater)Than(OrEqual)?$/;

/** Tests must not check elapsed time: elapsed time depends on the load of the machine. */
const noClock = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      clock:
        'Count work instead of time, or let a limit of the product end it; ratios of time belong to npm run bench.',
    },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'clock' });
    /** Now, or a constant read from the clock. */
    const wasNow = (node) => {
      if (isNow(node)) return true;
      if (node?.type === 'CallExpression' && nameOf(node.callee.property) === 'getTime') {
        return wasNow(node.callee.object);
      }
      const { references } = context.sourceCode.getScope(node);
      const definition = references.find(({ identifier }) => identifier === node)?.resolved?.defs[0]?.node;
      return definition?.type === 'VariableDeclarator' && isNow(definition.init);
    };
    return {
      MemberExpression(node) {
        if (isMember(node, 'performance', 'now') || CLOCKS.some((name) => isMember(node, 'process', name)))
          report(node);
      },
      // expect(Date.now()).toBeLessThan(begun + 50)
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression' || !BOUND.test(nameOf(callee.property) ?? '')) return;
        if (isCallOf(callee.object, 'expect') && isNow(callee.object.arguments[0])) report(callee);
      },
      BinaryExpression(node) {
        if (node.operator === '-' && !isNow(node.left)) {
          if (wasNow(node.left) && wasNow(node.right)) report(node);
        } else if (node.operator === '-') {
          // `Date.now() - 60_000` and `Date.now() - 2 * HOUR` are moments of the past, not elapsed time.
          const { right } = node;
          const isLength =
            right.type === 'Literal' || right.type === 'BinaryExpression' || /^[A-Z_]+$/.test(nameOf(right) ?? '');
          if (!isLength) report(node);
        }
      },
      ImportDeclaration(node) {
        if (/^(node:)?perf_hooks$/.test(node.source.value)) report(node);
      },
    };
  },
};

/** Tests wait for states: `until` of setup/waits.ts, `expect.poll`, or Playwright's own waits. */
const noSleep = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      sleep: 'Wait for a state: until(…) of setup/waits.ts. letTimePass(…) there is for faults that must not come.',
    },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'sleep' });
    /** `new Promise((resolve) => setTimeout(resolve, …))`, also in braces or with a call of `resolve`. */
    const isSleep = (call) => {
      const [action] = call.arguments;
      const executor = context.sourceCode
        .getAncestors(call)
        .findLast(({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression');
      if (executor?.parent?.type !== 'NewExpression' || nameOf(executor.parent.callee) !== 'Promise') return false;
      const resolve = nameOf(executor.params[0]);
      const body = action?.type === 'ArrowFunctionExpression' ? action.body : undefined;
      return (
        resolve !== undefined &&
        (nameOf(action) === resolve || (body?.type === 'CallExpression' && nameOf(body.callee) === resolve))
      );
    };
    return {
      CallExpression(node) {
        if (nameOf(node.callee) === 'setTimeout' && isSleep(node)) report(node);
        if (node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'waitForTimeout') report(node);
      },
      ImportDeclaration(node) {
        if (!/^(node:)?timers\/promises$/.test(node.source.value)) return;
        const isTurn = ({ imported }) => nameOf(imported) === 'setImmediate';
        if (!node.specifiers.every(isTurn)) report(node);
      },
    };
  },
};

const TESTS = new Set(['it', 'test', 'describe', 'suite', 'context', 'task']);
const LEFT_OUT = new Set(['skip', 'skipIf', 'runIf', 'todo', 'only', 'fails']);

/** A test runs, or is not registered because of a right missing in the run. */
const noSkipping = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { skip: 'Run the test, or register it with itNeeding(…) of setup/needs.ts.' },
  },
  create(context) {
    const rootOf = (node) => (node.type === 'MemberExpression' ? rootOf(node.object) : nameOf(node));
    return {
      MemberExpression(node) {
        if (LEFT_OUT.has(nameOf(node.property)) && TESTS.has(rootOf(node.object))) {
          context.report({ node, messageId: 'skip' });
        }
      },
      // it('…', { skip: true }, …)
      Property(node) {
        if (!LEFT_OUT.has(nameOf(node.key)) || node.parent.parent.type !== 'CallExpression') return;
        if (TESTS.has(nameOf(node.parent.parent.callee))) context.report({ node, messageId: 'skip' });
      },
      // ({ skip }) => skip()
      CallExpression(node) {
        if (nameOf(node.callee) !== 'skip') return;
        const isOfContext = context.sourceCode
          .getScope(node)
          .references.some(
            ({ identifier, resolved }) => identifier === node.callee && resolved?.defs[0]?.type === 'Parameter',
          );
        if (isOfContext) context.report({ node, messageId: 'skip' });
      },
    };
  },
};

/** Files share a process, and modules hold on to `process.env`: another object in its place cuts the modules off. */
const ownEnvironment = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { replaced: 'Set variables by vi.stubEnv(…): later files of this process use process.env itself.' },
  },
  create(context) {
    return {
      AssignmentExpression(node) {
        const { left } = node;
        if (left.type !== 'MemberExpression' || nameOf(left.object) !== 'process') return;
        if (nameOf(left.property) === 'env') context.report({ node, messageId: 'replaced' });
      },
    };
  },
};

export default {
  rules: {
    'programs-of-the-table': programsOfTheTable,
    'no-clock': noClock,
    'no-sleep': noSleep,
    'no-skipping': noSkipping,
    'own-environment': ownEnvironment,
  },
};
