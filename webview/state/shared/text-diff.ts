import { diffArrays, diffWordsWithSpace } from 'diff';

export interface TextChange {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** `words` compares word by word; `paragraphs` only within paragraphs that changed; `whole` gave up comparing. */
export interface TextDiff {
  readonly precision: 'words' | 'paragraphs' | 'whole';
  readonly changes: readonly TextChange[];
}

/** Above this many characters a word diff of the whole text takes seconds, which would freeze the panel. */
const wholeTextLimit = 60_000;
/** Milliseconds the panel may stand still for one diff. */
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

/** What two texts share between two changes, with how much changed on either side of it. */
interface Island {
  removed: string;
  added: string;
  /** Stands after the change. */
  same: string;
}

/**
 * Two texts on different things still share words like "the". What they share counts only where it is longer than the
 * changes around it; else it joins them, so that whole sentences read as removed and added. Neither text loses a
 * character by it.
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

/** Looks back from the newest shared text: the one before it is a crumb when the changes around it outweigh it. */
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

/** Stands in for the middle of a long run until a person asks for it. */
export interface Fold {
  readonly kind: 'fold';
  readonly change: TextChange;
  /** Characters. */
  readonly hidden: number;
}

/**
 * A long run keeps its beginning and its end; one removed transcript would bury everything after it. What was added is
 * the block itself, which is there to be read.
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

/** The next space, when one is near; long words are cut wherever they are. */
function wordEnd(text: string, position: number): number {
  const near = 40;
  const space = text.slice(position, position + near).search(/\s/);
  return space < 0 ? position : position + space;
}
