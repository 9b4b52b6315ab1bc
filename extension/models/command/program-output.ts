import { stripVTControlCharacters } from 'node:util';
import type { CompletionOptions } from '../../engine/block/language-model';
import { oneLine } from '../../engine/conversation/text';
import { CappedText, estimatedTokens } from '../capped-text';
import type { CommandAnswer, ModelCommand } from './model-command';

/** In UTF-16 units. Events around an answer may repeat the prompt, so the output is many times longer than the answer. */
export const longestOutput = 32 * 1024 * 1024;

/** Extra tokens for a model that reasons in its text before it answers. */
const reasoningTokens = 8_192;

export interface CappedAnswer extends CommandAnswer {
  /** It was longer than requested. */
  readonly isCut: boolean;
}

/** The output of a program as it arrives. */
export class ProgramOutput {
  readonly #capped: CappedText;
  #raw = '';
  #complaints = '';
  #isFull = false;

  constructor(
    private readonly command: ModelCommand,
    private readonly wanted: CompletionOptions,
  ) {
    this.#capped = new CappedText({ maxTokens: wanted.maxTokens, reasoningTokens, countTokens: estimatedTokens });
  }

  /** Returns true when there is enough. */
  add(piece: string): boolean {
    this.#raw += piece;
    if (this.command.output === 'text' && this.#capped.add(shownText(piece))) this.#isFull = true;
    else if (this.command.output === 'text') this.wanted.onText?.(this.#capped.text);
    return this.#isFull || this.isTooLong;
  }

  complain(piece: string): void {
    this.#complaints = (this.#complaints + piece).slice(-lastLength * 8);
  }

  get isTooLong(): boolean {
    return this.#raw.length > longestOutput;
  }

  /** Shortened if it is longer than requested. */
  answer(): CappedAnswer {
    const answer = this.command.answerOf(shownText(this.#raw));
    const tokens = estimatedTokens(answer.text);
    const most = this.wanted.maxTokens + reasoningTokens;
    if (tokens <= most) return { ...answer, isCut: this.#isFull };
    return { ...answer, text: answer.text.slice(0, Math.floor((answer.text.length * most) / tokens)), isCut: true };
  }

  /** The last line of standard error, or else of standard output; empty if it wrote nothing. */
  get lastWords(): string {
    return lastLineOf(this.#complaints) || lastLineOf(this.#raw.slice(-lastLength * 8));
  }

  /** Everything that it wrote, to find out why it failed. */
  get allWords(): string {
    return shownText(`${this.#complaints}\n${this.#raw.slice(-lastLength * 8)}`);
  }
}

/** Maximum length of a quoted line, in UTF-16 units. */
const lastLength = 300;

function lastLineOf(text: string): string {
  const lines = shownText(text).split('\n').map(oneLine);
  return (lines.findLast((line) => line !== '') ?? '').slice(0, lastLength);
}

/** A text as a terminal would show it: without colours, and only the last state of a line that was overwritten. */
function shownText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replace(/^.*\r(?!$)/gm, '');
}
