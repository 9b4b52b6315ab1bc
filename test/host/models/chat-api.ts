import type * as vscode from 'vscode';

/** Fake classes of VS Code's chat API that store their arguments. */

export class TextPart {
  constructor(readonly value: string) {}
}

export class ThinkingPart {
  constructor(readonly value: string | string[]) {}
}

export class CallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}

export class ResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}

export class DataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}

  static image(data: Uint8Array, mimeType: string): DataPart {
    return new DataPart(data, mimeType);
  }
}

export type MessagePart = TextPart | CallPart | ResultPart | DataPart;

export class Message {
  private constructor(
    readonly role: 'user' | 'assistant',
    readonly content: readonly MessagePart[],
  ) {}

  static User(content: MessagePart[]): Message {
    return new Message('user', content);
  }

  static Assistant(content: MessagePart[]): Message {
    return new Message('assistant', content);
  }
}

export class Cancellation {
  isCancelled = false;
  readonly token = {} as vscode.CancellationToken;

  cancel(): void {
    this.isCancelled = true;
  }

  dispose(): void {
    this.isCancelled = true;
  }
}

const classes = {
  LanguageModelChatMessage: Message,
  LanguageModelTextPart: TextPart,
  LanguageModelToolCallPart: CallPart,
  LanguageModelToolResultPart: ResultPart,
  LanguageModelDataPart: DataPart,
  LanguageModelThinkingPart: ThinkingPart,
  LanguageModelChatToolMode: { Auto: 1, Required: 2 },
  CancellationTokenSource: Cancellation,
};

/** The editor's API for tests that mock the module `vscode` with it. */
export const editorApi: Partial<Record<keyof typeof classes, unknown>> = { ...classes };

/** The API with these changes, until the next call. */
export function setChatApi(changes: typeof editorApi = {}): void {
  Object.assign(editorApi, classes, changes);
}
