import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nothingSpent } from '../../extension/engine/asking/answer';
import type { Completion, LanguageModel, Prompt } from '../../extension/engine/block/language-model';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';

/** A summary is not recorded yet. */
export class AnswerMissing extends Error {
  override name = 'AnswerMissing';
}

/** A summary is written, or questions are answered. */
export type Purpose = 'write' | 'answer';

export interface AskedPrompt {
  readonly hash: string;
  readonly text: string;
  readonly tokens: number;
  readonly purpose: Purpose;
  readonly task: string;
  /** Null if no answer is recorded. */
  readonly answer: string | null;
}

/** Answers by a language model that were recorded before, one file for each prompt. Identical prompts share one. */
export class Recording {
  readonly asked = new Map<string, AskedPrompt>();

  /** Answers are looked up in all folders. Prompts without one are written to the last. */
  constructor(
    readonly model: string,
    readonly folders: readonly string[],
  ) {
    for (const folder of folders) mkdirSync(folder, { recursive: true });
  }

  /**
   * The model as one task asks it. A missing summary ends the call with `AnswerMissing`. Answers to questions change
   * nothing in what follows, so a missing one is reported to `onMissing` and the play continues.
   */
  modelFor(purpose: Purpose, task: string, onMissing: () => void): LanguageModel {
    return {
      name: 'recorded',
      model: this.model,
      concurrency: 16,
      complete: async (prompt) => {
        const completion = this.#complete(prompt, purpose, task);
        if (completion) return completion;
        onMissing();
        if (purpose === 'write') throw new AnswerMissing();
        return { text: '{}', tokens: nothingSpent, isCut: false };
      },
    };
  }

  /** Prompts without an answer. */
  get missing(): AskedPrompt[] {
    return [...this.asked.values()].filter(({ answer }) => answer === null);
  }

  #complete({ system, user }: Prompt, purpose: Purpose, task: string): Completion | null {
    const text = `${system}\n\n${user}\n`;
    const hash = hashOf(text);
    const known = this.asked.get(hash);
    const answer = known?.answer ?? this.#answerTo(hash);
    const tokens = known?.tokens ?? countWithO200k(text);
    this.asked.set(hash, { hash, text, tokens, purpose, task, answer });
    if (answer === null) return null;
    return { text: answer, tokens: { input: tokens, output: countWithO200k(answer) }, isCut: false };
  }

  #answerTo(hash: string): string | null {
    const path = this.folders.map((folder) => join(folder, `${hash}.answer.txt`)).find((each) => existsSync(each));
    return path === undefined ? null : readFileSync(path, 'utf8');
  }

  /** Writes the prompts without an answer to the last folder. */
  writeMissing(): void {
    const folder = this.folders.at(-1);
    if (folder === undefined) return;
    for (const { hash, text } of this.missing) writeFileSync(join(folder, `${hash}.prompt.txt`), text);
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
