import type * as vscode from 'vscode';

/** Fake classes of message parts. */
export class Text {
  constructor(readonly value: string) {}
}

export class Thinking {
  constructor(readonly value: string) {}
}

export class Call {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}

export class Result {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}

export class Data {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}
}

/** The classes of VS Code that messages need, for tests that mock the module `vscode` with them. */
export const editorApi = {
  LanguageModelTextPart: Text,
  LanguageModelToolCallPart: Call,
  LanguageModelToolResultPart: Result,
  LanguageModelThinkingPart: Thinking,
  LanguageModelChatMessage: {
    User: (content: unknown[]) => user(...content),
    Assistant: (content: unknown[]) => assistant(...content),
  },
};

export type Message = vscode.LanguageModelChatRequestMessage;

export function user(...content: unknown[]): Message {
  return { role: 1, content: content.map(asPart), name: undefined };
}

export function assistant(...content: unknown[]): Message {
  return { role: 2, content: content.map(asPart), name: undefined };
}

export function system(text: string): Message {
  return { role: 3 as 1, content: [new Text(text)], name: undefined };
}

function asPart(part: unknown): unknown {
  return typeof part === 'string' ? new Text(part) : part;
}

/** A token that the test can cancel. */
export class Cancellation {
  readonly #listeners: (() => void)[] = [];
  isCancellationRequested = false;

  get token(): vscode.CancellationToken {
    return this as unknown as vscode.CancellationToken;
  }

  onCancellationRequested(listener: () => void): { dispose(): void } {
    this.#listeners.push(listener);
    return { dispose: () => undefined };
  }

  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of this.#listeners) listener();
  }
}

export type Answer = (messages: readonly Message[]) => AsyncIterable<unknown>;

/** A model of another extension: it records what it receives, and answers as the test says. */
export class FakeChat {
  readonly requests: {
    readonly messages: readonly Message[];
    readonly options: vscode.LanguageModelChatRequestOptions;
  }[] = [];
  readonly id = 'small';
  readonly name = 'Small';
  readonly vendor = 'other';
  readonly family = 'tiny';
  readonly version = '2';

  constructor(
    private readonly answer: Answer,
    readonly maxInputTokens = 100_000,
  ) {}

  get chat(): vscode.LanguageModelChat {
    return this as unknown as vscode.LanguageModelChat;
  }

  async sendRequest(
    messages: readonly Message[],
    options: vscode.LanguageModelChatRequestOptions,
  ): Promise<{ stream: AsyncIterable<unknown> }> {
    this.requests.push({ messages, options });
    return { stream: this.answer(messages) };
  }

  async countTokens(said: string | Message): Promise<number> {
    return JSON.stringify(said).length;
  }
}

/** A model that answers nothing. */
export function silent(): FakeChat {
  return new FakeChat(async function* () {
    yield* [];
  });
}
