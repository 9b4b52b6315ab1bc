import type { ToolCallPart } from '../conversation/entry';
import { oncePerText } from '../conversation/once-per';
import { subjectOf } from '../conversation/tool-subject';
import { type Joint, type ShellWord, shellCommandsIn } from './command-line';
import { commandLineOf, firstString } from './steps';

export interface PlacedCommand {
  /** Without its folder. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly outputs: readonly ShellWord[];
  readonly input: ShellWord | null;
  readonly hereDocument: string | null;
  /** Empty for the folder in which the shell starts; null if the line does not say. */
  readonly folder: string | null;
  readonly joinedBy: Joint;
  /** Whether it ran depends on a condition, on the failure of another program, or on a call of the function that contains it. */
  readonly isConditional: boolean;
  /** It ran although the line failed: nothing that could fail comes before it. */
  readonly isCertain: boolean;
}

/** The programs of a shell call, in order. Empty for other calls. */
export function placedCommandsOf(call: ToolCallPart): readonly PlacedCommand[] {
  const line = commandLineOf(call) ?? subjectOf(call);
  const folder = firstString(call.input, ['workdir', 'cwd']);
  const placed = placedCommandsIn(line);
  if (folder === null || folder === '') return placed;
  return placed.map((command) => ({
    ...command,
    folder: command.folder === null ? null : within(folder, command.folder),
  }));
}

const placedCommandsIn = oncePerText((line: string): readonly PlacedCommand[] => {
  const folders: (string | null)[] = [''];
  const state = { isConditional: false, blocks: 0, isDefining: false, braces: 0, isCertain: true };
  const stopsAtFailure = /(?:^|[\n;&])\s*set -\w*e/.test(line);
  return shellCommandsIn(line).map((command): PlacedCommand => {
    const { words, outputs, input, hereDocument, joinedBy, depth } = command;
    while (folders.length > depth + 1) folders.pop();
    while (folders.length < depth + 1) folders.push(folders.at(-1) ?? null);
    const { program, args, opened, braces } = withoutPrefix(words);
    if (joinedBy === ';') {
      state.isConditional = false;
      if (!stopsAtFailure) state.isCertain = true;
    }
    if (joinedBy === '||') state.isConditional = true;
    state.blocks = Math.max(0, state.blocks + opened);
    const isDefinition = command.isDefinition || words[0]?.text === 'function';
    if (isDefinition || state.isDefining || state.braces > 0) state.braces = Math.max(0, state.braces + braces);
    state.isDefining = isDefinition;
    const placed: PlacedCommand = {
      ...{ program, args, outputs, input, hereDocument, joinedBy },
      folder: folders.at(-1) ?? null,
      isConditional: state.isConditional || state.blocks > 0 || state.braces > 0,
      isCertain: state.isCertain,
    };
    if (program === 'cd' || program === 'pushd') folders[folders.length - 1] = folderAfter(placed);
    else if (program === 'popd') folders[folders.length - 1] = null;
    if (/^(?:\[|\[\[|test|grep|rg|command|which)$/.test(program)) state.isConditional = true;
    if (!harmless.test(program)) state.isCertain = false;
    return placed;
  });
});

/** Programs that fail only if the folder is missing. */
const harmless = /^(?:cd|export|set|source|mkdir|true|echo|printf|sleep|)$/;

function folderAfter({ folder, args }: PlacedCommand): string | null {
  const [target] = args.filter(({ text }) => !text.startsWith('-'));
  if (folder === null || target === undefined || !target.isPlain) return null;
  return within(folder, target.text);
}

/** A path below the folder that a command runs in. Absolute paths stay. */
export function within(folder: string, path: string): string {
  const joined = folder === '' || isAbsolute(path) ? path : `${folder.replace(/[\\/]$/, '')}/${path}`;
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(joined)) return joined;
  const parts: string[] = [];
  for (const part of joined.split('/')) {
    const last = parts.at(-1);
    if (part === '.') continue;
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

export function isAbsolute(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:)/.test(path);
}

const opening = /^(?:if|case|while|until|for|select)$/;
const closing = /^(?:fi|esac|done)$/;

/** Words before a program: shell keywords, variables, programs that run another one. */
const before = /^(?:then|do|else|elif|!|time|sudo|nohup|env|command|exec|builtin|[A-Za-z_]\w*\+?=.*)$/s;

function withoutPrefix(words: readonly ShellWord[]): {
  readonly program: string;
  readonly args: readonly ShellWord[];
  /** The number of conditions and loops that it opens, minus those that it closes. */
  readonly opened: number;
  /** The number of braces that it opens, minus those that it closes. */
  readonly braces: number;
} {
  let at = 0;
  let opened = 0;
  let braces = 0;
  for (; at < words.length; at += 1) {
    const { text = '' } = words[at] ?? {};
    if (text === 'timeout' || text === 'function') at += 1;
    else if (opening.test(text)) opened += 1;
    else if (closing.test(text)) opened -= 1;
    else if (text === '{') braces += 1;
    else if (text === '}') braces -= 1;
    else if (!before.test(text) || (text === 'command' && /^-[vV]/.test(words[at + 1]?.text ?? ''))) break;
  }
  const name = words[at]?.text ?? '';
  return { program: name.slice(name.lastIndexOf('/') + 1), args: words.slice(at + 1), opened, braces };
}
