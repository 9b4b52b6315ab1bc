import type { AgentId } from '../../extension/sessions/session';
import type { Toolbox } from './server/script';
import type { Utterance } from './wire/utterance';

/** How one agent is installed, set up and run. */
export interface Agent {
  readonly id: AgentId;
  /** The package's name in the registry, and the version that these tests were written for. */
  readonly packageName: string;
  readonly version: string;
  /** The program in the package's `.bin`. */
  readonly program: string;
  /**
   * For packages whose dependencies cannot all be installed: a program in the package that runs by itself, and the
   * dependencies that it needs.
   */
  readonly bundle?: { readonly program: string; readonly dependencies: Readonly<Record<string, string>> };
  tools(place: Place): Toolbox;
  /** The files in the agent's home before the first run, by path from there. */
  files(place: Place): Readonly<Record<string, string>>;
  variables(place: Place): Readonly<Record<string, string>>;
  /** Runs before the first prompt, if files alone do not complete the setup. */
  settle?(place: Place): Command;
  /** Begins a session. */
  prompt(text: string): Command;
  /** Continues a session. Absent if that needs a terminal; then one run has to show everything. */
  resume?(session: SessionName, text: string): Command;
  /** Makes the agent compact by itself, by a command or by a prompt. */
  compact?(session: SessionName): Command;
  /** The agent compacts by itself after a reply that reports a nearly full context. */
  readonly compactsWhenFull?: true;
  /** Leaves out of the sent messages what none of the agent's files contains, such as words that it puts around a summary. */
  asKept?(said: readonly Utterance[]): readonly Utterance[];
  /** Leaves out of the shown messages what Strata deliberately shows differently from what is sent. */
  asShown?(said: readonly Utterance[]): readonly Utterance[];
}

/** Where an agent runs: its own folders, and the scripted model. */
export interface Place {
  readonly home: string;
  readonly folder: string;
  /** The server's address, without a path. */
  readonly address: string;
}

export interface SessionName {
  readonly id: string;
  /** The session's address. */
  readonly file: string;
}

export interface Command {
  readonly words: readonly string[];
  /**
   * Text for standard input, which is written once the output matches `until`, or at once. Then standard input is
   * closed.
   */
  readonly input?: { readonly text: string; readonly until?: RegExp };
}

/** The prompt for agents that compact by themselves when their context is nearly full. */
export const compactingPrompt = 'TOOLS=0 go on after compacting';
