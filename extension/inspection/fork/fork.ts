import type { AgentEnvironment } from '../../sessions/adapter';
import type { Chance } from '../../sessions/fork/fork-format';
import type { AgentId } from '../../sessions/session';

/** A new session of the same agent, whose next request holds what was shown. */
export interface Fork {
  readonly agent: AgentId;
  readonly id: string;
  readonly file: string;
  /** Where the agent has to be started. */
  readonly cwd: string | null;
  /** The words of the command that goes on with it. */
  readonly command: readonly string[];
  /** Of the turn that the fork ends before: for editing and sending again. */
  readonly prompt: string | null;
  /** What is not as it should be, though the fork was written. */
  readonly notes: readonly string[];
}

export interface ForkOrder {
  /** The id of a prompt of the person: the fork holds what was said before it. Absent: everything. */
  readonly before?: string;
  readonly chance?: Chance;
  readonly environment?: AgentEnvironment;
}
