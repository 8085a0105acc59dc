import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TextSetter, type GlyphRun } from '../../../src/signing/pdf/appearance/shape-text.ts';
import { drawStamp } from '../../../src/signing/pdf/appearance/stamp-painter.ts';
import { SCRIPT_FONTS, findFace } from '../../../src/signing/pdf/appearance/stamp-fonts.ts';
import { runTool } from '../../oracles/run-program.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import { Workshop } from './workshop.ts';

/** A name in each script, and the font of its first letter. */
const NAMES: readonly (readonly [script: string, name: string, font: string])[] = [
  ['Arabic', 'محمد علي السيّد', 'Arabic'],
  ['Hebrew', 'יוסי כהן', 'Hebrew'],
  ['Devanagari', 'श्री राजेन्द्र प्रसाद', 'Devanagari'],
  ['Bengali', 'রবীন্দ্রনাথ ঠাকুর', 'Bengali'],
  ['Gujarati', 'મોહનદાસ ગાંધી', 'Gujarati'],
  ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'Gurmukhi'],
  ['Tamil', 'கிருஷ்ணன்', 'Tamil'],
  ['Telugu', 'శ్రీనివాస్', 'Telugu'],
  ['Kannada', 'ಕೃಷ್ಣ ರಾವ್', 'Kannada'],
  ['Malayalam', 'കൃഷ്ണൻ നായർ', 'Malayalam'],
  ['Sinhala', 'ශ්‍රී පෙරේරා', 'Sinhala'],
  ['Thai', 'สมชาย ใจดี', 'Thai'],
  ['Lao', 'ສົມສັກ', 'Lao'],
  ['Khmer', 'សុខា ចាន់', 'Khmer'],
  ['Burmese', 'အောင်ဆန်း', 'Myanmar'],
  ['Ethiopic', 'አበበ ቢቂላ', 'Ethiopic'],
  ['Georgian', 'გიორგი', 'Georgian'],
  ['Armenian', 'Արամ Խաչատրյան', 'Armenian'],
  ['Chinese', '王小明 陳大文', 'CJK'],
  ['Korean', '김철수', 'CJK'],
  ['Japanese', '山田さくら 𠮷野', 'JP'],
  ['Russian', 'Владимир Ильич', ''],
  ['Greek', 'Γιώργος Παπαδόπουλος', ''],
  ['Vietnamese', 'Nguyễn Thị Hương', ''],
];

const set = async (text: string): Promise<readonly GlyphRun[]> => (await TextSetter.open([text])).set(text);
const nameOf = ({ face }: GlyphRun): string => face.font.postScriptName;

let folder: string;
let workshop: Workshop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-scripts-'));
  workshop = await Workshop.open();
});
afterAll(async () => {
  await workshop.close();
  await rm(folder, { recursive: true });
});

describe('a name on a stamp', () => {
  it.each(NAMES)('has a glyph for each letter in %s', async (_script, name, font) => {
    const runs = await set(name);
    expect(runs.flatMap(({ glyphs }) => glyphs).filter(({ glyph }) => glyph === 0)).toEqual([]);
    expect(new Set(runs.map(nameOf))).toContain(`NotoSans${font}-Regular`);
    expect(runs.reduce((sum, { width }) => sum + width, 0)).toBeGreaterThan(1);
  });

  it('is tried for each font', () => {
    const tried = new Set(NAMES.map(([, , font]) => `NotoSans${font}-Regular`));
    expect(SCRIPT_FONTS.filter(({ name }) => !tried.has(name))).toEqual([]);
  });

  it.each(NAMES)('is signed without a warning in %s', async (_script, name) => {
    const path = await workshop.write(buildPdf(onePage()));
    const appearance = { pages: [1], x: 50, y: 50, width: 150, height: 50, text: `Por ${name}` };
    expect((await workshop.sign(path, { appearance })).warnings).toEqual([]);
  });
});

describe('letters that change beside others', () => {
  it('join in Arabic', async () => {
    const [alone] = await set('م');
    const [word] = await set('محمد');
    const first = word?.glyphs[0]?.glyph;
    expect(first).not.toBe(alone?.glyphs[0]?.glyph);
    expect(first).not.toBe(0);
  });

  it('run from right to left in Arabic and Hebrew', async () => {
    for (const name of ['محمد', 'כהן']) {
      const glyphs = (await set(name))[0]?.glyphs ?? [];
      expect(glyphs[0]?.x).toBeGreaterThan(glyphs.at(-1)?.x ?? Infinity);
    }
  });

  it('merge in Devanagari', async () => {
    const [run] = await set('क्ष');
    expect(run?.glyphs.map(({ text }) => text)).toEqual(['क्ष']);
  });

  it('keep the marks of their neighbours in the same font', async () => {
    expect((await set('سيّد')).map(nameOf)).toEqual(['NotoSansArabic-Regular']);
  });
});

describe('a line with several scripts', () => {
  it('has its parts in the order of the bidirectional algorithm', async () => {
    const runs = await set('Ana محمد علي Silva');
    expect(runs.map(nameOf)).toEqual([
      'NotoSans-Regular',
      'NotoSansArabic-Regular',
      'NotoSans-Regular',
      'NotoSansArabic-Regular',
      'NotoSans-Regular',
    ]);
    const texts = runs.map(({ glyphs }) => glyphs.map(({ text }) => text).join(''));
    expect(texts).toEqual(['Ana ', 'علي', ' ', 'محمد', ' Silva']);
  });

  it('mirrors parentheses among letters from right to left', async () => {
    const runs = await set('כהן (א) כהן');
    const bracket = runs
      .flatMap(({ glyphs, face }) => glyphs.map((one) => ({ ...one, face })))
      .find(({ text }) => text === '(');
    expect(bracket?.glyph).toBe(bracket?.face.font.glyphOf(')'.codePointAt(0) ?? 0));
  });

  it('takes Japanese forms beside kana only', () => {
    expect(findFace('直', '直人さん')?.font.postScriptName).toBe('NotoSansJP-Regular');
    expect(findFace('直', '直人')?.font.postScriptName).toBe('NotoSansCJK-Regular');
  });
});

describe('a character in no font', () => {
  it('is a box, and named in a warning', async () => {
    const path = await workshop.write(buildPdf(onePage()));
    const appearance = { pages: [1], x: 50, y: 50, width: 150, height: 50, text: 'Ana 😀 王' };
    const { warnings } = await workshop.sign(path, { appearance });
    expect(warnings).toMatchObject([{ code: 'GLYPHS_MISSING', detail: expect.stringContaining('😀') as string }]);
    expect(JSON.stringify(warnings)).not.toContain('王');
  });
});

describe('the text of a stamp', () => {
  it.each([
    ['Chinese', '王小明'],
    ['Korean', '김철수'],
    ['Thai', 'สมชาย ใจดี'],
    ['Hindi', 'श्री राजेन्द्र'],
    ['Arabic', 'محمد علي'],
    ['Hebrew', 'יוסי כהן'],
  ])('can be copied in %s', async (_script, name) => {
    const path = join(folder, 'stamp.pdf');
    await writeFile(path, await drawStamp({ width: 300, height: 60, text: name }));
    const text = (await runTool('pdftotext', [path, '-'])).replace(/[\u202a-\u202e\f\n]/g, '');
    expect(text).toBe(name);
  });
});
