import SqliteDatabase from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSinete } from '../app/run-sinete.ts';
import { startHere } from './damage-at-rest.ts';
import { workplaceWithKey } from './kills.ts';
import type { Tally } from './run-faults.ts';
import { newRequest, send } from './signed-documents.ts';

const TRANSACTIONS = 200_000;
/** Heap of the check in MB: a list of all rows would not fit. */
const HEAP = 96;
/** Every so manyth result is damaged. */
const DAMAGED_EACH = 20_000;

/**
 * `sinete fsck` over 200,000 transactions: the check tells its progress, finds each damaged result and nothing else, and
 * ends with a heap of 96 MB. The rows are copies of a signed transaction.
 */
export async function checkLargeFolder(): Promise<Tally> {
  const workplace = await workplaceWithKey();
  try {
    const sinete = await startHere(workplace.folder, workplace.data);
    const signed = await send(sinete.baseUrl, newRequest(0));
    await sinete.stop();
    if (signed === undefined) throw new Error('The document was refused.');
    copyTransaction(join(workplace.data, 'sinete.db'), TRANSACTIONS - 1);
    // Linux writes the most memory that the process has held into the file, at its end.
    const memory = join(workplace.folder, 'memory');
    const nodeWords = [`--max-old-space-size=${HEAP}`, '--import', memoryAtEnd(memory)];
    const { code, stdout, stderr } = await spawnSinete(workplace, ['fsck', '--json'], { nodeWords });
    const { findings, transactions } = JSON.parse(stdout || '{"findings":[],"transactions":0}') as {
      readonly findings: readonly { readonly kind: string }[];
      readonly transactions: number;
    };
    const found = findings.filter(({ kind }) => kind === 'result-changed').length;
    const told = stderr.split('\n').filter((line) => line.includes(`of ${TRANSACTIONS} documents`)).length;
    const megabytes = Math.round(Number(readFileSync(memory, 'utf8')) / 1024);
    console.log(`fsck: ${megabytes} MB at most, ${told} lines of progress, exit code ${code}`);
    const damaged = Math.floor((TRANSACTIONS - 1) / DAMAGED_EACH);
    const isRight = code === 1 && transactions === TRANSACTIONS && told >= 10 && findings.length === found;
    if (!isRight) console.log(stdout.slice(0, 2000), stderr.slice(0, 2000));
    const hidden = Math.abs(damaged - found) + (isRight ? 0 : 1);
    return { name: 'fsck of 200,000', cases: TRANSACTIONS, acknowledged: 1, lost: 0, doubled: 0, mixedUp: 0, hidden };
  } finally {
    await workplace.remove();
  }
}

/** A module writing the most memory of its process, in kilobytes, into a file when the process ends. */
function memoryAtEnd(file: string): string {
  const line = `process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
  return `data:text/javascript,${encodeURIComponent(`import { writeFileSync } from 'node:fs'; ${line}`)}`;
}

/** Copies the one transaction of a database, with its document and result, under new keys. */
function copyTransaction(path: string, copies: number): void {
  const database = new SqliteDatabase(path);
  try {
    database.pragma('synchronous = OFF');
    const copy = (table: string, changed: Readonly<Record<string, string>>): void => {
      const columns = (database.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(
        ({ name }) => name,
      );
      const values = columns.map((name) => changed[name] ?? `one."${name}"`);
      const names = columns.map((name) => `"${name}"`).join(', ');
      database.exec(`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${copies})
        insert into ${table} (${names}) select ${values.join(', ')} from n, (select * from ${table} limit 1) as one`);
    };
    database.transaction(() => {
      const tcn = "printf('T%025d', i)";
      const key = "printf('%032x', i)";
      copy('transactions', { tcn });
      copy('documents', { tcn, key });
      copy('small_results', { key, octets: `iif(i % ${DAMAGED_EACH} = 0, x'00', one.octets)` });
    })();
  } finally {
    database.close();
  }
}
