import { type OpenValue, scanJson } from './json-scan';

/** An object or list in a list of a JSON text. */
export interface JsonItem {
  /** 1-based. */
  readonly line: number;
  /** Its JSON text. */
  readonly text: string;
}

/** The items of the list that a JSON text is, or of the list with this name in its root object. */
export function jsonItems(text: string, name: string): JsonItem[] {
  const items: JsonItem[] = [];
  let item = { line: 1, start: 0 };
  scanJson(text, {
    enter: (open, line, start) => {
      if (isInList(open, name)) item = { line, start };
    },
    leave: (open, end) => {
      if (isInList(open, name)) items.push({ line: item.line, text: text.slice(item.start, end) });
    },
  });
  return items;
}

function isInList(open: readonly OpenValue[], name: string): boolean {
  const [root, list] = open;
  if (root?.isList) return open.length === 1;
  return open.length === 2 && list?.isList === true && root?.key === name;
}
