import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAgentServer } from '../agents/server/server';
import { withServers } from '../conversations/stores/with-servers';
import { codeOf, installedLibrary } from '../library/built-library';
import { linkPackages } from '../packages/installed';
import { pages, snippets } from './pages';

/** Runs every program of the pages unchanged, with the installed library and real servers. */

const run = promisify(execFile);

const packages = [
  ...['ai', '@ai-sdk/openai', '@anthropic-ai/sdk', '@langchain/core', '@langchain/langgraph', '@langchain/openai'],
  ...['@opentelemetry/api', 'deepagents', 'langchain', 'openai', 'pg', 'zod'],
];

/** Decisions quote code of the project. */
const programs = snippets.filter(
  ({ where, language }) => where.startsWith('docs/') && !/\/decisions\//.test(where) && /^[jt]s$/.test(language),
);

/** The modules that the pages leave to the reader. */
const ofReader = {
  'tools.js': `
    export const readPart = async (part) => part + ' reads a key of the parser.';
    export const tools = { read: ({ part }) => readPart(part) };
  `,
  'model.js': `
    export async function complete(messages) {
      if (messages.at(-1).role === 'tool') return [{ type: 'text', text: 'That part is fine.' }];
      return [{ type: 'tool_call', callId: 'call-' + messages.length, name: 'read', input: { part: 'parser' } }];
    }
  `,
  'my-store.js': `
    import { memoryStore } from 'strata-context/stores';
    const store = memoryStore();
    export const myStore = () => store;
  `,
};

/** Calls whatever functions a program exports. */
const driver = `
  import { generateText } from 'ai';
  const { agent, ask, client, keepRule, model, pin, reply, undoNewest } = await import(process.argv[2]);
  const messages = [{ role: 'user', content: 'Look at the parser.' }];
  const said = [];
  if (keepRule) await keepRule('Never push.');
  if (ask) said.push(await ask('Look at the parser. TOOLS=1'));
  if (undoNewest) await undoNewest();
  if (agent) said.push((await agent.invoke({ messages })).messages.at(-1).text);
  if (model) said.push((await generateText({ model, messages })).text);
  if (client?.chat) said.push((await client.chat.completions.create({ model: 'm', messages })).choices[0].message.content);
  else if (client) said.push((await client.messages.create({ model: 'm', max_tokens: 9, messages })).content.at(-1).text);
  if (pin) await pin('acme', 'chat-7', 'Never push.');
  if (reply) said.push(await reply('acme', 'chat-7', messages));
  console.log('SAID ' + JSON.stringify(said));
  // A program that is a test ends by itself.
  if (!process.argv[2].includes('scale')) process.exit();
`;

let folder = '';
const servers = withServers();

beforeAll(async () => {
  folder = await installedLibrary();
  await linkPackages(folder, packages);
  const page = pages.find(({ path }) => path === 'docs/middleware.md')?.text ?? '';
  const conversations = codeOf(page, 'js', 'import { createConversations }');
  const files = { ...ofReader, 'conversations.js': conversations, 'driver.js': driver };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(programs)('the program at $where runs', async ({ where, language, code }) => {
  const call = { name: 'read', input: { part: 'parser' } };
  const server = await startAgentServer({ look: call, read: call });
  const file = `${where.replace(/\W/g, '-')}.${language}`;
  await writeFile(join(folder, file), code);
  const env = {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: `${server.address}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: server.address,
    ANTHROPIC_API_KEY: 'none',
    DATABASE_URL: servers.postgres.address,
  };
  try {
    const { stdout } = await run(process.execPath, ['driver.js', `./${file}`], { cwd: folder, env });
    const said = JSON.parse(/^SAID (.*)$/m.exec(stdout)?.[1] ?? 'null') as unknown[];
    expect(said.filter((text) => typeof text !== 'string' || text === '')).toEqual([]);
    const asks = /export (?:const (?:agent|model|client)|async function (?:ask|reply))\b/.test(code);
    expect(said.length).toBe(asks ? 1 : 0);
  } finally {
    server.close();
  }
});

it('there are programs on the page of each framework', () => {
  const frameworks = pages.filter(({ path }) => /^docs\/frameworks\/(?!gateway)/.test(path)).map(({ path }) => path);
  expect(frameworks.length).toBe(6);
  expect(frameworks.filter((path) => !programs.some(({ where }) => where.startsWith(path)))).toEqual([]);
});
