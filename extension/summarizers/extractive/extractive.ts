import { nameSection } from '../../engine/block/name-section';
import type { SectionName } from '../../engine/block/sections';
import type { Span, Summarizer, Summary, SummaryRequest } from '../../engine/block/summary';
import { type Artifact, isName, phraseMatcher, rootLine } from '../../engine/language/loss-report';
import { listNames } from '../../engine/language/name-list';
import { type Account, accountOf } from './account';
import type { Candidate } from './candidate';
import { candidatesFor, runningText } from './producers';
import { selectCandidates } from './select';

/**
 * Needs no model: fills the sections with verbatim pieces of the replaced entries, each with its origin, and with what
 * the structure of the work states: files, commands, plans. It never invents. A section without a piece is left out
 * (docs/specification.md, "Without a model").
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

/** Share of a block that is kept free for names that no line has. They also get what the lines leave over. */
const shareOfNames = 0.04;

/** More names are read as noise. A block that says little has room left: of it, names beside long text may use more. */
const mostOfNames = { ofBlock: 0.08, ofLongBlock: 0.15, besideText: 0.5 };

export function extract(request: SummaryRequest): Summary {
  const { maxTokens, countTokens } = request;
  const account = accountOf(request);
  const candidates = candidatesOf(request, account);
  const names = namesFor(request, account);
  const root = account.root === '' ? 0 : countTokens(rootLine(account.root)) + 2;
  const forNames = Math.min(maxTokens * shareOfNames, tokensOfAll(names, request));
  const chosen = selectCandidates(candidates, { tokens: maxTokens - forNames - root, countTokens });
  return new Block(request, account, chosen).withNames(names);
}

/** The strategy `naive` is prose alone, as the lower bound of comparisons: no list of names. */
const proseOnly = 'naive';

/** Names that only the output of a tool has come last, as listings and logs name everything. */
function namesFor({ summaryType }: SummaryRequest, { artifacts, named }: Account): Artifact[] {
  if (summaryType === proseOnly) return [];
  const names = artifacts.filter((artifact) => isName(artifact) && !/[$<>*]/.test(artifact.text));
  const { said = [], printed = [] } = Object.groupBy(names, ({ text }) => (named.has(text) ? 'said' : 'printed'));
  return [...said, ...printed];
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

function candidatesOf({ sections }: SummaryRequest, account: Account): Candidate[] {
  return sections.length === 0 ? runningText(account) : sections.flatMap((section) => candidatesFor(section, account));
}

class Block {
  readonly #section: SectionName | null;

  constructor(
    readonly request: SummaryRequest,
    readonly account: Account,
    readonly chosen: readonly Candidate[],
  ) {
    this.#section = nameSection(request.sections);
  }

  withNames(names: readonly Artifact[]): Summary {
    const { countTokens, maxTokens } = this.request;
    const holds = phraseMatcher(this.#body(this.#rootLines()));
    const written = countTokens(this.#body([...this.#rootLines(), '']));
    const most = Math.max(maxTokens * mostOfNames.ofBlock, written * mostOfNames.besideText);
    const tokens = Math.min(maxTokens - written, most, maxTokens * mostOfNames.ofLongBlock);
    const list = listNames(names, { tokens, countTokens, isCovered: holds, root: this.account.root });
    return {
      body: this.#body([...this.#rootLines(), ...list.lines]),
      spans: [
        ...this.chosen.flatMap((candidate) => this.#spans(candidate)),
        ...list.names.map(({ text, entryIds }) => ({ section: this.#section, text, entryId: entryIds.at(-1) ?? '' })),
      ],
      tokensSpent: { input: 0, output: 0 },
      promptHash: null,
    };
  }

  /** Only where there is room for it and a line has a path. */
  #rootLines(): string[] {
    const { root } = this.account;
    if (root === '' || this.request.summaryType === proseOnly) return [];
    const { countTokens, maxTokens } = this.request;
    return countTokens(this.#body([rootLine(root)])) <= maxTokens ? [rootLine(root)] : [];
  }

  #spans({ section, excerpts }: Candidate): Span[] {
    const placed = this.request.sections.length === 0 ? null : section;
    return excerpts.map(({ text, entryId }) => ({ section: placed, text, entryId }));
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
    const shown = this.chosen.filter(({ section }) => section === 'Operations');
    const calls = shown.reduce((total, { excerpts }) => total + excerpts.length, 0);
    const more = this.account.steps.length - calls;
    return more > 0 && shown.length > 0 ? [`- (+${more} more)`] : [];
  }
}
