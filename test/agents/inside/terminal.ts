import { type ChildProcess, spawn } from 'node:child_process';
import { Screen } from './screen';

export interface Terminal {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

/** A step of a person in a terminal: the keys are typed once this text was shown since the step before. */
export interface Typed {
  readonly after: RegExp;
  readonly keys: string;
}

const patience = 90_000;
/** Milliseconds to wait after the text was shown. Programs treat keys that come all at once as pasted text. */
export const pause = 1500;

/**
 * Runs a program in a terminal, types, and ends it once `until` was shown after that. `seen` gets the screen before the
 * keys of each step, and at the end. Needs `script` of util-linux.
 */
export async function inTerminal(
  terminal: Terminal,
  typed: readonly Typed[],
  until: RegExp,
  seen: (screen: Screen, step: number) => void = () => undefined,
): Promise<string> {
  const { program, words, folder, variables, columns = 140, rows = 50 } = terminal;
  const line = [`stty cols ${columns} rows ${rows};`, ...[program, ...words].map(quoted)].join(' ');
  const { CI: _, ...rest } = variables;
  const env = { ...rest, TERM: 'xterm-256color', COLUMNS: String(columns), LINES: String(rows) };
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: folder, env, detached: true });
  const screen = new Screen(columns, rows, (answer) => child.stdin?.write(answer));
  try {
    return await shown(child, screen, [...typed, { after: until, keys: '' }], seen);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  }
}

function shown(
  child: ChildProcess,
  screen: Screen,
  steps: readonly Typed[],
  seen: (screen: Screen, step: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let [step, before] = [0, 0];
    const told = (why: string) => new Error(`${why}, waiting for ${steps[step]?.after}:\n${screen.text.slice(-3000)}`);
    const timer = setTimeout(() => reject(told('Nothing came')), patience);
    const look = () => {
      const next = steps[step];
      if (next === undefined) return;
      const times = timesIn(screen.text, next.after);
      const isNew = times > before;
      // Text that was on the screen before may have scrolled out.
      before = Math.min(before, times);
      if (!isNew) return;
      const at = step;
      step += 1;
      const following = steps[step];
      before = following === undefined ? 0 : timesIn(screen.text, following.after);
      setTimeout(() => {
        seen(screen, at);
        child.stdin?.write(next.keys);
        if (following === undefined) resolve(screen.text);
      }, pause);
      if (following === undefined) clearTimeout(timer);
    };
    child.on('error', reject);
    child.on('exit', () => reject(told('It ended')));
    child.stdout?.on('data', (chunk: Buffer) => void screen.write(chunk).then(look));
  });
}

function timesIn(text: string, pattern: RegExp): number {
  return [...text.matchAll(new RegExp(pattern.source, 'g'))].length;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
