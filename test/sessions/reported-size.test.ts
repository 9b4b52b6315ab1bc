import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { openSession } from '../../extension/sessions/open';
import { sqlite } from '../agents/opencode/database';
import { temporaryFolder } from '../editor/processes/temporary-folder';
import { fixtures } from './samples';

/**
 * Tests that the size of a context is the number that the agent recorded last, which is read here without Strata, plus
 * the tokens counted since.
 */

// biome-ignore lint/suspicious/noExplicitAny: foreign records of many shapes
type Foreign = any;

function lines(file: string): Foreign[] {
  const texts = readFileSync(file, 'utf8').split('\n');
  return texts.filter((text) => text !== '').map((text) => JSON.parse(text));
}

function newest<T>(records: readonly Foreign[], sizeIn: (record: Foreign) => T | undefined): T | undefined {
  return records.map(sizeIn).findLast(Boolean);
}

const ofClaudeCode = ({ message, isSidechain }: Foreign) => {
  const usage = isSidechain ? undefined : message?.usage;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage ?? {};
  return usage && input_tokens + cache_read_input_tokens + cache_creation_input_tokens + output_tokens;
};
const ofCodex = ({ payload }: Foreign) =>
  payload?.type === 'token_count' ? payload.info?.last_token_usage.total_tokens : undefined;
const ofPi = ({ message }: Foreign) => {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = message?.usage ?? {};
  return input + output + cacheRead + cacheWrite;
};
const ofGemini = ({ tokens }: Foreign) => tokens?.total;
const ofQwen = ({ usageMetadata }: Foreign) => usageMetadata?.totalTokenCount;
const ofCline = ({ metrics }: Foreign) => metrics && metrics.inputTokens + metrics.outputTokens;

function messagesOfOpenCode(file: string, session: string): Foreign[] {
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('select data from message where session_id = ? order by time_created').all(session);
    return rows.map(({ data }) => JSON.parse(String(data)));
  } finally {
    database.close();
  }
}

const openCode = join(fixtures, 'opencode-1.18.33/opencode.db');
const openCodeSession = 'ses_e0034d87bffeHAlz23S92ON1yY';

const samples: readonly { readonly name: string; readonly expected: (file: string) => number | undefined }[] = [
  ...['2.1.14/auto-compaction', '2.1.330/before-compaction', '2.1.330/after-compaction'].map((name) => ({
    name: `claude-code-${name}.jsonl`,
    expected: (file: string) => newest(lines(file), ofClaudeCode),
  })),
  ...['after-compaction', 'remote-compaction', 'picture-and-interruptions'].map((name) => ({
    name: `codex-0.169/${name}.jsonl`,
    expected: (file: string) => newest(lines(file), ofCodex),
  })),
  ...[
    '0.87/after-compaction',
    '0.87/before-compaction',
    '0.73/after-compaction',
    'v1/until-after-first-compaction',
  ].map((name) => ({ name: `pi-${name}.jsonl`, expected: (file: string) => newest(lines(file), ofPi) })),
  {
    name: 'gemini-cli-0.61/chats/session-2026-11-22T07-07-d29945c1.jsonl',
    expected: (file) => newest(lines(file), ofGemini),
  },
  {
    name: 'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
    expected: (file) => newest(lines(file), ofQwen),
  },
  ...['before', 'after'].map((when) => ({
    name: `cline-3.0.65/${when}-compaction/1795293210255_q6yp4/1795293210255_q6yp4.messages.json`,
    expected: (file: string) => newest(JSON.parse(readFileSync(file, 'utf8')).messages, ofCline),
  })),
  {
    name: `opencode-1.18.33/opencode.db#${openCodeSession}`,
    expected: () => newest(messagesOfOpenCode(openCode, openCodeSession), ofGemini),
  },
];

describe('the size of a context', () => {
  it.each(samples)(
    'is what the agent wrote down last, and what was counted since: $name',
    async ({ name, expected }) => {
      const file = join(fixtures, name);
      const opened = await openSession(file);
      if (opened.kind !== 'opened') throw new Error(String(opened.message));
      const { agent, id } = opened.session;
      const journal = await openJournal(temporaryFolder(), { agent, id, file: opened.session.file });
      const { total, source, countedSince } = (await Inspection.of(opened.session, journal)).context.tokens;
      expect({ source, reported: total - countedSince }).toEqual({ source: 'reported', reported: expected(file) });
    },
  );
});
