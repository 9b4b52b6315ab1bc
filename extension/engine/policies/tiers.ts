import type { Parameters } from '../block/plan';
import type { HistoryEntry } from './history';
import { BrokenPolicy, type CompactionPolicy, type Fate, type PolicyContext, type Tier } from './policy';

/** Everything except the newest entries. */
export function allButLast(history: readonly HistoryEntry[], kept: number): Fate[] {
  const first = history.length - kept;
  return history.map((_, at) => (at < first ? 'summarized' : 'stays'));
}

/** The fate of each entry, checked at run time: custom policies may not have been compiled with these types. */
export function fatesOf<P extends Parameters>(
  policy: CompactionPolicy<P>,
  history: readonly HistoryEntry[],
  parameters: P,
): readonly Fate[] {
  const fates: unknown = policy.tiers(history, parameters);
  if (!Array.isArray(fates) || fates.length !== history.length || !fates.every(isFate))
    throw new BrokenPolicy(`The policy "${policy.name}" must say of each history entry where it goes, and did not.`);
  return fates;
}

function isFate(fate: unknown): fate is Fate {
  if (fate === 'stays' || fate === 'summarized') return true;
  return typeof fate === 'object' && fate !== null && 'tier' in fate && typeof fate.tier === 'string';
}

/** Undefined for entries that stay; null for the tier of a policy with only one. */
export function tierName(fate: Fate): string | null | undefined {
  if (fate === 'stays') return undefined;
  return fate === 'summarized' ? null : fate.tier;
}

/** The tiers, ordered by their oldest entry. */
export function tiersOf(history: readonly HistoryEntry[], fates: readonly Fate[]): Tier[] {
  const tiers = new Map<string | null, HistoryEntry[]>();
  for (const [at, entry] of history.entries()) {
    const name = tierName(fates[at] ?? 'stays');
    if (name === undefined) continue;
    const entries = tiers.get(name);
    if (entries) entries.push(entry);
    else tiers.set(name, [entry]);
  }
  return [...tiers].map(([name, entries]) => ({ name, entries }));
}

/** The text of a tier; null if the policy wants none. */
export async function textOfTier<P extends Parameters>(
  policy: CompactionPolicy<P>,
  tier: Tier,
  context: PolicyContext<P>,
): Promise<string | null> {
  const text: unknown = await policy.summarize(tier, context);
  if (text === null) return null;
  if (typeof text !== 'string') throw new BrokenPolicy(`The policy "${policy.name}" gave a summary that is no text.`);
  return text.trim() === '' ? null : text.trim();
}
