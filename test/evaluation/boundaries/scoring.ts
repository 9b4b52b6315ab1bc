import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { branchOf } from '../../../extension/engine/conversation/branch';
import { blockForm } from '../../../extension/engine/conversation/context';
import { type Entry, isPrompt } from '../../../extension/engine/conversation/entry';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import { findStrategy, type StrategyChoice } from '../../../extension/engine/run/prepare/registry';
import { contextBefore, isReplaceable } from '../../../extension/evaluation/measure/replay/boundaries';
import { textOfMessages } from '../../../extension/evaluation/measure/replay/names';
import { runStrategy } from '../../../extension/evaluation/measure/replay/ways';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { type Item, itemsOf, type LabelledBoundary, type Labels, type SectionName, sectionNames } from './labels';
import { isMarkedAsOver, SearchedText } from './presence';

export interface ScoreOrder {
  readonly labels: Labels;
  /** The folder with the session files, at their paths in the branch. */
  readonly folder: string;
  /** Null: both halves. */
  readonly half: LabelledBoundary['half'] | null;
  readonly strategy: string;
  /**
   * `default`: a run as a person would start it. `equal`: the blocks and the kept part of the context together have as
   * many tokens as the agent's own summary; at chosen boundaries, as many as a typical summary.
   */
  readonly target: 'default' | 'equal';
}

/** The score of a text that represents the context at a boundary. */
export interface TextScore {
  readonly tokens: number;
  /** The items of each section that the text lacks. */
  readonly missed: Readonly<Record<SectionName, readonly string[]>>;
  /** Superseded statements in the text; `standing` has those that no words near them mark as over. */
  readonly superseded: readonly string[];
  readonly standing: readonly string[];
}

export interface BoundaryScore {
  readonly session: string;
  readonly record: number;
  readonly kind: LabelledBoundary['kind'];
  readonly half: LabelledBoundary['half'];
  readonly labels: Readonly<Record<SectionName, number>>;
  readonly supersededLabels: number;
  /** The original context, which no compaction can exceed, unless a label depends on something that was never said. */
  readonly before: TextScore;
  /** Only the written blocks. Null if the run wrote none. */
  readonly blocks: TextScore | null;
  /** With `equal`: what replaces the entries. */
  readonly after: TextScore;
  /** The agent's own summary; null at chosen boundaries. */
  readonly agent: TextScore | null;
  readonly notes: readonly string[];
}

export async function scoreAll(
  { labels, folder, half, strategy, target }: ScoreOrder,
  onBoundary: (labelled: LabelledBoundary) => void,
): Promise<BoundaryScore[]> {
  const choice = findStrategy(strategy);
  if (!choice) throw new Error(`There is no strategy named "${strategy}"`);
  const wanted = labels.boundaries.filter((labelled) => half === null || labelled.half === half);
  const work = await mkdtemp(join(tmpdir(), 'strata-boundaries-'));
  try {
    const scores: BoundaryScore[] = [];
    for (const labelled of wanted) {
      onBoundary(labelled);
      scores.push(await scoreBoundary(labelled, { choice, target, folder, work }));
    }
    return scores;
  } finally {
    await rm(work, { recursive: true });
  }
}

interface Surroundings {
  readonly choice: StrategyChoice;
  readonly target: ScoreOrder['target'];
  readonly folder: string;
  /** The folder for the part of a session up to its boundary, and its journal. */
  readonly work: string;
}

async function scoreBoundary(labelled: LabelledBoundary, surroundings: Surroundings): Promise<BoundaryScore> {
  const lines = (await readFile(join(surroundings.folder, labelled.session), 'utf8')).split('\n');
  const inspection = await inspectionUpTo(labelled, lines, surroundings.work);
  const summary = labelled.kind === 'agent' ? agentSummary(lines, labelled) : null;
  const before = inspection.context.messages;
  const written = await compacted(inspection, summary, surroundings);
  const scored = (text: string, tokens: number) => scoreText(labelled, text, tokens);
  return {
    session: labelled.session,
    record: labelled.record,
    kind: labelled.kind,
    half: labelled.half,
    labels: perSection((section) => itemsOf(labelled, section).length),
    supersededLabels: labelled.superseded.length,
    before: scored(
      textOfMessages(before),
      before.reduce((total, { tokens }) => total + tokens, 0),
    ),
    blocks: written.blocks === null ? null : scored(written.blocks, countWithO200k(written.blocks)),
    after: scored(written.after, written.afterTokens),
    agent: summary === null ? null : scored(summary, countWithO200k(summary)),
    notes: written.notes,
  };
}

