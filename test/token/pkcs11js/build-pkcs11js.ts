/** pkcs11js, a second binding for PKCS#11 drivers, installed and compiled by the comparisons for themselves. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from '../../oracles/run-program.ts';
import { installSuite } from '../../setup/install-suite.ts';
import type { Pkcs11js } from './pkcs11js-binding.ts';

const folder = import.meta.dirname;
const PKCS11JS_FOLDER = join(folder, 'node_modules', 'pkcs11js');
const binary = join(PKCS11JS_FOLDER, 'build', 'Release', 'pkcs11.node');

/**
 * Installs pkcs11js below this folder and compiles the package with g++, without node-gyp: the headers of Node-API come
 * from an npm package. Does nothing when already done for this lock file. Rejects with the message of npm or the
 * compiler.
 */
export async function buildPkcs11js(): Promise<void> {
  installSuite('test/token/pkcs11js');
  if (existsSync(binary)) return;
  mkdirSync(join(PKCS11JS_FOLDER, 'build', 'Release'), { recursive: true });
  const headers = [
    '-I',
    join(PKCS11JS_FOLDER, 'includes'),
    '-I',
    join(folder, 'node_modules/node-api-headers/include'),
  ];
  // As in its `binding.gyp`: `main.cpp` includes the other sources.
  const sources = ['main.cpp', 'common.cpp', 'dl.cpp'].map((name) => join(PKCS11JS_FOLDER, 'src', name));
  const options = ['-std=c++17', '-O2', '-fPIC', '-shared', '-DNAPI_DISABLE_CPP_EXCEPTIONS', ...headers];
  await runTool('g++', [...options, '-o', binary, ...sources, '-ldl']);
}

/** The package made by `buildPkcs11js`. */
export async function importBuiltPkcs11js(): Promise<Pkcs11js> {
  const { default: built } = (await import(pathToFileURL(join(PKCS11JS_FOLDER, 'index.js')).href)) as {
    default: Pkcs11js;
  };
  return built;
}
