/** What a person puts back into a block. */
export interface LostPieces {
  /** Messages of the person, word for word. */
  readonly messages: readonly string[];
  readonly files: readonly string[];
  /** To-do items and failing checks. */
  readonly open: readonly string[];
}

const heading = '## Put back';

/** Appends all of these under one heading, whatever their length: a person asked for them. */
export function withPutBack(body: string, { messages, files, open }: LostPieces): string {
  const lines = [
    ...messages.flatMap((text) => [
      'User:',
      ...text
        .trim()
        .split('\n')
        .map((line) => `> ${line}`.trimEnd()),
    ]),
    ...(files.length === 0 ? [] : [`- Changed files: ${files.join('; ')}`]),
    ...open.map((text) => `- Open: ${text}`),
  ];
  if (lines.length === 0) return body;
  const end = body.trimEnd();
  return hasHeading(end) ? `${end}\n${lines.join('\n')}` : `${end}\n\n${heading}\n${lines.join('\n')}`;
}

/** Whether the last section is the one that takes what is put back. */
function hasHeading(body: string): boolean {
  const last = body.lastIndexOf('\n## ');
  return last !== -1 && body.startsWith(heading, last + 1);
}
