import { OperationRefused } from '../../engine/journal/operation-refused';
import type { ConfigurationEdit, TextFile } from './agent-setup';
import { withJson, withoutJson } from './edit-json';
import { withoutToml, withToml } from './edit-toml';

const byteOrderMark = '\uFEFF';

export function withEdits(text: string, edits: readonly ConfigurationEdit[]): string {
  return keepingMark(text, (body) => edits.reduce((edited, edit) => withEdit(edited, edit), body));
}

function withEdit(text: string, edit: ConfigurationEdit): string {
  if (edit.kind === 'text-file') return withText(text, edit);
  return edit.kind === 'toml-table' ? withToml(text, edit) : withJson(text, edit);
}

/**
 * Removes edits from a text that the person or the agent has changed since. If the added text is unchanged, exactly that text is removed.
 */
export function withoutEdits(text: string, edits: readonly ConfigurationEdit[], change: Change): string {
  const added = addition(change);
  const cut = added !== '' && text.split(added).length === 2 ? text.replace(added, () => '') : null;
  return cut !== null && isWithout(cut, edits, change) ? cut : structurallyWithout(text, edits, change);
}

function isWithout(text: string, edits: readonly ConfigurationEdit[], change: Change): boolean {
  try {
    return structurallyWithout(text, edits, change) === text;
  } catch (error) {
    if (error instanceof OperationRefused) return false;
    throw error;
  }
}

function structurallyWithout(text: string, edits: readonly ConfigurationEdit[], { before }: Change): string {
  return keepingMark(text, (body) =>
    edits.reduceRight((edited, edit) => {
      if (edited.trim() === '') return edited;
      // A file that was changed since stays.
      if (edit.kind === 'text-file') return edited === edit.text ? '' : edited;
      return edit.kind === 'toml-table' ? withoutToml(edited, edit) : withoutJson(edited, edit, before);
    }, body),
  );
}

/** The parts of a file before and after Strata's edits. */
interface Change {
  readonly before: string;
  readonly after: string;
}

/** The added text if nothing was removed; otherwise empty. */
function addition({ before, after }: Change): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  return before.slice(start) === after.slice(after.length - before.length + start)
    ? after.slice(start, after.length - before.length + start)
    : '';
}

function keepingMark(text: string, edit: (body: string) => string): string {
  return text.startsWith(byteOrderMark) ? byteOrderMark + edit(text.slice(1)) : edit(text);
}

/** Writes a complete file of Strata's own. Refuses to replace a file with other content. */
function withText(text: string, edit: TextFile): string {
  if (text.trim() === '' || text === edit.text) return edit.text;
  throw new OperationRefused('{0} already exists, and Strata did not write it. Rename or remove it first.', [
    edit.file,
  ]);
}
