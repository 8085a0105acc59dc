/** The hooks of a test file on PostgreSQL: one server for the file, and an empty database for each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** Registers the hooks of a test file. The fields hold what the running test uses. */
export class DatabaseForTests {
  server!: PostgresServer;
  /** The address of the test's database. */
  url!: string;

  constructor() {
    beforeAll(async () => {
      this.server = await startPostgres();
    });
    afterAll(async () => this.server.stop());
    beforeEach(async () => {
      this.url = await this.server.createDatabase();
    });
  }

  /** The name of the test's database. */
  get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs statements as the administrator, in the test's database. */
  query: PostgresServer['query'] = async (statement) => this.server.query(statement, this.name);
}
