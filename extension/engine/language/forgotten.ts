import { type Entry, isPrompt, type Part, readableText } from '../conversation/entry';
import { groupedBy } from '../conversation/grouped-by';
import { contentWords } from './content-words';
import { TextIndex } from './paraphrase';
import { isOutput } from './pasted';
import { sentencesOf } from './sentences';
import { isKept, type Matter, mattersIn } from './what-matters';

/** What the agent has to know again, in the order in which it is told. */
export const forgottenKinds = ['goal', 'rule', 'request', 'decision', 'finding', 'open'] as const;

export type ForgottenKind = (typeof forgottenKinds)[number];

/** A message of the context, or a file that the agent always has in it. */
export type Said = Pick<Entry, 'role' | 'parts'>;

/** Something said or found before a compaction that the agent's context no longer says. */
export interface Forgotten {
  readonly kind: ForgottenKind;
  /** Whose words these are: the person's, the agent's, its to-do list, or a command that failed. */
  readonly source: Matter['source'];
  /** Verbatim, but for white space. */
  readonly text: string;
  /** Why a command failed; null for everything else. */
  readonly reason: string | null;
  readonly entryId: string;
}

/** Most things of each kind: the newest of those that weigh most. What is told at length is not read. */
const mostOfKind: Readonly<Record<ForgottenKind, number>> = {
  goal: 3,
  rule: 8,
  request: 3,
  decision: 4,
  finding: 5,
  open: 5,
};

/**
 * What the context no longer says of the entries that a compaction replaced, verbatim or in other words. `entries` are
 * all that led to this context, the replaced ones included, so that what was ended or done since is left out. In doubt
 * something is not forgotten: remarks beside tool calls, requests of earlier turns, which were mostly carried out, and
 * pasted documents are left out. Linear in the length of the entries.
 */
export function forgottenOf(
  entries: readonly Entry[],
  replaced: ReadonlySet<string>,
  context: readonly Said[],
): Forgotten[] {
  const before = new ReplacedPart(entries, replaced);
  const candidates = mattersIn(entries).flatMap((matter) => {
    const kind = replaced.has(matter.entryId) ? before.kindOf(matter) : null;
    return kind === null ? [] : [{ kind, matter }];
  });
  const missing = groupedBy(stillMissing(candidates, context), ({ matter }) => matter.text);
  const once = [...missing.values()].flatMap(ofFirstKind);
  return forgottenKinds.flatMap((kind) => chosen(once.filter((one) => one.kind === kind)));
}

/** A sentence that is both a decision and a finding is told once. */
function ofFirstKind(alike: readonly Candidate[]): Candidate[] {
  const kind = forgottenKinds.find((first) => alike.some((one) => one.kind === first));
  return alike.filter((one) => one.kind === kind).slice(-1);
}

interface Candidate {
  readonly kind: ForgottenKind;
  readonly matter: Matter;
}

/** Fewer content words say too little without the message that they stood in. */
const minWords: Readonly<Record<ForgottenKind, number>> = {
  goal: 3,
  rule: 3,
  request: 4,
  decision: 5,
  finding: 5,
  open: 3,
};

/** A message of the person with more sentences is a document. Its rules are short, and only few of them count. */
const longestMessage = 12;
const ofDocument = { rules: 3, words: 14 };

/** Which of the replaced things the agent still needs, judged by where and when they were said. */
class ReplacedPart {
  /** Number of sentences in each message of the person. */
  readonly #sentences = new Map<string, number>();
  readonly #rulesOf = new Map<string, number>();
  readonly #newestPrompt: string | null;
  /** Entries from the newest replaced prompt on. */
  readonly #newest: ReadonlySet<string>;

  constructor(entries: readonly Entry[], replaced: ReadonlySet<string>) {
    const taken = entries.filter(({ id }) => replaced.has(id));
    for (const { id, parts } of taken.filter(isPrompt)) this.#sentences.set(id, sentencesOf(textIn(parts)).length);
    const newest = taken.findLastIndex(isPrompt);
    this.#newestPrompt = taken[newest]?.id ?? null;
    this.#newest = new Set(taken.slice(Math.max(0, newest)).map(({ id }) => id));
  }

  /** Null if it need not be told again. */
  kindOf(matter: Matter): ForgottenKind | null {
    const kind = this.#rawKindOf(matter);
    if (kind === null || contentWords(matter.text).length < minWords[kind]) return null;
    return isOutput(matter.text) || fragment.test(matter.text) ? null : kind;
  }

