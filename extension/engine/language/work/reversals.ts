import { oneLine } from '../../conversation/text';
import { subjectOf } from '../../conversation/tool-subject';
import { type Exchange, exchangesOf } from '../../ledger/changes';
import type { FileWork } from '../../ledger/files';
import type { ToolStep } from '../../ledger/steps';

/** Something that was done and taken back: a way that was given up. */
export interface Reversal {
  readonly file: string;
  /** `edit`: put back as it was. `file`: created here and deleted again. `discard`: thrown away by git. */
  readonly kind: 'edit' | 'file' | 'discard';
  /** The text that was tried, for an edit. */
  readonly tried: string;
  readonly entryId: string;
  readonly at: number;
}

/** Shorter texts are put back by chance. */
const minTextLength = 24;

/** Ways that were given up, by the structure of the work alone, in order. */
export function reversalsIn(steps: readonly ToolStep[], files: readonly FileWork[]): Reversal[] {
  return [...editsPutBack(steps), ...discarded(steps), ...filesTakenBack(files)].sort((a, b) => a.at - b.at);
}

function editsPutBack(steps: readonly ToolStep[]): Reversal[] {
  const made = new Map<string, Exchange>();
  const found: Reversal[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'change' || step.problem !== null || step.result === null) continue;
    for (const exchange of exchangesOf(step.call)) {
      const { file, before, after } = exchange;
      if (Math.max(before.length, after.length) < minTextLength) continue;
      const tried = made.get(keyOf(file, after, before));
      const [entryId = ''] = step.entryIds;
      if (tried !== undefined) found.push({ file, kind: 'edit', tried: differing(tried), entryId, at });
      made.set(keyOf(file, before, after), exchange);
    }
  }
  return found;
}

function keyOf(file: string, before: string, after: string): string {
  return [file, oneLine(before), oneLine(after)].join('\n');
}

/** The first line that an exchange brought in. */
function differing({ before, after }: Exchange): string {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  return after.split('\n').find((line) => line.trim() !== '' && !known.has(line.trim())) ?? '';
}

const discarding = /\bgit\s+(?:checkout\s+(?:\S+\s+)?--|restore(?!\s+--staged)|revert)\s+([^&;|<>]+)/g;

function discarded(steps: readonly ToolStep[]): Reversal[] {
  const edited = new Set<string>();
  return steps.flatMap((step, at) => {
    for (const { file } of step.kind === 'change' ? exchangesOf(step.call) : []) edited.add(file);
    if (step.kind !== 'run' || step.problem !== null || step.result === null) return [];
    const [entryId = ''] = step.entryIds;
    const named = [...subjectOf(step.call).matchAll(discarding)].flatMap(([, files = '']) => files.trim().split(/\s+/));
    return named.flatMap((name) => {
      const file = [...edited].find((path) => path === name || path.endsWith(`/${name}`));
      return file === undefined ? [] : [{ file, kind: 'discard' as const, tried: '', entryId, at }];
    });
  });
}

function filesTakenBack(files: readonly FileWork[]): Reversal[] {
  return files
    .filter(({ isCreated, isDeleted, changes, path }) => isCreated && isDeleted && changes > 0 && !isTemporary(path))
    .map(({ path, entryId, at }) => ({ file: path, kind: 'file', tried: '', entryId, at }));
}

/** Scratch files are deleted as a matter of course. */
export function isTemporary(path: string): boolean {
  return /(?:^|[\\/])(?:tmp|temp|scratch\w*)[\\/]|\.(?:log|tmp|bak)$/i.test(path);
}
