import type { LocalizableText } from '../../engine/wording/localizable-text';
import type { AgentEnvironment } from '../../platform/files/environment';
import type { Chance } from '../../sessions/fork/fork-format';
import type { AgentId } from '../../sessions/session';

/** A new session of the same agent, whose next request contains the shown context. */
export interface Fork {
  readonly agent: AgentId;
  readonly id: string;
  readonly file: string;
  /** The folder in which to start the agent. */
  readonly cwd: string | null;
  /** The words of the command that resumes it. */
  readonly command: readonly string[];
  /** The prompt before which the fork ends, to edit and send again. */
  readonly prompt: string | null;
  /** Problems that did not prevent the fork. */
  readonly notes: readonly LocalizableText[];
}

export interface ForkOrder {
  /** The id of a user prompt: the fork contains the conversation before it. Absent: everything. */
  readonly before?: string;
  /** Whether records that its agent could not read are repaired, so that nothing of a broken session is left out. */
  readonly mends?: boolean;
  /** A person confirmed that no agent is at work in the session, although it was written just now. */
  readonly isInterrupted?: boolean;
  readonly chance?: Chance;
  readonly environment?: AgentEnvironment;
}

/** In UTF-16 units. */
const longestTitle = 60;
const numbered = /^(.*) \(fork(?: (\d+))?\)$/su;

/** The title of a fork: that of its original with a mark, which counts where the original is a fork itself. */
export function forkTitle(title: string | null): string {
  const found = numbered.exec(title ?? '');
  const number = found === null ? 1 : Number(found[2] ?? 1) + 1;
  const base = (found?.[1] ?? title ?? '').slice(0, longestTitle).toWellFormed().trim();
  const mark = number === 1 ? '(fork)' : `(fork ${number})`;
  return base === '' ? mark : `${base} ${mark}`;
}
