/** A parsed text, ready to render. All strings are plain text, never markup. */
export type Block =
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'rule' }
  /** HTML and everything without a form of its own, shown as source. */
  | { readonly kind: 'verbatim'; readonly text: string };

export interface ListItem {
  /** Null if it is not a task. */
  readonly checked: boolean | null;
  readonly children: readonly Block[];
}

export interface Cell {
  readonly align: 'left' | 'center' | 'right' | null;
  readonly children: readonly Inline[];
}

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly Inline[] }
  /** Never loaded; its alternative text and address are shown instead. */
  | { readonly kind: 'image'; readonly text: string; readonly url: string }
  | { readonly kind: 'break' };

/** Whether a link to this address is allowed; other links are shown as text. */
export function canOpen(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url);
}
