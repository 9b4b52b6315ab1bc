import type { ShellWord } from './command-line';
import { isAbsolute, type PlacedCommand, placedCommandsOf, within } from './placed-commands';
import { patchedFileIn, type ToolStep } from './steps';

/** An act of a command line on a file, according to its text. */
export type FileAct =
  /** `text` is the written text, as far as the line contains it. */
  | { readonly kind: 'written'; readonly path: string; readonly text: string; readonly isNew: boolean }
  /** A folder is deleted with everything in it. */
  | { readonly kind: 'deleted'; readonly path: string; readonly isFolder: boolean }
  | { readonly kind: 'moved'; readonly path: string; readonly to: string }
  /** Any other mention: a deleted file may exist again. */
  | { readonly kind: 'named'; readonly path: string };

/**
 * The files that a shell call changed, deleted or moved, according to its command line. Leaves out what depends on a
 * condition, a variable or a pattern, and for a failed line everything that did not certainly run.
 */
export function fileActsOf({ call, result, isRunning }: ToolStep): readonly FileAct[] {
  if (result === null || isRunning || shellComplains.test(result.text)) return [];
  const commands = placedCommandsOf(call);
  const ran = commands.filter(({ isConditional, isCertain }) => !isConditional && (isCertain || !result.isError));
  return [...ran.flatMap(actsOf), ...patchedIn(commands, result.text)];
}

/** Error messages of programs that change files. */
const shellComplains = /^(?:\S*\/)?(?:ba|z|da)?sh: |^(?:sed|perl|tee|mv|cp|rm|patch|unlink): /m;

function actsOf(command: PlacedCommand): FileAct[] {
  const { program, args, folder } = command;
  const [sub = '', rest, place] = program === 'git' ? gitCommand(args, folder) : ['', args, folder];
  const at = (word: ShellWord | undefined) => pathAt(place, word);
  const files = (words: readonly ShellWord[]) => operandsIn(words).flatMap((word) => at(word) ?? []);
  const written = (paths: readonly string[]) => paths.map((path): FileAct => wrote(path));
  const outputs = redirected(command);
  switch (sub === '' ? program : `git ${sub}`) {
    case 'rm':
    case 'unlink':
    case 'git rm':
      if (rest.some(({ text }) => text === '--cached')) return [];
      return files(rest).map((path) => ({ kind: 'deleted', path, isFolder: rest.some(isRecursive) }));
    case 'mv':
    case 'git mv':
      return moved(operandsIn(rest), place);
    case 'cp':
      return [...written(copies(operandsIn(rest), place, rest.some(isRecursive))), ...outputs];
    case 'sed':
    case 'perl':
      return [...(rest.some(isInPlace) ? written(edited(rest, at)) : []), ...outputs];
    case 'tee':
      return [...written(files(rest).filter((path) => !isCaptured(path))), ...outputs];
    case 'apply_patch':
      return patchActs(command.hereDocument ?? args[0]?.text ?? '', place);
    case 'patch':
    case 'git apply':
      return diffActs(command.hereDocument ?? '', place);
    default:
      return [...outputs, ...namedBy(program, rest, at)];
  }
}

function wrote(path: string, text = '', isNew = false): FileAct {
  return { kind: 'written', path, text, isNew };
}

function pathAt(folder: string | null, word: ShellWord | undefined): string | null {
  if (word === undefined || !word.isPlain || word.text === '' || word.text === '-' || /[\n\0]/.test(word.text))
    return null;
  return folder === null && !isAbsolute(word.text) ? null : within(folder ?? '', word.text);
}

/** The arguments that are not options. */
function operandsIn(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex(({ text }) => text === '--');
  if (end >= 0) return [...operandsIn(words.slice(0, end)), ...words.slice(end + 1)];
  return words.filter(({ text }) => !text.startsWith('-'));
}

function isRecursive({ text }: ShellWord): boolean {
  return /^-[a-zA-Z]*[rR]|^--recursive$/.test(text);
}

/** `-i`, alone or among other letters, with or without the ending of a copy. */
function isInPlace({ text }: ShellWord): boolean {
  return /^-[a-zA-Z0]*i(?:\.\S*)?$|^--in-place/.test(text);
}

/** The files of `sed -i` and `perl -i`: the first operand is the script, unless an option has it. */
function edited(words: readonly ShellWord[], at: (word: ShellWord) => string | null): string[] {
  const operands: ShellWord[] = [];
  let hasScript = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    if (/^-[a-zA-Z0]*[ef]$|^--(?:expression|file)$/.test(word.text)) {
      hasScript = true;
      index += 1;
    } else if (/^--(?:expression|file)=/.test(word.text)) hasScript = true;
    else if (word.text !== '' && !word.text.startsWith('-')) operands.push(word);
  }
  return operands.slice(hasScript ? 0 : 1).flatMap((word) => at(word) ?? []);
}

function moved(operands: readonly ShellWord[], folder: string | null): FileAct[] {
  const target = operands.at(-1);
  const to = pathAt(folder, target);
  const from = operands.slice(0, -1).flatMap((word) => pathAt(folder, word) ?? []);
  if (to === null || from.length !== operands.length - 1) return [];
  return from.map((path) => ({ kind: 'moved', path, to: from.length > 1 ? asFolder(to) : to }));
}

