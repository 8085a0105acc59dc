/** Changes of the trailer, each with everything that is told about the change. */
import { describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage, type Objects } from '../build-pdf.ts';
import { changesIn } from './unsigned-changes.ts';

const stream = (data: string): Objects[number] => ({ dictionary: '', data });
/** Object numbers: 17 information, 20 OpenDocument file, 21 another one, 22 a stream that is none. */
const BASE = onePage({
  17: '<</Title (Contract)>>',
  18: '<</Title (Other)>>',
  20: stream('PK\x03\x04 first'),
  21: stream('<office:document/>'),
  22: stream('no document'),
});

interface Later {
  readonly trailer?: string;
  readonly objects?: Objects;
  readonly identifier?: string;
}
const note: Objects = { 40: '(later)' };

/** The changes since the first revision with this trailer. */
async function changes(first: string, ...later: readonly Later[]): Promise<readonly string[]> {
  let file = buildPdf(BASE, { trailer: first });
  for (const { trailer = '', objects = note, identifier } of later) {
    file = appendRevision(file, objects, { trailer, ...(identifier !== undefined && { identifier }) });
  }
  return changesIn(file);
}

describe('the information of a document', () => {
  it.each<[string, string, Later, readonly string[]]>([
    ['stays', '/Info 17 0 R', { trailer: '/Info 17 0 R' }, []],
    [
      'may change',
      '/Info 17 0 R',
      { trailer: '/Info 17 0 R', objects: { 17: '<</Title (x)>>' } },
      ['METADATA_UPDATED'],
    ],
    ['may be another one', '/Info 17 0 R', { trailer: '/Info 18 0 R' }, ['METADATA_UPDATED']],
    ['may go', '/Info 17 0 R', {}, ['METADATA_UPDATED']],
    ['may come', '', { trailer: '/Info 41 0 R', objects: { 41: '<</Title (x)>>' } }, ['METADATA_UPDATED']],
    [
      'explains no stream of a page',
      '/Info 17 0 R',
      { trailer: '/Info 4 0 R', objects: { 4: stream('BT (Evil) Tj ET') } },
      ['METADATA_UPDATED', 'PAGE_CONTENT_CHANGED 4 page 1'],
    ],
  ])('%s', async (_, first, later, expected) => {
    expect(await changes(first, later)).toEqual(expected);
  });
});

describe('the catalog of a document', () => {
  const catalog = BASE[1] ?? '';
  it.each<[string, Later, readonly string[]]>([
    ['may have a new number', { trailer: '/Root 60 0 R', objects: { 60: catalog } }, []],
    ['is not an object that was there', { trailer: '/Root 30 0 R' }, ['TRAILER_CHANGED']],
    [
      'is not an object that was there, written anew',
      { trailer: '/Root 30 0 R', objects: { 30: catalog } },
      ['TRAILER_CHANGED'],
    ],
    ['may be written again', { objects: { 1: catalog } }, []],
  ])('%s', async (_, later, expected) => {
    const file = buildPdf({ ...BASE, 30: catalog, 31: '[30 0 R]' });
    const { trailer = '', objects = note } = later;
    expect(await changesIn(appendRevision(file, objects, { trailer }))).toEqual(expected);
  });
});

describe('the identifier of a document', () => {
  it('may change where nothing is encrypted', async () => {
    expect(await changes('', { identifier: '/ID [<01> <02>]' })).toEqual([]);
  });
});

describe('an entry of the trailer unknown to the standard', () => {
  it.each<[string, string, readonly Later[], readonly string[]]>([
    ['stays', '/Own 1', [{ trailer: '/Own 1' }], []],
    ['is not new', '', [{ trailer: '/Own 1' }], ['TRAILER_CHANGED']],
    ['is not another', '/Own 1', [{ trailer: '/Own 2' }], ['TRAILER_CHANGED']],
    ['may be left out', '/Own 1', [{}], []],
    ['may come back', '/Own 1', [{}, { trailer: '/Own 1' }], []],
    ['may come back later', '/Own 1', [{}, {}, { trailer: '/Own 1' }], []],
    ['may not come back as another', '/Own 1', [{}, { trailer: '/Own 2' }], ['TRAILER_CHANGED']],
    ['may come back with its object', '/Own 20 0 R', [{}, { trailer: '/Own 20 0 R' }], []],
    [
      'may not come back with other objects',
      '/Own [20 0 R 22 0 R]',
      [{}, { trailer: '/Own [20 0 R 22 0 R]', objects: { 22: stream('x') } }],
      ['TRAILER_CHANGED', 'OBJECT_CHANGED 22'],
    ],
    [
      'counts as its newest version',
      '/Own 1',
      [{ trailer: '/Own 2' }, {}, { trailer: '/Own 1' }],
      ['TRAILER_CHANGED', 'TRAILER_CHANGED'],
    ],
    ['may be a new mark of LibreOffice', '', [{ trailer: '/DocChecksum /0A' }], []],
    [
      'may not be another mark of LibreOffice',
      '/DocChecksum /0A',
      [{ trailer: '/DocChecksum /0B' }],
      ['TRAILER_CHANGED'],
    ],
    ['may be an entry about the section', '', [{ trailer: '/DL 1' }], []],
  ])('%s', async (_, first, later, expected) => {
    expect(await changes(first, ...later)).toEqual(expected);
  });
});

