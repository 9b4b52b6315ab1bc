import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import { openSession } from '../../../extension/sessions/open';
import { wholeFile } from '../../builders/whole-file';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { speakers, startOf } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { nowhere, temporaryFolders } from '../../sessions/temporary';

const id = 'd29945c1-c190-4123-95e1-4a8dd3fc307b';
const chats = join(fixtures, 'gemini-cli-0.61', 'chats');
const file = join(chats, 'session-2026-11-22T07-07-d29945c1.jsonl');
const subagentFile = join(chats, id, 'e1e27f98-5c26-47bb-84d5-7076998d5689.jsonl');
const lines = linesOf(file);

async function opened(path: string) {
  const outcome = await openSession(path, { environment: nowhere, adapter: geminiCli, now: () => 0 });
  if (outcome.kind !== 'opened') throw new Error(outcome.kind);
  return outcome.session;
}

describe('a real Gemini CLI session, resumed five times and compacted once', () => {
  const session = build(geminiCli, lines);
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('reads id, title, model and counts', () => {
    expect(session).toMatchObject({
      agent: 'gemini-cli',
      id,
      title: 'List the files in /home/ada/scratch TOOLS=2',
      issues: [],
      awaitsReply: false,
    });
    expect(session.otherRecords).toEqual({ header: 6, $set: 34 });
  });

  it('sends the summary, the kept turns and the later messages', () => {
    expect(agentContext.map((entry) => startOf(entry, 32))).toEqual([
      'injected: <session_context>\nThis',
      'summary: <state_snapshot><overal',
      'assistant: Got it. Thanks for th',
      'user: Fourth turn SUBAGENT TOOLS',
      'assistant: Let me look at the re',
      'tool: invoke_agent__invoke_agent',
      'assistant: Answer to: Fourth tur',
      'user: Fifth compact now TOOLS=1',
      'assistant: Let me look at the re',
      'tool: run_shell_command__run_she',
      'assistant: Answer to: Fifth comp',
      'user: Sixth turn after compactio',
      'assistant: Let me look at the re',
      'tool: run_shell_command__run_she',
      'assistant: Answer to: Sixth turn',
    ]);
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('keeps one entry per message, however often the file contains it', () => {
    expect(speakers(entries)).toEqual({ injected: 2, user: 6, assistant: 15, tool: 9, summary: 1 });
    expect(entries.filter((entry) => entry.usage !== undefined)).toHaveLength(14);
  });

  it('records the compaction at the list with the summary', () => {
    expect(agentCompactions).toMatchObject([{ kind: 'summary', tokensBefore: null, origin: { line: 71 } }]);
    const kept = new Set(agentContext.map((entry) => entry.id));
    const older = entries.filter((entry) => entry.origin.line < 71 && !kept.has(entry.id));
    expect(agentCompactions[0]?.replacedEntryIds).toEqual(older.map((entry) => entry.id));
  });
});

describe('a real Gemini CLI subagent', () => {
  it('links a subagent to the call that started it', async () => {
    const { subagents, conversation } = await opened(file);
    const call = conversation.entries.flatMap((entry) => toolCalls(entry.parts)).find((c) => c.name === 'invoke_agent');
    expect(subagents).toEqual([{ callId: call?.callId, file: subagentFile, title: 'codebase_investigator' }]);
  });

  it('a real Gemini CLI subagent is a separate session that is not listed', async () => {
    const { parent, conversation } = await opened(subagentFile);
    expect(parent).toEqual({ file: null, callId: null });
    expect(speakers(conversation.agentContext)).toMatchObject({ user: 1, injected: 1 });
    expect(geminiCli.summarise(wholeFile(linesOf(subagentFile))).isUnlisted).toBe(true);
    expect([file, subagentFile].map((path) => geminiCli.mayBeSession(path))).toEqual([true, false]);
  });
});

describe('a real Gemini CLI session rewound to a result', () => {
  const rewound = linesOf(join(chats, 'session-2026-11-22T07-36-56d4cc26.jsonl'));

  it('sends the turn up to the result, its closing reply and the new prompt', () => {
    const { conversation, otherRecords } = build(geminiCli, rewound.slice(0, 17));
    expect(conversation.agentContext.map((entry) => startOf(entry))).toEqual([
      'user: After compress TOOLS=1',
      'assistant: Let me look at the repository',
      'tool: run_shell_command__run_shell_comma',
      'assistant: [The previous response was in',
      'user: and rewound TOOLS=0',
    ]);
    expect(otherRecords).toMatchObject({ 'message/info': 1 });
    expect(conversation.entries).toHaveLength(6);
  });
});

describe('a list of Gemini CLI sessions', () => {
  it('leaves out the extra files of resumed runs', () => {
    expect(geminiCli.summarise(wholeFile(lines)).isUnlisted).toBeUndefined();
    expect(geminiCli.summarise(wholeFile(lines.slice(0, 2))).isUnlisted).toBe(true);
  });
});

describe('every prefix of a real Gemini CLI session', () => {
  it('loads with a valid context, independent of how often the session was built in between', () => {
    const builder = geminiCli.createBuilder('session.jsonl');
    for (const [index, text] of lines.entries()) {
      builder.accept({ number: index + 1, text });
      const looked = builder.session();
      expect(contextFaults(looked.conversation.agentContext)).toEqual([]);
      expect(looked).toEqual(build(geminiCli, lines.slice(0, index + 1)));
    }
  });

  it('keeps the unchanged entries of the previous prefix', () => {
    const builder = geminiCli.createBuilder('session.jsonl');
    for (const [index, text] of lines.slice(0, 70).entries()) builder.accept({ number: index + 1, text });
    const before = builder.session().conversation;
    builder.accept({ number: 71, text: lines[70] ?? '' });
    const after = builder.session().conversation;
    expect(after.entries.slice(0, before.entries.length).filter((entry, at) => entry !== before.entries[at])).toEqual(
      [],
    );
    const kept = after.agentContext.filter((entry) => before.agentContext.includes(entry));
    expect(kept).toHaveLength(after.agentContext.length - 2);
  });
});

describe('the working folder of a Gemini CLI session', () => {
  const folder = temporaryFolders();

  function session(files: Readonly<Record<string, string>>): string {
    const home = folder();
    const chatFile = join(home, 'tmp', 'scratch', 'chats', 'session-x.jsonl');
    for (const [path, text] of Object.entries({ ...files, [chatFile]: '{}' })) {
      const target = path === chatFile ? path : join(home, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    return chatFile;
  }

  it('the working folder of a Gemini CLI session is read from .project_root or projects.json', async () => {
    const projects = JSON.stringify({ projects: { '/other': 'other', '/work/scratch': 'scratch' } });
    expect(await geminiCli.folderOf?.(session({ 'tmp/scratch/.project_root': '/work/here\n' }))).toBe('/work/here');
    expect(await geminiCli.folderOf?.(session({ 'projects.json': projects }))).toBe('/work/scratch');
    expect(await geminiCli.folderOf?.(session({ 'projects.json': '{"projects":' }))).toBeNull();
    expect(await geminiCli.folderOf?.(session({}))).toBeNull();
  });

  it("the working folder of a Gemini CLI session is the parent's folder for a subagent", async () => {
    expect((await opened(subagentFile)).cwd).toBe('/home/ada/scratch');
  });
});

describe('the folders of Gemini CLI sessions', () => {
  it('the folders of Gemini CLI sessions follow the environment variable', () => {
    const roots = (variables: Record<string, string>) => geminiCli.roots({ home: '/home/ada', variables });
    expect(roots({})).toEqual([join('/home/ada', '.gemini', 'tmp')]);
    expect(roots({ GEMINI_CLI_HOME: '/elsewhere' })).toEqual([join('/elsewhere', '.gemini', 'tmp')]);
  });
});
