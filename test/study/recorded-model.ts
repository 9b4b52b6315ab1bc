import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nothingSpent } from '../../extension/engine/asking/ask-model';
import type { Completion, LanguageModel, Prompt } from '../../extension/engine/block/language-model';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';

/** A summary or judgement is not recorded yet. */
export class AnswerMissing extends Error {
  override name = 'AnswerMissing';
}

/** The purpose of a prompt: to write a summary, answer questions, or judge answers. */
export type Purpose = 'write' | 'answer' | 'judge';

export interface AskedPrompt {
  readonly hash: string;
  readonly text: string;
  readonly tokens: number;
  readonly purpose: Purpose;
  /** The task; for a judgement, the reader. */
  readonly about: string;
  /** Null if no answer is recorded. */
  readonly answer: string | null;
}

/** Answers of a language model that were recorded earlier. Identical prompts share one. */
export class Recording {
  readonly asked = new Map<string, AskedPrompt>();
  readonly #recorded: ReadonlyMap<string, string>;

  /** `file`: recorded answers. `live`: a folder for prompts without an answer, and for further answers. */
  constructor(
    readonly model: string,
    readonly file: string,
    readonly live: string | null,
  ) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    this.#recorded = new Map(lines.map((line) => JSON.parse(line) as [string, string]));
    if (live !== null) mkdirSync(live, { recursive: true });
  }

  /**
   * The model for prompts about one task. A missing summary or judgement ends the call with `AnswerMissing`. Answers to
   * questions do not affect what follows, so a missing one is reported to `onMissing` and the play continues.
   */
  modelFor(purpose: Purpose, about: string, onMissing?: () => void): LanguageModel {
    return {
      name: 'recorded',
      model: this.model,
      concurrency: 16,
      complete: async (prompt) => {
        const completion = this.#complete(prompt, purpose, about);
        if (completion) return completion;
        onMissing?.();
        if (purpose !== 'answer') throw new AnswerMissing();
        return { text: '{}', tokens: nothingSpent, isCut: false };
      },
    };
  }

  /** Prompts without an answer. */
  get missing(): AskedPrompt[] {
    return [...this.asked.values()].filter(({ answer }) => answer === null);
  }

  #complete({ system, user }: Prompt, purpose: Purpose, about: string): Completion | null {
    const text = `${system}\n\n${user}\n`;
    const hash = hashOf(text);
    const known = this.asked.get(hash);
    const answer = known?.answer ?? this.#answerTo(hash);
    const tokens = known?.tokens ?? countWithO200k(text);
    this.asked.set(hash, { hash, text, tokens, purpose, about, answer });
    if (answer === null) return null;
    return { text: answer, tokens: { input: tokens, output: countWithO200k(answer) }, isCut: false };
  }

  #answerTo(hash: string): string | null {
    const known = this.#recorded.get(hash);
    if (known !== undefined || this.live === null) return known ?? null;
    const path = join(this.live, `${hash}.answer.txt`);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  /** Writes the prompts without an answer to the live folder. */
  writeMissing(): void {
    if (this.live === null) return;
    for (const { hash, text } of this.missing) writeFileSync(join(this.live, `${hash}.prompt.txt`), text);
  }

  /** Stores only the answers that this run used. */
  keep(): void {
    const lines = [...this.asked.values()]
      .flatMap(({ hash, answer }) => (answer === null ? [] : [JSON.stringify([hash, answer])]))
      .sort();
    writeFileSync(this.file, lines.map((line) => `${line}\n`).join(''));
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
