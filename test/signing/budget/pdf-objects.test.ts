import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { budgetFor, withBudget, type Amounts } from '../../../src/signing/budget/budget.ts';
import { examinePdf } from '../../../src/signing/index.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';

it('the budget counts the PDF objects read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-pdf-objects-'));
  try {
    const path = join(folder, 'page.pdf');
    await writeFile(path, buildPdf(onePage()));
    const { promise, resolve } = Promise.withResolvers<Amounts>();
    await withBudget(budgetFor(0), () => examinePdf(path), resolve);
    expect((await promise).objects).toBeGreaterThanOrEqual(3);
    const few = withBudget({ ...budgetFor(0), objects: 1 }, () => examinePdf(path));
    await expect(few).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
