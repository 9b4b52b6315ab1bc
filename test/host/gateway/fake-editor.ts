type Heard = (event: never) => void;
type Fire = (event: unknown) => void;

/** The part of the editor that the gateway needs. The person's answers are set beforehand. */
export class FakeEditor {
  /** The messages that the person got, in order. */
  messages: string[] = [];
  /** Labels of the buttons and items that the person chooses when they are offered. */
  chosen = new Set<string>();
  /** The user settings. */
  settings: Record<string, unknown> = {};
  workspaceSettings: Record<string, unknown> = {};
  secrets = new Map<string, string>();
  state = new Map<string, unknown>();
  contexts = new Map<string, unknown>();
  clipboard = '';
  documents: string[] = [];
  isTrusted = true;
  /** Null while the item is hidden. */
  statusBar: string | null = null;
  readonly commands = new Map<string, (argument?: unknown) => unknown>();
  readonly #heard = { configuration: new Set<Heard>(), secrets: new Set<Heard>() };

  async run(command: string, argument?: unknown): Promise<void> {
    const handler = this.commands.get(command);
    if (handler === undefined) throw new Error(`There is no command ${command}`);
    await handler(argument);
  }

  change(setting: string, value: unknown): void {
    this.settings[setting] = value;
    this.#fire('configuration', { affectsConfiguration: (name: string) => `${setting}.`.startsWith(`${name}.`) });
  }

  /** Changes a secret as another window would. */
  storeSecret(key: string, value: string): void {
    this.secrets.set(key, value);
    this.#fire('secrets', { key });
  }

  #fire(kind: 'configuration' | 'secrets', event: unknown): void {
    for (const heard of this.#heard[kind]) (heard as Fire)(event);
  }

  #on(kind: 'configuration' | 'secrets'): (heard: Heard) => { dispose(): void } {
    return (heard) => {
      this.#heard[kind].add(heard);
      return { dispose: () => this.#heard[kind].delete(heard) };
    };
  }

  readonly secretStorage = {
    get: async (key: string) => this.secrets.get(key),
    store: async (key: string, value: string) => this.storeSecret(key, value),
    onDidChange: this.#on('secrets'),
  };

  readonly memento = {
    get: (key: string, standard: unknown) => this.state.get(key) ?? standard,
    update: async (key: string, value: unknown) => void this.state.set(key, value),
  };

  /** The module `vscode`. */
  readonly api = () => {
    const choose = (labels: readonly string[]) => labels.find((label) => this.chosen.has(label));
    const say = async (message: string, ...rest: readonly unknown[]) => {
      this.messages.push(message);
      return choose(rest.filter((button) => typeof button === 'string'));
    };
    return {
      l10n: { t: (text: string, ...values: unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
      Disposable: {
        from: (...all: { dispose(): unknown }[]) => ({ dispose: () => all.map((each) => each.dispose()) }),
      },
      MarkdownString,
      StatusBarAlignment: { Right: 2 },
      commands: {
        registerCommand: (id: string, handler: () => unknown) => {
          this.commands.set(id, handler);
          return { dispose: () => this.commands.delete(id) };
        },
        executeCommand: async (id: string, name: string, value: unknown) => {
          if (id === 'setContext') this.contexts.set(name, value);
          else await this.run(id, name);
        },
      },
      env: { clipboard: { writeText: async (text: string) => this.#copy(text) } },
      window: {
        createStatusBarItem: () => new StatusBarItem((text) => this.#paint(text)),
        showInformationMessage: say,
        showWarningMessage: say,
        showErrorMessage: say,
        showQuickPick: async (items: readonly { label: string }[]) => {
          const label = choose(items.map((item) => item.label));
          return items.find((item) => item.label === label);
        },
        showTextDocument: async () => undefined,
      },
      workspace: this.#workspace(),
    };
  };

  #copy(text: string): void {
    this.clipboard = text;
  }

  #paint(text: string | null): void {
    this.statusBar = text;
  }

  #workspace() {
    const { documents } = this;
    const isTrusted = () => this.isTrusted;
    return {
      get isTrusted() {
        return isTrusted();
      },
      workspaceFolders: [],
      openTextDocument: async ({ content }: { content: string }) => void documents.push(content),
      onDidChangeConfiguration: this.#on('configuration'),
      getConfiguration: (section: string) => ({
        get: (name: string, standard: unknown) => {
          const key = `${section}.${name}`;
          return this.workspaceSettings[key] ?? this.settings[key] ?? standard;
        },
        inspect: (name: string) => ({ globalValue: this.settings[`${section}.${name}`] }),
      }),
    };
  }
}

class MarkdownString {
  value = '';
  appendText(text: string): this {
    this.value += text;
    return this;
  }
  appendMarkdown(text: string): this {
    return this.appendText(text);
  }
}

class StatusBarItem {
  tooltip = new MarkdownString();
  accessibilityInformation = { label: '' };

  constructor(private readonly shown: (text: string | null) => void) {}

  show(): void {
    this.shown(`${this.accessibilityInformation.label}\n${this.tooltip.value}`);
  }
  hide(): void {
    this.shown(null);
  }
  dispose(): void {
    this.hide();
  }
}
