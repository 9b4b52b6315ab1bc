import { count, omissionOf } from '../../engine/block/omission';
import { commonFolder, type FileWork, workByFile } from '../../engine/ledger/files';
import { isTemporary } from '../../engine/ledger/shell-acts';
import type { ToolStep } from '../../engine/ledger/steps';
import type { Room } from './room';

/** The symbols that are named of one file. */
const mostSymbols = 6;

/** Maximum number of files that were only read; they matter least. */
const mostRead = 15;

/** Lists the acts on files, newest first, as far as there is room. */
export function filesPart(steps: readonly ToolStep[], room: Room): string[] {
  const touched = workByFile(steps).reverse();
  const paths = touched.map(({ path }) => path);
  // A path without a folder is one of the project, and the common folder may be another one.
  const root = paths.every(isAbsolute) ? commonFolder(paths) : '';
  // Files of the project come before scratch files elsewhere.
  const files = touched.toSorted((one, other) => Number(isOutside(root, one)) - Number(isOutside(root, other)));
  const heading = root === '' ? '## Files, newest first' : `## Files, newest first, in ${root}`;
  const groups: readonly (readonly [label: string, files: readonly FileWork[], line: (file: FileWork) => string])[] = [
    ['Created', files.filter((file) => file.isCreated && isChanged(file)), edits],
    ['Edited', files.filter((file) => !file.isCreated && isChanged(file) && !isByCommandsAlone(file)), edits],
    ['Written by commands', files.filter((file) => !file.isCreated && isByCommandsAlone(file)), edits],
    ['Moved', files.filter(({ movedTo }) => movedTo !== null), (file) => ` → ${relativeTo(root, file.movedTo ?? '')}`],
    ['Deleted', files.filter(({ isDeleted, path }) => isDeleted && !isTemporary(path)), () => ''],
    [
      'Could not be changed',
      files.filter((file) => file.problem !== null && !isChanged(file) && !file.isDeleted),
      failed,
    ],
    [
      'Only read',
      files.filter(
        (file) =>
          !isChanged(file) && !file.isDeleted && file.movedTo === null && file.problem === null && file.reads > 0,
      ),
      () => '',
    ],
  ];
  if (groups.every(([, members]) => members.length === 0) || !room.take([heading])) return [];
  const lines = groups.flatMap(([label, members, more]) => {
    const most = label === 'Only read' ? mostRead : Number.POSITIVE_INFINITY;
    return listed(label, members, (file) => `${relativeTo(root, file.path)}${more(file)}`, most, room);
  });
  return lines.length === 0 ? [] : [heading, ...lines];
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:)/.test(path);
}

function isOutside(root: string, { path }: FileWork): boolean {
  return root !== '' && isAbsolute(path) && !path.startsWith(root);
}

function isChanged({ changes, isDeleted }: FileWork): boolean {
  return changes > 0 && !isDeleted;
}

function isByCommandsAlone(file: FileWork): boolean {
  return isChanged(file) && file.byCommand === file.changes;
}

function edits({ changes, symbols, problem }: FileWork): string {
  const times = changes > 1 ? ` ×${changes}` : '';
  const named = symbols.slice(0, mostSymbols).join(', ');
  const last = problem === null ? '' : `, last change failed: ${problem}`;
  return `${times}${named === '' ? '' : ` (${named})`}${last}`;
}

function failed({ problem }: FileWork): string {
  return `: ${problem}`;
}

function relativeTo(root: string, path: string): string {
  return root !== '' && path.startsWith(root) ? path.slice(root.length) : path;
}

/** One line, with as many members as there is room for, and the number of the others. */
function listed<T>(
  label: string,
  members: readonly T[],
  text: (member: T) => string,
  most: number,
  room: Room,
): string[] {
  if (members.length === 0) return [];
  const shown = members.slice(0, most).map(text);
  for (let number = shown.length; number > 0; number = Math.floor(number * 0.7)) {
    const missing = members.length - number;
    const rest = missing === 0 ? '' : `; ${omissionOf(count(missing, 'file'))}`;
    const line = `- ${label}: ${shown.slice(0, number).join('; ')}${rest}`;
    if (room.take([line])) return [line];
  }
  return [];
}
