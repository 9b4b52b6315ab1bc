import { type ChildProcess, spawn } from 'node:child_process';

export interface Terminal {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly variables: NodeJS.ProcessEnv;
}

/** What a person does in a terminal: types once this was shown. */
export interface Typed {
  readonly after: RegExp;
  readonly keys: string;
}

const patience = 90_000;
/** Programs take keys that come all at once for pasted text. In milliseconds. */
const pause = 1500;

/** Runs a program in a terminal, types, and ends it once `until` was shown after that. Needs `script` of util-linux. */
export async function inTerminal(terminal: Terminal, typed: readonly Typed[], until: RegExp): Promise<string> {
  const { program, words, folder, variables } = terminal;
  const line = ['stty cols 140 rows 50;', ...[program, ...words].map(quoted)].join(' ');
  const { CI: _, ...rest } = variables;
  const env = { ...rest, TERM: 'xterm-256color' };
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: folder, env, detached: true });
  try {
    return await shown(child, [...typed, { after: until, keys: '' }]);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  }
}

function shown(child: ChildProcess, steps: readonly Typed[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, seen, step] = ['', 0, 0];
    const told = (why: string) => new Error(`${why}, waiting for ${steps[step]?.after}:\n${output.slice(-3000)}`);
    const timer = setTimeout(() => reject(told('Nothing came')), patience);
    child.on('error', reject);
    child.on('exit', () => reject(told('It ended')));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += plain(chunk.toString());
      for (let next = steps[step]; next?.after.test(output.slice(seen)); next = steps[step]) {
        seen = output.length;
        step += 1;
        setTimeout(() => child.stdin?.write(next.keys), pause);
      }
      if (step < steps.length) return;
      clearTimeout(timer);
      resolve(output);
    });
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Without what moves and colours; programs move over spaces. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
  return text.replace(/\u001b\][^\u0007]*\u0007/g, '').replace(/\u001b\[[0-9;?>]*[A-Za-z]/g, ' ');
}