  #rawKindOf(matter: Matter): ForgottenKind | null {
    switch (matter.kind) {
      case 'goal':
        return this.#isDocument(matter) ? null : 'goal';
      case 'direction':
        return this.#directionKind(matter);
      case 'decision':
        return matter.source === 'person' || isConclusion(matter) ? 'decision' : null;
      case 'finding':
        return isConclusion(matter) && lasting.has(matter.remark?.kind ?? '') ? 'finding' : null;
      case 'open':
        return this.#isStillOpen(matter) ? 'open' : null;
      case 'name':
        // Can be looked up again.
        return null;
    }
  }

  #directionKind(matter: Matter): ForgottenKind | null {
    const { utterance, text, entryId } = matter;
    if (utterance?.kind === 'rule') {
      if (!this.#isDocument(matter)) return 'rule';
      const known = this.#rulesOf.get(entryId) ?? 0;
      if (known >= ofDocument.rules || text.split(/\s+/).length > ofDocument.words) return null;
      this.#rulesOf.set(entryId, known + 1);
      return 'rule';
    }
    return entryId === this.#newestPrompt && !this.#isDocument(matter) ? 'request' : null;
  }

  #isDocument({ entryId }: Matter): boolean {
    return (this.#sentences.get(entryId) ?? 0) > longestMessage;
  }

  /** What the agent called open in an earlier turn was mostly done since. */
  #isStillOpen({ source, text, entryId }: Matter): boolean {
    if (source === 'agent' && !this.#newest.has(entryId)) return false;
    return !over.test(text);
  }
}

/** The opening of a list, and a position in a program as logs print it. */
const fragment = /[:：]$|\.\w{1,4}:\d+\b.*\bError\b/;

const over = /\b(?:done|complete[d]?|finished|passes|passed|merged)\b/i;

/** What was found out, and which ways led nowhere. What was done can be seen in the files. */
const lasting: ReadonlySet<string> = new Set(['cause', 'given-up']);

/** Said at the end of a turn or in an earlier summary: beside tool calls, most is about the moment. */
function isConclusion({ remark }: Matter): boolean {
  return remark === undefined || (remark.place !== 'interim' && !remark.isEarlier);
}

/** The heaviest, in the order in which they were said. */
function chosen(candidates: readonly Candidate[]): Forgotten[] {
  const heaviest = candidates.toSorted((a, b) => b.matter.weight - a.matter.weight);
  const kept = new Set(heaviest.slice(0, mostOfKind[candidates[0]?.kind ?? 'goal']));
  return candidates
    .filter((one) => kept.has(one))
    .map(({ kind, matter: { source, text, otherwise, entryId } }) => {
      return { kind, source, text, reason: otherwise ?? null, entryId };
    });
}

/** Tool output is long, so only its lines with enough of the words in question are read. */
function stillMissing(candidates: readonly Candidate[], context: readonly Said[]): Candidate[] {
  if (candidates.length === 0) return [];
  const said = new TextIndex(textOfEntries(context.filter(({ role }) => role !== 'tool')));
  const unsaid = candidates.filter(({ matter }) => !isKept(matter, said));
  const printed = new TextIndex(
    linesWith(
      wordsOfAll(unsaid),
      context.filter(({ role }) => role === 'tool'),
    ),
  );
  return unsaid.filter(({ matter }) => !isKept(matter, printed));
}

function wordsOfAll(candidates: readonly Candidate[]): ReadonlySet<string> {
  return new Set(candidates.flatMap(({ matter }) => contentWords(`${matter.text} ${matter.otherwise ?? ''}`)));
}

/** Fewer shared words make no paraphrase. */
const leastShared = 3;
const wordBeginnings = /[\p{L}\p{N}]{3,}/gu;

function linesWith(words: ReadonlySet<string>, entries: readonly Said[]): string {
  if (words.size === 0) return '';
  const lines = textOfEntries(entries).split('\n');
  const beginnings = new Set([...words].map(beginningOf));
  return lines.filter((line) => countIn(line, beginnings) >= leastShared).join('\n');
}

/** Stems are no shorter than this, so two forms of a word begin alike. */
const beginningLength = 3;

function beginningOf(word: string): string {
  return word.slice(0, beginningLength).toLowerCase();
}

function countIn(line: string, beginnings: ReadonlySet<string>): number {
  const found = new Set<string>();
  for (const [word] of line.matchAll(wordBeginnings)) {
    const beginning = beginningOf(word);
    if (beginnings.has(beginning)) found.add(beginning);
    if (found.size >= leastShared) break;
  }
  return found.size;
}

function textOfEntries(entries: readonly Said[]): string {
  return entries.map(({ parts }) => textIn(parts)).join('\n');
}

function textIn(parts: readonly Part[]): string {
  return parts.map(readableText).join('\n');
}
