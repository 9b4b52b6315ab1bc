import { nameSection } from '../../engine/block/name-section';
import type { SectionName } from '../../engine/block/sections';
import type { Span, Summarizer, Summary, SummaryRequest } from '../../engine/block/summary';
import { type Artifact, isName, phraseMatcher } from '../../engine/language/loss-report';
import { listNames } from '../../engine/language/name-list';
import type { Candidate } from './candidate';
import { type Material, materialOf } from './material';
import { candidatesFor, runningText } from './producers';
import { fitting, selectCandidates } from './select';

/**
 * Needs no model: fills the sections with verbatim pieces of the replaced entries, each with its origin. It never
 * invents; around the pieces stand only the labels of docs/specification.md, "Tool-call batches". A section without a piece is left out.
 */
export const extractiveSummarizer: Summarizer = {
  name: 'extractive',
  model: null,
  concurrency: 1,
  async summarize(request, signal) {
    await otherWork();
    signal.throwIfAborted();
    return extract(request);
  },
};

/** Yields between two blocks to pending work, such as a keystroke in the editor or Ctrl+C. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Share of a block that is chosen first, for the user's words: rules, then goals, then the rest. */
const mostOfPerson = 0.25;

/**
 * Share of the rest for names, before other sentences: later work mostly needs names (measured in
 * `test/bench/recall.bench.ts`). Names also get what sentences leave over.
 */
const shareOfNames = 0.8;

export function extract(request: SummaryRequest): Summary {
  const { maxTokens, countTokens } = request;
  const material = materialOf(request);
  const candidates = candidatesOf(request, material);
  const carried = fitting(
    candidates.filter(({ isOfPerson }) => isOfPerson),
    { tokens: maxTokens * mostOfPerson, countTokens },
  );
  const rest = maxTokens - countTokens(carried.map(({ line }) => line).join('\n'));
  const names = namesFor(request, material);
  const forNames = Math.min(rest * shareOfNames, tokensOfAll(names, request));
  const chosen = selectCandidates(candidates, carried, { tokens: rest - forNames, countTokens });
  return new Block(request, material, chosen).withNames(names);
}

/** The strategy `naive` is prose alone, as the lower bound of comparisons: no list of names. */
const proseOnly = 'naive';

function namesFor({ summaryType }: SummaryRequest, { artifacts, isInCore }: Material): Artifact[] {
  if (summaryType === proseOnly) return [];
  return artifacts.filter((artifact) => isName(artifact) && !isInCore(artifact.text));
}

/** With few names, less of a share is reserved. */
function tokensOfAll(names: readonly Artifact[], { maxTokens, countTokens }: SummaryRequest): number {
  let tokens = 0;
  for (const { text } of names) {
    tokens += countTokens(` ${text}`);
    if (tokens > maxTokens) break;
  }
  return tokens;
}

function candidatesOf({ sections }: SummaryRequest, material: Material): Candidate[] {
  return sections.length === 0
    ? runningText(material)
    : sections.flatMap((section) => candidatesFor(section, material));
}

class Block {
  readonly #section: SectionName | null;

  constructor(
    readonly request: SummaryRequest,
    readonly material: Material,
    readonly chosen: readonly Candidate[],
  ) {
    this.#section = nameSection(request.sections);
  }

  withNames(names: readonly Artifact[]): Summary {
    const { countTokens, maxTokens } = this.request;
    const holds = phraseMatcher(this.#body([]));
    const tokens = maxTokens - countTokens(this.#body(['']));
    const list = listNames(names, { tokens, countTokens, isCovered: holds });
    return {
      body: this.#body(list.lines),
      spans: [
        ...this.chosen.flatMap((candidate) => this.#spans(candidate)),
        ...list.names.map(({ text, entryIds }) => ({ section: this.#section, text, entryId: entryIds.at(-1) ?? '' })),
      ],
      tokensSpent: { input: 0, output: 0 },
      promptHash: null,
    };
  }

  #spans({ section, text, entryId }: Candidate): Span[] {
    if (text === null) return [];
    return [{ section: this.request.sections.length === 0 ? null : section, text, entryId }];
  }

  #body(nameLines: readonly string[]): string {
    return this.request.sections.length === 0 ? this.#runningBody(nameLines) : this.#sectionedBody(nameLines);
  }

  #runningBody(nameLines: readonly string[]): string {
    const text = this.chosen.map(({ line }) => line).join(' ');
    const names = nameLines.map((line) => line.replace(/^- /, '')).join(' ');
    return [text, names].filter((paragraph) => paragraph !== '').join('\n\n');
  }

  #sectionedBody(nameLines: readonly string[]): string {
    return this.request.sections.flatMap((section) => this.#sectionText(section, nameLines)).join('\n\n');
  }

  #sectionText(section: SectionName, nameLines: readonly string[]): string[] {
    const lines = [
      ...this.chosen.filter((candidate) => candidate.section === section).map(({ line }) => line),
      ...(section === 'Operations' ? this.#moreOperations() : []),
      ...(section === this.#section ? nameLines : []),
    ];
    return lines.length > 0 ? [`## ${section}\n${lines.join('\n')}`] : [];
  }

  #moreOperations(): string[] {
    const shown = this.chosen.filter(({ section }) => section === 'Operations').length;
    const more = this.material.operations.length - shown;
    return more > 0 && shown > 0 ? [`- (+${more} more)`] : [];
  }
}
