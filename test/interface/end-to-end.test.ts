import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { serve } from '../app/run-sinete.ts';
import { succeed, testFourSteps } from './four-steps.ts';

describe('the four steps with a PKCS#12 key', () => {
  testFourSteps(async (place) => {
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    await writeFile(join(place.folder, 'ana.p12'), await writePkcs12(person, 'segredo'));
    await writeFile(join(place.folder, 'password'), 'segredo');
    await succeed(place, 'certificates', 'add', 'ana.p12', '--password-file', 'password');
    const instance = await serve(place, ['--approve', 'all']);
    return { place, instance, remove: () => Promise.resolve() };
  });
});
