/**
 * A store for conversations in a SQLite file, with Node's own `node:sqlite`.
 *
 * @module strata-context/sqlite
 */

export { type SqliteOptions, sqliteStore } from '../conversations/stores/sqlite-store';
