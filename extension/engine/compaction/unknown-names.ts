import type { SummaryRequest } from '../block/summary';
import { type Entry, readableText } from '../conversation/entry';
import { coreText } from '../core/core';
import { namesIn } from '../language/names';
import { lastPart } from '../ledger/files';
import { replacedEntries } from './request';

/** Programs that commands begin with, as they are written in a summary. */
const programs =
  /^(?:npm|npx|pnpm|yarn|bun|node|deno|tsc|vitest|jest|python3?|pytest|pip3?|uv|poetry|go|cargo|make|git|gh|docker|kubectl|helm|terraform|mvn|gradle|\.\/gradlew|dotnet|ruby|bundle|rails|php|composer|swift|bash|sh|curl)$/;

/**
 * Files and commands that a summary names although nothing of the conversation does: made up, or planned. A file is known by its
 * last part, with or without its ending, because an import names it without; a command is known if all of its words are.
 */
export function namesNotIn(body: string, request: SummaryRequest): string[] {
  const files = namesIn(body).flatMap(({ kind, text }) => (kind === 'identifier' ? [] : [text]));
  const commands = [...body.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    isCommand(code) ? [code.trim()] : [],
  );
  if (files.length + commands.length === 0) return [];
  const known = textOf(request);
  const isKnownFile = (file: string) => {
    const name = lastPart(file)
      .replace(/:\d[\d-]*$/, '')
      .toLowerCase();
    return known.includes(name) || isImported(name, known);
  };
  const isKnownCommand = (command: string) => wordsOf(command).every((word) => known.includes(word));
  const ofCommands = new Set(commands.flatMap((command) => namesIn(command).map(({ text }) => text)));
  return [
    ...new Set([
      ...commands.filter((command) => !isKnownCommand(command)),
      ...files.filter((file) => !ofCommands.has(file) && !isKnownFile(file)),
    ]),
  ];
}

/** True for `file-store.ts` if the record has `./file-store`. */
function isImported(name: string, known: string): boolean {
  const stem = name.replace(/\.\w+$/, '');
  return stem.length > 2 && known.includes(`/${stem}`);
}

function isCommand(code: string): boolean {
  const [program = '', ...others] = code.trim().split(/\s+/);
  return others.length > 0 && programs.test(program);
}

/** Words of a command, without flags and marks of the shell. */
function wordsOf(command: string): string[] {
  return command
    .toLowerCase()
    .split(/[\s"'=;|&<>(){}]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !word.startsWith('-'));
}

/** All that the writer of a summary could know, in lower case. */
function textOf(request: SummaryRequest): string {
  const { turns, core, liveGoal, instructions, context = [] } = request;
  const textsIn = (entries: readonly Entry[]) => entries.flatMap(({ parts }) => parts.map(readableText));
  const openers = turns.flatMap(({ user }) => user ?? []);
  const blocks = turns.flatMap((turn) => turn.blocks.map(({ text }) => text));
  const around = [core ? coreText(core) : '', liveGoal ?? '', instructions ?? ''];
  return [...textsIn(replacedEntries(request)), ...textsIn(openers), ...textsIn(context), ...blocks, ...around]
    .join('\n')
    .toLowerCase();
}
