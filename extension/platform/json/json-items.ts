import { type OpenValue, scanJson } from './json-scan';
import { isRecord } from './schemas';

/** An object or list in a list of a JSON text. */
export interface JsonItem {
  /** 1-based. */
  readonly line: number;
  /** Its JSON text. */
  readonly text: string;
  readonly value: unknown;
}

/**
 * The items of a JSON text that is a list, or of the list with this name in its root object. @param root the parsed text, so that it is
 * parsed only once.
 */
export function jsonItems(text: string, name: string, root: unknown): JsonItem[] {
  const items = itemTexts(text, name);
  const values = listIn(root, name).filter((value) => typeof value === 'object' && value !== null);
  // If a text has two lists with the same name, only the last one counts.
  const areAll = values.length === items.length;
  return items.map((item, index) => ({ ...item, value: areAll ? values[index] : JSON.parse(item.text) }));
}

function listIn(root: unknown, name: string): readonly unknown[] {
  const list = isRecord(root) ? root[name] : root;
  return Array.isArray(list) ? list : [];
}

function itemTexts(text: string, name: string): Pick<JsonItem, 'line' | 'text'>[] {
  const items: Pick<JsonItem, 'line' | 'text'>[] = [];
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
