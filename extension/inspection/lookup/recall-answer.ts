import { entryKind } from '../../engine/conversation/entry-kind';
import { brief } from '../../engine/conversation/text';
import { subjectOf } from '../../engine/conversation/tool-subject';
import { shortTime } from '../../engine/memory/observation-lines';
import { fetchRemembered, type MemoryHit, memoryOf, search, timeline, wholeText } from '../../engine/memory/recall';
import type { Inspection } from '../inspection';
import { BudgetedText, beginningThatFits, cutMark, fittingText, type TokenBudget } from './budget';
import { memoryLineText, timelineLines } from './memory-lines';
import { NamedEntries } from './named-entries';
import { type Passage, placeOf, textOfEntry } from './passages';
import { type PlacedEntry, placedEntries } from './placed-entries';
import { type SearchTools, searchPassages } from './search-passages';
import { sessionLine } from './session-line';

/** The three steps of a lookup: search, look around a hit, fetch whole texts. */
export type RecallQuestion =
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'around'; readonly id: string }
  | { readonly kind: 'fetch'; readonly ids: readonly string[] };

const mostHits = 12;
const reach = 4;
const lineLength = 140;

export async function answerRecall(
  inspection: Inspection,
  question: RecallQuestion,
  budget: TokenBudget,
  tools: SearchTools,
): Promise<string> {
  switch (question.kind) {
    case 'search':
      return await hitsText(inspection, question.query, budget, tools);
    case 'around':
      return aroundText(inspection, question.id, budget);
    case 'fetch':
      return wholeTexts(inspection, question.ids, budget);
  }
}

