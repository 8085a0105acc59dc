import { expect, it } from 'vitest';
import { validationBody } from '../../src/http/signing-service/validator-body.ts';
import { personWith } from '../pki/identities.ts';
import { chainOf, reportOf, signatureReport } from '../service/validation/example-report.ts';

it('the answer of the validator says nothing below a root for trying out has legal value', async () => {
  const maria = await personWith();
  const elsewhere = { ...chainOf(maria), hierarchy: 'other' as const };
  const answers = [signatureReport(maria), signatureReport(maria, { chain: elsewhere })].map(
    (signature) => validationBody(reportOf([signature]), 'en').no_legal_value,
  );
  expect(answers).toEqual([true, false]);
});
