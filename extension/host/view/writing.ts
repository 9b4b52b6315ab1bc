import { canCompactInPlace, canFork } from '../../inspection/fork/forkable';
import { canResume } from '../../inspection/fork/resume';
import type { Inspection } from '../../inspection/inspection';
import type { WritingView } from '../../protocol/view';

/** Knows which sessions Strata wrote. */
export interface KnownForks {
  isFork(file: string): boolean;
}

export const nothingToWrite: WritingView = { fork: false, inPlace: false, resume: false, isFork: false };

/** Describes which sessions can be written for the open one now. */
export function writingView({ session, context }: Inspection, forks: KnownForks): WritingView {
  const { agent, file, live } = session;
  return {
    fork: canFork(agent),
    inPlace: canCompactInPlace(agent) && context.isChanged && !live,
    resume: canResume(session),
    isFork: forks.isFork(file),
  };
}
