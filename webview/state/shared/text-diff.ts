import { diffArrays, diffWordsWithSpace } from 'diff';

export type DiffLayout = 'inline' | 'side-by-side';

export interface TextChange {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** `words` compares word by word; `paragraphs` only within paragraphs that changed; `whole` gave up comparing. */
interface TextDiff {
  readonly precision: 'words' | 'paragraphs' | 'whole';
  readonly changes: readonly TextChange[];
}

/** Maximum characters for a word diff of the whole text; a longer one takes seconds and would freeze the panel. */
const wholeTextLimit = 60_000;
/** Maximum milliseconds for which one diff may block the panel. */
const patience = 300;

export function diffTexts(before: string, after: string): TextDiff {
  if (before.length + after.length <= wholeTextLimit) {
    const words = diffWords(before, after, patience);
    if (words) return { precision: 'words', changes: readable(words) };
  }
  const paragraphs = diffParagraphs(before, after);
  if (paragraphs) return { precision: 'paragraphs', changes: readable(paragraphs) };
  return { precision: 'whole', changes: replaced(before, after) };
}

function diffWords(before: string, after: string, timeout: number): TextChange[] | null {
  const changes = diffWordsWithSpace(before, after, { timeout });
  if (!changes) return null;
  return changes.map(({ added, removed, value }) => ({ kind: changeKind(added, removed), text: value }));
}

function diffParagraphs(before: string, after: string): TextChange[] | null {
  const changes = diffArrays(paragraphsOf(before), paragraphsOf(after), { timeout: patience });
  if (!changes) return null;
  const result: TextChange[] = [];
  for (const { added, removed, value } of changes) {
    const change: TextChange = { kind: changeKind(added, removed), text: value.join('') };
    const last = result.at(-1);
    if (change.kind === 'added' && last?.kind === 'removed') {
      result.pop();
      result.push(...refined(last.text, change.text));
    } else result.push(change);
  }
  return result;
}

/** A changed paragraph is compared by words when it is short enough to be a rewording and not a replacement. */
function refined(before: string, after: string): TextChange[] {
  const rewordingLimit = 4_000;
  if (before.length + after.length > rewordingLimit) return replaced(before, after);
  return diffWords(before, after, patience / 10) ?? replaced(before, after);
}

/** Text shared between two changes, with the size of the change on either side. */
interface Island {
  removed: string;
  added: string;
  /** Text after the change. */
  same: string;
}

/**
 * Unrelated texts still share words such as "the". A shared part counts only if it is longer than a change next to it;
 * otherwise it is merged into them, so that whole sentences are shown as removed and added. No character is lost.
 */
function readable(changes: readonly TextChange[]): TextChange[] {
  const islands: Island[] = [];
  for (const change of changes) {
    pushChange(islands, change);
    if (change.kind === 'same') absorb(islands);
  }
  return islands.flatMap(({ removed, added, same }) => [
    ...replaced(removed, added),
    ...(same === '' ? [] : [{ kind: 'same' as const, text: same }]),
  ]);
}

function pushChange(islands: Island[], { kind, text }: TextChange): void {
  const last = islands.at(-1);
  const island = last && last.same === '' ? last : { removed: '', added: '', same: '' };
  if (island !== last) islands.push(island);
  island[kind] += text;
}

/** Merges the shared text before the newest one into the changes on both sides if it is not longer than either. */
function absorb(islands: Island[]): void {
  for (let last = islands.at(-1), before = islands.at(-2); last && before; before = islands.at(-2)) {
    const isCrumb = before.same.length <= weight(before) && before.same.length <= weight(last);
    if (!isCrumb) return;
    before.removed += before.same + last.removed;
    before.added += before.same + last.added;
    before.same = last.same;
    islands.pop();
    last = before;
  }
}

function weight({ removed, added }: Island): number {
  return Math.max(removed.length, added.length);
}

function paragraphsOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function replaced(before: string, after: string): TextChange[] {
  const changes: TextChange[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return changes.filter(({ text }) => text !== '');
}

function changeKind(added: boolean, removed: boolean): TextChange['kind'] {
  if (added) return 'added';
  return removed ? 'removed' : 'same';
}

/** Placeholder for the middle of a long unchanged or removed part until the user expands it. */
interface Fold {
  readonly kind: 'fold';
  readonly change: TextChange;
  /** Number of characters. */
  readonly hidden: number;
}

/**
 * Folds a long part to its start and its end, because a removed transcript would bury everything after it. Added text
 * is the block itself and is never folded.
 */
export function foldChange(change: TextChange): (TextChange | Fold)[] {
  const longest = 2_000;
  const shown = 500;
  const { kind, text } = change;
  if (kind === 'added' || text.length <= longest) return [change];
  const headEnd = wordEnd(text, shown);
  const tailStart = wordEnd(text, text.length - shown);
  return [
    { kind, text: text.slice(0, headEnd) },
    { kind: 'fold', change, hidden: tailStart - headEnd },
    { kind, text: text.slice(tailStart) },
  ];
}

/** The next space if one is near; otherwise the cut falls within the word. */
function wordEnd(text: string, position: number): number {
  const near = 40;
  const space = text.slice(position, position + near).search(/\s/);
  return space < 0 ? position : position + space;
}
