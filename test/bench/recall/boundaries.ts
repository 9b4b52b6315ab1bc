import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import {
  agentBoundaries,
  type Boundary,
  simulatedBoundaries,
} from '../../../extension/evaluation/measure/replay/boundaries';
import { Copies, knownBoundary } from '../../../extension/evaluation/measure/replay/copies';
import { NameIndex, namesIn, textOfMessages, usedBy } from '../../../extension/evaluation/measure/replay/names';
import { openSession } from '../../../extension/sessions/open';
import { sampleSessions } from '../../builders/samples';

export const ledger = new TokenLedger(countWithO200k);

/** A boundary, and what the work after it needed of the replaced entries. */
export interface NeedyBoundary extends Boundary {
  readonly name: string;
  readonly replacedTokens: number;
  /** Names that the entries after the boundary use and the replaced entries contain. */
  readonly needed: readonly string[];
  /** The same, with the names in the contents of files that these entries write. */
  readonly neededToWrite: readonly string[];
}

/** The boundaries of all samples. A session can be included more than once, also cut. */
export async function boundaries(): Promise<{ real: NeedyBoundary[]; simulated: NeedyBoundary[] }> {
  const copies = new Copies(Number.POSITIVE_INFINITY);
  const found: NeedyBoundary[] = [];
  for (const { name, file } of sampleSessions()) {
    const outcome = await openSession(file);
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    const { agent, id, conversation } = outcome.session;
    const all = [...agentBoundaries(conversation).boundaries, ...simulatedBoundaries(conversation, ledger)];
    const known = all.map((boundary) => ({ boundary, ...knownBoundary(boundary, ledger) }));
    const { keys } = copies.boundariesToMeasure({ agent, id, boundaries: known });
    const wanted = known.filter(({ key }) => keys.includes(key));
    found.push(...wanted.map(({ boundary }) => needy(name, boundary)));
  }
  return {
    real: found.filter(({ kind }) => kind === 'agent'),
    simulated: found.filter(({ kind }) => kind === 'simulated'),
  };
}

function needy(name: string, boundary: Boundary): NeedyBoundary {
  const known = new NameIndex(textOfMessages(boundary.replaced));
  const neededOf = (written: boolean) =>
    [...namesIn(usedBy(boundary.after, { written }))].filter((used) => known.holds(used));
  return {
    ...boundary,
    name: `${name}, ${boundary.kind} at line ${boundary.line}`,
    replacedTokens: ledger.ofEntries(boundary.replaced),
    needed: neededOf(false),
    neededToWrite: neededOf(true),
  };
}
