import type { Workplace } from './workplace';

/** A program on this machine that answers one prompt: an agent's command, or the person's own command line. */
export interface ModelCommand {
  /** `custom` for the person's own command line, otherwise the id of a preset. */
  readonly id: string;
  /** Display name: “Claude Code”. */
  readonly name: string;
  /** Name on `PATH`, or a path. */
  readonly program: string;
  /** Its name in messages: `claude -p`. */
  readonly shown: string;
  /** The model that is used if the person chose none; null for the program's own choice. */
  readonly cheapestModel: string | null;
  /**
   * Tokens of input that the model accepts if the person chose none: the smallest window among the program's default models. Null if it is
   * not known.
   */
  readonly contextWindow: number | null;
  /** How the prompt reaches standard input. `named-pipe`: for programs that read nothing from a socket, as Node.js opens it. */
  readonly input: 'pipe' | 'named-pipe';
  /** `text`: standard output is the answer, as it streams. `json`: the program reports its answer at the end. */
  readonly output: 'text' | 'json';
  /** Arguments and additional environment for one run. May write files into the workplace. */
  prepare(run: CommandRun): Promise<Invocation>;
  /** Reads the whole output. */
  answerOf(output: string): CommandAnswer;
}

interface CommandRun {
  /** Null for the program's own choice. */
  readonly model: string | null;
  /** The role of the model, in one sentence that contains no text of the session. */
  readonly role: string;
  readonly place: Workplace;
}

interface Invocation {
  readonly args: readonly string[];
  /** Absent: none besides the process's own. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface CommandAnswer {
  readonly text: string;
  /** Null if the program reports none. Input includes cached tokens. */
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** Why the program failed, in its own words. */
  readonly problem: string | null;
}

/** The answer of a program whose output does not have its promised format. */
export const unreadable: CommandAnswer = { text: '', usage: null, problem: null };

export function plainAnswer(output: string): CommandAnswer {
  return { text: output.trim(), usage: null, problem: null };
}
