import type { SectionName } from '../../engine/block/sections';
import type { CountTokens } from '../../engine/conversation/tokens';
import type { Candidate } from './candidate';

/** Relative shares of the sections in the room for the agent's lines. Unused room goes to the other sections. */
const shares: Readonly<Record<SectionName, number>> = {
  Strategy: 0.08,
  Operations: 0.3,
  Discoveries: 0.16,
  'Dead Ends': 0.16,
  'What Worked': 0.12,
  'Critical Artifacts': 0.1,
  Status: 0.08,
  Milestones: 0.24,
  'Key Decisions': 0.18,
  Findings: 0.2,
  'Attempted & Abandoned': 0.14,
  'Current State': 0.14,
  'Open Items': 0.1,
  'Goal Arc': 0.1,
  'Human Direction': 0.1,
  'What Was Achieved': 0.4,
  'Lasting Constraints': 0.1,
  'Key Artifacts': 0.1,
  'Completed Work': 0.24,
  'In Progress': 0.1,
  'Next Steps': 0.12,
  Constraints: 0.1,
  'Critical Context': 0.24,
};

/** Sections that consist of one sentence. */
const single: ReadonlySet<SectionName> = new Set<SectionName>(['Strategy', 'Status']);

/** Other sections say the same more precisely, so these only get what the others leave. */
const unspecific: ReadonlySet<SectionName> = new Set<SectionName>(['Current State', 'In Progress', 'Findings']);

export interface SelectionLimits {
  readonly tokens: number;
  readonly countTokens: CountTokens;
}

/**
 * Chooses lines until the tokens are used up: each section within its share, then the best of the rest. Mandatory lines
 * are chosen before, with tokens of their own.
 */
export function selectCandidates(
  candidates: readonly Candidate[],
  carried: readonly Candidate[],
  limits: SelectionLimits,
): Candidate[] {
  const selection = new Selection(carried, limits);
  for (const section of single) selection.fill(of(section, candidates).slice(0, 1), limits.tokens);
  const sections = [...new Set(candidates.map(({ section }) => section))].sort(
    (a, b) => Number(unspecific.has(a)) - Number(unspecific.has(b)),
  );
  const whole = sections.reduce((sum, section) => sum + shares[section], 0);
  const left = limits.tokens - selection.tokens;
  for (const section of sections) selection.fill(byWeight(of(section, candidates)), (shares[section] / whole) * left);
  selection.fill(byWeight(candidates), limits.tokens - selection.tokens);
  return candidates.filter((candidate) => selection.has(candidate));
}

/** As many as fit, heaviest first. */
export function fitting(candidates: readonly Candidate[], { tokens, countTokens }: SelectionLimits): Candidate[] {
  const selection = new Selection([], { tokens, countTokens });
  selection.fill(byWeight(candidates), tokens);
  return candidates.filter((candidate) => selection.has(candidate));
}

function of(section: SectionName, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((candidate) => candidate.section === section);
}

function byWeight(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => b.weight - a.weight);
}

class Selection {
  readonly #chosen = new Set<Candidate>();
  readonly #texts: string[] = [];
  readonly #filled = new Set<SectionName>();
  tokens = 0;

  constructor(
    carried: readonly Candidate[],
    readonly limits: SelectionLimits,
  ) {
    for (const candidate of carried) this.#choose(candidate, 0);
  }

  has(candidate: Candidate): boolean {
    return this.#chosen.has(candidate);
  }

  fill(candidates: readonly Candidate[], budget: number): void {
    let left = Math.min(budget, this.limits.tokens - this.tokens);
    for (const candidate of candidates) {
      if (left <= 0) return;
      if (!this.#isWanted(candidate)) continue;
      const tokens = this.#cost(candidate);
      if (tokens > left) continue;
      left -= tokens;
      this.#choose(candidate, tokens);
    }
  }

  /** The first line of a section also costs its heading. */
  #cost({ section, line }: Candidate): number {
    const heading = this.#filled.has(section) ? 0 : this.limits.countTokens(`\n\n## ${section}`);
    return heading + this.limits.countTokens(line) + 1;
  }

  /** A section of one sentence takes one line; no line is repeated. */
  #isWanted(candidate: Candidate): boolean {
    if (this.#chosen.has(candidate)) return false;
    if (single.has(candidate.section) && this.#filled.has(candidate.section)) return false;
    const said = candidate.text ?? candidate.line;
    return !this.#texts.some((text) => text.includes(said));
  }

  #choose(candidate: Candidate, tokens: number): void {
    this.#chosen.add(candidate);
    this.#filled.add(candidate.section);
    this.#texts.push(candidate.line);
    this.tokens += tokens;
  }
}
