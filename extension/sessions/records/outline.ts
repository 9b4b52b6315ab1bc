import type { SessionBuilder, SessionOutline } from '../adapter';
import { fillOf } from './fill';

/** What the first and last lines of a file tell, read as if there were nothing between them. */
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
