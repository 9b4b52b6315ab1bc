import { Lexer, type Token, type Tokens } from 'marked';
import { visibleText } from '../../../extension/protocol/visible-text';
import { CodeFences } from './code-fences';
import type { Block, Cell, Inline, ListItem } from './tree';

/** Maximum length in UTF-16 units. Longer texts are shown as plain text. */
const longest = 100_000;
/** Maximum number of delimiters: the lexer searches the rest of the text for each one's end, in quadratic time. */
const mostMarks = 8_000;

type ParsedMarkdown =
  | { readonly kind: 'blocks'; readonly blocks: readonly Block[] }
  | { readonly kind: 'plain'; readonly text: string; readonly reason: 'too-long' | 'too-many-marks' | 'too-deep' };

/** Parses a text, or returns the text itself if parsing would cost too much. Both are safe to render. */
export function parseMarkdown(written: string): ParsedMarkdown {
  const text = visibleText(written);
  if (text.length > longest) return { kind: 'plain', text, reason: 'too-long' };
  if (hasTooManyMarks(text)) return { kind: 'plain', text, reason: 'too-many-marks' };
  if (isNestedTooDeep(text)) return { kind: 'plain', text, reason: 'too-deep' };
  try {
    return { kind: 'blocks', blocks: blocksOf(Lexer.lex(withQuotationsEnded(text), { gfm: true }), new Budget()) };
  } catch {
    // The lexer ran out of stack or the text exceeded its budget: show the source.
    return { kind: 'plain', text, reason: 'too-deep' };
  }
}

const quoted = /^ {0,3}>/;
const item = /^ {0,3}[-*+] /;
/** The labels with which a block without a model names the speaker of the following text. */
const speaker = /^(?:User|I)\b.*:$/;

/**
 * Ends a quotation with its last marked line. Markdown adds the lines below it up to an empty one, and so would show words of
 * one speaker as another's.
 */
function withQuotationsEnded(text: string): string {
  const fences = new CodeFences();
  let before = '';
  const lines = text.split('\n').map((line) => {
    const isAfterQuotation = quoted.test(before) && !quoted.test(line) && line.trim() !== '';
    const isNext = isAfterQuotation || (item.test(before) && speaker.test(line));
    const ended = !fences.isCode(line) && isNext ? `\n${line}` : line;
    before = line;
    return ended;
  });
  return lines.join('\n');
}

function hasTooManyMarks(text: string): boolean {
  return (text.match(/[*_~[\]<`!|&\\]/g)?.length ?? 0) > mostMarks;
}

/** Detects quotes and lists that are nested on one line or by ever deeper indentation. */
function isNestedTooDeep(text: string): boolean {
  return /^(?:[ \t]*(?:>|[-*+]\s|\d{1,9}[.)]\s)){25}/m.test(text) || /^[ \t]{120,}(?:[-*+]|\d{1,9}[.)])\s/m.test(text);
}

function blocksOf(tokens: readonly Token[] | undefined, budget: Budget): Block[] {
  return budget.within(() => (tokens ?? []).flatMap((token) => blockOf(token, budget)));
}

function blockOf(token: Token, budget: Budget): Block[] {
  budget.spend();
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return [];
    case 'heading':
      return [{ kind: 'heading', depth: token.depth, children: inlinesOf(token.tokens, budget) }];
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', children: inlinesOf(token.tokens ?? [token], budget) }];
    case 'blockquote':
      return [{ kind: 'quote', children: blocksOf(token.tokens, budget) }];
    case 'list':
      return [listOf(token as Tokens.List, budget)];
    case 'code':
      return [{ kind: 'code', text: token.text, language: languageOf(token as Tokens.Code) }];
    case 'table':
      return [tableOf(token as Tokens.Table, budget)];
    case 'hr':
      return [{ kind: 'rule' }];
    default:
      return [{ kind: 'verbatim', text: token.raw.trimEnd() }];
  }
}

function listOf({ ordered, start, items }: Tokens.List, budget: Budget): Block {
  const itemOf = (item: Tokens.ListItem): ListItem => ({
    checked: item.task ? item.checked === true : null,
    children: blocksOf(item.tokens, budget),
  });
  return { kind: 'list', start: ordered ? Number(start) || 1 : null, items: items.map(itemOf) };
}

function tableOf({ header, rows }: Tokens.Table, budget: Budget): Block {
  const cellOf = (cell: Tokens.TableCell): Cell => {
    budget.spend();
    return { align: cell.align, children: inlinesOf(cell.tokens, budget) };
  };
  return { kind: 'table', head: header.map(cellOf), rows: rows.map((row) => row.map(cellOf)) };
}

/** The first word after the fence, such as `ts` in `ts title="a.ts"`. */
function languageOf({ lang }: Tokens.Code): string {
  return /^[\w+#.-]+/.exec(lang ?? '')?.[0].toLowerCase() ?? '';
}

/** The lexer resolves entities such as `&#x202e;`, so `visibleText` is applied again to its output. */
function inlinesOf(tokens: readonly Token[] | undefined, budget: Budget): Inline[] {
  return budget.within(() => (tokens ?? []).flatMap((token) => inlineOf(token, budget)));
}

function inlineOf(token: Token, budget: Budget): Inline[] {
  budget.spend();
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: marks[token.type], children: inlinesOf(token.tokens, budget) }];
    case 'codespan':
      return [{ kind: 'code', text: visibleText(token.text) }];
    case 'br':
      return [{ kind: 'break' }];
    case 'link':
      return [{ kind: 'link', url: visibleText(token.href), children: inlinesOf(token.tokens, budget) }];
    case 'image':
      return [{ kind: 'image', text: visibleText(token.text), url: visibleText(token.href) }];
    case 'escape':
      return [{ kind: 'text', text: visibleText(token.text) }];
    case 'text':
      return textOf(token as Tokens.Text, budget);
    case 'checkbox':
      return [];
    default:
      return [{ kind: 'text', text: visibleText(token.raw) }];
  }
}

const marks = { strong: 'strong', em: 'emphasis', del: 'deleted' } as const;

function textOf(token: Tokens.Text, budget: Budget): Inline[] {
  return token.tokens ? inlinesOf(token.tokens, budget) : [{ kind: 'text', text: visibleText(token.text) }];
}

class OverBudget extends Error {
  override name = 'OverBudget';
}

/** Maximum number of elements of a text, and their maximum nesting depth. */
const mostNodes = 12_000;
const deepest = 24;

/** Counts the elements of a text, so that no text can flood the page. */
class Budget {
  #left = mostNodes;
  #depth = 0;

  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new OverBudget('The text has too many parts');
  }

  within<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new OverBudget('The text is nested too deep');
    const result = work();
    this.#depth -= 1;
    return result;
  }
}
