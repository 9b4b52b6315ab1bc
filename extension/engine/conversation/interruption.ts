import { type Entry, textOf } from './entry';

/** How agents note that the person stopped a turn: Claude Code, Codex, VS Code chat. */
const notes = /^\s*(?:\[Request interrupted by user|<turn_aborted>|\[This reply was cancelled\.\])/;

export function isInterruption(entry: Entry | undefined): boolean {
  return entry?.injected === true && notes.test(textOf(entry.parts));
}
