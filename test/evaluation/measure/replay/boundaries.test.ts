import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../../extension/engine/conversation/branch';
import {
  agentBoundaries,
  contextBefore,
  simulatedBoundaries,
  spreadEvenly,
} from '../../../../extension/evaluation/measure/replay/boundaries';
import { summarised } from '../../../builders/agent-compaction';
import { assistant, long, quickLedger, system, talk, toolTurn, user } from '../../../builders/conversation';
import { build } from '../../../sessions/build';
import { everySample } from '../../../sessions/samples';

const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

describe('boundaries of an agent', () => {
  it('boundaries of an agent have the replaced entries, the prompts so far, the following entries and the summary', () => {
    const before = [system('You are an agent.'), user('Fix it.'), assistant('I look.'), user('Only in src.')];
    const { boundaries } = agentBoundaries(summarised(before, 'Fixing it.', [assistant('Fixed.'), user('Thanks.')]));
    expect(boundaries).toHaveLength(1);
    const [{ replaced, prompts, after, summary, line }] = boundaries as [(typeof boundaries)[number]];
    expect([ids(replaced), ids(prompts), ids(after)]).toEqual([
      ['e2', 'e3', 'e4'],
      ['e2', 'e4'],
      ['e6', 'e7'],
    ]);
    expect([summary, line]).toEqual(['Fixing it.', 5]);
  });

  it('boundaries of an agent are left out with a reason if the summary is unreadable, missing or ends the session', () => {
    const readable = summarised([user('Fix it.')], 'Fixing it.', [assistant('Fixed.')]);
    const agentCompactions = readable.agentCompactions.map((made) => ({ ...made, isOpaque: true }) as const);
    const opaque = { ...readable, agentCompactions };
    expect(agentBoundaries(opaque)).toEqual({
      boundaries: [],
      skipped: ['Line 2: The summary of this compaction is encrypted'],
    });
    const lost = summarised([user('Fix it.')], '', [assistant('Fixed.')]);
    expect(agentBoundaries(lost).skipped).toEqual(['Line 2: The summary of this compaction is not in the file']);
    const last = summarised([user('Fix it.')], 'Fixing it.', []);
    expect(agentBoundaries(last).skipped).toEqual(['Line 2: Nothing came after this compaction']);
  });
});

describe('simulated boundaries', () => {
  const turns = Array.from({ length: 60 }, (_, number) => toolTurn(`part${number}`));

  it('simulated boundaries come at regular distances with enough entries before and after them', () => {
    const found = simulatedBoundaries(talk(...turns), quickLedger());
    expect(found.length).toBeGreaterThan(3);
    expect(new Set(found.map(({ after }) => after.length))).toEqual(new Set([40]));
    expect(found.map(({ step, replaced }) => step === replaced.length)).not.toContain(false);
  });

  it('simulated boundaries are left out if the context is larger than any window', () => {
    const much = talk(...turns, user(long('Much.', 40_000)), ...turns);
    expect(Math.max(...simulatedBoundaries(much, quickLedger()).map(({ step }) => step))).toBeLessThan(361);
  });

  it('simulated boundaries are left out in a short session', () => {
    expect(simulatedBoundaries(talk(...turns.slice(0, 10)), quickLedger())).toEqual([]);
  });
});

describe('the context before a step', () => {
  it('contains the agent’s summary instead of what it replaced, and nothing later', () => {
    const conversation = summarised([user('One.'), assistant('Two.')], 'One and two.', [
      user('Three.'),
      assistant('Four.'),
    ]);
    const branch = branchOf(conversation);
    expect(ids(contextBefore(branch, 2))).toEqual(['e1', 'e2']);
    expect(ids(contextBefore(branch, 4))).toEqual(['e3', 'e4']);
  });

  for (const { name, file, format } of everySample()) {
    it(`matches what the agent had sent, by the lines of ${name} up to the step`, () => {
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const branch = branchOf(build(format, lines).conversation);
      for (const { compaction, step } of branch.compactions) {
        if (compaction.kind !== 'summary') continue;
        const then = build(format, lines.slice(0, compaction.origin.line - 1)).conversation;
        const known = new Set(ids(contextBefore(branch, step)));
        expect(
          ids(then.agentContext).filter((id) => compaction.replacedEntryIds.includes(id) && !known.has(id)),
        ).toEqual([]);
      }
    });
  }
});

describe('a sample', () => {
  it('a sample is spread evenly, in order, with the first and the last item', () => {
    expect(spreadEvenly([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.nat({ max: 12 }), (items, most) => {
        const chosen = spreadEvenly(items, most);
        expect(chosen).toHaveLength(Math.min(items.length, most));
        expect(items.filter((item) => chosen.includes(item))).toEqual(chosen);
      }),
    );
  });
});
