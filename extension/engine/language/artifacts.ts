import { type Entry, inputText, isPrompt, type Part, textOf, toolCalls } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { errorLines, problemLine } from '../ledger/problems';
import type { Artifact, ArtifactKind } from './loss-report';
import { namesIn } from './names';
import { isCode, isConstraint, sentencesOf } from './sentences';
import { isRunning } from './tool-kinds';

export { errorLines, problemLine } from '../ledger/problems';

/**
 * A mention this many entries ago counts half of one in the newest entry. The weight fades hyperbolically and not
 * exponentially, because old names do come up again.
 */
const halfAge = 10;

/** Weight of a mention by its place: highest in the user's words, lowest far down in some output. */
const mentionWeight = { user: 4, input: 3, assistant: 1.5, summary: 12, content: 0.6, result: 0.3, rest: 0.1 };

/**
 * Maximum length of an argument that says what a call is about; a longer one is content to be written. In UTF-16 units.
 */
const maxSubjectLength = 200;

/** The beginning of a tool result is what was asked for; the rest of a dump names everything. In UTF-16 units. */
const beginningOfResult = 8000;

/** Number of source entries kept for each artifact. All of them would bloat the journal. */
const maxSourceEntries = 3;

/** The artifacts in these entries, most important first. Linear in the length of the text. */
export const collectArtifacts = oncePer((entries: readonly Entry[]): readonly Artifact[] => {
  const found = new ArtifactTable();
  const isRun = commandCalls(entries);
  for (const [index, entry] of entries.entries()) {
    const mention = { entryId: entry.id, recency: halfAge / (halfAge + entries.length - 1 - index) };
    for (const part of entry.parts) collectFromPart(found, entry, part, mention, isRun);
    if (isPrompt(entry)) collectDirections(found, entry, mention);
  }
  return found.ranked();
});

interface Mention {
  readonly entryId: string;
  /** 1 for the newest entry. */
  readonly recency: number;
}

/** Whether a call, by its id, ran a command. */
function commandCalls(entries: readonly Entry[]): (callId: string) => boolean {
  const calls = entries.flatMap((entry) => toolCalls(entry.parts)).filter((call) => isRunning(call.name));
  const ids = new Set(calls.map((call) => call.callId));
  return (callId) => ids.has(callId);
}

class ArtifactTable {
  readonly #byText = new Map<string, { kind: ArtifactKind; entryIds: string[]; weight: number }>();

  add(kind: ArtifactKind, text: string, { entryId, recency }: Mention, weight: number): void {
    const known = this.#byText.get(text);
    if (!known) {
      this.#byText.set(text, { kind, entryIds: [entryId], weight: weight * recency });
      return;
    }
    known.weight += weight * recency;
    if (known.entryIds.at(-1) === entryId) return;
    known.entryIds.push(entryId);
    if (known.entryIds.length > maxSourceEntries) known.entryIds.shift();
  }

  ranked(): Artifact[] {
    return [...this.#byText]
      .map(([text, { kind, entryIds, weight }]) => ({ kind, text, entryIds, weight: Math.round(weight * 1000) / 1000 }))
      .sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  }
}

function collectFromPart(
  found: ArtifactTable,
  entry: Entry,
  part: Part,
  mention: Mention,
  isRun: (callId: string) => boolean,
): void {
  switch (part.type) {
    case 'text':
      collectNames(found, [part.text], mention, textWeight(entry));
      collectNumbers(found, part.text, mention);
      return;
    case 'tool_call': {
      const texts = textsOf(part.input);
      collectNames(found, texts.filter(isSubject), mention, mentionWeight.input);
      collectNames(
        found,
        texts.filter((text) => !isSubject(text)),
        mention,
        mentionWeight.content,
      );
      return;
    }
    case 'tool_result':
      collectNames(found, [part.text.slice(0, beginningOfResult)], mention, mentionWeight.result);
      collectNames(found, [part.text.slice(beginningOfResult)], mention, mentionWeight.rest);
      collectErrors(found, part.text, part.isError, isRun(part.callId), mention);
      return;
    case 'reasoning':
    case 'image':
    case 'tool_definitions':
  }
}

function textWeight({ role, summary, injected }: Entry): number {
  if (summary) return mentionWeight.summary;
  if (injected || role === 'system') return mentionWeight.result;
  return role === 'user' ? mentionWeight.user : mentionWeight.assistant;
}

function isSubject(text: string): boolean {
  return text.length <= maxSubjectLength;
}

/** All strings of an argument at any depth, without JSON escapes. */
function textsOf(input: unknown): string[] {
  const texts: string[] = [];
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) texts.push(inputText(value));
    else for (const inner of Object.values(value)) left.push(inner);
  }
  return texts;
}

/** Repetitions within one place count once: a file listing gives a name no more weight than a sentence does. */
function collectNames(found: ArtifactTable, texts: readonly string[], mention: Mention, weight: number): void {
  const seen = new Set<string>();
  for (const { kind, text } of texts.flatMap(namesIn)) {
    if (seen.has(text) || (weight < mentionWeight.assistant && isCodeDetail(text))) continue;
    seen.add(text);
    found.add(kind, text, mention, weight);
  }
}

/** Relative import paths and calls in code say little about the work. */
function isCodeDetail(name: string): boolean {
  return name.startsWith('.') || name.endsWith('()');
}

/** The look-behind and the length limit prevent a retry at every digit of a long list of digits. */
const quantity = /(?<![\w.,])\d[\d.,]{0,30}\s?(?:%|ms|kb|mb|gb|k|px|tokens|lines|seconds|minutes|tests)(?!\w)/gi;

function collectNumbers(found: ArtifactTable, text: string, mention: Mention): void {
  for (const [number] of text.matchAll(quantity)) found.add('number', number, mention, 1);
}

function collectErrors(found: ArtifactTable, text: string, isError: boolean, isRun: boolean, mention: Mention): void {
  const problem = isError || !isRun ? undefined : problemLine(text);
  const lines = problem === undefined ? errorLines(text, isError) : [problem];
  for (const line of lines) found.add('error', line, mention, mentionWeight.assistant);
}

function collectDirections(found: ArtifactTable, entry: Entry, mention: Mention): void {
  for (const sentence of sentencesOf(textOf(entry.parts))) {
    if (isCode(sentence)) continue;
    found.add(isConstraint(sentence) ? 'constraint' : 'direction', sentence, mention, mentionWeight.user);
  }
}
