/** Uses the peer packages of the library other than the frameworks: clients of databases, the tokenizer, telemetry. */
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createClient } from 'redis';
import { createConversations } from 'strata-context';
import { compactingFetch } from 'strata-context/fetch';
import { countWithO200k } from 'strata-context/o200k';
import { openTelemetry } from 'strata-context/opentelemetry';
import { postgresStore, redisStore, storeChecks } from 'strata-context/stores';

const [, , address, postgres, redis] = process.argv;

async function openPostgres() {
  const client = new pg.Pool({ connectionString: postgres });
  return { ...postgresStore({ client }), close: () => client.end() };
}

async function openRedis() {
  const client = createClient({ url: redis });
  await client.connect();
  return { ...redisStore({ client }), close: () => client.quit() };
}

const pglite = new PGlite();

async function openPglite() {
  return postgresStore({ client: pglite });
}

async function failedChecks(open) {
  const stores = [await open(), await open()];
  const failed = [];
  for (const { name, run } of storeChecks)
    await run(...stores).catch(({ message }) => failed.push(`${name}: ${message}`));
  for (const store of stores) await store.close();
  return failed;
}

const failed = {
  postgres: await failedChecks(openPostgres),
  redis: await failedChecks(openRedis),
  pglite: await failedChecks(openPglite),
};

const telemetry = openTelemetry();
const conversations = await createConversations({ window: 16_000, countTokens: countWithO200k, telemetry });
const { status } = await compactingFetch(conversations)(`${address}/v1/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] }),
});
console.log(JSON.stringify({ failed, tokens: countWithO200k('unabhängig <|im_start|>'), status }));
process.exit(0);
