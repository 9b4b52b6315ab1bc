/**
 * Stores for conversations that several processes share, and the checks for a store of your own. You supply the
 * database client: a `Pool` of `pg` or a PGlite, a client of `redis`.
 *
 * @module strata-context/stores
 */

export {
  type LanggraphClient,
  type LanggraphFilter,
  type LanggraphItem,
  type LanggraphOptions,
  type LanggraphPut,
  langgraphStore,
} from '../conversations/stores/langgraph-store';
export { memoryStore } from '../conversations/stores/memory-store';
export { type PostgresClient, type PostgresOptions, postgresStore } from '../conversations/stores/postgres-store';
export type {
  AppendOutcome,
  ConversationDescription,
  RecordKey,
  RecordStore,
  StoredConversation,
} from '../conversations/stores/record-store';
export { type RedisClient, type RedisOptions, redisStore } from '../conversations/stores/redis-store';
export { PromiseBroken, type StoreCheck, storeChecks } from '../conversations/stores/store-checks';
export { StoredRecordUnreadable, storeShelf } from '../conversations/stores/store-shelf';
export { RecordsNotStored } from '../conversations/stores/stored-sequence';
