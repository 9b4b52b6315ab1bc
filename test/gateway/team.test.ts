import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encryptedStore } from '../../extension/conversations/stores/encrypted-store';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { newTenant, tenantsIn } from '../../extension/gateway/admission';
import { BodiesInFlight } from '../../extension/gateway/in-flight';
import { built } from '../builders/built';
import { freePort, type RunningServer, startPostgres } from '../conversations/stores/servers';
import { newFolder, openers } from '../conversations/stores/stores';
import { programWith } from '../library/many-agents';
import { listening, startUpstream, type Upstream } from './upstream';

const key = 'b2'.repeat(32);
const acme = newTenant('acme');
const globex = newTenant('globex');

let postgres: RunningServer;
let command: string;
let tenants: string;
beforeAll(async () => {
  command = join(await built('cli'), 'cli/strata.js');
  postgres = await startPostgres();
  tenants = join(await newFolder('tenants'), 'tenants');
  await writeFile(tenants, `# The team\n${acme.line}\n${globex.line}\n`);
}, 240_000);
afterAll(() => postgres?.stop());

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

async function serving(upstream: Upstream, ...more: string[]): Promise<Served> {
  const options = [
    '--json',
    '--tenants',
    tenants,
    '--openai',
    `${upstream.url}/v1`,
    '--store',
    postgres.address,
    ...more,
  ];
  const env = { ...process.env, STRATA_STORE_KEY: key };
  const child = spawn(process.execPath, [command, 'serve', ...options], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for await (const data of child.stdout) {
    text += data;
    if (text.trimEnd().endsWith('}')) break;
  }
  return { url: JSON.parse(text).url, child, ended };
}

/** A plain balancer: it uses the targets one after the other, and skips those that do not answer. */
async function balancer(targets: readonly string[]): Promise<string> {
  let next = 0;
  const agent = new Agent({ keepAlive: false });
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    next += 1;
    const target = targets[next % targets.length];
    const { method, headers, url } = incoming;
    const passing = request(`${target}${url}`, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    passing.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(passing);
  };
  const server = createServer(pass);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return await listening(server);
}

interface Chat {
  readonly role: string;
  readonly content: string;
}

/** Answers with the last prompt, slowly, so that requests are open when a gateway is killed. */
function answering(upstream: Upstream): void {
  upstream.behaviour = (response, { body }) => {
    const { messages } = JSON.parse(body.toString('utf8')) as { messages: Chat[] };
    const content = `Answer to ${messages.at(-1)?.content}. ${'It is done as asked. '.repeat(40)}`;
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
    setTimeout(() => {
      const text = JSON.stringify({ id: 'c', object: 'chat.completion', model: 'm', choices: [choice] });
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    }, 30);
  };
}

async function asked(
  address: string,
  token: string,
  conversation: string,
  messages: readonly Chat[],
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-strata-conversation': conversation };
  const body = JSON.stringify({ model: 'm', messages });
  return await fetch(`${address}/${token}/openai/v1/chat/completions`, { method: 'POST', headers, body });
}

/** One turn of an agent, which tries again if it gets no answer. */
async function turn(
  address: string,
  token: string,
  conversation: string,
  history: Chat[],
  prompt: string,
): Promise<number> {
  history.push({ role: 'user', content: prompt });
  for (let tries = 1; ; tries += 1) {
    const response = await asked(address, token, conversation, history).catch(() => null);
    const answer = response?.ok ? await response.json().catch(() => null) : null;
    if (answer !== null) {
      history.push(answer.choices[0].message);
      return tries;
    }
    if (tries > 50) throw new Error(`${conversation} has no answer to ${prompt}`);
  }
}

/** Runs a command of the inspector on a conversation of acme in that store. Rejects with its output. */
async function strata(...words: readonly string[]): Promise<string> {
  const args = [command, '--in', postgres.address, '--tenant', 'acme', ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, STRATA_STORE_KEY: key },
    timeout: 60_000,
  });
  return stdout;
}

/** Opens the gateways' store as a program of the team would. */
async function teamProgram() {
  const store = await openers.postgres(postgres.address);
  onTestFinished(() => store.close());
  return await programWith({ shelf: storeShelf(encryptedStore(store, key)) });
}

