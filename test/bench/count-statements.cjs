/**
 * Loaded before an instance (`--require`): appends a line for each statement that SQLite runs in the serving thread to
 * the file COUNT_STATEMENTS.
 */
const { appendFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const Sqlite = require('better-sqlite3');

const { prepare } = Sqlite.prototype;
const file = process.env.COUNT_STATEMENTS;
if (isMainThread && file !== undefined) {
  Sqlite.prototype.prepare = function (text) {
    const statement = prepare.call(this, text);
    for (const way of ['run', 'all', 'get', 'iterate']) {
      const original = statement[way].bind(statement);
      statement[way] = (...parameters) => {
        appendFileSync(file, `${text.replace(/\s+/g, ' ')}\n`);
        return original(...parameters);
      };
    }
    return statement;
  };
}
