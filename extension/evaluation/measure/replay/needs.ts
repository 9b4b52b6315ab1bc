import { isPrompt, textOf } from '../../../engine/conversation/entry';
import { VerbatimText } from '../../../engine/language/verbatim';
import type { Boundary } from './boundaries';
import { NameIndex, namesIn, textOfMessages, usedBy } from './names';

/** What the work after a boundary needed from the replaced entries. */
export interface Needs {
  readonly names: readonly string[];
  readonly messages: readonly string[];
}

/** Names from the replaced entries that the following work used, and the person's messages there. */
export function needsOf({ replaced, after }: Boundary): Needs {
  const known = new NameIndex(textOfMessages(replaced));
  const said = replaced.filter(isPrompt).map(({ parts }) => textOf(parts).trim());
  return {
    names: [...namesIn(usedBy(after, { written: false }))].filter((name) => known.holds(name)),
    messages: [...new Set(said)].filter((text) => text !== ''),
  };
}

/** The needs that a text keeps: names that it has, and messages that stand in it word for word. */
export function findHeld(text: string, { names, messages }: Needs): Needs {
  const index = new NameIndex(text);
  const said = new VerbatimText(text);
  return {
    names: names.filter((name) => index.holds(name)),
    messages: messages.filter((message) => said.fateOf(message) === 'whole'),
  };
}
