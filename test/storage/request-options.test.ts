import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { requestOptions } from '../../src/storage/sql/migrations/0025-request-options.ts';

const connection = new SqliteDatabase(':memory:');
const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) });

afterEach(() => database.destroy());

describe('a database of an earlier version', () => {
  it('keeps the options of its transactions, in a single column', async () => {
    connection.exec(`create table transactions (tcn text, tsa_server_id text, tsa_digest text, signer_company text);
      insert into transactions values ('all', 'act', 'sha384', '{"name":"Padaria","cnpj":"11222333000181"}'),
        ('server', 'act', null, null), ('none', null, null, null);`);
    await requestOptions.up(database);
    const rows = connection.prepare('select * from transactions').all() as { tcn: string; options: string }[];
    expect(rows.map(({ tcn, options, ...others }) => [tcn, JSON.parse(options) as unknown, others])).toEqual([
      [
        'all',
        {
          timestampServer: 'act',
          timestampDigest: 'sha384',
          signerCompany: { name: 'Padaria', cnpj: '11222333000181' },
        },
        {},
      ],
      ['server', { timestampServer: 'act' }, {}],
      ['none', {}, {}],
    ]);
  });
});