async function hitsText(
  inspection: Inspection,
  query: string,
  budget: TokenBudget,
  tools: SearchTools,
): Promise<string> {
  const lines = [
    ...(await memoryHits(inspection, query, tools)).map((hit) => `${memoryLineText(hit)} (${hit.readCost} tokens)`),
    ...(await entryHits(inspection, query, tools)),
  ];
  const head = [sessionLine(inspection.session), lines.length > 0 ? howToGoOn : nothingFound(inspection)];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more hits.` });
}

const howToGoOn =
  'Hits, the best first. Next: { "around": id } for what came before and after, { "ids": [id] } for the text.';

function nothingFound(inspection: Inspection): string {
  const absent = placedEntries(inspection).filter((placed) => placed.absentBecause !== null).length;
  return absent === 0
    ? 'Nothing lies beneath a compaction: the whole conversation is in the context as it was said.'
    : `Nothing of the ${absent} messages beneath compactions fits. Ask with words that were said: names, paths, errors.`;
}

/** A note is listed only if it shares something with the query. */
const nearEnough = 0.3;
const mostMemories = 5;

async function memoryHits(inspection: Inspection, query: string, { embedder, signal, warn }: SearchTools) {
  const memory = memoryOf(inspection.journal.state);
  if (embedder === null || isEmpty(memory)) return [];
  try {
    const hits = await search(memory, query, { embedder, signal, most: mostMemories });
    return hits.filter(({ score }: MemoryHit) => score >= nearEnough);
  } catch (error) {
    signal.throwIfAborted();
    warn(`Notes were not searched: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function isEmpty({ notes, observations, summaries }: ReturnType<typeof memoryOf>): boolean {
  return notes.length + observations.length + summaries.length === 0;
}

/** Each entry once, with its best passage. */
async function entryHits(inspection: Inspection, query: string, tools: SearchTools): Promise<string[]> {
  const named = new NamedEntries(inspection);
  const absent = new Map(
    named.all.flatMap((placed) => (placed.absentBecause === null ? [] : [[placed.entry, placed] as const])),
  );
  const hits = await searchPassages([...absent.keys()], query, tools);
  const lines = new Map<PlacedEntry, string>();
  for (const { passage } of hits) {
    const placed = absent.get(passage.entry);
    if (placed && !lines.has(placed))
      lines.set(placed, entryLine(named.nameOf(placed) + offsetOf(passage), placed, passage.text, inspection));
    if (lines.size === mostHits) break;
  }
  return [...lines.values()];
}

/** A match further into the entry than this gets a reference with an offset. In UTF-16 units. */
const farIn = 2000;

function offsetOf({ entry, text }: Passage): string {
  const start = textOfEntry(entry).indexOf(text);
  return start < farIn ? '' : `@${start}`;
}

function entryLine(name: string, { entry, absentBecause }: PlacedEntry, said: string, { ledger }: Inspection): string {
  const place = absentBecause ?? 'in the context';
  const tokens = ledger.ofEntry(entry);
  return `${name} ${shortTime(entry.timestamp)} ${entryKind(entry)}: ${brief(said, lineLength)} (${tokens} tokens, ${place})`;
}

/** The subject of an entry, for a timeline. */
function gist({ entry }: PlacedEntry): string {
  const call = entry.parts.find((part) => part.type === 'tool_call');
  const text = textOfEntry(entry);
  return call && text.startsWith(`${call.name} `) ? `${call.name} ${subjectOf(call)}` : text;
}

function aroundText(inspection: Inspection, id: string, budget: TokenBudget): string {
  const found = timeline(memoryOf(inspection.journal.state), id);
  const lines = found.kind === 'found' ? timelineLines(found) : entriesAround(inspection, id);
  const head = [sessionLine(inspection.session), 'In the order it happened:'];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more lines.` });
}

function entriesAround(inspection: Inspection, id: string): string[] {
  const named = new NamedEntries(inspection);
  const [, name = id] = continuation.exec(id) ?? [];
  const at = named.all.indexOf(named.find(name));
  return named.all.slice(Math.max(0, at - reach), at + reach + 1).map((placed) => {
    const line = entryLine(named.nameOf(placed), placed, gist(placed), inspection);
    return `${placed === named.all[at] ? '>' : ' '} ${line}`;
  });
}

/** A piece of an answer that may be cut. */
interface Whole {
  readonly id: string;
  readonly head: string;
  readonly text: string;
  /** Offset of the text in the whole, in UTF-16 units. */
  readonly start: number;
}

/** Minimum tokens of a cut piece; a piece with less room is left to the next call. */
const shortestPiece = 40;

function wholeTexts(inspection: Inspection, ids: readonly string[], budget: TokenBudget): string {
  const named = new NamedEntries(inspection);
  const asked = [...new Set(ids)].map((id) => wholesOf(inspection, named, id));
  const longest = asked.flatMap((wholes) => leftOf(wholes.map(({ id }) => `${id}@000000`)));
  const answer = new BudgetedText({ ...budget, tokens: budget.tokens - budget.count(leftText(longest)) - 1 });
  answer.addCut(sessionLine(inspection.session));
  const left = asked.flatMap((wholes) => leftOf(addAll(answer, wholes, budget)));
  return left.length === 0 ? answer.text : `${answer.text}\n${leftText(left)}`;
}

/** Stops at the first of them that does not fit. */
function addAll(answer: BudgetedText, wholes: readonly Whole[], budget: TokenBudget): readonly string[] {
  for (const [at, whole] of wholes.entries()) {
    const left = addWhole(answer, whole, budget);
    if (left.length > 0) return [...left, ...wholes.slice(at + 1).map(({ id }) => id)];
  }
  return [];
}

/** The entries of a range that did not fit: the rest of the first one, then a range. */
function leftOf(ids: readonly string[]): readonly string[] {
  const [first, second] = ids;
  const last = ids.at(-1);
  if (first === undefined || second === undefined || ids.length < 3) return ids;
  return [first, `${second}..${last?.replace(continuation, '$1')}`];
}

function leftText(ids: readonly string[]): string {
  return `Left out to keep the answer short. Go on with: { "ids": ${JSON.stringify(ids)} }`;
}

/** The reference to the rest, for the next call. */
function addWhole(answer: BudgetedText, { id, head, text, start }: Whole, { count }: TokenBudget): string[] {
  if (answer.add(`\n${head}\n${text}`)) return [];
  const tokens = answer.left - answer.costOf(`\n${head}\n`);
  const fits = tokens < shortestPiece ? '' : beginningThatFits(text, { tokens, count });
  const isAdded = fits !== '' && answer.add(`\n${head}\n${fits}${cutMark}`);
  return [continued(id, isAdded ? start + fits.length : start)];
}

/** `abcdef@4000`: the text of abcdef from offset 4000. */
const continuation = /^(.+)@(\d+)$/;

function continued(id: string, start: number): string {
  return start === 0 ? id : `${id.replace(continuation, '$1')}@${start}`;
}

function wholesOf(inspection: Inspection, named: NamedEntries, asked: string): readonly Whole[] {
  const [, id = asked, from = '0'] = continuation.exec(asked) ?? [];
  const start = Number(from);
  const remembered = fetchRemembered(memoryOf(inspection.journal.state), [id]).found[0];
  if (remembered) return [{ id, head: `--- ${id}`, text: wholeText(remembered).slice(start), start }];
  return named.findAll(id).map((placed) => {
    const { entry, absentBecause } = placed;
    const name = named.nameOf(placed);
    const head = `--- ${name} ${entryKind(entry)}, ${shortTime(entry.timestamp)}, ${placeOf(entry)}, ${absentBecause ?? 'in the context'}`;
    return { id: name, head, text: textOfEntry(entry).slice(start), start };
  });
}
