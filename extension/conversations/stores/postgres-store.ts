import type { RecordStore, StoredConversation } from './record-store';

/** The method of `pg` (a `Pool`) or of PGlite that the store calls. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PostgresOptions {
  /** A pool of `pg`, or a PGlite. Its maker closes it. */
  readonly client: PostgresClient;
  /** False: the tables must exist, so a role without the right to create tables is enough. Absent: they are created with the first call. */
  readonly createTables?: boolean;
}

/** One statement each, because a prepared statement can contain only one. If two processes start at once, one waits for the other. */
const schema = [
  `CREATE TABLE IF NOT EXISTS strata_conversations (
    scope text NOT NULL, id text NOT NULL, begins text NOT NULL, name text, created text NOT NULL,
    length integer NOT NULL, updated timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (scope, id))`,
  'CREATE INDEX IF NOT EXISTS strata_beginnings ON strata_conversations (scope, begins)',
  'CREATE INDEX IF NOT EXISTS strata_updated ON strata_conversations (updated)',
  `CREATE TABLE IF NOT EXISTS strata_records (
    scope text NOT NULL, id text NOT NULL, place integer NOT NULL, record text NOT NULL, PRIMARY KEY (scope, id, place),
    FOREIGN KEY (scope, id) REFERENCES strata_conversations ON DELETE CASCADE)`,
];

/** Chosen at random; the same in all versions. */
const schemaLock = 7_361_204_115;

const create = `DO $$ BEGIN PERFORM pg_advisory_xact_lock(${schemaLock}); ${schema.join('; ')}; END $$`;

const addRecords = `INSERT INTO strata_records (scope, id, place, record)
  SELECT moved.scope, moved.id, $3::integer + given.place - 1, given.record
  FROM moved, unnest($4::text[]) WITH ORDINALITY AS given (record, place) RETURNING place`;

const begin = `WITH moved AS (
    INSERT INTO strata_conversations (scope, id, begins, name, created, length)
    VALUES ($1, $2, $5, $6, $7, cardinality($4::text[])) ON CONFLICT DO NOTHING RETURNING scope, id)
  ${addRecords}`;

/** If two append at once, the second waits and then finds another length. */
const grow = `WITH moved AS (
    UPDATE strata_conversations SET length = length + cardinality($4::text[]), updated = clock_timestamp()
    WHERE scope = $1 AND id = $2 AND length = $3::integer RETURNING scope, id)
  ${addRecords}`;

/** Several processes may prune at once: each skips conversations that another one is deleting or writing to. */
const prune = `DELETE FROM strata_conversations WHERE (scope, id) IN (
    SELECT scope, id FROM strata_conversations WHERE updated < $1::timestamptz FOR UPDATE SKIP LOCKED) RETURNING id`;

const columns = `id, begins, name, created, length,
  to_char(updated AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated`;

/** A store in PostgreSQL: each method is one statement, so one round trip. Its tables are created with the first one. */
export function postgresStore({ client, createTables = true }: PostgresOptions): RecordStore {
  let created: Promise<unknown> | null = createTables ? null : Promise.resolve();
  const query = async <R>(text: string, values: unknown[]): Promise<readonly R[]> => {
    created ??= client.query(create);
    try {
      await created;
    } catch (error) {
      // The next call tries again: the server may have been unavailable.
      created = null;
      throw error;
    }
    return (await client.query(text, values)).rows as readonly R[];
  };
  return {
    async read({ scope, id }, from) {
      const text = 'SELECT record FROM strata_records WHERE scope = $1 AND id = $2 AND place >= $3 ORDER BY place';
      return (await query<{ record: string }>(text, [scope, id, from])).map(({ record }) => record);
    },
    async append({ scope, id }, expected, records, description) {
      const { begins, name, created: time } = description;
      const values = [scope, id, expected, [...records]];
      const added = expected === 0 ? await query(begin, [...values, begins, name, time]) : await query(grow, values);
      return { kind: added.length > 0 ? 'appended' : 'moved' };
    },
    find: (scope, beginnings) =>
      query<StoredConversation>(
        `SELECT ${columns} FROM strata_conversations WHERE scope = $1 AND begins = ANY ($2::text[])`,
        [scope, [...beginnings]],
      ),
    list: (scope) => query<StoredConversation>(`SELECT ${columns} FROM strata_conversations WHERE scope = $1`, [scope]),
    async delete({ scope, id }) {
      await query('DELETE FROM strata_conversations WHERE scope = $1 AND id = $2', [scope, id]);
    },
    prune: async (before) => (await query(prune, [before])).length,
    close: async () => undefined,
  };
}
