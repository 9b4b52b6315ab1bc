/** What a text says with its marks, ready to be painted. Texts are plain; nothing here is ever markup. */
export type Block =
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'rule' }
  /** What would be markup elsewhere, and what has no form of its own here. */
  | { readonly kind: 'verbatim'; readonly text: string };

export interface ListItem {
  /** Null where it is no task. */
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
  /** Never loaded: its words and its address stand for it. */
  | { readonly kind: 'image'; readonly text: string; readonly url: string }
  | { readonly kind: 'break' };

/** Where a link may lead; anything else stays text. */
export function canOpen(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url);
}
