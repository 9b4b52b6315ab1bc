import { OperationRefused } from '../../engine/journal/operation-refused';
import type { TextFile } from './agent-setup';

/** A file of Strata's own is written as a whole; one that somebody else wrote is refused. */
export function withText(text: string, edit: TextFile): string {
  if (text.trim() === '' || text === edit.text) return edit.text;
  throw new OperationRefused('{0} is there already, and Strata did not write it. Rename or remove it first.', [
    edit.file,
  ]);
}

/** Nothing, unless somebody has changed the file: then it is theirs. */
export function withoutText(text: string, edit: TextFile): string {
  return text === edit.text ? '' : text;
}
