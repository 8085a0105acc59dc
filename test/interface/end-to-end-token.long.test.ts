import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { serve } from '../app/run-sinete.ts';
import { createSoftHsm } from '../token/softhsm.ts';
import { succeed, testFourSteps } from './four-steps.ts';

describe('the four steps with a key on a token', () => {
  testFourSteps(async (empty) => {
    const key = { label: 'rsa', keyId: '01', kind: 'rsa-2048', name: 'ANA LIMA' } as const;
    const token = await createSoftHsm([{ label: 'carteira', keys: [key] }]);
    const settings = { SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment) };
    const place = { ...empty, environment: { ...empty.environment, ...settings } };
    await writeFile(join(place.folder, 'pin'), token.pin);
    await succeed(place, 'modules', 'add', token.modulePath);
    const instance = await serve(place, ['--approve', 'all']);
    const [certificate] = JSON.parse(await succeed(place, 'certificates', '--json')) as { readonly alias: string }[];
    await succeed(place, 'certificates', 'unlock', certificate?.alias ?? '', '--pin-file', 'pin');
    return { place, instance, remove: () => token.remove() };
  });
});
