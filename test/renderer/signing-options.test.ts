import { describe, expect, it } from 'vitest';
import {
  initialOptions,
  needsTimestamp,
  requestOf,
  suits,
  withTypesThatSuit,
} from '../../renderer/src/pages/sign/signing-options.ts';
import { icpBrasilProfiles, signaturePolicies } from '../../src/request/signature-policies.ts';
import { needsTimestamp as needsTimestampInCore } from '../../src/service/transactions/choices/choose-policy.ts';
import { ICP_BRASIL_POLICIES } from '../../src/signing/index.ts';

describe('the types offered by the window for a policy', () => {
  it.each(icpBrasilProfiles)('are the types with a policy %s of ICP-Brasil', (profile) => {
    const formats = new Set(ICP_BRASIL_POLICIES.filter((one) => one.profile === profile).map(({ format }) => format));
    expect([suits('CAdES-attached', profile), suits('CAdES-detached', profile)]).toEqual([true, true]);
    expect(suits('PAdES', profile), '`suits` of renderer/src/pages/sign/signing-options.ts').toBe(formats.has('PAdES'));
    expect([suits('PDFSignature', profile), suits('CMS-detached', profile)]).toEqual([false, false]);
  });

  it('changes PAdES to CAdES when AD-RV is chosen, impossible for a PDF', () => {
    expect(withTypesThatSuit({ ...initialOptions, policy: 'AD-RV' }).pdfType).toBe('CAdES-detached');
    expect(withTypesThatSuit({ ...initialOptions, policy: 'AD-RC' }).pdfType).toBe('PAdES');
  });
});

describe('the time stamp of a policy', () => {
  it.each(signaturePolicies)('is expected by the window wherever the core makes a time stamp: %s', (policy) => {
    expect(needsTimestamp(policy)).toBe(needsTimestampInCore(policy));
  });
});

describe('the repair of damaged PDFs', () => {
  it('is asked for with signatures in PDFs only, and only where the box is checked', () => {
    const options = { ...initialOptions, repair: true };
    expect(requestOf('PAdES', options)).toMatchObject({ autoFix: true });
    expect(requestOf('CAdES-detached', options)).not.toHaveProperty('autoFix');
    expect(requestOf('PAdES', initialOptions)).not.toHaveProperty('autoFix');
  });
});
