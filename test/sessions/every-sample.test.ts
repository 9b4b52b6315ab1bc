import { describe, expect, it } from 'vitest';
import { openSession } from '../../extension/sessions/open';
import { build, linesOf } from './build';
import { contextFaults } from './context-faults';
import { everySample } from './samples';
import { nowhere } from './temporary';

describe.each(everySample())('$name', ({ file, format }) => {
  const lines = linesOf(file);

  it('every sample has a context that a provider would accept, at every point of the session', () => {
    const steps = Math.max(1, Math.floor(lines.length / 60));
    for (let end = 1; end <= lines.length; end += steps) {
      const { agentContext } = build(format, lines.slice(0, end)).conversation;
      expect(contextFaults(agentContext), `after line ${end}`).toEqual([]);
    }
  });

  it('every sample has entries of its own lines, each with an id of its own', () => {
    const { conversation, issues } = build(format, lines);
    const ids = conversation.entries.map((entry) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(conversation.entries.every((entry) => entry.origin.line >= 1 && entry.origin.line <= lines.length)).toBe(
      true,
    );
    expect(issues.every((issue) => String(issue.message).includes('began before'))).toBe(true);
  });

  it('keeps in its context what is among its entries, and names what its compactions replaced', () => {
    const { entries, agentContext, agentCompactions } = build(format, lines).conversation;
    const known = new Set(entries.map((entry) => entry.id));
    // The id of an entry that the agent adds begins with the id of the entry that it belongs to.
    const isKnown = (id: string) => known.has(id) || known.has(id.slice(0, id.indexOf(':')));
    expect(agentContext.map(({ id }) => id).filter((id) => !isKnown(id))).toEqual([]);
    expect(agentCompactions.flatMap(({ replacedEntryIds }) => replacedEntryIds).filter((id) => !isKnown(id))).toEqual(
      [],
    );
  });

  it('every sample is the same when it is read from the file', async () => {
    const outcome = await openSession(file, { environment: nowhere });
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    const withoutFile = JSON.stringify(outcome.session.conversation).replaceAll(
      JSON.stringify(file),
      '"session.jsonl"',
    );
    expect(withoutFile).toBe(JSON.stringify(build(format, lines).conversation));
  });
});
