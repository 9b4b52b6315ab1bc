import { type Forgotten, type ForgottenKind, forgottenKinds } from '../language/forgotten';

const opening =
  'Your context was compacted, and it no longer says the following. The words in quotation marks are from before the compaction, word for word.';

const closing = 'Keep to this where later messages and the files do not say otherwise, and go on with the work.';

const headings: Readonly<Record<ForgottenKind, string>> = {
  goal: 'What I want:',
  rule: 'Rules that I gave:',
  request: 'What I said last before the compaction:',
  decision: 'What was decided:',
  finding: 'What you found:',
  open: 'What was open:',
};

/** A prompt by which an agent goes on: grouped, and each quotation with who said it. `forgotten` is not empty. */
export function forgottenPrompt(forgotten: readonly Forgotten[]): string {
  const groups = forgottenKinds.flatMap((kind) => {
    const lines = forgotten.filter((one) => one.kind === kind).map(lineOf);
    return lines.length === 0 ? [] : [[headings[kind], ...lines].join('\n')];
  });
  return [opening, ...groups, closing].join('\n\n');
}

function lineOf({ source, text, reason }: Forgotten): string {
  switch (source) {
    case 'person':
      return `- I said: “${text}”`;
    case 'agent':
      return `- You said: “${text}”`;
    case 'plan':
      return `- On your to-do list: “${text}”`;
    case 'command':
      return reason === null
        ? `- This command failed: \`${text}\``
        : `- This command failed: \`${text}\` with “${reason}”`;
  }
}
