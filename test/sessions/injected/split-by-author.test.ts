import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../extension/agents/claude-code/format/adapter';
import { codex } from '../../../extension/agents/codex/format/adapter';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { pi } from '../../../extension/agents/pi/format/adapter';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { vscodeChat } from '../../../extension/agents/vscode-chat/format/adapter';
import { isPrompt, textOf } from '../../../extension/engine/conversation/entry';
import { rejoined } from '../../../extension/sessions/injected/split-by-author';
import type { ParsedSession } from '../../../extension/sessions/session';
import * as claude from '../../agents/claude-code/rows';
import * as cline from '../../agents/cline/session-files';
import * as codexRecords from '../../agents/codex/records';
import * as gemini from '../../agents/gemini-cli/records';
import { asked, text as storedText, TestDatabase } from '../../agents/opencode/database';
import * as piRecords from '../../agents/pi/records';
import * as qwen from '../../agents/qwen-code/rows';
import * as chat from '../../agents/vscode-chat/records';
import { build } from '../build';
import { picture } from '../picture';
import { temporaryFolders } from '../temporary';

const folder = temporaryFolders();
const question = 'Why is the build red?';

const told = (session: Pick<ParsedSession, 'conversation'>) => picture(session.conversation.agentContext);
const inClaudeCode = (...blocks: readonly string[]) =>
  build(claudeCode, claude.chained(claude.said('q', blocks.map(claude.text))));
const inCodex = (text: string) =>
  build(codex, [
    codexRecords.meta,
    codexRecords.item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  ]);
const inPi = (text: string) => build(pi, piRecords.chained(piRecords.said('q', text)));
const inGemini = (...parts: readonly string[]) =>
  build(geminiCli, [gemini.header, gemini.said('q', ...parts), gemini.replied('a', 'ok')]);
const inQwen = (...parts: readonly string[]) => build(qwenCode, qwen.chained(qwen.said('q', ...parts)));
const inCopilot = (content: string, transformedContent: string) =>
  build(copilotCli, [
    { type: 'session.start', data: { sessionId: 's', context: { cwd: '/w' } }, id: 'e1', parentId: null },
    { type: 'user.message', data: { content, transformedContent }, id: 'q', parentId: 'e1' },
  ]);
const inChat = (text: string) => build(vscodeChat, [chat.began([chat.asked('q', text)])]);

/** A message as an agent writes it, and the parts of it that are not the person's. */
const mixed: readonly (readonly [agent: string, session: () => ParsedSession, injected: readonly string[]])[] = [
  [
    'Claude Code: the file in the editor',
    () => inClaudeCode('<ide_opened_file>The user opened /w/a.ts</ide_opened_file>', question),
    ['<ide_opened_file>The user opened /w/a.ts</ide_opened_file>'],
  ],
  [
    'Claude Code: a reminder around the prompt, in one text',
    () => inClaudeCode(`${question}\n<system-reminder>\nBe brief.\n</system-reminder>`),
    ['<system-reminder>\nBe brief.\n</system-reminder>'],
  ],
  [
    'Claude Code: the output of a hook',
    () => inClaudeCode(`<user-prompt-submit-hook>on main</user-prompt-submit-hook>\n${question}`),
    ['<user-prompt-submit-hook>on main</user-prompt-submit-hook>\n'],
  ],
  [
    'Codex: instructions, environment and plugins before the prompt',
    () =>
      inCodex(
        `<user_instructions>\nNo push.\n</user_instructions>\n<environment_context>\n<cwd>/w</cwd>\n</environment_context>\n<recommended_plugins>\n- git\n</recommended_plugins>\n${question}`,
      ),
    [
      '<user_instructions>\nNo push.\n</user_instructions>\n + <environment_context>\n<cwd>/w</cwd>\n</environment_context>\n + <recommended_plugins>\n- git\n</recommended_plugins>\n',
    ],
  ],
  [
    'Codex: what the editor shows',
    () => inCodex(`# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\n${question}`),
    ['# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\n'],
  ],
  [
    'pi: a skill',
    () => inPi(`<skill name="ci" location="/s/ci.md">\nLook at the log.\n</skill>\n\n${question}`),
    ['<skill name="ci" location="/s/ci.md">\nLook at the log.\n</skill>\n\n'],
  ],
  [
    'Gemini CLI: its context and a hook',
    () => inGemini('<session_context>today</session_context>', question, '<hook_context>on main</hook_context>'),
    ['<session_context>today</session_context>', '<hook_context>on main</hook_context>'],
  ],
  [
    'Qwen Code: a reminder',
    () => inQwen('<system-reminder>today</system-reminder>', question),
    ['<system-reminder>today</system-reminder>'],
  ],
  [
    'Copilot CLI: the time, a reminder',
    () =>
      inCopilot(question, `<current_datetime>now</current_datetime>\n\n${question}\n\n<reminder>Be brief.</reminder>`),
    ['<current_datetime>now</current_datetime>\n\n', '\n\n<reminder>Be brief.</reminder>'],
  ],
  [
    'VS Code chat: a reminder',
    () => inChat(`<system-reminder>\ntoday\n</system-reminder>\n${question}`),
    ['<system-reminder>\ntoday\n</system-reminder>\n'],
  ],
];

