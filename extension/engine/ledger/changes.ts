import type { ToolCallPart } from '../conversation/entry';
import { argumentsIn } from '../conversation/tool-subject';
import { filesOf, firstString, patchedFileIn, patchTextOf, pathOf } from './steps';

/** A piece of a file and what a call put in its place. Empty if there was nothing or the call does not say. */
interface Exchange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const beforeNames = ['old_string', 'oldText', 'old_str', 'old_text', 'search'];
const afterNames = ['new_string', 'newText', 'new_str', 'new_text', 'replace'];
const wholeNames = ['content', 'contents', 'file_text', 'text'];

/** Exchanges of text by a call that changes a file, in the forms of all agents: old and new text, lists of them, whole files, patches. */
export function exchangesOf(call: ToolCallPart): Exchange[] {
  const patch = patchOf(call);
  if (patch !== null) return exchangesInPatch(patch);
  const file = pathOf(call) ?? filesOf(call)[0];
  if (file === undefined) return [];
  return piecesOf(call.input).flatMap((piece) => {
    const before = firstString(piece, beforeNames);
    const after = firstString(piece, afterNames) ?? firstString(piece, wholeNames);
    return before === null && after === null ? [] : [{ file, before: before ?? '', after: after ?? '' }];
  });
}

function piecesOf(input: unknown): unknown[] {
  const { edits } = argumentsIn(input);
  return Array.isArray(edits) ? edits : [input];
}

/** The text of a patch in the form of `apply_patch`; null if the call has none. */
function patchOf(call: ToolCallPart): string | null {
  const text = patchTextOf(call);
  return text?.includes('*** Begin Patch') ? text : null;
}

function exchangesInPatch(patch: string): Exchange[] {
  const found: { file: string; before: string[]; after: string[] }[] = [];
  for (const line of patch.split('\n')) {
    const file = patchedFileIn(line);
    if (file !== null) found.push({ file, before: [], after: [] });
    else if (line.startsWith('-')) found.at(-1)?.before.push(line.slice(1));
    else if (line.startsWith('+')) found.at(-1)?.after.push(line.slice(1));
  }
  return found.map(({ file, before, after }) => ({ file, before: before.join('\n'), after: after.join('\n') }));
}

export function deletedInPatch(call: ToolCallPart): string[] {
  const patch = patchOf(call) ?? '';
  return [...patch.matchAll(/^\*\*\* Delete File: (.+)$/gm)].map(([, file = '']) => file.trim());
}

/** Whether a call can only create a file, or replace one completely. */
export function writesWhole(call: ToolCallPart): boolean {
  const patch = patchOf(call);
  if (patch !== null) return /^\*\*\* Add File: /m.test(patch) && !/^\*\*\* Update File: /m.test(patch);
  return /write|create/i.test(call.name) && firstString(call.input, beforeNames) === null;
}

const declaration =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|pub(?:\([a-z]+\))?\s+)*(?:function\*?|class|interface|type|enum|def|fn|func(?:\s+\([^)]*\))?|struct|trait|impl|mod)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gmu;

/** Only top-level constants: constants inside a function say little about a file. */
const constant = /^(?:export\s+)?(?:const|let|static)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gmu;

/** Names that are too short or too common to say what was edited. */
const minNameLength = 4;

/** The symbols that these texts declare, in order, each once. */
export function declaredIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(declaration), ...text.matchAll(constant)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => name.length >= minNameLength && !/^(?:[a-z]+$|_)/.test(name));
}
