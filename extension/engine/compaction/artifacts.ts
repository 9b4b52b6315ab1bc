import { type Entry, inputText, type Part, textOf } from '../conversation/entry';
import type { Artifact, ArtifactKind } from './loss-report';
import { isCode, isConstraint, sentencesOf } from './sentences';

/** An artifact named this many entries ago counts half of one named now. */
const halfLife = 40;

/** How much a mention says that the work is about it: a person's word most, a line in some output least. */
const mentionWeight = { user: 4, input: 3, assistant: 2, content: 0.6, result: 0.3 };

/** An argument longer than this is content that a tool writes, not what the call is about. In UTF-16 units. */
const longestSubject = 200;

/** Of a tool result only the beginning is searched for names, in UTF-16 units: the rest of a dump names everything. */
const searchedOfResult = 8000;

/** As many as can matter to the work that follows; a long session names thousands. */
const mostArtifacts = 300;

const longestName = 160;

/** Of the entries that contain an artifact, the newest few lead back to it; all of them would fill the journal. */
const entriesNamed = 3;

/** The named things in these entries, most important first. Time linear in the text. */
export function collectArtifacts(entries: readonly Entry[]): Artifact[] {
  const found = new ArtifactTable();
  for (const [index, entry] of entries.entries()) {
    const recency = 2 ** (-(entries.length - 1 - index) / halfLife);
    for (const part of entry.parts) collectFromPart(found, entry, part, recency);
    if (entry.role === 'user' && !entry.injected) collectDirections(found, entry, recency);
  }
  return found.ranked().slice(0, mostArtifacts);
}

class ArtifactTable {
  readonly #byText = new Map<string, { kind: ArtifactKind; entryIds: string[]; weight: number }>();

  add(kind: ArtifactKind, text: string, entryId: string, weight: number): void {
    const known = this.#byText.get(text);
    if (!known) {
      this.#byText.set(text, { kind, entryIds: [entryId], weight });
      return;
    }
    known.weight += weight;
    if (known.entryIds.at(-1) !== entryId) known.entryIds.push(entryId);
  }

  ranked(): Artifact[] {
    return [...this.#byText]
      .map(([text, { kind, entryIds, weight }]) => ({
        kind,
        text,
        entryIds: entryIds.slice(-entriesNamed),
        weight: Math.round(weight * 100) / 100,
      }))
      .sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  }
}

function collectFromPart(found: ArtifactTable, entry: Entry, part: Part, recency: number): void {
  switch (part.type) {
    case 'text':
      collectNames(found, part.text, entry.id, recency * mentionWeight[entry.role === 'user' ? 'user' : 'assistant']);
      collectNumbers(found, part.text, entry.id, recency);
      return;
    case 'tool_call':
      for (const text of argumentsOf(part.input)) {
        const weight = text.length <= longestSubject ? mentionWeight.input : mentionWeight.content;
        collectNames(found, text, entry.id, recency * weight);
      }
      return;
    case 'tool_result':
      collectNames(found, part.text.slice(0, searchedOfResult), entry.id, recency * mentionWeight.result);
      collectErrors(found, part.text.slice(0, searchedOfResult), part.isError, entry.id, recency);
      return;
    case 'reasoning':
    case 'image':
    case 'tool_definitions':
  }
}

function argumentsOf(input: unknown): string[] {
  return typeof input === 'object' && input !== null ? Object.values(input).map(inputText) : [inputText(input)];
}

const word = /[\w$@~./][\w$@~./-]*(?:\(\))?/g;

function collectNames(found: ArtifactTable, text: string, entryId: string, weight: number): void {
  for (const [raw] of text.matchAll(word)) {
    if (raw.length > longestName) continue;
    const name = raw.replace(/[./-]+$/, '');
    const kind = nameKind(name);
    if (kind) found.add(kind, name, entryId, weight);
  }
}

const testName = /(?:[._-](?:test|spec)\.\w+|^test_\w+|^Test[A-Z]\w+)$/;
const fileExtension =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|svelte|vue|html?|s?css|json[lc]?|ya?ml|toml|ini|md|txt|sh|sql|lock|env|xml|proto|gradle)$/i;
const path = /^(?:~?\/|\.{1,2}\/)?[\w$@.~-]+(?:\/[\w$@.~-]+)+$/;
const identifier = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$/;
const looksNamed = /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|\(\)$|^[A-Z][a-z]+[A-Z]/;

/** Whether a word is a name of its own rather than plain language, and of what. */
function nameKind(name: string): ArtifactKind | null {
  if (name.length < 4 || /^\.[\w]*$/.test(name)) return null;
  if (testName.test(name)) return 'test';
  if (fileExtension.test(name)) return 'file';
  if (path.test(name)) return /[A-Za-z]{2}/.test(name) && !/^\d/.test(name) ? 'file' : null;
  return identifier.test(name) && looksNamed.test(name) ? 'identifier' : null;
}

/** The look-behind and the bound keep a long list of digits from being tried anew at every digit. */
const quantity = /(?<![\w.,])\d[\d.,]{0,30}\s?(?:%|ms|kb|mb|gb|k|px|tokens|lines|seconds|minutes|tests)(?!\w)/gi;

function collectNumbers(found: ArtifactTable, text: string, entryId: string, weight: number): void {
  for (const [number] of text.matchAll(quantity)) found.add('number', number, entryId, weight);
}

const errorLine =
  /\b(?:error|exception|panic|fatal|traceback|failed|failure|cannot|denied|undefined reference|not found|no such file|E[A-Z]{4,})\b/i;
const errorLinesOfResult = 3;
const longestErrorLine = 200;

function collectErrors(found: ArtifactTable, text: string, isError: boolean, entryId: string, weight: number): void {
  for (const line of errorLines(text, isError)) found.add('error', line, entryId, weight * mentionWeight.assistant);
}

/** The lines of a tool result that say what went wrong; of a failed call the first line in any case. */
export function errorLines(text: string, isError: boolean): string[] {
  const lines = text.split('\n').map((line) => line.trim().slice(0, longestErrorLine));
  const telling = lines.filter((line) => errorLine.test(line) && line.length > 6);
  const fallback = isError ? lines.filter((line) => line !== '').slice(0, 1) : [];
  return (isError && telling.length > 0 ? telling : fallback).slice(0, errorLinesOfResult);
}

/** A command that failed behind a pipe reports no failure, but its output tells of one. */
export function problemLine(text: string): string | undefined {
  return text
    .slice(0, searchedOfResult)
    .split('\n')
    .map((line) => line.trim().slice(0, longestErrorLine))
    .find(
      (line) =>
        /\b(?:error|failed|exception|panic|fatal|traceback)\b/i.test(line) &&
        !/\b(?:0|no) (?:errors?|failed)\b/i.test(line),
    );
}

function collectDirections(found: ArtifactTable, entry: Entry, recency: number): void {
  for (const sentence of sentencesOf(textOf(entry.parts))) {
    if (isCode(sentence)) continue;
    const kind = isConstraint(sentence) ? 'constraint' : 'direction';
    found.add(kind, sentence, entry.id, recency * mentionWeight.user);
  }
}