/** Messages that contain nothing of the person. */
const agents: readonly (readonly [agent: string, session: () => ParsedSession])[] = [
  ['Claude Code: a command', () => inClaudeCode('<command-name>/clear</command-name>\n<command-args></command-args>')],
  ['Claude Code: a background task', () => inClaudeCode('<task-notification>\ndone\n</task-notification>')],
  ['Claude Code: a hook', () => inClaudeCode('Stop hook feedback:\nRun the tests first.')],
  ['Claude Code: a selection', () => inClaudeCode('<ide_selection>The user selected line 3</ide_selection>')],
  ['Claude Code: another session', () => inClaudeCode('<teammate-message teammate_id="a">Hi</teammate-message>')],
  ['Codex: plugins', () => inCodex('<recommended_plugins>\n- git\n</recommended_plugins>')],
  ['Codex: a hook', () => inCodex('<hook_prompt hook_run_id="1">Go on.</hook_prompt>')],
  ['Codex: a text that was cut off', () => inCodex('<turn_aborted> The user interrupted the turn.')],
  ['pi: a skill', () => inPi('<skill name="ci" location="/s">\nLook.\n</skill>')],
  ['VS Code chat: a reminder', () => inChat('<system-reminder>\ntoday\n</system-reminder>')],
];

describe('what an agent puts into a message of the person', () => {
  it.each(mixed)(
    'text that an agent puts into a message of the person is apart from the person’s words in %s',
    (_agent, session, injected) => {
      const { conversation, title } = session();
      const person = conversation.entries.filter(isPrompt);
      expect(person.map(({ parts }) => textOf(parts).trim())).toEqual([question]);
      expect(told({ conversation }).filter((line) => line.startsWith('injected: '))).toEqual(
        injected.map((text) => `injected: ${text}`),
      );
      expect(title).toBe(question);
      expect(new Set(conversation.entries.map(({ id }) => id)).size).toBe(conversation.entries.length);
    },
  );

  it.each(agents)(
    'text that an agent puts into a message of the person is not a prompt if the message has nothing else in %s',
    (_agent, session) => {
      const { entries } = session().conversation;
      expect(entries.filter(isPrompt)).toEqual([]);
      expect(entries).toHaveLength(1);
    },
  );

  it('text that an agent puts into a message of the person is apart in Cline and Roo Code, with the tags around the task', async () => {
    const details = '<environment_details>\n# Current Time\n</environment_details>';
    const content = [cline.words(`<task>\n${question}\n</task>`), cline.words(details)];
    for (const extension of ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline']) {
      const task = join(folder(), 'globalStorage', extension, 'tasks', 't1', 'api_conversation_history.json');
      const session = await cline.opened(cline.write(task, [{ role: 'user', content }]));
      expect(told(session)).toEqual([`user: ${question}`, `injected: ${details}`]);
      expect(session.title).toBe(question);
    }
  });

  it('text that an agent puts into a message of the person is apart in Cline’s command line', async () => {
    const mention = `${question}\n\n<file_content path="a.ts">\nlet a;\n</file_content>`;
    const session = await cline.opened(cline.writeCliSession(folder(), [cline.prompt('q', mention)]));
    const said = told(session).slice(1);
    expect(said.map((line) => line.trim())).toEqual([
      `user: ${question}`,
      'injected: <file_content path="a.ts">\nlet a;\n</file_content>',
    ]);
  });

  it('text that an agent puts into a message of the person is what the records of a compaction replaced, too', () => {
    const rows = claude.chained(
      claude.said('q', `<ide_opened_file>a.ts</ide_opened_file>\n${question}`),
      claude.replied('a', [claude.text('Because.')]),
      claude.compacted('b', 'a', { trigger: 'manual', preTokens: 100 }),
      claude.said('s', 'A summary.', { isCompactSummary: true, parentUuid: 'b' }),
    );
    const { entries, agentCompactions } = build(claudeCode, rows).conversation;
    const ids = entries.map(({ id }) => id);
    expect(agentCompactions[0]?.replacedEntryIds).toEqual(ids.slice(0, 3));
  });

  it('text that an agent puts into a message of the person is one message again if a record is needed', () => {
    const { conversation } = inClaudeCode('<ide_opened_file>a.ts</ide_opened_file>', question);
    expect(conversation.entries).toHaveLength(2);
    const { entries, agentContext } = rejoined(conversation);
    expect(picture(entries)).toEqual([`user: <ide_opened_file>a.ts</ide_opened_file> + ${question}`]);
    expect(agentContext).toEqual(entries);
  });
});

describe('what OpenCode puts into a message of the person', () => {
  let database: TestDatabase;
  beforeEach(() => {
    database = new TestDatabase(folder());
    database.session('s');
  });
  afterEach(() => database[Symbol.dispose]());

  it('text that OpenCode puts into a message of the person is apart as its records have it', async () => {
    const called = 'Called the Read tool with the following input: {}';
    database.message('s', 'm1', asked, [storedText(question), storedText(called, { synthetic: true })]);
    expect(told(await database.read())).toEqual([`user: ${question}`, `injected: ${called}`]);
  });
});
