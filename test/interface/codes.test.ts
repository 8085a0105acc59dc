import { describe, expect, it } from 'vitest';
import { assistantCodes, findingCodes } from '../../src/service/errors/index.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** Codes listed by the interface document. */
const documented = [
  [1018, 'APPLICATION_CREATED', 'Application created successfully'],
  [1056, 'INVALID_CREDENTIALS', 'Invalid credentials'],
  [1124, 'SELECTED_USER_DETAIL', 'Selected user detail'],
  [1128, 'CACHE_CREATED', 'Cache created'],
  [1185, null, 'All digital signatures of the document are intact'],
  [1187, null, 'Date of certificate is valid'],
  [1189, null, 'Chain of certificate is trusted'],
  [1191, null, 'CRL is valid'],
] as const;

/** Codes left out by the document; these complete its pairs and never change. */
const ours = [
  1019, 1020, 1021, 1022, 1050, 1051, 1052, 1053, 1055, 1057, 1058, 1093, 1125, 1126, 1127, 1129, 1186, 1188, 1190,
  1192, 1193, 1194, 1195, 1196,
];

const table = [...Object.values(assistantCodes), ...Object.values(findingCodes)];

describe('the table of information codes', () => {
  it.each(documented)('has %i as the document does: %s, %s', (code, status, message) => {
    const found = table.filter((one) => one.code === code);
    expect(found).toMatchObject([{ message, ...dropUndefined({ status: status ?? undefined }) }]);
  });

  it('has only the codes of the document and our own, each once', () => {
    const codes = table.map(({ code }) => code).toSorted((one, other) => one - other);
    const known = [...documented.map(([code]) => code), ...ours].toSorted((one, other) => one - other);
    expect(codes).toEqual(known);
  });

  it('has each status once', () => {
    const statuses = table.map(({ status }) => status);
    expect(new Set(statuses).size).toBe(statuses.length);
  });
});
