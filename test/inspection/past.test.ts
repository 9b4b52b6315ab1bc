import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../extension/engine/conversation/entry';
import { planUndo } from '../../extension/engine/journal/undo';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import type { LineFormat } from '../../extension/sessions/adapter';
import type { ParsedSession, Session } from '../../extension/sessions/session';
import { prepareSample } from '../builders/inspection';
import { everySample } from '../sessions/samples';

/** Samples with long contexts, agents' own compactions and parallel calls. */
const names = [
  'claude-code-2.1.330/after-compaction.jsonl',
  'claude-code-2.1.14/auto-compaction.jsonl',
  'codex-0.169/after-compaction.jsonl',
  'pi-0.87/after-compaction.jsonl',
  'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
];
const samples = everySample().filter(({ name, file }) => names.includes(name) && file.includes('fixtures'));

/** A session that is read line by line. */
class GrowingSession {
  readonly #lines: readonly string[];
  readonly #builder: ReturnType<LineFormat['createBuilder']>;
  #read = 0;

  constructor(file: string, format: LineFormat) {
    this.#lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    this.#builder = format.createBuilder(file);
  }

  get length(): number {
    return this.#lines.length;
  }

  readUpTo(line: number): Session {
    for (; this.#read < line; this.#read += 1) {
      this.#builder.accept({ number: this.#read + 1, text: this.#lines[this.#read] ?? '' });
    }
    const session: ParsedSession = this.#builder.session();
    return { ...session, live: false, subagents: [] };
  }
}

/** The panel's view of a moment. */
function shown({ context, core, contextInAgent, conversation }: Inspection) {
  const { messages, tokens } = context;
  return {
    messages: messages.map(({ key, role, parts, tokens: size, pruned, block }) => ({
      key,
      role,
      parts,
      size,
      pruned,
      block,
    })),
    tokens,
    core,
    inAgent: contextInAgent.tokens,
    compactions: conversation.agentCompactions.map(({ id }) => id),
  };
}

function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
  const textOf = (entry: Entry | undefined) => JSON.stringify([entry?.id, entry?.parts, entry?.usage]);
  return textOf(one) === textOf(other);
}

const acts = ['compact', 'prune', 'pin', 'undo', 'redo', 'nothing'] as const;

async function act(inspection: Inspection, what: (typeof acts)[number]): Promise<void> {
  if (what === 'pin')
    await inspection.coreEditor.pin('constraint', `Constraint ${inspection.conversation.entries.length}`, null);
  else if (what === 'undo' && planUndo(inspection.state).kind === 'undoes') await inspection.undo();
  else if (what === 'redo' && inspection.state.redoable.length > 0) await inspection.redo();
  else if (what === 'compact' || what === 'prune') {
    const run = await prepareSample(inspection, what === 'prune' ? 'cleared' : 'ladder', { ladder: { target: 0.02 } });
    if (run.records.length > 0) await inspection.apply(run);
  }
}

describe('the session at a moment', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  for (const { name, file, format } of samples) {
    it(`is what was shown then: ${name}`, { timeout: 120_000 }, async () => {
      let compared = 0;
      const stages = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.constantFrom(...acts)), {
        minLength: 2,
        maxLength: 6,
      });
      await fc.assert(
        fc.asyncProperty(stages, async (drawn) => {
          const growing = new GrowingSession(file, format);
          const first = growing.readUpTo(1);
          const journal = await openJournal(await mkdtemp(join(tmpdir(), 'strata-')), first);
          const inspection = await Inspection.of(first, journal);
          const seen: { newest: Entry | undefined; records: number; shown: ReturnType<typeof shown> }[] = [];
          for (const [share, what] of [...drawn].sort(([a], [b]) => a - b)) {
            inspection.session = growing.readUpTo(Math.ceil((share / 100) * growing.length));
            const newest = inspection.conversation.entries.at(-1);
            vi.setSystemTime(Date.parse(newest?.timestamp ?? '') || Date.now());
            if (inspection.context.messages.length === 0) continue;
            await act(inspection, what);
            seen.push({ newest, records: journal.records.length, shown: shown(inspection) });
          }
          inspection.session = growing.readUpTo(growing.length);
          const { branch, list } = inspection.moments;
          for (const then of seen) {
            const step = branch.stepOf.get(then.newest?.id ?? '') ?? -1;
            // A reply that was read only in part, or without its usage, is not a moment.
            if (!isSameEntry(branch.entries[step]?.entry, then.newest)) continue;
            const moment = list.find((one) => one.step === step && one.records === then.records);
            if (moment) expect(shown(inspection.at(moment))).toEqual(then.shown);
            if (moment) compared += 1;
          }
          const now = list.at(-1);
          expect(now?.records).toBe(journal.records.length === 0 ? 0 : journal.records.length);
          if (now) expect(shown(inspection.at(now))).toEqual(shown(inspection));
        }),
        { numRuns: 12, seed: 19 },
      );
      expect(compared).toBeGreaterThan(10);
    });
  }
});