describe('a gateway for a team', () => {
  it('loses nothing if one of four on one Postgres is killed under load, and takes pins and undos with the next request', async () => {
    const upstream = await startUpstream(() => undefined);
    answering(upstream);
    const gateways = await Promise.all([1, 2, 3, 4].map(() => serving(upstream)));
    const address = await balancer(gateways.map(({ url }) => url));
    const agents = Array.from({ length: 12 }, (_, at) => ({
      name: `agent-${at}`,
      tenant: at % 2 === 0 ? acme : globex,
      history: [] as Chat[],
    }));
    let turns = 0;
    let tries = 0;
    await Promise.all(
      agents.map(async ({ name, tenant, history }) => {
        for (let at = 0; at < 6; at += 1) {
          const tried = await turn(address, tenant.token, name, history, `${name} asks ${at}`);
          tries += tried;
          turns += 1;
          if (turns === 20) gateways[0]?.child.kill('SIGKILL');
        }
      }),
    );
    expect(await gateways[0]?.ended).toBe(null);
    expect(tries).toBeGreaterThan(turns);

    const { conversations } = await teamProgram();
    for (const [at, { name, history }] of agents.entries()) {
      const context = await conversations.conversation({ conversation: name, scope: at % 2 === 0 ? 'acme' : 'globex' });
      expect(context.messages().map(({ content }) => content)).toEqual(history.map(({ content }) => content));
      const ids = context.entries.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect((await conversations.list('acme')).map(({ conversation }) => conversation).sort()).toEqual(
      agents
        .filter((_, at) => at % 2 === 0)
        .map(({ name }) => name)
        .sort(),
    );

    const [first] = agents;
    if (first === undefined) return;
    const sent = () => upstream.received.at(-1)?.body.toString('utf8') ?? '';
    const context = await conversations.conversation({ conversation: first.name, scope: 'acme' });
    await strata('pin', first.name, '--constraint', 'Never push.');
    await context.refresh();
    await context.exclude(context.entries.find(({ role }) => role === 'assistant')?.id ?? '');
    await turn(address, acme.token, first.name, first.history, 'Go on.');
    expect(sent()).toContain('Never push.');
    expect(sent()).not.toContain(`Answer to ${first.name} asks 0.`);
    expect(JSON.parse(await strata('conversations', '--json')).conversations).toHaveLength(agents.length / 2);
    expect(await strata('undo', first.name)).toMatch(/^Undone: #\d+\./);
    await turn(address, acme.token, first.name, first.history, 'And on.');
    expect(sent()).toContain(`Answer to ${first.name} asks 0.`);
    expect(sent()).toContain('Never push.');
    expect(await strata('inspect', first.name)).toContain('pinned constraint: Never push.');
    await turn(address, globex.token, first.name, [], 'Who am I?');
    expect(sent()).not.toContain('Never push.');
    await expect(strata('inspect', 'nobody')).rejects.toThrow('There is no conversation postgres://');
  }, 180_000);

  it('finishes its requests before it stops, refuses unknown callers, and stores nothing readable', async () => {
    const upstream = await startUpstream(() => undefined);
    answering(upstream);
    const { url, child, ended } = await serving(upstream);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const history = [{ role: 'user', content: 'a very secret question' }];
    const refused = await asked(url, 'x'.repeat(32), 'one', history);
    expect([refused.status, upstream.received.length]).toEqual([401, 0]);
    const open = asked(url, acme.token, 'one', history);
    while (upstream.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGTERM');
    expect(await (await open).text()).toContain('Answer to a very secret question');
    expect(await ended).toBe(0);
    const store = await openers.postgres(postgres.address);
    onTestFinished(() => store.close());
    const [stored] = (await store.list('acme')).slice(-1);
    expect(stored?.length).toBeGreaterThan(0);
    const below = await Promise.all((await store.list('acme')).map(({ id }) => store.read({ scope: 'acme', id }, 0)));
    expect(JSON.stringify(below)).not.toContain('secret');
    const { conversations } = await teamProgram();
    const context = await conversations.conversation({ conversation: 'one', scope: 'acme' });
    expect(context.messages().map(({ content }) => content)).toEqual([
      'a very secret question',
      expect.stringMatching(/^Answer to a very secret question/),
    ]);
  }, 120_000);

  it('deletes conversations of all tenants that were not written to for the given time, and reports their number', async () => {
    const store = await openers.postgres(postgres.address);
    onTestFinished(() => store.close());
    const about = { begins: '', name: null, created: '2026-01-01T00:00:00.000Z' };
    for (const scope of ['acme', 'globex'])
      for (const id of ['last month', 'today']) await store.append({ scope, id }, 0, ['record'], about);
    const client = new pg.Client({ connectionString: postgres.address });
    await client.connect();
    const aged = await client.query(
      "UPDATE strata_conversations SET updated = updated - interval '31 days' WHERE id = 'last month' RETURNING id",
    );
    await client.end();
    expect(aged.rows).toHaveLength(2);
    const options = ['--tenants', tenants, '--store', postgres.address, '--keep', '30d'];
    // Three processes prune at the same time, which is harmless.
    const told = await Promise.all(
      [1, 2, 3].map(async () => {
        const env = { ...process.env, STRATA_STORE_KEY: key };
        const child = spawn(process.execPath, [command, 'serve', ...options], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        let text = '';
        child.stderr.on('data', (data) => {
          text += data;
        });
        await once(child.stdout, 'data');
        child.kill('SIGTERM');
        expect((await once(child, 'close'))[0]).toBe(0);
        return text;
      }),
    );
    expect(told.join('')).not.toContain('could not');
    const counts = [...told.join('').matchAll(/Z Deleted (\d+) conversations? not written to since \d{4}-/gm)];
    expect(counts.reduce((total, [, count]) => total + Number(count), 0)).toBe(2);
    for (const scope of ['acme', 'globex']) {
      expect(await store.read({ scope, id: 'last month' }, 0)).toEqual([]);
      expect(await store.read({ scope, id: 'today' }, 0)).toEqual(['record']);
    }
    const wrong = promisify(execFile)(process.execPath, [command, 'serve', ...options.slice(0, -1), 'a while']);
    await expect(wrong).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must be a number of hours'),
    });
  }, 60_000);

  it('serves and is healthy as the container file says, and ends with its signal', async () => {
    const text = await readFile('Containerfile', 'utf8');
    const words = (name: string): string[] =>
      JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(text)?.[1] ?? '[]');
    const [program, ...first] = words('ENTRYPOINT');
    expect(program).toBe('strata');
    const port = await freePort();
    const here = [...first, ...words('CMD')].map(
      (word) =>
        ({ '0.0.0.0': '127.0.0.1', '8080': String(port), '/etc/strata/tenants': tenants, '/var/lib/strata': '' })[
          word
        ] ?? word,
    );
    here[here.indexOf('--store') + 1] = await newFolder('container');
    const child = spawn(process.execPath, [command, ...here], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const [node, ...check] = words('HEALTHCHECK CMD').map((word) => word.replace('8080', String(port)));
    expect(node).toBe('node');
    await promisify(execFile)(process.execPath, check);
    const ended = once(child, 'exit');
    child.kill(/^STOPSIGNAL (\w+)$/m.exec(text)?.[1] as NodeJS.Signals);
    expect(await ended).toEqual([0, null]);
    await expect(promisify(execFile)(process.execPath, check)).rejects.toMatchObject({ code: 1 });
  });

  it('has room for so many bytes that came, for each tenant for half of them, and for one body of each in any case', () => {
    const bodies = new BodiesInFlight(100);
    const [first, second, other] = [bodies.enter('acme'), bodies.enter('acme'), bodies.enter('globex')];
    expect(first.take(70)).toBe(true);
    expect([second.take(1), bodies.bytes]).toEqual([false, 70]);
    expect([other.take(40), bodies.bytes]).toEqual([true, 110]);
    expect([other.take(100), bodies.bytes]).toEqual([false, 70]);
    first.leave();
    first.leave();
    expect([second.take(30), first.take(30), bodies.bytes]).toEqual([true, false, 30]);
    second.leave();
    expect(bodies.bytes).toBe(0);
  });

  it('names the line of a file of tenants that it cannot read', () => {
    expect(() => tenantsIn(`${acme.line}\nglobex plain-token`, 'tenants')).toThrow(/^tenants:2: expected/);
    expect(() => tenantsIn(`${acme.line}\n${acme.line.replace('acme', 'other')}`, 'tenants')).toThrow(/^tenants:2: /);
    expect(() => tenantsIn('# nobody', 'tenants')).toThrow(/no tenant/);
    expect(acme.line).not.toContain(acme.token);
  });
});
