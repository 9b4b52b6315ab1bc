/**
 * A store for conversations in a SQLite file, with what Node itself has.
 *
 * @module strata-context/sqlite
 */

export { type SqliteOptions, sqliteStore } from '../conversations/stores/sqlite-store';
