/** Output intents in a file without any: only colours of sRGB are accepted, because other colours could hide text. */
import { describe, expect, it } from 'vitest';
import { isSrgbProfile } from '../../../../src/signing/pdf/differences/rules/output-intents.ts';
import { onePage, type Objects } from '../build-pdf.ts';
import { colourCurve, colourProfile } from '../colour-profile.ts';
import { changesBy } from './unsigned-changes.ts';

const samples = (count: number, of: (value: number) => number): Buffer =>
  colourCurve(Array.from({ length: count }, (_, index) => Math.round(65_535 * of(index / (count - 1)))));
const srgb = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const colorant = (...values: readonly number[]): Buffer => {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 'latin1');
  for (const [index, value] of values.entries()) tag.writeInt32BE(Math.round(value * 65_536), 8 + 4 * index);
  return tag;
};
const edited = (edit: (profile: Buffer) => unknown): Buffer => {
  const profile = Buffer.from(colourProfile());
  edit(profile);
  return profile;
};
/** A curve whose count claims more values than it has. */
const short = (values: readonly number[], count: number): Buffer => {
  const curve = colourCurve(values);
  curve.writeUInt32BE(count, 8);
  return curve;
};

describe('a colour profile', () => {
  it.each<[string, Buffer, boolean]>([
    ['with a gamma of 2.2', colourProfile(), true],
    ['with the curve of sRGB', colourProfile({ rTRC: samples(1024, srgb), gTRC: samples(256, srgb) }), true],
    ['with a red nearly that of sRGB', colourProfile({ rXYZ: colorant(0.456, 0.2225, 0.0139) }), true],
    ['with another red', colourProfile({ rXYZ: colorant(0.4565, 0.2225, 0.0139) }), false],
    ['with another second part of red', colourProfile({ rXYZ: colorant(0.4361, 0.2435, 0.0139) }), false],
    ['with another third part of red', colourProfile({ rXYZ: colorant(0.4361, 0.2225, 0.0349) }), false],
    ['with less red', colourProfile({ rXYZ: colorant(0.4151, 0.2225, 0.0139) }), false],
    ['with the green of another', colourProfile({ gXYZ: colorant(0.4361, 0.2225, 0.0139) }), false],
    ['with another blue', colourProfile({ bXYZ: colorant(0.1431, 0.0606, 0.5141) }), false],
    ['with a gamma of 1', colourProfile({ rTRC: colourCurve(1) }), false],
    ['with a gamma of 1 for green', colourProfile({ gTRC: colourCurve(1) }), false],
    ['with a gamma of 1 for blue', colourProfile({ bTRC: colourCurve(1) }), false],
    ['with a curve that makes all white', colourProfile({ rTRC: colourCurve([65_535, 65_535]) }), false],
    [
      'with a curve that makes white black',
      colourProfile({ rTRC: samples(33, (value) => (value === 1 ? 0 : srgb(value))) }),
      false,
    ],
    [
      'with a curve that makes black white',
      colourProfile({ rTRC: samples(33, (value) => (value === 0 ? 1 : srgb(value))) }),
      false,
    ],
    ['with a curve that has no values', colourProfile({ rTRC: colourCurve([]) }), false],
    ['with a curve of fewer values than it says', colourProfile({ rTRC: short([0, 65_535], 3) }), false],
    [
      'with a curve of another form',
      colourProfile({ rTRC: Buffer.concat([Buffer.from('para'), colourCurve(2.2).subarray(4)]) }),
      false,
    ],
    ['with a short curve', colourProfile({ rTRC: Buffer.from('curv') }), false],
    ['with a short colorant', colourProfile({ rXYZ: Buffer.from('XYZ ') }), false],
    ...['A2B0', 'B2A0', 'A2A0', 'D2B0', 'B2D1', 'cicp'].map((tag): [string, Buffer, boolean] => [
      `with the table ${tag}`,
      colourProfile({ [tag]: Buffer.alloc(16) }),
      false,
    ]),
    ['with a tag that only ends like a table', colourProfile({ XB2A: Buffer.alloc(16) }), true],
    ['of another space', edited((profile) => profile.write('CMYK', 16, 'latin1')), false],
    ['connected by another space', edited((profile) => profile.write('Lab ', 20, 'latin1')), false],
    ['with a hundred tags and one', edited((profile) => profile.writeUInt32BE(101, 128)), false],
    ['without tags', edited((profile) => profile.writeUInt32BE(0, 128)), false],
    ['that ends in its header', colourProfile().subarray(0, 100), false],
    ['that ends in its tags', colourProfile().subarray(0, 140), false],
    ['without bytes', Buffer.alloc(0), false],
  ])('%s', (_, profile, expected) => {
    expect(isSrgbProfile(profile)).toBe(expected);
  });
});

