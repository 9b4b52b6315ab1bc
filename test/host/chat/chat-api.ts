/** The part of the module `vscode` that the chat needs besides settings. */
export function chatApi() {
  class ChatRequestTurn {
    constructor(
      readonly prompt: string,
      readonly references: readonly unknown[],
    ) {}
  }
  class ChatResponseTurn {
    constructor(
      readonly response: readonly unknown[],
      readonly result: unknown,
    ) {}
  }
  class ChatResponseMarkdownPart {
    readonly value: { readonly value: string };
    constructor(value: string | { readonly value: string }) {
      this.value = typeof value === 'string' ? { value } : value;
    }
  }
  const fill = (message: string, ...values: unknown[]) =>
    message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
  return {
    ...{ ChatRequestTurn, ChatResponseTurn, ChatResponseMarkdownPart },
    Uri: Object.assign(class Uri {}, { joinPath: () => null }),
    Location: class Location {},
    CancellationError: class CancellationError extends Error {},
    l10n: { t: fill },
    lm: { tools: [] },
    chat: { createChatParticipant: (_id: string, handler: unknown) => ({ handler }) },
  };
}