/** The session up to the boundary, in a folder of its own, because each has its own journal. */
async function inspectionUpTo(labelled: LabelledBoundary, lines: readonly string[], work: string): Promise<Inspection> {
  const folder = await mkdtemp(join(work, 'session-'));
  const file = join(folder, basename(labelled.session));
  await writeFile(
    file,
    lines
      .slice(0, labelled.record)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const opened = await openSession(file);
  if (opened.kind !== 'opened') throw new Error(String(opened.message));
  const { session } = opened;
  const journals = join(folder, 'journals');
  await mkdir(journals);
  return await Inspection.of(session, await openJournal(journals, { agent: session.agent, id: session.id, file }));
}

/** The summary of a compaction is among this many records after it. */
const summaryWithin = 5;

function agentSummary(lines: readonly string[], { session, record }: LabelledBoundary): string {
  for (const line of lines.slice(record, record + summaryWithin)) {
    const row: { isCompactSummary?: boolean; message?: { content?: unknown } } = JSON.parse(line);
    if (row.isCompactSummary) return textOfContent(row.message?.content);
  }
  throw new Error(`${session}: no summary of the agent follows record ${record}`);
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

interface Compacted {
  readonly blocks: string | null;
  readonly after: string;
  readonly afterTokens: number;
  readonly notes: readonly string[];
}

async function compacted(
  inspection: Inspection,
  summary: string | null,
  { choice, target }: Surroundings,
): Promise<Compacted> {
  return target === 'default' ? await asAsked(inspection, choice) : await onEqualTerms(inspection, choice, summary);
}

async function asAsked(inspection: Inspection, choice: StrategyChoice): Promise<Compacted> {
  const run = await inspection.prepare({
    strategy: choice,
    instructions: null,
    parameters: {},
    tools: toolsWithoutModel,
    signal: new AbortController().signal,
  });
  const blocks = run.records.filter(({ summaryType }) => blockForm(summaryType).covers !== 'results');
  return {
    blocks: blocks.length === 0 ? null : blocks.map(({ text }) => text).join('\n\n'),
    after: textOfMessages(run.after.messages),
    afterTokens: run.after.messages.reduce((total, { tokens }) => total + tokens, 0),
    notes: [...run.notes, ...run.failures].map(String),
  };
}

function replacedAt({ conversation }: Inspection): Entry[] {
  const branch = branchOf(conversation);
  return contextBefore(branch, branch.entries.length).filter(isReplaceable);
}

/** Size of a typical summary, for boundaries at which the agent made none. */
const typical = { most: 1600, share: 0.05 };

async function onEqualTerms(
  inspection: Inspection,
  choice: StrategyChoice,
  summary: string | null,
): Promise<Compacted> {
  const ledger = new TokenLedger(countWithO200k);
  const branch = branchOf(inspection.conversation);
  const replaced = replacedAt(inspection);
  const prompts = branch.entries.map(({ entry }) => entry).filter(isPrompt);
  const size = Math.min(typical.most, Math.round(ledger.ofEntries(replaced) * typical.share));
  const budget = summary === null ? size : countWithO200k(summary);
  const boundary = {
    kind: summary === null ? ('simulated' as const) : ('agent' as const),
    ...{ line: 0, step: branch.entries.length, replaced, prompts, after: [], summary },
  };
  const order = { budget, ledger, tools: toolsWithoutModel, signal: new AbortController().signal };
  const { text, tokens } = await runStrategy(choice, boundary, order);
  return { blocks: text, after: text, afterTokens: tokens, notes: tokens > budget * 1.1 ? ['over the budget'] : [] };
}

function scoreText(labelled: LabelledBoundary, text: string, tokens: number): TextScore {
  const searched = new SearchedText(text);
  const found = labelled.superseded.flatMap(({ said, terms }) => {
    const place = searched.placeOf(terms);
    return place === null ? [] : [{ said, isOver: isMarkedAsOver(place) }];
  });
  const missed = (items: readonly Item[]) =>
    items.filter(({ terms }) => !searched.holds(terms)).map(({ said }) => said);
  return {
    tokens,
    missed: perSection((section) => missed(itemsOf(labelled, section))),
    superseded: found.map(({ said }) => said),
    standing: found.filter(({ isOver }) => !isOver).map(({ said }) => said),
  };
}

function perSection<T>(value: (section: SectionName) => T): Record<SectionName, T> {
  return Object.fromEntries(sectionNames.map((section) => [section, value(section)])) as Record<SectionName, T>;
}
