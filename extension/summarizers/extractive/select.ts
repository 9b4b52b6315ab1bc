import type { SectionName } from '../../engine/block/sections';
import type { CountTokens } from '../../engine/conversation/tokens';
import { contentWords } from '../../engine/language/content-words';
import { beginning, type Candidate, type Speaker } from './candidate';

/** Sections that consist of one sentence. */
const single: ReadonlySet<SectionName> = new Set<SectionName>(['Strategy', 'Status']);

/** Who looks for what holds reads these alone. */
const ofRules: ReadonlySet<SectionName> = new Set<SectionName>(['Constraints', 'Lasting Constraints']);

/** What each has of the room before the others may use what it leaves. The person's words come first. */
const shares = { last: 0.25, person: 0.45, structure: 0.2 } as const;

export interface SelectionLimits {
  readonly tokens: number;
  readonly countTokens: CountTokens;
}

/**
 * Chooses lines until the tokens are used up: how the work stands at the end, the person's words, what the structure of
 * the work states, what the agent said, and then the best of the rest.
 */
export function selectCandidates(candidates: readonly Candidate[], limits: SelectionLimits): Candidate[] {
  const selection = new Selection(limits);
  const { details = [], main = [] } = Object.groupBy(candidates, ({ isDetail }) => (isDetail ? 'details' : 'main'));
  for (const section of single) selection.fill(of(section, main).slice(0, 1), limits.tokens);
  selection.fill(byWeight(main.filter(({ isLast }) => isLast)), limits.tokens * shares.last);
  selection.fill(byWeight(by('person', main)), limits.tokens * shares.person);
  selection.fill(byWeight(by('structure', main)), limits.tokens * shares.structure);
  selection.cover(by('agent', main));
  selection.fill(byWeight(main), limits.tokens);
  selection.fill(details, limits.tokens);
  return inOrder(candidates, selection.chosen.size > 0 ? selection.chosen : shortened(candidates, limits));
}

function inOrder(candidates: readonly Candidate[], chosen: ReadonlyMap<Candidate, Candidate>): Candidate[] {
  return candidates.flatMap((candidate) => chosen.get(candidate) ?? []);
}

/** Where not even one line has room, the heaviest is cut: a summary is never empty. */
function shortened(
  candidates: readonly Candidate[],
  { tokens, countTokens }: SelectionLimits,
): Map<Candidate, Candidate> {
  const heaviest = byWeight(candidates)[0];
  if (heaviest === undefined) return new Map();
  const room = tokens - countTokens(`## ${heaviest.section}\n`);
  for (let length = Math.min(heaviest.line.length, room * 4); length > 12; length = Math.floor(length * 0.7)) {
    const line = beginning(heaviest.line, length);
    if (countTokens(line) < room) return new Map([[heaviest, { ...heaviest, line, excerpts: [] }]]);
  }
  return new Map();
}

function of(section: SectionName, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((candidate) => candidate.section === section);
}

function by(speaker: Speaker, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((candidate) => candidate.speaker === speaker);
}

function byWeight(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => b.weight - a.weight);
}

class Selection {
  readonly chosen = new Map<Candidate, Candidate>();
  readonly #texts: string[] = [];
  readonly #rules: string[] = [];
  readonly #filled = new Set<SectionName>();
  readonly #words = new Set<string>();
  #tokens = 0;

  constructor(readonly limits: SelectionLimits) {}

  /** Chooses in this order what fits into these tokens. */
  fill(candidates: readonly Candidate[], budget: number): void {
    let left = Math.min(budget, this.limits.tokens - this.#tokens);
    for (const candidate of candidates) {
      if (left <= 0) return;
      left -= this.#take(candidate, left);
    }
  }

  /** Chooses what adds most to what is said already, for its length. */
  cover(candidates: readonly Candidate[]): void {
    const queue = new GainQueue(candidates, this.#words);
    for (let next = queue.next(); next !== null; next = queue.next()) {
      const left = this.limits.tokens - this.#tokens;
      if (left < shortestLine) return;
      this.#take(next, left);
    }
  }

  /** Returns the tokens that it took; 0 if the candidate has no place. */
  #take(candidate: Candidate, room: number): number {
    if (!this.#isWanted(candidate)) return 0;
    const tokens = this.#cost(candidate);
    if (tokens > room) return 0;
    this.chosen.set(candidate, candidate);
    this.#filled.add(candidate.section);
    this.#texts.push(candidate.line);
    if (ofRules.has(candidate.section)) this.#rules.push(candidate.line);
    for (const word of contentWords(candidate.line)) this.#words.add(word);
    this.#tokens += tokens;
    return tokens;
  }

  /** The first line of a section also costs its heading. */
  #cost({ section, line }: Candidate): number {
    const heading = this.#filled.has(section) ? 0 : this.limits.countTokens(`\n\n## ${section}`);
    return heading + this.limits.countTokens(line) + 1;
  }

  /** A section of one sentence takes one line; no line is repeated, but for rules that a request holds too. */
  #isWanted(candidate: Candidate): boolean {
    if (this.chosen.has(candidate)) return false;
    if (single.has(candidate.section) && this.#filled.has(candidate.section)) return false;
    const [excerpt] = candidate.excerpts;
    const text = candidate.speaker !== 'structure' && excerpt ? excerpt.text : candidate.line;
    const said = ofRules.has(candidate.section) ? this.#rules : this.#texts;
    return !said.some((chosen) => chosen.includes(text));
  }
}

const shortestLine = 12;

interface Queued {
  readonly candidate: Candidate;
  readonly words: readonly string[];
  readonly length: number;
  gain: number;
}

/**
 * Candidates by what each would add, heaviest first. What a candidate adds only shrinks as others are chosen, so that
 * most of them need not be looked at again.
 */
class GainQueue {
  readonly #queue: Queued[];

  constructor(
    candidates: readonly Candidate[],
    readonly said: ReadonlySet<string>,
  ) {
    this.#queue = candidates.map((candidate) => {
      const words = contentWords(candidate.line);
      return { candidate, words, length: candidate.line.length, gain: Number.POSITIVE_INFINITY };
    });
    for (const queued of this.#queue) queued.gain = this.#gainOf(queued);
    this.#queue.sort((a, b) => a.gain - b.gain);
  }

  next(): Candidate | null {
    for (;;) {
      const top = this.#queue.pop();
      if (top === undefined) return null;
      const gain = this.#gainOf(top);
      if (gain <= 0) continue;
      if (gain >= (this.#queue.at(-1)?.gain ?? 0)) return top.candidate;
      top.gain = gain;
      this.#insert(top);
    }
  }

  #gainOf({ candidate, words, length }: Queued): number {
    let added = 0;
    for (const word of words) if (!this.said.has(word)) added += /\d|[a-z][A-Z]/.test(word) ? nameValue : 1;
    return (candidate.weight * added) / Math.max(length, shortest) ** costOfLength;
  }

  #insert(queued: Queued): void {
    let from = 0;
    let to = this.#queue.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#queue[middle]?.gain ?? 0) < queued.gain) from = middle + 1;
      else to = middle;
    }
    this.#queue.splice(from, 0, queued);
  }
}

/** A number or a name says more than a word. */
const nameValue = 1.5;

/** In UTF-16 units: below it a line is not cheaper. Longer lines pay less than in proportion, as they read better. */
const shortest = 60;
const costOfLength = 0.8;
