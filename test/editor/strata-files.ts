import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Workbench } from './browser-editor/workbench.ts';
import { projectFolder } from './paths.ts';

const run = promisify(execFile);

/** Strata's own conversations in an editor's storage, read independently with the command line. */
export class StrataFiles {
  readonly #storage: string;

  constructor({ userDataDir }: Workbench) {
    this.#storage = join(userDataDir, 'User/globalStorage/strata.strata');
  }

  conversations(): string[] {
    return globSync('conversations/*.jsonl', { cwd: this.#storage }).map((file) => join(this.#storage, file));
  }

  /** The path of the only conversation. */
  conversation(): string {
    const [file, ...more] = this.conversations();
    if (file === undefined || more.length > 0)
      throw new Error(`There are ${more.length + (file ? 1 : 0)} conversations.`);
    return file;
  }

  /** The context as messages of OpenAI's Chat Completions, made from the files alone. */
  async messages(file = this.conversation()): Promise<Message[]> {
    return JSON.parse(await this.strata('context', file, '--format', 'openai')).messages;
  }

  async strata(...words: readonly string[]): Promise<string> {
    const command = [join(projectFolder, 'dist/cli/strata.js'), '--journal', join(this.#storage, 'journals'), ...words];
    const { stdout } = await run(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }
}

export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly unknown[];
}

/** Number of messages that replace others. */
export function blocks(messages: readonly Message[]): number {
  return messages.filter(({ content }) => /^\[(?:SUMMARIZED|GOAL BATCH)\]/.test(content ?? '')).length;
}

export function text(messages: unknown): string {
  return JSON.stringify(messages);
}
