import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentServer, startAgentServer } from '../agents/server/server';
import { linkPackages } from '../packages/installed';
import { codeOf, installedLibrary } from './built-library';

/** Tests of the complete agents in the pages, unchanged, with the packages that they name. */

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

const packages = [
  'ai',
  '@ai-sdk/openai',
  '@anthropic-ai/sdk',
  '@langchain/core',
  '@langchain/openai',
  'deepagents',
  'langchain',
  '@langchain/langgraph',
  'openai',
  'zod',
];

let folder = '';
let server: AgentServer;

beforeAll(async () => {
  folder = await installedLibrary();
  const page = await readFile(join(root, 'docs/middleware.md'), 'utf8');
  await linkPackages(folder, packages);
  const code = codeOf(page, 'js', "import { createConversations } from 'strata-context';");
  await writeFile(join(folder, 'conversations.js'), code);
  await writeFile(join(folder, 'tools.js'), tools);
  await writeFile(join(folder, 'model.js'), model);
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const tools = `
  export const readPart = async (part) =>
    Array.from({ length: 60 }, (_, line) => 'src/' + part + '.ts line ' + line + ' reads a key of the parser.').join('\\n');
`;

const model = `
  let asked = 0;
  export async function complete(messages) {
    asked += 1;
    if (messages.at(-1).role === 'tool') return [{ type: 'text', text: 'That part is fine: ' + asked + '.' }];
    return [{ type: 'tool_call', callId: 'call-' + asked, name: 'read', input: { part: 'part-' + asked } }];
  }
`;

const turns = 40;

const program = `
  import { ask } from './agent.js';
  import { conversations } from './conversations.js';
  for (let turn = 0; turn < ${turns}; turn += 1) await ask('TOOLS=1 look at part ' + turn + '.');
  const { compactions, entries, messages } = conversations.newest;
  console.log(JSON.stringify({ compactions: compactions.length, entries: entries.length, total: conversations.newest.tokens.total }));
  process.exit(0);
`;

interface Outcome {
  readonly compactions: number;
  readonly entries: number;
  readonly total: number;
}

/** Runs the complete agent of a page. Resolves to the bodies of the requests that the model received. */
async function ran(page: string): Promise<{ outcome: Outcome; bodies: string[] }> {
  const text = await readFile(join(root, `docs/frameworks/${page}.md`), 'utf8');
  const agent = text.slice(text.indexOf('\n## A complete agent\n'));
  return await runOf<Outcome>(codeOf(agent, 'js', ''), program);
}

async function runOf<T>(agent: string, program: string): Promise<{ outcome: T; bodies: string[] }> {
  const call = { name: 'read', input: { part: 'parser' } };
  server = await startAgentServer({ look: call, read: call });
  await writeFile(join(folder, 'agent.js'), agent);
  await writeFile(join(folder, 'program.js'), program);
  await rm(join(folder, '.strata'), { recursive: true, force: true });
  try {
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder, env: variables(server.address) });
    const bodies = server.exchanges.map(({ body }) => JSON.stringify(body));
    return { outcome: JSON.parse(stdout), bodies };
  } finally {
    server.close();
  }
}

function variables(address: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: 'none',
  };
}

/** The agent's state keeps all messages; each prompt has a long text. */
const stateful = `
  import { readPart } from './tools.js';
  import { agent } from './agent.js';
  const text = await readPart('parser');
  let messages = [];
  for (let turn = 0; turn < ${turns}; turn += 1) {
    const prompt = { role: 'user', content: 'Look at part ' + turn + '. ' + text };
    ({ messages } = await agent.invoke({ messages: [...messages, prompt] }));
  }
  console.log(JSON.stringify({ messages: messages.length }));
  process.exit(0);
`;

/** Window in characters: in these texts, a token has at least four. */
const mostCharacters = 16_000 * 4;

describe('an agent of the page', () => {
  it.each([
    ['the AI SDK', 'ai-sdk'],
    ['deepagents', 'deep-agents'],
    ['the OpenAI SDK', 'openai'],
    ['the Anthropic SDK', 'anthropic'],
  ])(
    'with %s stays in its window, its constraint in every request',
    async (_name, page) => {
      const { outcome, bodies } = await ran(page);
      expect(outcome.compactions).toBeGreaterThan(0);
      expect(outcome.entries).toBeGreaterThanOrEqual(turns * 4);
      expect(bodies).toHaveLength(turns * 2);
      expect(bodies.filter((body) => !body.includes('Never change the public API.'))).toEqual([]);
      expect(Math.max(...bodies.map((body) => messagesIn(body)))).toBeLessThan(mostCharacters);
    },
    180_000,
  );

  it('the agent of the page about LangChain keeps all messages in its state, and its model gets what fits', async () => {
    const ofLangChain = await readFile(join(root, 'docs/frameworks/langchain.md'), 'utf8');
    const agent = codeOf(ofLangChain, 'js', 'import { ChatOpenAI }').replace('272_000', '16_000');
    const { outcome, bodies } = await runOf<{ messages: number }>(agent, stateful);
    expect(outcome.messages).toBe(turns * 2);
    expect(bodies).toHaveLength(turns);
    expect(bodies.at(-1)).toContain('[GOAL BATCH]');
    expect(Math.max(...bodies.map((body) => messagesIn(body)))).toBeLessThan(mostCharacters);
  }, 180_000);

  it('an agent of the page with a loop of its own stays in its window', async () => {
    const { outcome } = await ran('messages');
    expect(outcome.compactions).toBeGreaterThan(0);
    expect(outcome.entries).toBe(turns * 4);
    expect(outcome.total).toBeLessThan(16_000);
  }, 180_000);
});

/** Number of characters in the messages, without the descriptions of tools. */
function messagesIn(body: string): number {
  const { messages, input } = JSON.parse(body);
  return JSON.stringify(messages ?? input).length;
}
