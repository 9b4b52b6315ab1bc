import type { RecordStore, StoredConversation } from './record-store';

/** The part of `redis` (node-redis) that the store uses. */
export interface RedisClient {
  sendCommand(words: string[]): Promise<unknown>;
}

export interface RedisOptions {
  /** A connected client. Its maker closes it. */
  readonly client: RedisClient;
  /** Prefix of all keys. If it contains `{…}`, all keys are on one node of a cluster. */
  readonly prefix?: string;
}

/** Redis runs one script at a time, so no other write comes in between. The time is that of the server. */
const appendScript = `
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
if #ARGV == 7 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] == '0' then
  redis.call('HSET', KEYS[2], 'id', ARGV[2], 'scope', ARGV[3], 'begins', ARGV[4], 'name', ARGV[5], 'created', ARGV[6])
  redis.call('SADD', KEYS[3], ARGV[2])
  redis.call('SADD', KEYS[4], ARGV[2])
end
redis.call('ZADD', KEYS[5], now, ARGV[7])
redis.call('HSET', KEYS[2], 'updated', now)
for place = 8, #ARGV, 1000 do
  redis.call('RPUSH', KEYS[1], unpack(ARGV, place, math.min(place + 999, #ARGV)))
end
return 1`;

/** `ARGV[4]`: acts only if nothing was written since then; empty: always. */
const deleteScript = `
if ARGV[4] ~= '' and tonumber(redis.call('ZSCORE', KEYS[4], ARGV[2]) or ARGV[4]) >= tonumber(ARGV[4]) then return 0 end
local begins = redis.call('HGET', KEYS[2], 'begins')
if begins then redis.call('SREM', ARGV[3] .. begins, ARGV[1]) end
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
return redis.call('DEL', KEYS[1], KEYS[2])`;

/**
 * A store in Redis. Whether acknowledged records survive a crash of the server depends on its configuration: with `appendonly yes` and
 * `appendfsync always`, all of them do.
 */
export function redisStore({ client, prefix = '{strata}' }: RedisOptions): RecordStore {
  // Lengths come first, so that no scope or id can be confused with another.
  const named = (kind: string, scope: string, rest = '') => `${prefix}:${kind}:${scope.length}:${scope}:${rest}`;
  const times = `${prefix}:updated`;
  const command = (...words: string[]) => client.sendCommand(words);
  const texts = async (...words: string[]) => (await command(...words)) as string[];

  async function described(scope: string, id: string): Promise<StoredConversation[]> {
    const fields = ['id', 'begins', 'name', 'created', 'updated'];
    const [values, length] = await Promise.all([
      command('HMGET', named('about', scope, id), ...fields) as Promise<(string | null)[]>,
      command('LLEN', named('records', scope, id)),
    ]);
    const [known, begins, name, created, updated] = values;
    if (known == null) return [];
    const time = new Date(Number(updated)).toISOString();
    const about = { begins: begins ?? '', name: name?.startsWith('=') ? name.slice(1) : null, created: created ?? '' };
    return [{ id, ...about, length: Number(length), updated: time }];
  }

  const describedAll = async (scope: string, ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => described(scope, id)))).flat();

  const keysOf = (scope: string, id: string) => [
    named('records', scope, id),
    named('about', scope, id),
    named('all', scope),
  ];

  async function deleteOne(scope: string, id: string, before = ''): Promise<boolean> {
    const given = [id, JSON.stringify([scope, id]), named('begins', scope), before];
    return (await command('EVAL', deleteScript, '4', ...keysOf(scope, id), times, ...given)) !== 0;
  }

  return {
    read: ({ scope, id }, from) => texts('LRANGE', named('records', scope, id), String(from), '-1'),
    async append({ scope, id }, expected, records, { begins, name, created }) {
      const keys = [...keysOf(scope, id), named('begins', scope, begins), times];
      const about = [id, scope, begins, name === null ? '' : `=${name}`, created, JSON.stringify([scope, id])];
      const added = await command('EVAL', appendScript, '5', ...keys, String(expected), ...about, ...records);
      return { kind: added === 1 ? 'appended' : 'moved' };
    },
    async find(scope, beginnings) {
      const ids = await Promise.all(beginnings.map((begins) => texts('SMEMBERS', named('begins', scope, begins))));
      return await describedAll(scope, ids.flat());
    },
    list: async (scope) => await describedAll(scope, await texts('SMEMBERS', named('all', scope))),
    async delete({ scope, id }) {
      await deleteOne(scope, id);
    },
    async prune(before) {
      const time = String(Date.parse(before));
      let deleted = 0;
      for (const member of await texts('ZRANGEBYSCORE', times, '-inf', `(${time}`)) {
        const [scope, id] = JSON.parse(member) as [string, string];
        if (await deleteOne(scope, id, time)) deleted += 1;
      }
      return deleted;
    },
    close: async () => undefined,
  };
}
