import type { AgentId } from '../../extension/sessions/session';
import type { Toolbox } from './server/script';
import type { Utterance } from './wire/utterance';

/** How one agent is installed, set up and run. */
export interface Agent {
  readonly id: AgentId;
  /** As the registry names it, and the version that these tests are about. */
  readonly packageName: string;
  readonly version: string;
  /** The program in the package's `.bin`. */
  readonly program: string;
  /** For packages whose dependencies cannot all be installed: a program in them that runs alone, and what it needs. */
  readonly bundle?: { readonly program: string; readonly dependencies: Readonly<Record<string, string>> };
  tools(place: Place): Toolbox;
  /** What stands in its home before the first run, by path from there. */
  files(place: Place): Readonly<Record<string, string>>;
  variables(place: Place): Readonly<Record<string, string>>;
  /** Runs before the first prompt, where files alone do not set it up. */
  settle?(place: Place): Command;
  /** Begins a session. */
  prompt(text: string): Command;
  /** Goes on with one. Absent where that takes a terminal: then one run has to show everything. */
  resume?(session: SessionName, text: string): Command;
  /** Has the agent compact by itself: at a command, or with a prompt. */
  compact?(session: SessionName): Command;
  /** It compacts where the reply before it told of a context that is nearly full. */
  readonly compactsWhenFull?: true;
  /** What the agent sends, less what no file of it tells: words that it puts around a summary, say. */
  asKept?(said: readonly Utterance[]): readonly Utterance[];
  /** What Strata shows, less what it shows on purpose otherwise than it is sent. */
  asShown?(said: readonly Utterance[]): readonly Utterance[];
}

/** Where an agent runs: folders of its own, and the scripted model. */
export interface Place {
  readonly home: string;
  readonly folder: string;
  /** Of the server, without a path. */
  readonly address: string;
}

export interface SessionName {
  readonly id: string;
  /** Its address. */
  readonly file: string;
}

export interface Command {
  readonly words: readonly string[];
  /** What comes on its standard input, which is closed once the output matches `until`, or at once. */
  readonly input?: { readonly text: string; readonly until?: RegExp };
}

/** For agents that compact of themselves when their context is nearly full. */
export const compactingPrompt = 'TOOLS=0 go on after compacting';
