/** The part of VS Code's API that makes tree items, in English. For `vi.mock('vscode', …)`. */
export const treeApi = {
  TreeItem: class {
    constructor(
      readonly label: string,
      readonly collapsibleState = 0,
    ) {}
  },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  ThemeIcon: class {
    constructor(readonly id: string) {}
  },
  ThemeColor: class {},
  env: { language: 'en' },
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
};
