import { canCompactInPlace, canFork } from '../../inspection/fork/forkable';
import type { Inspection } from '../../inspection/inspection';
import type { WritingView } from '../../protocol/view';
import { adapterOf } from '../../sessions/adapters';

/** What is known of the sessions that Strata wrote. */
export interface KnownForks {
  isFork(file: string): boolean;
}

export const nothingToWrite: WritingView = { fork: false, inPlace: false, resume: false, isFork: false };

/** What can be written for the open session as it stands. */
export function writingView({ session, context }: Inspection, forks: KnownForks): WritingView {
  const { agent, file, live, parent } = session;
  const isChanged = context.messages.some(({ kind, block, pruned }) => kind === 'core' || block || pruned);
  return {
    fork: canFork(agent),
    inPlace: canCompactInPlace(agent) && isChanged && !live,
    // An agent goes on with what a person began, not with what it started by itself.
    resume: adapterOf(agent).resume !== undefined && parent === undefined,
    isFork: forks.isFork(file),
  };
}
