import { LineMender } from '../../platform/lines/line-mender';
import type { SessionBuilder, SessionOutline } from '../adapter';
import type { ParsedSession } from '../session';
import { fillOf } from './fill';

/** The summary of a file from its first and last lines. */
export function outlineOf(builder: SessionBuilder, head: readonly string[], tail: readonly string[]): SessionOutline {
  const lines = [...head, ...tail].map((text, index) => ({ number: index + 1, text }));
  for (const line of new LineMender().take({ lines, faults: [] }).lines) builder.accept(line);
  return outlineFields(builder.session());
}

/** What a list shows of a session that was parsed, whole or in part. */
export function outlineFields(session: ParsedSession): SessionOutline {
  const { id, cwd, title, awaitsReply, branch } = session;
  const fill = fillOf(session);
  return {
    ...{ id, cwd, title, awaitsReply },
    ...(branch === undefined ? {} : { branch }),
    ...(fill === null ? {} : { fill }),
    ...(session.predecessor?.byStrata ? { isFork: true } : {}),
  };
}
