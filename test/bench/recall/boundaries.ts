import { readFileSync } from 'node:fs';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { type Entry, textOf } from '../../../extension/engine/conversation/entry';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { adapterOf } from '../../../extension/sessions/adapters';
import { openSession } from '../../../extension/sessions/open';
import { sampleSessions } from '../../builders/samples';
import { build } from '../../sessions/build';
import { holds, namesIn, saidBy, usedBy } from './names';

/** A point of a session at which older entries give way to a summary, and what the work after it needed of them. */
export interface Boundary {
  readonly name: string;
  /** As the agent would have sent it at this point. */
  readonly conversation: Conversation;
  readonly replaced: readonly Entry[];
  readonly replacedTokens: number;
  /** The agent's own summary; null at a simulated boundary, where it made none. */
  readonly summary: string | null;
  /** Names that the entries after the boundary use and that stood in the replaced ones. */
  readonly needed: readonly string[];
  /** The same, with the names in the contents of files that these entries write. */
  readonly neededToWrite: readonly string[];
}

const entriesAfter = 40;

/** Simulated boundaries: every so many entries, once so much lies before. */
const simulated = { every: 25, leastEntries: 60, leastTokens: 20_000 };

interface Source {
  readonly name: string;
  readonly conversation: Conversation;
  /** The session as it stood before a line of its file, 1-based. */
  readonly before: (line: number) => Conversation;
}

async function sources(): Promise<Source[]> {
  return Promise.all(
    sampleSessions().map(async ({ name, file }) => {
      const outcome = await openSession(file);
      if (outcome.kind !== 'opened') throw new Error(outcome.message);
      const lines = readFileSync(file, 'utf8').split('\n');
      const adapter = adapterOf(outcome.session.agent);
      if (adapter.kind !== 'lines') throw new Error(`${name} is no file of lines`);
      const before = (line: number) => build(adapter, lines.slice(0, line - 1)).conversation;
      return { name, conversation: outcome.session.conversation, before };
    }),
  );
}

/** The same session can be among the samples more than once, also cut: what is the same boundary counts once. */
export async function boundaries(): Promise<{ real: Boundary[]; simulated: Boundary[] }> {
  const all = await sources();
  return { real: distinct(all.flatMap(realIn)), simulated: distinct(all.flatMap(simulatedIn)) };
}

function distinct(found: readonly Boundary[]): Boundary[] {
  const byWhat = new Map<string, Boundary>();
  for (const boundary of found) {
    const key = `${boundary.replacedTokens} ${textOf(boundary.replaced.at(-1)?.parts ?? [])} ${boundary.summary}`;
    const known = byWhat.get(key);
    if (!known || known.needed.length < boundary.needed.length) byWhat.set(key, boundary);
  }
  return [...byWhat.values()];
}

function realIn({ name, conversation, before }: Source): Boundary[] {
  const byId = new Map(conversation.entries.map((entry) => [entry.id, entry]));
  return conversation.agentCompactions
    .filter((compaction) => compaction.kind === 'summary')
    .flatMap((compaction, index) => {
      const { line } = compaction.origin;
      const then = before(line);
      const gone = new Set(compaction.replacedEntryIds);
      const summary = byId.get(compaction.summaryEntryId ?? '');
      const replaced = then.agentContext.filter((entry) => gone.has(entry.id));
      const after = conversation.entries.filter((entry) => entry.origin.line > line && !entry.summary);
      const text = summary ? textOf(summary.parts) : '';
      return boundary(`${name} compaction ${index + 1}`, then, replaced, after, text);
    });
}

function simulatedIn({ name, conversation, before }: Source): Boundary[] {
  const { entries } = conversation;
  const found: Boundary[] = [];
  for (let at = simulated.leastEntries; at + entriesAfter <= entries.length; at += simulated.every) {
    const line = entries[at]?.origin.line;
    if (line === undefined) continue;
    const then = before(line);
    const after = entries.slice(at).filter((entry) => !entry.summary);
    const [made] = boundary(`${name} before entry ${at}`, then, then.agentContext, after, null);
    if (made && made.replacedTokens >= simulated.leastTokens) found.push(made);
  }
  return found;
}

function boundary(
  name: string,
  conversation: Conversation,
  replaced: readonly Entry[],
  after: readonly Entry[],
  summary: string | null,
): Boundary[] {
  if (replaced.length === 0 || after.length === 0) return [];
  const known = saidBy(replaced);
  const knownOf = (written: boolean) =>
    [...namesIn(usedBy(after.slice(0, entriesAfter), { written }))].filter((used) => holds(known, used));
  const replacedTokens = countWithO200k(known);
  return [
    { name, conversation, replaced, replacedTokens, summary, needed: knownOf(false), neededToWrite: knownOf(true) },
  ];
}
