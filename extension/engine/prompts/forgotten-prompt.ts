import { omission } from '../block/omission';

/** Losses of an agent by its own compaction, in the order in which the prompt lists them. */
export const forgottenKinds = ['message', 'open', 'file'] as const;

export type ForgottenKind = (typeof forgottenKinds)[number];

/** A message of the person, an open item or a changed file that the agent's context no longer has. */
export interface Forgotten {
  /** Names this item among the others. */
  readonly key: string;
  readonly kind: ForgottenKind;
  /** A message word for word; a to-do item, a failing check, or a path. */
  readonly text: string;
  readonly entryId: string;
}

const opening = 'Your context was compacted, and it no longer has the following. It is from before the compaction.';

const closing = 'Keep to this where later messages and the files do not say otherwise, and go on with the work.';

const headings: Readonly<Record<ForgottenKind, string>> = {
  message: 'I said, word for word:',
  open: 'Open at that time:',
  file: 'Files that you changed:',
};

/** In characters: a longer message is shortened in the middle. */
const longestMessage = 2000;

/** A prompt that lets an agent continue. `forgotten` is not empty. */
export function forgottenPrompt(forgotten: readonly Forgotten[]): string {
  const groups = forgottenKinds.flatMap((kind) => {
    const lines = forgotten.filter((one) => one.kind === kind).map(lineOf);
    return lines.length === 0 ? [] : [[headings[kind], ...lines].join('\n')];
  });
  return [opening, ...groups, closing].join('\n\n');
}

function lineOf({ kind, text }: Forgotten): string {
  return kind === 'message' ? `- ${shortened(text).replace(/\n/g, '\n  ')}` : `- ${text}`;
}

function shortened(text: string): string {
  if (text.length <= longestMessage) return text;
  const half = longestMessage / 2;
  return `${text.slice(0, half)}\n${omission(text.length - longestMessage)}\n${text.slice(-half)}`.toWellFormed();
}
