import * as v from 'valibot';
import { request, result } from './request.ts';

/** Strata in one agent that was found on this machine. */
export interface AgentSetupView {
  readonly agent: string;
  readonly name: string;
  /** Its configuration folder. */
  readonly folder: string;
  /**
   * `set-up`: what is installed answered. `silent`: it is set up, and does not answer. `other`: it is set up, but not as this
   * version of Strata does it, or it was changed since.
   */
  readonly state: 'none' | 'set-up' | 'silent' | 'other';
  /** Describes in one sentence the abilities of Strata inside this agent. */
  readonly reach: string;
  /** The changes that setting it up would make; once it is set up, the changes that were made. */
  readonly files: readonly SetupFileView[];
  /** Why it cannot be set up; null if it can. */
  readonly problem: string | null;
  /** Its program was found, so it can be asked whether it sees Strata. */
  readonly canCheck: boolean;
}

export interface SetupFileView {
  readonly file: string;
  readonly change: 'new' | 'changed' | 'removed' | 'written';
}

export interface SetupOutcomeView {
  readonly text: string;
  readonly isGood: boolean;
}

/** The result of an action. `outcome` is null if the person cancelled it. */
export interface SetupResult {
  readonly agents: readonly AgentSetupView[];
  readonly outcome: SetupOutcomeView | null;
}

export const agentSetupRequests = {
  'list-agents': request({}, result<readonly AgentSetupView[]>()),
  /** Opens a planned change in a diff editor, and an unchanged file in an editor. */
  'show-setup-file': request({ agent: v.string(), file: v.string() }),
  /** Shows every change in a diff editor and asks before anything is written. The agent then checks the setup. */
  'set-up-agent': request({ agent: v.string() }, result<SetupResult>()),
  'remove-from-agent': request({ agent: v.string() }, result<SetupResult>()),
  'check-agent': request({ agent: v.string() }, result<SetupResult>()),
};
