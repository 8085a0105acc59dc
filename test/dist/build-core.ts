/** Part of `npm run build`: the signing core as JavaScript with declarations in `build/`, as package.json exports it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeCoreDeclarations } from './core-declarations.ts';
import { assembleCore, renameModules } from './pack-product.ts';

const folder = join(import.meta.dirname, '../../build');

rmSync(folder, { recursive: true, force: true });
assembleCore(folder);
writeCoreDeclarations(folder, renameModules);
