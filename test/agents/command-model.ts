import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { presets } from '../../extension/models/command/presets';
import type { Agent } from './agent';

export function presetOf({ program }: Agent) {
  const preset = presets.find((known) => known.program === program);
  if (!preset) throw new Error(`There is no preset for ${program}`);
  return preset;
}

/** Represents the person's key. Agents get it instead of the key that the scripted model accepts. */
export const secret = 'key-that-nobody-may-see-4c1d';

export function withSecret(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(known.map(([name, value]) => [name, /API_KEY$/.test(name ?? '') ? secret : value]));
}

/** The files in which the agents keep sessions, each with a hash of its content. */
export function sessionFiles(home: string): string[] {
  const folders = [
    '.claude/projects',
    '.codex/sessions',
    '.local/share/opencode/storage',
    '.gemini/tmp',
    '.qwen/projects',
    '.pi/agent/sessions',
    '.cline/data/sessions',
    '.copilot/session-state',
  ];
  return folders
    .map((name) => join(home, name))
    .filter((name) => existsSync(name))
    .flatMap((name) => readdirSync(name, { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)))
    .filter((file) => statSync(file).isFile())
    .map((file) => `${relative(home, file)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
    .sort();
}

/** The command lines of the program while it runs, as other users of the machine could see them. */
export function watchArguments(program: string): { end(): string[] } {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const line = commandLineOf(pid);
      if (line.includes(program) && !/strata\.js|vitest/.test(line)) seen.add(line);
    }
  }, 50);
  return {
    end() {
      clearInterval(timer);
      return [...seen];
    },
  };
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Length of a piece in UTF-16 units. */
const pieceLength = 30;

/**
 * The pieces of the session, and the key, that appear in these command lines. A program that renames itself fills the
 * rest of its command line with spaces.
 */
export function leaksIn(lines: readonly string[], session: string): string[] {
  const text = readFileSync(session, 'utf8').replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return lines.flatMap((line) => {
    const pieces = Array.from({ length: Math.max(0, line.length - pieceLength + 1) }, (_, at) =>
      line.slice(at, at + pieceLength),
    ).filter((piece) => piece.trim() !== '');
    return [...pieces.filter((piece) => text.includes(piece)), ...(line.includes(secret) ? [secret] : [])];
  });
}
