import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../extension/engine/conversation/entry';
import { originalGoal } from '../../extension/engine/journal/overlay';
import { openSession } from '../../extension/sessions/open';
import { temporaryFolders } from '../sessions/temporary';
import { askJson } from './asking';
import { startRunning } from './running';
import { sends, startUpstream } from './upstream';

/** Tests that standing instructions pass through the gateway word for word, whatever is compacted. */

const temporaryFolder = temporaryFolders();

const window = 60_000;

/** 300 rules, 32 kB. */
const rules = Array.from({ length: 300 }, (_, at) =>
  `- Rule ${at}: in module ${at} keep function handle${at} free of side effects, and its tests beside it.`.padEnd(
    106,
    '.',
  ),
);

const prompt = 'Find out why the import of customers fails, and mend it.';
const folder = '/work/shop';

type Json = Readonly<Record<string, unknown>>;

/** The shape of an agent's requests. */
interface Shape {
  readonly name: string;
  readonly path: string;
  /** Everything before the model's first reply. */
  begins(): Json[];
  /** The model's reply with a call, and the result. */
  step(at: number, output: string): Json[];
  says(text: string): Json[];
  prompts(text: string): Json[];
  body(said: readonly Json[]): Json;
}

const reminder = (text: string) => ({ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` });

const rulesReminder = reminder(
  `Codebase and user instructions are shown below.\n\nContents of ${folder}/CLAUDE.md (project instructions, checked into the codebase):\n\n${rules.join('\n')}`,
);

const claudeCode: Shape = {
  name: 'Claude Code',
  path: '/anthropic/v1/messages',
  begins: () => [
    {
      role: 'user',
      content: [
        rulesReminder,
        reminder('Attribution: end commit messages with a line.'),
        { type: 'text', text: prompt },
      ],
    },
    { role: 'system', content: [{ type: 'text', text: `# Environment\n - Primary working directory: ${folder}` }] },
  ],
  step: (at, output) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `I look at part ${at}.`, signature: 'c2ln' },
        { type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command: `cat part-${at}.ts` } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${at}`, content: output },
        ...(at % 5 === 4 ? [reminder('The task tools haven’t been used recently.')] : []),
      ],
    },
  ],
  says: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
  prompts: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
  body: (messages) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 1000,
    thinking: { type: 'adaptive' },
    system: [{ type: 'text', text: 'You are an agent.' }],
    messages,
  }),
};

const input = (role: string, ...texts: readonly string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
});

const codex: Shape = {
  name: 'Codex',
  path: '/openai/v1/responses',
  begins: () => [
    input('developer', 'You are an agent.'),
    input('developer', '<skills_instructions>\n## Skills\n- review\n</skills_instructions>'),
    input(
      'user',
      `# AGENTS.md instructions for ${folder}\n\n<INSTRUCTIONS>\n${rules.join('\n')}\n\n</INSTRUCTIONS>`,
      `<environment_context>\n  <cwd>${folder}</cwd>\n  <shell>bash</shell>\n</environment_context>`,
    ),
    input('user', prompt),
  ],
  step: (at, output) => [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: `Part ${at}` }], encrypted_content: 'c2ln' },
    { type: 'function_call', name: 'exec_command', arguments: `{"cmd":"cat part-${at}.ts"}`, call_id: `call_${at}` },
    { type: 'function_call_output', call_id: `call_${at}`, output },
  ],
  says: (text) => [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
  prompts: (text) => [input('user', text)],
  body: (items) => ({ model: 'gpt-5-codex', store: false, input: items }),
};

/** The shape of Cline, OpenCode and others: all of it in one text. */
const chat: Shape = {
  name: 'one text',
  path: '/openai/v1/chat/completions',
  begins: () => [
    { role: 'system', content: `You are an agent.\n<env>\n  Working directory: ${folder}\n</env>` },
    { role: 'user', content: `${rulesReminder.text}\n\n<task>\n${prompt}\n</task>` },
  ],
  step: (at, output) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `call_${at}`, type: 'function', function: { name: 'read', arguments: `{"path":"part-${at}.ts"}` } },
      ],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content: output },
  ],
  says: (content) => [{ role: 'assistant', content }],
  prompts: (content) => [{ role: 'user', content }],
  body: (messages) => ({ model: 'gpt-5', messages }),
};

/** About 2,500 tokens. */
const output = (at: number) =>
  Array.from({ length: 100 }, (_, line) => `${line}: const value${at}x${line} = transform(source${at}, ${line * 7});`)
    .join('\n')
    .padEnd(10_000);

describe.each([claudeCode, codex, chat])('requests of $name with 32 kB of rules', (shape) => {
  it('long conversations keep every rule and the newest prompt through all compactions, and have the person’s words as titles', async () => {
    const upstream = await startUpstream(sends(200, '{}'));
    const home = temporaryFolder();
    const compacted: string[] = [];
    const running = await startRunning(
      { upstream: upstream.url, folder: home },
      { window, onNotice: (text) => compacted.push(text) },
    );
    const said: Json[] = shape.begins();
    let newest = prompt;
    const send = async () => {
      const answer = await askJson(`${running.address}${shape.path}`, shape.body(said), { 'x-api-key': 'sk' });
      expect(answer.status).toBe(200);
      const body = upstream.received.at(-1)?.body.toString() ?? '';
      const [all] = [JSON.stringify(JSON.parse(body))];
      expect(body.length / 4).toBeLessThan(window);
      for (const rule of rules) expect(all.split(rule)).toHaveLength(2);
      expect(all).toContain(newest);
    };
    await send();
    for (let at = 0; at < 66; at += 1) {
      said.push(...shape.step(at, output(at)));
      await send();
      if (at % 20 !== 19) continue;
      newest = `Now look at module ${at}, too.`;
      said.push(...shape.says(`Part ${at} is fine.`), ...shape.prompts(newest));
      await send();
    }
    const sizes = upstream.received.map(({ body }) => body.length);
    const shrunk = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0) - 20_000).length;
    expect(shrunk).toBeGreaterThanOrEqual(3);
    const session = await kept(home);
    expect(session.title).toBe(prompt);
    expect(session.cwd).toBe(folder);
    expect(originalGoal(session.conversation)?.text).toBe(prompt);
    const standing = session.conversation.entries.filter((entry) => entry.standing);
    expect(standing.map(({ parts }) => textOf(parts)).join('')).toContain(rules.join('\n'));
  }, 120_000);
});

async function kept(home: string) {
  const conversations = join(home, 'conversations');
  const files = readdirSync(conversations).filter((name) => name.endsWith('.jsonl'));
  expect(files).toHaveLength(1);
  const outcome = await openSession(join(conversations, files[0] ?? ''));
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}
