import {
  type LossReport,
  type LostItem,
  type LostOutput,
  mostListed,
  mostOutputs,
  type Tally,
  type VerbatimFate,
} from '../block/loss';
import { type Entry, isPrompt, type Part, readableText, textOf, toolResults } from '../conversation/entry';
import { brief } from '../conversation/text';
import { VerbatimText } from '../language/verbatim';
import { workByCommand } from '../ledger/commands';
import { lastPart, workByFile } from '../ledger/files';
import { planNamedIn } from '../ledger/plan';
import { type ToolStep, toolStepsOf } from '../ledger/steps';
import { stillHolding } from '../ledger/still-holding';
import { Retold } from './retold';

/** In characters. */
const textLength = 160;

interface Message {
  readonly role: Entry['role'];
  readonly parts: readonly Part[];
}

/** The texts of a context, for looking up what remains of earlier entries. Each text is read once. */
export class ContextText {
  readonly #messages: readonly Message[];
  #verbatim: VerbatimText | null = null;
  #retold: Retold | null = null;
  #names: ReadonlySet<string> | null = null;

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  /** How much of a text the context's messages contain; tool output does not count. */
  fateOf(text: string): VerbatimFate {
    this.#verbatim ??= new VerbatimText(this.#texts().join('\n'));
    return this.#verbatim.fateOf(text);
  }

  /** Whether the messages contain this share of the words of a text, from 0 to 1; by default the guard's share. */
  retells(text: string, share?: number): boolean {
    this.#retold ??= new Retold(this.#texts().join('\n'));
    return this.#retold.has(text, share);
  }

  /** Whether the file's name occurs anywhere, including calls and output. */
  names(path: string): boolean {
    this.#names ??= namesIn(this.#messages.flatMap(({ parts }) => parts.map(readableText)));
    return this.#names.has(lastPart(path));
  }

  #texts(): string[] {
    return this.#messages.filter(({ role }) => role !== 'tool').map(({ parts }) => textOf(parts));
  }
}

/** Runs of characters that can be a file's name. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of texts) {
    for (const [name] of text.matchAll(/[^\s/\\"'`“”()<>{}[\],;:=*|]+/g)) {
      names.add(name);
      names.add(name.replace(/[.!?]+$/, ''));
    }
  }
  return names;
}

interface LossInput {
  /** The entries that were replaced, oldest first, in their original form. */
  readonly replaced: readonly Entry[];
  /** The replaced entries whose outputs the previous context still had. Absent: all. */
  readonly outputs?: readonly Entry[];
  /** All entries of the context before, with the replaced ones. */
  readonly entries: readonly Entry[];
  /** The context that results. */
  readonly context: ContextText;
  /** Counted tokens. */
  readonly tokensOf: (entry: Entry) => number;
}

/** Reports how much of the replaced entries the resulting context has. Takes time linear in their texts. */
export function lossOf({ replaced, outputs = replaced, entries, context, tokensOf }: LossInput): LossReport {
  const ids = new Set(replaced.map(({ id }) => id));
  const steps = toolStepsOf(entries).filter(({ entryIds: [asked = ''] }) => ids.has(asked));
  return {
    messages: messagesIn(replaced.filter(isPrompt), context),
    files: filesIn(steps, context),
    open: openIn(steps, replaced, entries, context),
    outputs: outputsIn(outputs, entries, tokensOf),
  };
}

function messagesIn(prompts: readonly Entry[], context: ContextText): LossReport['messages'] {
  const counts = { whole: 0, shortened: 0, gone: 0 };
  const listed: LossReport['messages']['listed'][number][] = [];
  for (const { id, parts } of prompts) {
    const text = textOf(parts);
    const fate = context.fateOf(text);
    counts[fate] += 1;
    if (fate !== 'whole') listed.push({ fate, text: brief(text, textLength), entryId: id });
  }
  return { ...counts, listed: listed.slice(-mostListed) };
}

function filesIn(steps: readonly ToolStep[], context: ContextText): Tally {
  const changed = workByFile(steps).filter(({ changes, isDeleted }) => changes > 0 && !isDeleted);
  return tallyOf(
    changed.map(({ path, entryId }) => ({ text: path, entryId })),
    ({ text }) => context.names(text),
  );
}

function openIn(
  steps: readonly ToolStep[],
  replaced: readonly Entry[],
  entries: readonly Entry[],
  context: ContextText,
): Tally {
  const holding = stillHolding(steps, entries);
  const items = planNamedIn(replaced, entries).filter(({ state }) => state !== 'done');
  const failing = workByCommand(holding)
    .filter(({ isCheck, problem }) => isCheck && problem !== null)
    .map(({ command, entryId }) => ({ text: command, entryId }));
  return tallyOf([...items, ...failing], ({ text }) => context.retells(text));
}

function tallyOf(items: readonly LostItem[], isNamed: (item: LostItem) => boolean): Tally {
  const unnamed = items.filter((item) => !isNamed(item)).map(({ text, entryId }) => ({ text, entryId }));
  return { named: items.length - unnamed.length, unnamed: unnamed.length, listed: unnamed.slice(-mostListed) };
}

function outputsIn(
  replaced: readonly Entry[],
  entries: readonly Entry[],
  tokensOf: (entry: Entry) => number,
): LossReport['outputs'] {
  const outputs = replaced.filter(({ role, parts }) => role === 'tool' && toolResults(parts).length > 0);
  const sized = outputs.map((entry) => ({ entry, tokens: tokensOf(entry) }));
  const largest = sized.toSorted((a, b) => b.tokens - a.tokens).slice(0, mostOutputs);
  const names = namesOfResults(entries, new Set(largest.map(({ entry }) => entry.id)));
  return {
    count: sized.length,
    tokens: sized.reduce((total, { tokens }) => total + tokens, 0),
    largest: largest.map(
      ({ entry: { id }, tokens }): LostOutput => ({ text: names.get(id) ?? '', entryId: id, tokens }),
    ),
  };
}

/** By the entry of a result: the call that it answers. */
function namesOfResults(entries: readonly Entry[], wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { call, subject, entryIds } of toolStepsOf(entries)) {
    const id = entryIds.at(-1) ?? '';
    if (wanted.has(id) && !names.has(id)) names.set(id, brief(`${call.name} ${subject}`.trim(), textLength));
  }
  return names;
}
