import type { LanguageModel, Prompt } from '../../extension/engine/block/language-model';

/** The summaries that a prompt asks a scripted model for: one, or several with a marker line before each. */
export interface AskedSummaries {
  readonly prompt: Prompt;
  /** Names of the sections. */
  readonly sections: readonly string[];
  /** The record of each block; for a single summary, the whole record. */
  readonly records: readonly string[];
  /** The marker line of a block, counted from 1. */
  readonly marker: (number: number) => string;
  readonly maxTokens: number;
}

export interface ScriptedSummaries {
  readonly model: LanguageModel;
  readonly asked: AskedSummaries[];
}

/** A model that answers with the result of `answer`, and records what it was asked for. */
export function scriptedSummaries(answer: (asked: AskedSummaries) => string, isCut = false): ScriptedSummaries {
  const asked: AskedSummaries[] = [];
  const model: LanguageModel = {
    ...{ name: 'scripted', model: 'm', concurrency: 1 },
    complete: async (prompt, { maxTokens }) => {
      const order = readOrder(prompt, maxTokens);
      asked.push(order);
      return { text: answer(order), isCut, tokens: { input: 1000, output: 101 } };
    },
  };
  return { model, asked };
}

function readOrder(prompt: Prompt, maxTokens: number): AskedSummaries {
  const quotations = [...prompt.user.matchAll(/^BEGIN QUOTATION (\w+)\n([\s\S]*?)\nEND QUOTATION \1$/gm)];
  const record = quotations.at(-1)?.[2] ?? '';
  const [task = ''] = prompt.user.split('BEGIN QUOTATION');
  const sections = [...task.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
  const [, mark = ''] = /^=== BLOCK <number> (\w+) ===$/m.exec(task) ?? [];
  const records = mark === '' ? [record] : record.split(/^--- Block \d+ ---$/m).slice(1);
  return { prompt, sections, records, marker: (number) => `=== BLOCK ${number} ${mark} ===`, maxTokens };
}

/** Follows the instructions: writes a summary with two sections, about the file that each record names first. */
export function obedient({ sections, records, marker }: AskedSummaries): string {
  const bodies = records.map((record) => bodyAbout(sections, record));
  return bodies.length === 1 ? (bodies[0] ?? '') : bodies.map((body, at) => `${marker(at + 1)}\n${body}`).join('\n\n');
}

export function bodyAbout(sections: readonly string[], record: string): string {
  const file = /src\/[\w-]+\.ts/.exec(record)?.[0] ?? 'no file';
  return `## ${sections[0]}\nI worked on ${file}.\n\n## ${sections.at(-1)}\nCOMPLETE I fixed ${file}.`;
}
