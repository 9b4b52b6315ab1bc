// Appends batches of three records to one conversation, and prints each batch once it is acknowledged.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { kind, address, library, pg, redis, langgraph, key, encryptionKey, batches, name, size } = JSON.parse(
  process.argv[2] ?? '',
);
const load = (path) => import(pathToFileURL(path).href);

const openers = {
  folder: async () => (await load(`${library}/node.js`)).folderStore({ folder: address }),
  encrypted: async () => {
    const { encryptedStore, folderStore } = await load(`${library}/node.js`);
    return encryptedStore(folderStore({ folder: address }), encryptionKey);
  },
  sqlite: async () => (await load(`${library}/sqlite.js`)).sqliteStore({ file: address }),
  postgres: async () => {
    const client = new (await load(pg)).default.Pool({ connectionString: address });
    return (await load(`${library}/stores.js`)).postgresStore({ client });
  },
  redis: async () => {
    const client = (await load(redis)).createClient({ url: address });
    client.on('error', () => undefined);
    await client.connect();
    return (await load(`${library}/stores.js`)).redisStore({ client });
  },
  langgraph: async () => {
    const client = (await load(langgraph)).PostgresStore.fromConnString(address);
    return (await load(`${library}/stores.js`)).langgraphStore({ client });
  },
};

const store = await openers[kind]();
const about = { begins: 'shared', name: null, created: new Date().toISOString() };
let length = 0;
for (let batch = 0; batch < batches; ) {
  const filler = Array.from({ length: size }, () => Math.random().toString(36)).join('');
  const records = [0, 1, 2].map((part) => `${name} ${batch} ${part} ${filler}`);
  try {
    const { kind: outcome } = await store.append(key, length, records, about);
    if (outcome === 'appended') {
      writeSync(1, `${name} ${batch}\n`);
      length += 3;
      batch += 1;
    } else length += (await store.read(key, length)).length;
  } catch (error) {
    writeSync(2, `${error.message}\n`);
    process.exit(3);
  }
}
process.exit(0);
