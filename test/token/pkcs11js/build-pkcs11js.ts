/** pkcs11js, the second binding for PKCS#11 drivers, which the comparisons install and compile for themselves. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from '../../oracles/run-program.ts';
import { installSuite } from '../../setup/install-suite.ts';
import type { Pkcs11js } from '../../../src/signing/keys/pkcs11/cryptoki/pkcs11js-binding.ts';

const folder = import.meta.dirname;
const pkcs11js = join(folder, 'node_modules', 'pkcs11js');
const binary = join(pkcs11js, 'build', 'Release', 'pkcs11.node');

/**
 * Installs pkcs11js below this folder and compiles it with g++, without node-gyp: the headers of Node-API come from an
 * npm package. Does nothing when that has been done for this lock file. Rejects with what npm or the compiler said.
 */
export async function buildPkcs11js(): Promise<void> {
  installSuite('test/token/pkcs11js');
  if (existsSync(binary)) return;
  mkdirSync(join(pkcs11js, 'build', 'Release'), { recursive: true });
  const headers = ['-I', join(pkcs11js, 'includes'), '-I', join(folder, 'node_modules/node-api-headers/include')];
  // `main.cpp` includes the other sources but the loader of libraries.
  const sources = ['main.cpp', 'dl.cpp'].map((name) => join(pkcs11js, 'src', name));
  const options = ['-std=c++17', '-O2', '-fPIC', '-shared', '-DNAPI_DISABLE_CPP_EXCEPTIONS', ...headers];
  await runTool('g++', [...options, '-o', binary, ...sources, '-ldl']);
}

/** The package that `buildPkcs11js` made. */
export async function importBuiltPkcs11js(): Promise<Pkcs11js> {
  const { default: built } = (await import(pathToFileURL(join(pkcs11js, 'index.js')).href)) as { default: Pkcs11js };
  return built;
}
