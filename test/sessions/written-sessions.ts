import fc from 'fast-check';
import type { AgentId } from '../../extension/sessions/session';
import * as claude from '../agents/claude-code/rows';
import * as codex from '../agents/codex/records';
import * as pi from '../agents/pi/records';
import * as qwen from '../agents/qwen-code/rows';

/** One turn of a session, independent of any agent's format. */
export interface WrittenTurn {
  readonly asked: string;
  readonly steps: readonly { readonly output: string }[];
  readonly answer: string;
}

/** A session of some turns as one agent's records. Each answer reports the size of the context, by a fixed ratio. */
export type WriteSession = (turns: readonly WrittenTurn[]) => readonly unknown[];

/** The agents whose sessions Strata can fork. */
export const written: readonly { readonly agent: AgentId; readonly name: string; readonly write: WriteSession }[] = [
  { agent: 'claude-code', name: 'session.jsonl', write: claudeSession },
  { agent: 'codex', name: 'rollout.jsonl', write: codexSession },
  { agent: 'copilot-cli', name: 'session/events.jsonl', write: copilotSession },
  { agent: 'pi', name: 'session.jsonl', write: piSession },
  { agent: 'qwen-code', name: 'session.jsonl', write: qwenSession },
];

const sentence = fc.constantFrom(
  'Never change the public signature of loadConfig().',
  'Keep the parser under 200 lines, whatever else happens there.',
  'Port the parts of the gateway that read the old format, one after the other.',
  'Das Ergebnis muss in einer Datei stehen, nicht in zweien.',
);
const longText = fc
  .tuple(sentence, fc.integer({ min: 1, max: 40 }))
  .map(([text, times]) => Array.from({ length: times }, (_, at) => `${at}: ${text}`).join('\n'));

/** All prompts differ from each other, so that each can be searched for. */
export const someTurns: fc.Arbitrary<readonly WrittenTurn[]> = fc
  .array(
    fc.record({
      asked: longText,
      steps: fc.array(fc.record({ output: longText }), { maxLength: 3 }),
      answer: longText,
    }),
    { minLength: 5, maxLength: 14 },
  )
  .map((turns) => turns.map((turn, at) => ({ ...turn, asked: `Request ${at} of this session. ${turn.asked}` })));

/** Tokens that the provider reports: those that agents do not log, and the texts by their length. */
class Reports {
  #characters = 0;

  add(...texts: readonly string[]): void {
    for (const text of texts) this.#characters += text.length;
  }

  /** Somewhat more than is counted, as with most models. */
  get tokens(): number {
    return 4000 + Math.round(this.#characters / 3);
  }
}

interface Writer<Written> {
  asked(id: string, text: string): readonly Written[];
  called(id: string, callId: string): readonly Written[];
  answered(id: string, callId: string, output: string): readonly Written[];
  replied(id: string, text: string, tokens: number): readonly Written[];
}

function recordsOf<Written>(turns: readonly WrittenTurn[], writer: Writer<Written>): Written[] {
  const reports = new Reports();
  return turns.flatMap(({ asked, steps, answer }, at) => {
    reports.add(asked, answer, ...steps.map(({ output }) => output));
    return [
      ...writer.asked(`u${at}`, asked),
      ...steps.flatMap(({ output }, step) => {
        const callId = `c${at}-${step}`;
        return [...writer.called(`a${at}-${step}`, callId), ...writer.answered(`r${at}-${step}`, callId, output)];
      }),
      ...writer.replied(`a${at}`, answer, reports.tokens),
    ];
  });
}

function claudeSession(turns: readonly WrittenTurn[]): readonly unknown[] {
  const usageOf = (tokens: number) => ({ input_tokens: 10, cache_read_input_tokens: tokens - 20, output_tokens: 10 });
  const rows = recordsOf<claude.Row>(turns, {
    asked: (id, text) => [claude.said(id, text)],
    called: (id, callId) => [claude.replied(id, [claude.call(callId)])],
    answered: (id, callId, output) => [claude.answered(id, callId, output)],
    replied: (id, text, tokens) => {
      const row = claude.replied(id, [claude.text(text)]);
      return [{ ...row, message: { ...(row.message as object), stop_reason: 'end_turn', usage: usageOf(tokens) } }];
    },
  });
  return claude.chained(...rows);
}

function codexSession(turns: readonly WrittenTurn[]): readonly unknown[] {
  const records = recordsOf<codex.CodexRecord>(turns, {
    asked: (id, text) => [codex.said(id, text)],
    called: (_id, callId) => [codex.called(callId)],
    answered: (_id, callId, output) => [codex.answered(callId, output)],
    replied: (id, text, tokens) => [codex.replied(id, text), codex.used(tokens - 10, tokens - 20, 10)],
  });
  return [codex.meta, ...records];
}

function copilotSession(turns: readonly WrittenTurn[]): readonly unknown[] {
  const event = (id: string, type: string, data: object) => ({ type, data, id, timestamp: time, parentId: null });
  const reply = (id: string, content: string, calls: readonly string[]) =>
    event(id, 'assistant.message', {
      content,
      apiCallId: id,
      toolRequests: calls.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: { command: 'ls' } })),
    });
  const events = recordsOf<object>(turns, {
    asked: (id, content) => [event(id, 'user.message', { content })],
    called: (id, callId) => [reply(id, '', [callId])],
    answered: (id, toolCallId, content) => [
      event(id, 'tool.execution_complete', { toolCallId, success: true, result: { content } }),
    ],
    replied: (id, text, tokens) => {
      const usage = { apiCallId: id, inputTokens: tokens - 10, outputTokens: 10 };
      return [event(`${id}-usage`, 'session.usage_record', { usage }), reply(id, text, [])];
    },
  });
  return [event('start', 'session.start', { sessionId: 'session', context: { cwd: '/work' } }), ...events];
}

const time = '2026-01-01T00:00:00.000Z';

function piSession(turns: readonly WrittenTurn[]): readonly unknown[] {
  const records = recordsOf<pi.PiRecord>(turns, {
    asked: (id, text) => [pi.said(id, text)],
    called: (id, callId) => [pi.replied(id, [pi.call(callId)], { stopReason: 'toolUse' })],
    answered: (id, callId, output) => [pi.answered(id, callId, output)],
    replied: (id, text, tokens) => [pi.replied(id, [pi.text(text)], { usage: { input: tokens - 10, output: 10 } })],
  });
  return pi.chained(...records);
}

function qwenSession(turns: readonly WrittenTurn[]): readonly unknown[] {
  const rows = recordsOf<qwen.QwenRow>(turns, {
    asked: (id, text) => [qwen.said(id, text)],
    called: (id, callId) => [qwen.replied(id, qwen.call(callId))],
    answered: (id, callId, output) => [qwen.answered(id, qwen.result(callId, output))],
    replied: (id, text, tokens) => [
      {
        ...qwen.replied(id, qwen.text(text)),
        usageMetadata: { promptTokenCount: tokens - 10, candidatesTokenCount: 10, totalTokenCount: tokens },
      },
    ],
  });
  return qwen.chained(...rows);
}