describe('an output intent', () => {
  const profile = (data: Buffer): Objects[number] => ({ dictionary: '/N 3', data });
  const base = onePage();
  const withIntents = (intents: string): string => `<</Type /Catalog /Pages 2 0 R /OutputIntents ${intents}>>`;
  const changed = ['CATALOG_CHANGED 1'];
  const added = ['OUTPUT_INTENT_ADDED'];
  const intent = '<</S /GTS_PDFA1 /DestOutputProfile 70 0 R>>';

  it.each<[string, string, readonly string[], Objects?]>([
    ['with sRGB', `[${intent}]`, added],
    ['in an object', '[71 0 R]', added, { 71: intent }],
    ['in a list in an object', '71 0 R', added, { 71: `[${intent}]` }],
    ['eight times', `[${intent.repeat(8)}]`, added],
    ['nine times', `[${intent.repeat(9)}]`, changed],
    ['beside one without a profile', `[${intent} <</S /X>>]`, changed],
    ['without a list', intent, changed],
    ['in an empty list', '[]', added],
    ['that is none', '[(x)]', changed],
    ['with a profile elsewhere', '[<</DestOutputProfileRef 72 0 R /DestOutputProfile 70 0 R>>]', changed],
    ['without a profile', '[<</S /GTS_PDFA1>>]', changed],
    ['with a profile that is none', '[<</DestOutputProfile (x)>>]', changed],
    ['with another profile', `[${intent}]`, changed, { 70: profile(colourProfile({ rTRC: colourCurve(1) })) }],
    [
      'with a profile that cannot be read',
      `[${intent}]`,
      changed,
      { 70: { dictionary: '/Filter /Unknown', data: 'x' } },
    ],
    ['with a profile that is a text', `[${intent}]`, changed, { 70: '(x)' }],
  ])('%s', async (_, intents, expected, more = {}) => {
    const objects = { 1: withIntents(intents), 70: profile(colourProfile()), ...more };
    expect(await changesBy(base, objects)).toEqual(expected);
  });

  it('explains its profile, and replaces no earlier intent', async () => {
    const missing = { ...base, 1: '<</Type /Catalog /Pages 2 0 R /Own [70 0 R]>>' };
    const objects = { 1: '<</Type /Catalog /Pages 2 0 R /Own [70 0 R] /OutputIntents [<</DestOutputProfile 70 0 R>>]>>', 70: profile(colourProfile()) }; // prettier-ignore
    expect(await changesBy(missing, objects)).toEqual(['OUTPUT_INTENT_ADDED', 'MISSING_OBJECT_SUPPLIED 70']);
    const known = { ...base, 1: withIntents('[<</DestOutputProfile 70 0 R>>]') };
    expect(await changesBy(known, { 1: known[1], 70: profile(colourProfile()) })).toEqual([
      'MISSING_OBJECT_SUPPLIED 70',
    ]);
    const earlier = { ...base, 1: withIntents('[]') };
    expect(await changesBy(earlier, { 1: withIntents(`[${intent}]`), 70: profile(colourProfile()) })).toEqual(changed);
  });
});