describe('the OpenDocument file of a hybrid PDF', () => {
  const ZIP = '/AdditionalStreams [/application#2Fodt 20 0 R]';
  const XML = '/AdditionalStreams [/application#2Ffodt 21 0 R]';
  const NONE = '/AdditionalStreams [/application#2Fodt 22 0 R]';
  const MISSING = '/AdditionalStreams [/application#2Fodt 90 0 R]';

  it.each<[string, string, readonly Later[], readonly string[]]>([
    ['stays', ZIP, [{ trailer: ZIP }], []],
    ['is lost', ZIP, [{}], ['SOURCE_FILE_LOST']],
    ['is lost behind another stream', ZIP, [{ trailer: NONE }], ['SOURCE_FILE_LOST']],
    ['is lost behind a missing object', ZIP, [{ trailer: MISSING }], ['SOURCE_FILE_LOST']],
    ['comes back', ZIP, [{}, { trailer: ZIP }], ['SOURCE_FILE_LOST', 'SOURCE_FILE_RESTORED']],
    [
      'comes back behind another stream',
      ZIP,
      [{ trailer: NONE }, { trailer: ZIP }],
      ['SOURCE_FILE_LOST', 'TRAILER_CHANGED'],
    ],
    ['is another one', ZIP, [{ trailer: XML }], ['TRAILER_CHANGED']],
    ['is another one after a loss', ZIP, [{}, { trailer: XML }], ['SOURCE_FILE_LOST', 'TRAILER_CHANGED']],
    ['is new', '', [{ trailer: XML }], ['TRAILER_CHANGED']],
    ['is new beside other streams', '', [{ trailer: '/AdditionalStreams [22 0 R 21 0 R]' }], ['TRAILER_CHANGED']],
    [
      'is written anew in its own object',
      ZIP,
      [{ trailer: ZIP, objects: { 20: stream('PK\x03\x04 second') } }],
      ['TRAILER_CHANGED'],
    ],
    [
      'comes back with other bytes',
      ZIP,
      [{}, { trailer: ZIP, objects: { 20: stream('PK\x03\x04 second') } }],
      ['SOURCE_FILE_LOST', 'TRAILER_CHANGED'],
    ],
    [
      'is supplied where it was missing',
      MISSING,
      [{ trailer: MISSING, objects: { 90: stream('PK\x03\x04') } }],
      ['TRAILER_CHANGED'],
    ],
    ['has a mark of LibreOffice only where it was', ZIP, [{ trailer: `${ZIP} /DocChecksum /0A` }], ['TRAILER_CHANGED']],
  ])('%s', async (_, first, later, expected) => {
    expect(await changes(first, ...later)).toEqual(expected);
  });

  it.each([
    ['a ZIP file', 'PK', 'TRAILER_CHANGED'],
    ['XML', '<x', 'TRAILER_CHANGED'],
    ['XML behind blanks', ' \n\t<x', 'TRAILER_CHANGED'],
    ['XML in UTF-8 with a mark', '\xef\xbb\xbf<x', 'TRAILER_CHANGED'],
    ['XML in UTF-16', '\xfe\xff\0<\0x', 'TRAILER_CHANGED'],
    ['XML in the other UTF-16', '\xff\xfe<\0x\0', 'TRAILER_CHANGED'],
    ['text', 'x PK <', 'SOURCE_FILE_LOST'],
    ['nothing', '', 'SOURCE_FILE_LOST'],
  ])('is known by its first bytes: %s', async (_, data, code) => {
    const objects = { 50: { dictionary: '', data: Buffer.from(data, 'latin1') } };
    expect(await changes('', { trailer: '/AdditionalStreams [50 0 R]', objects })).toEqual([code]);
  });

  it('may be a stream that cannot be read', async () => {
    const objects = { 50: { dictionary: '/Filter /Unknown', data: 'x' } };
    expect(await changes('', { trailer: '/AdditionalStreams [50 0 R]', objects })).toEqual(['TRAILER_CHANGED']);
  });
});
