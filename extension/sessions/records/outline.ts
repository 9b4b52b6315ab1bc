import type { SessionBuilder, SessionOutline } from '../adapter';

/** What the first and last lines of a file tell, read as if there were nothing between them. */
export function outlineOf(builder: SessionBuilder, head: readonly string[], tail: readonly string[]): SessionOutline {
  for (const [index, text] of [...head, ...tail].entries()) builder.accept({ number: index + 1, text });
  const { id, cwd, title, awaitsReply } = builder.session();
  return { id, cwd, title, awaitsReply };
}
