import type { SectionName } from '../../engine/compaction/sections';
import type { SummaryRequest } from '../../engine/compaction/summary';
import type { Candidate } from './candidate';

/**
 * The part of a block's tokens that each section may fill at first. Names take the most: what later work needs of
 * earlier work is mostly names. What a section leaves over goes to the others.
 */
const shares: Readonly<Record<SectionName, number>> = {
  Strategy: 0.08,
  Operations: 0.24,
  Discoveries: 0.12,
  'Dead Ends': 0.14,
  'What Worked': 0.08,
  'Critical Artifacts': 0.3,
  Status: 0.08,
  Milestones: 0.2,
  'Key Decisions': 0.15,
  Findings: 0.3,
  'Attempted & Abandoned': 0.12,
  'Current State': 0.13,
  'Open Items': 0.1,
  'Goal Arc': 0.14,
  'Human Direction': 0.16,
  'What Was Achieved': 0.18,
  'Lasting Constraints': 0.12,
  'Key Artifacts': 0.28,
  'Completed Work': 0.16,
  'In Progress': 0.08,
  'Next Steps': 0.1,
  Constraints: 0.1,
  'Critical Context': 0.1,
};

/** Sections that are one sentence by their definition. */
const single: ReadonlySet<SectionName> = new Set<SectionName>(['Strategy', 'Status']);

const tokensPerHeading = 6;

/** Chooses lines until the budget is used up: first each section within its share, then the best of what is left. */
export function selectCandidates(candidates: readonly Candidate[], request: SummaryRequest): Candidate[] {
  const budget = Math.max(0, request.maxTokens - tokensPerHeading * request.sections.length);
  const selection = new Selection(request);
  for (const section of single) selection.takeOne(candidates.filter((candidate) => candidate.section === section));
  for (const section of request.sections) {
    selection.fill(byWeight(candidates.filter((candidate) => candidate.section === section)), shares[section] * budget);
  }
  selection.fill(byWeight(candidates), budget - selection.tokens);
  return candidates.filter((candidate) => selection.has(candidate));
}

function byWeight(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => b.weight - a.weight);
}

class Selection {
  readonly #chosen = new Set<Candidate>();
  readonly #texts: string[] = [];
  readonly #filled = new Set<SectionName>();
  tokens = 0;

  constructor(readonly request: SummaryRequest) {}

  has(candidate: Candidate): boolean {
    return this.#chosen.has(candidate);
  }

  /** What a section of one sentence says is said, whatever it takes and wherever else it stands. */
  takeOne([candidate]: readonly Candidate[]): void {
    if (candidate) this.#choose(candidate, this.request.countTokens(candidate.line) + 1);
  }

  fill(candidates: readonly Candidate[], budget: number): void {
    let left = budget;
    for (const candidate of candidates) {
      if (left <= 0) return;
      if (!this.#isWanted(candidate)) continue;
      const tokens = this.request.countTokens(candidate.line) + 1;
      if (tokens > left) continue;
      left -= tokens;
      this.#choose(candidate, tokens);
    }
  }

  /** A section of one sentence takes one; nothing is said twice. */
  #isWanted(candidate: Candidate): boolean {
    if (this.#chosen.has(candidate)) return false;
    if (single.has(candidate.section) && this.#filled.has(candidate.section)) return false;
    return !this.#texts.some((text) => text.includes(candidate.text));
  }

  #choose(candidate: Candidate, tokens: number): void {
    this.#chosen.add(candidate);
    this.#filled.add(candidate.section);
    this.#texts.push(candidate.line);
    this.tokens += tokens;
  }
}