/** Where a file is after it was moved or copied. A target without an ending is a folder, unless the file has none either. */
export function targetOf(path: string, to: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isFolder = to.endsWith('/') || to === '' || (!hasEnding(to) && hasEnding(path));
  return isFolder ? within(to.replace(/\/$/, ''), name) : to;
}

function asFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function hasEnding(path: string): boolean {
  return /[^/]\.\w{1,12}$/.test(path);
}

/** A copied folder may contain any files. */
function copies(operands: readonly ShellWord[], folder: string | null, isFolder: boolean): string[] {
  const to = pathAt(folder, operands.at(-1));
  if (to === null || isFolder || operands.length < 2) return [];
  const target = operands.length > 2 ? asFolder(to) : to;
  return operands
    .slice(0, -1)
    .flatMap((word) => pathAt(folder, word) ?? [])
    .map((path) => targetOf(path, target))
    .filter((path) => !isTemporary(path));
}

const printing = /^(?:cat|echo|printf|)$/;

/** Files to which output is redirected. The output of other programs in a temporary file does not count as work. */
function redirected({ program, outputs, folder, hereDocument }: PlacedCommand): FileAct[] {
  const paths = outputs.flatMap((word) => pathAt(folder, word) ?? []).filter((path) => !isCaptured(path));
  const text = program === 'cat' ? (hereDocument ?? '') : '';
  return paths.filter((path) => printing.test(program) || !isTemporary(path)).map((path) => wrote(path, text));
}

export function isTemporary(path: string): boolean {
  return /^(?:\/private)?\/(?:tmp|dev|proc|var\/(?:tmp|folders))\//.test(path);
}

/** Captured output, logs and the like. */
function isCaptured(path: string): boolean {
  return (
    /^\/(?:dev|proc)\//.test(path) || /\.(?:log|out|err|pid)$/.test(path) || (isTemporary(path) && notes.test(path))
  );
}

const notes = /\.(?:txt|md|json|diff|patch|csv|html)$|\/[^/.]*$/;

function patchActs(patch: string, folder: string | null): FileAct[] {
  return patch.split(/^(?=\*\*\* (?:Update|Add|Delete) File: )/m).flatMap((part): FileAct[] => {
    const [first = '', ...lines] = part.split('\n');
    const path = pathAt(folder, { text: patchedFileIn(first) ?? '', isPlain: true });
    if (path === null) return [];
    if (first.startsWith('*** Delete')) return [{ kind: 'deleted', path, isFolder: false }];
    return [wrote(path, addedIn(lines), first.startsWith('*** Add'))];
  });
}

/** A unified diff whose paths begin with `a/` and `b/`, or with neither. */
function diffActs(diff: string, folder: string | null): FileAct[] {
  return diff.split(/^(?=--- )/m).flatMap((part): FileAct[] => {
    const [, before = '', after = ''] = /^--- (\S+).*\n\+\+\+ (\S+)/.exec(part) ?? [];
    const isDeleted = after === '/dev/null';
    const text = (isDeleted ? before : after).replace(/^[ab]\//, '');
    const path = pathAt(folder, { text, isPlain: true });
    if (path === null) return [];
    if (isDeleted) return [{ kind: 'deleted', path, isFolder: false }];
    return [wrote(path, addedIn(part.split('\n').slice(2)), before === '/dev/null')];
  });
}

function addedIn(lines: readonly string[]): string {
  return lines.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : [])).join('\n');
}

/** `patch` names the files that it changes. */
function patchedIn(commands: readonly PlacedCommand[], output: string): FileAct[] {
  const folder = commands.find(({ program, hereDocument }) => program === 'patch' && hereDocument === null)?.folder;
  if (folder === undefined) return [];
  return [...output.matchAll(/^patching file '?([^'\n]+?)'?$/gm)].flatMap(([, text = '']) => {
    const path = pathAt(folder, { text, isPlain: true });
    return path === null ? [] : [wrote(path)];
  });
}

/** Programs that may name files that do not exist. */
const silent = /^(?:ls|test|\[|\[\[|cd|echo|printf|find|git|gh|grep|rg|true|which|command)$/;

function namedBy(program: string, args: readonly ShellWord[], at: (word: ShellWord) => string | null): FileAct[] {
  if (silent.test(program)) return [];
  return args.flatMap((word) => {
    const path = at({ ...word, text: word.text.replace(/^-[^=]*=/, '') });
    return path === null || path.startsWith('-') ? [] : [{ kind: 'named', path }];
  });
}

/** The command of git, its arguments, and the folder of the repository. */
export function gitCommand(
  args: readonly ShellWord[],
  folder: string | null,
): [command: string, args: readonly ShellWord[], folder: string | null] {
  let place = folder;
  let at = 0;
  for (; args[at]?.text.startsWith('-'); at += 1) {
    if (args[at]?.text === '-C') place = pathAt(place, args[at + 1]);
    if (/^-[Cc]$|^--(?:git-dir|work-tree)$/.test(args[at]?.text ?? '')) at += 1;
  }
  return [args[at]?.text ?? '', args.slice(at + 1), place];
}
