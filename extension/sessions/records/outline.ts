import type { SessionBuilder, SessionOutline } from '../adapter';
import { fillOf } from './fill';

/** The summary of a file from its first and last lines. */
export function outlineOf(builder: SessionBuilder, head: readonly string[], tail: readonly string[]): SessionOutline {
  for (const [index, text] of [...head, ...tail].entries()) builder.accept({ number: index + 1, text });
  const session = builder.session();
  const { id, cwd, title, awaitsReply, branch } = session;
  const fill = fillOf(session);
  return {
    ...{ id, cwd, title, awaitsReply },
    ...(branch === undefined ? {} : { branch }),
    ...(fill === null ? {} : { fill }),
  };
}
